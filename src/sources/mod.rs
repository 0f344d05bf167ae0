//! Reads the content folder into an [`Archive`], which has an [`Entry`] for each conversation.
//!
//! `find` lists the sources, `read` parses them, `refs` resolves what they refer to, `entry` holds what
//! planning needs of a conversation, `merge` finds versions and relations, and `cache` keeps it all for the
//! next build. Each may use those before it; [`read()`] puts them together.
//!
//! The texts of conversations are kept for the pages that show them only up to a fixed size
//! ([`FreshTexts`]). All others are dropped after planning and read again ([`TextStore`]), so memory does
//! not grow with the text of the archive.

mod cache;
mod coverage;
mod each;
mod entry;
mod find;
mod ingest;
mod merge;
mod read;
mod refs;
mod tally;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

pub use self::cache::cached_source::{CachedSource, SourceCache, StoredSource};
pub use self::cache::fresh_texts::FreshTexts;
pub use self::cache::text_store::{Hidden, TextStore};
pub use self::each::{FullConversation, conversations, each_conversation};
pub use self::entry::archive::{Archive, Coverage, HeldBack};
pub use self::entry::beginning::title_of;
use self::entry::contents::Contents;
pub use self::entry::minhash::MinHash;
pub use self::entry::outline::{OUTLINE_CHARS, PartOutline, Prompt};
pub use self::entry::quotes::{Quote, Quotes, quote};
pub use self::entry::recording::{Recording, RecordingPlace};
use self::entry::report_filter::ReportFilter;
pub use self::entry::work_sums::WorkSums;
pub use self::entry::{Entry, Opener, Speaker, UsageKey, UsageSum};
use self::entry::{titles, tools};
pub use self::find::history::is_history;
pub use self::find::patterns::literal_pattern;
pub use self::find::plain_page::{FOLDER as PAGES_FOLDER, PlainPage};
pub use self::find::reason::{Reason, ReasonWords, Release};
pub use self::find::rules::Rules;
use self::find::settings::ReadSettings;
pub use self::find::source::{Part, Piece, Source};
pub use self::find::stored_paths::PathKey;
use self::find::stored_paths::PathTable;
use self::find::{find_sources, plain_page};
use self::ingest::read_source;
use self::merge::{relations, versions};
pub use self::refs::attachments::{ResolvedAttachment, attached_file};
use self::refs::file_index::{FileHashes, FileIndex};
pub use self::refs::media::{Media, MediaKind, MediaSource, dimensions_of};
pub use self::refs::redactor::{PublicCheck, Redactor};
pub use self::refs::references::Target;
pub use self::refs::static_files::{FOLDER as STATIC_FOLDER, StaticFile};
pub use self::refs::text_ref::{TextRef, Version};
pub(crate) use self::refs::unknown_files::hidden_in_input;
use self::refs::{static_files, unknown_files};
use crate::config::Config;
use crate::diag::{Diagnostic, Severity, WithNotes};
use crate::files::{FileInfo, Files, Storage};
use crate::gate;
use crate::hash::Hash;
use crate::partition::Partition;
use crate::path::RelPath;
use crate::text::plural;
use crate::time::Time;

/// A function that is called for each source that is read: how many are read, of how many.
pub type OnRead<'a> = dyn Fn(usize, usize) + Sync + 'a;

