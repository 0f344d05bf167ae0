//! Chooses the titles of conversations without a title of their own, among the names that each may have.

use std::collections::HashMap;
use std::sync::Arc;

use super::Entry;
use crate::hash::Hash;
use crate::time::Time;

/// The number of conversations of a format with the same words, from which these are boilerplate.
const SHARED: usize = 3;

/// Replaces titles that do not say which conversation it is. Boilerplate, with which many conversations
/// of a format begin, makes room for the next name. Conversations whose titles are equal get their day,
/// and the time if the day is the same. Their URLs still come from their first names, so that a new
/// conversation does not change the URLs of others.
pub(crate) fn settle(entries: &mut [Arc<Entry>]) {
    let mut count: HashMap<Hash, usize> = HashMap::new();
    for entry in entries.iter() {
        entry.names.iter().for_each(|name| *count.entry(key(entry, name)).or_default() += 1);
    }
    let is_shared = |entry: &Entry, name: &str| count.get(&key(entry, name)) >= Some(&SHARED);
    for entry in entries.iter_mut() {
        if !is_shared(entry, &entry.title) {
            continue;
        }
        let name = entry.names.iter().find(|name| !is_shared(entry, name));
        if let Some(title) = name.map(|name| name.to_string()) {
            retitle(entry, title);
        }
    }
    add_days(entries);
}

/// Adds the day, and the time if necessary, to titles that several conversations have.
fn add_days(entries: &mut [Arc<Entry>]) {
    let mut count: HashMap<Hash, usize> = HashMap::new();
    let day = |entry: &Entry| entry.time.as_ref().map(Time::day);
    for entry in entries.iter() {
        *count.entry(Hash::of(&*entry.title)).or_default() += 1;
        *count.entry(Hash::of(&(&*entry.title, day(entry)))).or_default() += 1;
    }
    for entry in entries.iter_mut().filter(|entry| !entry.names.is_empty()) {
        let is_repeated = count.get(&Hash::of(&*entry.title)) > Some(&1);
        let (Some(day), Some(time)) = (day(entry), &entry.time) else { continue };
        if !is_repeated {
            continue;
        }
        let is_same_day = count.get(&Hash::of(&(&*entry.title, Some(&day)))) > Some(&1);
        let clock = time.clock().filter(|_| is_same_day);
        let title = match clock {
            Some((clock, _)) => format!("{} · {day} {clock}", entry.title),
            None => format!("{} · {day}", entry.title),
        };
        retitle(entry, title);
    }
}

fn retitle(entry: &mut Arc<Entry>, title: String) {
    let entry = Arc::make_mut(entry);
    let old = std::mem::replace(&mut entry.title, title);
    entry.first_title.get_or_insert(old);
}

/// Returns the key of a name among the conversations of one format.
fn key(entry: &Entry, name: &str) -> Hash {
    Hash::of(&(entry.source_label, name.to_lowercase()))
}
