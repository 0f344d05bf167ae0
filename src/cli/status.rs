//! `convo-site status`: shows which conversations are public, which are not, and why.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use anstyle::Style;
use jiff::civil::Date;
use serde_json::{Value, json};

use super::args::{StatusArgs, with_fallback_key};
use super::report;
use super::report::quoted;
use super::{Failure, Outcome, require_site};
use crate::diag::emit::{visible, visible_json};
use crate::diag::{Diagnostic, Severity};
use crate::disk::{self, Destination, Disk, LastBuild};
use crate::files::SharedFiles;
use crate::gate::Gate;
use crate::hash::Hash;
use crate::pipeline::{self, Build, Choices};
use crate::site::urls::{self, ConversationUrl};
use crate::sources::Reason;
use crate::text::{excerpt, grouped};

/// The maximum number of files to name per group, without `--all`.
const MAX_NAMES: usize = 10;
/// The maximum number of titles per file, without `--all`.
const MAX_TITLES: usize = 5;
/// The maximum number of characters of a title.
const TITLE_CHARS: usize = 80;

pub(super) fn run(args: &StatusArgs) -> Result<Outcome, Failure> {
    require_site(&args.site)?;
    let destination = Destination::new(&args.site, args.output.clone());
    let files = Disk::with_output(&args.site, &destination.path());
    let files: SharedFiles = std::sync::Arc::new(files);
    let cache = args.cache.folder(&args.site);
    let memo = disk::memo_of(&cache);
    let choices = with_fallback_key(args.gate.choose(&args.address, Choices::default())?)?;
    let build = pipeline::run(&files, &choices, &memo, &|_| {})?;
    let place = report::place(&build);
    if !place.is_empty() {
        report::summary(place.trim_start_matches("; "));
    }
    let titles = Titles::of(&build);
    let mut groups = groups(&build, &titles);
    for group in &mut groups {
        group.lister = group.lister(&args.site);
    }
    if let Some(last) = LastBuild::of(&cache, &destination.path()) {
        groups.extend(changes(&build, &titles, &last));
    }
    // File names may contain secrets.
    groups.iter_mut().for_each(|group| group.mask(&build.gate));
    if args.json {
        let json: Vec<Value> = groups.iter().map(Group::json).collect();
        report::output(&visible_json(&json));
    } else {
        report::styled(&text(&groups, args.all));
    }
    Ok(Outcome::Fine)
}

/// Files with the same state.
struct Group {
    /// The name of the state.
    state: &'static str,
    /// The description of the state, after the number of conversations.
    words: String,
    /// The number of conversations by file; 1 for a file without conversations.
    files: BTreeMap<String, u64>,
    /// The day on which a file is published or expires.
    days: BTreeMap<String, Date>,
    /// The titles of public conversations, by file, for files with several.
    titles: BTreeMap<String, Vec<String>>,
    /// The command that lists withheld conversations of a file with several.
    lister: Option<String>,
}

/// The titles of public conversations, by id. Those of withheld ones are not kept.
struct Titles<'a>(HashMap<Hash, &'a str>);

impl<'a> Titles<'a> {
    fn of(build: &'a Build) -> Self {
        let entries = build.documents.iter().map(|document| &document.entry);
        Self(entries.map(|entry| (entry.id, entry.title.as_str())).collect())
    }
}

impl Group {
    /// Returns a group of conversations from their labels; `one` and `many` are the descriptions for one and for
    /// several.
    fn new(state: &'static str, one: &str, many: &str, labels: Vec<&str>) -> Option<Self> {
        let mut files = BTreeMap::new();
        for label in &labels {
            *files.entry((*label).to_owned()).or_default() += 1;
        }
        let words = if labels.len() == 1 { one } else { many }.to_owned();
        let (days, titles) = (BTreeMap::new(), BTreeMap::new());
        (!labels.is_empty()).then_some(Self { state, words, files, days, titles, lister: None })
    }

    /// Returns a group of public conversations, with titles.
    fn titled(
        state: &'static str,
        one: &str,
        many: &str,
        all: &[&ConversationUrl],
        titles: &Titles<'_>,
    ) -> Option<Self> {
        let labels = all.iter().map(|one| one.label.as_str()).collect();
        let mut group = Self::new(state, one, many, labels)?;
        for one in all {
            let is_export = group.files.get(&one.label).is_some_and(|count| *count > 1);
            if let Some(title) = titles.0.get(&one.id).filter(|_| is_export) {
                let of_file = group.titles.entry(one.label.clone()).or_default();
                of_file.push((*title).to_owned());
            }
        }
        Some(group)
    }

