//! Finds the folders with a file for each event.

use std::collections::{BTreeMap, BTreeSet};

use crate::shared::access::visibility::{self, Scope};
use crate::{Bundle, Listing};
use convo_base::json;

/// Files beside the events, which contain settings.
const BESIDE: [&str; 4] = ["base_state.json", "meta.json", "metadata.json", "TASKS.json"];

/// The number of bytes in which the first event is recognised.
const HEAD: usize = 4 << 10;

pub(super) fn gather(listing: &Listing<'_>) -> Vec<Bundle> {
    let mut folders: BTreeMap<&str, Vec<(u64, &str)>> = BTreeMap::new();
    for name in listing.names {
        let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
        if let Some(number) = number(folder, file) {
            folders.entry(folder).or_default().push((number, name));
        }
    }
    let found = folders.into_iter().filter_map(|(folder, mut files)| {
        files.sort();
        let (_, first) = files.first()?;
        let head = (listing.head)(first, HEAD)?;
        super::is_event(&json::keys(&head)).then(|| bundle(folder, &files, listing))
    });
    found.collect()
}

/// Returns the number of an event from the name of its file: `event-00002-….json`, `event_000002_….json`, or `2.json`
/// in a folder `events`.
fn number(folder: &str, file: &str) -> Option<u64> {
    let stem = file.strip_suffix(".json")?;
    match stem.strip_prefix("event-").or_else(|| stem.strip_prefix("event_")) {
        Some(rest) => rest.split(['-', '_']).next()?.parse().ok(),
        None if folder == "events" || folder.ends_with("/events") => stem.parse().ok(),
        None => None,
    }
}

/// Returns the folder of a session from that of its events, which may be the folder `events` inside.
pub(super) fn session_folder(folder: &str) -> &str {
    match folder.rsplit_once('/') {
        Some((session, "events")) => session,
        None if folder == "events" => "",
        _ => folder,
    }
}

fn bundle(folder: &str, files: &[(u64, &str)], listing: &Listing<'_>) -> Bundle {
    let session = session_folder(folder);
    let beside = BTreeSet::from([folder, session]).into_iter().flat_map(|folder| {
        BESIDE.map(
            |name| if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") },
        )
    });
    let aside: Vec<String> =
        beside.filter(|path| listing.names.binary_search(&path.as_str()).is_ok()).collect();
    let is_private = |path: &&String| {
        let text = (listing.text)(path).unwrap_or_default();
        visibility::holds_back(&visibility::read_access(&text, Scope::Turn, &[]))
    };
    let private = aside.iter().find(is_private).cloned();
    Bundle {
        folder: session.to_owned(),
        files: files.iter().map(|(_, name)| (*name).to_owned()).collect(),
        aside,
        shared: Vec::new(),
        private,
        neighbours: None,
    }
}
