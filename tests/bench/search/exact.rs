//! The results of an index without rounding.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use convo_site::query::filters::name_words;
use convo_site::search::tokenizer::{Stemmer, terms};
use convo_site::search::turns::{plain_text, texts};
use serde_json::Value;

use crate::queries::Dice;
use crate::{BEST, TYPOS};

/// The weight of a word in the speaker name or in the title.
const OUTER_WEIGHT: f64 = 0.5;

/// Every turn with its terms: the content of the published index, without its rounding.
#[derive(Default)]
pub(crate) struct Exact {
    pub(crate) turns: Vec<ExactTurn>,
    /// The number of words in them.
    pub(crate) words: u64,
    /// Conversations by their titles.
    pub(crate) titles: HashMap<String, usize>,
    /// For each term, its turns and its frequency in each.
    pub(crate) lists: HashMap<String, Vec<(usize, u32)>>,
    /// For each term, the turns whose speaker name contains it.
    pub(crate) names: HashMap<String, Vec<usize>>,
    /// The frequency of each word.
    pub(crate) surfaces: BTreeMap<String, u32>,
}

pub(crate) struct ExactTurn {
    pub(crate) conversation: usize,
    pub(crate) len: u32,
    pub(crate) is_title: bool,
}

/// The results of a query.
pub(crate) struct Found {
    /// Number of turns.
    pub(crate) turns: usize,
    /// The score of each conversation.
    pub(crate) scores: BTreeMap<usize, f64>,
}

impl Exact {
    pub(crate) fn new(sources: &[String]) -> Self {
        let mut exact = Self::default();
        for source in sources {
            let (read, _) = convo_site::formats::read("x.convo", source.as_bytes());
            for conversation in read {
                let language = conversation.languages.first().map_or("en", |tag| tag);
                let stemmer = Stemmer::of(language);
                let title = conversation.title.as_deref().expect("a title");
                // Pages show the same text.
                let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
                let first = format!("{title}\n{}", plain_text(&conversation.preface).0);
                let number = exact.titles.len();
                let known = exact.titles.insert(title, number);
                assert!(known.is_none(), "titles tell conversations apart");
                exact.add(number, &first, stemmer, true);
                for (turn, text) in texts(&conversation) {
                    name_words(&turn.speaker, stemmer, |term| {
                        let list = exact.names.entry(term.stem()).or_default();
                        list.push(exact.turns.len());
                    });
                    exact.add(number, &text.text, stemmer, false);
                }
            }
        }
        exact
    }

    pub(crate) fn add(
        &mut self,
        conversation: usize,
        text: &str,
        stemmer: Stemmer,
        is_title: bool,
    ) {
        let turn = self.turns.len();
        let len = terms(text, stemmer, |found| {
            let list = self.lists.entry(found.stem()).or_default();
            match list.last_mut() {
                Some((last, count)) if *last == turn => *count += 1,
                _ => list.push((turn, 1)),
            }
            *self.surfaces.entry(found.surface.to_owned()).or_default() += 1;
        });
        self.words += u64::from(len);
        self.turns.push(ExactTurn { conversation, len, is_title });
    }

    /// The turns that contain one of some terms, with the BM25 score of each.
    pub(crate) fn either(&self, terms: &[String]) -> BTreeMap<usize, f64> {
        let mean = self.words as f64 / self.turns.len() as f64;
        let mut all: BTreeMap<usize, f64> = BTreeMap::new();
        for (turn, count) in terms.iter().filter_map(|term| self.lists.get(term)).flatten() {
            let (count, len) = (f64::from(*count), f64::from(self.turns[*turn].len));
            let weight = count * 2.2 / (count + 1.2 * (0.25 + 0.75 * len / mean));
            let known = all.entry(*turn).or_default();
            *known = known.max(weight);
        }
        all
    }

