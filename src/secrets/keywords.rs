//! Finds keywords in a text, in any case.
//!
//! A table of the first three bytes of all keywords skips most places. It fits into the fastest cache of a
//! processor, unlike an automaton of all keywords, and no lookup waits for the one before.

use std::ops::Range;

use rustc_hash::FxHashMap;

/// Keywords, numbered from 0.
pub(super) struct Keywords {
    /// The class of each byte, in any case. Class 0 has the bytes that begin no keyword.
    classes: [u8; 256],
    /// Whether a keyword begins with three bytes of these classes: one bit for each code.
    begins: Box<[u64; CODES / 64]>,
    /// The keywords, in lower case, by the codes of their beginnings.
    by_code: FxHashMap<u32, Vec<(Vec<u8>, usize)>>,
}

/// The number of bytes at which keywords are recognised.
const BEGINNING: usize = 3;
/// The number of bits for the class of a byte.
const CLASS_BITS: u32 = 6;
/// The number of codes of beginnings.
const CODES: usize = 1 << (CLASS_BITS * BEGINNING as u32);
/// The largest code of a beginning.
const MAX_CODE: u32 = CODES as u32 - 1;

impl Keywords {
    /// Collects keywords of at least two bytes. Shorter ones are not found.
    pub(super) fn new<'a>(words: impl Iterator<Item = &'a str>) -> Self {
        let words: Vec<Vec<u8>> =
            words.map(|word| word.to_ascii_lowercase().into_bytes()).collect();
        let beginnings = words.iter().flat_map(|word| word.iter().take(BEGINNING));
        let mut bytes: Vec<u8> = beginnings.copied().collect();
        bytes.sort_unstable();
        bytes.dedup();
        let mut classes = [0; 256];
        // If there are too many bytes, some share a class, which only costs comparisons.
        for (byte, class) in bytes.iter().zip((1..1 << CLASS_BITS).cycle()) {
            for case in [*byte, byte.to_ascii_uppercase()] {
                classes.get_mut(usize::from(case)).into_iter().for_each(|of| *of = class);
            }
        }
        let begins = Box::new([0; CODES / 64]);
        let mut keywords = Self { classes, begins, by_code: FxHashMap::default() };
        for (number, word) in words.into_iter().enumerate() {
            keywords.add(word, number);
        }
        keywords
    }

    fn add(&mut self, word: Vec<u8>, number: usize) {
        let code_of = |bytes: &[u8]| bytes.iter().fold(0, |code, byte| self.next(code, *byte));
        let codes: Vec<u32> = match &*word {
            [a, b, c, ..] => vec![code_of(&[*a, *b, *c])],
            // Any byte may follow.
            [a, b] => {
                let code = code_of(&[*a, *b]) << CLASS_BITS & MAX_CODE;
                (0..1 << CLASS_BITS).map(|class| code | class).collect()
            }
            _ => Vec::new(),
        };
        for code in codes {
            if let Some(bits) = self.begins.get_mut(code as usize / 64) {
                *bits |= 1 << (code % 64);
            }
            self.by_code.entry(code).or_default().push((word.clone(), number));
        }
    }

    /// Calls `found` with the range and the number of each keyword in a text, in the order of their starts.
    pub(super) fn each(&self, text: &str, mut found: impl FnMut(Range<usize>, usize)) {
        let bytes = text.as_bytes();
        let mut code = 0;
        // A keyword of two bytes may end the text.
        bytes.iter().chain(&[0]).enumerate().for_each(|(end, byte)| {
            code = self.next(code, *byte);
            let bits = self.begins.get(code as usize / 64).copied().unwrap_or_default();
            if bits >> (code % 64) & 1 == 0 {
                return;
            }
            let Some(start) = (end + 1).checked_sub(BEGINNING) else { return };
            let rest = bytes.get(start..).unwrap_or_default();
            for (word, number) in self.by_code.get(&code).into_iter().flatten() {
                if rest.get(..word.len()).is_some_and(|here| here.eq_ignore_ascii_case(word)) {
                    found(start..start + word.len(), *number);
                }
            }
        });
    }

    /// Returns whether a text contains a keyword.
    pub(super) fn is_any_in(&self, text: &str) -> bool {
        let mut is_any = false;
        self.each(text, |_, _| is_any = true);
        is_any
    }

    /// Adds a byte to a code.
    fn next(&self, code: u32, byte: u8) -> u32 {
        let class = self.classes.get(usize::from(byte)).copied().unwrap_or_default();
        (code << CLASS_BITS | u32::from(class)) & MAX_CODE
    }
}

#[cfg(test)]
mod tests {
    use super::Keywords;

    #[test]
    fn every_keyword_is_found_wherever_it_is() {
        let words = ["ghp_", "key", "keys", "k-", "pass", "ass", "-----begin", "é!x", "SK"];
        let keywords = Keywords::new(words.into_iter());
        for text in [
            "", "k", "k-", "K-", "sk", "a key", "keys", "Passkeys", "GHP_key", "-----BEGIN key",
            "ghp", "ké!x", "é!X", "\0k-\0", "skKey passKEYk-",
        ] {
            let mut found = Vec::new();
            keywords.each(text, |range, number| found.push((range.start, range.end, number)));
            let lower = text.to_ascii_lowercase();
            let mut expected = Vec::new();
            for (number, word) in words.iter().enumerate() {
                let word = word.to_ascii_lowercase();
                let is_here = |at: &usize| lower.as_bytes()[*at..].starts_with(word.as_bytes());
                let places = (0..lower.len()).filter(is_here);
                expected.extend(places.map(|at| (at, at + word.len(), number)));
            }
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected, "{text:?}");
            assert_eq!(keywords.is_any_in(text), !expected.is_empty(), "{text:?}");
        }
    }

    #[test]
    fn more_kinds_of_bytes_than_classes_only_cost_time() {
        let words: Vec<String> = (' '..'\u{2ff}').map(|c| format!("{c}{c}a")).collect();
        let keywords = Keywords::new(words.iter().map(String::as_str));
        for word in &words {
            assert!(keywords.is_any_in(&format!("x{word}x")), "{word}");
        }
        assert!(!keywords.is_any_in("no two are the same"));
    }
}
