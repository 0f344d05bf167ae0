//! Decides which conversations search engines are asked to list.

use std::collections::HashMap;
use std::sync::Arc;

use crate::config::{Config, Indexing};
use crate::diag::{Diagnostic, Severity, WithNotes};
use crate::sources::Entry;
use crate::time::Time;

/// The minimum number of words of a listed conversation; shorter ones are thin content.
const MIN_WORDS: u64 = 50;
/// The minimum similarity of duplicates.
const DUPLICATE_SIMILARITY: f64 = 0.85;
/// The maximum number of conversations to compare because of one band. Duplicates share several bands, and
/// few other conversations share all of these.
const MAX_PER_BAND: usize = 32;

/// Decides for each conversation whether search engines are asked to list it. Reports those that are not
/// listed, unless the author chose so.
pub(super) fn decide(entries: &[Arc<Entry>], config: &Config) -> WithNotes<Vec<bool>> {
    let is_requested = |entry: &Arc<Entry>| entry.index.unwrap_or(true) && entry.mark().is_none();
    if config.index == Indexing::All {
        return WithNotes::plain(entries.iter().map(is_requested).collect());
    }
    let originals = find_originals(entries);
    let mut notes = Vec::new();
    let mut is_indexed = Vec::with_capacity(entries.len());
    for (entry, original) in entries.iter().zip(originals) {
        let why = match entry.index {
            Some(_) => None,
            None => exclusion_reason(entry, original.map(|place| &*entries[place])),
        };
        is_indexed.push(is_requested(entry) && why.is_none());
        notes.extend(why.map(|why| {
            let message = format!("search engines are asked not to list it: {why}");
            let note = Diagnostic::new(Severity::Hint, "not-indexed", message);
            let hint = "to list it anyway, add `\"index\": true` to its metadata";
            note.in_file(entry.label()).hint(hint)
        }));
    }
    WithNotes { value: is_indexed, notes }
}

/// Returns why search engines are asked not to list a conversation.
fn exclusion_reason(entry: &Entry, original: Option<&Entry>) -> Option<String> {
    if entry.reviewed == Some(false) {
        return Some("it is not reviewed".to_owned());
    }
    if entry.words < MIN_WORDS {
        return Some(format!("it has fewer than {MIN_WORDS} words"));
    }
    if !entry.is_titled {
        return Some("it has no title of its own".to_owned());
    }
    original.map(|original| format!("it is nearly the same as `{}`", original.label()))
}

/// Returns, for each conversation, the index of an older one that is nearly the same.
fn find_originals(entries: &[Arc<Entry>]) -> Vec<Option<usize>> {
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|at| (entries[*at].time.as_ref().map(Time::instant), *at));
    let mut by_band: HashMap<u64, Vec<usize>> = HashMap::new();
    let mut originals = vec![None; entries.len()];
    for at in order {
        let Some(minhash) = &entries[at].minhash else { continue };
        let mut candidates: Vec<usize> =
            minhash.bands().filter_map(|band| by_band.get(&band)).flatten().copied().collect();
        candidates.sort_unstable();
        candidates.dedup();
        let is_same = |other: &usize| {
            let other = entries[*other].minhash.as_ref();
            other.is_some_and(|other| minhash.similarity(other) >= DUPLICATE_SIMILARITY)
        };
        originals[at] = candidates.into_iter().find(is_same);
        // A copy is not the original of another conversation.
        if originals[at].is_none() {
            for band in minhash.bands() {
                let known = by_band.entry(band).or_default();
                if known.len() < MAX_PER_BAND {
                    known.push(at);
                }
            }
        }
    }
    originals
}