/// Reads all conversations of the content folder into entries. Unchanged sources come from `cache`,
/// and the texts of others are kept in `texts`. The errors are about rules that may be meant to keep files private.
pub fn read(
    files: &dyn Files,
    config: &Config,
    rules: &Rules,
    release: &Release,
    cache: &SourceCache,
    texts: &FreshTexts,
    on_read: &OnRead<'_>,
) -> Result<WithNotes<Archive>, Vec<Diagnostic>> {
    let mut notes = Vec::new();
    let listed = Arc::new(list(files, config, rules)?.take(&mut notes));
    let names = by_name(&listed);
    let paths = Arc::new(PathTable::new(rules.path_key, listed.clone()));
    let mut found = find_sources(files, &listed, config, rules, release);
    let sources = std::mem::take(&mut found.sources);
    // Problems inside ignored archives are not reported.
    notes.retain(|note| {
        let file = note.at.as_ref().map_or("", |at| at.file.as_str());
        note.code != "bad-archive" || !found.ignored.contains(file)
    });
    let index = FileIndex {
        files,
        names: &names,
        paths: &paths,
        reserved: &found.reserved,
        assets: &found.assets,
        rules,
        hashes: &FileHashes::default(),
    };
    notes.extend(found.revealing.iter().map(|file| {
        let message = "not published: its URL would reveal withheld text";
        let note = Diagnostic::new(Severity::Error, "telling-name", message);
        note.in_file(file.as_str()).hint("rename the file or its folder")
    }));
    let settings = ReadSettings::of(config);
    let read = read_sources(sources, index, &settings, release, (cache, texts), None, on_read);
    notes.extend(unknown_files::note(files, config));
    notes.extend(unknown_files::hidden_pages(files, &listed, config));
    notes.extend(unknown_files::hidden_logs(files, &listed, config));
    notes.extend(unknown_files::hidden_folders(files, config));
    let copied = static_files::find(files, rules, release, &mut notes);
    let mut archive = Archive { copied, ..Archive::default() };
    let mut matched = BTreeSet::new();
    for read in read.iter().map(|(.., read)| &**read) {
        for entry in read.entries.iter().cloned() {
            let list = match () {
                () if entry.section.is_some() => &mut archive.sections,
                () if entry.page.is_some() => &mut archive.pages,
                () => &mut archive.entries,
            };
            list.push(entry);
        }
        // The introduction of a folder is not a conversation, but the gate's findings in it are
        // reported.
        let is_reported =
            |held: &&HeldBack| !held.label.ends_with(SECTION_END) || held.reason == Reason::Secret;
        let contents = read.rest();
        archive.held_back.extend(contents.held_back.iter().filter(is_reported).cloned());
        archive.vetoes.extend(contents.vetoes.iter().cloned());
        archive.findings.extend(contents.findings.iter().cloned());
        matched.extend(&contents.accepted);
        notes.extend(contents.notes.iter().cloned());
    }
    notes.extend(gate::notes(&archive.findings));
    notes.extend(unmatched_filters(rules, read.iter().map(|(.., read)| read.rest())));
    notes.extend(unmatched_listings(rules, read.iter().map(|(.., read)| read.rest())));
    let edited = read.iter().flat_map(|(.., read)| &read.rest().edited).copied().collect();
    let covered = read.iter().map(|(files, read)| (&files[..], &**read));
    archive.coverage = coverage::measure(index, &listed, &found, covered, config, &mut notes);
    let vetoed = versions::hold_back(&mut archive, &mut notes);
    let held_back = read.iter().flat_map(|(.., read)| &read.rest().shown);
    let recordings = held_back.chain(vetoed.iter().filter_map(Recording::file));
    relations::withhold_recordings(&mut archive.entries, recordings, &mut notes);
    drop(read);
    // A source that could not be read may contain what a baseline entry is about.
    let is_all_read = archive.coverage.broken.is_empty();
    notes.extend(rules.gate.baseline_notes(&matched, is_all_read));
    let (unmatched, is_fatal) = rules.edits.unmatched(&edited, is_all_read);
    if is_fatal {
        return Err(unmatched);
    }
    notes.extend(unmatched);
    notes.extend(empty_note(&archive, config));
    notes.extend(tools::withheld_note(archive.entries.iter().map(|entry| &entry.withheld_servers)));
    versions::merge(&mut archive.entries, index, &settings, rules, &mut notes);
    relations::resolve_duplicates(&mut archive.entries, &mut notes);
    titles::settle(&mut archive.entries);
    set_last_changes(&mut archive.entries, files, &names, rules, &mut notes);
    let time = |entry: &Arc<Entry>| entry.time.as_ref().map(Time::instant);
    let mut dated: Vec<_> =
        archive.entries.into_iter().map(|entry| (time(&entry), entry)).collect();
    dated.par_sort_by(|(time_a, a), (time_b, b)| {
        (time_b, &a.title, &a.parts[0]).cmp(&(time_a, &b.title, &b.parts[0]))
    });
    archive.entries = dated.into_iter().map(|(_, entry)| entry).collect();
    relations::link_parents(&mut archive.entries, &mut notes);
    let filter = ReportFilter::new(rules, &[]);
    let coverage = &mut archive.coverage;
    let files = coverage.unrecognised.iter_mut().chain(&mut coverage.broken);
    files.for_each(|file| filter.clean(file));
    filter.clean_notes(&mut notes);
    Ok(WithNotes { value: archive, notes })
}

