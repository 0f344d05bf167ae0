//! `convo-site import`: lists the conversations in exports and imports selected ones into a site.
//!
//! Conversations are read one after the other, so that only one is in memory.

mod attach;
mod importer;
mod filter;
mod keys;
mod publish;
mod redact;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use self::filter::Filter;
use self::importer::{Imported, Importer, State};
use self::keys::Keys;
use self::publish::{Additions, Listed};
use super::args::ImportArgs;
use super::inputs::{Found, Input};
use super::list::table;
use super::report::quoted;
use super::{Failure, Outcome, report};
use crate::config::PublishList;
use crate::diag::emit::{visible, visible_json};
use crate::diag::{self, Diagnostic, Severity};
use crate::disk;
use crate::gate::Gate;
use crate::markup;
use crate::model::{Block, Conversation};
use crate::sources::{Redactor, title_of};
use crate::text::{excerpt, grouped, plural, words};
use crate::time::Time;

/// Characters of a title in the table.
const TITLE_CHARS: usize = 50;

pub(super) fn run(args: &ImportArgs) -> Result<Outcome, Failure> {
    let (exports, site) = match args.exports.split_last() {
        Some((last, exports)) if disk::is_there(&last.join("site.toml")) => {
            (exports, Some(last.as_path()))
        }
        _ => (args.exports.as_slice(), None),
    };
    if exports.is_empty() {
        let message = "missing export; usage: `convo-site import EXPORT… SITE`";
        return Err(Failure::Usage(message.to_owned()));
    }
    if site.is_none() {
        check_site(exports)?;
    }
    let mut filter = Filter::new(args)?;
    let mut notes = Vec::new();
    let mut bringer = match site {
        Some(site) => Some(Importer::new(site, exports, args, &mut notes)?),
        None => None,
    };
    let redactor = redactor(site, args, &mut notes)?;
    let mut inputs = Vec::new();
    for export in exports {
        let mut input = Input::open(export, args.from.as_deref())?;
        if let Some(bringer) = &bringer {
            input.open_servers.clone_from(&bringer.open_servers);
        }
        if redactor.is_some() && input.is_stdin() {
            let message = "`--redact` cannot read standard input; save it to a file first";
            return Err(Failure::Usage(message.to_owned()));
        }
        inputs.push(input);
    }
    if bringer.is_some() && filter.excludes() {
        let unmatched = unmatched_exclusions(&inputs, &mut filter, redactor.as_ref(), args);
        if !unmatched.is_empty() {
            report::notes_aside(&unmatched, args.message_format);
            report::summary("nothing imported");
            return Ok(Outcome::Findings);
        }
    }
    let (mut rows, mut seen, mut keys) = (Vec::new(), 0, Keys::default());
    let mut failure = None;
    for (number, (export, input)) in exports.iter().zip(&inputs).enumerate() {
        let before = seen;
        input.each(args.from.as_deref(), redactor.as_ref(), &mut notes, &mut |found| {
            seen += 1;
            let key = keys.key(&found);
            if failure.is_some() || !filter.chooses(&found.conversation, &key) {
                return;
            }
            let mut row = Row::new(&found, key);
            let read = &found.conversation;
            // With `--redact`, conversations marked private are never written.
            let is_own = args.redact && (read.private || read.schedule.draft);
            let is_held_back = row.is_private && !args.include_private || is_own;
            if let Some(bringer) = bringer.as_mut().filter(|_| !is_held_back) {
                match bringer.import(input, found, &row.key, redactor.as_ref()) {
                    Ok(imported) => row.imported = Some(imported),
                    Err(error) => failure = Some(error),
                }
            }
            rows.push(row);
        });
        let is_last = number > 0 && number + 1 == exports.len();
        if site.is_none() && is_last && seen == before && disk::is_folder(export) {
            suggest_init(export, &input.name, &mut notes);
        }
    }
    if let Some(failure) = failure {
        return Err(failure);
    }
    let mut listed = None;
    if let (Some(site), Some(bringer)) = (site, bringer) {
        if bringer.is_listed && !args.dry_run {
            let rows = rows.iter().filter_map(Row::listed);
            listed = Some(publish::list(site, &rows.collect::<Vec<_>>(), args.list_again)?);
        }
        notes.extend(bringer.notes());
    }
    notes.extend(filter.unknown_ids());
    notes.extend(filter.unmatched_exclusions());
    diag::sort(&mut notes);
    // Files of sessions have random names; the newest is closest to the prompt.
    rows.sort_by_key(|row: &Row| row.time.as_ref().map(Time::instant));
    print(&rows, args);
    report::notes_aside(&notes, args.message_format);
    let mut line = summary(&rows, seen, site, args);
    if let Some(additions) = listed {
        line.push_str(&of_list(&additions));
    }
    report::summary(&line);
    let failed = notes.iter().any(|note| note.severity == Severity::Error);
    Ok(if failed || rows.is_empty() { Outcome::Findings } else { Outcome::Fine })
}

