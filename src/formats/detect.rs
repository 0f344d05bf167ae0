//! Detects the format of a file.

use super::extensions::may_hold_conversations;
use super::format::{Claim, Format, Read};
use super::probe::Probe;
use super::{ALL, PAGE, page, sniff};
use crate::shared::text::decode;
use convo_base::diag::{Note, Severity};

/// The number of bytes of a long JSON file from which its format is detected.
pub const DETECT_BYTES: usize = 256 << 10;

/// The number of blank bytes at the start of a file that formats look at. Each format looks for the first
/// word, and a file may begin with megabytes of spaces.
const BLANK_BYTES: usize = 4 << 10;

/// Returns whether a text starts like JSON.
pub fn opens_json(text: &str) -> bool {
    sniff::opens_json(text)
}

/// Detects the format of a file from its name and text, with notes on doubtful cases. For long JSON files
/// the beginning is enough.
pub fn detect(name: &str, text: &str) -> (Option<&'static Format>, Vec<Note>) {
    let blank = text.len() - text.trim_start().len();
    let text = &text[text.floor_char_boundary(blank.saturating_sub(BLANK_BYTES))..];
    let text = match text.len() > DETECT_BYTES && opens_json(text) {
        true => &text[..text.floor_char_boundary(DETECT_BYTES)],
        false => text,
    };
    if page::is_marked_as_page(name, text) {
        return (Some(PAGE), Vec::new());
    }
    let probe = Probe::new(name, text);
    let mut best: Vec<(&'static Format, u8)> = Vec::new();
    let mut almost = Vec::new();
    for format in ALL {
        let Some(read) = &format.read else { continue };
        let claim = (read.claims)(&probe);
        let certainty = claim.certainty();
        if let Claim::Almost(note) = claim {
            almost.push(note);
        }
        if certainty > 0 && best.first().is_none_or(|(_, known)| certainty >= *known) {
            best.retain(|(_, known)| *known == certainty);
            best.push((format, certainty));
        }
    }
    let Some((format, certainty)) = best.first() else { return (None, almost) };
    // The keys of another program's export are stronger evidence than a matching shape.
    if *certainty < Claim::Signature.certainty() && sniff::exporter(name, text).is_some() {
        return (None, almost);
    }
    let mut notes = Vec::new();
    if let Some((other, _)) = best.get(1) {
        let message = format!(
            "this file could be `{}` or `{}`; it was read as `{}`",
            format.name, other.name, format.name
        );
        let note = Note::new(Severity::Warning, "ambiguous-format", None, message);
        notes.push(note.hint("set `format` for it in a `[[source]]` of site.toml"));
    }
    (Some(format), notes)
}

/// Returns whether a file looks as if it were in a format.
pub(super) fn is_claimed(format: &Format, name: &str, text: &str) -> bool {
    let certainty = |read: &Read| (read.claims)(&Probe::new(name, text)).certainty();
    format.read.as_ref().is_some_and(|read| certainty(read) > 0)
}

/// Returns whether a file contains conversations or looks as if it does, including exports that convo-site
/// cannot read.
pub fn seems_a_conversation(name: &str, bytes: &[u8]) -> bool {
    let (text, _) = decode::decode(bytes.to_vec());
    let (format, almost) = detect(name, &text);
    format.is_some() || !almost.is_empty() || sniff::exporter(name, &text).is_some()
}

/// Returns whether a text contains conversations or is part of an export, whatever its file name.
pub fn holds_conversations(name: &str, text: &str) -> bool {
    // Captions belong to videos.
    let is_captions = [".vtt", ".srt"].iter().any(|extension| name.ends_with(extension));
    if may_hold_conversations(name) && !is_captions {
        let (format, almost) = detect(name, text);
        if format.is_some() || !almost.is_empty() {
            return true;
        }
    }
    // Code may contain lines that look like turns.
    let is_code = sniff::is_code(name);
    let others: &[&str] = if is_code { &["a.json"] } else { &["a.json", "a.md"] };
    let is_read = |name: &&str| detect(name, text).0.is_some();
    others.iter().any(is_read) || sniff::is_export(name, text)
}
