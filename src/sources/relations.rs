//! Conversations that go on from others, and conversations that are there twice.

use std::collections::HashMap;
use std::sync::Arc;

use super::Entry;
use crate::diag::{Diagnostic, Severity};
use crate::hash::Hash;

/// Follows what sources say of the conversations that theirs go on from; what leads nowhere or
/// in a circle is dropped.
pub(super) fn relate(entries: &mut [Arc<Entry>], notes: &mut Vec<Diagnostic>) {
    let mut by_id: HashMap<String, usize> = HashMap::new();
    for (index, entry) in entries.iter().enumerate() {
        let Some(id) = &entry.own_id else { continue };
        if let Some(first) = by_id.get(id) {
            let message =
                format!("the id `{id}` is also that of `{}`", entries[*first].label());
            let note = Diagnostic::new(Severity::Warning, "duplicate-id", message);
            let note = note.in_file(entry.label());
            notes.push(note.hint("links to that id lead to the other one"));
        } else {
            by_id.insert(id.clone(), index);
        }
    }
    let parents: Vec<Option<usize>> = entries
        .iter()
        .map(|entry| entry.parent.as_ref().and_then(|parent| by_id.get(parent).copied()))
        .collect();
    for (index, entry) in entries.iter_mut().enumerate() {
        let Some(parent) = entry.parent.clone() else { continue };
        let mut at = parents[index];
        let mut steps = 0;
        while let Some(next) = at.filter(|next| *next != index && steps <= parents.len())
        {
            at = parents[next];
            steps += 1;
        }
        let (code, message) = if parents[index].is_none() {
            (
                "orphan-parent",
                format!("the conversation `{parent}` before it is not in the archive"),
            )
        } else if at.is_some() {
            ("parent-cycle", format!("going back to `{parent}` and on leads in a circle"))
        } else {
            continue;
        };
        let note = Diagnostic::new(Severity::Warning, code, message);
        let note = note.in_file(entry.label());
        notes.push(note.hint("it is shown without a link to it"));
        Arc::make_mut(entry).parent = None;
    }
}

/// Two conversations that begin alike at the same time are probably one, exported twice. Both
/// are shown; the later file's gets an id of its own.
pub(super) fn tell_duplicates_apart(
    entries: &mut [Arc<Entry>],
    notes: &mut Vec<Diagnostic>,
) {
    let mut seen: HashMap<Hash, Arc<Entry>> = HashMap::with_capacity(entries.len());
    for entry in entries {
        let Some(first) = seen.get(&entry.id) else {
            seen.insert(entry.id, entry.clone());
            continue;
        };
        let first = first.label();
        let message = format!("this conversation begins as the one in `{first}` does");
        let note = Diagnostic::new(Severity::Warning, "duplicate-conversation", message);
        let note = note.in_file(entry.label());
        notes.push(note.hint("delete one of them if they are the same"));
        let id = Hash::of(&(entry.id, entry.file(), entry.parts[0].index));
        Arc::make_mut(entry).id = id;
    }
}
