//! Versions of one conversation: in exports of different days, in copies of a session's log. They
//! become one, by the id that their vendor gave it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::archive::{Archive, HeldBack, HeldReason, Veto, VetoReason};
use super::entry::Entry;
use super::entry_builder::EntryBuilder;
use super::pages;
use super::parse::parse_to_show;
use super::part_builder::read_again;
use super::publication::Exclusion;
use super::references::{FileIndex, Resolver};
use super::rules::Rules;
use super::settings::ReadSettings;
use super::source::{Part, Source};
use super::text_ref::{TextRef, Version};
use crate::diag::{Diagnostic, Severity};
use crate::formats;
use crate::hash::Hash;
use crate::model::{Branch, Conversation, Turn};
use crate::text::plural;
use crate::time::Time;

/// Holds back every version of a conversation of which one is private, holds a secret, or is excluded by a
/// rule.
pub(super) fn hold_back(archive: &mut Archive, notes: &mut Vec<Diagnostic>) {
    let Archive { entries, held_back, excluded, vetoes, .. } = archive;
    let mut by_id: HashMap<Hash, &Veto> = HashMap::new();
    for veto in vetoes.iter() {
        let known = by_id.entry(veto.id).or_insert(veto);
        if known.reason < veto.reason {
            *known = veto;
        }
    }
    let mut told: BTreeMap<(String, VetoReason, &str), u64> = BTreeMap::new();
    entries.retain(|entry| {
        let Some(veto) = entry.vendor_id.and_then(|id| by_id.get(&id)) else {
            return true;
        };
        let label = entry.label().to_owned();
        *told.entry((label.clone(), veto.reason, &veto.label)).or_default() += 1;
        let held = |reason| HeldBack { id: entry.id, label: label.clone(), reason };
        match veto.reason {
            VetoReason::Excluded => {
                excluded.push((Exclusion::Rule, held(HeldReason::Private)));
            }
            VetoReason::Private => held_back.push(held(HeldReason::Private)),
            VetoReason::Secret => held_back.push(held(HeldReason::Secret)),
        }
        false
    });
    notes.extend(told.into_iter().map(|((label, reason, other), count)| {
        let conversations = plural(count, "conversation is", "conversations are");
        let message = match reason {
            VetoReason::Private => format!("{conversations} private in `{other}`"),
            VetoReason::Secret => {
                let conversations =
                    plural(count, "conversation holds", "conversations hold");
                format!("{conversations} a secret in `{other}`")
            }
            VetoReason::Excluded => {
                format!("{conversations} excluded in `{other}` by a `[[source]]`")
            }
        };
        let note = Diagnostic::new(Severity::Hint, "held-back", message);
        let hint = match count {
            1 => "it is not published from here either",
            _ => "they are not published from here either",
        };
        note.in_file(&label).hint(hint)
    }));
}

/// Makes one entry of all versions of a conversation. The newest one says how it is called and what
/// its main path is; the others add the turns that it does not have.
pub(super) fn merge(
    entries: &mut Vec<Arc<Entry>>,
    index: FileIndex<'_>,
    settings: &ReadSettings,
    rules: &Rules,
    notes: &mut Vec<Diagnostic>,
) {
    let mut groups: HashMap<Hash, Vec<usize>> = HashMap::new();
    for (place, entry) in entries.iter().enumerate() {
        if let Some(id) = entry.vendor_id {
            groups.entry(id).or_default().push(place);
        }
    }
    let mut groups: Vec<Vec<usize>> =
        groups.into_values().filter(|group| group.len() > 1).collect();
    if groups.is_empty() {
        return;
    }
    groups.sort_unstable();
    let merger = Merger { index, settings, rules };
    let mut is_gone = vec![false; entries.len()];
    let mut merged: BTreeMap<(String, String), u64> = BTreeMap::new();
    for mut group in groups {
        group.sort_by_key(|place| Reverse(newness(&entries[*place])));
        let versions: Vec<Arc<Entry>> =
            group.iter().map(|place| entries[*place].clone()).collect();
        let (entry, is_part) = merger.merge(&versions);
        for (place, _) in group.iter().zip(is_part).filter(|(_, is_part)| *is_part) {
            is_gone[*place] = true;
            let labels = (entries[*place].label().to_owned(), entry.label().to_owned());
            *merged.entry(labels).or_default() += 1;
        }
        entries[group[0]] = entry;
    }
    let mut gone = is_gone.into_iter();
    entries.retain(|_| gone.next() != Some(true));
    notes.extend(merged.into_iter().map(|((old, new), count)| {
        let conversations = plural(count, "conversation is", "conversations are");
        let place = if old == new { "there again" } else { "also" };
        let message = match old == new {
            true => format!("{conversations} {place}; each has one page"),
            false => format!("{conversations} {place} in `{new}`; each has one page"),
        };
        Diagnostic::new(Severity::Hint, "merged", message).in_file(&old)
    }));
}

