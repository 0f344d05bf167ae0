//! Which conversations search engines are asked to list.

use std::collections::HashMap;
use std::sync::Arc;

use crate::config::{Config, Indexing};
use crate::diag::{Diagnostic, Noted, Severity};
use crate::sources::Entry;
use crate::time::Time;

/// A conversation with fewer words is thin.
const THIN: u64 = 50;
/// Conversations that have more in common are the same to a search engine.
const SAME: f64 = 0.85;
/// Conversations among those with a band in common that are compared. What is nearly the same has
/// several bands in common, and few others have all of these.
const COMPARED: usize = 32;

/// Whether search engines are asked to list each conversation; and what there is to say of each
/// that they are not, where nobody but this program decided so.
pub(super) fn decide(entries: &[Arc<Entry>], config: &Config) -> Noted<Vec<bool>> {
    let asked = |entry: &Arc<Entry>| entry.index.unwrap_or(true);
    if config.index == Indexing::All {
        return Noted::plain(entries.iter().map(asked).collect());
    }
    let originals = originals(entries);
    let mut notes = Vec::new();
    let mut is_indexed = Vec::with_capacity(entries.len());
    for (entry, original) in entries.iter().zip(originals) {
        let why = match entry.index {
            Some(_) => None,
            None => why_not(entry, original.map(|place| &*entries[place])),
        };
        is_indexed.push(asked(entry) && why.is_none());
        notes.extend(why.map(|why| {
            let message = format!("search engines are asked not to list it: {why}");
            let note = Diagnostic::new(Severity::Hint, "not-indexed", message);
            let hint = "`\"index\": true` in its metadata lists it all the same";
            note.in_file(entry.label()).hint(hint)
        }));
    }
    Noted { value: is_indexed, notes }
}

fn why_not(entry: &Entry, original: Option<&Entry>) -> Option<String> {
    if entry.reviewed == Some(false) {
        return Some("nobody has reviewed it".to_owned());
    }
    if entry.words < THIN {
        return Some(format!("it has fewer than {THIN} words"));
    }
    if !entry.is_titled {
        return Some("it has no title of its own".to_owned());
    }
    original.map(|original| format!("it says nearly the same as `{}`", original.label()))
}

/// For each conversation the place of an older one that says nearly the same.
fn originals(entries: &[Arc<Entry>]) -> Vec<Option<usize>> {
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|at| (entries[*at].time.as_ref().map(Time::instant), *at));
    let mut by_band: HashMap<u64, Vec<usize>> = HashMap::new();
    let mut originals = vec![None; entries.len()];
    for at in order {
        let Some(minhash) = &entries[at].minhash else { continue };
        let mut near: Vec<usize> = minhash
            .bands()
            .filter_map(|band| by_band.get(&band))
            .flatten()
            .copied()
            .collect();
        near.sort_unstable();
        near.dedup();
        let is_same = |other: &usize| {
            let other = entries[*other].minhash.as_ref();
            other.is_some_and(|other| minhash.similarity(other) >= SAME)
        };
        originals[at] = near.into_iter().find(is_same);
        // What is a copy itself is nobody's original.
        if originals[at].is_none() {
            for band in minhash.bands() {
                let known = by_band.entry(band).or_default();
                if known.len() < COMPARED {
                    known.push(at);
                }
            }
        }
    }
    originals
}
