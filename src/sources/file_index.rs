//! The files of the content folder by their names.

use std::collections::BTreeMap;
use std::io::Read as _;

use super::assets::AssetTables;
use super::find::ReservedFiles;
use super::rules::Rules;
use crate::diag::{Diagnostic, Severity};
use crate::files::{FileInfo, Files, Stamp};
use crate::hash::{Hash, Hashing};
use crate::path::RelPath;

/// The bytes of a file that are in memory at a time while it is hashed.
const PIECE_BYTES: usize = 1 << 16;

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
    /// Returns the stamp of a file, if it has one.
    pub(super) fn stamp(&self, file: &RelPath) -> Option<Stamp> {
        self.names.get(file.as_str())?.stamp
    }

    /// Returns the hash of a file's bytes, of which few are in memory at a time, and their number.
    pub(super) fn hash(&self, file: &RelPath) -> Result<(Hash, u64), Box<Diagnostic>> {
        let mut reader = self.files.open(file, 0)?;
        let (mut hashing, mut len) = (Hashing::default(), 0);
        let mut piece = vec![0; PIECE_BYTES];
        loop {
            match reader.read(&mut piece) {
                Ok(0) => return Ok((hashing.finish(), len)),
                Ok(count) => {
                    hashing.update(&piece[..count]);
                    len += count as u64;
                }
                Err(cause) => {
                    let message = format!("it cannot be read: {cause}");
                    let note = Diagnostic::new(Severity::Error, "unreadable", message);
                    return Err(Box::new(note.in_file(file.as_str())));
                }
            }
        }
    }

    /// Returns the length of a file in bytes.
    pub(super) fn len(&self, file: &RelPath) -> u64 {
        self.names.get(file.as_str()).map_or(0, |info| info.len)
    }
}
