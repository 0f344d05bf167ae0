//! Numbers for terms and words (string interning).

use rustc_hash::FxHashMap;

/// A dictionary of terms, numbered from 0 in order of first occurrence.
#[derive(Default)]
pub(super) struct TermDictionary {
    /// The numbers of texts of at most eight bytes, which most words are, by their bytes. This
    /// needs one lookup and no comparison of texts.
    short: FxHashMap<u64, u32>,
    long: FxHashMap<Box<str>, u32>,
    /// All texts, concatenated.
    texts: String,
    /// The end of each text.
    ends: Vec<usize>,
}

impl TermDictionary {
    /// Returns the number of a text, which is added if it is new.
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

/// Returns the bytes of a text as a number, if there are at most eight and the number is unique.
fn short_key(text: &str) -> Option<u64> {
    let bytes = text.as_bytes();
    let mut key = [0; 8];
    key.get_mut(..bytes.len())?.copy_from_slice(bytes);
    // The bytes are padded with zeros.
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
