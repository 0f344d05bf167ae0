//! Files that are copied unchanged from the folder `static`.

use crate::diag::{Diagnostic, Severity};
use crate::files::Files;
use crate::hash::Hash;
use crate::path::RelPath;
use crate::people::KEY_FILE;

use super::media::public_bytes;
use super::static_content::{of_path, refusal};
use crate::sources::find::reason::Release;
use crate::sources::find::rules::Rules;

/// The folder of the site with the files to copy.
pub const FOLDER: &str = "static";
/// The only hidden folder that is copied: programs look there for information about a site.
const WELL_KNOWN: &str = "static/.well-known";
/// The hint for most files that are not copied.
const TAKE_OUT: &str = "remove it from the folder, which is published as is";

/// A file that is copied unchanged.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StaticFile {
    /// Its path in the output.
    pub path: String,
    /// The file.
    pub source: RelPath,
    /// The hash of its bytes.
    pub hash: Hash,
}

/// Finds the files to copy, with a diagnostic for each refused file.
pub(crate) fn find(
    files: &dyn Files,
    rules: &Rules,
    release: &Release,
    notes: &mut Vec<Diagnostic>,
) -> Vec<StaticFile> {
    let mut listed = files.list(FOLDER).take(notes);
    listed.extend(files.list(WELL_KNOWN).take(notes));
    let mut found = Vec::new();
    for name in files.names(FOLDER).into_iter().filter(|name| name.starts_with('.')) {
        let name = name.trim_end_matches('/');
        if ![".well-known", ".DS_Store", ".gitkeep", ".gitignore"].contains(&name) {
            let why = "its name starts with a dot";
            notes.push(refused(&format!("{FOLDER}/{name}"), why).hint(TAKE_OUT));
        }
    }
    for file in listed {
        let inside = file.path.as_str().strip_prefix(FOLDER).unwrap_or_default();
        let path = inside.trim_start_matches('/').to_owned();
        if path.is_empty() || found.iter().any(|known: &StaticFile| known.path == path) {
            continue;
        }
        if let Some(why) = of_path(&path, rules) {
            // Readers of the log must not see the name.
            let shown = rules.gate.clean(None, file.path.as_str().to_owned());
            notes.push(refused(&shown, &why).hint("rename it"));
            continue;
        }
        if let Some(why) = names_a_secret(file.path.name()) {
            notes.push(refused(file.path.as_str(), why).hint(TAKE_OUT));
            continue;
        }
        let bytes = match files.read(&file.path) {
            Ok(bytes) => bytes,
            Err(note) => {
                notes.push(*note);
                continue;
            }
        };
        let hash = Hash::of_bytes(&bytes);
        // Metadata that is removed from images need not be checked.
        let public = match public_bytes(bytes) {
            Ok(public) => public,
            Err(why) => {
                let why = format!("it is a damaged image ({why})");
                let note = refused(file.path.as_str(), &why);
                notes.push(note.hint("save the image again"));
                continue;
            }
        };
        if let Some(refusal) = refusal(&file.path, &public.bytes, rules, release) {
            let note = refused(file.path.as_str(), &refusal.why);
            notes.push(note.hint(refusal.hint.unwrap_or(TAKE_OUT)));
            continue;
        }
        notes.extend(public.note.map(|note| note.in_file(file.path.as_str())));
        found.push(StaticFile { path, source: file.path, hash });
    }
    found
}

fn refused(path: &str, why: &str) -> Diagnostic {
    let message = format!("not copied: {why}");
    Diagnostic::new(Severity::Error, "static-refused", message).in_file(path)
}

/// Returns why the name alone shows that a file must not be published.
fn names_a_secret(name: &str) -> Option<&'static str> {
    const EXTENSIONS: [&str; 9] =
        [".pem", ".key", ".p12", ".pfx", ".kdbx", ".jks", ".keystore", ".ppk", ".asc.key"];
    let lower = name.to_lowercase();
    let is_key = lower == KEY_FILE
        || lower.starts_with("id_rsa")
        || lower.starts_with("id_ed25519")
        || EXTENSIONS.iter().any(|extension| lower.ends_with(extension));
    let is_environment = lower.ends_with(".env") || lower.starts_with(".env");
    match (is_key, is_environment) {
        (true, _) => Some("it is named like a key"),
        (_, true) => Some("it is named like a password file"),
        _ => None,
    }
}
