//! Where values stand in `site.toml`.

use std::collections::BTreeMap;

use super::toml_file::FILE;
use crate::diag::Location;

/// Places in `site.toml` by the names of keys, which change nothing about the site.
#[derive(Clone, Debug, Default)]
pub struct Places(pub(super) BTreeMap<String, Location>);

impl Places {
    /// That of a key's value; the file as a whole where the key is not there.
    pub fn of(&self, key: &str) -> Location {
        let whole = || Location { file: FILE.to_owned(), span: None };
        self.0.get(key).cloned().unwrap_or_else(whole)
    }
}

impl PartialEq for Places {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Places {}

impl std::hash::Hash for Places {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}
