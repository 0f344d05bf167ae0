//! Finds where the conversation ends and its metadata begins.

use std::ops::Range;

use convo_base::diag::Note;
use convo_base::json;

/// The two parts of a file, as byte ranges.
#[derive(Debug)]
pub(super) struct Parts {
    pub(super) content: Range<usize>,
    /// A JSON value, possibly invalid, without surrounding white space.
    pub(super) metadata: Range<usize>,
}

/// A line of four or more dashes.
struct Line {
    start: usize,
    /// The start of the next line.
    next: usize,
}

/// Splits a file at the last separator.
///
/// JSON cannot contain a line of dashes, so only the last such line can be followed by just an object.
/// Earlier ones are examined only for error messages.
pub(super) fn split(text: &str) -> Result<Parts, Note> {
    let lines = dash_lines(text);
    let Some(separator) = lines.iter().rev().find(|line| opens_object(text, line)) else {
        return Err(without_object(text, &lines));
    };
    if !follows_blank_line(text, separator.start) {
        let note = Note::error(
            "no-blank-line",
            separator.start..separator.next,
            "no blank line before the separator",
        );
        return Err(note
            .hint("add a blank line above it; otherwise it turns the line above into a heading"));
    }
    let start = text[separator.next..].find('{').map_or(text.len(), |at| separator.next + at);
    let end = text.trim_end().len();
    let metadata = start..end;
    if let Some(object) = first_object(&text[metadata.clone()])
        && object < metadata.len()
    {
        let rest = metadata.start + object;
        let at = rest + text[rest..].find(|c: char| !c.is_whitespace()).unwrap_or(0);
        let line_end = text[at..].find('\n').map_or(end, |newline| at + newline);
        let note = Note::error(
            "text-after-metadata",
            at..line_end,
            "the metadata object must be the last content in the file",
        );
        return Err(note.hint("move this text above the separator"));
    }
    Ok(Parts { content: 0..separator.start, metadata })
}

/// Returns whether a file whose name does not identify it could be a convo file.
pub(super) fn might_have_metadata(text: &str) -> bool {
    dash_lines(text).iter().any(|line| opens_object(text, line))
}

fn dash_lines(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut from = 0;
    while let Some(found) = text[from..].find("----") {
        let at = from + found;
        let next = text[at..].find('\n').map_or(text.len(), |newline| at + newline + 1);
        let begins_line = at == 0 || text.as_bytes()[at - 1] == b'\n';
        if begins_line && text[at..next].trim_end().bytes().all(|byte| byte == b'-') {
            lines.push(Line { start: at, next });
        }
        from = next;
    }
    lines
}

fn opens_object(text: &str, line: &Line) -> bool {
    text[line.next..].trim_start().starts_with('{')
}

fn follows_blank_line(text: &str, at: usize) -> bool {
    let before = text[..at].strip_suffix('\n').unwrap_or_default();
    before.rsplit('\n').next().unwrap_or_default().trim().is_empty()
}

/// Returns the length of the JSON object that `text` starts with, if it is complete.
fn first_object(text: &str) -> Option<usize> {
    let range = json::locate(text, &[]);
    let balanced = text[range.clone()].ends_with('}');
    balanced.then_some(range.end)
}

fn without_object(text: &str, lines: &[Line]) -> Note {
    let hint = "end the file with a line of four dashes and a JSON object with `type`, \
                `time` and `participants`";
    match lines.last() {
        Some(line) => {
            let at = text[line.next..]
                .find(|c: char| !c.is_whitespace())
                .map_or(line.start, |at| line.next + at);
            let end = text[at..].find('\n').map_or(text.len(), |newline| at + newline);
            Note::error("no-metadata", at..end, "no JSON object follows the last separator")
        }
        None => {
            let end = text.trim_end().len();
            Note::error("no-metadata", end..end, "the file ends without a metadata block")
        }
    }
    .hint(hint)
}
