//! An index of the files of the content folder.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::ops::Bound;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::diag::{Diagnostic, Severity};
use crate::files::{FileInfo, Files, Stamp};
use crate::hash::{Hash, Hashing};
use crate::path::RelPath;
use crate::sources::find::ReservedFiles;
use crate::sources::find::assets::AssetTables;
use crate::sources::find::rules::Rules;
use crate::sources::find::stored_paths::{PathId, PathTable};

/// The files of the content folder that conversations can refer to.
#[derive(Clone, Copy)]
pub(crate) struct FileIndex<'a> {
    pub(crate) files: &'a dyn Files,
    pub(crate) names: &'a BTreeMap<&'a str, &'a FileInfo>,
    /// The same files, by their ids in the cache.
    pub(crate) paths: &'a Arc<PathTable>,
    /// Files that are read as conversations, or belong to such files.
    pub(crate) reserved: &'a ReservedFiles,
    /// Files that conversations refer to by id.
    pub(crate) assets: &'a AssetTables,
    /// The rules, for finding secrets and hidden names.
    pub(crate) rules: &'a Rules,
    pub(crate) hashes: &'a FileHashes,
}

/// The hash of a file's bytes, and its length.
type Hashed = Result<(Hash, u64), Box<Diagnostic>>;

/// The hashes of files. Each file is read once per build, however many conversations refer to it.
#[derive(Default)]
pub(crate) struct FileHashes(Mutex<HashMap<RelPath, Arc<OnceLock<Hashed>>>>);

impl<'a> FileIndex<'a> {
    /// Returns the files whose names are this path followed by a dot and more.
    pub(crate) fn files_with_prefix(&self, stem: &str) -> Vec<&'a str> {
        let start = format!("{stem}.");
        let from = (Bound::Included(start.as_str()), Bound::Unbounded);
        let names = self.names.range::<str, _>(from).map(|(name, _)| *name);
        names.take_while(|name| name.starts_with(&start)).collect()
    }

    /// Returns the id of a path in the cache.
    pub(crate) fn id(&self, path: &RelPath) -> PathId {
        self.paths.key.id(path)
    }

    /// Hashes names with the key for paths.
    pub(super) fn hash_of_names(&self, names: &[&str]) -> Hash {
        Hash::of(&(self.paths.key.0, names))
    }

    /// Returns the stamp of a file, if it has one.
    pub(crate) fn stamp(&self, file: &RelPath) -> Option<Stamp> {
        self.names.get(file.as_str())?.stamp
    }

    /// Returns the hash and the length of a file, reading a few bytes at a time.
    pub(crate) fn hash(&self, file: &RelPath) -> Hashed {
        let mut hashes = self.hashes.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = hashes.entry(file.clone()).or_default().clone();
        drop(hashes);
        known.get_or_init(|| self.read_hash(file)).clone()
    }

    fn read_hash(&self, file: &RelPath) -> Hashed {
        let mut reader = self.files.open(file, 0)?;
        let mut hashing = Hashing::default();
        let len = io::copy(&mut reader, &mut hashing).map_err(|cause| {
            let message = format!("cannot be read: {cause}");
            let note = Diagnostic::new(Severity::Error, "unreadable", message);
            note.in_file(file.as_str())
        })?;
        Ok((hashing.finish(), len))
    }

    /// Returns the length of a file in bytes.
    pub(crate) fn len(&self, file: &RelPath) -> u64 {
        self.names.get(file.as_str()).map_or(0, |info| info.len)
    }
}
