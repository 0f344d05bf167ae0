//! Adds imported conversations to the list of published conversations.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::super::Failure;
use crate::config::PublishList;
use crate::disk::{self, Inbox};
use crate::hash::Hash;
use crate::path::{OutPath, RelPath};
use crate::sources::literal_pattern;
use crate::text::toml_string;

/// The first lines of the file that records what was listed once.
const ABOUT: &str = "# Written by `convo-site import`. It does not add these conversations to \
                     publish.toml again after you\n# remove them there. Keep this file with \
                     publish.toml.\n";

/// An entry of the list.
pub(super) struct Listed<'a> {
    /// Identifies its conversation among all others.
    pub(super) key: &'a str,
    /// The path of its file below the content folder.
    pub(super) file: &'a str,
    /// Its id in that file, if the file may contain other conversations.
    pub(super) id: Option<&'a str>,
    /// Its title, for people.
    pub(super) title: &'a str,
}

/// What was added to the list.
pub(super) struct Additions {
    /// The number of new entries.
    pub(super) added: u64,
    /// The number of conversations that were not added, because an earlier import added them and
    /// they are no longer in the list.
    pub(super) removed: u64,
}

/// Adds conversations to the list of a site. Those that were removed from it are added again only
/// with `lists_again`.
pub(super) fn list(
    site: &Path,
    all: &[Listed<'_>],
    lists_again: bool,
) -> Result<Additions, Failure> {
    let written = read(site, PublishList::FILE)?;
    let mut text = written.clone().unwrap_or_default();
    let list = PublishList::parse(&text)?;
    let mut known: BTreeSet<(String, Option<String>)> = list
        .conversations
        .into_iter()
        .filter_map(|one| Some((one.file?.text, one.id.map(|id| id.text))))
        .collect();
    let entries: BTreeSet<String> = known.iter().map(hash).collect();
    let recorded = read(site, PublishList::RECORD)?;
    let earlier = record(recorded.as_deref().unwrap_or_default());
    let mut record = earlier.clone();
    let (mut added, mut removed) = (0, BTreeSet::new());
    for Listed { key, file, id, title } in all {
        let entry = (literal_pattern(file), id.map(str::to_owned));
        record.insert((*key).to_owned(), hash(&entry));
        if known.contains(&entry) {
            continue;
        }
        // If the file was renamed, its old entry may still be in the list.
        let is_removed = earlier.get(*key).is_some_and(|entry| !entries.contains(entry));
        if is_removed && !lists_again {
            removed.insert(*key);
            continue;
        }
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        if !text.is_empty() {
            text.push('\n');
        }
        let (file, title) = (toml_string(&entry.0), toml_string(title));
        let id = id.map(|id| format!("id = {}\n", toml_string(id))).unwrap_or_default();
        text.push_str(&format!("[[conversation]]\nfile = {file}\n{id}title = {title}\n"));
        known.insert(entry);
        added += 1;
    }
    let mut inbox = Inbox::new(site);
    if added > 0 {
        write(&mut inbox, PublishList::FILE, &text, written.is_some())?;
    }
    if record != earlier {
        let lines = record.iter().map(|(key, entry)| format!("{key} {entry}\n"));
        let text = ABOUT.to_owned() + &lines.collect::<String>();
        write(&mut inbox, PublishList::RECORD, &text, recorded.is_some())?;
    }
    Ok(Additions { added, removed: removed.len() as u64 })
}

/// Returns the hashes of the entries that earlier imports added, by the keys of conversations.
fn record(text: &str) -> BTreeMap<String, String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines = lines.filter(|line| !line.starts_with('#'));
    let split = lines.map(|line| line.split_once(' ').unwrap_or((line, "")));
    split.map(|(key, entry)| (key.to_owned(), entry.to_owned())).collect()
}

/// Returns the hash of an entry: the titles in file names may be private once it is removed.
fn hash(entry: &(String, Option<String>)) -> String {
    Hash::of(entry).short(20)
}

/// Reads a file of the site folder, if it exists.
fn read(site: &Path, name: &str) -> Result<Option<String>, Failure> {
    let path = site.join(name);
    if !disk::is_there(&path) {
        return Ok(None);
    }
    Ok(Some(String::from_utf8_lossy(&disk::read(&path)?).into_owned()))
}

/// Writes a file of the site folder. `is_there` is whether it exists.
fn write(inbox: &mut Inbox, name: &str, text: &str, is_there: bool) -> Result<(), Failure> {
    if is_there {
        inbox.replace(&RelPath::new(name), text.as_bytes())?;
    } else if let Some(name) = OutPath::new(name) {
        inbox.add(&name, text.as_bytes())?;
    }
    Ok(())
}
