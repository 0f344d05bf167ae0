//! Stable 128-bit hashes for content keys, anchors and suffixes of slugs.
//!
//! A value has the same hash in every build of a version of this crate, which `std` does not
//! promise for its hashers. Lengths are always hashed as 64 bits; other numbers use the byte order
//! of the machine.

use std::fmt;
use std::hash::Hasher;
use std::io;
use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

/// The first 128 bits of a BLAKE3 hash.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Hash([u8; 16]);

/// An incremental hasher.
#[derive(Default)]
pub struct Hashing(blake3::Hasher);

impl Hashing {
    /// Adds bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Returns the hash of all bytes, equal to [`Hash::of_bytes`].
    pub fn finish(&self) -> Hash {
        Hash::first_half(&self.0.finalize())
    }
}

impl io::Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the FNV-1a hash of bytes. It is the same on every machine and fast for short texts, of
/// which there are millions. It is not collision-resistant.
pub fn fnv1a(bytes: impl IntoIterator<Item = u8>) -> u64 {
    let step = |sum: u64, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    bytes.into_iter().fold(0xCBF2_9CE4_8422_2325, step)
}

/// Digits without `i`, `l`, `o` and `u`, so that slugs are hard to misread and spell no words.
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

impl Hash {
    /// A placeholder that is the hash of no known value.
    pub const ZERO: Self = Self([0; 16]);

    /// Returns the hash of some bytes.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self::first_half(&blake3::hash(bytes))
    }

    /// Returns a keyed hash of some bytes. Without the key, nobody can guess the bytes by trying.
    pub fn keyed(key: &[u8; 32], bytes: &[u8]) -> Self {
        Self::first_half(&blake3::keyed_hash(key, bytes))
    }

    /// Returns the hash of a value, field by field.
    pub fn of<T: std::hash::Hash + ?Sized>(value: &T) -> Self {
        let mut hasher = StableHasher::new();
        value.hash(&mut hasher);
        Self::first_half(&hasher.whole())
    }

    fn first_half(whole: &blake3::Hash) -> Self {
        let mut half = [0; 16];
        half.copy_from_slice(&whole.as_bytes()[..16]);
        Self(half)
    }

    /// Returns its bytes.
    pub fn bytes(&self) -> [u8; 16] {
        self.0
    }

    /// Returns the first byte of the hash, which is uniformly distributed.
    pub fn first(&self) -> u8 {
        self.0[0]
    }

    /// Returns a uniformly distributed number below `count`.
    pub fn remainder(&self, count: NonZeroU32) -> u32 {
        (u128::from_be_bytes(self.0) % u128::from(count.get())) as u32
    }

    /// Returns the first `len` characters (5 bits each, at most 25) in lower-case base 32.
    pub fn short(&self, len: usize) -> String {
        let bits = u128::from_be_bytes(self.0);
        (0..len.min(25))
            .map(|i| char::from(DIGITS[(bits >> (123 - 5 * i)) as usize & 31]))
            .collect()
    }

    /// Returns the hash as a UUID of version 8 ("custom"), for feed entries.
    pub fn uuid(&self) -> String {
        let mut b = self.0;
        b[6] = b[6] & 0x0f | 0x80;
        b[8] = b[8] & 0x3f | 0x80;
        let hex: String = b.iter().map(|x| format!("{x:02x}")).collect();
        format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
    }

    /// Parses the output of [`Hash::hex`].
    pub fn from_hex(digits: &str) -> Option<Self> {
        let bits = u128::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 32)?;
        Some(Self(bits.to_be_bytes()))
    }

    /// Returns all 128 bits as 32 hexadecimal digits.
    pub fn hex(&self) -> String {
        format!("{:032x}", u128::from_be_bytes(self.0))
    }
}

/// A value with its hash. Larger values that contain it hash only this hash.
#[derive(Clone, Debug)]
pub struct Hashed<T> {
    value: T,
    hash: Hash,
}

impl<T: std::hash::Hash> Hashed<T> {
    /// Hashes the value once.
    pub fn new(value: T) -> Self {
        let hash = Hash::of(&value);
        Self { value, hash }
    }
}

impl<T> Hashed<T> {
    /// Returns the hash of the value.
    pub fn key(&self) -> Hash {
        self.hash
    }
}

impl<T> std::ops::Deref for Hashed<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> PartialEq for Hashed<T> {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash
    }
}

impl<T> Eq for Hashed<T> {}

impl<T> std::hash::Hash for Hashed<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.hash.hash(state);
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.hex())
    }
}

/// A hasher that feeds `#[derive(Hash)]` types to BLAKE3. It buffers their many short pieces,
/// because BLAKE3 is faster with few long ones.
struct StableHasher {
    /// The hasher of flushed pieces. It is boxed because it is large, and most values fit into the
    /// buffer.
    hasher: Option<Box<blake3::Hasher>>,
    buffer: Vec<u8>,
}

/// The number of bytes that are buffered before they are hashed.
const FLUSH_BYTES: usize = 64 << 10;
/// The initial size of the buffer, enough for most values.
const BUFFER_BYTES: usize = 2 << 10;

impl StableHasher {
    fn new() -> Self {
        Self { hasher: None, buffer: Vec::with_capacity(BUFFER_BYTES) }
    }

    /// Hashes the buffered bytes.
    #[cold]
    fn flush(&mut self) {
        self.hasher.get_or_insert_default().update(&self.buffer);
        self.buffer.clear();
    }

    fn whole(&self) -> blake3::Hash {
        match &self.hasher {
            Some(hasher) => hasher.clone().update(&self.buffer).finalize(),
            None => blake3::hash(&self.buffer),
        }
    }
}

// Most pieces are lengths, numbers and short texts; inlining makes each a single store.
impl Hasher for StableHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= FLUSH_BYTES {
            self.flush();
        }
    }

    // `usize` is written as 64 bits on every machine.
    #[inline]
    fn write_usize(&mut self, i: usize) {
        self.write(&(i as u64).to_le_bytes());
    }

    fn finish(&self) -> u64 {
        let bytes = self.whole();
        u64::from_le_bytes(bytes.as_bytes()[..8].try_into().expect("eight bytes"))
    }
}
