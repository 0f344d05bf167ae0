//! The files of the content folder by their names.

use std::collections::BTreeMap;

use super::assets::AssetTables;
use super::find::ReservedFiles;
use super::rules::Rules;
use crate::files::{FileInfo, Files};
use crate::path::RelPath;

/// The files of the content folder, to which conversations can refer.
#[derive(Clone, Copy)]
pub(super) struct FileIndex<'a> {
    pub(super) files: &'a dyn Files,
    pub(super) names: &'a BTreeMap<&'a str, &'a FileInfo>,
    /// Files that are read as conversations, or belong to such files.
    pub(super) reserved: &'a ReservedFiles,
    /// Files that conversations name by ids.
    pub(super) assets: &'a AssetTables,
    /// What looks for secrets, and whose names are not to be on the site.
    pub(super) rules: &'a Rules,
}

impl FileIndex<'_> {
    /// Returns the length of a file in bytes.
    pub(super) fn len(&self, file: &RelPath) -> u64 {
        self.names.get(file.as_str()).map_or(0, |info| info.len)
    }
}
