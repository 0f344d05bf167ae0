//! The lines that open turns.

use std::ops::Range;

use super::line;

/// A line that opens a turn.
#[derive(Clone)]
pub(super) struct Start {
    pub(super) name: String,
    pub(super) line: Range<usize>,
    /// The time before, in or right behind the name.
    pub(super) offset: Option<String>,
    /// Whether that is the time of a recording for sure.
    pub(super) recorded: bool,
    /// Where the text behind the name starts.
    pub(super) said: usize,
    /// The time at which it ends.
    pub(super) to: Option<String>,
    /// What stands in brackets behind the name and is no part of it.
    pub(super) aside: Option<String>,
}

impl Start {
    /// Returns the rest of its line.
    pub(super) fn first_line<'a>(&self, text: &'a str) -> &'a str {
        &text[self.said.min(self.line.end)..self.line.end]
    }

    /// Returns whether the time of a recording stands beside the name.
    pub(super) fn is_recorded(&self, text: &str) -> bool {
        let behind = line::time(self.first_line(text));
        self.recorded || behind.is_some_and(|time| time.is_recorded())
    }
}
