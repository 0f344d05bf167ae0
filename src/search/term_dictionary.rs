//! Terms and words, each known by a number.

use rustc_hash::FxHashMap;

/// A dictionary of terms: it numbers them from 0 in the order in which they are first seen.
#[derive(Default)]
pub(super) struct TermDictionary {
    /// The numbers of texts of at most eight bytes, which most words are, by their bytes: a look at
    /// one table, without a comparison of texts that stand elsewhere.
    short: FxHashMap<u64, u32>,
    long: FxHashMap<Box<str>, u32>,
    /// All texts, one after the other.
    texts: String,
    /// Where each of them ends.
    ends: Vec<usize>,
}

impl TermDictionary {
    /// Returns the number of a text, which it has from now on.
    pub(super) fn id(&mut self, text: &str) -> u32 {
        let next = self.ends.len() as u32;
        let id = match short_key(text) {
            Some(key) => *self.short.entry(key).or_insert(next),
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

    /// Returns the number of a text, if it has one.
    pub(super) fn get(&self, text: &str) -> Option<u32> {
        match short_key(text) {
            Some(key) => self.short.get(&key),
            None => self.long.get(text),
        }
        .copied()
    }

    /// Returns the text of a number.
    pub(super) fn text(&self, id: u32) -> &str {
        let id = id as usize;
        let start = id.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.texts[start..self.ends[id]]
    }

    /// Returns how many texts there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }
}

/// Returns the bytes of a text as a number, if these are at most eight and no other text gives the same
/// one.
fn short_key(text: &str) -> Option<u64> {
    let bytes = text.as_bytes();
    let mut key = [0; 8];
    key.get_mut(..bytes.len())?.copy_from_slice(bytes);
    // After the last byte stand zeros.
    (bytes.last() != Some(&0)).then_some(u64::from_le_bytes(key))
}

#[cfg(test)]
mod tests {
    use super::TermDictionary;

    #[test]
    fn texts_are_numbered_as_they_come_and_no_two_share_a_number() {
        let texts = ["", "a", "a\0", "\0", "a\0b", "eight888", "nine99999", "日本語", "é"];
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
