//! Redirects from old URLs: the aliases of conversations and the redirects of the site.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::config::Config;
use crate::diag::{Diagnostic, Location, Severity, WithNotes};
use crate::path::OutPath;
use crate::sources::Entry;
use crate::text::short_name;

/// The target of a redirect.
#[derive(Clone, Debug)]
pub struct Alias {
    /// The path of the target below the base URL.
    pub to: String,
    /// The location of the old URL in the source.
    pub from_at: Option<Location>,
    /// The location of the new URL; for a conversation, the location of the old one.
    pub to_at: Option<Location>,
}

/// The maximum number of aliases of a conversation.
const MAX_ALIASES: usize = 1_000;

/// Collects old paths below the base URL. If several redirects have the same old path, those of the site
/// have precedence, then those of newer conversations.
pub(super) fn find(
    pages: &[(&Arc<Entry>, Arc<str>)],
    config: &Config,
) -> WithNotes<BTreeMap<String, Alias>> {
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
                notes.push(Diagnostic { at, ..invalid_path_error(&wrong.text) });
            }
        }
    }
    for (entry, folder) in pages {
        if entry.aliases.len() > MAX_ALIASES {
            let message = format!(
                "{} aliases, of which only the first {MAX_ALIASES} redirect here",
                entry.aliases.len()
            );
            let note = Diagnostic::new(Severity::Error, "bad-alias", message);
            let hint = "each alias is a file of the site; for patterns, use the rules of your host";
            notes.push(note.in_file(entry.label()).hint(hint));
        }
        for alias in entry.aliases.iter().take(MAX_ALIASES) {
            let Some(path) = path_of(alias) else {
                notes.push(invalid_path_error(alias).in_file(entry.label()));
                continue;
            };
            // An alias that equals the current URL needs no redirect.
            if path == folder.trim_end_matches('/') {
                continue;
            }
            if found.get(path).is_some_and(|known| *known.to != **folder) {
                let message = format!("`{alias}` already redirects to another page");
                let note = Diagnostic::new(Severity::Warning, "alias-taken", message);
                notes.push(note.in_file(entry.label()));
            } else {
                let at = Some(Location { file: entry.label().to_owned(), span: None });
                let (from_at, to_at) = (at.clone(), at);
                let to = folder.to_string();
                let alias = Alias { to, from_at, to_at };
                found.insert(path.to_owned(), alias);
            }
        }
    }
    WithNotes { value: found, notes }
}

/// The maximum length in bytes of a path on any file system.
const MAX_PATH_BYTES: usize = 800;
/// The maximum length in bytes of a path component on any file system.
const MAX_PART_BYTES: usize = 200;

/// Names at the top of a site that hosts interpret: workers, redirects, headers and the domain.
const RESERVED: [&str; 7] = [
    "_worker.js", "_worker.bundle", "_routes.json", "_headers", "_redirects", ".well-known",
    "cname",
];

/// Returns the path of a URL below the base URL, without slashes at the ends.
fn path_of(address: &str) -> Option<&str> {
    let path = address.trim_start_matches('/').trim_end_matches('/');
    let fits = OutPath::new(path).is_some()
        && path.len() <= MAX_PATH_BYTES
        && path.split('/').all(|part| part.len() <= MAX_PART_BYTES)
        && !path.split('/').next().is_some_and(is_reserved)
        && !path.split('/').any(|part| part.starts_with('.'))
        && !path.contains(|c: char| c.is_whitespace() || "?#%<>\"*".contains(c));
    fits.then_some(path)
}

/// Returns whether hosts interpret a file of this name. Ignores case, and dots and spaces at the end, as
/// some file systems do.
fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name.to_lowercase().trim_end_matches(['.', ' ']))
}

fn invalid_path_error(address: &str) -> Diagnostic {
    let top = address.trim_start_matches('/').split('/').next().unwrap_or_default();
    let message = if is_reserved(top) {
        format!("`{address}` is a file name that hosts interpret")
    } else {
        format!("`{}` is not a path on this site", short_name(address, 100))
    };
    let note = Diagnostic::new(Severity::Error, "bad-alias", message);
    note.hint("use a path such as `old/talk/` or `old/talk.html`")
}
