//! Caches parsed sources. A cached result is valid while the source's bytes, and everything in
//! other files that it depends on, are unchanged.

use std::sync::Arc;

use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::cache::{Cache, Cached};
use crate::files::Stamp;
use crate::hash::Hash;
use crate::sources::entry::Entry;
use crate::sources::entry::contents::Contents;
use crate::sources::find::reason::Release;
use crate::sources::find::source::Source;
use crate::sources::find::stored_paths::{PathKey, PathTable, pack, unpack};
use crate::sources::read::part_reader::PartReader;
use crate::sources::refs::dependency::Dependency;
use crate::sources::refs::file_index::FileIndex;

/// The cache of sources, by the hash of their names and of the settings they were read with.
pub type SourceCache = Cache<StoredSource>;

/// A cached source in the form kept in the cache: its paths never leave the process in plain text.
#[derive(Clone)]
pub enum StoredSource {
    /// A source of this build, with the key for hashing its paths.
    Read(Arc<CachedSource>, PathKey),
    /// A source of an earlier build that has not been used yet.
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
    /// Returns whether it comes from an earlier build and has not been used yet.
    pub(crate) fn is_packed(&self) -> bool {
        matches!(self, Self::Packed(_))
    }

    /// Returns the cached result; `None` if one of its files no longer exists.
    pub(crate) fn unpacked(
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

/// A cached source: the result of reading it, and everything the result depends on.
#[derive(Clone, Serialize, Deserialize)]
pub struct CachedSource {
    /// The hash of the stamps of its files.
    stamps: Option<Hash>,
    content: Hash,
    dependencies: Box<[Dependency]>,
    pub(crate) entries: Box<[Arc<Entry>]>,
    /// Rarely used results, empty for most sources.
    rest: Option<Arc<Contents>>,
}

impl Cached for StoredSource {
    /// Returns 0: there is one value for each source, so the cache needs no limit.
    fn size(&self) -> usize {
        0
    }
}

impl CachedSource {
    /// Creates a cached source. `parts` are the hashes of the source's parts.
    pub(crate) fn new(
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

    /// Returns all results except the entries.
    pub(crate) fn rest(&self) -> &Contents {
        static EMPTY: Contents = Contents::EMPTY;
        self.rest.as_deref().unwrap_or(&EMPTY)
    }

    /// Returns whether no conversation was found, not even a private one.
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.rest().is_empty()
    }

    /// Returns the cached result of `source` if it is still valid.
    pub(crate) fn if_unchanged(
        self: &Arc<Self>,
        index: FileIndex<'_>,
        source: &Source,
        release: &Release,
    ) -> Option<Arc<Self>> {
        if !self.rest().is_as_scheduled(release) {
            return None;
        }
        let is_unchanged = |dependency: &Dependency| dependency.is_unchanged(index, source);
        if !self.dependencies.iter().all(is_unchanged)
            || !Dependency::are_without_edits(&self.dependencies, index, source)
        {
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

/// Hashes the stamps of a source's files, if all of them have one.
fn stamps(index: FileIndex<'_>, source: &Source) -> Option<Hash> {
    let stamps: Option<Vec<Stamp>> = source.files.iter().map(|file| index.stamp(file)).collect();
    stamps.map(|stamps| Hash::of(&stamps))
}

/// Hashes the bytes of a source, a few at a time.
fn content(index: FileIndex<'_>, source: &Source) -> Option<Hash> {
    let mut source = source.clone();
    let mut parts = PartReader::new(index.files, &|file| index.len(file), &mut source).ok()?;
    let mut hashes = Vec::new();
    while let Some(part) = parts.next() {
        hashes.push(part.ok()?.0.hash);
    }
    Some(Hash::of(&hashes[..]))
}
