//! Which files are a context.

use std::collections::BTreeSet;

use super::super::{Bundle, Listing};
use crate::json::{self, Value};

/// Every context folder with the files that are to be read of it, in order.
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
            (file.ends_with(".jsonl") && (rest.is_empty() || rest.ends_with('/')))
                .then_some(rest)
        };
        let folder = inside("transcript/active.jsonl")
            .or_else(|| inside("transcript/manifest.json"))
            .or_else(|| inside("context.jsonl"))
            .or_else(of_partition);
        // Older contexts have what is in `transcript` beside it.
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
            ["context.jsonl", "transcript.md"]
                .map(inside)
                .into_iter()
                .find(|path| exists(path)),
        );
    }
    files.extend(Some(inside("inbox.jsonl")).filter(|path| exists(path)));
    // What is derived from these, what helps to search them, and what a debugger wrote.
    let aside = [
        "transcript/manifest.json",
        "manifest.json",
        "context.jsonl",
        "transcript.md",
        "requests.jsonl",
    ];
    let aside = aside
        .map(inside)
        .into_iter()
        .filter(|path| exists(path) && !files.contains(path));
    Bundle { folder: folder.to_owned(), aside: aside.collect(), files }
}

/// The partitions in the order of the manifest, then those it does not name in the order of
/// their names, then the active one.
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
    for partition in
        manifest.get("partitions").and_then(Value::as_array).into_iter().flatten()
    {
        let named = partition.as_str().or_else(|| partition.get("file")?.as_str());
        let Some(name) = named else { continue };
        // Either way of naming it is seen: from the transcript's folder or from its own.
        let path = [format!("{root}{name}"), format!("{root}partitions/{name}")];
        let path = path.into_iter().find(exists);
        files.extend(path.filter(|path| *path != active && !files.contains(path)));
    }
    let partitions = format!("{root}partitions/");
    let mut unnamed: Vec<String> = listing
        .names
        .iter()
        .filter(|name| name.starts_with(&partitions) && name.ends_with(".jsonl"))
        .map(|name| (*name).to_owned())
        .filter(|name| !files.contains(name))
        .collect();
    // `999-1000` comes before `1000-1100`.
    unnamed.sort_by_key(|name| {
        let stem = name[partitions.len()..].split(['-', '.']).next().unwrap_or_default();
        (stem.parse::<u64>().unwrap_or(u64::MAX), name.clone())
    });
    files.extend(unnamed);
    // The active one is the newest. One that has the usual name and is not active any more
    // comes before it.
    let usual = format!("{root}active.jsonl");
    for path in [usual, active].into_iter().filter(exists) {
        files.retain(|known| *known != path);
        files.push(path);
    }
    files
}
