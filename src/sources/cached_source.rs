//! Sources that were read before. What one gave holds as long as its bytes, and everything in other
//! files on which it depends, are as they were.

use std::sync::Arc;

use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::contents::Contents;
use super::dependency::Dependency;
use super::entry::Entry;
use super::file_index::FileIndex;
use super::part_reader::PartReader;
use super::reason::Release;
use super::source::Source;
use super::stored_paths::{PathKey, PathTable, pack, unpack};
use crate::cache::{Cache, Cached};
use crate::files::Stamp;
use crate::hash::Hash;

/// The cache of sources, by the hash of their names and of the settings with which they were read.
pub type SourceCache = Cache<StoredSource>;

/// A cached source as the cache holds it: none of its paths leaves the process.
#[derive(Clone)]
pub enum StoredSource {
    /// One of this build, with the key of its paths.
    Read(Arc<CachedSource>, PathKey),
    /// One of an earlier build that nobody asked for yet.
    Packed(Arc<[u8]>),
}

impl Serialize for StoredSource {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Read(read, key) => {
                let packed =
                    pack(*key, &**read).ok_or_else(|| S::Error::custom("cannot pack a source"))?;
                to.serialize_bytes(&packed)
            }
            Self::Packed(packed) => to.serialize_bytes(packed),
        }
    }
}

impl<'de> Deserialize<'de> for StoredSource {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        <&[u8]>::deserialize(from).map(|packed| Self::Packed(packed.into()))
    }
}

impl StoredSource {
    /// Returns whether it is one of an earlier build that nobody asked for yet.
    pub(super) fn is_packed(&self) -> bool {
        matches!(self, Self::Packed(_))
    }

    /// Returns what it gave; `None` where one of its files is not there any more.
    pub(super) fn unpacked(
        self,
        paths: &Arc<PathTable>,
        source: &Source,
    ) -> Option<Arc<CachedSource>> {
        match self {
            Self::Read(read, _) => Some(read),
            Self::Packed(packed) => unpack(&packed, paths, source).map(Arc::new),
        }
    }
}

/// A cached source: what reading it gave, and all on which this depends.
#[derive(Clone, Serialize, Deserialize)]
pub struct CachedSource {
    /// The hash of the stamps of its files.
    stamps: Option<Hash>,
    content: Hash,
    dependencies: Box<[Dependency]>,
    pub(super) entries: Box<[Arc<Entry>]>,
    /// What else it gave, which is nothing for most.
    rest: Option<Arc<Contents>>,
}

impl Cached for StoredSource {
    /// Their number is that of the sources, so nothing bounds them.
    fn size(&self) -> usize {
        0
    }
}

impl CachedSource {
    /// `parts` are the hashes of the source's parts.
    pub(super) fn new(
        index: FileIndex<'_>,
        source: &Source,
        parts: &[Hash],
        dependencies: Vec<Dependency>,
        mut contents: Contents,
    ) -> Self {
        let entries = std::mem::take(&mut contents.entries).into();
        contents.notes.shrink_to_fit();
        Self {
            stamps: stamps(index, source),
            content: Hash::of(parts),
            dependencies: dependencies.into(),
            entries,
            rest: (contents != Contents::EMPTY).then(|| Arc::new(contents)),
        }
    }

    /// Returns what reading it gave besides entries.
    pub(super) fn rest(&self) -> &Contents {
        static EMPTY: Contents = Contents::EMPTY;
        self.rest.as_deref().unwrap_or(&EMPTY)
    }

    /// Returns whether no conversation was found, not even a private one.
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.rest().is_empty()
    }

    /// Returns what `source` gave the last time, if it would give the same now.
    pub(super) fn if_unchanged(
        self: &Arc<Self>,
        index: FileIndex<'_>,
        source: &Source,
        release: &Release,
    ) -> Option<Arc<Self>> {
        if !self.rest().is_as_scheduled(release) {
            return None;
        }
        let is_unchanged = |dependency: &Dependency| dependency.is_unchanged(index, source);
        if !self.dependencies.iter().all(is_unchanged) {
            return None;
        }
        let stamps = stamps(index, source);
        if stamps.is_some() && stamps == self.stamps {
            return Some(self.clone());
        }
        if content(index, source)? != self.content {
            return None;
        }
        if stamps == self.stamps {
            return Some(self.clone());
        }
        Some(Arc::new(Self { stamps, ..Self::clone(self) }))
    }
}

/// Hashes the stamps of the files of a source, if each has one.
fn stamps(index: FileIndex<'_>, source: &Source) -> Option<Hash> {
    let stamps: Option<Vec<Stamp>> = source.files.iter().map(|file| index.stamp(file)).collect();
    stamps.map(|stamps| Hash::of(&stamps))
}

/// Hashes the bytes of a source, of which few are in memory at a time.
fn content(index: FileIndex<'_>, source: &Source) -> Option<Hash> {
    let mut source = source.clone();
    let mut parts = PartReader::new(index.files, &|file| index.len(file), &mut source).ok()?;
    let mut hashes = Vec::new();
    while let Some(part) = parts.next() {
        hashes.push(part.ok()?.0.hash);
    }
    Some(Hash::of(&hashes[..]))
}
