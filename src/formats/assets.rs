//! Files of an export that its conversations name by ids, not by paths.

use std::collections::BTreeMap;

/// The files of one export by the names that its conversations have for them.
#[derive(Hash, Debug, Default)]
pub struct Assets {
    /// The folder in which the files with the conversations stand.
    pub folder: String,
    /// The paths of the files, by their names in the conversations.
    pub files: BTreeMap<String, String>,
    /// What files were called, by the same names.
    pub names: BTreeMap<String, String>,
    /// Files that belong to the export for sure and are never read as conversations.
    pub owned: Vec<String>,
}

impl Assets {
    /// The start of the address of an attachment that is known by such a name.
    pub const SCHEME: &str = "asset:";
    /// The same for a file that few exports have, so that nobody is told where it is missing.
    pub const OPTIONAL: &str = "asset:?";

    /// Returns the path of the file at an address, and what it was called. Of several names, parted
    /// by `|`, the first one that is known counts.
    pub fn find(&self, address: &str) -> Option<(&str, Option<&str>)> {
        let names = address.strip_prefix(Self::SCHEME)?;
        let names = names.strip_prefix('?').unwrap_or(names);
        let known = |name| Some((self.files.get(name)?.as_str(), self.names.get(name)));
        let found = names.split('|').find_map(known);
        found.map(|(path, name)| (path, name.map(String::as_str)))
    }
}
