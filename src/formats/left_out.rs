//! What of a file is not shown, counted, so that it is told once for all of it.

use std::collections::BTreeMap;

use crate::diag::{Note, Severity};
use crate::text::plural;

/// Counts of what is not shown of a file, or only by its name.
#[derive(Default)]
pub(super) struct LeftOut {
    /// By what it is called: one of them, and many.
    counts: BTreeMap<(&'static str, &'static str), u64>,
    /// Records of kinds that nobody knows.
    unknown: BTreeMap<String, u64>,
    /// Files that are named and not in the export.
    missing_files: u64,
}

/// What is said of a conversation in which nobody says anything.
pub(super) const EMPTY: (&str, &str) =
    ("conversation without messages", "conversations without messages");
/// What is said of records that only programs need.
pub(super) const BOOKKEEPING: (&str, &str) = ("record of bookkeeping", "records of bookkeeping");
/// What is said of results without a call.
pub(super) const ORPHANS: (&str, &str) =
    ("result of a call that is not there", "results of calls that are not there");

/// What is said of what came of calls that stand in something private.
pub(super) const OF_PRIVATE: (&str, &str) =
    ("record of a call that is private", "records of calls that are private");
/// What is said of parts that say that they are private.
pub(super) const MARKED: (&str, &str) =
    ("part that is marked as private", "parts that are marked as private");

impl LeftOut {
    /// Counts something by what it is called.
    pub(super) fn count(&mut self, what: (&'static str, &'static str)) {
        self.add(what, 1);
    }

    /// Counts several of them.
    pub(super) fn add(&mut self, what: (&'static str, &'static str), count: u64) {
        if count > 0 {
            *self.counts.entry(what).or_default() += count;
        }
    }

    /// Counts a record of a kind that is not known, in whose place a placeholder stands.
    pub(super) fn unknown(&mut self, kind: &str) {
        *self.unknown.entry(kind.to_owned()).or_default() += 1;
    }

    /// Counts a file that is not in the export.
    pub(super) fn missing_file(&mut self) {
        self.missing_files += 1;
    }

    /// Returns the notes on all of it.
    pub(super) fn notes(self) -> Vec<Note> {
        let mut notes = Vec::new();
        let said = self.counts.into_iter();
        let said: Vec<String> = said.map(|((one, many), count)| plural(count, one, many)).collect();
        if !said.is_empty() {
            let message = format!("not shown: {}", said.join(", "));
            notes.push(Note::new(Severity::Hint, "not-shown", None, message));
        }
        if self.missing_files > 0 {
            let files = plural(self.missing_files, "file is", "files are");
            let message = format!("{files} not in the export, which only names them");
            let note = Note::new(Severity::Hint, "missing-attachment", None, message);
            notes.push(note.hint("a placeholder with its name stands for each"));
        }
        for (kind, count) in self.unknown {
            let records = plural(count, "record", "records");
            let message = format!("{records} of the unknown kind `{kind}`");
            let note = Note::new(Severity::Warning, "unknown-record", None, message);
            notes.push(note.hint("a placeholder stands in its place"));
        }
        notes
    }
}
