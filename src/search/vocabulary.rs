//! The words of many texts and their stems, by number.
//!
//! Most words occur in many texts. A known word costs one lookup, and neither memory nor stemming.

use super::term_dictionary::TermDictionary;
use super::tokenizer::{Stemmer, Term};

/// The maximum number of words that are kept between texts, which bounds the memory of a thread.
const MAX_WORDS: usize = 50_000;

/// The number of a word.
pub(super) type WordId = u32;

/// The words of texts in languages with the same stemmer.
#[derive(Default)]
pub(super) struct Vocabulary {
    words: TermDictionary,
    /// The stems of words, where they were needed.
    stems: Vec<Option<WordId>>,
    /// The stemmer of these stems.
    stemmer: Option<Stemmer>,
}

impl Vocabulary {
    /// Prepares for a text. Keeps the known words, unless there are too many or their stems are of
    /// another language; then forgets all of them and returns `true`.
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

    /// Returns the word with a number.
    pub(super) fn text(&self, id: WordId) -> &str {
        self.words.text(id)
    }

    /// Returns the number of words.
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }
}
