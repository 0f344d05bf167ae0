//! Merges versions of one conversation, such as exports of different days or copies of a session's
//! log, by the id that the vendor gave it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::segments::{Link, chain};
use super::union::add;
use crate::diag::{Diagnostic, Severity};
use crate::formats;
use crate::hash::Hash;
use crate::model::{Conversation, LogEnd, Segment};
use crate::sources::entry::Entry;
use crate::sources::entry::archive::{Archive, HeldBack, Veto};
use crate::sources::entry::entry_builder::EntryBuilder;
use crate::sources::entry::quotes::AnsweredIds;
use crate::sources::entry::recording::{Recording, withheld_note};
use crate::sources::entry::report_filter::public_label;
use crate::sources::find::reason::Reason;
use crate::sources::find::rules::Rules;
use crate::sources::find::settings::ReadSettings;
use crate::sources::find::source::{Part, Source};
use crate::sources::read::branch_limit;
use crate::sources::read::pages::Paged;
use crate::sources::read::parse::parse_to_show;
use crate::sources::read::part_builder::{cut_off, read_again};
use crate::sources::refs::file_index::FileIndex;
use crate::sources::refs::references::Resolver;
use crate::sources::refs::text_ref::{TextRef, Version};
use crate::text::plural;
use crate::time::Time;

/// Withholds all versions of a conversation if one of them is private, contains a secret, or is
/// excluded by a rule. Returns their recordings.
pub(crate) fn hold_back(archive: &mut Archive, notes: &mut Vec<Diagnostic>) -> Vec<Recording> {
    let Archive { entries, held_back, vetoes, .. } = archive;
    let mut by_id: HashMap<Hash, &Veto> = HashMap::new();
    for veto in vetoes.iter() {
        let known = by_id.entry(veto.id).or_insert(veto);
        if known.reason < veto.reason {
            *known = veto;
        }
    }
    let mut reported: BTreeMap<(String, Reason, &str), u64> = BTreeMap::new();
    let mut recordings = Vec::new();
    entries.retain(|entry| {
        let Some(veto) = entry.vendor_id.and_then(|id| by_id.get(&id)) else {
            return true;
        };
        let label = entry.label().to_owned();
        *reported.entry((label.clone(), veto.reason, &veto.label)).or_default() += 1;
        held_back.push(HeldBack { id: entry.id, label, reason: veto.reason });
        recordings.extend(entry.recording.as_deref().cloned());
        false
    });
    notes.extend(reported.into_iter().map(|((label, reason, other), count)| {
        let conversations = plural(count, "conversation is", "conversations are");
        let message = match reason {
            Reason::Secret => {
                let conversations = plural(count, "conversation has", "conversations have");
                format!("{conversations} a secret in `{other}`")
            }
            Reason::Excluded => {
                format!("{conversations} excluded in `{other}` by a `[[source]]`")
            }
            Reason::Private => format!("{conversations} private in `{other}`"),
            _ => {
                let words = reason.words();
                let words = if count == 1 { words.one } else { words.many };
                let conversations = plural(count, "conversation", "conversations");
                format!("{conversations} {words} in `{other}`")
            }
        };
        let note = Diagnostic::new(Severity::Hint, "held-back", message);
        let hint = match count {
            1 => "this copy is not published either",
            _ => "these copies are not published either",
        };
        note.in_file(&label).hint(hint)
    }));
    recordings
}

/// Merges all versions of a conversation into one entry. The newest version determines the title
/// and the main path; the others add the turns that it lacks. An imported version in a file of its
/// own may have been edited, so it is shown unchanged.
pub(crate) fn merge(
    entries: &mut Vec<Arc<Entry>>,
    index: FileIndex<'_>,
    settings: &ReadSettings,
    rules: &Rules,
    notes: &mut Vec<Diagnostic>,
) {
    merge_groups(entries, index, settings, rules, notes);
    // A log that only undoes turns of another one has no content itself.
    entries.retain(|entry| !is_only_cut(entry.segment.as_deref(), entry.turns));
}

