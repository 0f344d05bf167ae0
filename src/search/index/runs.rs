//! Runs that were made before, in this build or an earlier one.

use std::collections::{HashMap, HashSet};
use std::ops::Deref;
use std::sync::{Arc, Mutex};

use serde::{Deserialize, Serialize};

use super::locked;
use super::run::Run;
use crate::hash::Hash;

/// Memory for runs that are remembered; archives with more make some again when an old part of
/// the index changes. Bytes.
const ROOM: usize = 64 << 20;

/// Runs by what they depend on.
#[derive(Default)]
pub struct Runs(Mutex<Table>);

/// The same at rest.
#[derive(Default, Serialize, Deserialize)]
pub struct Table {
    known: HashMap<Hash, Arc<Run>>,
    #[serde(skip)]
    used: usize,
    #[serde(skip)]
    is_new: bool,
}

impl Runs {
    /// What was remembered earlier.
    pub fn new(mut table: Table) -> Self {
        table.used = table.known.values().map(|run| run.size()).sum();
        Self(Mutex::new(table))
    }

    pub(super) fn get(&self, key: Hash) -> Option<Arc<Run>> {
        locked(&self.0).known.get(&key).cloned()
    }

    pub(super) fn insert(&self, key: Hash, run: &Arc<Run>) {
        let mut table = locked(&self.0);
        if table.used + run.size() <= ROOM {
            table.used += run.size();
            table.is_new = true;
            table.known.insert(key, run.clone());
        }
    }

    /// Forgets all but these.
    pub(super) fn keep(&self, keys: &HashSet<Hash>) {
        let mut table = locked(&self.0);
        table.known.retain(|key, _| keys.contains(key));
        table.used = table.known.values().map(|run| run.size()).sum();
    }

    /// What is remembered now, if that is not what was remembered at first.
    pub fn changed(&self) -> Option<impl Deref<Target = Table>> {
        let table = locked(&self.0);
        table.is_new.then_some(table)
    }
}
