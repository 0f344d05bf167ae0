//! Files of an export that its conversations reference by id instead of by path.

use std::collections::BTreeMap;

/// The files of one export, keyed by the names that its conversations use for them.
#[derive(Hash, Debug, Default)]
pub struct Assets {
    /// The folder of the files with the conversations.
    pub folder: String,
    /// Maps the names used in conversations to file paths.
    pub files: BTreeMap<String, String>,
    /// Maps the same names to the original file names.
    pub names: BTreeMap<String, String>,
    /// Files that certainly belong to the export and are never read as conversations.
    pub owned: Vec<String>,
}

impl Assets {
    /// The prefix of an attachment URL that contains such a name.
    pub const SCHEME: &str = "asset:";
    /// The same for a file that few exports contain; it is not reported if it is missing.
    pub const OPTIONAL: &str = "asset:?";

    /// Returns the path and the original name of the file that a URL refers to. If the URL lists several
    /// names, separated by `|`, the first known one is used.
    pub fn find(&self, address: &str) -> Option<(&str, Option<&str>)> {
        let names = address.strip_prefix(Self::SCHEME)?;
        let names = names.strip_prefix('?').unwrap_or(names);
        let known = |name| Some((self.files.get(name)?.as_str(), self.names.get(name)));
        let found = names.split('|').find_map(known);
        found.map(|(path, name)| (path, name.map(String::as_str)))
    }
}
