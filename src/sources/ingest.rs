//! Reads one source into the entries of its conversations, part by part.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::coverage;
use super::tally::Tally;
use crate::diag::{Diagnostic, Severity};
use crate::formats;
use crate::gate;
use crate::hash::Hash;
use crate::path::RelPath;
use crate::sources::cache::cached_source::CachedSource;
use crate::sources::cache::fresh_texts::FreshTexts;
use crate::sources::cache::text_store::READ_BUDGET;
use crate::sources::entry::archive::{HeldBack, Veto};
use crate::sources::entry::contents::Contents;
use crate::sources::entry::entry_builder::EntryBuilder;
use crate::sources::entry::quotes::AnsweredIds;
use crate::sources::entry::recording::{Lookup, withheld_note};
use crate::sources::entry::report_filter::{ReportFilter, public_label};
use crate::sources::find::assets;
use crate::sources::find::reason::{Reason, Release};
use crate::sources::find::rules::{Rules, Verdict};
use crate::sources::find::settings::ReadSettings;
use crate::sources::find::source::Source;
use crate::sources::read::pages::Paged;
use crate::sources::read::parse::{Checked, parse_and_check};
use crate::sources::read::part_builder::{LoadedPart, join};
use crate::sources::read::part_reader::PartReader;
use crate::sources::read::workers;
use crate::sources::refs::dependency::Dependency;
use crate::sources::refs::file_index::FileIndex;
use crate::sources::refs::references::Resolver;
use crate::sources::refs::text_ref::Version;

/// The maximum weight of a file of lines. It may be larger, but only few of its lines are in
/// memory.
const MAX_LINE_FILE_WEIGHT: u64 = 8 << 20;

pub(super) fn read_source(
    index: FileIndex<'_>,
    settings: &ReadSettings,
    rules: &Rules,
    mut source: Source,
    release: &Release,
    texts: &FreshTexts,
) -> CachedSource {
    let found = source.clone();
    let resolver = Resolver::new(index);
    let mut contents = Contents::EMPTY;
    let mut hashes = Vec::new();
    let mut dependencies = Vec::new();
    let len = |file: &RelPath| index.len(file);
    let weight = |file: &RelPath| match formats::has_lines(file.name()) {
        true => len(file).min(MAX_LINE_FILE_WEIGHT),
        false => len(file),
    };
    let weight = source.files.iter().map(weight).sum::<u64>() as usize;
    match PartReader::new(index.files, &len, &mut source) {
        Ok(mut parts) => {
            // Records are read on all threads, so no other source may be read at the same time.
            let all = if parts.has_records() { usize::MAX } else { weight };
            let _permit = READ_BUDGET.acquire(all);
            let source = Arc::new(parts.source().clone());
            let mut label = source.label().to_owned();
            ReportFilter::new(rules, &[]).clean(&mut label);
            let label = label.as_str();
            let reading = Reading { source: &source, label, settings, rules, release, texts };
            if parts.has_records() {
                let needed = &mut dependencies;
                reading.read_records(&mut parts, index, needed, &mut hashes, &mut contents);
            } else {
                let ids = reading.read_parts(&mut parts, &resolver, &mut hashes, &mut contents);
                dependencies.extend(reading.edits(ids));
            }
        }
        Err(note) => contents.fail(*note),
    }
    ReportFilter::new(rules, &[]).clean_notes(&mut contents.notes);
    dependencies.extend(resolver.dependencies());
    CachedSource::new(index, &found, &hashes, dependencies, contents)
}

impl Contents {
    /// Records which queries of the rule match a conversation.
    fn record_matches(&mut self, rule: Option<usize>, matched: Vec<bool>) {
        let Some(rule) = rule.filter(|_| !matched.is_empty()) else { return };
        let (_, all) = self.matched.get_or_insert_with(|| (rule, vec![false; matched.len()]));
        self::merge_matches(all, &matched);
    }

    fn fail(&mut self, note: Diagnostic) {
        self.is_complete = false;
        self.notes.push(note);
    }
}

/// Merges the matches of one conversation into those of all conversations.
pub(super) fn merge_matches(all: &mut Vec<bool>, matched: &[bool]) {
    if all.len() < matched.len() {
        all.resize(matched.len(), false);
    }
    all.iter_mut().zip(matched).for_each(|(all, matched)| *all |= matched);
}

/// The context for reading one source.
#[derive(Clone, Copy)]
struct Reading<'a> {
    source: &'a Arc<Source>,
    /// Its [`Source::label`], without hidden parts.
    label: &'a str,
    settings: &'a ReadSettings,
    rules: &'a Rules,
    release: &'a Release,
    texts: &'a FreshTexts,
}

