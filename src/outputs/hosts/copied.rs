//! Files that are copied unchanged.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::redirects::{HOST_FILE, is_free};
use crate::diag::{Diagnostic, Severity, WithNotes};
use crate::outputs::env::Env;
use crate::outputs::output::Output;
use crate::site::Site;
use crate::sources::StaticFile;

/// Declares the copies. If a generated file has the same path, or a path above or below it, it has
/// precedence, and the conflict is reported. Paths are compared without case, because some file systems
/// ignore it.
pub(crate) fn declare(
    site: &Site,
    env: &Arc<Env>,
    others: &[Output],
) -> WithNotes<Vec<Option<Output>>> {
    let mut notes = Vec::new();
    let mut taken = BTreeSet::new();
    if !site.copied.is_empty() {
        taken.extend(others.iter().map(|output| output.path.as_str().to_lowercase()));
    }
    if !site.aliases.is_empty() {
        taken.insert(HOST_FILE.to_owned());
    }
    let mut free = Vec::new();
    for file in &site.copied {
        let small = file.path.to_lowercase();
        if is_free(&small, &taken) {
            taken.insert(small);
            free.push(file);
            continue;
        }
        let message = match taken.contains(&small) {
            true => format!("the site already has a file `{}`", file.path),
            false => {
                format!("`{}` cannot be both a file and a folder", file.path)
            }
        };
        let note = Diagnostic::new(Severity::Error, "path-taken", message);
        let note = note.in_file(file.source.as_str());
        notes.push(note.hint("this file is not copied; rename it"));
    }
    let output = |file: &StaticFile| {
        Output::new("copied", &file.path, env, file.clone(), |env, file| env.texts.copied(file))
    };
    let value = free.into_iter().map(output).collect();
    WithNotes { value, notes }
}
