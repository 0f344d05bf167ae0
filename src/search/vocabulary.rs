//! The words of many texts, each known by a number.
//!
//! Texts repeat the words of other texts. One that was seen before costs a look at a table, and
//! neither memory nor stemming.

use rustc_hash::FxHashMap;

use super::tokenizer::{Stemmer, Term};

/// The most words that are kept from one text for the next. It bounds the memory of a thread.
const MAX_WORDS: usize = 50_000;

/// The number of a word.
pub(super) type WordId = u32;

/// The words of texts in languages that have one stemmer.
#[derive(Default)]
pub(super) struct Vocabulary {
    ids: FxHashMap<Box<str>, WordId>,
    words: Vec<Word>,
    /// By which stemmer the stems were made.
    stemmer: Option<Stemmer>,
}

struct Word {
    text: Box<str>,
    stem: Option<WordId>,
}

impl Vocabulary {
    /// Prepares for a text. Words of before stay, unless they are too many or their stems are those
    /// of another language; then all are forgotten, and `true` is returned.
    pub(super) fn begin(&mut self, stemmer: Stemmer) -> bool {
        if self.stemmer == Some(stemmer) && self.words.len() <= MAX_WORDS {
            return false;
        }
        *self = Self { stemmer: Some(stemmer), ..Self::default() };
        true
    }

    /// Returns the number of a word.
    pub(super) fn id(&mut self, text: &str) -> WordId {
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        let id = self.words.len() as WordId;
        self.ids.insert(text.into(), id);
        self.words.push(Word { text: text.into(), stem: None });
        id
    }

    /// Returns the number of the stem of a term whose surface has the number `surface`.
    pub(super) fn stem(&mut self, surface: WordId, term: &Term<'_>) -> WordId {
        if let Some(stem) = self.words[surface as usize].stem {
            return stem;
        }
        let stem = self.id(&term.stem());
        self.words[surface as usize].stem = Some(stem);
        stem
    }

    /// Returns the word of a number.
    pub(super) fn text(&self, id: WordId) -> &str {
        &self.words[id as usize].text
    }

    /// Returns the number of words.
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }
}
