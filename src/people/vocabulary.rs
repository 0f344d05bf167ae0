//! The words of a conversation, to search only for names that can occur in it. This keeps the number of
//! names within the limit.

use std::collections::HashSet;

use super::others::Other;
use crate::hash::Hash;
use crate::model::{Conversation, TextRole, TextVisitor};
use crate::rendered_text::RenderedText;

/// The total size of names in bytes up to which words are not compared, only lengths.
const FEW_BYTES: usize = 64 << 10;

/// The content of the texts of a conversation.
pub(super) struct Vocabulary {
    bytes: usize,
    /// Hashes of the words; `None` if there are few names.
    words: Option<HashSet<Hash>>,
}

impl Vocabulary {
    /// Collects the vocabulary of all texts except names of speakers, which are replaced as a whole.
    pub(super) fn of(read: &mut Conversation, others: &[Other]) -> Self {
        let bytes: usize = others.iter().map(|other| other.name.len()).sum();
        let words = (bytes > FEW_BYTES).then(HashSet::new);
        let mut vocabulary = Self { bytes: 0, words };
        if !others.is_empty() {
            read.visit_texts(&mut vocabulary);
        }
        vocabulary
    }

    /// Returns whether the texts may contain a name or a part of it.
    pub(super) fn may_have(&self, name: &str) -> bool {
        let is_there = |words: &HashSet<Hash>| hashes(name).any(|word| words.contains(&word));
        let shortest = name.split_whitespace().map(str::len).min().unwrap_or_default();
        shortest <= self.bytes && self.words.as_ref().is_none_or(is_there)
    }
}

impl TextVisitor for Vocabulary {
    fn text(&mut self, role: TextRole, text: &mut String) {
        if role == TextRole::Name {
            return;
        }
        self.bytes += text.len();
        if let Some(words) = &mut self.words {
            words.extend(hashes(text));
            for view in RenderedText::without_markup(text, true) {
                words.extend(hashes(view.text()));
            }
        }
    }
}

/// Returns the hashes of the words of a text.
fn hashes(text: &str) -> impl Iterator<Item = Hash> {
    let seen = RenderedText::folded(text).text().to_owned();
    let words: Vec<Hash> = seen
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(Hash::of)
        .collect();
    words.into_iter()
}
