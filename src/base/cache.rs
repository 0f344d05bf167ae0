//! Caches results by content hash.
//!
//! All caches work in the same way: [`Cache::get`] returns a value, [`Cache::put`] adds one, and
//! [`Cache::sweep`] removes those that were neither used nor added since the last sweep. Only the
//! end of a successful run sweeps, so that a failed run loses nothing.
//!
//! A key is the hash of everything that a value depends on, so a cache changes the speed of a
//! build, but not its result. Values that are too large for memory are in a [`BlobStore`].

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;
use serde::de::Error as _;
use serde::ser::{Error as _, SerializeSeq as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::hash::{Hash, Hashed};

/// A value of a [`Cache`].
pub trait Cached {
    /// Returns the approximate memory it uses, in bytes. Only caches with a memory limit use this.
    fn size(&self) -> usize;
}

impl Cached for [u8] {
    fn size(&self) -> usize {
        self.len()
    }
}

impl<T: Cached + ?Sized> Cached for Arc<T> {
    fn size(&self) -> usize {
        T::size(self)
    }
}

impl<T: Cached> Cached for Hashed<T> {
    fn size(&self) -> usize {
        T::size(self)
    }
}

/// An in-memory cache for concurrent use. It can be serialized as a whole, for the next process.
#[derive(Debug)]
pub struct Cache<V> {
    /// Shards with a lock each, so that threads rarely wait for each other.
    shards: Vec<Mutex<Shard<V>>>,
    /// The maximum size of all values, in bytes.
    max_bytes: usize,
    /// The size of all values, in bytes.
    used_bytes: AtomicUsize,
    /// Whether unused values were removed to make room since the last sweep.
    has_made_room: AtomicBool,
    is_changed: AtomicBool,
}

type Shard<V> = HashMap<Hash, Slot<V>>;

#[derive(Debug, Serialize, Deserialize)]
struct Slot<V> {
    value: V,
    /// Whether it was used or added since the last sweep.
    #[serde(skip)]
    is_used: bool,
}

const SHARDS: usize = 16;
/// The approximate overhead per value, in bytes.
const SLOT_BYTES: usize = 80;

impl<V: Cached + Clone> Cache<V> {
    /// Creates an empty cache with a memory limit.
    pub fn bounded(max_bytes: usize) -> Self {
        Self::default().bound(max_bytes)
    }

    /// Sets the memory limit for values added from now on.
    pub fn bound(self, max_bytes: usize) -> Self {
        Self { max_bytes, ..self }
    }

    /// Returns the value of a key, and marks it as used.
    pub fn get(&self, key: Hash) -> Option<V> {
        let mut shard = self.shard(key);
        let slot = shard.get_mut(&key)?;
        slot.is_used = true;
        Some(slot.value.clone())
    }

    /// Adds a value, or replaces the one of this key. Without room for it, unused values are
    /// removed, at most once between two sweeps. Returns whether the value was added.
    pub fn put(&self, key: Hash, value: V) -> bool {
        let size = value.size() + SLOT_BYTES;
        let has_room = self.reserve(size) || self.make_room() && self.reserve(size);
        if has_room {
            let slot = Slot { value, is_used: true };
            let old = self.shard(key).insert(key, slot);
            self.release(old.map_or(0, |old| old.size()));
            self.is_changed.store(true, Ordering::Relaxed);
        }
        has_room
    }

    /// Replaces the value of a key by an equal one in another form. This does not count as a
    /// change.
    pub fn replace(&self, key: Hash, value: V) {
        if let Some(slot) = self.shard(key).get_mut(&key) {
            self.release(slot.value.size());
            self.used_bytes.fetch_add(value.size(), Ordering::Relaxed);
            slot.value = value;
        }
    }

    /// Returns the value of this key, or adds this one.
    pub fn get_or_put(&self, key: Hash, value: V) -> V {
        self.get(key).unwrap_or_else(|| {
            self.put(key, value.clone());
            value
        })
    }

    /// Marks the value of a key as used, without reading it.
    pub fn mark(&self, key: Hash) {
        if let Some(slot) = self.shard(key).get_mut(&key) {
            slot.is_used = true;
        }
    }

    /// Removes every value that was not used since the last sweep.
    pub fn sweep(&self) {
        self.retain(|slot| std::mem::take(&mut slot.is_used));
        self.has_made_room.store(false, Ordering::Relaxed);
    }

    /// Moves the values with wanted keys from another cache to this one. If both have a key, the
    /// value of the other cache wins. The values are unused until someone reads them.
    pub fn absorb(&self, other: Self, is_wanted: impl Fn(Hash) -> bool) {
        for shard in other.shards {
            let shard = shard.into_inner().unwrap_or_else(PoisonError::into_inner);
            for (key, slot) in shard.into_iter().filter(|(key, _)| is_wanted(*key)) {
                if self.reserve(slot.size()) {
                    let old = self.shard(key).insert(key, slot);
                    self.release(old.map_or(0, |old| old.size()));
                    self.is_changed.store(true, Ordering::Relaxed);
                }
            }
        }
    }

    /// Removes every value with an unwanted key. This does not count as a change: another cache
    /// keeps them.
    pub fn leave(&self, is_wanted: impl Fn(Hash) -> bool) {
        for shard in &self.shards {
            locked(shard).retain(|key, slot| {
                let is_kept = is_wanted(*key);
                if !is_kept {
                    self.release(slot.size());
                }
                is_kept
            });
        }
    }

    /// Returns whether anything was added or removed since the cache was created or read.
    pub fn is_changed(&self) -> bool {
        self.is_changed.load(Ordering::Relaxed)
    }

    /// Reserves memory for a value, if there is room.
    fn reserve(&self, size: usize) -> bool {
        let more = |used: usize| used.checked_add(size).filter(|used| *used <= self.max_bytes);
        self.used_bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_ok()
    }

    fn release(&self, size: usize) {
        self.used_bytes.fetch_sub(size, Ordering::Relaxed);
    }

    /// Removes unused values, unless this was done since the last sweep. The remaining values were
    /// all used, and searching all of them for every new value would be slow.
    fn make_room(&self) -> bool {
        let is_first = !self.has_made_room.swap(true, Ordering::Relaxed);
        if is_first {
            self.retain(|slot| slot.is_used);
        }
        is_first
    }

    fn retain(&self, mut keeps: impl FnMut(&mut Slot<V>) -> bool) {
        for shard in &self.shards {
            locked(shard).retain(|_, slot| {
                let is_kept = keeps(slot);
                if !is_kept {
                    self.release(slot.size());
                    self.is_changed.store(true, Ordering::Relaxed);
                }
                is_kept
            });
        }
    }

    fn shard(&self, key: Hash) -> MutexGuard<'_, Shard<V>> {
        locked(&self.shards[usize::from(key.first()) % SHARDS])
    }
}

