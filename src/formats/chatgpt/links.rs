//! Addresses in what ChatGPT wrote.

use std::ops::Range;

use super::code;

/// What ChatGPT adds to the addresses that it names.
const TRACE: &str = "utm_source=chatgpt.com";

/// Returns a text without the mark by which addresses say that they come from ChatGPT.
pub(super) fn untraced(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (at, _) in text.match_indices(TRACE) {
        let end = at + TRACE.len();
        let before = text[..at].chars().next_back();
        let is_last = !text[end..].starts_with('&');
        let is_parameter = matches!(before, Some('?' | '&'))
            && text[end..].chars().next().is_none_or(|c| !c.is_alphanumeric());
        if !is_parameter || at < done + 1 {
            continue;
        }
        // `?trace&x=1` becomes `?x=1`, `?x=1&trace` becomes `?x=1`.
        let cut = match is_last {
            true => at - 1..end,
            false => at..end + 1,
        };
        out.push_str(&text[done..cut.start]);
        done = cut.end;
    }
    out.push_str(&text[done..]);
    out
}

/// Parts of addresses that open something to whoever has them.
const SIGNED: [&str; 8] = [
    "x-amz-signature=",
    "x-goog-signature=",
    "&sig=",
    "?sig=",
    "&signature=",
    "?signature=",
    "oaiusercontent.com/",
    "access_token=",
];

/// Names of parameters that open something, or the ends of such names.
const SECRETS: [&str; 14] = [
    "token",
    "sig",
    "signature",
    "key",
    "auth",
    "authorization",
    "password",
    "passwd",
    "pwd",
    "secret",
    "credential",
    "jwt",
    "session",
    "sid",
];
/// Parameters of a signed address of a store of files.
const OF_STORES: [&str; 4] = ["se", "sp", "sv", "sr"];
/// Where people keep what is their own.
const PRIVATE_HOSTS: [&str; 24] = [
    "docs.google.com",
    "drive.google.com",
    "mail.google.com",
    "calendar.google.com",
    "sheets.google.com",
    "slides.google.com",
    "contacts.google.com",
    "photos.google.com",
    "googleusercontent.com",
    "sharepoint.com",
    "onedrive.live.com",
    "1drv.ms",
    "outlook.com",
    "outlook.live.com",
    "outlook.office.com",
    "outlook.office365.com",
    "teams.microsoft.com",
    "slack.com",
    "notion.so",
    "notion.site",
    "atlassian.net",
    "dropbox.com",
    "box.com",
    "app.asana.com",
];

/// Takes an address apart: the scheme with its slashes, what stands before the host, the host, and
/// the rest.
fn parts(url: &str) -> Option<(&str, &str, &str, &str)> {
    let scheme = url.find("://")? + "://".len();
    let end = url[scheme..].find(['/', '?', '#', '\\']).unwrap_or(url.len() - scheme);
    let end = scheme + end;
    let host = url[scheme..end].rfind('@').map_or(scheme, |at| scheme + at + 1);
    Some((&url[..scheme], &url[scheme..host], &url[host..end], &url[end..]))
}

/// Returns whether an address leads to somebody's own documents, mails or messages.
pub(super) fn is_of_somebody(url: &str) -> bool {
    let Some((_, _, host, _)) = parts(url.trim()) else { return false };
    let host = host.split(':').next().unwrap_or(host).to_ascii_lowercase();
    let host = host.trim_end_matches('.');
    let is = |known: &&str| {
        host.strip_suffix(*known)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    PRIVATE_HOSTS.iter().any(is)
}

/// Returns whether a part of an address has a parameter that opens something.
fn opens(parameters: &str) -> bool {
    parameters.split(['&', ';', '?', '#']).any(|parameter| {
        let Some((name, _)) = parameter.split_once('=') else { return false };
        let name = name.to_ascii_lowercase();
        OF_STORES.contains(&&*name)
            || name.starts_with("x-amz-")
            || name.starts_with("x-goog-")
            || SECRETS.iter().any(|secret| name.ends_with(secret))
    })
}

/// Returns the address of a page as it may stand on another one; `None` for what is on no public
/// page, or is signed. Names, passwords and what else opens something are cut off.
pub(super) fn public_url(url: &str) -> Option<String> {
    let url = url.trim();
    let lower = url.to_ascii_lowercase();
    let is_web = lower.starts_with("https://") || lower.starts_with("http://");
    if !is_web || SIGNED.iter().any(|mark| lower.contains(mark)) || is_of_somebody(url) {
        return None;
    }
    let (scheme, _, host, rest) = parts(url)?;
    let (path, fragment) = rest.split_at(rest.find('#').unwrap_or(rest.len()));
    let (path, query) = path.split_at(path.find('?').unwrap_or(path.len()));
    let query = if opens(query) { "" } else { query };
    let fragment = if opens(fragment) { "" } else { fragment };
    let url = &[scheme, host, path, query, fragment].concat();
    let mut out = String::with_capacity(url.len());
    for c in untraced(url).chars() {
        match c {
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            '\\' => out.push_str("%5C"),
            ' ' => out.push_str("%20"),
            '\u{e200}'..='\u{e206}' => {}
            c if c.is_control() || c.is_whitespace() => {}
            c => out.push(c),
        }
    }
    Some(out)
}

/// The start of addresses of files in the machine on which ChatGPT ran a program.
const SANDBOX: &str = "sandbox:";

/// Takes the links to files of a machine that is gone out of a text: their words stay. Returns the
/// paths of the files as well.
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

/// Longest label and path of a link. Bytes.
const LONGEST: usize = 1000;

/// Finds the link whose label ends at `at`, and which starts at `from` or behind it.
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
    Some(Link {
        start: start - usize::from(is_image),
        end,
        label,
        path: inside..path_end,
    })
}

#[cfg(test)]
mod tests {
    use super::{public_url, untraced, without_sandbox};

    #[test]
    fn traces_go() {
        for (text, expected) in [
            ("https://a.example/?utm_source=chatgpt.com", "https://a.example/"),
            (
                "(https://a.example/?x=1&utm_source=chatgpt.com)",
                "(https://a.example/?x=1)",
            ),
            (
                "https://a.example/?utm_source=chatgpt.com&x=1#y",
                "https://a.example/?x=1#y",
            ),
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
    fn links_to_a_machine_that_is_gone_become_words() {
        let text = "Here: [Get [it]](sandbox:/mnt/data/a b.csv), ![plot](<sandbox:/mnt/data/p.png>) \
                    and `[x](sandbox:/y)`, [z](https://z.example)";
        let (text, paths) = without_sandbox(text.to_owned());
        assert_eq!(
            text,
            "Here: Get [it], plot and `[x](sandbox:/y)`, [z](https://z.example)"
        );
        assert_eq!(paths, ["/mnt/data/a b.csv", "/mnt/data/p.png"]);
    }
}
