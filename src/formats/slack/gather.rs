//! Collects the files of each channel: its days, and the lists of the workspace.

use std::collections::{BTreeMap, BTreeSet};

use super::super::{Bundle, DETECT_BYTES, Listing};
use super::names::{ABOUT, is_closed_name};
use super::{LISTS, is_message};
use crate::shared::text::dates::day_in_name;
use convo_base::json;

/// Files of a workspace that contain no messages.
const ASIDE: [&str; 7] = [
    "integration_logs.json", "canvases.json", "lists.json", "file_conversations.json",
    "huddle_transcripts.json", "content_flags.json", "team_access_logs.json",
];
/// The number of bytes that usually contain the first message of a file.
const HEAD_BYTES: usize = 16 << 10;

/// The files of a channel.
#[derive(Default)]
struct Folder<'a> {
    files: Vec<&'a str>,
    /// Whether one of them is named after a day.
    has_days: bool,
}

/// Returns every channel of every workspace: all message files in its folder, whatever their names,
/// because the same people may read them. A message file beside the lists of a workspace is a
/// channel of its own.
pub(super) fn gather(listing: &Listing<'_>) -> Vec<Bundle> {
    let has = |path: &str| listing.names.binary_search(&path).is_ok();
    let roots: BTreeSet<&str> = listing.names.iter().filter_map(|name| root(name)).collect();
    let mut channels: BTreeMap<(&str, &str), Folder<'_>> = BTreeMap::new();
    for name in listing.names.iter().filter(|name| is_json(name)) {
        let Some((root, channel, file)) = channel_of(name, &roots) else { continue };
        let is_alone = channel == file;
        let is_list = is_alone && (ABOUT.contains(&file) || ASIDE.contains(&file));
        let is_day = !is_alone && is_day(file);
        if is_day || !is_list && holds_messages(name, listing) == Some(true) {
            let folder = channels.entry((root, channel)).or_default();
            folder.files.push(name);
            folder.has_days |= is_day;
        }
    }
    let bundle = |((root, channel), folder): ((&str, &str), Folder<'_>)| {
        let beside = |names: &[&str]| -> Vec<String> {
            let paths = names.iter().map(|name| format!("{root}{name}"));
            paths.filter(|path| has(path)).collect()
        };
        let shared = beside(&ABOUT);
        let is_workspace = shared.iter().any(|path| is_of_slack(path, listing));
        let is_named = !shared.is_empty() || is_closed_name(channel);
        is_channel(&folder, is_workspace, is_named, listing).then(|| Bundle {
            files: folder.files.into_iter().map(str::to_owned).collect(),
            aside: beside(&ASIDE),
            folder: root.to_owned(),
            shared,
            private: None,
            neighbours: None,
        })
    };
    channels.into_iter().filter_map(bundle).collect()
}

/// Returns whether the files of a folder are those of a channel.
fn is_channel(
    folder: &Folder<'_>,
    is_workspace: bool,
    is_named: bool,
    listing: &Listing<'_>,
) -> bool {
    if !folder.has_days {
        return is_workspace;
    }
    let mut is_other = false;
    for file in &folder.files {
        match holds_messages(file, listing) {
            Some(true) => return is_named,
            Some(false) => is_other = true,
            None => {}
        }
    }
    // Days without messages do not decide.
    is_workspace && !is_other
}

/// Returns the folder of a workspace file, with a trailing slash.
fn root(name: &str) -> Option<&str> {
    let at = name.rfind('/').map_or(0, |at| at + 1);
    ABOUT.contains(&&name[at..]).then(|| &name[..at])
}

/// Returns the workspace folder of a file, the next path component, and the file name. Without a
/// workspace folder above it, a folder whose name is that of a direct message is a channel.
fn channel_of<'a>(name: &'a str, roots: &BTreeSet<&str>) -> Option<(&'a str, &'a str, &'a str)> {
    let starts = name.match_indices('/').map(|(at, _)| at + 1);
    let starts: Vec<usize> = std::iter::once(0).chain(starts).collect();
    let first = |at: &usize| name[*at..].split('/').next().unwrap_or_default();
    let known = starts.iter().rev().find(|at| roots.contains(&name[..**at]));
    let closed = || starts.iter().rev().skip(1).find(|at| is_closed_name(first(at)));
    let start = known.or_else(closed)?;
    Some((&name[..*start], first(start), first(starts.last()?)))
}

fn is_json(file: &str) -> bool {
    let ending = file.len().checked_sub(5).and_then(|at| file.get(at..));
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case(".json"))
}

/// Returns whether a file is named after a day: `2026-03-04.json`.
fn is_day(file: &str) -> bool {
    file.len() == 15 && day_in_name(file).is_some_and(|(_, at)| at == (0..10))
}

/// Returns whether a file beside channels is from Slack: other programs have a `users.json` too.
fn is_of_slack(path: &str, listing: &Listing<'_>) -> bool {
    if !path.ends_with("/users.json") && path != "users.json" {
        return true;
    }
    let head = (listing.head)(path, HEAD_BYTES).unwrap_or_default();
    let keys = json::keys(head.trim_start_matches('\u{feff}'));
    let names = ["profile", "real_name", "team_id", "is_bot"];
    keys.iter().any(|(key, _)| names.contains(key))
}

/// Returns whether a file contains messages, judging by its beginning; `None` if that does not
/// decide.
fn holds_messages(file: &str, listing: &Listing<'_>) -> Option<bool> {
    let long = [HEAD_BYTES, DETECT_BYTES].into_iter();
    let heads = long.filter_map(|bytes| (listing.head)(file, bytes));
    let mut found = None;
    for head in heads {
        let keys = json::keys(head.trim_start_matches('\u{feff}'));
        let inner = keys.iter().find(|(key, _)| *key == LISTS[0]);
        let keys = inner.map_or(keys.clone(), |(_, messages)| json::keys(messages));
        let known = ["ts", "text", "user", "subtype", "blocks"];
        match is_message(&keys) {
            true => return Some(true),
            false if keys.iter().any(|(key, _)| known.contains(key)) => found = None,
            false => found = (!keys.is_empty()).then_some(false),
        }
        if (listing.len)(file) <= HEAD_BYTES as u64 {
            break;
        }
    }
    found
}