impl<V: Cached + Clone> Slot<V> {
    fn size(&self) -> usize {
        self.value.size() + SLOT_BYTES
    }
}

/// Locks a shard, even if a thread panicked while holding it: every change is atomic.
fn locked<V>(shard: &Mutex<Shard<V>>) -> MutexGuard<'_, Shard<V>> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<V> Default for Cache<V> {
    fn default() -> Self {
        Self {
            shards: std::iter::repeat_with(Mutex::default).take(SHARDS).collect(),
            max_bytes: usize::MAX,
            used_bytes: AtomicUsize::new(0),
            has_made_room: AtomicBool::new(false),
            is_changed: AtomicBool::new(false),
        }
    }
}

/// Each shard is serialized as separate bytes, so that threads can read them in parallel. At most
/// one shard at a time is in memory twice.
impl<V: Serialize> Serialize for Cache<V> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut shards = to.serialize_seq(Some(SHARDS))?;
        for shard in &self.shards {
            let bytes = postcard::to_allocvec(&*locked(shard)).map_err(S::Error::custom)?;
            shards.serialize_element(&Bytes(&bytes))?;
        }
        shards.end()
    }
}

struct Bytes<'a>(&'a [u8]);

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(self.0)
    }
}

impl<'de, V: Cached + Clone + Deserialize<'de> + Send> Deserialize<'de> for Cache<V> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let shards: Vec<&[u8]> = Deserialize::deserialize(from)?;
        if shards.len() != SHARDS {
            return Err(D::Error::invalid_length(shards.len(), &"all shards"));
        }
        let shards = shards.into_par_iter().map(postcard::from_bytes);
        let shards: Vec<Shard<V>> = shards.collect::<Result<_, _>>().map_err(D::Error::custom)?;
        let slots = shards.iter().flat_map(HashMap::values);
        let used_bytes = AtomicUsize::new(slots.map(Slot::size).sum());
        let shards = shards.into_iter().map(Mutex::new).collect();
        Ok(Self { shards, used_bytes, ..Self::default() })
    }
}

