//! Words for spelling correction.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::inverter::PostingList;

/// The lengths of words that are included.
pub const WORD_LETTERS: RangeInclusive<usize> = 3..=24;

/// The words as lines: a letter for the number of turns that contain the term (`a`, and the next
/// letter for each doubling), and the word.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct SpellingWords {
    by_length: bool,
    /// By length.
    lines: BTreeMap<usize, String>,
}

impl SpellingWords {
    /// Creates an empty list: words by length, or all together under the length 0.
    pub(super) fn new(by_length: bool) -> Self {
        Self { by_length, ..Self::default() }
    }

    /// Adds the words of a term.
    pub(super) fn add(&mut self, list: &PostingList) {
        for word in &list.surfaces {
            let letters = word.chars().count();
            if !WORD_LETTERS.contains(&letters) || !word.chars().all(char::is_alphabetic) {
                continue;
            }
            let lines = self.lines.entry(if self.by_length { letters } else { 0 }).or_default();
            lines.push(char::from(b'a' + list.turns.max(1).ilog2() as u8));
            lines.push_str(word);
            lines.push('\n');
        }
    }

    /// Adds the words of later terms.
    pub(super) fn append(&mut self, other: &Self) {
        for (letters, lines) in &other.lines {
            self.lines.entry(*letters).or_default().push_str(lines);
        }
    }

    /// Returns the lines of each length, in arbitrary order.
    pub(super) fn lines(self) -> impl Iterator<Item = (usize, String)> {
        self.lines.into_iter()
    }
}

/// Sorts lines by word. A word of several terms is included once.
pub(super) fn sorted(lines: &str) -> String {
    let mut all: Vec<(&str, &str)> = lines.lines().map(|line| line.split_at(1)).collect();
    all.sort_unstable_by_key(|(turns, word)| (*word, *turns));
    all.dedup_by_key(|(_, word)| *word);
    all.into_iter().flat_map(|(turns, word)| [turns, word, "\n"]).collect()
}
