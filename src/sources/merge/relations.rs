//! Relations between conversations: continuations, duplicates, and transcripts of one recording.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use crate::diag::{Diagnostic, Severity};
use crate::hash::Hash;
use crate::path::RelPath;
use crate::sources::entry::Entry;
use crate::sources::entry::entry_builder::SAMPLE_SIZE;
use crate::sources::entry::recording::{Recording, withheld_note};
use crate::text::plural;

/// Removes recordings found next to conversations, if they are among these files: recordings of
/// other conversations that are withheld, or that omit words of the recording.
pub(crate) fn withhold_recordings<'a>(
    entries: &mut [Arc<Entry>],
    files: impl Iterator<Item = &'a RelPath>,
    notes: &mut Vec<Diagnostic>,
) {
    let files: HashSet<&RelPath> = files.collect();
    let is_withheld =
        |one: &Recording| !one.is_named && one.file().is_some_and(|file| files.contains(file));
    for entry in entries {
        if entry.recording.as_deref().is_some_and(is_withheld) {
            Arc::make_mut(entry).withhold_recording(|_| true);
            notes.push(withheld_note(entry.label()));
        }
    }
}

/// Links conversations to the ones they continue. Broken and circular links are dropped.
pub(crate) fn link_parents(entries: &mut [Arc<Entry>], notes: &mut Vec<Diagnostic>) {
    let mut by_id: HashMap<String, usize> = HashMap::new();
    for (index, entry) in entries.iter().enumerate() {
        let Some(id) = &entry.own_id else { continue };
        if let Some(first) = by_id.get(id) {
            let message = format!("the id `{id}` is also used by `{}`", entries[*first].label());
            let note = Diagnostic::new(Severity::Warning, "duplicate-id", message);
            let note = note.in_file(entry.label());
            notes.push(note.hint("links to that id go to the other conversation"));
        } else {
            by_id.insert(id.clone(), index);
        }
    }
    let parents: Vec<Option<usize>> = entries
        .iter()
        .map(|entry| entry.parent.as_ref().and_then(|parent| by_id.get(parent).copied()))
        .collect();
    let cycles = find_cycles(&parents);
    for (index, entry) in entries.iter_mut().enumerate() {
        let Some(parent) = entry.parent.clone() else { continue };
        let (code, message) = if parents[index].is_none() {
            ("orphan-parent", format!("the previous conversation `{parent}` is not on the site"))
        } else if cycles[index] {
            ("parent-cycle", format!("the conversations before `{parent}` form a loop"))
        } else {
            continue;
        };
        let note = Diagnostic::new(Severity::Warning, code, message);
        let note = note.in_file(entry.label());
        notes.push(note.hint("it is shown without a link to the previous conversation"));
        Arc::make_mut(entry).parent = None;
    }
}

/// Returns for each conversation whether following its parents leads into a cycle. Visits each
/// conversation once.
fn find_cycles(parents: &[Option<usize>]) -> Vec<bool> {
    let mut known: Vec<Option<bool>> = vec![None; parents.len()];
    for start in 0..parents.len() {
        let mut passed = Vec::new();
        let mut at = Some(start);
        let is_cycle = loop {
            let Some(here) = at else { break false };
            if let Some(known) = known[here] {
                break known;
            }
            // Until the end is known, reaching this one again means a cycle.
            known[here] = Some(true);
            passed.push(here);
            at = parents[here];
        };
        passed.into_iter().for_each(|here| known[here] = Some(is_cycle));
    }
    known.into_iter().map(|known| known == Some(true)).collect()
}