    /// The turns that match all items of a query: at least one in their text or speaker name, and the
    /// others there or in the title.
    pub(crate) fn find(&self, items: &[Vec<String>]) -> Found {
        let places: Vec<_> = items.iter().map(|terms| self.places(terms)).collect();
        let weights = places.iter().map(|(own, _)| {
            let (all, some) = (self.turns.len() as f64, own.len() as f64);
            (1.0 + (all - some + 0.5) / (some + 0.5)).ln()
        });
        let weights: Vec<f64> = weights.collect();
        let mut found = Found { turns: 0, scores: BTreeMap::new() };
        let candidates: BTreeSet<usize> =
            places.iter().flat_map(|(own, _)| own.keys().copied()).collect();
        for number in candidates {
            let conversation = self.turns[number].conversation;
            let parts = places.iter().zip(&weights).map(|((own, titles), weight)| {
                let outer = titles.contains(&conversation).then_some(OUTER_WEIGHT);
                Some(own.get(&number).copied().or(outer)? * weight)
            });
            let Some(score) = parts.sum::<Option<f64>>() else { continue };
            let best = found.scores.entry(conversation).or_default();
            *best = best.max(score);
            found.turns += 1;
        }
        found
    }

    /// The turns that contain one of some terms, with its weight, and the conversations whose title
    /// does.
    fn places(&self, terms: &[String]) -> (BTreeMap<usize, f64>, HashSet<usize>) {
        let (mut own, mut titles) = (self.either(terms), HashSet::new());
        for (number, weight) in &mut own {
            let turn = &self.turns[*number];
            if turn.is_title {
                titles.insert(turn.conversation);
                *weight *= 2.0;
            }
        }
        for number in terms.iter().filter_map(|term| self.names.get(term)).flatten() {
            let weight = own.entry(*number).or_insert(OUTER_WEIGHT);
            *weight = weight.max(OUTER_WEIGHT);
        }
        (own, titles)
    }

    /// Returns how many of the first conversations are among the best, including equally good ones.
    pub(crate) fn share_of_best(&self, found: &Found, titles: &Value) -> f64 {
        let mut scores: Vec<f64> = found.scores.values().copied().collect();
        scores.sort_by(|a, b| b.total_cmp(a));
        let least = scores[BEST - 1] - 1e-9;
        let titles = titles.as_array().into_iter().flatten().filter_map(Value::as_str);
        let numbers = titles.map(|title| self.titles[title]);
        let scores = numbers.filter_map(|number| found.scores.get(&number));
        scores.filter(|score| **score >= least).count() as f64 / BEST as f64
    }

    /// Frequent words, each with an error that turns it into a word that is not in the corpus.
    pub(crate) fn mistyped(&self, dice: &mut Dice) -> Vec<(String, String)> {
        let is_candidate = |(word, count): &(&String, &u32)| {
            **count >= 20
                && (5..=12).contains(&word.len())
                && word.bytes().all(|b| b.is_ascii_lowercase())
        };
        let words = self.surfaces.iter().filter(is_candidate);
        let words: Vec<&String> = words.map(|(word, _)| word).collect();
        let mut pairs = Vec::new();
        while pairs.len() < TYPOS && !words.is_empty() {
            let word = words[dice.below(words.len())];
            let typo = mistype(word, dice);
            let is_known =
                self.surfaces.contains_key(&typo) || self.lists.contains_key(&stemmed(&typo));
            if !is_known {
                pairs.push((word.clone(), typo));
            }
        }
        pairs
    }
}

/// Drops, swaps, replaces or adds a letter.
pub(crate) fn mistype(word: &str, dice: &mut Dice) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let at = dice.below(letters.len());
    let letter = char::from(b'a' + dice.below(26) as u8);
    match dice.below(4) {
        0 => drop(letters.remove(at)),
        1 => letters.swap(at.saturating_sub(1), at.max(1)),
        2 => letters[at] = letter,
        _ => letters.insert(at, letter),
    }
    letters.into_iter().collect()
}

/// A word without its ending.
pub(crate) fn stemmed(word: &str) -> String {
    let mut stem = String::new();
    terms(word, Stemmer::of("en"), |found| stem = found.stem());
    stem
}
