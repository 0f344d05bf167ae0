//! What the TOML files of a site have in common.

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::diag::{Diagnostic, Lines, Location, Note};

/// The reference configuration, which holds every key with its default, and tables as examples
/// behind a `#`.
pub const REFERENCE: &str = include_str!("../../site.toml");

/// The name of the file of the configuration.
pub(super) const FILE: &str = "site.toml";

/// The hint for any error in what may say which files are private.
pub(super) const NOTHING_WRITTEN: &str =
    "until this is mended nothing is written: it may say what is private";

/// Reads a TOML file of which every key is known.
pub fn parse<T: DeserializeOwned>(path: &str, text: &str) -> Result<T, Box<Diagnostic>> {
    toml::from_str(text).map_err(|error| {
        let at = error.span().unwrap_or(0..0);
        let note = Note::error("bad-toml", at, first_line(error.message()));
        Box::new(note.locate(path, &Lines::new(text)))
    })
}

/// Returns the place of a value in the text of a `site.toml`, by the keys that lead to it; or of
/// its key, where `at_key`. The place of a value that is not there is the file as a whole.
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

/// Returns the first line of what the TOML library says of an error.
pub(super) fn first_line(message: &str) -> String {
    message.lines().next().unwrap_or_default().to_owned()
}
