//! Stores paths in the cache of sources as ids, so that no cache contains file names.
//!
//! A [`RelPath`] cannot be serialized. Cached types use the functions of this module for their path
//! fields. The functions work only while a source is [packed](pack) or [unpacked](unpack).

use std::cell::RefCell;
use std::sync::{Arc, OnceLock};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::source::Source;
use crate::cache;
use crate::files::FileInfo;
use crate::hash::Hash;
use crate::path::RelPath;
use crate::text::{InternedStr, interned_option};

/// The secret key of a site for hashing paths. Without a key, names of people and files could be
/// guessed.
#[derive(Clone, Copy, Debug)]
pub struct PathKey(pub(crate) Hash);

/// The id of a path. The path cannot be found without the key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(crate) struct PathId(Hash);

impl PathKey {
    pub(crate) fn id(self, path: &RelPath) -> PathId {
        PathId(Hash::of(&(self.0, path.as_str())))
    }
}

/// The files of the content folder, by the ids of their paths.
pub(crate) struct PathTable {
    pub(crate) key: PathKey,
    listed: Arc<Vec<FileInfo>>,
    /// Sorted by id; created at the first lookup.
    by_id: OnceLock<Vec<(PathId, usize)>>,
}

impl PathTable {
    pub(crate) fn new(key: PathKey, listed: Arc<Vec<FileInfo>>) -> Self {
        Self { key, listed, by_id: OnceLock::new() }
    }

    /// Returns the path with an id, if the file exists.
    pub(crate) fn path(&self, id: PathId) -> Option<&RelPath> {
        let by_id = self.by_id.get_or_init(|| {
            let files = self.listed.iter().enumerate();
            let mut ids: Vec<(PathId, usize)> =
                files.map(|(place, file)| (self.key.id(&file.path), place)).collect();
            ids.sort_unstable();
            ids
        });
        let found = by_id.binary_search_by(|(known, _)| known.cmp(&id)).ok()?;
        Some(&self.listed.get(by_id.get(found)?.1)?.path)
    }
}

/// The context for packing or unpacking paths.
enum Scope {
    Packing(PathKey),
    /// The existing files, and the source that is unpacked.
    Unpacking(Arc<PathTable>, Arc<Source>),
}

thread_local! {
    /// The scope of the value that this thread works on. Serde cannot pass a context to fields.
    static SCOPE: RefCell<Option<Scope>> = const { RefCell::new(None) };
}

/// Packs the cached data of a source.
pub(crate) fn pack(key: PathKey, value: &impl Serialize) -> Option<Vec<u8>> {
    SCOPE.set(Some(Scope::Packing(key)));
    let packed = cache::pack(value);
    SCOPE.set(None);
    packed
}

/// Unpacks the cached data of a source; `None` if one of its files no longer exists.
pub(crate) fn unpack<T: DeserializeOwned>(
    bytes: &[u8],
    paths: &Arc<PathTable>,
    source: &Source,
) -> Option<T> {
    SCOPE.set(Some(Scope::Unpacking(paths.clone(), Arc::new(source.clone()))));
    let unpacked = cache::unpack(bytes);
    SCOPE.set(None);
    unpacked
}

const OUT_OF_SCOPE: &str = "paths can be serialized only inside a packed source";

fn id_of<E: serde::ser::Error>(path: &RelPath) -> Result<PathId, E> {
    SCOPE.with_borrow(|scope| match scope {
        Some(Scope::Packing(key)) => Ok(key.id(path)),
        _ => Err(E::custom(OUT_OF_SCOPE)),
    })
}

fn path_of<E: serde::de::Error>(id: PathId) -> Result<RelPath, E> {
    SCOPE.with_borrow(|scope| match scope {
        Some(Scope::Unpacking(paths, _)) => {
            paths.path(id).cloned().ok_or_else(|| E::custom("the file does not exist"))
        }
        _ => Err(E::custom(OUT_OF_SCOPE)),
    })
}

/// Functions for a path field with `#[serde(with)]`.
pub(crate) mod path {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::path::RelPath;

    pub(crate) fn serialize<S: Serializer>(path: &RelPath, to: S) -> Result<S::Ok, S::Error> {
        super::id_of::<S::Error>(path)?.serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<RelPath, D::Error> {
        super::path_of(Deserialize::deserialize(from)?)
    }
}

/// Functions for a field with several paths, with `#[serde(with)]`.
pub(crate) mod paths {
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::path::RelPath;

    pub(crate) fn serialize<S: Serializer>(paths: &[RelPath], to: S) -> Result<S::Ok, S::Error> {
        let ids = paths.iter().map(super::id_of::<S::Error>);
        to.collect_seq(ids.collect::<Result<Vec<_>, _>>()?)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Vec<RelPath>, D::Error> {
        let ids: Vec<super::PathId> = Deserialize::deserialize(from)?;
        ids.into_iter().map(super::path_of).collect()
    }
}

/// Functions for the source of a text, with `#[serde(with)]`. It is always the packed source; only
/// what was detected from its files is stored.
pub(crate) mod source {
    use std::sync::Arc;

    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::super::source::Source;
    use super::{Detected, OUT_OF_SCOPE, SCOPE, Scope};

    pub(crate) fn serialize<S: Serializer>(source: &Arc<Source>, to: S) -> Result<S::Ok, S::Error> {
        Detected { format: source.format, private: source.private }.serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Arc<Source>, D::Error> {
        let Detected { format, private } = Detected::deserialize(from)?;
        SCOPE.with_borrow_mut(|scope| match scope {
            Some(Scope::Unpacking(_, source)) => {
                // All texts of a source have the same values.
                if (source.format, source.private) != (format, private) {
                    let whole = Arc::make_mut(source);
                    (whole.format, whole.private) = (format, private);
                }
                Ok(source.clone())
            }
            _ => Err(D::Error::custom(OUT_OF_SCOPE)),
        })
    }
}

/// What was detected from the files of a source.
#[derive(Serialize, Deserialize)]
struct Detected {
    #[serde(deserialize_with = "interned_option")]
    format: Option<InternedStr>,
    private: bool,
}
