//! Collects the diagnostics about one file, and merges those that count the same thing.
//!
//! A reader of records sees one record at a time and counts what is not shown of it. Merging turns
//! thousands of such diagnostics into one.

use std::collections::BTreeMap;

use crate::diag::{Counted, Diagnostic, Severity};
use crate::text::plural;

/// The collected diagnostics.
#[derive(Default)]
pub(super) struct Tally {
    notes: Vec<Diagnostic>,
    /// The first diagnostic that counts a thing, by file and key.
    counted: BTreeMap<(Option<String>, Counted, String), usize>,
    /// The first diagnostic with a message, and the number of the others.
    alike: BTreeMap<(&'static str, String), (usize, u64)>,
    /// The number of diagnostics with a code.
    counts: BTreeMap<(&'static str, Severity), u64>,
}

/// The maximum number of diagnostics of one code that are listed individually.
const MAX_PER_CODE: u64 = 1000;

impl Tally {
    /// Adds diagnostics.
    pub(super) fn extend(&mut self, notes: impl IntoIterator<Item = Diagnostic>) {
        for note in notes {
            self.add(note);
        }
    }

    fn add(&mut self, note: Diagnostic) {
        if let Some(count) = &note.count {
            let file = note.at.as_ref().map(|at| at.file.clone());
            let key = (file, count.what, count.key.clone());
            let first = self.counted.get(&key).and_then(|first| self.notes.get_mut(*first));
            if let Some(first) = first.and_then(|note| note.count.as_mut()) {
                first.number += count.number;
                return;
            }
            if self.has_place(&note) {
                self.counted.insert(key, self.notes.len());
                self.notes.push(note);
            }
            return;
        }
        let is_whole = note.at.as_ref().is_none_or(|at| at.span.is_none());
        if is_whole && note.severity != Severity::Error {
            let key = (note.code, note.message.clone());
            if let Some((_, more)) = self.alike.get_mut(&key) {
                *more += 1;
                return;
            }
            self.alike.insert(key, (self.notes.len(), 0));
            self.notes.push(note);
            return;
        }
        if self.has_place(&note) {
            self.notes.push(note);
        }
    }

    /// Returns whether one more diagnostic of a code is listed.
    fn has_place(&mut self, note: &Diagnostic) -> bool {
        let count = self.counts.entry((note.code, note.severity)).or_default();
        *count += 1;
        *count <= MAX_PER_CODE
    }

    /// Returns the collected diagnostics.
    pub(super) fn finish(mut self) -> Vec<Diagnostic> {
        for (first, more) in self.alike.into_values().filter(|(_, more)| *more > 0) {
            let records = plural(more, "more record", "more records");
            self.notes[first].message.push_str(&format!("; same in {records}"));
        }
        for note in &mut self.notes {
            if let Some(count) = note.count.take() {
                note.message = count.message();
            }
        }
        for ((code, severity), count) in self.counts {
            if count > MAX_PER_CODE {
                let notes = plural(count - MAX_PER_CODE, "more note", "more notes");
                let message = format!("{notes} with the code `{code}` (not listed)");
                let note = Diagnostic::new(severity, "more-notes", message);
                let at = self.notes.iter().find(|note| note.code == code);
                let file = at.and_then(|note| Some(note.at.as_ref()?.file.clone()));
                self.notes.push(match file {
                    Some(file) => note.in_file(file),
                    None => note,
                });
            }
        }
        self.notes
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;
    use crate::diag::{Counted, Diagnostic, Lines, Note, Severity};

    #[test]
    fn notes_that_count_the_same_are_added_up() {
        let mut tally = Tally::default();
        let what = Counted::new(Severity::Warning, "unknown-record", "record of", "records of");
        let mut count = |key, number, file| {
            let note = Note::counted(what, key, number, Some(0..1));
            tally.extend([note.locate(file, &Lines::new("text"))]);
        };
        count("a", 1, "a.json");
        count("b", 1, "a.json");
        count("a", 1200, "a.json");
        count("a", 1, "b.json");
        let hint = || Diagnostic::new(Severity::Hint, "half-line", "the last line is not complete");
        tally.extend([hint(), hint(), hint()]);
        let error = || Diagnostic::new(Severity::Error, "bad-json", "invalid JSON");
        tally.extend((0..1002).map(|_| error().in_file("a.json")));
        let found: Vec<String> = tally.finish().into_iter().map(|note| note.message).collect();
        assert_eq!(found.len(), 3 + 1 + 1000 + 1);
        assert_eq!(found[..3], ["1,201 records of `a`", "1 record of `b`", "1 record of `a`"]);
        assert_eq!(found[3], "the last line is not complete; same in 2 more records");
        assert_eq!(found[1004], "2 more notes with the code `bad-json` (not listed)");
    }
}