/// Reads the sources of a partition into `cache`, for a later build of the whole site. Returns the
/// number of sources in the partition, and in total.
pub fn read_partition(
    files: &dyn Files,
    config: &Config,
    rules: &Rules,
    release: &Release,
    cache: &SourceCache,
    partition: Partition,
    on_read: &OnRead<'_>,
) -> Result<(usize, usize), Vec<Diagnostic>> {
    // The build reports all diagnostics.
    let listed = Arc::new(list(files, config, rules)?.value);
    let names = by_name(&listed);
    let paths = Arc::new(PathTable::new(rules.path_key, listed.clone()));
    let mut found = find_sources(files, &listed, config, rules, release);
    let sources = std::mem::take(&mut found.sources);
    let index = FileIndex {
        files,
        names: &names,
        paths: &paths,
        reserved: &found.reserved,
        assets: &found.assets,
        rules,
        hashes: &FileHashes::default(),
    };
    let (settings, count) = (ReadSettings::of(config), sources.len());
    let kept = (cache, &FreshTexts::none());
    let read = read_sources(sources, index, &settings, release, kept, Some(partition), on_read);
    Ok((read.len(), count))
}

/// Lists the files of the content folder and the pages folder.
fn list(
    files: &dyn Files,
    config: &Config,
    rules: &Rules,
) -> Result<WithNotes<Vec<FileInfo>>, Vec<Diagnostic>> {
    let mut notes = Vec::new();
    let mut listed = files.list_unpacked(&config.content).take(&mut notes);
    let mut pages = files.list(PAGES_FOLDER).take(&mut notes);
    pages.retain(|file| plain_page::is_in_folder(file.path.as_str(), &config.content));
    notes.extend(rules.check(config, &listed, &pages)?);
    listed.extend(pages);
    listed.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(WithNotes { value: listed, notes })
}

fn by_name(listed: &[FileInfo]) -> BTreeMap<&str, &FileInfo> {
    listed.iter().map(|file| (file.path.as_str(), file)).collect()
}

/// Reads all sources, or those of a partition, on all threads, except sources that are unchanged in
/// the cache. Returns the contents of each, with its files.
fn read_sources(
    sources: Vec<Source>,
    index: FileIndex<'_>,
    settings: &ReadSettings,
    release: &Release,
    (cache, texts): (&SourceCache, &FreshTexts),
    partition: Option<Partition>,
    on_read: &OnRead<'_>,
) -> Vec<(Vec<RelPath>, Arc<CachedSource>)> {
    let rules = index.rules;
    let rules_key = (rules.hash, rules.gate.hash, rules.offers_originals);
    let settings_key = Hash::of(&(settings, rules_key, release.private));
    let (done, all) = (AtomicUsize::new(0), sources.len());
    on_read(0, all);
    let read = |source: Source| {
        let key = Hash::of(&(settings_key, &source));
        if partition.is_some_and(|partition| !partition.holds(key)) {
            return None;
        }
        let stored = cache.get(key);
        let is_packed = stored.as_ref().is_some_and(StoredSource::is_packed);
        let known = stored.and_then(|stored| stored.unpacked(index.paths, &source));
        let unchanged =
            known.as_ref().and_then(|known| known.if_unchanged(index, &source, release));
        let files = source.files.clone();
        let read = || read_source(index, settings, rules, source, release, texts);
        let now = unchanged.unwrap_or_else(|| Arc::new(read()));
        let is_known = known.is_some_and(|known| Arc::ptr_eq(&known, &now));
        let stored = || StoredSource::Read(now.clone(), rules.path_key);
        // A source that could not be read may be readable in the next build.
        match is_known {
            true if is_packed => cache.replace(key, stored()),
            false if now.rest().is_complete => _ = cache.put(key, stored()),
            _ => {}
        }
        Some((files, now))
    };
    let read = |source| {
        let contents = read(source);
        on_read(done.fetch_add(1, Ordering::Relaxed) + 1, all);
        contents
    };
    sources.into_par_iter().filter_map(read).collect()
}

