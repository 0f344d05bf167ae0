//! The cache of runs that were made before, in this build or an earlier one.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use super::run::Run;
use super::threads::locked;
use crate::hash::Hash;

/// A store of bytes under names, which takes no memory.
pub trait BlobStore: Send + Sync {
    /// Returns all bytes under a name, exactly as they were put there.
    fn get(&self, name: &str) -> Option<Vec<u8>>;
    /// Returns some of the bytes under a name.
    fn get_range(&self, name: &str, from: u64, len: usize) -> Option<Vec<u8>>;
    /// Puts bytes under a name. Returns whether that could be done.
    fn put(&self, name: &str, bytes: &[u8]) -> bool;
    /// Removes all names but these.
    fn retain(&self, names: &HashSet<String>);
}

/// The most memory for runs where there is no store; those of larger archives are made again when
/// their part of the index changes. Bytes.
const MAX_MEMORY_BYTES: usize = 64 << 20;

/// The cache of runs, by the hash of what they depend on.
#[derive(Default)]
pub struct RunCache {
    store: Option<Arc<dyn BlobStore>>,
    /// Runs that no store takes.
    in_memory: Mutex<HashMap<Hash, Arc<Run>>>,
    /// The runs of the index that was planned last.
    planned: Mutex<HashSet<Hash>>,
}

impl RunCache {
    /// Returns a cache that keeps its runs in a store.
    pub fn in_store(store: Arc<dyn BlobStore>) -> Self {
        Self { store: Some(store), ..Self::default() }
    }

    pub(super) fn get(&self, key: Hash) -> Option<Arc<Run>> {
        if let Some(run) = locked(&self.in_memory).get(&key) {
            return Some(run.clone());
        }
        Some(Arc::new(Run::get(self.store.as_ref()?, &key.hex())?))
    }

    /// Keeps a run, and returns it as it is kept now.
    pub(super) fn insert(&self, key: Hash, run: Run) -> Arc<Run> {
        let run = match &self.store {
            Some(store) => run.put(store, key.hex()),
            None => run,
        };
        let run = Arc::new(run);
        let mut in_memory = locked(&self.in_memory);
        let used: usize = in_memory.values().map(|run| run.size()).sum();
        if run.size() > 0 && used + run.size() <= MAX_MEMORY_BYTES {
            in_memory.insert(key, run.clone());
        }
        run
    }

    /// Notes which runs the index has from now on. Nothing is removed before [`RunCache::sweep`].
    pub(super) fn plan(&self, keys: HashSet<Hash>) {
        *locked(&self.planned) = keys;
    }

    /// Removes all runs but those of the index that was planned last: for the end, after success.
    pub fn sweep(&self) {
        let keys = locked(&self.planned);
        locked(&self.in_memory).retain(|key, _| keys.contains(key));
        if let Some(store) = &self.store {
            store.retain(&keys.iter().map(|key| key.hex()).collect());
        }
    }
}
