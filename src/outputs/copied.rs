//! Files that are copied as they are.

use std::collections::HashSet;
use std::sync::Arc;

use super::{Env, Output};
use crate::diag::{Diagnostic, Noted, Severity};
use crate::site::Site;
use crate::sources::StaticFile;

/// Declares them; what the program makes at the same path wins, and that is told.
pub(super) fn declare(
    site: &Site,
    env: &Arc<Env>,
    others: &[Output],
) -> Noted<Vec<Option<Output>>> {
    let mut notes = Vec::new();
    let taken: HashSet<&str> = match site.copied.is_empty() {
        true => HashSet::new(),
        false => others.iter().map(|output| output.path.as_str()).collect(),
    };
    let free = site.copied.iter().filter(|file| {
        let is_taken = taken.contains(file.path.as_str());
        if is_taken {
            let message = format!("the site has a `{}` of its own already", file.path);
            let note = Diagnostic::new(Severity::Error, "path-taken", message);
            let note = note.in_file(file.source.as_str());
            notes.push(note.hint("this file is not copied; give it another name"));
        }
        !is_taken
    });
    let output = |file: &StaticFile| {
        Output::new("copied", &file.path, env, file.clone(), |env, file| {
            env.texts.original(&file.source)
        })
    };
    let value = free.map(output).collect();
    Noted { value, notes }
}
