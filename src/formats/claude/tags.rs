//! Tags, placeholders and dead links that Claude's apps leave in texts.

use crate::shared::text::html::attributes;
use convo_base::fences::{Fence, Fences};
use convo_base::json::Map;

/// A piece of an answer.
pub(super) enum Piece<'a> {
    /// Text.
    Words(&'a str),
    /// A thought of the model.
    Thought(&'a str),
    /// A file that it wrote, as arguments of the later artifacts tool.
    Artifact(Map),
}

/// Splits an answer at the tags `antThinking` and `antArtifact` outside code.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let (mut done, mut at) = (0, 0);
    let mut code = Code::default();
    while let Some(found) = text[at..].find("<ant").map(|found| at + found) {
        code.pass(&text[at..found]);
        at = found + 4;
        if code.is_open() {
            continue;
        }
        let Some((piece, end)) = tag(&text[found..]) else { continue };
        words(&text[done..found], &mut pieces);
        pieces.push(piece);
        (done, at) = (found + end, found + end);
        code = Code::default();
    }
    words(&text[done..], &mut pieces);
    pieces
}

fn words<'a>(text: &'a str, pieces: &mut Vec<Piece<'a>>) {
    if !text.trim().is_empty() {
        pieces.push(Piece::Words(text));
    }
}

/// Whether the following text is code.
#[derive(Default)]
struct Code {
    fences: Fences,
    /// The part of the line that was read so far.
    line: String,
}

impl Code {
    fn pass(&mut self, text: &str) {
        for part in text.split_inclusive('\n') {
            self.line.push_str(part);
            if part.ends_with('\n') {
                self.fences.next(&self.line);
                self.line.clear();
            }
        }
    }

    fn is_open(&self) -> bool {
        self.fences.is_open() || self.line.matches('`').count() % 2 == 1
    }
}

/// The maximum length of a tag in bytes.
const MAX_TAG: usize = 4096;

/// Reads the tag at the start of a text, and returns the byte after its end. An unclosed tag extends to the
/// end of the text, because the answer was cut off.
fn tag(text: &str) -> Option<(Piece<'_>, usize)> {
    let (name, is_thought) = match text {
        text if text.starts_with("<antThinking>") => ("antThinking", true),
        text if text.starts_with("<antArtifact ") => ("antArtifact", false),
        _ => return None,
    };
    let open = text.bytes().take(MAX_TAG).position(|byte| byte == b'>')?;
    let close = format!("</{name}>");
    let (inside, end) = match text[open + 1..].find(&close) {
        Some(at) => (&text[open + 1..open + 1 + at], open + 1 + at + close.len()),
        None => (&text[open + 1..], text.len()),
    };
    if is_thought {
        return Some((Piece::Thought(inside), end));
    }
    let mut input = Map::new();
    input.insert("command".to_owned(), "create".into());
    for (key, value) in attributes(&text[1..open]) {
        let key = if key == "identifier" { "id" } else { key };
        input.insert(key.to_owned(), value.into());
    }
    input.insert("content".to_owned(), inside.trim_matches('\n').into());
    Some((Piece::Artifact(input), end))
}

/// Prefixes of lines that replace content an app could not show.
const PLACEHOLDERS: [&str; 3] = [
    "This block is not supported on your current device yet",
    "Viewing artifacts created via the Analysis Tool",
    "Viewing artifacts is not supported on your current device",
];

/// Returns a text without these lines and the fences around them.
pub(super) fn without_placeholders(text: &str) -> String {
    let is_placeholder =
        |line: &str| PLACEHOLDERS.iter().any(|start| line.trim_start().starts_with(start));
    if !PLACEHOLDERS.iter().any(|start| text.contains(start)) {
        return text.to_owned();
    }
    let lines: Vec<&str> = text.lines().collect();
    let is_fence = |at: Option<usize>| {
        let fence = at.and_then(|at| Fence::of(lines.get(at)?.trim()));
        fence.is_some_and(|fence| fence.info.is_empty())
    };
    let mut out: Vec<&str> = Vec::with_capacity(lines.len());
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        if is_placeholder(line) {
            if is_fence(at.checked_sub(1)) && is_fence(Some(at + 1)) {
                out.pop();
                at += 1;
            }
        } else {
            out.push(line);
        }
        at += 1;
    }
    out.join("\n").trim_matches('\n').to_owned()
}

/// URLs inside the sandbox of the model.
const DEAD: [&str; 2] = ["computer://", "sandbox:"];

/// The maximum length of such a URL in bytes.
const MAX_ADDRESS: usize = 4096;

/// Returns a text in which links to sandbox files are replaced by their labels.
pub(super) fn without_dead_links(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("](") {
        if !DEAD.iter().any(|dead| rest[at + 2..].starts_with(dead)) {
            out.push_str(&rest[..at + 2]);
            rest = &rest[at + 2..];
            continue;
        }
        let open = rest[..at].rfind(['[', '\n']).filter(|open| rest[*open..].starts_with('['));
        let near = &rest[at..rest.floor_char_boundary(at + MAX_ADDRESS)];
        let close = near.find([')', '\n']).map(|close| at + close);
        match (open, close.filter(|close| rest[*close..].starts_with(')'))) {
            (Some(open), Some(close)) => {
                let before = rest[..open].strip_suffix('!').unwrap_or(&rest[..open]);
                out.push_str(before);
                out.push_str(&rest[open + 1..at]);
                rest = &rest[close + 1..];
            }
            _ => {
                out.push_str(&rest[..at + 2]);
                rest = &rest[at + 2..];
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::{without_dead_links, without_placeholders};

    #[test]
    fn links_to_the_machine_of_the_model_are_words() {
        for (text, expected) in [
            ("[a](computer:///mnt/x.md) [b](https://b.example)", "a [b](https://b.example)"),
            ("![a](sandbox:/mnt/x.png)!", "a!"),
            ("](computer:// [a](computer://", "](computer:// [a](computer://"),
        ] {
            assert_eq!(without_dead_links(text), expected);
        }
    }

    #[test]
    fn placeholders_go_with_their_fences() {
        let line = "This block is not supported on your current device yet.";
        assert_eq!(without_placeholders(&format!("a\n```\n{line}\n```\nb")), "a\nb");
        assert_eq!(without_placeholders(&format!("{line}\n\nb")), "b");
        assert_eq!(without_placeholders("a\n\n"), "a\n\n");
    }
}
