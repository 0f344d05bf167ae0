//! What the entries of a source depend on besides its own bytes.

use serde::{Deserialize, Serialize};

use super::file_index::FileIndex;
use crate::files::Stamp;
use crate::hash::Hash;
use crate::path::RelPath;

/// A dependency on another file, as it was when the source was read.
#[derive(Clone, Serialize, Deserialize)]
pub(super) enum Dependency {
    /// Whether there is such a file.
    Exists(RelPath, bool),
    /// Whether it holds conversations, or belongs to those that do.
    Reserved(RelPath, bool),
    /// The files that the conversations of a file name by ids.
    Assets(RelPath, Option<Hash>),
    /// Which files are called like this path with a dot and something behind it.
    Beside(String, Hash),
    /// Its bytes; no hash when it could not be read.
    Bytes(RelPath, Option<Stamp>, Option<Hash>),
}

impl Dependency {
    /// Returns whether it is as it was.
    pub(super) fn is_unchanged(&self, index: FileIndex<'_>) -> bool {
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
            Self::Beside(stem, hash) => Hash::of(&index.beside(stem)) == *hash,
            Self::Bytes(file, stamp, hash) => {
                let now = index.stamp(file);
                now.is_some() && now == *stamp
                    || hash.is_some()
                        && index.hash(file).ok().map(|(hash, _)| hash) == *hash
            }
        }
    }
}
