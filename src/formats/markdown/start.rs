//! The lines that open turns.

use std::ops::Range;

use super::line;

/// A line that opens a turn.
#[derive(Clone)]
pub(super) struct Start {
    pub(super) name: String,
    pub(super) line: Range<usize>,
    /// The time before, inside or directly after the name.
    pub(super) offset: Option<String>,
    /// Whether that is certainly a time of a recording.
    pub(super) recorded: bool,
    /// Where the text after the name starts.
    pub(super) text_start: usize,
    /// The end time.
    pub(super) to: Option<String>,
    /// The text in brackets after the name that is not part of it.
    pub(super) aside: Option<String>,
}

impl Start {
    /// Returns the rest of its line.
    pub(super) fn first_line<'a>(&self, text: &'a str) -> &'a str {
        &text[self.text_start.min(self.line.end)..self.line.end]
    }

    /// Returns whether there is a time of a recording beside the name.
    pub(super) fn is_recorded(&self, text: &str) -> bool {
        let behind = line::time(self.first_line(text));
        self.recorded || behind.is_some_and(|time| time.is_recorded())
    }
}
