//! Numbers for terms and words (string interning).

use rustc_hash::FxHashMap;

/// The number of short texts that are found without the hash table. Their entries fit into the second
/// fastest cache of a processor, and most words of a text are among the commonest.
const COMMON: usize = 1 << 12;

/// A dictionary of terms, numbered from 0 in order of first occurrence.
pub(super) struct TermDictionary {
    /// Short texts that were looked up lately, with their numbers, each at the place for its bytes.
    common: Box<[(u64, u32)]>,
    /// The numbers of texts of at most eight bytes, which most words are, by their bytes. This
    /// needs one lookup and no comparison of texts.
    short: FxHashMap<u64, u32>,
    long: FxHashMap<Box<str>, u32>,
    /// All texts, concatenated.
    texts: String,
    /// The end of each text.
    ends: Vec<usize>,
}

impl Default for TermDictionary {
    fn default() -> Self {
        Self {
            common: vec![(NO_KEY, 0); COMMON].into(),
            short: FxHashMap::default(),
            long: FxHashMap::default(),
            texts: String::new(),
            ends: Vec::new(),
        }
    }
}

impl TermDictionary {
    /// Returns the number of a text, which is added if it is new.
    pub(super) fn id(&mut self, text: &str) -> u32 {
        let next = self.ends.len() as u32;
        let id = match short_key(text) {
            Some(key) => {
                let place = &mut self.common[common_place(key)];
                if place.0 == key {
                    return place.1;
                }
                let id = *self.short.entry(key).or_insert(next);
                *place = (key, id);
                id
            }
            None => match self.long.get(text) {
                Some(id) => *id,
                None => *self.long.entry(text.into()).or_insert(next),
            },
        };
        if id == next {
            self.texts.push_str(text);
            self.ends.push(self.texts.len());
        }
        id
    }

    /// Returns the number of a text, if it was added.
    pub(super) fn get(&self, text: &str) -> Option<u32> {
        match short_key(text) {
            Some(key) => self.short.get(&key),
            None => self.long.get(text),
        }
        .copied()
    }

    /// Returns the text with a number.
    pub(super) fn text(&self, id: u32) -> &str {
        let id = id as usize;
        let start = id.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.texts[start..self.ends[id]]
    }

    /// Returns the number of texts.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }
}

/// A key that no text has: it is not UTF-8.
const NO_KEY: u64 = u64::MAX;

/// Returns the bytes of a text as a number, if there are at most eight and the number is unique.
fn short_key(text: &str) -> Option<u64> {
    let bytes = text.as_bytes();
    // The bytes are padded with zeros.
    if bytes.last() == Some(&0) {
        return None;
    }
    Some(match *bytes {
        [] => 0,
        // Two halves that overlap are faster than single bytes.
        [a, b, c, d, ..] if bytes.len() <= 8 => {
            let start = u64::from(u32::from_le_bytes([a, b, c, d]));
            let end = u64::from(u32::from_le_bytes(*bytes.last_chunk()?));
            start | end << (8 * (bytes.len() - 4))
        }
        [first, .., last] if bytes.len() <= 3 => {
            let middle = u64::from(bytes[bytes.len() / 2]) << (8 * (bytes.len() / 2));
            u64::from(first) | middle | u64::from(last) << (8 * (bytes.len() - 1))
        }
        [only] => u64::from(only),
        _ => return None,
    })
}

/// Returns the place for a key among the common ones.
fn common_place(key: u64) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 52) as usize % COMMON
}

#[cfg(test)]
mod tests {
    use super::TermDictionary;

    #[test]
    fn texts_are_numbered_as_they_come_and_no_two_share_a_number() {
        let texts = [
            "", "a", "a\0", "\0", "a\0b", "ab", "aaa", "aaaa", "aaaaa", "four", "fives", "sevens7",
            "eight888", "nine99999", "日本語", "é",
        ];
        let mut dictionary = TermDictionary::default();
        assert_eq!(dictionary.get("a"), None);
        for _ in 0..2 {
            for (number, text) in (0..).zip(texts) {
                assert_eq!(dictionary.id(text), number, "{text:?}");
                assert_eq!(dictionary.get(text), Some(number));
                assert_eq!(dictionary.text(number), text);
            }
        }
        assert_eq!(dictionary.len(), texts.len());
    }
}