/// Sets the date of the last change for conversations whose rules ask for it.
fn set_last_changes(
    entries: &mut [Arc<Entry>],
    files: &dyn Files,
    names: &BTreeMap<&str, &FileInfo>,
    rules: &Rules,
    notes: &mut Vec<Diagnostic>,
) {
    let is_plain = |file: &&RelPath| {
        names.get(file.as_str()).is_some_and(|info| info.storage == Storage::Plain)
    };
    let files_of = |entry: &Entry| -> BTreeSet<RelPath> {
        let sources = entry.parts.iter().map(|text_ref| &text_ref.source);
        let asked = sources.filter(|source| rules.asks_git(source.rule));
        asked.flat_map(|source| &source.files).filter(is_plain).cloned().collect()
    };
    let asked: BTreeSet<RelPath> = entries.iter().flat_map(|entry| files_of(entry)).collect();
    if asked.is_empty() {
        return;
    }
    let asked: Vec<RelPath> = asked.into_iter().collect();
    let times = files.last_changes(&asked).take(notes);
    for entry in entries {
        let all = files_of(entry);
        let last = all.iter().filter_map(|file| times.get(file)).max();
        let Some(last) = last.and_then(|seconds| Time::from_unix(*seconds)) else {
            continue;
        };
        let last = rules.shown(last);
        let entry = Arc::make_mut(entry);
        let known = entry.updated.as_ref().map(Time::instant);
        if known.is_none_or(|known| known < last.instant()) {
            entry.updated = Some(last.clone());
        }
        entry.revised = Some(last);
    }
}

/// The endings of paths of folder introductions.
const SECTION_END: &str = "/_index.md";

/// Returns a diagnostic for each query of a rule that matches no conversation.
fn unmatched_filters<'a>(
    rules: &Rules,
    read: impl Iterator<Item = &'a Contents>,
) -> Vec<Diagnostic> {
    let mut matched: BTreeMap<usize, Vec<bool>> = BTreeMap::new();
    for (rule, some) in read.filter_map(|contents| contents.matched.as_ref()) {
        let all = matched.entry(*rule).or_insert_with(|| vec![false; some.len()]);
        all.iter_mut().zip(some).for_each(|(all, matched)| *all |= matched);
    }
    rules.unmatched(&matched)
}

/// Returns diagnostics for lines of publish.toml that match no conversation.
fn unmatched_listings<'a>(
    rules: &Rules,
    read: impl Iterator<Item = &'a Contents>,
) -> Vec<Diagnostic> {
    let mut matched = Vec::new();
    read.for_each(|contents| ingest::merge_matches(&mut matched, &contents.listed_by));
    rules.unmatched_in_list(&matched)
}

/// Returns a diagnostic if the archive is empty, without even private or broken conversations.
fn empty_note(archive: &Archive, config: &Config) -> Option<Diagnostic> {
    let (files, broken) = (archive.coverage.files, &archive.coverage.broken);
    // A broken source has been reported already.
    let is_empty = archive.entries.is_empty() && archive.held_back.is_empty();
    if !is_empty || !broken.is_empty() {
        return None;
    }
    let folder = &config.content;
    let note = if files == 0 || !archive.pages.is_empty() {
        let message = match archive.pages.is_empty() {
            true => format!("no files in `{folder}`"),
            false => format!("the site has pages, but no conversations in `{folder}`"),
        };
        Diagnostic::new(Severity::Warning, "no-content", message)
    } else {
        let files = plural(files, "file", "files");
        let message = format!("no conversations in the {files} of `{folder}`");
        Diagnostic::new(Severity::Error, "no-conversations", message)
    };
    Some(note.hint("put conversations there, or set `content` in site.toml"))
}
