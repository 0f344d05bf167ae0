//! Bytes as text, with a note on everything that is not plain UTF-8 with `\n` line ends.

use std::ops::Range;

use crate::diag::{Note, Severity};

/// Files longer than this are read, and remarked upon. Bytes.
const LARGE_FILE: usize = 10_000_000;
/// Lines longer than this are read, and remarked upon. Bytes.
const LONG_LINE: usize = 1_000_000;

/// Decodes a file: byte-order marks go, line ends become `\n`, and what cannot stand in a
/// page (invalid bytes, NUL) becomes U+FFFD.
pub(super) fn decode(bytes: &[u8]) -> (String, Vec<Note>) {
    let mut notes = Vec::new();
    let text = match bytes {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes, &mut notes),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes, &mut notes),
        [0xef, 0xbb, 0xbf, rest @ ..] => {
            notes.push(Note::new(
                Severity::Hint,
                "byte-order-mark",
                Some(0..0),
                "the file starts with a byte-order mark, which was skipped",
            ));
            utf8(rest, &mut notes)
        }
        bytes => utf8(bytes, &mut notes),
    };
    let text = unify_line_ends(text, &mut notes);
    let text = replace_nul(text, &mut notes);
    remark_on_size(&text, &mut notes);
    (text, notes)
}

fn utf8(bytes: &[u8], notes: &mut Vec<Note>) -> String {
    let mut text = String::with_capacity(bytes.len());
    let mut first = None;
    let mut count = 0usize;
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            first.get_or_insert(text.len()..text.len() + 3);
            count += 1;
            text.push('\u{fffd}');
        }
    }
    if let Some(first) = first {
        notes.push(invalid_bytes("UTF-8", count, first));
    }
    text
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16, notes: &mut Vec<Note>) -> String {
    notes.push(
        Note::warning("utf-16", 0..0, "the file is UTF-16; it was read as such")
            .hint("save it as UTF-8"),
    );
    let mut text = String::with_capacity(bytes.len());
    let mut first = None;
    let mut count = 0usize;
    let units = bytes.chunks(2).map(|pair| unit([pair[0], *pair.get(1).unwrap_or(&0)]));
    for decoded in char::decode_utf16(units) {
        let c = decoded.unwrap_or_else(|_| {
            first.get_or_insert(text.len()..text.len() + 3);
            count += 1;
            '\u{fffd}'
        });
        text.push(c);
    }
    if let Some(first) = first {
        notes.push(invalid_bytes("UTF-16", count, first));
    }
    text
}

fn invalid_bytes(encoding: &str, count: usize, first: Range<usize>) -> Note {
    let places = crate::text::plural(count as u64, "place", "places");
    let message = format!("invalid {encoding} in {places}, replaced by U+FFFD");
    Note::warning("invalid-encoding", first, message).hint("save the file as UTF-8")
}

fn unify_line_ends(text: String, notes: &mut Vec<Note>) -> String {
    let Some(first) = text.find('\r') else { return text };
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    notes.push(Note::new(
        Severity::Hint,
        "carriage-return",
        Some(first..first),
        "lines end in a carriage return, which was read as a line end",
    ));
    text
}

fn replace_nul(text: String, notes: &mut Vec<Note>) -> String {
    let Some(first) = text.find('\0') else { return text };
    let count = crate::text::plural(text.matches('\0').count() as u64, "byte", "bytes");
    notes.push(
        Note::warning("nul", first..first, format!("NUL {count} replaced by U+FFFD"))
            .hint("remove them: no page can hold a NUL"),
    );
    text.replace('\0', "\u{fffd}")
}

fn remark_on_size(text: &str, notes: &mut Vec<Note>) {
    if text.len() > LARGE_FILE {
        let size = crate::text::bytes(text.len() as u64);
        notes.push(
            Note::new(
                Severity::Warning,
                "large-file",
                None,
                format!(
                    "the file has {size}; a conversation file should not exceed 10 MB"
                ),
            )
            .hint("readers will wait for its page; consider splitting it"),
        );
    }
    if text.len() > LONG_LINE {
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            if line.len() > LONG_LINE {
                let size = crate::text::bytes(line.len() as u64);
                let message = format!("a line of {size}");
                notes.push(Note::warning("long-line", start..start, message));
            }
            start += line.len();
        }
    }
}
