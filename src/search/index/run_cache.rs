//! The cache of runs, and of files that are made from them, from this build and earlier ones.

use std::sync::Arc;

use super::run::Run;
use crate::cache::{BlobStore, Cache, Cached};
use crate::hash::Hash;

/// The maximum memory for runs without a store, in bytes. Runs of larger archives are made again
/// when their part of the index changes.
const MAX_MEMORY_BYTES: usize = 64 << 20;

/// The cache of runs, by the hash of their inputs. It is used like [`Cache`].
pub struct RunCache {
    store: Option<Arc<dyn BlobStore>>,
    /// Runs that the store does not accept.
    in_memory: Cache<Arc<Run>>,
}

impl Cached for Run {
    fn size(&self) -> usize {
        self.size()
    }
}

impl RunCache {
    /// Creates a cache that keeps its runs in a store, or else in memory.
    pub fn new(store: Option<Arc<dyn BlobStore>>) -> Self {
        Self { store, in_memory: Cache::bounded(MAX_MEMORY_BYTES) }
    }

    /// Returns the run with a key.
    pub(super) fn get(&self, key: Hash) -> Option<Arc<Run>> {
        self.in_memory.get(key).or_else(|| {
            let stored = Run::get(self.store.as_ref()?, key)?;
            Some(Arc::new(stored))
        })
    }

    /// Adds a run, and returns it in the form in which it is stored.
    pub(super) fn put(&self, key: Hash, run: Run) -> Arc<Run> {
        let run = Arc::new(match &self.store {
            Some(store) => run.put(store, key),
            None => run,
        });
        if !run.is_stored() {
            self.in_memory.put(key, run.clone());
        }
        run
    }

    /// Puts the bytes of a file of the index into the store. Returns whether that succeeded.
    pub(super) fn put_file(&self, key: Hash, bytes: &[u8]) -> bool {
        self.store.as_ref().is_some_and(|store| store.put(key, bytes))
    }

    /// Returns the bytes that were put under a key.
    pub(super) fn file(&self, key: Hash) -> Option<Vec<u8>> {
        self.store.as_ref()?.get(key)
    }

    /// Returns `len` of these bytes, from a byte on.
    pub(super) fn part_of_file(&self, key: Hash, from: u64, len: usize) -> Option<Vec<u8>> {
        self.store.as_ref()?.get_range(key, from, len)
    }

    /// Marks a run or a file as used, because the planned index contains it.
    pub(super) fn mark(&self, key: Hash) {
        self.in_memory.mark(key);
        if let Some(store) = &self.store {
            store.mark(key);
        }
    }

    /// Removes everything that was not used since the last sweep.
    pub fn sweep(&self) {
        self.in_memory.sweep();
        if let Some(store) = &self.store {
            store.sweep();
        }
    }
}

impl Default for RunCache {
    fn default() -> Self {
        Self::new(None)
    }
}
