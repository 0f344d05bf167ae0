//! A folder with a sealed file for each value that is too large for memory.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Error;
use super::folder::{Folder, Staging};
use super::sealed::Program;
use crate::cache::BlobStore;
use crate::hash::Hash;

/// A store of blobs in a folder, each in a file named after its key.
pub(super) struct BlobFolder {
    folder: Folder,
    program: Program,
    /// The writing side; `None` for readers, which only see what is there.
    writing: Option<Writing>,
    /// Whether a sweep removes what was not used.
    is_swept: bool,
    /// The keys used since the last sweep.
    used: Mutex<HashSet<Hash>>,
}

/// The state of writing to a folder.
struct Writing {
    staging: Arc<Staging>,
    trouble: Trouble,
    /// The keys written so far, if only these are trusted.
    only: Option<Mutex<HashSet<Hash>>>,
}

/// Keeps the first of many errors that do not stop anything.
pub(super) type Trouble = Arc<Mutex<Option<Error>>>;

impl BlobFolder {
    /// Opens a store for reading only.
    pub(super) fn read_only(folder: Folder, program: Program) -> Self {
        Self { folder, program, writing: None, is_swept: false, used: Mutex::default() }
    }

    /// Opens the store of a part for a build of the whole, which only reads and sweeps it.
    pub(super) fn of_part(folder: Folder, program: Program) -> Self {
        Self { is_swept: true, ..Self::read_only(folder, program) }
    }

    /// Opens a store for writing. Errors are reported to `trouble`. If `is_new`, existing blobs are
    /// ignored.
    pub(super) fn new(
        folder: Folder,
        program: Program,
        staging: Arc<Staging>,
        trouble: Trouble,
        is_new: bool,
    ) -> Self {
        let only = is_new.then(Mutex::default);
        let writing = Some(Writing { staging, trouble, only });
        Self { writing, is_swept: true, ..Self::read_only(folder, program) }
    }

    fn is_believed(&self, key: Hash) -> bool {
        let only = self.writing.as_ref().and_then(|writing| writing.only.as_ref());
        only.is_none_or(|only| locked(only).contains(&key))
    }
}

impl BlobStore for BlobFolder {
    fn get(&self, key: Hash) -> Option<Vec<u8>> {
        if !self.is_believed(key) {
            return None;
        }
        self.mark(key);
        self.program.read(&self.folder, &key.hex())
    }

    fn get_range(&self, key: Hash, from: u64, len: usize) -> Option<Vec<u8>> {
        self.program.read_range(&self.folder, &key.hex(), from, len)
    }

    fn put(&self, key: Hash, bytes: &[u8]) -> bool {
        self.mark(key);
        let Some(Writing { staging, trouble, only }) = &self.writing else {
            return false;
        };
        match self.program.write(staging, &self.folder, &key.hex(), bytes) {
            Ok(_) => only.iter().for_each(|only| _ = locked(only).insert(key)),
            Err(error) => {
                locked(trouble).get_or_insert(error);
                return false;
            }
        }
        true
    }

    fn mark(&self, key: Hash) {
        locked(&self.used).insert(key);
    }

    fn sweep(&self) {
        let used = std::mem::take(&mut *locked(&self.used));
        if !self.is_swept {
            return;
        }
        for (name, _) in self.folder.entries().unwrap_or_default() {
            let key = name.to_str().and_then(Hash::from_hex);
            if key.is_none_or(|key| !used.contains(&key)) {
                // A file that cannot be removed does no harm.
                let _ = name.to_str().map(|name| self.folder.remove_file(name));
            }
        }
    }
}

/// A store that writes to at most one folder, and reads from others too.
pub(super) struct BlobFolders {
    own: Option<BlobFolder>,
    others: Vec<BlobFolder>,
    /// For each key found in another folder, the index of that folder, so that the folder whose
    /// seal was checked is the one that is read.
    elsewhere: Mutex<HashMap<Hash, usize>>,
}

impl BlobFolders {
    pub(super) fn new(own: Option<BlobFolder>, others: Vec<BlobFolder>) -> Self {
        Self { own, others, elsewhere: Mutex::default() }
    }
}

impl BlobStore for BlobFolders {
    fn get(&self, key: Hash) -> Option<Vec<u8>> {
        if let Some(bytes) = self.own.as_ref().and_then(|own| own.get(key)) {
            locked(&self.elsewhere).remove(&key);
            return Some(bytes);
        }
        let mut others = self.others.iter().enumerate();
        let (place, bytes) = others.find_map(|(place, other)| Some((place, other.get(key)?)))?;
        locked(&self.elsewhere).insert(key, place);
        Some(bytes)
    }

    fn get_range(&self, key: Hash, from: u64, len: usize) -> Option<Vec<u8>> {
        let place = locked(&self.elsewhere).get(&key).copied();
        match place {
            Some(place) => self.others.get(place)?.get_range(key, from, len),
            None => self.own.as_ref()?.get_range(key, from, len),
        }
    }

    fn put(&self, key: Hash, bytes: &[u8]) -> bool {
        let is_put = self.own.as_ref().is_some_and(|own| own.put(key, bytes));
        if is_put {
            locked(&self.elsewhere).remove(&key);
        }
        is_put
    }

    fn mark(&self, key: Hash) {
        self.own.iter().chain(&self.others).for_each(|folder| folder.mark(key));
    }

    fn sweep(&self) {
        self.own.iter().chain(&self.others).for_each(BlobStore::sweep);
    }
}

/// Locks a value that every change leaves consistent, even after a panic of the previous owner of
/// the lock.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
