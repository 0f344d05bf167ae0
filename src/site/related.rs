//! Related conversations: those that share speakers, tags and rare words.
//!
//! The words are those of the title and the excerpt. Rare features have more weight. The weight does not
//! depend on the total number of conversations, so that adding one changes the related conversations of
//! only a few others.

use std::sync::Arc;

use crate::hash::fnv1a;
use crate::model::Kind;
use crate::search::tokenizer::{Stemmer, terms};
use crate::sources::Entry;
use rayon::prelude::*;

/// The maximum number of related conversations on a page.
const MAX_RELATED: usize = 3;
/// The maximum number of conversations that share a feature; more common features are ignored.
const MAX_CONVERSATIONS_PER_FEATURE: usize = 64;
/// The maximum number of features per conversation, rarest first.
const MAX_FEATURES: usize = 16;
/// The minimum score of related conversations: two rare words, or three less rare ones.
const MIN_SCORE: u32 = 9;

/// Returns, for each conversation, the indices of related ones, nearest first.
pub(super) fn find(entries: &[Arc<Entry>]) -> Vec<Vec<u32>> {
    let postings = postings(entries);
    let lists: Vec<&[Posting]> = postings
        .chunk_by(|a, b| a.feature == b.feature)
        .filter(|list| (2..=MAX_CONVERSATIONS_PER_FEATURE).contains(&list.len()))
        .collect();
    let mut of_each: Vec<Vec<&[Posting]>> = vec![Vec::new(); entries.len()];
    for list in lists {
        list.iter().for_each(|posting| of_each[posting.place as usize].push(list));
    }
    let nearest = |(place, lists)| nearest(place as u32, lists);
    of_each.into_par_iter().enumerate().map(nearest).collect()
}

/// A feature of a conversation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Posting {
    feature: u64,
    /// The index of the conversation.
    place: u32,
}

/// Returns the features of all conversations, sorted.
fn postings(entries: &[Arc<Entry>]) -> Vec<Posting> {
    let of_entry = |(place, entry): (usize, &Arc<Entry>)| {
        let posting = move |feature| Posting { feature, place: place as u32 };
        features_of(entry).into_iter().map(posting)
    };
    let mut postings: Vec<Posting> =
        entries.par_iter().enumerate().flat_map_iter(of_entry).collect();
    postings.par_sort_unstable();
    postings
}

/// Returns the indices of the conversations most related to the one at `place`, nearest first. `lists` has
/// the postings of each of its features.
fn nearest(place: u32, mut lists: Vec<&[Posting]>) -> Vec<u32> {
    lists.sort_unstable_by_key(|list| (list.len(), list[0].feature));
    lists.truncate(MAX_FEATURES);
    let weights = lists.iter().flat_map(|list| {
        let weight = weight(list.len());
        list.iter().map(move |posting| (posting.place, weight))
    });
    let mut weights: Vec<(u32, u32)> = weights.filter(|(other, _)| *other != place).collect();
    weights.sort_unstable();
    let mut found: Vec<(u32, u32)> = weights
        .chunk_by(|a, b| a.0 == b.0)
        .map(|of_one| (of_one[0].0, of_one.iter().map(|(_, weight)| weight).sum()))
        .filter(|(_, score)| *score >= MIN_SCORE)
        .collect();
    // With equal scores, conversations closer in time come first.
    found.sort_unstable_by_key(|(other, score)| (u32::MAX - score, other.abs_diff(place), *other));
    found.into_iter().take(MAX_RELATED).map(|(other, _)| other).collect()
}

/// Returns the weight of a feature by the number of conversations that have it: 6 for two, 1 for 64.
fn weight(count: usize) -> u32 {
    7 - count.ilog2().min(6)
}

/// Returns the features of a conversation as hashes: words, tags and speakers.
fn features_of(entry: &Entry) -> Vec<u64> {
    let mut found = Vec::new();
    let stemmer = Stemmer::of(entry.languages.first().map_or("", String::as_str));
    for text in [&*entry.title, &*entry.excerpt] {
        terms(text, stemmer, |term| found.push(fnv1a(term.stem().bytes())));
    }
    let hash = |field: &str, value: &str| fnv1a(field.bytes().chain(value.bytes()));
    found.extend(entry.tags.iter().map(|tag| hash("tag:", tag)));
    let people = entry.speakers.iter().filter(|who| who.kind == Kind::Person);
    found.extend(people.map(|who| hash("speaker:", &who.name)));
    found.sort_unstable();
    found.dedup();
    found
}
