//! Which files are a channel: the days in its folder, and who is who in the workspace.

use std::collections::BTreeMap;

use super::super::{Bundle, Listing};
use super::{LISTS, is_message};
use crate::json;

/// Files of a workspace that say who is who and what is private.
pub(super) const ABOUT: [&str; 6] = [
    "users.json",
    "org_users.json",
    "channels.json",
    "groups.json",
    "dms.json",
    "mpims.json",
];
/// Files of a workspace that hold no messages.
const ASIDE: [&str; 7] = [
    "integration_logs.json",
    "canvases.json",
    "lists.json",
    "file_conversations.json",
    "huddle_transcripts.json",
    "content_flags.json",
    "team_access_logs.json",
];
/// The most bytes of a day on which nobody wrote.
const NOTHING_BYTES: u64 = 8;
/// The bytes of a day in which its first message stands.
const HEAD_BYTES: usize = 16 << 10;

/// Returns every channel of every workspace.
pub(super) fn gather(listing: &Listing<'_>) -> Vec<Bundle> {
    let has = |path: &str| listing.names.binary_search(&path).is_ok();
    let mut channels: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for name in listing.names {
        let Some((folder, file)) = name.rsplit_once('/') else { continue };
        if is_day(file) {
            let (root, channel) = folder.rsplit_once('/').unwrap_or(("", folder));
            channels.entry((root, channel)).or_default().push(name);
        }
    }
    let bundle = |((root, _), files): ((&str, &str), Vec<&str>)| {
        let folder = if root.is_empty() { String::new() } else { format!("{root}/") };
        let beside = |names: &[&str]| -> Vec<String> {
            let paths = names.iter().map(|name| format!("{folder}{name}"));
            paths.filter(|path| has(path)).collect()
        };
        let shared = beside(&ABOUT);
        // On some days nobody wrote.
        let is_day_of_some = |file: &&&str| (listing.len)(file) > NOTHING_BYTES;
        let mut of_some = files.iter().filter(is_day_of_some).take(3).peekable();
        let is_silent = of_some.peek().is_none();
        let is_one = !shared.is_empty()
            && (is_silent || of_some.any(|file| holds_messages(file, listing)));
        is_one.then(|| Bundle {
            files: files.into_iter().map(str::to_owned).collect(),
            aside: beside(&ASIDE),
            folder: folder.clone(),
            shared,
            private: None,
        })
    };
    channels.into_iter().filter_map(bundle).collect()
}

/// Returns whether a file is named after a day: `2026-03-04.json`.
fn is_day(file: &str) -> bool {
    let Some(stem) = file.strip_suffix(".json") else { return false };
    let is_digit = |at: usize, byte: u8| match at {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    };
    stem.len() == 10 && stem.bytes().enumerate().all(|(at, byte)| is_digit(at, byte))
}

fn holds_messages(file: &str, listing: &Listing<'_>) -> bool {
    let Some(head) = (listing.head)(file, HEAD_BYTES) else { return false };
    let keys = json::keys(head.trim_start_matches('\u{feff}'));
    let inner = keys.iter().find(|(key, _)| *key == LISTS[0]);
    is_message(&inner.map_or(keys.clone(), |(_, messages)| json::keys(messages)))
}
