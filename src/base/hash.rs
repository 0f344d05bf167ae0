//! Stable 128-bit hashes: content keys, anchors and the tails of slugs.
//!
//! A value has the same hash in every build of this crate's version, which `std`'s hashers do not
//! promise. Lengths are hashed as 64 bits everywhere; other numbers in the byte order of the
//! machine.

use std::fmt;
use std::hash::Hasher;
use std::io;
use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

/// The first 128 bits of a BLAKE3 hash.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Hash([u8; 16]);

/// A hasher for bytes that come one after the other.
#[derive(Default)]
pub struct Hashing(blake3::Hasher);

impl Hashing {
    /// Takes more bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Returns the hash of all of them, as [`Hash::of_bytes`] has it.
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

/// Returns the FNV-1a hash of bytes. It is the same on every machine and quick for short texts, of
/// which there are millions, but whoever chooses the bytes can easily make two of them collide.
pub fn fnv1a(bytes: impl IntoIterator<Item = u8>) -> u64 {
    let step = |sum: u64, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    bytes.into_iter().fold(0xCBF2_9CE4_8422_2325, step)
}

/// Digits without `i l o u`, so that nobody misreads a slug or finds a word in it.
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

impl Hash {
    /// The hash of nothing that is known.
    pub const ZERO: Self = Self([0; 16]);

    /// Returns the hash of some bytes.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self::first_half(&blake3::hash(bytes))
    }

    /// Returns the hash of some bytes under a key, without which nobody can find out by trying what
    /// they were.
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

    /// Returns the first byte of the hash: a number that is as likely as any other.
    pub fn first(&self) -> u8 {
        self.0[0]
    }

    /// Returns a number below `count`: each is as likely as any other.
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

    /// Returns the hash in the form of a UUID of version 8 ("custom"), for feed entries.
    pub fn uuid(&self) -> String {
        let mut b = self.0;
        b[6] = b[6] & 0x0f | 0x80;
        b[8] = b[8] & 0x3f | 0x80;
        let hex: String = b.iter().map(|x| format!("{x:02x}")).collect();
        format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
    }

    /// Reads what [`Hash::hex`] wrote.
    pub fn from_hex(digits: &str) -> Option<Self> {
        let bits = u128::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 32)?;
        Some(Self(bits.to_be_bytes()))
    }

    /// Returns all 128 bits as 32 hexadecimal digits.
    pub fn hex(&self) -> String {
        format!("{:032x}", u128::from_be_bytes(self.0))
    }
}

/// A value with its hash, which stands for it wherever it is a part of something else.
#[derive(Clone, Debug)]
pub struct Hashed<T> {
    value: T,
    hash: Hash,
}

impl<T: std::hash::Hash> Hashed<T> {
    /// Hashes the value once and for all.
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

/// A hasher that feeds `#[derive(Hash)]` types to BLAKE3. It collects their many short pieces,
/// because BLAKE3 is faster with few long ones.
struct StableHasher {
    /// The hasher of earlier pieces. Most values fit into one piece, and a hasher is large.
    hasher: Option<Box<blake3::Hasher>>,
    buffer: Vec<u8>,
}

/// The bytes that are collected before they are hashed.
const FLUSH_BYTES: usize = 64 << 10;
/// The initial bytes of the buffer, enough for most values.
const BUFFER_BYTES: usize = 2 << 10;

impl StableHasher {
    fn new() -> Self {
        Self { hasher: None, buffer: Vec::with_capacity(BUFFER_BYTES) }
    }

    /// Hashes what was collected, which is enough.
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

// Most pieces are lengths, numbers and short texts: each is one store where the size is known.
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
