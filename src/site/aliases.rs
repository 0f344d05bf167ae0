//! Where things stood before: by the aliases of conversations and the redirects of the site.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::config::Config;
use crate::diag::{Diagnostic, Location, Noted, Severity};
use crate::path::OutPath;
use crate::sources::Entry;

/// What stands for an old address now.
#[derive(Clone, Debug)]
pub struct Alias {
    /// Its path below the site's address.
    pub to: String,
    /// Where the old address is written.
    pub from_at: Option<Location>,
    /// Where the new one is written; for a conversation, where the old one is.
    pub to_at: Option<Location>,
}

/// Old paths below the site's address. Of several that say the same the site has it, then the
/// newest conversation.
pub(super) fn find(
    entries: &[Arc<Entry>],
    folders: &[String],
    config: &Config,
) -> Noted<BTreeMap<String, Alias>> {
    let mut notes = Vec::new();
    let mut found: BTreeMap<String, Alias> = BTreeMap::new();
    for (from, to) in &config.redirects {
        let is_home = to.text.trim_matches('/').is_empty();
        match path_of(&from.text) {
            Some(path) if is_home || path_of(&to.text).is_some() => {
                let (from_at, to_at) = (from.at.clone(), to.at.clone());
                let to = to.text.trim_start_matches('/').to_owned();
                found.insert(path.to_owned(), Alias { to, from_at, to_at });
            }
            path => {
                let wrong = if path.is_none() { from } else { to };
                let at = wrong.at.clone();
                notes.push(Diagnostic { at, ..no_address(&wrong.text) });
            }
        }
    }
    for (entry, folder) in entries.iter().zip(folders) {
        for alias in &entry.aliases {
            let Some(path) = path_of(alias) else {
                notes.push(no_address(alias).in_file(entry.label()));
                continue;
            };
            // A title that is what it was before stands where it stood.
            if path == folder.trim_end_matches('/') {
                continue;
            }
            if found.get(path).is_some_and(|known| known.to != *folder) {
                let message = format!("`{alias}` leads to another page already");
                let note = Diagnostic::new(Severity::Warning, "alias-taken", message);
                notes.push(note.in_file(entry.label()));
            } else {
                let at = Some(Location { file: entry.label().to_owned(), span: None });
                let (from_at, to_at) = (at.clone(), at);
                let alias = Alias { to: folder.clone(), from_at, to_at };
                found.insert(path.to_owned(), alias);
            }
        }
    }
    Noted { value: found, notes }
}

/// Bytes of a path, and of each of its parts, that every file system takes.
const LONGEST: (usize, usize) = (800, 200);

/// Names at the top of a site that hosts take for orders: what runs there, where visitors are
/// sent, and whose domain it is.
const RESERVED: [&str; 7] = [
    "_worker.js",
    "_worker.bundle",
    "_routes.json",
    "_headers",
    "_redirects",
    ".well-known",
    "cname",
];

/// The path of an address below the site's, without slashes around it.
fn path_of(address: &str) -> Option<&str> {
    let path = address.trim_start_matches('/').trim_end_matches('/');
    let fits = OutPath::new(path).is_some()
        && path.len() <= LONGEST.0
        && path.split('/').all(|part| part.len() <= LONGEST.1)
        && !path.split('/').next().is_some_and(is_reserved)
        && !path.split('/').any(|part| part.starts_with('.'))
        && !path.contains(|c: char| c.is_whitespace() || "?#%<>\"*".contains(c));
    fits.then_some(path)
}

/// Whether a host takes a name for an order. Some file systems do not tell capital letters from
/// small ones, and some drop a dot or a space at the end.
fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name.to_lowercase().trim_end_matches(['.', ' ']))
}

fn no_address(address: &str) -> Diagnostic {
    let top = address.trim_start_matches('/').split('/').next().unwrap_or_default();
    let message = if is_reserved(top) {
        format!("`{address}` is a name that hosts of sites take for an order")
    } else {
        format!("`{address}` is no address below the site's")
    };
    let note = Diagnostic::new(Severity::Error, "bad-alias", message);
    note.hint("it looks like `old/talk/` or `old/talk.html`")
}
