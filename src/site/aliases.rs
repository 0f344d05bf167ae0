//! Where things stood before: by the aliases of conversations and the redirects of the site.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::config::Config;
use crate::diag::{Diagnostic, Noted, Severity};
use crate::path::OutPath;
use crate::sources::Entry;

/// Old paths below the site's address, each with the path of what stands for it now. Of several
/// that say the same the site has it, then the newest conversation.
pub(super) fn find(
    entries: &[Arc<Entry>],
    folders: &[String],
    config: &Config,
) -> Noted<BTreeMap<String, String>> {
    let mut notes = Vec::new();
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for (from, to) in &config.redirects {
        let is_home = to.trim_matches('/').is_empty();
        match path_of(from) {
            Some(from) if is_home || path_of(to).is_some() => {
                found.insert(from.to_owned(), to.trim_start_matches('/').to_owned());
            }
            path => {
                let wrong = if path.is_none() { from } else { to };
                notes.push(no_address(wrong).in_file("site.toml"));
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
            if found.get(path).is_some_and(|known| known != folder) {
                let message = format!("`{alias}` leads to another page already");
                let note = Diagnostic::new(Severity::Warning, "alias-taken", message);
                notes.push(note.in_file(entry.label()));
            } else {
                found.insert(path.to_owned(), folder.clone());
            }
        }
    }
    Noted { value: found, notes }
}

/// Bytes of a path, and of each of its parts, that every file system takes.
const LONGEST: (usize, usize) = (800, 200);

/// The path of an address below the site's, without slashes around it.
fn path_of(address: &str) -> Option<&str> {
    let path = address.trim_start_matches('/').trim_end_matches('/');
    let fits = OutPath::new(path).is_some()
        && path.len() <= LONGEST.0
        && path.split('/').all(|part| part.len() <= LONGEST.1)
        && !path.split('/').any(|part| part.starts_with('.'))
        && !path.contains(|c: char| c.is_whitespace() || "?#%<>\"*".contains(c));
    fits.then_some(path)
}

fn no_address(address: &str) -> Diagnostic {
    let message = format!("`{address}` is no address below the site's");
    let note = Diagnostic::new(Severity::Error, "bad-alias", message);
    note.hint("it looks like `old/talk/` or `old/talk.html`")
}
