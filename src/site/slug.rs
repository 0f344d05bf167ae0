//! The addresses of conversations.

use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;

use crate::sources::Entry;
use crate::text::slug;
use crate::time::Time;

/// The most bytes of a title in an address.
const MAX_TITLE_BYTES: usize = 60;

/// Characters of a conversation's id in its address, 5 bits each.
const ID_CHARS: usize = 6;

/// Returns the folder of each conversation, such as `c/2025-10-23-a-title-7f3kxm/`: day, title, and
/// a tail from the conversation's id.
///
/// The tail is always there. Without it two conversations of one title and day would have to
/// share an address, and the second to arrive would move the first.
pub(super) fn folders(entries: &[Arc<Entry>]) -> Vec<Arc<str>> {
    let folders: Vec<Arc<str>> =
        entries.par_iter().map(|entry| folder(entry, ID_CHARS).into()).collect();
    let mut count: HashMap<&str, usize> = HashMap::new();
    for folder in &folders {
        *count.entry(folder).or_default() += 1;
    }
    let folder = |(folder, entry): (&Arc<str>, &Arc<Entry>)| match count[&**folder] {
        1 => folder.clone(),
        // One in a billion among conversations of one title and day.
        _ => self::folder(entry, 25).into(),
    };
    folders.iter().zip(entries).map(folder).collect()
}

fn folder(entry: &Entry, tail: usize) -> String {
    let mut parts = Vec::new();
    parts.extend(entry.time.as_ref().map(Time::day));
    let title = entry.first_title.as_ref().unwrap_or(&entry.title);
    let title = slug(title, MAX_TITLE_BYTES);
    if !title.is_empty() {
        parts.push(title);
    }
    parts.push(entry.id.short(tail));
    format!("c/{}/", parts.join("-"))
}
