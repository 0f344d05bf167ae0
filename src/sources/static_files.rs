//! Files that are copied as they are, from the folder `static`.

use crate::diag::{Diagnostic, Severity};
use crate::files::Files;
use crate::formats;
use crate::gate;
use crate::hash::Hash;
use crate::model::TextRole;
use crate::path::RelPath;
use crate::people::KEY_FILE;

use super::rules::Rules;

/// The folder of the site whose files are copied.
pub const FOLDER: &str = "static";
/// The only folder with a dot that is copied: programs look there for what a site says of itself.
const WELL_KNOWN: &str = "static/.well-known";

/// A file that is copied as it is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StaticFile {
    /// Its path in the output.
    pub path: String,
    /// The file.
    pub source: RelPath,
    /// The hash of its bytes.
    pub hash: Hash,
}

/// Finds the files to copy, with a note on each that is not.
pub(super) fn find(
    files: &dyn Files,
    rules: &Rules,
    notes: &mut Vec<Diagnostic>,
) -> Vec<StaticFile> {
    let mut listed = files.list(FOLDER).take(notes);
    listed.extend(files.list(WELL_KNOWN).take(notes));
    let mut found = Vec::new();
    for name in files.names(FOLDER).into_iter().filter(|name| name.starts_with('.')) {
        let name = name.trim_end_matches('/');
        if ![".well-known", ".DS_Store", ".gitkeep", ".gitignore"].contains(&name) {
            let why = "its name starts with a dot";
            notes.push(refused(&format!("{FOLDER}/{name}"), why));
        }
    }
    for file in listed {
        let inside = file.path.as_str().strip_prefix(FOLDER).unwrap_or_default();
        let path = inside.trim_start_matches('/').to_owned();
        if path.is_empty() || found.iter().any(|known: &StaticFile| known.path == path) {
            continue;
        }
        if let Some(why) = names_a_secret(file.path.name()) {
            notes.push(refused(file.path.as_str(), why));
            continue;
        }
        match files.read(&file.path) {
            Ok(bytes) => match holds_a_secret(&file.path, &bytes, rules) {
                Some(why) => notes.push(refused(file.path.as_str(), &why)),
                None => {
                    let hash = Hash::of_bytes(&bytes);
                    found.push(StaticFile { path, source: file.path, hash });
                }
            },
            Err(note) => notes.push(*note),
        }
    }
    found
}

fn refused(path: &str, why: &str) -> Diagnostic {
    let message = format!("this is not copied: {why}");
    let note = Diagnostic::new(Severity::Error, "static-refused", message);
    note.in_file(path)
        .hint("take it out of the folder, which everybody can read in the end")
}

/// Returns why the name alone says that nobody else may have a file.
fn names_a_secret(name: &str) -> Option<&'static str> {
    const ENDINGS: [&str; 9] = [
        ".pem",
        ".key",
        ".p12",
        ".pfx",
        ".kdbx",
        ".jks",
        ".keystore",
        ".ppk",
        ".asc.key",
    ];
    let lower = name.to_lowercase();
    let is_key = lower == KEY_FILE
        || lower.starts_with("id_rsa")
        || lower.starts_with("id_ed25519")
        || ENDINGS.iter().any(|ending| lower.ends_with(ending));
    let is_environment = lower.ends_with(".env") || lower.starts_with(".env");
    match (is_key, is_environment) {
        (true, _) => Some("it is named like a key"),
        (_, true) => Some("it is named like a file of passwords"),
        _ => None,
    }
}

/// Returns why what stands in a file is for nobody else.
fn holds_a_secret(file: &RelPath, bytes: &[u8], rules: &Rules) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?;
    if formats::may_hold_conversations(file.name())
        && formats::seems_a_conversation(file.name(), bytes)
    {
        return Some("it holds conversations, which may be private".to_owned());
    }
    let role = TextRole::Name;
    let seen = rules.gate.inspect_text(None, &[file.as_str()], text, role);
    let findings: Vec<_> = seen.found.iter().map(|found| found.finding.clone()).collect();
    if let Some(first) = findings.first().filter(|_| gate::holds(&findings)) {
        return Some(format!("something in it may be a secret ({})", first.name));
    }
    if seen.changed.is_some() {
        return Some("something in it is redacted on pages".to_owned());
    }
    let named = rules.names_somebody(text);
    named.then(|| "somebody is named in it who is not to be named".to_owned())
}
