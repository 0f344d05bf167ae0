//! The locations of values in `site.toml`.

use std::collections::BTreeMap;

use super::toml_file::FILE;
use crate::diag::Location;

/// Locations in `site.toml` by key, which comparisons ignore.
#[derive(Clone, Debug, Default)]
pub struct KeyLocations(pub(super) BTreeMap<String, Location>);

impl KeyLocations {
    /// Returns the location of the value of a key, or the whole file if the key is not set.
    pub fn of(&self, key: &str) -> Location {
        let whole = || Location { file: FILE.to_owned(), span: None };
        self.0.get(key).cloned().unwrap_or_else(whole)
    }
}

impl PartialEq for KeyLocations {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for KeyLocations {}

impl std::hash::Hash for KeyLocations {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}
