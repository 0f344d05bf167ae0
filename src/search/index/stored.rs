//! Files of the index that are kept from build to build.
//!
//! A file has the hash of everything that it depends on as its key, so an edit makes only the files again that
//! contain something of it. Files are in the store and not in memory, because those of a large archive take more
//! memory than anything else.

use std::sync::{Arc, Mutex};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::super::varint::{Decoder, put_slice};
use super::file_version::FileVersion;
use super::run_cache::RunCache;
use super::threads::locked;
use crate::cache::{pack, unpack};
use crate::hash::Hash;

/// A file of a segment.
pub(super) struct IndexFile {
    pub(super) version: FileVersion,
    /// Its size in bytes.
    pub(super) len: usize,
    bytes: Bytes,
}

enum Bytes {
    InMemory(Vec<u8>),
    /// In the store, from this byte on under this key.
    Stored(Hash, u64),
}

impl IndexFile {
    fn in_memory(bytes: Vec<u8>) -> Self {
        let version = FileVersion::of(&bytes);
        Self { version, len: bytes.len(), bytes: Bytes::InMemory(bytes) }
    }
}

/// The store of files.
pub(super) struct FileStore {
    /// `None` keeps everything in memory.
    cache: Option<Arc<RunCache>>,
    /// The keys of all files of a segment.
    used: Mutex<Vec<Hash>>,
}

impl FileStore {
    pub(super) fn new(cache: Option<Arc<RunCache>>) -> Self {
        Self { cache, used: Mutex::default() }
    }

    /// Returns a file with a value that belongs to it.
    pub(super) fn get<T: DeserializeOwned>(&self, key: Hash) -> Option<(T, IndexFile)> {
        let all = self.cache.as_ref()?.file(key)?;
        let mut decoder = Decoder(&all);
        let (value, version) = unpack(decoder.slice())?;
        let len = decoder.0.len();
        locked(&self.used).push(key);
        let bytes = Bytes::Stored(key, (all.len() - len) as u64);
        Some((value, IndexFile { version, len, bytes }))
    }

    /// Puts a file with a value that belongs to it.
    pub(super) fn put<T: Serialize>(&self, key: Hash, value: &T, bytes: Vec<u8>) -> IndexFile {
        let file = IndexFile::in_memory(bytes);
        let (Some(cache), Bytes::InMemory(bytes)) = (&self.cache, &file.bytes) else { return file };
        let Some(header) = pack(&(value, file.version)) else { return file };
        let mut all = Vec::with_capacity(header.len() + bytes.len() + 8);
        put_slice(&header, &mut all);
        let from = all.len() as u64;
        all.extend(bytes);
        if !cache.put_file(key, &all) {
            return file;
        }
        locked(&self.used).push(key);
        IndexFile { bytes: Bytes::Stored(key, from), ..file }
    }

    /// Returns the file with a key, or makes it.
    pub(super) fn get_or_make(&self, key: Hash, make: impl FnOnce() -> Vec<u8>) -> IndexFile {
        self.get(key).map_or_else(|| self.put(key, &(), make()), |((), file)| file)
    }

    /// Returns the bytes of a file. Returns `None` if the store has lost them.
    pub(super) fn bytes(&self, file: &IndexFile) -> Option<Vec<u8>> {
        match &file.bytes {
            Bytes::InMemory(bytes) => Some(bytes.clone()),
            Bytes::Stored(key, from) => {
                let bytes = self.cache.as_ref()?.part_of_file(*key, *from, file.len)?;
                (FileVersion::of(&bytes) == file.version).then_some(bytes)
            }
        }
    }

    /// Stores which files a segment has, for [`mark`].
    pub(super) fn put_list(&self, segment: Hash) {
        let used = locked(&self.used);
        if let (Some(cache), Some(list)) = (&self.cache, pack(&*used)) {
            cache.put_file(list_key(segment), &list);
        }
    }
}

/// Marks the files of a segment as used, without making any.
pub(super) fn mark(segment: Hash, cache: &RunCache) {
    let list = cache.file(list_key(segment));
    let keys: Option<Vec<Hash>> = list.as_deref().and_then(unpack);
    keys.into_iter().flatten().for_each(|key| cache.mark(key));
}

fn list_key(segment: Hash) -> Hash {
    Hash::of(&("files of a segment", segment))
}