    /// Returns the command that lists conversations of a file without titles here.
    fn lister(&self, site: &Path) -> Option<String> {
        let is_export = |(file, count): &(&String, &u64)| {
            **count > 1 && !self.titles.contains_key(file.as_str())
        };
        let (file, _) = self.files.iter().find(is_export)?;
        // The file may be in an archive.
        let mut paths = Path::new(file).ancestors();
        let path = paths.find(|path| disk::is_there(&site.join(path)))?;
        let shown = if site == Path::new(".") { path.to_owned() } else { site.join(path) };
        (path != Path::new("")).then(|| format!("convo-site import {}", quoted(&shown)))
    }

    fn mask(&mut self, gate: &Gate) {
        for (file, count) in std::mem::take(&mut self.files) {
            *self.files.entry(gate.masked(&file).into_owned()).or_default() += count;
        }
        for (file, day) in std::mem::take(&mut self.days) {
            self.days.insert(gate.masked(&file).into_owned(), day);
        }
        for (file, titles) in std::mem::take(&mut self.titles) {
            let titles = titles.iter().map(|title| gate.masked(title).into_owned());
            self.titles.entry(gate.masked(&file).into_owned()).or_default().extend(titles);
        }
        self.lister = self.lister.take().map(|command| gate.masked(&command).into_owned());
    }

    fn count(&self) -> u64 {
        self.files.values().sum()
    }

    /// Returns whether the files are too many to list, and in an expected state.
    fn is_only_counted(&self) -> bool {
        self.files.len() > MAX_NAMES && matches!(self.state, "public" | "new")
    }

    /// Lists the files; those that are otherwise only counted if `is_long`.
    fn names(&self, is_long: bool) -> Option<String> {
        if !is_long && self.is_only_counted() {
            return None;
        }
        let Self { words, .. } = self;
        let mut text = format!("\n{BOLD}{} {words}{BOLD:#}\n", grouped(self.count()));
        let most = if is_long { usize::MAX } else { MAX_NAMES };
        for (file, count) in self.files.iter().take(most) {
            text.push_str(&format!("  {}", visible(file)));
            if *count > 1 {
                text.push_str(&format!(" ({})", grouped(*count)));
            }
            if let Some(day) = self.days.get(file) {
                text.push_str(&format!(", {day}"));
            }
            text.push('\n');
            let titles = self.titles.get(file).map(Vec::as_slice).unwrap_or_default();
            let shown = if is_long { titles.len() } else { MAX_TITLES.min(titles.len()) };
            for title in titles.iter().take(shown) {
                text.push_str(&format!("    {}\n", visible(&excerpt(title, TITLE_CHARS))));
            }
            let more = (titles.len() - shown) as u64;
            if more > 0 {
                text.push_str(&format!(
                    "    … and {} more (list them with --all)\n",
                    grouped(more)
                ));
            }
        }
        let more = self.files.len().saturating_sub(most) as u64;
        if more > 0 {
            text.push_str(&format!("  … and {} more (list them with --all)\n", grouped(more)));
        }
        if let Some(command) = &self.lister {
            text.push_str(&format!("  list all titles in the export: `{}`\n", visible(command)));
        }
        Some(text)
    }

    fn json(&self) -> Value {
        let mut json = json!({"state": self.state, "files": self.files});
        if let (Some(json), false) = (json.as_object_mut(), self.days.is_empty()) {
            let day = |(file, day): (&String, &Date)| (file.clone(), Value::from(day.to_string()));
            json.insert("days".to_owned(), self.days.iter().map(day).collect());
        }
        if let (Some(json), false) = (json.as_object_mut(), self.titles.is_empty()) {
            json.insert("titles".to_owned(), json!(self.titles));
        }
        json
    }
}

const BOLD: Style = Style::new().bold();

/// Returns a table of counts, followed by the file names.
fn text(groups: &[Group], is_long: bool) -> String {
    let counts: Vec<String> = groups.iter().map(|group| grouped(group.count())).collect();
    let width = counts.iter().map(String::len).max().unwrap_or_default();
    let mut text = String::new();
    for (group, count) in groups.iter().zip(&counts) {
        let words = &group.words;
        text.push_str(&format!("{BOLD}{count:>width$}{BOLD:#}  {words}"));
        if group.state == "secret" {
            text.push_str("; decide with `convo-site review`");
        } else if !is_long && group.is_only_counted() {
            text.push_str("; list them with --all");
        }
        text.push('\n');
    }
    if groups.is_empty() {
        text.push_str("no conversations\n");
    }
    text.extend(groups.iter().filter_map(|group| group.names(is_long)));
    text
}

