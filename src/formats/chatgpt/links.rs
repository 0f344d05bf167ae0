//! URLs in text by ChatGPT.

use std::ops::Range;

use super::code;

pub(super) use crate::shared::text::web_links::{is_private_host, public_url, untraced};

/// The prefix of URLs of files in the sandbox of ChatGPT.
const SANDBOX: &str = "sandbox:";

/// Removes links to sandbox files from a text and keeps their labels. Also returns the paths of the files.
pub(super) fn without_sandbox(text: String) -> (String, Vec<String>) {
    if !text.contains(SANDBOX) {
        return (text, Vec::new());
    }
    let code = code::ranges(&text);
    let mut out = String::with_capacity(text.len());
    let mut paths = Vec::new();
    let mut done = 0;
    for (at, _) in text.match_indices("](") {
        let Some(link) = link(&text, at, done).filter(|_| !code::holds(&code, at)) else {
            continue;
        };
        out.push_str(&text[done..link.start]);
        out.push_str(&text[link.label]);
        paths.push(text[link.path].trim().to_owned());
        done = link.end;
    }
    out.push_str(&text[done..]);
    (out, paths)
}

struct Link {
    start: usize,
    end: usize,
    label: Range<usize>,
    path: Range<usize>,
}

/// The maximum length in bytes of a link's label and of its path.
const LONGEST: usize = 1000;

/// Finds the link whose label ends at `at`, and which starts at or after `from`.
fn link(text: &str, at: usize, from: usize) -> Option<Link> {
    let target = at + 2;
    let (open, close) = match text[target..].starts_with('<') {
        true => (1, '>'),
        false => (0, ')'),
    };
    let path = target + open;
    text[path..].starts_with(SANDBOX).then_some(())?;
    let inside = path + SANDBOX.len();
    let limit = text.floor_char_boundary((inside + LONGEST).min(text.len()));
    let length = text[inside..limit].find([close, '\n'])?;
    let path_end = inside + length;
    let end = path_end + 1 + open;
    text.get(..end).filter(|text| text.ends_with(')'))?;
    let earliest = text.ceil_char_boundary(at.saturating_sub(LONGEST).max(from));
    let mut depth = 0;
    let start = text.get(earliest..at)?.char_indices().rev().find_map(|(place, c)| {
        match c {
            ']' => depth += 1,
            '[' if depth == 0 => return Some(earliest + place),
            '[' => depth -= 1,
            _ => {}
        }
        None
    })?;
    let is_image = start > from && text[..start].ends_with('!');
    let label = start + 1..at;
    Some(Link { start: start - usize::from(is_image), end, label, path: inside..path_end })
}

#[cfg(test)]
mod tests {
    use super::{public_url, untraced, without_sandbox};

    #[test]
    fn tracking_parameters_are_removed() {
        for (text, expected) in [
            ("https://a.example/?utm_source=chatgpt.com", "https://a.example/"),
            ("(https://a.example/?x=1&utm_source=chatgpt.com)", "(https://a.example/?x=1)"),
            ("https://a.example/?utm_source=chatgpt.com&x=1#y", "https://a.example/?x=1#y"),
            ("https://a.example/?utm_source=chatgpt.com#y", "https://a.example/#y"),
            ("the mark utm_source=chatgpt.com", "the mark utm_source=chatgpt.com"),
        ] {
            assert_eq!(untraced(text), expected);
        }
        assert_eq!(public_url("file:///x"), None);
        assert_eq!(public_url("https://a.example/?se=1&sig=abc"), None);
        for (url, expected) in [
            ("https://u:p@h.example/x?token=1", Some("https://h.example/x")),
            ("https://h.example/?a=1&api_key=x#y", Some("https://h.example/#y")),
            ("https://h.example/?sv=1&se=2", Some("https://h.example/")),
            ("https://h.example/#id_token=x", Some("https://h.example/")),
            ("https://h.example/?q=key+of+it", Some("https://h.example/?q=key+of+it")),
            ("https://docs.google.com/document/d/1", None),
            ("https://x:y@Team.Slack.com:443/a", None),
            ("https://notslack.com/", Some("https://notslack.com/")),
        ] {
            assert_eq!(public_url(url).as_deref(), expected, "{url}");
        }
        assert_eq!(
            public_url("https://a.example/a b<").as_deref(),
            Some("https://a.example/a%20b%3C")
        );
    }

    #[test]
    fn links_to_a_sandbox_become_words() {
        let text = "Here: [Get [it]](sandbox:/mnt/data/a b.csv), ![plot](<sandbox:/mnt/data/p.png>) \
                    and `[x](sandbox:/y)`, [z](https://z.example)";
        let (text, paths) = without_sandbox(text.to_owned());
        assert_eq!(text, "Here: Get [it], plot and `[x](sandbox:/y)`, [z](https://z.example)");
        assert_eq!(paths, ["/mnt/data/a b.csv", "/mnt/data/p.png"]);
    }
}
