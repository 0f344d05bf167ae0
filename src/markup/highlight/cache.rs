//! The cache of code blocks that were highlighted before, in this build or an earlier one.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::Run;
use crate::hash::Hash;

/// The most memory of the cache, roughly, in bytes. Beyond it, blocks that were not used in this
/// build are dropped, and then nothing more is added.
const MAX_MEMORY_BYTES: usize = 64 << 20;
/// The bytes that a block takes besides its runs, roughly.
const BLOCK_OVERHEAD_BYTES: usize = 80;

/// The cache of highlighted code, by a hash of its language and its text.
#[derive(Default, Debug)]
pub struct Highlights(Mutex<Table>);

/// The contents of the cache, as they are stored between builds.
#[derive(Default, Debug, Serialize, Deserialize)]
pub struct Table {
    blocks: HashMap<Hash, Block>,
    #[serde(skip)]
    used: usize,
    #[serde(skip)]
    is_new: bool,
}

#[derive(Debug, Serialize, Deserialize)]
struct Block {
    /// A class and a length for each run. A longer run is several with the same class.
    runs: Box<[u8]>,
    #[serde(skip)]
    is_used: bool,
}

impl Highlights {
    /// Creates a cache with the contents of an earlier build.
    pub fn new(mut table: Table) -> Self {
        table.used = table
            .blocks
            .values()
            .map(|block| block.runs.len() + BLOCK_OVERHEAD_BYTES)
            .sum();
        Self(Mutex::new(table))
    }

    /// Returns the contents, if something was added. They stay locked meanwhile.
    pub fn changed(&self) -> Option<impl Deref<Target = Table>> {
        let table = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        table.is_new.then_some(table)
    }

    /// Returns the runs of the code of this key, or those that `make` gives, which are added.
    pub(super) fn get_or(
        &self,
        key: Hash,
        make: impl FnOnce() -> Option<Vec<Run>>,
    ) -> Option<Vec<Run>> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(block) = lock().blocks.get_mut(&key) {
            block.is_used = true;
            return Some(unpack(&block.runs));
        }
        let made = make()?;
        lock().insert(key, pack(&made));
        Some(made)
    }
}

impl Table {
    fn insert(&mut self, key: Hash, runs: Box<[u8]>) {
        let size = runs.len() + BLOCK_OVERHEAD_BYTES;
        if self.used + size > MAX_MEMORY_BYTES {
            self.blocks.retain(|_, block| block.is_used);
            self.used = self
                .blocks
                .values()
                .map(|block| block.runs.len() + BLOCK_OVERHEAD_BYTES)
                .sum();
        }
        if self.used + size <= MAX_MEMORY_BYTES {
            self.used += size;
            self.is_new = true;
            self.blocks.insert(key, Block { runs, is_used: true });
        }
    }
}

fn pack(runs: &[Run]) -> Box<[u8]> {
    let mut packed = Vec::with_capacity(runs.len() * 2);
    let mut start = 0;
    for (class, end) in runs {
        while start < *end {
            let len = (end - start).min(usize::from(u8::MAX));
            packed.extend([*class as u8, len as u8]);
            start += len;
        }
    }
    packed.into_boxed_slice()
}

fn unpack(packed: &[u8]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::with_capacity(packed.len() / 2);
    let mut end = 0;
    for pair in packed.chunks_exact(2) {
        let class = char::from(pair[0]);
        end += usize::from(pair[1]);
        match runs.last_mut() {
            Some(last) if last.0 == class => last.1 = end,
            _ => runs.push((class, end)),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::{pack, unpack};

    #[test]
    fn runs_of_any_length_are_packed() {
        let runs = vec![('k', 3), (' ', 300), ('c', 1300), ('s', 1301)];
        assert_eq!(unpack(&pack(&runs)), runs);
    }
}