fn groups(build: &Build, titles: &Titles<'_>) -> Vec<Group> {
    let mut groups = Vec::new();
    let mut addresses = build.addresses.iter();
    let conversations: Vec<&ConversationUrl> =
        addresses.by_ref().take(build.conversations as usize).collect();
    let (one, many) = ("conversation is public", "conversations are public");
    groups.extend(Group::titled("public", one, many, &conversations, titles));
    let pages = addresses.map(|address| address.label.as_str()).collect();
    groups.extend(Group::new("page", "page is public", "pages are public", pages));
    for kind in Reason::all() {
        let words = kind.words();
        let some = build.held_back.iter().filter(|held| held.reason.kind() == kind);
        let (one, many) =
            (format!("conversation {}", words.one), format!("conversations {}", words.many));
        let labels = some.clone().map(|held| held.label.as_str()).collect();
        let Some(group) = Group::new(words.state, &one, &many, labels) else { continue };
        let days = some.filter_map(|held| Some((held.label.clone(), held.reason.day()?)));
        groups.push(Group { days: days.collect(), ..group });
    }
    let mut add = |state, one: &str, many: &str, labels: Vec<&str>| {
        groups.extend(Group::new(state, one, many, labels));
    };
    let of_notes = |chosen: &dyn Fn(&Diagnostic) -> bool| -> BTreeSet<&str> {
        let notes = build.notes.iter().filter(|note| chosen(note));
        notes.filter_map(|note| Some(note.at.as_ref()?.file.as_str())).collect()
    };
    let coverage = &build.coverage;
    fn names(files: &[String]) -> BTreeSet<&str> {
        files.iter().map(String::as_str).collect()
    }
    let (unread, broken) = (names(&coverage.unrecognised), names(&coverage.broken));
    let (one, many) = (
        "file without a conversation in a known format",
        "files without conversations in a known format",
    );
    add("unread", one, many, unread.iter().copied().collect());
    let known: BTreeSet<&str> = build.addresses.iter().map(|one| &*one.label).collect();
    // Files with secrets are in a group above.
    let (one, many) = ("file could not be read", "files could not be read");
    add("broken", one, many, broken.iter().copied().collect());
    let faulty = of_notes(&|note| note.severity == Severity::Error && note.code != "secret-held");
    let is_reported = |file: &&&str| unread.contains(**file) || broken.contains(**file);
    let faulty = faulty.difference(&known).filter(|file| !is_reported(file));
    let (one, many) = ("file has errors", "files have errors");
    add("faulty", one, many, faulty.copied().collect());
    groups
}

/// Returns the differences from the last build.
fn changes(build: &Build, titles: &Titles<'_>, last: &LastBuild) -> Vec<Group> {
    let before = urls::of_text(&last.addresses);
    let known: BTreeSet<Hash> = before.iter().map(|address| address.id).collect();
    let now: BTreeSet<Hash> = build.addresses.iter().map(|address| address.id).collect();
    let is_as_before = |address: &&ConversationUrl| {
        let page = format!("{}index.html", address.folder);
        build.outputs.get(&page).is_some_and(|page| last.has(page))
    };
    let (old, new): (Vec<&ConversationUrl>, Vec<&ConversationUrl>) =
        build.addresses.iter().partition(|address| known.contains(&address.id));
    let changed: Vec<&ConversationUrl> =
        old.into_iter().filter(|address| !is_as_before(address)).collect();
    let gone: Vec<&ConversationUrl> =
        before.iter().filter(|address| !now.contains(&address.id)).collect();
    let group = |state, one, many, all: Vec<&ConversationUrl>| {
        Group::titled(state, one, many, &all, titles)
    };
    let groups = [
        group(
            "new",
            "conversation is new since the last build",
            "conversations are new since the last build",
            new,
        ),
        group(
            "changed",
            "conversation may have changed since the last build",
            "conversations may have changed since the last build",
            changed,
        ),
        group(
            "gone",
            "conversation was in the last build and is no longer public",
            "conversations were in the last build and are no longer public",
            gone,
        ),
    ];
    groups.into_iter().flatten().collect()
}