/// Returns what is greater for a newer version.
fn newness(entry: &Entry) -> impl Ord + use<> {
    let time = |time: &Option<Time>| time.as_ref().map(Time::instant);
    (
        time(&entry.changed),
        time(&entry.updated),
        entry.turns,
        Reverse(entry.parts[0].clone()),
    )
}

/// The most versions that are read for one page; of more, each has a page.
const MAX_VERSIONS: usize = 64;

struct Merger<'a> {
    index: FileIndex<'a>,
    settings: &'a ReadSettings,
    rules: &'a Rules,
}

impl Merger<'_> {
    /// Returns the entry of several versions, the newest first, and which of them are a part of it:
    /// all but the newest, and those that cannot be brought together with it without losing a turn.
    /// Each is read once.
    fn merge(&self, all: &[Arc<Entry>]) -> (Arc<Entry>, Vec<bool>) {
        let newest = &all[0];
        let mut is_part = vec![false; all.len()];
        let mut whole = None;
        let mut versions = Vec::new();
        for (old, is_part) in all.iter().zip(&mut is_part).skip(1) {
            if old.content == newest.content {
                *is_part = true;
            } else if !is_read_at_once(newest) || !is_read_at_once(old) {
                *is_part = self.has_all_of(newest, old);
            } else if versions.len() < MAX_VERSIONS {
                let first = &newest.parts[0];
                if whole.is_none() {
                    whole = self.read(&first.source, &first.part, first.index);
                }
                let version = &old.parts[0];
                let other = self.read(&version.source, &version.part, version.index);
                // Programs that were tested with made-up ids give the same one twice.
                if let (Some(whole), Some(other)) = (&mut whole, other)
                    && have_turn_in_common(whole, &other)
                {
                    add(whole, other);
                    *is_part = true;
                    versions.push(Version {
                        source: version.source.clone(),
                        part: version.part.clone(),
                        index: version.index,
                    });
                }
            }
        }
        let parts = || all.iter().zip(&is_part).filter(|(_, is_part)| **is_part);
        let mut merged = match whole.filter(|_| !versions.is_empty()) {
            Some(whole) => self.entry_of(newest, &whole, versions),
            None => Entry::clone(newest),
        };
        merged.private |= parts().any(|(old, _)| old.private);
        let oldest = parts().next_back().map(|(old, _)| old.title.clone());
        merged.first_title = oldest.filter(|title| *title != newest.title);
        (Arc::new(merged), is_part)
    }

    /// Builds the entry of what several versions are together.
    fn entry_of(
        &self,
        newest: &Entry,
        whole: &Conversation,
        versions: Vec<Version>,
    ) -> Entry {
        let first = &newest.parts[0];
        let format = first.source.format.and_then(formats::named);
        let mut builder = EntryBuilder::new(whole, format, None);
        builder.mark_private(newest.private);
        let resolver = Resolver::new(self.index);
        for turns in pages::page_ranges(whole, self.settings) {
            let (part_number, turns_before) = builder.next_page();
            let page = pages::page(whole, turns.clone());
            let text_ref = TextRef {
                from: turns.start,
                to: turns.end,
                part_number,
                turns_before,
                versions: versions.clone(),
                ..first.clone()
            };
            // What there is to say of it was said of each version.
            let mut told = Vec::new();
            builder.add_page(text_ref, &page, self.settings, &resolver, &mut told);
        }
        Entry {
            id: newest.id,
            vendor_id: newest.vendor_id,
            source_label: newest.source_label,
            content: newest.content,
            ..builder.finish(false, &self.rules.gate)
        }
    }

    /// Returns whether every turn of `old` is one of `newest`. Few are in memory at a time.
    fn has_all_of(&self, newest: &Entry, old: &Entry) -> bool {
        let (Some(known), Some(turns)) = (self.turn_ids(newest), self.turn_ids(old))
        else {
            return false;
        };
        turns.is_subset(&known)
    }

    fn turn_ids(&self, entry: &Entry) -> Option<HashSet<String>> {
        let mut ids = HashSet::new();
        let mut last = None;
        for text_ref in &entry.parts {
            if last.replace(&text_ref.part) != Some(&text_ref.part) {
                let read = self.read(&text_ref.source, &text_ref.part, text_ref.index)?;
                ids.extend(read.all_turns().map(|turn| turn.id.clone()));
            }
        }
        Some(ids)
    }

    fn read(&self, source: &Source, part: &Part, index: usize) -> Option<Conversation> {
        let inputs = read_again(self.index.files, source, part).ok()??;
        let mut all = parse_to_show(source, part, inputs, self.rules);
        (index < all.len()).then(|| all.swap_remove(index))
    }
}

