//! Conversations about the same: those that share speakers, tags and rare words.
//!
//! The words are those of the title and of the excerpt. What few conversations have counts the
//! more; how much does not depend on how many conversations there are, so that one more of them
//! changes what is said of few others.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::hash::quick;
use crate::model::Kind;
use crate::search::tokenizer::{Stemmer, terms};
use crate::sources::Entry;
use rayon::prelude::*;

/// Conversations that are named at most.
const MOST: usize = 3;
/// What more conversations than this have in common says nothing.
const COMMON: usize = 64;
/// Of the others, so many of the rarest are looked at.
const RARE: usize = 16;
/// What two conversations must have in common at least: two rare words, or three less rare.
const ENOUGH: u32 = 9;

/// For each conversation the places of those about the same, the nearest first.
pub(super) fn find(entries: &[Arc<Entry>]) -> Vec<Vec<u32>> {
    let traits: Vec<Vec<u64>> =
        entries.par_iter().map(|entry| traits_of(entry)).collect();
    let mut counts: HashMap<u64, u32> = HashMap::new();
    for one in traits.iter().flatten() {
        *counts.entry(*one).or_default() += 1;
    }
    let is_telling = |one: &u64| (2..=COMMON as u32).contains(&counts[one]);
    let mut having: HashMap<u64, Vec<u32>> = HashMap::new();
    for (place, all) in traits.iter().enumerate() {
        for one in all.iter().filter(|one| is_telling(one)) {
            having.entry(*one).or_default().push(place as u32);
        }
    }
    traits
        .par_iter()
        .enumerate()
        .map(|(place, all)| {
            let mut rare: Vec<u64> =
                all.iter().copied().filter(|one| having.contains_key(one)).collect();
            rare.sort_by_key(|one| (counts[one], *one));
            rare.truncate(RARE);
            let mut scores: HashMap<u32, u32> = HashMap::new();
            for one in rare {
                for other in &having[&one] {
                    *scores.entry(*other).or_default() += weight(counts[&one]);
                }
            }
            scores.remove(&(place as u32));
            let mut found: Vec<(u32, u32)> =
                scores.into_iter().filter(|(_, score)| *score >= ENOUGH).collect();
            // Of those that are equally near the one beside it in time.
            found.sort_by_key(|(other, score)| {
                (u32::MAX - score, other.abs_diff(place as u32), *other)
            });
            found.into_iter().take(MOST).map(|(other, _)| other).collect()
        })
        .collect()
}

/// What a trait that so many conversations have says: 6 for two of them, 1 for 64.
fn weight(count: u32) -> u32 {
    7 - count.ilog2().min(6)
}

/// Hashes of what may tell that two conversations are about the same.
fn traits_of(entry: &Entry) -> Vec<u64> {
    let mut found = BTreeSet::new();
    let stemmer = Stemmer::of(entry.languages.first().map_or("", String::as_str));
    for text in [&*entry.title, &*entry.excerpt] {
        terms(text, stemmer, |term| {
            found.insert(quick(term.stem().bytes()));
        });
    }
    for tag in &entry.tags {
        found.insert(quick(format!("tag:{tag}").bytes()));
    }
    for who in entry.speakers.iter().filter(|who| who.kind == Kind::Person) {
        found.insert(quick(format!("speaker:{}", who.name).bytes()));
    }
    found.into_iter().collect()
}