/// Gives a distinct id to each conversation that has the same beginning and time as an earlier one,
/// and reports those that are mostly equal: probably one conversation exported twice. All of them
/// are shown.
pub(crate) fn resolve_duplicates(entries: &mut [Arc<Entry>], notes: &mut Vec<Diagnostic>) {
    let mut ids = HashSet::with_capacity(entries.len());
    let repeated: HashSet<Hash> =
        entries.iter().map(|entry| entry.id).filter(|id| !ids.insert(*id)).collect();
    let mut seen: HashMap<Hash, DuplicateGroup> = HashMap::new();
    let mut within: BTreeMap<String, u64> = BTreeMap::new();
    for entry in entries.iter_mut().filter(|entry| repeated.contains(&entry.id)) {
        let group = seen.entry(entry.id).or_default();
        match group.find(entry) {
            Some(other) if other.label() == entry.label() => {
                *within.entry(entry.label().to_owned()).or_default() += 1;
            }
            Some(other) => {
                let message = format!("most of this conversation is also in `{}`", other.label());
                notes.push(duplicate_note(message, entry.label()));
            }
            None => {}
        }
        let is_first = group.entries.is_empty();
        group.add(entry);
        if !is_first {
            let id = Hash::of(&(entry.id, entry.file(), place_in_file(entry)));
            Arc::make_mut(entry).id = id;
        }
    }
    notes.extend(within.into_iter().map(|(file, number)| {
        let what = plural(number, "conversation repeats", "conversations repeat");
        let message = format!("{what} most of another one in this file");
        duplicate_note(message, &file)
    }));
}

fn duplicate_note(message: String, file: &str) -> Diagnostic {
    let note = Diagnostic::new(Severity::Warning, "duplicate-conversation", message);
    note.in_file(file).hint("delete one of them if they are the same")
}

/// Returns a number that is unique within the file: the offset of its part, plus its index in the
/// part.
fn place_in_file(entry: &Entry) -> u64 {
    entry.parts.first().map_or(0, |text| {
        let piece = text.part.pieces.first();
        piece.map_or(0, |piece| piece.from) + text.index as u64
    })
}

/// Conversations with the same beginning, which may be duplicates.
#[derive(Default)]
struct DuplicateGroup {
    entries: Vec<Arc<Entry>>,
    /// The first conversation that contains a turn, by turn.
    by_turn: HashMap<u32, usize>,
}

impl DuplicateGroup {
    /// Finds the first conversation that is mostly equal to `entry`, or to a part of it.
    fn find(&self, entry: &Entry) -> Option<&Arc<Entry>> {
        let known = entry.sample.iter().filter_map(|turn| self.by_turn.get(turn));
        let candidates: BTreeSet<usize> = known.copied().collect();
        candidates.iter().map(|at| &self.entries[*at]).find(|other| are_duplicates(other, entry))
    }

    fn add(&mut self, entry: &Arc<Entry>) {
        for turn in &entry.sample {
            self.by_turn.entry(*turn).or_insert(self.entries.len());
        }
        self.entries.push(entry.clone());
    }
}

/// Returns whether the longer conversation contains more than half of the turns of the shorter one,
/// estimated from the smallest hashes of both. The common first turn does not count.
fn are_duplicates(a: &Entry, b: &Entry) -> bool {
    let union: BTreeSet<u32> = a.sample.iter().chain(&b.sample).copied().collect();
    // A sample below the maximum size has all hashes.
    let is_all = a.sample.len().max(b.sample.len()) < SAMPLE_SIZE;
    let compared = if is_all { union.len() } else { union.len().min(SAMPLE_SIZE) };
    let has = |entry: &Entry, turn: &u32| entry.sample.binary_search(turn).is_ok();
    let both = |turn: &&u32| has(a, turn) && has(b, turn);
    let common = union.iter().take(compared).filter(both).count() as u64;
    // |A ∩ B| : |A ∪ B| = common : looked_at, and |A ∩ B| + |A ∪ B| = |A| + |B|.
    let shared = common * (a.turns + b.turns);
    let whole = compared as u64 + common;
    let is_more = shared > whole || (a.turns, b.turns) == (1, 1);
    is_more && 2 * shared > whole * a.turns.min(b.turns)
}
