//! Finds the files of each session.

use std::collections::BTreeMap;

use super::super::{Bundle, Listing};
use super::files::{self, FileKind};
use convo_base::json;

/// The folders of a session.
const FOLDERS: [&str; 3] = ["subagents", files::OUTPUTS, "workflows"];

/// The number of bytes at the start of a log that contain its first records.
const HEAD_BYTES: usize = 32 << 10;

/// The maximum total size of sessions that are read together because one continues another, in bytes.
const MAX_FAMILY_BYTES: u64 = 24 << 20;

/// Returns all sessions that consist of several files. Sessions that continue each other are one source.
pub(super) fn gather(listing: &Listing<'_>) -> Vec<Bundle> {
    let exists = |path: &str| listing.names.binary_search(&path).is_ok();
    let mut sessions: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let mut families: BTreeMap<(&str, String), Vec<String>> = BTreeMap::new();
    for name in listing.names {
        let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
        if let Some(session) = session_of(name) {
            // Subagents are one source even if the session itself is missing.
            let log = format!("{session}.jsonl");
            if exists(&log) || files::kind(name) == FileKind::Agent {
                sessions.entry(session.to_owned()).or_default().push(name);
            }
        } else if files::is_output(name) {
            // Without a session, nothing says which tool returned it.
            continue;
        } else if file.starts_with("agent-") && file.ends_with(".jsonl") {
            // Older versions stored subagents beside the session.
            let head = (listing.head)(name, HEAD_BYTES).unwrap_or_default();
            let session = first_value(&head, "sessionId").unwrap_or_default();
            let session = match folder {
                "" => session,
                folder => format!("{folder}/{session}"),
            };
            if exists(&format!("{session}.jsonl")) {
                sessions.entry(session).or_default().push(name);
            }
        } else if let Some(stem) = name.strip_suffix(".jsonl").filter(|_| is_session_name(file)) {
            let head = (listing.head)(name, HEAD_BYTES).unwrap_or_default();
            if let Some(record) = first_record(&head) {
                families.entry((folder, record)).or_default().push(stem.to_owned());
            }
        }
    }
    let mut bundles = Vec::new();
    for (_, family) in families.into_iter().filter(|(_, family)| family.len() > 1) {
        let mut members = Vec::new();
        for session in &family {
            members.push(format!("{session}.jsonl"));
            let beside = sessions.get(session).into_iter().flatten();
            members.extend(beside.map(|name| (*name).to_owned()));
        }
        let bytes: u64 = members.iter().map(|name| (listing.len)(name)).sum();
        if bytes <= MAX_FAMILY_BYTES {
            family.iter().for_each(|session| _ = sessions.remove(session));
            bundles.push(bundle(members));
        }
    }
    for (session, beside) in sessions {
        let log = Some(format!("{session}.jsonl")).filter(|log| exists(log));
        let beside = beside.into_iter().map(str::to_owned);
        bundles.push(bundle(log.into_iter().chain(beside).collect()));
    }
    bundles.sort_by(|a, b| a.files.cmp(&b.files));
    bundles
}

/// Returns a source of these files, of which the first one is a log.
fn bundle(members: Vec<String>) -> Bundle {
    let is_read = |path: &String| files::kind(path) != FileKind::Aside;
    let (files, aside) = members.into_iter().partition(is_read);
    Bundle {
        folder: String::new(),
        files,
        aside,
        shared: Vec::new(),
        private: None,
        neighbours: None,
    }
}

/// Returns the path, without extension, of the session whose folders contain a file.
fn session_of(path: &str) -> Option<&str> {
    let place = FOLDERS.iter().filter_map(|folder| path.find(&format!("/{folder}/"))).min()?;
    let session = &path[..place];
    let kind = files::kind(path);
    (kind != FileKind::Session && !session.is_empty()).then_some(session)
}

/// Returns whether a log has a session name: `1f0c…-….jsonl`.
fn is_session_name(file: &str) -> bool {
    let stem = files::stem(file);
    let lengths = stem.split('-').map(str::len);
    lengths.eq([8, 4, 4, 4, 12]) && stem.chars().all(|c| c == '-' || c.is_ascii_hexdigit())
}

/// Returns the first value of a key in the records of a log.
fn first_value(head: &str, key: &str) -> Option<String> {
    head.lines().find_map(|line| {
        let keys = json::keys(line);
        let (_, value) = keys.iter().find(|(known, _)| *known == key)?;
        Some(value.trim_matches('"').to_owned())
    })
}

/// Returns the id of the first record of a log, which is also in the log that it continues.
fn first_record(head: &str) -> Option<String> {
    head.lines().find_map(|line| {
        let keys = json::keys(line);
        let value = |keys: &[(&str, &str)], key: &str| {
            let (_, value) = *keys.iter().find(|(known, _)| *known == key)?;
            value.ends_with('"').then(|| value.trim_matches('"').to_owned())
        };
        let from = keys.iter().find(|(key, _)| *key == "forkedFrom");
        let original = from.and_then(|(_, from)| value(&json::keys(from), "messageUuid"));
        original.or_else(|| value(&keys, "uuid"))
    })
}