fn have_turn_in_common(a: &Conversation, b: &Conversation) -> bool {
    let known: HashSet<&str> = a.all_turns().map(|turn| turn.id.as_str()).collect();
    b.all_turns().any(|turn| known.contains(turn.id.as_str()))
}

/// Returns whether the whole conversation is in one part of its source.
fn is_read_at_once(entry: &Entry) -> bool {
    entry.parts.iter().all(|text_ref| text_ref.part == entry.parts[0].part)
}

/// Adds the turns of an older version that a conversation does not have, each behind the turn that
/// it followed there.
pub(super) fn add(whole: &mut Conversation, older: Conversation) {
    whole.private |= older.private;
    whole.excluded_from_search |= older.excluded_from_search;
    whole.left_out.extend(older.left_out);
    let left_out: HashSet<String> = whole.left_out.iter().cloned().collect();
    if !left_out.is_empty() {
        for turn in whole.all_turns_mut().filter(|turn| left_out.contains(&turn.id)) {
            turn.withheld = true;
        }
        whole.drop_withheld();
    }
    let known: HashSet<String> = whole.all_turns().map(|turn| turn.id.clone()).collect();
    let mut found = Vec::new();
    let main = Branch { turns: older.turns, ..Branch::default() };
    for mut branch in [main].into_iter().chain(older.branches) {
        branch.turns.retain(|turn| !left_out.contains(&turn.id));
        unknown_runs(branch, &known, &mut found);
    }
    for mut branch in found {
        for turn in &mut branch.turns {
            // Its place is in another file than that of all others.
            turn.place = Default::default();
            let who = older.participants.named(&turn.speaker);
            if let Some(who) = who.filter(|who| whole.participant(&who.name).is_none()) {
                whole.participants.push(who.clone());
            }
        }
        let last = whole.turns.last().map(|turn| &turn.id);
        let goes_on = branch.started_by.is_none() && branch.after.as_ref() == last;
        match goes_on && known.contains(last.map_or("", |id| id)) {
            true => whole.turns.append(&mut branch.turns),
            false => whole.branches.push(branch),
        }
    }
}

/// Adds the turns of a path that are not known, as branches.
fn unknown_runs(path: Branch, known: &HashSet<String>, found: &mut Vec<Branch>) {
    let Branch { name, mut after, rejoins, started_by, turns } = path;
    // Turns behind one that is known belong to the path on which that is by now.
    let mut is_first = true;
    let mut run: Vec<Turn> = Vec::new();
    let mut close = |run: &mut Vec<Turn>, after: &Option<String>, is_first: bool| {
        if !run.is_empty() {
            found.push(Branch {
                name: name.clone().filter(|_| is_first),
                after: after.clone(),
                rejoins,
                started_by: started_by.clone().filter(|_| is_first),
                turns: std::mem::take(run),
            });
        }
    };
    for turn in turns {
        if known.contains(&turn.id) {
            close(&mut run, &after, is_first);
            is_first = false;
            after = Some(turn.id);
        } else {
            run.push(turn);
        }
    }
    close(&mut run, &after, is_first);
}

#[cfg(test)]
mod tests {
    use super::add;
    use crate::model::{Branch, Conversation, Turn};

    fn of(ids: &[&str]) -> Conversation {
        let turn = |id: &&str| Turn { id: (*id).to_owned(), ..Turn::said("Ada", *id) };
        Conversation { turns: ids.iter().map(turn).collect(), ..Default::default() }
    }

    fn ids(turns: &[Turn]) -> String {
        turns.iter().map(|turn| turn.id.as_str()).collect()
    }

    fn shape(read: &Conversation) -> (String, Vec<(String, String)>) {
        let branch = |branch: &Branch| {
            (branch.after.clone().unwrap_or_default(), ids(&branch.turns))
        };
        (ids(&read.turns), read.branches.iter().map(branch).collect())
    }

    #[test]
    fn what_the_newest_lacks_is_added() {
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        for (newest, older, main, branches) in [
            (&["a", "b", "c"][..], &["a", "b"][..], "abc", vec![]),
            (&["a", "b"], &["a", "b", "c"], "abc", vec![]),
            (&["a", "x", "d"], &["a", "b", "c", "d"], "axd", vec![pair("a", "bc")]),
            (&["a", "x"], &["a", "b", "c"], "ax", vec![pair("a", "bc")]),
            (&["b"], &["a", "b"], "b", vec![pair("", "a")]),
        ] {
            let mut whole = of(newest);
            add(&mut whole, of(older));
            assert_eq!(
                shape(&whole),
                (main.to_owned(), branches),
                "{newest:?} {older:?}"
            );
        }
    }
}
