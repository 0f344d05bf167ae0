//! Helpers for the TOML files of a site.

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::diag::{Diagnostic, Lines, Location, Note};

/// The reference configuration, with every key and its default, and tables as commented examples.
pub const REFERENCE: &str = include_str!("../../site.toml");

/// The name of the configuration file.
pub(super) const FILE: &str = "site.toml";

/// The hint for errors in settings that may decide which files are private.
pub(super) const NOTHING_WRITTEN: &str =
    "nothing is written until this is fixed, because it may control what is private";

/// Parses a TOML file; unknown keys are errors if `T` denies them.
pub fn parse<T: DeserializeOwned>(path: &str, text: &str) -> Result<T, Box<Diagnostic>> {
    toml::from_str(text).map_err(|error| {
        let at = error.span().unwrap_or(0..0);
        let note = Note::error("bad-toml", at, first_line(error.message()));
        Box::new(note.locate(path, &Lines::new(text)))
    })
}

/// Returns the location of a value in the text of a `site.toml`, by its path of keys, or of its key if `at_key`. For
/// a missing value, returns the whole file.
pub fn place_of(text: &str, keys: &[&str], at_key: bool) -> Location {
    let table = DeTable::parse(text);
    let mut table = table.as_ref().ok().map(Spanned::get_ref);
    let mut found = None;
    for key in keys {
        let pair = table.and_then(|table| table.get_key_value(*key));
        found = pair.map(|(key, value)| if at_key { key.span() } else { value.span() });
        table = pair.and_then(|(_, value)| match value.get_ref() {
            DeValue::Table(inner) => Some(inner),
            _ => None,
        });
    }
    let span = found.map(|range| Lines::new(text).span(range));
    Location { file: FILE.to_owned(), span }
}

/// Returns the first line of an error message of the TOML library, in the words of the manual.
pub(super) fn first_line(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default();
    line.replace("unknown variant", "unknown value")
        .replace("unknown field", "unknown key")
        .replace("missing field", "missing key")
}
