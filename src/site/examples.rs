//! Example queries with results on this site, shown on the search page.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use crate::model::Kind;
use crate::sources::Entry;
use crate::time::Time;

/// Returns queries for words of the newest title, and for the most frequent person, tag and year of the
/// conversations in the index.
pub(super) fn examples(entries: &[Arc<Entry>]) -> Vec<String> {
    let found = || entries.iter().filter(|entry| entry.is_searchable && entry.withheld.is_none());
    let people = found().flat_map(|entry| &entry.speakers);
    let people = people.filter(|who| who.kind == Kind::Person);
    let speaker = most(people.map(|who| who.name.as_str()));
    let tag = most(found().flat_map(|entry| &entry.tags).map(String::as_str));
    let year = most(found().filter_map(|entry| Some(entry.time.as_ref()?.year_month().0)));
    let newest = found().max_by_key(|entry| (entry.time.as_ref().map(Time::instant), entry.id));
    let title = newest.map(|entry| words(&entry.title)).filter(|words| !words.is_empty());
    let quoted = |field: &str, value: &str| format!("{field}:\"{value}\"");
    // A quotation mark would end the value.
    let plain = |value: &&str| !value.contains('"') && value.chars().count() <= 60;
    [
        title,
        speaker.filter(plain).map(|name| quoted("speaker", name)),
        tag.filter(plain).map(|tag| quoted("tag", tag)),
        year.map(|year| format!("after:{year:04}")),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Returns the first words of a title that are long enough to be meaningful.
fn words(title: &str) -> String {
    let words = title.split(|c: char| !c.is_alphanumeric());
    let long = words.filter(|word| (4..=30).contains(&word.chars().count()));
    long.take(2).collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Returns the most frequent value; of several, the first in order.
fn most<V: Copy + Ord + Hash>(values: impl Iterator<Item = V>) -> Option<V> {
    let mut counts: HashMap<V, usize> = HashMap::new();
    values.for_each(|value| *counts.entry(value).or_default() += 1);
    let best = counts.into_iter().min_by_key(|(value, count)| (usize::MAX - count, *value));
    best.map(|(value, _)| value)
}
