//! Rows with facts above a transcript: `**Created:** 4/29/2025 15:03`, `- Model: wren`.

use std::ops::Range;

use convo_base::diag::{Note, Severity};

/// Returns the key and the value of a row.
pub(crate) fn row(line: &str) -> Option<(&str, &str)> {
    let line = line.trim().trim_start_matches(['*', '_', '-', ' ']);
    let (key, value) = line.split_once([':', '：'])?;
    let key = key.trim_end_matches(['*', '_', ' ']);
    let value = value.trim_start_matches(['*', '_', ' ']).trim();
    (!key.is_empty() && key.split_whitespace().count() <= 3).then_some((key, value))
}

/// Returns whether a row names the account that the conversation was exported from:
/// `**User:** Ada (ada@example.org)`.
pub(crate) fn names_account(line: &str) -> bool {
    const KEYS: [&str; 5] = ["user", "account", "email", "e-mail", "exported by"];
    row(line).is_some_and(|(key, value)| {
        KEYS.contains(&key.to_lowercase().as_str()) && value.contains('@')
    })
}

/// Returns a note on each of these rows in a part of a text; none of them is shown.
pub(crate) fn account_notes(text: &str, part: Range<usize>) -> Vec<Note> {
    let mut notes = Vec::new();
    let mut at = part.start;
    for line in text[part].split_inclusive('\n') {
        if names_account(line) {
            let message = "this e-mail address of an account is not published";
            let line = Some(at..at + line.trim_end().len());
            notes.push(Note::new(Severity::Hint, "account-data", line, message));
        }
        at += line.len();
    }
    notes
}
