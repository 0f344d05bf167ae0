//! Related conversations: those that share speakers, tags and rare words.
//!
//! The words are those of the title and of the excerpt. What few conversations have counts the
//! more; how much does not depend on how many conversations there are, so that one more of them
//! changes what is said of few others.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::hash::fnv1a;
use crate::model::Kind;
use crate::search::tokenizer::{Stemmer, terms};
use crate::sources::Entry;
use rayon::prelude::*;

/// The most related conversations that a page names.
const MAX_RELATED: usize = 3;
/// The most conversations that have a feature; one that more of them have says nothing.
const MAX_CONVERSATIONS_PER_FEATURE: usize = 64;
/// The most features of a conversation that count, the rarest first.
const MAX_FEATURES: usize = 16;
/// The least score of related conversations: two rare words, or three less rare.
const MIN_SCORE: u32 = 9;

/// Finds for each conversation the places of related ones, the nearest first.
pub(super) fn find(entries: &[Arc<Entry>]) -> Vec<Vec<u32>> {
    let features: Vec<Vec<u64>> =
        entries.par_iter().map(|entry| features_of(entry)).collect();
    let mut counts: HashMap<u64, u32> = HashMap::new();
    for feature in features.iter().flatten() {
        *counts.entry(*feature).or_default() += 1;
    }
    let is_distinctive = |feature: &u64| {
        (2..=MAX_CONVERSATIONS_PER_FEATURE as u32).contains(&counts[feature])
    };
    let mut by_feature: HashMap<u64, Vec<u32>> = HashMap::new();
    for (place, all) in features.iter().enumerate() {
        for feature in all.iter().filter(|feature| is_distinctive(feature)) {
            by_feature.entry(*feature).or_default().push(place as u32);
        }
    }
    features
        .par_iter()
        .enumerate()
        .map(|(place, all)| {
            let mut rare: Vec<u64> = all
                .iter()
                .copied()
                .filter(|feature| by_feature.contains_key(feature))
                .collect();
            rare.sort_by_key(|feature| (counts[feature], *feature));
            rare.truncate(MAX_FEATURES);
            let mut scores: HashMap<u32, u32> = HashMap::new();
            for feature in rare {
                for other in &by_feature[&feature] {
                    *scores.entry(*other).or_default() += weight(counts[&feature]);
                }
            }
            scores.remove(&(place as u32));
            let mut found: Vec<(u32, u32)> =
                scores.into_iter().filter(|(_, score)| *score >= MIN_SCORE).collect();
            // Of those that are equally near the one beside it in time.
            found.sort_by_key(|(other, score)| {
                (u32::MAX - score, other.abs_diff(place as u32), *other)
            });
            found.into_iter().take(MAX_RELATED).map(|(other, _)| other).collect()
        })
        .collect()
}

/// Returns the weight of a feature that so many conversations have: 6 for two of them, 1 for 64.
fn weight(count: u32) -> u32 {
    7 - count.ilog2().min(6)
}

/// Returns the features of a conversation as hashes: words, tags and speakers.
fn features_of(entry: &Entry) -> Vec<u64> {
    let mut found = BTreeSet::new();
    let stemmer = Stemmer::of(entry.languages.first().map_or("", String::as_str));
    for text in [&*entry.title, &*entry.excerpt] {
        terms(text, stemmer, |term| {
            found.insert(fnv1a(term.stem().bytes()));
        });
    }
    for tag in &entry.tags {
        found.insert(fnv1a(format!("tag:{tag}").bytes()));
    }
    for who in entry.speakers.iter().filter(|who| who.kind == Kind::Person) {
        found.insert(fnv1a(format!("speaker:{}", who.name).bytes()));
    }
    found.into_iter().collect()
}
