//! Puts imported conversations on the list of what a site publishes.

use std::collections::BTreeSet;
use std::path::Path;

use super::super::Failure;
use crate::config::PublishList;
use crate::disk::{self, Inbox};
use crate::json::Value;
use crate::path::{OutPath, RelPath};
use crate::sources::literal_pattern;

/// Adds files of the content folder to the site's list, each with its title, and returns how many
/// were not on it.
pub(super) fn list(site: &Path, files: &[(&str, &str)]) -> Result<u64, Failure> {
    let path = site.join(PublishList::FILE);
    let is_there = disk::is_there(&path);
    let mut text = match is_there {
        true => String::from_utf8_lossy(&disk::read(&path)?).into_owned(),
        false => String::new(),
    };
    let list = PublishList::parse(&text)?;
    let mut known: BTreeSet<String> = list
        .conversations
        .into_iter()
        .filter(|one| one.id.is_none())
        .filter_map(|one| Some(one.file?.text))
        .collect();
    let mut added = 0;
    for (file, title) in files {
        let file = literal_pattern(file);
        if !known.insert(file.clone()) {
            continue;
        }
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        if !text.is_empty() {
            text.push('\n');
        }
        let (file, title) = (quoted(&file), quoted(title));
        text.push_str(&format!("[[conversation]]\nfile = {file}\ntitle = {title}\n"));
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

/// Returns a text as a string of TOML, which is one of JSON but for a control character.
fn quoted(text: &str) -> String {
    Value::from(text.replace('\u{7f}', "")).to_string()
}
