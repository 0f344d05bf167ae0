//! Adds imported conversations to the list of published conversations.

use std::collections::BTreeSet;
use std::path::Path;

use super::super::Failure;
use crate::config::PublishList;
use crate::disk::{self, Inbox};
use crate::json::Value;
use crate::path::{OutPath, RelPath};
use crate::sources::literal_pattern;

/// An entry of the list.
pub(super) struct Listed<'a> {
    /// The path of its file below the content folder.
    pub(super) file: &'a str,
    /// Its id in that file, if the file may contain other conversations.
    pub(super) id: Option<&'a str>,
    /// Its title, for people.
    pub(super) title: &'a str,
}

/// Adds conversations to the list of a site, and returns the number of new entries.
pub(super) fn list(site: &Path, all: &[Listed<'_>]) -> Result<u64, Failure> {
    let path = site.join(PublishList::FILE);
    let is_there = disk::is_there(&path);
    let mut text = match is_there {
        true => String::from_utf8_lossy(&disk::read(&path)?).into_owned(),
        false => String::new(),
    };
    let list = PublishList::parse(&text)?;
    let mut known: BTreeSet<(String, Option<String>)> = list
        .conversations
        .into_iter()
        .filter_map(|one| Some((one.file?.text, one.id.map(|id| id.text))))
        .collect();
    let mut added = 0;
    for Listed { file, id, title } in all {
        let file = literal_pattern(file);
        if !known.insert((file.clone(), id.map(str::to_owned))) {
            continue;
        }
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        if !text.is_empty() {
            text.push('\n');
        }
        let (file, title) = (quoted(&file), quoted(title));
        let id = id.map(|id| format!("id = {}\n", quoted(id))).unwrap_or_default();
        text.push_str(&format!("[[conversation]]\nfile = {file}\n{id}title = {title}\n"));
        added += 1;
    }
    let mut inbox = Inbox::new(site);
    if added > 0 && is_there {
        inbox.replace(&RelPath::new(PublishList::FILE), text.as_bytes())?;
    } else if added > 0
        && let Some(name) = OutPath::new(PublishList::FILE)
    {
        inbox.add(&name, text.as_bytes())?;
    }
    Ok(added)
}

/// Returns a text as a TOML string; JSON strings are valid TOML, except for U+007F.
fn quoted(text: &str) -> String {
    Value::from(text.replace('\u{7f}', "")).to_string()
}
