//! The weights of terms in turns, and the final form of lists.

use serde::{Deserialize, Serialize};

use super::inverter::PostingList;
use super::spelling::SpellingWords;

/// What the weights of lists, and what belongs to them, depend on besides the lists.
pub(super) struct Weighing {
    /// Number of turns of the segment.
    pub(super) turns: u64,
    /// The mean number of words of turns.
    pub(super) mean: f64,
    /// See [`super::file_counts::FileCounts::by_length`].
    pub(super) by_length: bool,
}

impl Weighing {
    /// Returns whether a term is so common that queries with other words ignore it as a stop word.
    fn is_common(&self, turns: u32) -> bool {
        turns >= COMMON_MIN_TURNS && u64::from(turns) * COMMON_SHARE > self.turns
    }

    /// Returns whether the list of a term is stored with one bit for each turn.
    fn is_dense(&self, turns: u32) -> bool {
        turns >= COMMON_MIN_TURNS && u64::from(turns) * DENSE_SHARE > self.turns
    }

    /// Returns whether the terms of a file are common, and their lists dense, as they were when it was made.
    pub(super) fn is_same_for(&self, of: &OfPostings) -> bool {
        of.long.iter().all(|(turns, is_common, is_dense)| {
            self.is_common(*turns) == *is_common && self.is_dense(*turns) == *is_dense
        })
    }
}

/// What a file of postings contributes to other files.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct OfPostings {
    pub(super) words: SpellingWords,
    /// Its very common terms, with the number of their turns.
    pub(super) common: Vec<(String, u32)>,
    /// For each list of many turns: their number, and whether it is that of a common term, and dense.
    long: Vec<(u32, bool, bool)>,
}

impl OfPostings {
    pub(super) fn new(weighing: &Weighing) -> Self {
        Self { words: SpellingWords::new(weighing.by_length), ..Self::default() }
    }

    /// Adds a term, and gives its list its final form.
    pub(super) fn add(
        &mut self,
        term: &str,
        list: &mut PostingList,
        has_positions: bool,
        by: &Weighing,
    ) {
        let (is_common, is_dense) = (by.is_common(list.turns), by.is_dense(list.turns));
        if list.turns >= COMMON_MIN_TURNS {
            self.long.push((list.turns, is_common, is_dense));
        }
        if is_common {
            if !term.contains(':') {
                self.common.push((term.to_owned(), list.turns));
            }
            flatten(list, by.mean);
        }
        if is_dense {
            list.make_dense();
        }
        let least = if by.by_length { 2 } else { 1 };
        if list.turns >= least && (has_positions || is_name(term)) {
            self.words.add(list);
        }
    }
}

/// The minimum number of turns of a common term. Terms in fewer turns are cheap.
const COMMON_MIN_TURNS: u32 = 20_000;
/// A common term occurs in more than one turn of this many.
const COMMON_SHARE: u64 = 8;

/// Returns whether a term is a word of a speaker's name.
fn is_name(term: &str) -> bool {
    term.ends_with(':') && !term.contains(' ')
}

/// A term that occurs in more than one turn of this many is stored with one bit for each turn,
/// which takes less space.
const DENSE_SHARE: u64 = 5;

/// The number of turns of a common term that keep their weights (its champion list).
const CHAMPIONS: usize = 1000;

/// The factor by which a title counts more than a turn.
pub const TITLE_WEIGHT: u32 = 2;

/// Gives all but the best turns of a common term the same weight: with other words the term is
/// ignored, and alone only the first results need an order.
fn flatten(list: &mut PostingList, mean: f64) {
    let weigh = |((count, len), is_title): (&(u8, u16), bool)| {
        // The bytes store third powers of weights.
        u32::from(weight(*count, *len, mean)) * if is_title { TITLE_WEIGHT.pow(3) } else { 1 }
    };
    let titles = list.titles();
    let weights = list.counts.iter().zip(titles).map(weigh);
    let weights: Vec<u32> = weights.collect();
    let mut sorted = weights.clone();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    let Some(least) = sorted.get(CHAMPIONS).copied() else { return };
    for (counts, _) in list.counts.iter_mut().zip(weights).filter(|(_, it)| *it <= least) {
        *counts = (u8::from(counts.0 > 0), u16::MAX);
    }
}

/// The highest weight of a term in a turn.
pub const MAX_WEIGHT: u8 = 200;

/// Returns the BM25 weight of a turn that contains a term `count` times among `len` words, where
/// turns have `mean` words on average, with the parameters 1.2 and 0.75. The weights 0 to 2.2
/// become 0 to [`MAX_WEIGHT`] by the third power, which is precise for the first ten results and
/// coarse for the rest. By measurement, it finds 98 of 100 results of exact weights; linear steps
/// take more space and find 97.
pub(super) fn weight(count: u8, len: u16, mean: f64) -> u8 {
    if count == 0 {
        return 0;
    }
    let (count, len) = (f64::from(count), f64::from(len) / mean.max(1.0));
    let weight = count * 2.2 / (count + 1.2 * (0.25 + 0.75 * len));
    let steps = (weight / 2.2).powi(3) * f64::from(MAX_WEIGHT);
    (steps.round() as u8).clamp(1, MAX_WEIGHT)
}

/// Rounds the mean number of words of turns to a step of 5 %, so that an edit hardly ever changes the weights of
/// other turns.
pub(super) fn stable_mean(mean: f64) -> f64 {
    let mut step = 1.0;
    while step * 1.05 <= mean {
        step *= 1.05;
    }
    step
}

#[cfg(test)]
mod tests {
    use super::super::super::varint::put_number;
    use super::{CHAMPIONS, PostingList, flatten};

    #[test]
    fn a_common_word_keeps_the_weights_of_titles() {
        let mut list = PostingList::default();
        for _ in 0..CHAMPIONS * 6 / 10 {
            // A title, and a shorter turn.
            put_number(0, &mut list.places);
            put_number(1 << 1 | 1, &mut list.places);
            list.counts.extend([(1, 8), (1, 4)]);
        }
        flatten(&mut list, 40.0);
        let lens = list.counts.iter().map(|(_, len)| *len);
        assert!(lens.clone().step_by(2).all(|len| len == 8));
        assert!(lens.skip(1).step_by(2).all(|len| len == u16::MAX));
    }
}