/// Returns whether a log has no turns, and only undoes turns of another one.
pub(crate) fn is_only_cut(segment: Option<&Segment>, turns: u64) -> bool {
    turns == 0 && segment.is_some_and(|segment| segment.base.is_some())
}

fn merge_groups(
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
    let mut is_gone: Vec<bool> = vec![false; entries.len()];
    let mut merged: BTreeMap<(String, String), u64> = BTreeMap::new();
    for mut group in groups {
        group.sort_by_key(|place| Reverse(newness(&entries[*place])));
        let mut versions: Vec<Arc<Entry>> =
            group.iter().map(|place| entries[*place].clone()).collect();
        if let Some(brought) = versions.iter().find(|version| version.is_imported) {
            for (place, version) in group.iter().zip(&versions) {
                if !version.is_imported {
                    is_gone[*place] = true;
                    let labels = (version.label().to_owned(), brought.label().to_owned());
                    *merged.entry(labels).or_default() += 1;
                }
            }
            continue;
        }
        let segments: Vec<_> = versions.iter().map(|read| read.segment.as_deref()).collect();
        if let Some(chain) = chain(&segments) {
            let newest = versions[chain[0].place].label();
            for (at, version) in versions.iter().enumerate() {
                is_gone[group[at]] = at > 0;
                if at != chain[0].place {
                    notes.push(segment_note(version, newest));
                }
            }
            entries[group[0]] = merger.join(&versions, &chain, notes);
            continue;
        }
        // Several conversations may have the same id, so versions that do not belong to the newest
        // are examined again.
        for _ in 0..MAX_OF_ONE_ID {
            let (entry, is_part) = merger.merge(&versions, notes);
            let mut others = Vec::new();
            for (place, is_part) in group.iter().zip(is_part).skip(1) {
                if !is_part {
                    others.push(*place);
                    continue;
                }
                is_gone[*place] = true;
                let labels = (entries[*place].label().to_owned(), entry.label().to_owned());
                *merged.entry(labels).or_default() += 1;
            }
            entries[group[0]] = entry;
            let is_full = group.len() - others.len() > MAX_VERSIONS;
            if others.len() < 2 || is_full {
                break;
            }
            group = others;
            versions = group.iter().map(|place| entries[*place].clone()).collect();
        }
    }
    let mut gone = is_gone.into_iter();
    entries.retain(|_| gone.next() != Some(true));
    notes.extend(merged_notes(merged));
}

/// Returns diagnostics about merged versions: their number, by the labels of the older and the
/// newest one.
pub(crate) fn merged_notes(
    merged: BTreeMap<(String, String), u64>,
) -> impl Iterator<Item = Diagnostic> {
    merged.into_iter().map(|((old, new), count)| {
        let conversations = plural(count, "conversation is", "conversations are");
        let place = if old == new { "repeated here" } else { "also" };
        let message = match old == new {
            true => format!("{conversations} {place}; each has one page"),
            false => format!("{conversations} {place} in `{new}`; each has one page"),
        };
        Diagnostic::new(Severity::Hint, "merged", message).in_file(&old)
    })
}

/// Returns the diagnostic for a log that another one continues or replaces.
fn segment_note(old: &Entry, newest: &str) -> Diagnostic {
    let message =
        format!("this conversation continues in `{newest}`; turns undone there are not shown");
    Diagnostic::new(Severity::Hint, "merged", message).in_file(old.label())
}

/// Returns a key that is greater for a newer version.
fn newness(entry: &Entry) -> impl Ord + use<> {
    let time = |time: &Option<Time>| time.as_ref().map(Time::instant);
    (time(&entry.changed), time(&entry.updated), entry.turns, Reverse(entry.parts[0].clone()))
}

/// The maximum number of conversations with versions that can have the same id. Each one reads the
/// remaining versions again.
const MAX_OF_ONE_ID: usize = 8;

/// The maximum number of versions on one page; further versions get their own pages.
pub(crate) const MAX_VERSIONS: usize = 64;