/// Reports the exclusions that match no conversation. Reads the exports once more: whether a later one contains the
/// words must be known before anything is written.
fn unmatched_exclusions(
    inputs: &[Input],
    filter: &mut Filter,
    redactor: Option<&Redactor>,
    args: &ImportArgs,
) -> Vec<Diagnostic> {
    let mut keys = Keys::default();
    for input in inputs {
        // Other problems are reported when they are imported.
        input.each(args.from.as_deref(), redactor, &mut Vec::new(), &mut |found| {
            filter.chooses(&found.conversation, &keys.key(&found));
        });
    }
    filter.unmatched_exclusions()
}

/// A conversation in the list.
struct Row {
    key: String,
    id: Option<String>,
    title: String,
    time: Option<Time>,
    updated: Option<Time>,
    turns: usize,
    words: u64,
    models: Vec<String>,
    format: &'static str,
    source: String,
    is_private: bool,
    /// The result of the import, if it was to be imported.
    imported: Option<Imported>,
}

impl Row {
    fn new(found: &Found, key: String) -> Self {
        let read = &found.conversation;
        let texts = || {
            let turns = read.turns.iter().filter(|turn| !turn.withheld);
            turns.flat_map(|turn| &turn.blocks).filter_map(|block| match block {
                Block::Markdown { text } => Some(text),
                _ => None,
            })
        };
        Self {
            key,
            id: read.id.clone(),
            // The list may be shared, so secrets are masked.
            title: Gate::open().masked(&title_of(read)).into_owned(),
            time: read.time.clone(),
            updated: filter::updated(read).cloned(),
            turns: read.turns.iter().filter(|turn| !turn.withheld).count(),
            words: texts().map(|text| words(&markup::scan(text, true).text)).sum(),
            models: models(read),
            format: found.format.map_or("", |format| format.name),
            source: found.source.clone(),
            is_private: read.private || read.schedule.draft || read.channel.is_some(),
            imported: None,
        }
    }

    /// Returns the entry for the list of published conversations, if it has a file.
    fn listed(&self) -> Option<Listed<'_>> {
        let Imported { file, id, state } = self.imported.as_ref()?;
        // Without an id, it cannot be selected from a file with several conversations.
        let is_nameless = *state == State::There && id.is_none();
        let id = id.as_deref();
        (!file.is_empty() && !is_nameless).then_some(Listed {
            key: &self.key,
            file,
            id,
            title: &self.title,
        })
    }

    /// Returns the result in one word.
    fn state(&self) -> &'static str {
        match &self.imported {
            Some(imported) => imported.state.word(),
            None if self.is_private => "private",
            None => "",
        }
    }

    /// Returns the id, or else the file in the site, or else the key, which `--ids-from` accepts.
    fn name(&self) -> &str {
        let file = self.imported.as_ref().map(|imported| imported.file.as_str());
        self.id.as_deref().or(file.filter(|file| !file.is_empty())).unwrap_or(&self.key)
    }

    fn cells(&self) -> [String; 7] {
        let day = self.time.as_ref().map(Time::day).unwrap_or_default();
        [
            day,
            excerpt(&self.title, TITLE_CHARS),
            grouped(self.turns as u64),
            grouped(self.words),
            self.models.join(", "),
            self.name().to_owned(),
            self.state().to_owned(),
        ]
        .map(|cell| visible(&cell))
    }

    fn json(&self) -> Value {
        let time = |time: &Option<Time>| time.as_ref().map(Time::machine);
        json!({
            "id": self.id,
            "key": self.key,
            "title": self.title,
            "date": time(&self.time),
            "updated": time(&self.updated),
            "turns": self.turns,
            "words": self.words,
            "models": self.models,
            "private": self.is_private,
            "format": self.format,
            "source": self.source,
            "state": Some(self.state()).filter(|state| !state.is_empty()),
            "file": self.imported.as_ref().map(|imported| &imported.file),
        })
    }
}

