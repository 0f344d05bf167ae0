//! The text before the first turn: a title and a preface.

use std::ops::Range;

use crate::shared::text::rows::{account_notes, names_account};
use convo_base::diag::Note;
use convo_base::model::Conversation;
use convo_base::text::trim_blank_lines;

/// Reads the text before the first turn: a heading is the title, everything else a preface.
pub(super) fn preface(
    text: &str,
    range: Range<usize>,
    read: &mut Conversation,
    notes: &mut Vec<Note>,
) {
    let (mut before, skipped) = trim_blank_lines(&text[range.clone()]);
    let start = range.start + skipped;
    if let Some((title, rest)) = heading(before) {
        if read.title.is_none() {
            read.title = Some(title.to_owned());
        }
        if read.title.as_deref().is_some_and(|known| known.trim() == title) {
            before = trim_blank_lines(rest).0;
        }
    }
    let shown = without_account(before);
    notes.extend(account_notes(text, range.clone()));
    let before = trim_blank_lines(&shown).0;
    if before.is_empty() {
        return;
    }
    read.preface = before.to_owned();
    // Titles do not need a speaker.
    let (mut rest, mut titles) = (before, true);
    while titles && !rest.is_empty() {
        match heading(rest) {
            Some((_, below)) => rest = trim_blank_lines(below).0,
            None => titles = false,
        }
    }
    if titles {
        return;
    }
    let end = text[start..].find('\n').map_or(range.end, |newline| start + newline);
    let note = Note::warning("preface", start..end, "this text has no speaker");
    notes.push(note.hint("it is shown above the first turn"));
}

/// Returns an introduction without the rows that name the exported account.
fn without_account(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !names_account(line)).collect()
}

/// Splits off the heading at the start of a text: `# Title`, `### Title`, or an underlined line.
fn heading(text: &str) -> Option<(&str, &str)> {
    let (first, below) = text.split_once('\n').unwrap_or((text, ""));
    let marks = first.len() - first.trim_start_matches('#').len();
    let (title, rest) = match marks {
        1..=6 if first[marks..].starts_with(' ') => {
            (first[marks..].trim().trim_end_matches('#').trim_end(), below)
        }
        0 => {
            let (line, rest) = below.split_once('\n').unwrap_or((below, ""));
            let line = line.trim_end();
            let is_line = |sign| line.len() > 2 && line.chars().all(|c| c == sign);
            ((is_line('=') || is_line('-')).then_some(first.trim())?, rest)
        }
        _ => return None,
    };
    (!title.is_empty()).then_some((title, rest))
}
