//! The words of many texts and their stems, by number.
//!
//! Texts repeat the words of other texts. One that was seen before costs a look at a table, and
//! neither memory nor stemming.

use super::term_dictionary::TermDictionary;
use super::tokenizer::{Stemmer, Term};

/// The most words that are kept from one text for the next. It bounds the memory of a thread.
const MAX_WORDS: usize = 50_000;

/// The number of a word.
pub(super) type WordId = u32;

/// The words of texts in languages that have one stemmer.
#[derive(Default)]
pub(super) struct Vocabulary {
    words: TermDictionary,
    /// The stem of each word that was asked for.
    stems: Vec<Option<WordId>>,
    /// By which stemmer the stems were made.
    stemmer: Option<Stemmer>,
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
        self.words.id(text)
    }

    /// Returns the number of the stem of a term whose surface has the number `surface`.
    pub(super) fn stem(&mut self, surface: WordId, term: &Term<'_>) -> WordId {
        let place = surface as usize;
        if let Some(stem) = self.stems.get(place).copied().flatten() {
            return stem;
        }
        let stem = self.words.id(&term.stem());
        self.stems.resize(self.words.len(), None);
        self.stems[place] = Some(stem);
        stem
    }

    /// Returns the word of a number.
    pub(super) fn text(&self, id: WordId) -> &str {
        self.words.text(id)
    }

    /// Returns the number of words.
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }
}
