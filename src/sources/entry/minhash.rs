//! MinHash estimates how similar two texts are: if two texts share most shingles, most buckets of
//! their hashes are equal.
//!
//! This is one-permutation MinHash. Each shingle of five words has a number that selects a bucket,
//! and each bucket keeps the smallest of its numbers.

use serde::{Deserialize, Serialize};

use crate::hash::fnv1a;

/// The number of buckets.
const BUCKETS: usize = 64;
/// The number of words in a shingle.
const SHINGLE_WORDS: usize = 5;
/// The number of buckets that are compared together when looking for similar texts.
const BAND_SIZE: usize = 4;
/// The value of a bucket without a shingle.
const EMPTY_BUCKET: u16 = u16::MAX;

/// The MinHash of a text: the smallest value of each bucket.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct MinHash(Vec<u16>);

impl MinHash {
    /// Estimates the share of shingles that two texts have in common, from 0 to 1.
    pub fn similarity(&self, other: &Self) -> f64 {
        let pairs = self.0.iter().zip(&other.0);
        let used = pairs.clone().filter(|(a, b)| **a != EMPTY_BUCKET || **b != EMPTY_BUCKET);
        let same = used.clone().filter(|(a, b)| a == b).count();
        same as f64 / used.count().max(1) as f64
    }

    /// Returns hashes of bands. Similar texts probably share at least one of them
    /// (locality-sensitive hashing).
    pub fn bands(&self) -> impl Iterator<Item = u64> {
        let bands = self.0.chunks(BAND_SIZE).enumerate();
        bands.filter(|(_, band)| !is_empty(band)).map(|(bucket, band)| {
            let bucket = [bucket as u8].into_iter();
            fnv1a(bucket.chain(band.iter().flat_map(|least| least.to_le_bytes())))
        })
    }
}

fn is_empty(band: &[u16]) -> bool {
    band.iter().all(|bucket| *bucket == EMPTY_BUCKET)
}

/// Computes a [`MinHash`] from pieces of a text.
pub(crate) struct MinHasher {
    buckets: Vec<u64>,
    /// The last words, as numbers.
    shingle: [u64; SHINGLE_WORDS],
    /// The number of words so far.
    words: usize,
}

impl Default for MinHasher {
    fn default() -> Self {
        Self { buckets: vec![u64::MAX; BUCKETS], shingle: [0; SHINGLE_WORDS], words: 0 }
    }
}

impl MinHasher {
    /// Adds the words of a text.
    pub(crate) fn add(&mut self, text: &str) {
        let words = text.split(|c: char| !c.is_alphanumeric());
        for word in words.filter(|word| !word.is_empty()) {
            self.shingle.rotate_left(1);
            self.shingle[SHINGLE_WORDS - 1] = fnv1a(word.to_lowercase().bytes());
            self.words += 1;
            if self.words < SHINGLE_WORDS {
                continue;
            }
            let shingle = fnv1a(self.shingle.iter().flat_map(|word| word.to_le_bytes()));
            let bucket = &mut self.buckets[shingle as usize % BUCKETS];
            *bucket = (*bucket).min(shingle / BUCKETS as u64);
        }
    }

    pub(crate) fn finish(self) -> MinHash {
        // The smallest of many numbers differ mostly in their low bits.
        let short = |bucket: u64| match bucket {
            u64::MAX => EMPTY_BUCKET,
            bucket => (bucket % u64::from(EMPTY_BUCKET)) as u16,
        };
        MinHash(self.buckets.into_iter().map(short).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::{MinHash, MinHasher};

    fn minhash(text: &str) -> MinHash {
        let mut minhasher = MinHasher::default();
        minhasher.add(text);
        minhasher.finish()
    }

    fn text(from: usize, to: usize) -> String {
        (from..to).map(|word| format!("word{word} ")).collect()
    }

    #[test]
    fn similarity_measures_common_text() {
        let whole = minhash(&text(0, 1000));
        assert!((whole.similarity(&minhash(&text(0, 1000).to_uppercase())) - 1.0).abs() < 1e-9);
        assert!(whole.similarity(&minhash(&text(1000, 2000))) < 0.1);
        // 950 of 1050 shingles, and 500 of 1500.
        assert!((whole.similarity(&minhash(&text(50, 1050))) - 0.9).abs() < 0.1);
        assert!((whole.similarity(&minhash(&text(500, 1500))) - 0.33).abs() < 0.17);
    }

    #[test]
    fn similar_texts_share_a_band() {
        let bands = |text: &str| -> Vec<u64> { minhash(text).bands().collect() };
        let whole = bands(&text(0, 1000));
        assert!(bands(&text(30, 1030)).iter().any(|band| whole.contains(band)));
        assert!(!bands(&text(2000, 3000)).iter().any(|band| whole.contains(band)));
        assert!(bands("too few words").is_empty());
    }
}
