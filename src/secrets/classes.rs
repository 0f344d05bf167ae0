//! Sets of ASCII characters, and word boundaries.

/// A set of ASCII characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Class(u128);

impl Class {
    pub(super) const EMPTY: Class = Class(0);
    pub(super) const DIGITS: Class = Class::range(Class::EMPTY, b'0', b'9');
    pub(super) const ALPHANUMERIC: Class =
        Class::range(Class::range(Class::DIGITS, b'A', b'Z'), b'a', b'z');
    /// Both Base64 alphabets, without padding.
    pub(super) const BASE64: Class = Class::ALPHANUMERIC.and(b"+/-_");
    /// Characters of names in source code.
    pub(super) const NAME: Class = Class::ALPHANUMERIC.and(b"_-.");

    /// Characters of values with a prefix.
    pub(super) const VALUE: Class = Class::BASE64.and(b".=@:%~!$#&;,*");

    /// Adds a range of characters.
    pub(super) const fn range(self, first: u8, last: u8) -> Class {
        let mut class = self;
        let mut byte = first;
        while byte <= last && byte < 128 {
            class.0 |= 1 << byte;
            byte += 1;
        }
        class
    }

    /// Adds some characters.
    pub(super) const fn and(self, bytes: &[u8]) -> Class {
        let mut class = self;
        let mut rest = bytes;
        while let [first, tail @ ..] = rest {
            class = class.range(*first, *first);
            rest = tail;
        }
        class
    }

    /// Removes some characters.
    pub(super) const fn without(self, bytes: &[u8]) -> Class {
        Class(self.0 & !Class::EMPTY.and(bytes).0)
    }

    #[inline]
    pub(super) const fn has(self, byte: u8) -> bool {
        byte < 128 && self.0 >> byte & 1 == 1
    }

    /// Returns whether this is a subset of another set.
    pub(super) const fn is_in(self, other: Class) -> bool {
        self.0 & !other.0 == 0
    }

    /// Returns all characters of the set, in order.
    pub(super) fn bytes(self) -> Vec<u8> {
        (0..128).filter(|byte| self.has(*byte)).collect()
    }

    /// Returns how many bytes starting at `at` are in the set, up to `most`.
    pub(super) fn run(self, bytes: &[u8], at: usize, most: usize) -> usize {
        let rest = bytes.get(at..).unwrap_or_default();
        rest.iter().take(most).take_while(|byte| self.has(**byte)).count()
    }

    /// Returns how many bytes before `at` are in the set, up to `most`.
    pub(super) fn run_back(self, bytes: &[u8], at: usize, most: usize) -> usize {
        let before = bytes.get(..at).unwrap_or_default();
        before.iter().rev().take(most).take_while(|byte| self.has(**byte)).count()
    }
}

/// Returns whether a word may begin at `at`, that is, the character before it is not part of a word. The
/// end of an escape (`\n`, `\u0022`, `%3D`) is not part of a word.
pub(super) fn begins_word(bytes: &[u8], at: usize) -> bool {
    let before = bytes.get(..at).unwrap_or_default();
    match before {
        [.., b'\\', b'n' | b'r' | b't'] => true,
        [.., b'%', a, b] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => true,
        [.., b'\\', b'u', b'0', b'0', a, b] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => {
            true
        }
        [.., last] => !Class::ALPHANUMERIC.and(b"_").has(*last),
        [] => true,
    }
}

/// Returns whether a word may end before `at`.
pub(super) fn ends_word(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_none_or(|byte| !Class::ALPHANUMERIC.and(b"_").has(*byte))
}

/// Returns the number of distinct bytes of a value.
pub(super) fn distinct(value: &str) -> u32 {
    value.bytes().fold(0_u128, |seen, byte| seen | 1 << (byte & 127)).count_ones()
}

/// Returns the number of bytes at the start of a text that can be part of a value.
pub fn value_len(text: &str) -> usize {
    Class::VALUE.run(text.as_bytes(), 0, text.len())
}

/// Returns the number of bytes at the end of a text that can be part of a value.
pub fn value_len_back(text: &str) -> usize {
    Class::VALUE.run_back(text.as_bytes(), text.len(), text.len())
}
