//! Selects the conversations to import.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::io::Read as _;
use std::path::Path;

use super::super::Failure;
use super::super::args::ImportArgs;
use crate::diag::{Diagnostic, Severity};
use crate::disk;
use crate::model::Conversation;
use crate::partial_date::PartialDate;
use crate::query::choice::{Choice, Chooser};
use crate::time::Time;

/// Conditions that a conversation must all match.
pub(super) struct Filter {
    choices: Vec<Choice>,
    /// For each of these, the conditions that some conversation met.
    met: Vec<Vec<bool>>,
    since: Option<PartialDate>,
    until: Option<PartialDate>,
    title: Option<String>,
    ids: Option<Ids>,
}

/// The ids from `--ids-from`, and whether a conversation with each was found.
struct Ids {
    file: String,
    /// The line of each id, and whether it was found.
    wanted: HashMap<String, (usize, bool)>,
}

impl Filter {
    pub(super) fn new(args: &ImportArgs) -> Result<Self, Failure> {
        let choice = |query: &String| {
            Choice::parse(query).map_err(|why| Failure::Usage(format!("`--filter`: {why}")))
        };
        let choices: Vec<Choice> = args.filter.iter().map(choice).collect::<Result<_, _>>()?;
        Ok(Self {
            met: choices.iter().map(|choice| vec![false; choice.condition_count()]).collect(),
            choices,
            since: args.since,
            until: args.until,
            title: args.title.as_ref().map(|title| title.to_lowercase()),
            ids: args.ids_from.as_deref().map(Ids::read).transpose()?,
        })
    }

    /// Returns whether a conversation is selected. Its key can be used as its id.
    pub(super) fn chooses(&mut self, read: &Conversation, key: &str) -> bool {
        let is_chosen = self.meets_choices(read);
        if self.ids.as_mut().is_some_and(|ids| !ids.have(read.id.as_deref(), key)) {
            return false;
        }
        if let Some(title) = &self.title {
            let own = read.title.as_deref().unwrap_or_default().to_lowercase();
            if !own.contains(title) {
                return false;
            }
        }
        let is = |day: Option<PartialDate>, time: Option<&Time>, wrong: Ordering| {
            day.is_none_or(|day| time.is_some_and(|time| day.compare(time) != wrong))
        };
        if !is(self.since, updated(read), Ordering::Less)
            || !is(self.until, read.time.as_ref(), Ordering::Greater)
        {
            return false;
        }
        is_chosen
    }

    /// Returns whether a conversation meets the queries, and records which conditions it meets.
    fn meets_choices(&mut self, read: &Conversation) -> bool {
        if self.choices.is_empty() {
            return true;
        }
        // Turns that are not imported are not searched.
        let mut shown;
        let read = match read.all_turns().any(|turn| turn.withheld) {
            true => {
                shown = read.clone();
                shown.drop_withheld();
                &shown
            }
            false => read,
        };
        let mut chooser = Chooser::new(&self.choices, read, "en");
        chooser.add(read);
        for (met, now) in self.met.iter_mut().flatten().zip(chooser.met().iter().flatten()) {
            *met |= now;
        }
        chooser.finish().into_iter().all(|matched| matched)
    }

    /// Returns whether any condition has a `-`.
    pub(super) fn excludes(&self) -> bool {
        let count = |choice: &Choice| 0..choice.condition_count();
        self.choices.iter().any(|choice| count(choice).any(|at| choice.negated(at).is_some()))
    }

    /// Reports each condition with a `-` that no conversation meets. It is often misspelt, and what it should exclude
    /// would be imported.
    pub(super) fn unmatched_exclusions(&self) -> Vec<Diagnostic> {
        let pairs = self.choices.iter().zip(&self.met);
        let unmatched = pairs.flat_map(|(choice, met)| {
            let unmet = met.iter().enumerate().filter(|(_, met)| !**met);
            unmet.filter_map(|(condition, _)| choice.negated(condition))
        });
        let note = |condition: String| {
            let message = format!("`{condition}` in `--filter` excludes nothing");
            let note = Diagnostic::new(Severity::Error, "unmatched-filter", message);
            note.hint("check the spelling, or remove it if there is nothing to exclude")
        };
        unmatched.map(note).collect()
    }

    /// Reports each id without a conversation.
    pub(super) fn unknown_ids(&self) -> Vec<Diagnostic> {
        let Some(ids) = &self.ids else { return Vec::new() };
        let mut unknown: Vec<(usize, &String)> = ids
            .wanted
            .iter()
            .filter(|(_, (_, is_there))| !is_there)
            .map(|(id, (line, _))| (*line, id))
            .collect();
        unknown.sort_unstable();
        let note = |(line, id): (usize, &String)| {
            let message = format!("no conversation has the id `{id}` (line {line})");
            let note = Diagnostic::new(Severity::Error, "unmatched-filter", message);
            note.in_file(&ids.file).hint("run `convo-site import EXPORT` for a list of ids")
        };
        unknown.into_iter().map(note).collect()
    }
}

impl Ids {
    fn read(path: &Path) -> Result<Self, Failure> {
        let bytes = if path == Path::new("-") {
            let mut bytes = Vec::new();
            let read = std::io::stdin().read_to_end(&mut bytes);
            read.map_err(|cause| disk::Error::new("read", path, cause))?;
            bytes
        } else {
            disk::read(path)?
        };
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_start_matches('\u{feff}');
        let lines = text.lines().map(str::trim).enumerate();
        let ids = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let wanted = ids.map(|(at, id)| (id.to_owned(), (at + 1, false)));
        Ok(Self { file: path.display().to_string(), wanted: wanted.collect() })
    }

    fn have(&mut self, id: Option<&str>, key: &str) -> bool {
        let mut is_wanted = false;
        for name in id.into_iter().chain([key]) {
            if let Some((_, is_there)) = self.wanted.get_mut(name) {
                *is_there = true;
                is_wanted = true;
            }
        }
        is_wanted
    }
}

/// Returns the latest time of a conversation.
pub(super) fn updated(read: &Conversation) -> Option<&Time> {
    let turns = read.all_turns().filter_map(|turn| turn.time.as_ref());
    let all = turns.chain(&read.time).chain(&read.updated);
    all.max_by_key(|time| time.instant())
}
