//! Sources that were read before. What one gave holds as long as its bytes, and everything in other
//! files on which it depends, are as they were.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::contents::Contents;
use super::dependency::Dependency;
use super::file_index::FileIndex;
use super::part_reader::PartReader;
use super::reason::Release;
use super::source::Source;
use crate::cache::{Cache, Cached};
use crate::files::Stamp;
use crate::hash::Hash;
use crate::path::RelPath;

/// The cache of sources, by the hash of their names and of the settings with which they were read.
pub type SourceCache = Cache<Arc<CachedSource>>;

/// A cached source: what reading it gave, and all on which this depends.
#[derive(Clone, Serialize, Deserialize)]
pub struct CachedSource {
    stamps: Option<Vec<Stamp>>,
    content: Hash,
    dependencies: Vec<Dependency>,
    pub(super) contents: Arc<Contents>,
}

impl Cached for Arc<CachedSource> {
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
        mut dependencies: Vec<Dependency>,
        mut contents: Contents,
    ) -> Self {
        dependencies.shrink_to_fit();
        contents.notes.shrink_to_fit();
        Self {
            stamps: stamps(index, source),
            content: Hash::of(parts),
            dependencies,
            contents: Arc::new(contents),
        }
    }

    /// Returns what `source` gave the last time, if it would give the same now.
    pub(super) fn if_unchanged(
        self: &Arc<Self>,
        index: FileIndex<'_>,
        source: &Source,
        release: &Release,
    ) -> Option<Arc<Self>> {
        if !self.contents.is_as_scheduled(release) {
            return None;
        }
        if !self.dependencies.iter().all(|dependency| dependency.is_unchanged(index)) {
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
