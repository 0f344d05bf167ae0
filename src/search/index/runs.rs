//! Runs that were made before, in this build or an earlier one.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use super::run::Run;
use super::threads::locked;
use crate::hash::Hash;

/// Where bytes are kept under names, out of memory.
pub trait Shelf: Send + Sync {
    /// All bytes under a name, exactly as they were put there.
    fn get(&self, name: &str) -> Option<Vec<u8>>;
    /// Some of them.
    fn part(&self, name: &str, from: u64, len: usize) -> Option<Vec<u8>>;
    /// Puts them there; whether that could be done.
    fn put(&self, name: &str, bytes: &[u8]) -> bool;
    /// Removes all names but these.
    fn keep(&self, names: &HashSet<String>);
}

/// Memory for runs where there is no shelf; those of larger archives are made again when their
/// part of the index changes. Bytes.
const ROOM: usize = 64 << 20;

/// Runs by what they depend on.
#[derive(Default)]
pub struct Runs {
    shelf: Option<Arc<dyn Shelf>>,
    /// What no shelf takes.
    here: Mutex<HashMap<Hash, Arc<Run>>>,
}

impl Runs {
    /// Those on a shelf.
    pub fn on(shelf: Arc<dyn Shelf>) -> Self {
        Self { shelf: Some(shelf), ..Self::default() }
    }

    pub(super) fn get(&self, key: Hash) -> Option<Arc<Run>> {
        if let Some(run) = locked(&self.here).get(&key) {
            return Some(run.clone());
        }
        Some(Arc::new(Run::get(self.shelf.as_ref()?, &key.hex())?))
    }

    /// Keeps a run. The same from where it is kept now.
    pub(super) fn insert(&self, key: Hash, run: Run) -> Arc<Run> {
        let run = match &self.shelf {
            Some(shelf) => run.put(shelf, key.hex()),
            None => run,
        };
        let run = Arc::new(run);
        let mut here = locked(&self.here);
        let used: usize = here.values().map(|run| run.size()).sum();
        if run.size() > 0 && used + run.size() <= ROOM {
            here.insert(key, run.clone());
        }
        run
    }

    /// Forgets all but these.
    pub(super) fn keep(&self, keys: &HashSet<Hash>) {
        locked(&self.here).retain(|key, _| keys.contains(key));
        if let Some(shelf) = &self.shelf {
            shelf.keep(&keys.iter().map(|key| key.hex()).collect());
        }
    }
}
