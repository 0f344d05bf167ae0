//! What was read before. A head is good as long as its source's bytes, and the answers to
//! everything that was asked of other files for it, are what they were.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::Contents;
use super::references::Folder;
use super::source::{Parts, Source};
use crate::files::Stamp;
use crate::hash::Hash;
use crate::path::RelPath;

/// The heads of sources by what was read before, for the next time.
#[derive(Default)]
pub struct Memo {
    now: Mutex<Table>,
    /// What was known at first.
    first: Table,
}

/// The heads of sources that were read with the same settings.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Table {
    settings: Option<Hash>,
    by_source: HashMap<Hash, Arc<Remembered>>,
}

impl Memo {
    /// What was remembered earlier.
    pub fn new(table: Table) -> Self {
        Self { now: Mutex::new(table.clone()), first: table }
    }

    /// What is remembered now, if that is not what was remembered at first.
    pub fn changed(&self) -> Option<Table> {
        Some(self.table()).filter(|table| !table.is(&self.first))
    }

    fn table(&self) -> Table {
        self.now.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What is remembered of reading with these settings.
    pub(super) fn recall(&self, settings: Hash) -> Table {
        let table = self.table();
        if table.settings == Some(settings) { table } else { Table::default() }
    }

    /// Remembers what was read, and nothing else.
    pub(super) fn replace(
        &self,
        settings: Hash,
        read: impl Iterator<Item = (Hash, Arc<Remembered>)>,
    ) {
        let table = Table { settings: Some(settings), by_source: read.collect() };
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) = table;
    }
}

impl Table {
    /// Whether both say the same.
    fn is(&self, other: &Self) -> bool {
        self.settings == other.settings
            && self.by_source.len() == other.by_source.len()
            && self.by_source.iter().all(|(key, known)| {
                other.by_source.get(key).is_some_and(|other| Arc::ptr_eq(known, other))
            })
    }

    /// What `source` gave the last time, if it would give the same now.
    pub(super) fn get(
        &self,
        folder: Folder<'_>,
        source: &Source,
    ) -> Option<Arc<Remembered>> {
        let known = self.by_source.get(&Hash::of(source))?;
        if !known.asked.iter().all(|asked| asked.is_still_so(folder)) {
            return None;
        }
        let stamps = stamps(folder, source);
        if stamps.is_some() && stamps == known.stamps {
            return Some(known.clone());
        }
        if content(folder, source)? != known.content {
            return None;
        }
        if stamps == known.stamps {
            return Some(known.clone());
        }
        Some(Arc::new(Remembered { stamps, ..Remembered::clone(known) }))
    }
}

/// What reading a source gave, and all that this depended on.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Remembered {
    stamps: Option<Vec<Stamp>>,
    content: Hash,
    asked: Vec<Asked>,
    pub(super) contents: Arc<Contents>,
}

impl Remembered {
    /// `parts` are the hashes of the source's parts.
    pub(super) fn new(
        folder: Folder<'_>,
        source: &Source,
        parts: &[Hash],
        asked: Vec<Asked>,
        contents: Contents,
    ) -> Self {
        Self {
            stamps: stamps(folder, source),
            content: Hash::of(parts),
            asked,
            contents: Arc::new(contents),
        }
    }
}

/// The stamps of a source's files, if each has one.
fn stamps(folder: Folder<'_>, source: &Source) -> Option<Vec<Stamp>> {
    let stamp = |file: &RelPath| folder.names.get(file.as_str())?.stamp;
    source.files.iter().map(stamp).collect()
}

/// The hash of a source's bytes, of which few are in memory at a time.
fn content(folder: Folder<'_>, source: &Source) -> Option<Hash> {
    let mut source = source.clone();
    let mut parts =
        Parts::new(folder.files, &|file| folder.len(file), &mut source).ok()?;
    let mut hashes = Vec::new();
    while let Some(part) = parts.next() {
        hashes.push(part.ok()?.0.hash);
    }
    Some(Hash::of(&hashes[..]))
}

/// Something that was asked of another file, and the answer.
#[derive(Clone, Serialize, Deserialize)]
pub(super) enum Asked {
    /// Whether there is such a file.
    Exists(RelPath, bool),
    /// Whether it holds conversations, or belongs to those that do.
    Closed(RelPath, bool),
    /// Its bytes; no hash when it could not be read.
    Bytes(RelPath, Option<Stamp>, Option<Hash>),
}

impl Asked {
    fn is_still_so(&self, folder: Folder<'_>) -> bool {
        match self {
            Self::Exists(file, exists) => {
                folder.names.contains_key(file.as_str()) == *exists
            }
            Self::Closed(file, closed) => {
                folder.closed.0.contains(file.as_str()) == *closed
            }
            Self::Bytes(file, stamp, hash) => {
                let now = folder.names.get(file.as_str()).and_then(|info| info.stamp);
                now.is_some() && now == *stamp
                    || hash.is_some()
                        && folder
                            .files
                            .read(file)
                            .ok()
                            .map(|bytes| Hash::of_bytes(&bytes))
                            == *hash
            }
        }
    }
}
