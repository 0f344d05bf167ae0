//! Reproducible pseudo-random numbers and texts for examples.

use super::shape::{Part, Shape};

/// A pseudo-random number generator with a seed (SplitMix64).
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `end`.
    pub(super) fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).unwrap_or(1).max(1);
        usize::try_from(self.next() % end).unwrap_or_default()
    }

    /// Returns one of several texts.
    pub(super) fn of<'a>(&mut self, some: &[&'a str]) -> &'a str {
        some.get(self.below(some.len())).copied().unwrap_or_default()
    }

    /// Returns one of several characters; at the start or end of a word, a letter or digit.
    fn character(&mut self, bytes: &[u8], ends: bool) -> char {
        loop {
            let at = self.below(bytes.len());
            let byte = bytes.get(at).copied().unwrap_or(b'0');
            if !ends || byte.is_ascii_alphanumeric() {
                return char::from(byte);
            }
        }
    }

    /// Returns `count` characters of a class in pattern syntax, without the brackets.
    pub(super) fn text(&mut self, class: &str, count: usize) -> String {
        let bytes = match Shape::read(&format!("[{class}]{{1}}")).map(|shape| shape.parts) {
            Some(parts) => match parts.first() {
                Some(Part::Run { class, .. }) => class.bytes(),
                _ => Vec::new(),
            },
            None => Vec::new(),
        };
        self.characters(&bytes, count)
    }

    /// Returns `count` characters, including a digit and a letter if possible.
    pub(super) fn characters(&mut self, bytes: &[u8], count: usize) -> String {
        let digits: Vec<u8> = bytes.iter().copied().filter(u8::is_ascii_digit).collect();
        let letters: Vec<u8> = bytes.iter().copied().filter(u8::is_ascii_alphabetic).collect();
        let mut made = String::with_capacity(count);
        for place in 0..count {
            let from = match place {
                3 if count >= 10 && !digits.is_empty() => &digits,
                4 if count >= 10 && !letters.is_empty() => &letters,
                _ => bytes,
            };
            made.push(self.character(from, place == 0 || place + 1 == count));
        }
        made
    }
}
