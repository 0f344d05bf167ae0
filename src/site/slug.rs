//! The address of a conversation.

use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;

use crate::sources::Entry;
use crate::text::slug;
use crate::time::Time;

/// Bytes of a title in an address.
const TITLE: usize = 60;

/// Characters of a conversation's id in its address, 5 bits each.
const TAIL: usize = 6;

/// The folder of each conversation, such as `c/2025-10-23-a-title-7f3kxm/`: day, title, and
/// a tail from the conversation's id.
///
/// The tail is always there. Without it two conversations of one title and day would have to
/// share an address, and the second to arrive would move the first.
pub(super) fn folders(entries: &[Arc<Entry>]) -> Vec<String> {
    let mut folders: Vec<String> =
        entries.par_iter().map(|entry| folder(entry, TAIL)).collect();
    let mut count: HashMap<String, usize> = HashMap::new();
    for folder in &folders {
        *count.entry(folder.clone()).or_default() += 1;
    }
    for (folder, entry) in folders.iter_mut().zip(entries) {
        // One in a billion among conversations of one title and day.
        if count.get(folder.as_str()) > Some(&1) {
            *folder = self::folder(entry, 25);
        }
    }
    folders
}

fn folder(entry: &Entry, tail: usize) -> String {
    let mut parts = Vec::new();
    parts.extend(entry.time.as_ref().map(Time::day));
    let title = slug(&entry.title, TITLE);
    if !title.is_empty() {
        parts.push(title);
    }
    parts.push(entry.id.short(tail));
    format!("c/{}/", parts.join("-"))
}
