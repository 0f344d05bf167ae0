//! Texts of `site.toml` with their locations.

use std::cmp::Ordering;
use std::ops::Range;

use serde::Deserialize;

use super::toml_file::FILE;
use crate::diag::{Lines, Location};

/// A text of `site.toml` with its location, which comparisons ignore.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "String")]
pub struct LocatedText {
    /// The text.
    pub text: String,
    /// The location, if the text was read from a file.
    pub at: Option<Location>,
}

impl From<String> for LocatedText {
    fn from(text: String) -> Self {
        Self { text, at: None }
    }
}

impl LocatedText {
    /// Sets the location to a range of `site.toml`.
    pub(super) fn at(self, range: Range<usize>, lines: &Lines<'_>) -> Self {
        let span = Some(lines.span(range));
        Self { at: Some(Location { file: FILE.to_owned(), span }), ..self }
    }
}

impl PartialEq for LocatedText {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for LocatedText {}

impl PartialOrd for LocatedText {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for LocatedText {
    fn cmp(&self, other: &Self) -> Ordering {
        self.text.cmp(&other.text)
    }
}

impl std::hash::Hash for LocatedText {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}
