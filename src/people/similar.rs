//! The report about words that are similar to a name and were kept.

use std::collections::BTreeMap;

use super::names::NearWord;
use crate::diag::{Diagnostic, Severity};
use crate::text::{Languages, plural};

/// The number of such words in the conversations of a source.
#[derive(Clone, Copy, Default)]
pub(super) struct Near {
    count: usize,
    /// The line of the first one, if known.
    line: Option<u32>,
}

/// Such words in one conversation.
#[derive(Default)]
pub(super) struct NearWords(BTreeMap<NearWord, Near>);

impl NearWords {
    /// Adds the words of a text that starts at a line.
    pub(super) fn add(&mut self, words: Vec<NearWord>, line: Option<u32>) {
        for word in words {
            self.0.entry(word).or_default().add(Near { count: 1, line });
        }
    }

    /// Counts the words that may be names. `languages` returns the languages of the conversation.
    pub(super) fn count(self, languages: impl FnOnce() -> Languages) -> Near {
        let languages = match self.0.keys().any(|word| *word != NearWord::Rare) {
            true => languages(),
            false => Languages::ENGLISH,
        };
        let of_names = self.0.into_iter().filter(|(word, _)| word.may_be_name(languages));
        let of_names: Vec<Near> = of_names.map(|(_, near)| near).collect();
        Near {
            count: of_names.iter().map(|near| near.count).sum(),
            line: of_names.iter().filter_map(|near| near.line).min(),
        }
    }
}

impl Near {
    /// Adds the words of another conversation.
    pub(super) fn add(&mut self, other: Self) {
        self.count += other.count;
        self.line = self.line.or(other.line);
    }

    /// Returns the diagnostic; `None` if there are no such words.
    pub(super) fn note(self) -> Option<Diagnostic> {
        let words = plural(self.count as u64, "word", "words");
        let place = self.line.map(|line| format!(", first in the turn at line {line}"));
        let message =
            format!("kept {words} similar to a replaced name{}", place.unwrap_or_default());
        let note = Diagnostic::new(Severity::Hint, "near-name", message);
        let note = note.hint(
            "if it refers to a person, add this spelling to the `names` of that person in \
             `[people]`",
        );
        (self.count > 0).then_some(note)
    }
}