/// The entries of some parts of a source.
#[derive(Default)]
struct Found<'a> {
    builders: Vec<EntryBuilder<'a>>,
    notes: Vec<Diagnostic>,
    dependencies: Vec<Dependency>,
    /// The hashes of the ids by which edits name the conversations.
    ids: Vec<Hash>,
    /// What edits are about and was found.
    edited: BTreeSet<Hash>,
    /// Whether the reader of the format reported anything; then some turns may be missing.
    has_faults: bool,
    /// Whether turns were omitted.
    leaves_out: bool,
    /// Whether the format is that of another program, whose files contain more than a page shows.
    is_export: bool,
}

impl<'a> Reading<'a> {
    /// Reads a source that is read as a whole, or whose parts are one conversation. Returns the hashes
    /// of the ids of its conversations.
    fn read_parts(
        self,
        parts: &mut PartReader<'_>,
        resolver: &Resolver<'_>,
        hashes: &mut Vec<Hash>,
        contents: &mut Contents,
    ) -> Vec<Hash> {
        let mut found = Found::default();
        let is_one = parts.is_one();
        // The last part of a log, which may have to be joined with the next.
        let mut last: Option<(LoadedPart, Checked)> = None;
        while let Some(part) = parts.next() {
            let part = match part {
                Ok(part) => part,
                Err(note) => {
                    contents.fail(*note);
                    break;
                }
            };
            hashes.push(part.0.hash);
            if !is_one {
                self.add_part(self.check(part), false, resolver, &mut found);
                continue;
            }
            let checked = self.check(part.clone());
            let Some((before, known)) = last.replace((part, checked)) else { continue };
            let joined = last.as_ref().and_then(|(part, checked)| {
                let is_small = self.is_small(&known) || self.is_small(checked);
                is_small.then(|| join(&before, part)).flatten()
            });
            match joined {
                Some(joined) => last = Some((joined.clone(), self.check(joined))),
                None => self.add_part(known, true, resolver, &mut found),
            }
        }
        if let Some((_, checked)) = last {
            self.add_part(checked, true, resolver, &mut found);
        }
        let more = parts.take_notes();
        found.has_faults |= !more.is_empty();
        let mut tally = Tally::default();
        tally.extend(found.notes);
        tally.extend(more);
        contents.notes.extend(tally.finish());
        assets::merge_missing_notes(&mut contents.notes);
        let is_only = found.builders.len() == 1;
        let is_alone =
            !found.has_faults && !found.is_export && is_only && self.source.files.len() == 1;
        contents.add(found.builders, self, is_only, is_alone, found.leaves_out);
        contents.withhold_if_all_omitted(self, found.leaves_out);
        contents.edited.append(&mut found.edited);
        found.ids
    }

    /// Returns the dependency on edits of conversations with these ids.
    fn edits(self, mut ids: Vec<Hash>) -> Option<Dependency> {
        ids.sort_unstable();
        ids.dedup();
        Dependency::on_edits(self.rules, self.source, ids)
    }

    /// Reads a source whose parts have their own conversations, on all threads.
    fn read_records(
        self,
        parts: &mut PartReader<'_>,
        index: FileIndex<'_>,
        dependencies: &mut Vec<Dependency>,
        hashes: &mut Vec<Hash>,
        contents: &mut Contents,
    ) {
        let mut tally = Tally::default();
        // With one conversation so far, it may be the only one.
        let mut waiting: Vec<EntryBuilder<'_>> = Vec::new();
        let mut are_several = false;
        let mut has_faults = false;
        let mut leaves_out = false;
        let mut is_over = false;
        let mut ids = Vec::new();
        while !is_over {
            let mut batch = Vec::new();
            let mut size = 0;
            while size < BATCH_BYTES && batch.len() < BATCH_RECORDS {
                match parts.next() {
                    Some(Ok(part)) => {
                        hashes.push(part.0.hash);
                        size += part.1.iter().map(|input| input.bytes.len()).sum::<usize>();
                        batch.push(part);
                    }
                    Some(Err(note)) => {
                        contents.fail(*note);
                        is_over = true;
                        break;
                    }
                    None => {
                        is_over = true;
                        break;
                    }
                }
            }
            let read = |part: LoadedPart| {
                let resolver = Resolver::new(index);
                let mut found = Found::default();
                self.add_part(self.check(part), false, &resolver, &mut found);
                found.dependencies = resolver.dependencies();
                found
            };
            for found in workers::map(batch, read) {
                has_faults |= found.has_faults | found.is_export;
                leaves_out |= found.leaves_out;
                tally.extend(found.notes);
                dependencies.extend(found.dependencies);
                ids.extend(found.ids);
                contents.edited.extend(found.edited);
                waiting.extend(found.builders);
            }
            let reported = parts.take_notes();
            has_faults |= !reported.is_empty();
            tally.extend(reported);
            are_several |= waiting.len() > 1;
            if are_several {
                let some = std::mem::take(&mut waiting);
                contents.add(some, self, false, false, leaves_out);
            }
        }
        dependencies.extend(self.edits(ids));
        let is_alone = !has_faults && !are_several;
        contents.add(waiting, self, !are_several, is_alone, leaves_out);
        contents.notes.extend(tally.finish());
        assets::merge_missing_notes(&mut contents.notes);
        contents.withhold_if_all_omitted(self, leaves_out);
    }

