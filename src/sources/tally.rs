//! The notes on the records of one file, of which those that say the same are told once.
//!
//! A reader of records sees one of them at a time and tells how much of that it does not show. Of a
//! file of thousands that is one note.

use std::collections::BTreeMap;

use crate::diag::{Diagnostic, Severity};
use crate::text::plural;

/// Notes while they are counted.
#[derive(Default)]
pub(super) struct Tally {
    notes: Vec<Diagnostic>,
    /// The place of the first of those that say the same, and the number of the others.
    alike: BTreeMap<(&'static str, String), (usize, u64)>,
    /// The number of notes with a code.
    counts: BTreeMap<(&'static str, Severity), u64>,
}

/// Codes of notes that count what is in a record.
const COUNTED: [&str; 3] = ["account-data", "not-shown", "unknown-record"];
/// The most notes of one code that are listed one by one.
const MAX_PER_CODE: u64 = 1000;

impl Tally {
    /// Adds notes.
    pub(super) fn extend(&mut self, notes: impl IntoIterator<Item = Diagnostic>) {
        for note in notes {
            self.add(note);
        }
    }

    fn add(&mut self, note: Diagnostic) {
        let is_whole = note.at.as_ref().is_none_or(|at| at.span.is_none());
        if COUNTED.contains(&note.code) || is_whole && note.severity != Severity::Error {
            let key = (note.code, without_numbers(&note.message));
            if let Some((_, more)) = self.alike.get_mut(&key) {
                *more += 1;
                return;
            }
            self.alike.insert(key, (self.notes.len(), 0));
            self.notes.push(note);
            return;
        }
        let count = self.counts.entry((note.code, note.severity)).or_default();
        *count += 1;
        if *count <= MAX_PER_CODE {
            self.notes.push(note);
        }
    }

    /// Returns the notes.
    pub(super) fn finish(mut self) -> Vec<Diagnostic> {
        for (first, more) in self.alike.into_values().filter(|(_, more)| *more > 0) {
            let records = plural(more, "more record", "more records");
            self.notes[first].message.push_str(&format!("; alike in {records}"));
        }
        for ((code, severity), count) in self.counts {
            if count > MAX_PER_CODE {
                let places = plural(count - MAX_PER_CODE, "more place", "more places");
                let message = format!("`{code}` is to be said of {places}");
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

/// Returns a message without its numbers and the endings that go with them.
fn without_numbers(message: &str) -> String {
    let words = message.split_whitespace().map(|word| {
        let word = word.trim_end_matches('s');
        match word {
            "is" | "are" | "i" => "be",
            word => word,
        }
    });
    let mut text: String = words.collect::<Vec<_>>().join(" ");
    text.retain(|c| !c.is_ascii_digit() && c != ',' && c != '.');
    text
}

#[cfg(test)]
mod tests {
    use super::Tally;
    use crate::diag::{Diagnostic, Severity};

    #[test]
    fn what_says_the_same_is_told_once() {
        let mut tally = Tally::default();
        for count in ["1 record is", "2 records are", "1,200 records are"] {
            let message = format!("{count} not shown");
            tally.extend([Diagnostic::new(Severity::Hint, "not-shown", message)]);
        }
        let error = || Diagnostic::new(Severity::Error, "bad-json", "this is no JSON");
        tally.extend((0..1002).map(|_| error().in_file("a.json")));
        let told: Vec<String> = tally.finish().into_iter().map(|note| note.message).collect();
        assert_eq!(told.len(), 1 + 1000 + 1);
        assert_eq!(told[0], "1 record is not shown; alike in 2 more records");
        assert_eq!(told[1001], "`bad-json` is to be said of 2 more places");
    }
}
