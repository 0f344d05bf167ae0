//! Finds the files of each session: its log, and those of its subagents.

use std::collections::{BTreeMap, HashMap};

use super::super::{Bundle, Listing};
use super::session::first_value;

/// The number of bytes at the start of a log that contain the session's id.
const HEAD_BYTES: usize = 8 << 10;

/// The number of characters of a session's id in the name of its log.
const ID_CHARS: usize = 8;

/// The maximum nesting depth of subagent folders.
const MAX_DEPTH: usize = 20;

/// Returns all sessions with subagents.
pub(super) fn gather(listing: &Listing<'_>) -> Vec<Bundle> {
    // Sessions by their folder and the start of their ids.
    let mut logs: HashMap<(&str, &str), Vec<&str>> = HashMap::new();
    // Subagents by their folder and their own id.
    let mut agents: HashMap<(&str, &str), &str> = HashMap::new();
    for name in listing.names {
        let Some((folder, file)) = name.rsplit_once('/') else { continue };
        let Some(stem) = file.strip_suffix(".jsonl").or_else(|| file.strip_suffix(".json")) else {
            continue;
        };
        if let Some(id) = stem.strip_prefix("session-").and_then(|rest| rest.rsplit('-').next()) {
            logs.entry((folder, id)).or_default().push(name);
        }
        if let Some((chats, _)) = folder.rsplit_once('/') {
            agents.insert((chats, stem), name);
        }
    }
    let mut found: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for name in listing.names.iter().filter(|name| name.ends_with(".jsonl")) {
        if let Some(root) = root(name, &logs, &agents, listing) {
            found.entry(root).or_default().push(name);
        }
    }
    let bundle = |(log, members): (&str, Vec<&str>)| {
        let files = std::iter::once(log).chain(members).map(str::to_owned);
        let folder = String::new();
        Bundle {
            folder,
            files: files.collect(),
            aside: Vec::new(),
            shared: Vec::new(),
            private: None,
            neighbours: None,
        }
    };
    found.into_iter().map(bundle).collect()
}

/// Returns the log of the session that a subagent belongs to.
fn root<'a>(
    name: &'a str,
    logs: &HashMap<(&str, &str), Vec<&'a str>>,
    agents: &HashMap<(&'a str, &'a str), &'a str>,
    listing: &Listing<'_>,
) -> Option<&'a str> {
    let (mut folder, _) = name.rsplit_once('/')?;
    for _ in 0..MAX_DEPTH {
        let (chats, parent) = folder.rsplit_once('/')?;
        let start = parent.get(..ID_CHARS).unwrap_or(parent);
        let of_parent = |log: &&&str| {
            let head = (listing.head)(log, HEAD_BYTES).unwrap_or_default();
            first_value(&head, "sessionId").is_none_or(|id| id == parent)
        };
        let candidates = logs.get(&(chats, start)).into_iter().flatten();
        if let Some(log) = candidates.rev().find(of_parent) {
            let head = (listing.head)(name, HEAD_BYTES).unwrap_or_default();
            let is_session = head.is_empty() || first_value(&head, "sessionId").is_some();
            return is_session.then_some(*log);
        }
        // It was started by another subagent.
        folder = agents.get(&(chats, parent))?.rsplit_once('/')?.0;
    }
    None
}