    /// Parses a part.
    fn check(self, (part, inputs): LoadedPart) -> Checked {
        parse_and_check(self.source, part, inputs, self.rules)
    }

    /// Returns whether a part of a log is so short that it should not have pages of its own.
    fn is_small(self, checked: &Checked) -> bool {
        let reads = checked.conversations.iter().map(|(read, _)| read);
        reads.into_iter().all(|read| Paged::is_small(read, self.settings))
    }

    /// Adds a part. If the parts of the source are one conversation, continues the conversation so
    /// far.
    fn add_part(
        self,
        checked: Checked,
        is_one: bool,
        resolver: &Resolver<'_>,
        found: &mut Found<'a>,
    ) {
        let Checked { format, conversations, notes, part, ids, scrubber, hides_more } = checked;
        found.ids.extend(ids);
        let reported = found.notes.len() + notes.len();
        found.has_faults |= !notes.is_empty();
        found.leaves_out |=
            notes.iter().any(|note| note.code == formats::visibility::WITHHELD_TURNS);
        found.is_export |= format.is_some_and(|format| format.write.is_none());
        found.notes.extend(notes);
        let is_alone = conversations.len() == 1;
        let hidden = conversations.iter().flat_map(|(read, _)| &read.hidden_names);
        let hidden: BTreeSet<&String> = hidden.collect();
        let hidden: Vec<String> = hidden.into_iter().cloned().collect();
        let edited: BTreeSet<Hash> =
            conversations.iter().flat_map(|(read, _)| read.edited.iter().copied()).collect();
        let filter = ReportFilter::new(self.rules, &hidden).with_edits(&edited);
        found.edited.extend(&edited);
        let answered = AnsweredIds::of(conversations.iter().map(|(read, _)| read));
        let (mut texts, mut is_any_shown) = (Vec::with_capacity(conversations.len()), false);
        for (index, (read, mut seen)) in conversations.into_iter().enumerate() {
            // The parts so far may have been empty.
            let is_new = !is_one || found.builders.is_empty();
            if is_new {
                let selection = self.rules.selection(self.source, &read);
                let label = match &read.file_label {
                    Some(_) => public_label(self.rules, &read, self.source),
                    None if self.label == self.source.label() => None,
                    None => Some(self.label.into()),
                };
                found.builders.push(EntryBuilder::new(&read, format, selection, label));
            }
            let Some(builder) = found.builders.get_mut(index) else { continue };
            // What a later part says applies to the whole conversation.
            builder.restrict(&read);
            builder.mark_rewritten(&read);
            builder.retitle(&read);
            builder.select(&read);
            resolver.enter(&read);
            if is_one {
                // Some parts of a log lack its id.
                for found in &mut seen.found {
                    self.source.label().clone_into(&mut found.finding.conversation);
                }
            }
            builder.add_inspection(seen, hides_more);
            // The introduction of a collection is not a conversation of the rule.
            let rule = self.source.rule.filter(|_| !self.source.is_section());
            let lookup = Lookup {
                source: self.source,
                resolver,
                settings: self.settings,
                by_rule: self.rules.media(rule),
            };
            let whole = Arc::new(read);
            texts.push(whole.clone());
            let read = Paged::new(whole.clone());
            // Diagnostics about withheld text are not shown.
            let mut discarded = Vec::new();
            let is_excluded = !is_one && builder.verdict().exclusion.is_some();
            let is_hidden = is_excluded || held_back(builder, self.release).is_some();
            is_any_shown |= !is_hidden;
            let notes = match is_hidden {
                true => &mut discarded,
                false => &mut found.notes,
            };
            if is_new {
                let reported = notes.len();
                let recording = lookup.find(&whole, is_alone, notes);
                let is_refused = recording.is_none() && notes.len() > reported;
                builder.set_recording(recording, is_refused);
                builder.set_episode(self.rules.is_podcast(rule));
            }
            let text = Version { source: self.source.clone(), part: part.clone(), index };
            let pages = read.ranges(self.settings);
            let answered = answered.of_pages(&whole, &pages);
            for turns in pages {
                let text_ref = builder.next_page(&text, &turns, &[]);
                let page = text_ref.page_of(&read);
                builder.add_page(text_ref, &page, self.settings, resolver, notes);
                builder.add_quotes(&page, &answered);
            }
            builder.clean_findings(&filter);
        }
        if is_any_shown {
            self.texts.keep(self.source, part, texts);
        }
        let notes = found.notes.get_mut(reported..).unwrap_or_default();
        scrubber.scrub(notes, &self.rules.gate);
        filter.clean_notes(notes);
    }
}