/// Packs a value of a cache; `None` if this is not possible.
pub fn pack(value: &impl Serialize) -> Option<Vec<u8>> {
    postcard::to_allocvec(value).ok()
}

/// Unpacks a value packed by [`pack`]; `None` for anything else.
pub fn unpack<'a, T: Deserialize<'a>>(packed: &'a [u8]) -> Option<T> {
    postcard::from_bytes(packed).ok()
}

/// A store for values that are too large for memory, such as a folder with one file per value. It
/// is used like a [`Cache`].
pub trait BlobStore: Send + Sync {
    /// Returns all bytes of a key, exactly as stored.
    fn get(&self, key: Hash) -> Option<Vec<u8>>;
    /// Returns a range of the bytes of a key.
    fn get_range(&self, key: Hash, from: u64, len: usize) -> Option<Vec<u8>>;
    /// Stores bytes under a key. Returns whether this succeeded.
    fn put(&self, key: Hash, bytes: &[u8]) -> bool;
    /// Marks the bytes of a key as used, without reading them.
    fn mark(&self, key: Hash);
    /// Removes everything that was not used since the last sweep.
    fn sweep(&self);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Cache, SLOT_BYTES};
    use crate::hash::Hash;

    fn key(number: u8) -> Hash {
        Hash::of_bytes(&[number])
    }

    fn bytes(len: usize) -> Arc<[u8]> {
        vec![0; len].into()
    }

    #[test]
    fn entries_unused_between_two_sweeps_are_removed() {
        let cache = Cache::default();
        (0..100).for_each(|number| assert!(cache.put(key(number), bytes(1))));
        cache.sweep();
        assert!(cache.get(key(1)).is_some());
        cache.mark(key(2));
        cache.sweep();
        let left: Vec<u8> = (0..100).filter(|n| cache.get(key(*n)).is_some()).collect();
        assert_eq!(left, [1, 2]);
    }

    #[test]
    fn the_size_is_bounded_and_unused_entries_are_removed_first() {
        let cache = Cache::bounded(10 * (SLOT_BYTES + 1));
        (0..10).for_each(|number| assert!(cache.put(key(number), bytes(1))));
        // All values were just added, so none is unused.
        assert!(!cache.put(key(10), bytes(1)));
        assert!(cache.get(key(10)).is_none() && cache.get(key(0)).is_some());
        cache.sweep();
        cache.mark(key(3));
        assert!(cache.put(key(10), bytes(1)));
        let left: Vec<u8> = (0..11).filter(|n| cache.get(key(*n)).is_some()).collect();
        assert_eq!(left, [3, 10]);
        // Replacing a value frees the room of the old one.
        (0..100).for_each(|_| assert!(cache.put(key(3), bytes(1))));
    }

    #[test]
    fn a_stored_cache_is_the_same_and_unchanged() {
        let cache = Cache::default();
        (0..100).for_each(|number| assert!(cache.put(key(number), number.to_string())));
        assert!(cache.is_changed());
        let stored = postcard::to_allocvec(&cache).unwrap();
        let again: Cache<String> = postcard::from_bytes(&stored).unwrap();
        assert!((0..100).all(|n| again.get(key(n)) == Some(n.to_string())));
        again.sweep();
        assert!(!again.is_changed());
        again.sweep();
        assert!(again.is_changed() && again.get(key(1)).is_none());
    }

    #[test]
    fn caches_are_merged_by_keys() {
        let cache = |numbers: std::ops::Range<u8>, value: &str| {
            let cache = Cache::default();
            numbers.for_each(|n| assert!(cache.put(key(n), format!("{value}{n}"))));
            cache
        };
        let all = cache(0..10, "old");
        all.absorb(cache(5..20, "new"), |key| key != super::tests::key(15));
        let value = |n| all.get(key(n));
        assert_eq!(value(4).as_deref(), Some("old4"));
        assert_eq!(value(5).as_deref(), Some("new5"));
        assert_eq!((value(15), value(16).as_deref()), (None, Some("new16")));
        all.leave(|key| key == super::tests::key(5));
        assert!(value(5).is_some() && value(4).is_none());
    }

    impl super::Cached for String {
        fn size(&self) -> usize {
            self.len()
        }
    }
}