struct Merger<'a> {
    index: FileIndex<'a>,
    settings: &'a ReadSettings,
    rules: &'a Rules,
}

impl Merger<'_> {
    /// Returns the entry of several versions, newest first, and for each whether it is merged: all
    /// versions except the newest and those that cannot be merged without losing a turn. Each
    /// version is read once.
    fn merge(&self, all: &[Arc<Entry>], notes: &mut Vec<Diagnostic>) -> (Arc<Entry>, Vec<bool>) {
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
                // Programs that were tested with fixed ids use the same id for different
                // conversations.
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
            Some(whole) => self.entry_of(all, whole, versions, notes),
            None => Entry::clone(newest),
        };
        merged.withheld = parts().map(|(old, _)| old.withheld).max().flatten();
        let oldest = parts().next_back().map(|(old, _)| old.title.clone());
        merged.first_title = oldest.filter(|title| *title != newest.title);
        (Arc::new(merged), is_part)
    }

    /// Returns the entry of logs that continue each other.
    fn join(
        &self,
        all: &[Arc<Entry>],
        chain: &[Link<'_>],
        notes: &mut Vec<Diagnostic>,
    ) -> Arc<Entry> {
        let newest = &all[chain[0].place];
        let mut logs: Vec<Vec<Version>> = chain
            .iter()
            .map(|link| self.parts_of(&all[link.place], link.end))
            .filter(|parts| !parts.is_empty())
            .collect();
        let withheld = all.iter().map(|entry| entry.withheld).max().flatten();
        let is_short = logs.iter().all(|parts| parts.len() == 1)
            && logs.len() <= MAX_VERSIONS
            && logs.first().is_some_and(|log| log[0].part == newest.parts[0].part);
        let mut entry = if is_short {
            let mut versions: Vec<Version> = logs.drain(1..).flatten().collect();
            let mut whole = self.read_version(&logs[0][0]).unwrap_or_default();
            versions.retain(|version| match self.read_version(version) {
                Some(older) => {
                    add(&mut whole, older);
                    true
                }
                None => false,
            });
            self.entry_of(std::slice::from_ref(newest), whole, versions, notes)
        } else {
            self.entry_of_parts(newest, logs.into_iter().rev().flatten())
        };
        entry.withheld = withheld;
        let oldest = chain.last().map(|link| all[link.place].title.clone());
        entry.first_title = oldest.filter(|title| *title != entry.title);
        Arc::new(entry)
    }

    /// Returns the parts of a log, up to the place where the next log continues it.
    fn parts_of(&self, entry: &Entry, end: Option<&LogEnd>) -> Vec<Version> {
        let mut parts: Vec<Version> = Vec::new();
        for text_ref in &entry.parts {
            let TextRef { source, part, index, .. } = &**text_ref;
            if parts.last().is_some_and(|last| last.part == *part) {
                continue;
            }
            let (source, mut part, index) = (source.clone(), part.clone(), *index);
            let is_cut = end.is_some_and(|end| {
                let is_cut = cut_off(self.index.files, &source, &mut part, end);
                is_cut.unwrap_or_else(|_| {
                    part.pieces.clear();
                    true
                })
            });
            if part.size() > 0 {
                parts.push(Version { source, part, index });
            }
            if is_cut {
                break;
            }
        }
        parts
    }

    /// Builds the entry of the content of these parts, in sequence.
    fn entry_of_parts(&self, newest: &Entry, parts: impl Iterator<Item = Version>) -> Entry {
        let format = newest.parts[0].source.format.and_then(formats::named);
        let resolver = Resolver::new(self.index);
        let mut builder: Option<EntryBuilder<'_>> = None;
        for text in parts {
            let Some(read) = self.read_version(&text) else { continue };
            let builder = builder.get_or_insert_with(|| {
                let label = public_label(self.rules, &read, &text.source);
                EntryBuilder::new(&read, format, None, label)
            });
            builder.retitle(&read);
            let read = Paged::new(Arc::new(read));
            for turns in read.ranges(self.settings) {
                let text_ref = builder.next_page(&text, &turns, &[]);
                let page = text_ref.page_of(&read);
                let mut reported = Vec::new();
                builder.add_page(text_ref, &page, self.settings, &resolver, &mut reported);
            }
        }
        let Some(builder) = builder else { return newest.clone() };
        Entry {
            id: newest.id,
            vendor_id: newest.vendor_id,
            changed: newest.changed.clone(),
            recording: newest.recording.clone(),
            has_unpublished_recording: newest.has_unpublished_recording,
            is_episode: newest.is_episode,
            ..builder.finish(false, &self.rules.gate)
        }
    }

    /// Builds the merged entry of several versions, newest first.
    fn entry_of(
        &self,
        all: &[Arc<Entry>],
        mut whole: Conversation,
        versions: Vec<Version>,
        notes: &mut Vec<Diagnostic>,
    ) -> Entry {
        let newest = &all[0];
        let first = &newest.parts[0];
        let answered = all.iter().filter_map(|version| version.quotes.as_deref());
        let answered = AnsweredIds::of_versions(answered);
        if !versions.is_empty() {
            let taken = branch_limit::bound(&mut whole);
            notes.extend(taken.map(|taken| taken.note(&first.source)));
        }
        let format = first.source.format.and_then(formats::named);
        let mut recording = newest.recording.clone();
        // The newest version may have a recording of what another version omits.
        let is_withheld =
            recording.take_if(|one| !one.is_named && !whole.withheld_ids.is_empty()).is_some();
        if is_withheld {
            notes.push(withheld_note(newest.label()));
        }
        let label = public_label(self.rules, &whole, &first.source);
        let mut builder = EntryBuilder::new(&whole, format, None, label);
        let text =
            Version { source: first.source.clone(), part: first.part.clone(), index: first.index };
        let read = Arc::new(whole);
        let whole = Paged::new(read.clone());
        let resolver = Resolver::new(self.index);
        let pages = whole.ranges(self.settings);
        let answered = answered.of_pages(&read, &pages);
        for turns in pages {
            let text_ref = builder.next_page(&text, &turns, &versions);
            let page = text_ref.page_of(&whole);
            // The diagnostics were already reported for each version.
            let mut reported = Vec::new();
            builder.add_page(text_ref, &page, self.settings, &resolver, &mut reported);
            builder.add_quotes(&page, &answered);
        }
        Entry {
            id: newest.id,
            vendor_id: newest.vendor_id,
            source_label: newest.source_label,
            has_typed_prompts: newest.has_typed_prompts,
            recording,
            has_unpublished_recording: newest.has_unpublished_recording || is_withheld,
            is_episode: newest.is_episode,
            ..builder.finish(false, &self.rules.gate)
        }
    }

    /// Returns whether `newest` contains every turn of `old`. Keeps only few turns in memory.
    fn has_all_of(&self, newest: &Entry, old: &Entry) -> bool {
        let (Some(known), Some(turns)) = (self.turn_ids(newest), self.turn_ids(old)) else {
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

    fn read_version(&self, version: &Version) -> Option<Conversation> {
        self.read(&version.source, &version.part, version.index)
    }

    fn read(&self, source: &Source, part: &Part, index: usize) -> Option<Conversation> {
        let inputs = read_again(self.index.files, source, part).ok()??;
        let mut all = parse_to_show(source, part, inputs, self.rules);
        (index < all.len()).then(|| all.swap_remove(index))
    }
}

pub(crate) fn have_turn_in_common(a: &Conversation, b: &Conversation) -> bool {
    let known: HashSet<&str> = a.all_turns().map(|turn| turn.id.as_str()).collect();
    b.all_turns().any(|turn| known.contains(turn.id.as_str()))
}

/// Returns whether the whole conversation is in one part of its source.
fn is_read_at_once(entry: &Entry) -> bool {
    entry.parts.iter().all(|text_ref| text_ref.part == entry.parts[0].part)
}
