//! Stable 128-bit hashes: content keys, anchors and the tails of slugs.
//!
//! The same value gives the same hash on every machine and in every build of this crate's
//! version, which `std`'s hashers do not promise.

use std::fmt;
use std::hash::Hasher;

use serde::{Deserialize, Serialize};

/// The first 128 bits of a BLAKE3 hash.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Hash([u8; 16]);

/// The hash of bytes that come one after the other.
#[derive(Default)]
pub struct Hashing(blake3::Hasher);

impl Hashing {
    /// Takes more bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The hash of all of them, as [`Hash::of_bytes`] has it.
    pub fn finish(&self) -> Hash {
        Hash::first_half(&self.0.finalize())
    }
}

/// A number for bytes (FNV-1a): the same on every machine, quick for the short texts of which
/// there are millions, and easy to aim at for whoever chooses the bytes.
pub fn quick(bytes: impl IntoIterator<Item = u8>) -> u64 {
    let step = |sum: u64, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    bytes.into_iter().fold(0xCBF2_9CE4_8422_2325, step)
}

/// Digits without `i l o u`, so that nobody misreads a slug or finds a word in it.
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

impl Hash {
    /// The hash of some bytes.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self::first_half(&blake3::hash(bytes))
    }

    /// The hash of a value, field by field.
    pub fn of<T: std::hash::Hash + ?Sized>(value: &T) -> Self {
        let mut hasher = Stable::new();
        value.hash(&mut hasher);
        Self::first_half(&hasher.whole())
    }

    fn first_half(whole: &blake3::Hash) -> Self {
        let mut half = [0; 16];
        half.copy_from_slice(&whole.as_bytes()[..16]);
        Self(half)
    }

    /// Its first byte: a number that is as likely as any other.
    pub fn first(&self) -> u8 {
        self.0[0]
    }

    /// The first `len` characters (5 bits each, at most 25) in lower-case base 32.
    pub fn short(&self, len: usize) -> String {
        let bits = u128::from_be_bytes(self.0);
        (0..len.min(25))
            .map(|i| char::from(DIGITS[(bits >> (123 - 5 * i)) as usize & 31]))
            .collect()
    }

    /// The hash in the form of a UUID of version 8 ("custom"), for feed entries.
    pub fn uuid(&self) -> String {
        let mut b = self.0;
        b[6] = b[6] & 0x0f | 0x80;
        b[8] = b[8] & 0x3f | 0x80;
        let hex: String = b.iter().map(|x| format!("{x:02x}")).collect();
        format!(
            "{}-{}-{}-{}-{}",
            &hex[..8],
            &hex[8..12],
            &hex[12..16],
            &hex[16..20],
            &hex[20..]
        )
    }

    /// Reads what [`Hash::hex`] wrote.
    pub fn from_hex(digits: &str) -> Option<Self> {
        let bits =
            u128::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 32)?;
        Some(Self(bits.to_be_bytes()))
    }

    /// All 128 bits as 32 hexadecimal digits.
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

/// Lets `#[derive(Hash)]` types feed BLAKE3, which likes few long pieces better than the many
/// short ones that they are.
struct Stable {
    /// What was fed already; most values fit into one piece, and a hasher is large.
    fed: Option<Box<blake3::Hasher>>,
    waiting: Vec<u8>,
}

/// A long piece. Bytes.
const PIECE: usize = 64 << 10;
/// What most values take. Bytes.
const USUAL: usize = 2 << 10;

impl Stable {
    fn new() -> Self {
        Self { fed: None, waiting: Vec::with_capacity(USUAL) }
    }

    fn whole(&self) -> blake3::Hash {
        match &self.fed {
            Some(fed) => fed.clone().update(&self.waiting).finalize(),
            None => blake3::hash(&self.waiting),
        }
    }
}

impl Hasher for Stable {
    fn write(&mut self, bytes: &[u8]) {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() >= PIECE {
            self.fed.get_or_insert_default().update(&self.waiting);
            self.waiting.clear();
        }
    }

    // `usize` is written as 64 bits on every machine.
    fn write_usize(&mut self, i: usize) {
        self.write(&(i as u64).to_le_bytes());
    }

    fn finish(&self) -> u64 {
        let bytes = self.whole();
        u64::from_le_bytes(bytes.as_bytes()[..8].try_into().expect("eight bytes"))
    }
}