/// Returns the models in a conversation, without duplicates.
fn models(read: &Conversation) -> Vec<String> {
    let own = read.participants.iter().filter_map(|who| who.model.as_ref());
    let used = read.all_turns().filter_map(|turn| turn.usage.as_ref()?.model.as_ref());
    let mut all: Vec<String> = Vec::new();
    for model in own.chain(used) {
        if !all.contains(model) {
            all.push(model.clone());
        }
    }
    all
}

fn print(rows: &[Row], args: &ImportArgs) {
    if args.json {
        let rows: Vec<Value> = rows.iter().map(Row::json).collect();
        report::output(&visible_json(&rows));
    } else if !rows.is_empty() {
        let heads = ["DATE", "TITLE", "TURNS", "WORDS", "MODEL", "ID", "STATE"];
        table(heads, rows.iter().map(Row::cells));
    }
}

/// Returns what makes files safe to publish, if it was asked for.
fn redactor(
    site: Option<&Path>,
    args: &ImportArgs,
    notes: &mut Vec<Diagnostic>,
) -> Result<Option<Redactor>, Failure> {
    match (site, args.redact) {
        (Some(site), true) => Ok(Some(redact::redactor(site, args, notes)?)),
        (None, true) => {
            let message =
                "`--redact` needs the settings of a site; add its folder after the exports";
            Err(Failure::Usage(message.to_owned()))
        }
        (_, false) => Ok(None),
    }
}

/// Summarises additions to the list of published conversations.
fn of_list(Additions { added, removed }: &Additions) -> String {
    let list = PublishList::FILE;
    let mut line = format!("; {} added to {list}", grouped(*added));
    if *removed > 0 {
        let was = if *removed == 1 { "it was" } else { "they were" };
        line.push_str(&format!(
            "; {} not added to {list} again, because {was} removed from it (add `--list-again` to \
             publish)",
            grouped(*removed)
        ));
    }
    line
}

/// Refuses a last argument that does not exist and looks like the folder of a site.
fn check_site(exports: &[PathBuf]) -> Result<(), Failure> {
    let [_, .., last] = exports else { return Ok(()) };
    if disk::is_there(last) || last.extension().is_some() || last == Path::new("-") {
        return Ok(());
    }
    let folder = quoted(last);
    Err(Failure::Usage(format!(
        "`{folder}` does not exist; to import into a new site, create it first with `convo-site \
         init {folder}`"
    )))
}

/// Replaces the hint about a folder without conversations, which `name` names in diagnostics: it
/// may be meant as the site.
fn suggest_init(folder: &Path, name: &str, notes: &mut [Diagnostic]) {
    let is_it = |note: &&mut Diagnostic| {
        note.code == "unknown-format" && note.at.as_ref().is_some_and(|at| at.file == name)
    };
    if let Some(note) = notes.iter_mut().rev().find(is_it) {
        let folder = quoted(folder);
        note.hints = vec![format!(
            "to import into this folder, make it a site first with `convo-site init {folder}`"
        )];
    }
}

/// Summarises the import: `3 of 1,000 conversations: 2 new, 1 updated; 4 private withheld`.
fn summary(rows: &[Row], seen: u64, site: Option<&Path>, args: &ImportArgs) -> String {
    let all = plural(seen, "conversation", "conversations");
    let mut line = match rows.len() as u64 {
        chosen if chosen == seen => all,
        chosen => format!("{} of {all}", grouped(chosen)),
    };
    let imported = || rows.iter().filter_map(|row| row.imported.as_ref());
    let counts = State::ALL.iter().filter_map(|state| {
        let count = imported().filter(|one| one.state == *state).count() as u64;
        (count > 0).then(|| format!("{} {}", grouped(count), state.words(args.dry_run)))
    });
    let counts: Vec<String> = counts.collect();
    if !counts.is_empty() {
        line.push_str(&format!(": {}", counts.join(", ")));
    }
    let is_held_back = |row: &&Row| row.is_private && row.imported.is_none();
    let private = rows.iter().filter(is_held_back).count() as u64;
    match (private, site) {
        (0, _) => {}
        (_, None) => line.push_str(&format!("; {} private", grouped(private))),
        (_, Some(_)) => line.push_str(&format!(
            "; {} private withheld (add `--include-private` to import them)",
            grouped(private)
        )),
    }
    if site.is_none() && !rows.is_empty() {
        let them = if rows.len() == 1 { "it" } else { "them" };
        line.push_str(&format!(". To import {them}, give a site folder as the last argument"));
    } else if args.dry_run {
        line.push_str("; nothing was written because of --dry-run");
    }
    line
}
