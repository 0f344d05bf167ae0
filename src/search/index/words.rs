//! The words that a mistyped one may be mended to.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::gather::List;

/// Letters of the words that are kept.
pub(super) const LETTERS: RangeInclusive<usize> = 3..=24;

/// Lines of words: a letter from `a` for how many turns have the term, each next one for twice
/// as many, and the word.
#[derive(Default)]
pub(super) struct Words {
    by_length: bool,
    /// By the number of their letters.
    lines: BTreeMap<usize, String>,
}

impl Words {
    /// Those of each length for themselves, or all together as those of no letters.
    pub(super) fn new(by_length: bool) -> Self {
        Self { by_length, ..Self::default() }
    }

    /// Adds the words of a term.
    pub(super) fn add(&mut self, list: &List) {
        for word in &list.surfaces {
            let letters = word.chars().count();
            if !LETTERS.contains(&letters) || !word.chars().all(char::is_alphabetic) {
                continue;
            }
            let lines =
                self.lines.entry(if self.by_length { letters } else { 0 }).or_default();
            lines.push(char::from(b'a' + list.turns.max(1).ilog2() as u8));
            lines.push_str(word);
            lines.push('\n');
        }
    }

    /// The lines of each length, in no order.
    pub(super) fn lines(self) -> impl Iterator<Item = (usize, String)> {
        self.lines.into_iter()
    }
}

/// The lines in the order of their words. What several terms stand for is there once.
pub(super) fn sorted(lines: &str) -> String {
    let mut all: Vec<(&str, &str)> = lines.lines().map(|line| line.split_at(1)).collect();
    all.sort_unstable_by_key(|(turns, word)| (*word, *turns));
    all.dedup_by_key(|(_, word)| *word);
    all.into_iter().flat_map(|(turns, word)| [turns, word, "\n"]).collect()
}
