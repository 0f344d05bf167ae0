//! The folder names of conversations.

use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;

use crate::sources::Entry;
use crate::text::slug;
use crate::time::Time;

/// The maximum length in bytes of a title in a URL.
const MAX_TITLE_BYTES: usize = 60;

/// The number of characters of a conversation's id in its URL, 5 bits each.
const ID_CHARS: usize = 6;

/// Returns the folder of each conversation, such as `c/2025-10-23-a-title-7f3kxm/`: date, title, and a
/// suffix from the conversation's id. The author can set another text in place of the title.
///
/// The suffix is always present. Otherwise, two conversations with the same title and date would need the
/// same URL, and a new one could change the URL of an older one.
pub(super) fn folders(entries: &[Arc<Entry>]) -> Vec<Arc<str>> {
    let folders: Vec<Arc<str>> =
        entries.par_iter().map(|entry| folder(entry, ID_CHARS).into()).collect();
    let mut count: HashMap<&str, usize> = HashMap::new();
    for folder in &folders {
        *count.entry(folder).or_default() += 1;
    }
    let folder = |(folder, entry): (&Arc<str>, &Arc<Entry>)| match count[&**folder] {
        1 => folder.clone(),
        // A collision is one in a billion among conversations with the same title and date.
        _ => self::folder(entry, 25).into(),
    };
    folders.iter().zip(entries).map(folder).collect()
}

/// Returns the part of a conversation's id in the path of its folder. It stays the same if the title changes.
pub fn id_in_folder(folder: &str) -> Option<&str> {
    let (_, id) = folder.trim_end_matches('/').rsplit_once(['-', '/'])?;
    (id.len() >= ID_CHARS).then_some(id)
}

fn folder(entry: &Entry, tail: usize) -> String {
    let mut parts = Vec::new();
    parts.extend(entry.time.as_ref().map(Time::day));
    let title = entry.filing().slug.as_ref().or(entry.first_title.as_ref());
    let title = slug(title.unwrap_or(&entry.title), MAX_TITLE_BYTES);
    if !title.is_empty() {
        parts.push(title);
    }
    parts.push(entry.id.short(tail));
    format!("c/{}/", parts.join("-"))
}
