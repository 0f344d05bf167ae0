//! The cache of runs that were made before, in this build or an earlier one.

use std::sync::Arc;

use super::run::Run;
use crate::cache::{BlobStore, Cache, Cached};
use crate::hash::Hash;

/// The most memory for runs where there is no store; those of larger archives are made again when
/// their part of the index changes. Bytes.
const MAX_MEMORY_BYTES: usize = 64 << 20;

/// The cache of runs, by the hash of what they depend on. It is used as a [`Cache`] is.
pub struct RunCache {
    store: Option<Arc<dyn BlobStore>>,
    /// Runs that no store takes.
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

    /// Returns the run of a key.
    pub(super) fn get(&self, key: Hash) -> Option<Arc<Run>> {
        self.in_memory.get(key).or_else(|| {
            let stored = Run::get(self.store.as_ref()?, key)?;
            Some(Arc::new(stored))
        })
    }

    /// Adds a run, and returns it as it is kept now.
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

    /// Puts the bytes of a file of the index into the store until the next sweep, if there is one.
    pub(super) fn put_file(&self, key: Hash, bytes: &[u8]) -> bool {
        self.store.as_ref().is_some_and(|store| store.put_for_now(key, bytes))
    }

    /// Returns the bytes of a file that were put there, as many as they were.
    pub(super) fn file(&self, key: Hash, len: usize) -> Option<Vec<u8>> {
        self.store.as_ref()?.get_range(key, 0, len)
    }

    /// Marks a run as used, because the index that is planned consists of it.
    pub(super) fn mark(&self, key: Hash) {
        self.in_memory.mark(key);
        if let Some(store) = &self.store {
            store.mark(key);
        }
    }

    /// Removes what was not used since the last sweep.
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
