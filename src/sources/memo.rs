//! The cache of sources that were read before. An entry is good as long as the bytes of its source,
//! and everything in other files on which it depends, are as they were.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::ingest::Contents;
use super::part_reader::PartReader;
use super::references::FileIndex;
use super::source::Source;
use crate::files::Stamp;
use crate::hash::Hash;
use crate::path::RelPath;

/// The cache of sources: what reading them gave, kept for the next build.
#[derive(Default)]
pub struct Memo {
    now: Mutex<Table>,
    /// The table at the start.
    first: Table,
}

/// Cached sources that were read with the same settings.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Table {
    settings: Option<Hash>,
    by_source: HashMap<Hash, Arc<CachedSource>>,
}

impl Memo {
    /// Creates a cache that starts with a table of an earlier build.
    pub fn new(table: Table) -> Self {
        Self { now: Mutex::new(table.clone()), first: table }
    }

    /// Returns the table, if it is not the one at the start.
    pub fn changed(&self) -> Option<Table> {
        Some(self.table()).filter(|table| !table.is_same_as(&self.first))
    }

    fn table(&self) -> Table {
        self.now.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the table if it was made with these settings, else an empty one.
    pub(super) fn table_for(&self, settings: Hash) -> Table {
        let table = self.table();
        if table.settings == Some(settings) { table } else { Table::default() }
    }

    /// Replaces the table by these sources.
    pub(super) fn replace(
        &self,
        settings: Hash,
        read: impl Iterator<Item = (Hash, Arc<CachedSource>)>,
    ) {
        let table = Table { settings: Some(settings), by_source: read.collect() };
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) = table;
    }
}

impl Table {
    /// Returns whether both tables hold the same cached sources.
    fn is_same_as(&self, other: &Self) -> bool {
        self.settings == other.settings
            && self.by_source.len() == other.by_source.len()
            && self.by_source.iter().all(|(key, known)| {
                other.by_source.get(key).is_some_and(|other| Arc::ptr_eq(known, other))
            })
    }

    /// Returns what `source` gave the last time, if it would give the same now.
    pub(super) fn get(
        &self,
        index: FileIndex<'_>,
        source: &Source,
    ) -> Option<Arc<CachedSource>> {
        let known = self.by_source.get(&Hash::of(source))?;
        if !known.dependencies.iter().all(|dependency| dependency.is_unchanged(index)) {
            return None;
        }
        let stamps = stamps(index, source);
        if stamps.is_some() && stamps == known.stamps {
            return Some(known.clone());
        }
        if content(index, source)? != known.content {
            return None;
        }
        if stamps == known.stamps {
            return Some(known.clone());
        }
        Some(Arc::new(CachedSource { stamps, ..CachedSource::clone(known) }))
    }
}

/// A cached source: what reading it gave, and all on which this depends.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct CachedSource {
    stamps: Option<Vec<Stamp>>,
    content: Hash,
    dependencies: Vec<Dependency>,
    pub(super) contents: Arc<Contents>,
}

impl CachedSource {
    /// `parts` are the hashes of the source's parts.
    pub(super) fn new(
        index: FileIndex<'_>,
        source: &Source,
        parts: &[Hash],
        dependencies: Vec<Dependency>,
        contents: Contents,
    ) -> Self {
        Self {
            stamps: stamps(index, source),
            content: Hash::of(parts),
            dependencies,
            contents: Arc::new(contents),
        }
    }
}

/// Returns the stamps of the files of a source, if each has one.
fn stamps(index: FileIndex<'_>, source: &Source) -> Option<Vec<Stamp>> {
    let stamp = |file: &RelPath| index.names.get(file.as_str())?.stamp;
    source.files.iter().map(stamp).collect()
}

/// Hashes the bytes of a source, of which few are in memory at a time.
fn content(index: FileIndex<'_>, source: &Source) -> Option<Hash> {
    let mut source = source.clone();
    let mut parts =
        PartReader::new(index.files, &|file| index.len(file), &mut source).ok()?;
    let mut hashes = Vec::new();
    while let Some(part) = parts.next() {
        hashes.push(part.ok()?.0.hash);
    }
    Some(Hash::of(&hashes[..]))
}

/// A dependency on another file, as it was when the source was read.
#[derive(Clone, Serialize, Deserialize)]
pub(super) enum Dependency {
    /// Whether there is such a file.
    Exists(RelPath, bool),
    /// Whether it holds conversations, or belongs to those that do.
    Reserved(RelPath, bool),
    /// The files that the conversations of a file name by ids.
    Assets(RelPath, Option<Hash>),
    /// Its bytes; no hash when it could not be read.
    Bytes(RelPath, Option<Stamp>, Option<Hash>),
}

impl Dependency {
    fn is_unchanged(&self, index: FileIndex<'_>) -> bool {
        match self {
            Self::Exists(file, exists) => {
                index.names.contains_key(file.as_str()) == *exists
            }
            Self::Reserved(file, reserved) => {
                index.reserved.0.contains(file.as_str()) == *reserved
            }
            Self::Assets(file, hash) => {
                index.assets.of(file).map(|(_, hash)| *hash) == *hash
            }
            Self::Bytes(file, stamp, hash) => {
                let now = index.names.get(file.as_str()).and_then(|info| info.stamp);
                now.is_some() && now == *stamp
                    || hash.is_some()
                        && index.files.read(file).ok().map(|bytes| Hash::of_bytes(&bytes))
                            == *hash
            }
        }
    }
}
