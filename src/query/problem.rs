//! Problems of a query: as notes for readers of the search, which ignores what it cannot use, and as
//! errors where every part of a query must be valid.

use super::{FILTER_FIELDS, MAX_CHARACTERS, MAX_CLAUSES};
use crate::locale;
use crate::partial_date::PartialDate;

/// A part of a query that was ignored or reinterpreted.
pub(super) enum Problem<'a> {
    /// The query has too many characters.
    TooLong,
    /// The query has too many parts.
    TooManyClauses,
    /// The closing quotation mark is missing.
    OpenQuote,
    /// No filter has this name. `has_value` is whether a value follows the colon directly.
    UnknownFilter { name: &'a str, has_value: bool },
    /// This part has no letters or digits.
    NoLetters(&'a str),
    /// The filter with this name has no value.
    NoValue(&'a str),
    /// The value of `has:` is unknown.
    UnknownFeature,
    /// The value of the filter with this name is not a date.
    NoDate(&'a str),
}

impl Problem<'_> {
    /// Returns the note for a reader of the search, in English; `None` if what was done instead is
    /// what most readers expect.
    pub(super) fn note(&self) -> Option<String> {
        let fill = |key, name, value: &str| locale::english().fill(key, &[(name, value)]);
        Some(match self {
            Self::TooLong => fill("search.cut_letters", "n", &MAX_CHARACTERS.to_string()),
            Self::TooManyClauses => fill("search.cut_words", "n", &MAX_CLAUSES.to_string()),
            Self::OpenQuote => fill("search.open_quote", "", ""),
            // A colon also ends a word of prose.
            Self::UnknownFilter { has_value: false, .. } => return None,
            Self::UnknownFilter { name, .. } => fill("search.no_filter", "filter", name),
            Self::NoLetters(word) => fill("search.no_letters", "word", word),
            Self::NoValue(field) => fill("search.no_value", "filter", field),
            Self::UnknownFeature => fill("search.has_takes", "", ""),
            Self::NoDate(field) => fill("search.takes_day", "filter", field),
        })
    }

    /// Returns the error for an author.
    pub(super) fn error(&self) -> String {
        match self {
            Self::TooLong => format!("the query has more than {MAX_CHARACTERS} characters"),
            Self::TooManyClauses => format!("the query has more than {MAX_CLAUSES} parts"),
            Self::OpenQuote => "the closing quotation mark is missing".to_owned(),
            Self::UnknownFilter { name, .. } => {
                let known = FILTER_FIELDS.join(", ");
                format!(
                    "unknown filter \"{name}:\"; known filters: {known}, before, after, has (to \
                     search for text with a colon, put it in quotation marks)"
                )
            }
            Self::NoLetters(word) => format!("`{word}` has no letters or digits"),
            Self::NoValue(field) => format!("`{field}:` needs a value, directly after the colon"),
            Self::UnknownFeature => "expected `has:code` or `has:tool`".to_owned(),
            Self::NoDate(field) => format!("`{field}:`: {}", PartialDate::EXPECTED),
        }
    }
}
