//! What the entries of a source depend on besides its own bytes.

use serde::{Deserialize, Serialize};

use super::file_index::FileIndex;
use crate::files::Stamp;
use crate::hash::Hash;
use crate::path::RelPath;
use crate::sources::find::rules::Rules;
use crate::sources::find::source::Source;
use crate::sources::find::stored_paths::PathId;

/// A dependency on another file or on edits, with their state when the source was read.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) enum Dependency {
    /// Whether the file exists.
    Exists(PathId, bool),
    /// Whether the file contains conversations, or belongs to files that do.
    Reserved(PathId, bool),
    /// The files that the conversations of a file refer to by id.
    Assets(PathId, Option<Hash>),
    /// Which files have the name of the source's first file up to this byte of its path, followed
    /// by a dot and more.
    Beside(usize, Hash),
    /// The file's bytes; no hash if it could not be read.
    Bytes(PathId, Option<Stamp>, Option<Hash>),
    /// The author's edits of the source's conversations, which have ids with these hashes.
    Edits(Box<[Hash]>, Option<Hash>),
}

impl Dependency {
    /// Returns the dependency on edits of conversations with these ids, which are hashes; `None` if only edits without
    /// an id could be about the source, and none is.
    pub(crate) fn on_edits(rules: &Rules, source: &Source, ids: Vec<Hash>) -> Option<Self> {
        let hash = rules.edits_of(source).hash(&ids);
        (hash.is_some() || !ids.is_empty()).then(|| Self::Edits(ids.into(), hash))
    }

    /// Returns whether edits without an id are still about no conversation of a source with these dependencies.
    pub(crate) fn are_without_edits(all: &[Self], index: FileIndex<'_>, source: &Source) -> bool {
        all.iter().any(|one| matches!(one, Self::Edits(..)))
            || index.rules.edits_of(source).hash(&[]).is_none()
    }

    /// Returns whether it is unchanged since `source` was read.
    pub(crate) fn is_unchanged(&self, index: FileIndex<'_>, source: &Source) -> bool {
        let file = |id: &PathId| index.paths.path(*id);
        match self {
            Self::Exists(id, exists) => file(id).is_some() == *exists,
            Self::Reserved(id, reserved) => {
                let is_reserved = |file: &RelPath| index.reserved.0.contains(file.as_str());
                file(id).is_some_and(is_reserved) == *reserved
            }
            Self::Assets(id, hash) => {
                file(id).is_some_and(|file| index.assets.of(file).map(|(_, hash)| *hash) == *hash)
            }
            Self::Beside(len, hash) => {
                let stem = source.file().as_str().get(..*len);
                stem.is_some_and(|stem| {
                    index.hash_of_names(&index.files_with_prefix(stem)) == *hash
                })
            }
            Self::Edits(ids, hash) => index.rules.edits_of(source).hash(ids) == *hash,
            Self::Bytes(id, stamp, hash) => file(id).is_some_and(|file| {
                let now = index.stamp(file);
                now.is_some() && now == *stamp
                    || hash.is_some() && index.hash(file).ok().map(|(hash, _)| hash) == *hash
            }),
        }
    }
}
