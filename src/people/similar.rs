//! The report about words that are similar to a name and were kept.

use crate::diag::{Diagnostic, Severity};
use crate::text::plural;

/// The number of such words in the conversations of a source.
#[derive(Clone, Copy, Default)]
pub(super) struct Near {
    count: usize,
    /// The line of the first one, if known.
    line: Option<u32>,
}

impl Near {
    /// Adds the words of a text that starts at a line.
    pub(super) fn found(&mut self, count: usize, line: Option<u32>) {
        self.add(Self { count, line: line.filter(|_| count > 0) });
    }

    pub(super) fn add(&mut self, other: Self) {
        self.count += other.count;
        self.line = self.line.or(other.line);
    }

    /// Returns the diagnostic; `None` if there are no such words.
    pub(super) fn note(self) -> Option<Diagnostic> {
        let words = plural(self.count as u64, "word is", "words are");
        let place = self.line.map(|line| format!(", first in the turn at line {line}"));
        let message =
            format!("{words} similar to a replaced name and kept{}", place.unwrap_or_default());
        let note = Diagnostic::new(Severity::Hint, "near-name", message);
        let note = note.hint(
            "if it means a person, add this spelling to the `names` of that person in \
             `[people]`",
        );
        (self.count > 0).then_some(note)
    }
}