/// The total size of records in memory at a time, without the last one. Bytes.
const BATCH_BYTES: usize = 8 << 20;
/// The maximum number of records in memory at a time.
const BATCH_RECORDS: usize = 4096;

impl Contents {
    /// Adds conversations. `is_only` means that the source has no other conversation, `leaves_out`
    /// that some of its turns were omitted.
    fn add(
        &mut self,
        builders: Vec<EntryBuilder<'_>>,
        reading: Reading<'_>,
        is_only: bool,
        is_alone: bool,
        leaves_out: bool,
    ) {
        for mut builder in builders {
            let held = held_back(&builder, reading.release);
            let (private, schedule) = builder.access();
            self.keep(schedule, reading.release);
            let withheld = reading.release.usual(private, schedule);
            let Verdict { exclusion, is_excluded, matched, listed_by } = builder.verdict();
            let is_empty = builder.is_empty();
            let is_rewritten = builder.is_rewritten();
            self.record_matches(reading.source.rule, matched);
            merge_matches(&mut self.listed_by, &listed_by);
            builder.inspect_file_name(is_only, &reading.rules.gate);
            self.notes.extend(builder.inspect_derived(&reading.rules.gate));
            if !is_only {
                builder.drop_adjacent_recording();
            }
            let detected = builder.gate_result();
            self.accepted.extend(detected.matched);
            let holds_secret = gate::holds(&detected.findings);
            let is_as_read = detected.is_as_read;
            let hides_words = detected.hides_words || leaves_out;
            let mut entry = builder.finish(is_only, &reading.rules.gate);
            if let Some(recording) = entry.withhold_recording(|one| hides_words && !one.is_named) {
                self.shown.extend(recording.file().cloned());
                let is_published = exclusion.is_none() && held.is_none() && !holds_secret;
                self.notes.extend(is_published.then(|| withheld_note(entry.label())));
            }
            entry.withheld = withheld;
            if exclusion.is_none() && held.is_none() {
                self.findings.extend(detected.findings);
            }
            let (id, label) = (entry.id, entry.label().to_owned());
            let excluded = is_excluded.then_some(Reason::Excluded);
            let reason = held.or(holds_secret.then_some(Reason::Secret));
            let veto = excluded.or(reason);
            if let (Some(reason), Some(id)) = (veto, entry.vendor_id) {
                self.vetoes.push(Veto { id, label: label.clone(), reason });
            }
            if is_empty && private {
                // It only says that other versions are private, and has no content itself.
            } else if let Some(reason) = exclusion.or(reason) {
                self.held_back.push(HeldBack { id, label, reason });
                self.shown.extend(coverage::shown_files(&entry).cloned());
            } else {
                entry.is_alone = is_alone && is_as_read && !is_rewritten;
                entry.reveals_name |= reading.rules.reveals_name(entry.file().as_str());
                if is_alone && !is_as_read && reading.rules.offers_originals {
                    let message = "the original file is not offered for download";
                    let note = Diagnostic::new(Severity::Hint, "original-withheld", message);
                    self.notes.push(note.in_file(entry.label()).hint(
                        "it contains text that is redacted on the page; the other downloads are \
                         still offered",
                    ));
                }
                self.entries.push(Arc::new(entry));
            }
        }
    }

    /// Counts a source whose turns are all omitted as one withheld conversation.
    fn withhold_if_all_omitted(&mut self, reading: Reading<'_>, leaves_out: bool) {
        if self.is_empty() && leaves_out {
            let label = reading.label.to_owned();
            let key = reading.rules.path_key.0;
            let (id, reason) = (Hash::of(&(key, reading.source.label())), Reason::Private);
            self.held_back.push(HeldBack { id, label, reason });
        }
    }
}

fn held_back(builder: &EntryBuilder, release: &Release) -> Option<Reason> {
    let (private, schedule) = builder.access();
    release.held_back(private, schedule)
}
