//! Texts of `site.toml` with their places there.

use std::cmp::Ordering;
use std::ops::Range;

use serde::Deserialize;

use super::toml_file::FILE;
use crate::diag::{Lines, Location};

/// A text of `site.toml`, and its place there, which changes nothing about it.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "String")]
pub struct Placed {
    /// The text.
    pub text: String,
    /// The place, for a text that was read.
    pub at: Option<Location>,
}

impl From<String> for Placed {
    fn from(text: String) -> Self {
        Self { text, at: None }
    }
}

impl Placed {
    /// Sets its place to that of a value in `site.toml`.
    pub(super) fn at(self, range: Range<usize>, lines: &Lines<'_>) -> Self {
        let span = Some(lines.span(range));
        Self { at: Some(Location { file: FILE.to_owned(), span }), ..self }
    }
}

impl PartialEq for Placed {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Placed {}

impl PartialOrd for Placed {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Placed {
    fn cmp(&self, other: &Self) -> Ordering {
        self.text.cmp(&other.text)
    }
}

impl std::hash::Hash for Placed {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}
