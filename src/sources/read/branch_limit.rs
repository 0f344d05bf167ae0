//! Limits what is attached to one turn, such as a hundred thousand answers to one question, because
//! all of it is on the same page.

use std::collections::HashSet;

use super::pages::{branch_places, html_bytes};
use crate::diag::{Diagnostic, Location, Severity, Span};
use crate::model::{Conversation, Place};
use crate::sources::find::source::Source;
use crate::text::{bytes, plural};

/// The maximum estimated HTML attached to one turn of the main path. Bytes. Rendering a page takes
/// about thirty times as much memory.
const MAX_BESIDE_BYTES: usize = 12_000_000;

/// What was removed.
pub(crate) struct RemovedBranches {
    turns: u64,
    /// The place of the first removed branch.
    first: Place,
}

/// Removes branches that are too much for one turn, the last ones first, together with their own
/// branches.
pub(crate) fn bound(read: &mut Conversation) -> Option<RemovedBranches> {
    let places = branch_places(read);
    let mut left = vec![MAX_BESIDE_BYTES; read.turns.len().max(1)];
    let mut gone: HashSet<String> = HashSet::new();
    let mut first = None;
    for (branch, place) in read.branches.iter_mut().zip(places) {
        let Some(left) = left.get_mut(place) else { continue };
        let is_lost = branch.after.as_ref().is_some_and(|turn| gone.contains(turn));
        let fits = branch.turns.iter().take_while(|turn| {
            let rest = left.checked_sub(html_bytes(turn));
            // Later branches do not take the place of removed ones.
            *left = rest.unwrap_or_default();
            rest.is_some()
        });
        let kept = if is_lost { 0 } else { fits.count() };
        let taken = branch.turns.drain(kept..);
        for turn in taken {
            first.get_or_insert(turn.place);
            gone.insert(turn.id);
        }
    }
    let first = first?;
    read.branches.retain(|branch| !branch.turns.is_empty());
    Some(RemovedBranches { turns: gone.len() as u64, first })
}

impl RemovedBranches {
    /// Returns the diagnostic.
    pub(crate) fn note(&self, source: &Source) -> Diagnostic {
        let turns = plural(self.turns, "turn is", "turns are");
        let most = bytes(MAX_BESIDE_BYTES as u64);
        let message =
            format!("{turns} not shown: the alternatives to one turn exceed {most} on a page");
        let file = source.files.get(self.first.file).unwrap_or(source.file());
        let span = Span { line: self.first.line, ..Span::default() };
        let note = Diagnostic::new(Severity::Warning, "too-many-branches", message);
        let at = Some(Location { file: file.to_string(), span: Some(span) });
        let note = Diagnostic { at, ..note };
        note.hint("the first alternatives and the main path are published")
    }
}
