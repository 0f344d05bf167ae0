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
        match (path_of(from), path_of(to)) {
            // A page has its slash, and the home page nothing else.
            (Some(from), Some(_)) => {
                found.insert(from.to_owned(), to.trim_start_matches('/').to_owned());
            }
            (from_path, _) => {
                let wrong = if from_path.is_none() { from } else { to };
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

/// The path of an address below the site's, without slashes around it.
fn path_of(address: &str) -> Option<&str> {
    let path = address.trim_start_matches('/').trim_end_matches('/');
    let fits = OutPath::new(path).is_some()
        && !path.split('/').any(|part| part.starts_with('.'))
        && !path.contains(|c: char| c.is_whitespace() || "?#%<>\"*".contains(c));
    fits.then_some(path)
}

fn no_address(address: &str) -> Diagnostic {
    let message = format!("`{address}` is no address below the site's");
    let note = Diagnostic::new(Severity::Error, "bad-alias", message);
    note.hint("it looks like `old/talk/` or `old/talk.html`")
}
