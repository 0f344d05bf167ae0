//! Finds the files of a context.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::super::{Bundle, Listing};
use crate::shared::access::visibility::{self, Scope};
use crate::shared::text::front;
use convo_base::json::{self, Value};
use convo_base::model::Conversation;

/// Returns every context folder with the files to read from it, in order.
pub(super) fn gather(listing: &Listing<'_>) -> Vec<Bundle> {
    let mut folders = BTreeSet::new();
    for name in listing.names {
        let inside = |tail: &str| {
            let rest = name.strip_suffix(tail)?;
            (rest.is_empty() || rest.ends_with('/')).then_some(rest)
        };
        let of_partition = || {
            let (folder, file) = name.rsplit_once('/')?;
            let rest = folder.strip_suffix("transcript/partitions")?;
            (file.ends_with(".jsonl") && (rest.is_empty() || rest.ends_with('/'))).then_some(rest)
        };
        let folder = inside("transcript/active.jsonl")
            .or_else(|| inside("transcript/manifest.json"))
            .or_else(|| inside("context.jsonl"))
            .or_else(of_partition);
        // Older contexts have no `transcript` folder; its files are in the context folder.
        let flat = || {
            let folder = inside("manifest.json")?;
            let active = format!("{folder}active.jsonl");
            listing.names.binary_search(&active.as_str()).ok().map(|_| folder)
        };
        folders.extend(folder.or_else(flat));
    }
    folders.into_iter().map(|folder| context(folder, listing)).collect()
}

fn context(folder: &str, listing: &Listing<'_>) -> Bundle {
    let exists = |path: &str| listing.names.binary_search(&path).is_ok();
    let inside = |path: &str| format!("{folder}{path}");
    let mut files = partitions(folder, listing);
    if files.is_empty() {
        files.extend(
            ["context.jsonl", "transcript.md"].map(inside).into_iter().find(|path| exists(path)),
        );
    }
    files.extend(Some(inside("inbox.jsonl")).filter(|path| exists(path)));
    // Files that are derived from these, search indexes, debug output and internal files.
    let aside = [
        "transcript/manifest.json", "manifest.json", "context.jsonl", "transcript.md",
        "requests.jsonl", "context_meta.json", "local.toml", "config.toml", "metadata.json",
        "state.json", "todos.md", "goals.md", "summary.md", "system_prompt.md",
    ];
    let aside = aside.map(inside).into_iter().filter(|path| exists(path) && !files.contains(path));
    let aside: Vec<String> = aside.collect();
    let beside = listing.names.iter().map(|name| (*name).to_owned());
    let beside = beside.filter(|path| is_about_the_folder(path, folder));
    let private = aside
        .iter()
        .cloned()
        .chain(beside)
        .find(|path| (listing.text)(path).is_some_and(|text| is_marked_private(path, &text)));
    let (shared, neighbours) = (Vec::new(), None);
    Bundle { folder: folder.to_owned(), private, aside, shared, files, neighbours }
}

/// Returns whether the name of a file shows that it describes the whole folder, such as `meta.yaml`.
fn is_about_the_folder(path: &str, folder: &str) -> bool {
    let Some(name) = path.strip_prefix(folder) else { return false };
    let name = name.strip_prefix("transcript/").unwrap_or(name).to_ascii_lowercase();
    let Some((stem, ending)) = name.rsplit_once('.') else { return false };
    ["json", "toml", "yaml", "yml", "md"].contains(&ending)
        && (["context", "index", "_index", "readme", "about"].contains(&stem)
            || visibility::is_container(stem))
}

/// Returns whether a file next to the log says that the context is private.
fn is_marked_private(path: &str, text: &str) -> bool {
    let text: Cow<'_, str> = match path.rsplit_once('.') {
        // Its lines are entries, which state their own access.
        Some((_, "jsonl")) => return false,
        Some((_, "json")) if text.trim_start().starts_with('{') => {
            let detected = visibility::read_access(text, Scope::Conversation, &[]);
            return visibility::holds_back(&detected);
        }
        Some((_, "yaml" | "yml")) => format!("---\n{text}\n---\n").into(),
        Some((_, "toml")) => format!("+++\n{text}\n+++\n").into(),
        _ => text.into(),
    };
    let mut read = Conversation::default();
    let (range, behind) = front::split(&text);
    if let Some(range) = range {
        front::read(&text, range, &mut read, &mut Vec::new());
    }
    front::access_at(&text, behind, &mut Vec::new()).apply(&mut read);
    read.private || !read.schedule.is_empty()
}

/// Returns the partitions in the order of the manifest, then those that are missing from it by name, then
/// the active one.
fn partitions(folder: &str, listing: &Listing<'_>) -> Vec<String> {
    let exists = |path: &String| listing.names.binary_search(&path.as_str()).is_ok();
    let flat = ["manifest.json", "active.jsonl"].map(|name| format!("{folder}{name}"));
    let root = match flat.iter().all(exists) {
        true => folder.to_owned(),
        false => format!("{folder}transcript/"),
    };
    let manifest = (listing.text)(&format!("{root}manifest.json"))
        .and_then(|text| json::parse(&text).ok())
        .map(|(manifest, _)| manifest)
        .unwrap_or_default();
    let active = match manifest.get("active_partition").and_then(Value::as_str) {
        Some(name) => format!("{root}{name}"),
        None => format!("{root}active.jsonl"),
    };
    let mut files: Vec<String> = Vec::new();
    let mut known = BTreeSet::new();
    for partition in manifest.get("partitions").and_then(Value::as_array).into_iter().flatten() {
        let named = partition.as_str().or_else(|| partition.get("file")?.as_str());
        let Some(name) = named else { continue };
        // A path may be relative to the transcript's folder or to the partition's.
        let path = [format!("{root}{name}"), format!("{root}partitions/{name}")];
        let path = path.into_iter().find(exists);
        files.extend(path.filter(|path| *path != active && known.insert(path.clone())));
    }
    let partitions = format!("{root}partitions/");
    let first = listing.names.partition_point(|name| **name < *partitions);
    let inside = listing.names[first..].iter();
    let mut unnamed: Vec<String> = inside
        .take_while(|name| name.starts_with(&partitions))
        .filter(|name| name.ends_with(".jsonl") && !known.contains(**name))
        .map(|name| (*name).to_owned())
        .collect();
    // `999-1000` comes before `1000-1100`.
    unnamed.sort_by_key(|name| {
        let stem = name[partitions.len()..].split(['-', '.']).next().unwrap_or_default();
        (stem.parse::<u64>().unwrap_or(u64::MAX), name.clone())
    });
    files.extend(unnamed);
    // The active partition is the newest. A file with the default name that is no longer active comes
    // before it.
    let usual = format!("{root}active.jsonl");
    for path in [usual, active].into_iter().filter(exists) {
        files.retain(|known| *known != path);
        files.push(path);
    }
    files
}
