//! What of a file is not shown, counted.

use std::collections::BTreeMap;

use crate::diag::{Note, Severity};
use crate::text::plural;

/// Counts of what is not shown of a file, or only by its name.
#[derive(Default)]
pub(super) struct Tally {
    /// Results of calls that are nowhere.
    pub(super) orphans: u64,
    /// Parts of messages that somebody marked as private.
    pub(super) marked: u64,
    /// Blocks that are bookkeeping of the program.
    pub(super) bookkeeping: u64,
    /// Conversations in which nobody says anything.
    pub(super) empty: u64,
    /// Files that are named and not in the export.
    pub(super) missing_files: u64,
    /// Kinds of blocks that nobody knows.
    unknown: BTreeMap<String, u64>,
}

impl Tally {
    /// Counts a block of a kind that is not known.
    pub(super) fn unknown(&mut self, kind: &str) {
        *self.unknown.entry(kind.to_owned()).or_default() += 1;
    }

    /// Returns the notes on all of it.
    pub(super) fn notes(self) -> Vec<Note> {
        let mut notes = Vec::new();
        let left_out: Vec<String> = [
            (
                self.orphans,
                "result of a call that is not there",
                "results of calls that are not there",
            ),
            (self.marked, "part that is marked as private", "parts that are marked as private"),
            (self.bookkeeping, "record of bookkeeping", "records of bookkeeping"),
            (self.empty, "conversation without messages", "conversations without messages"),
        ]
        .into_iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, one, many)| plural(count, one, many))
        .collect();
        if !left_out.is_empty() {
            let message = format!("not shown: {}", left_out.join(", "));
            notes.push(Note::new(Severity::Hint, "not-shown", None, message));
        }
        if self.missing_files > 0 {
            let files = plural(self.missing_files, "file is", "files are");
            let message = format!("{files} not in the export, as Claude leaves files out");
            let note = Note::new(Severity::Hint, "missing-attachment", None, message);
            notes.push(note.hint("a placeholder with its name stands for each"));
        }
        for (kind, count) in self.unknown {
            let times = plural(count, "block", "blocks");
            let message = format!("{times} of the unknown kind `{kind}`");
            let note = Note::new(Severity::Warning, "unknown-record", None, message);
            notes.push(note.hint("a placeholder stands in its place"));
        }
        notes
    }
}
