//! The statistics of an archive.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::config::Config;
use crate::model::Kind;
use crate::sources::{Entry, UsageSum};

use super::facets::{FACETS, Facet, TermFolders};
use super::listings::year_path;
use super::page::{ModelChange, Page, PageKind, Row, SharedCard, Statistics, UsageRow, Year};
use super::speaker_term::listed_as;

/// The path of the page.
pub(super) const PATH: &str = "statistics/";
/// The maximum number of rows of a table, largest first.
const MAX_ROWS: usize = 20;
/// The number of conversations that are listed as the longest.
const MAX_LONGEST: usize = 10;
/// The maximum number of years with a calendar, newest first.
const MAX_YEARS: usize = 10;

/// Plans the page.
pub(super) fn page(
    entries: &[Arc<Entry>],
    cards: &[SharedCard],
    folders: &TermFolders,
    config: &Config,
) -> Page {
    let locale = &config.locale;
    let site = [("site", config.title.as_str())];
    Page {
        path: PATH.into(),
        title: locale.text("statistics.statistics").to_owned(),
        description: locale.fill("statistics.of", &site).into(),
        indexed: true,
        updated: entries.first().and_then(|entry| entry.time.clone()),
        breadcrumbs: Arc::default(),
        kind: PageKind::Statistics(Box::new(Statistics {
            longest: longest(cards),
            ..count(entries, folders, config)
        })),
    }
}

fn count(entries: &[Arc<Entry>], folders: &TermFolders, config: &Config) -> Statistics {
    let mut sums = Statistics { conversations: entries.len() as u64, ..Default::default() };
    let mut years: BTreeMap<i16, Year> = BTreeMap::new();
    let mut hours = vec![0; 7 * 24];
    let (mut speakers, mut models) = (SumTable::default(), SumTable::default());
    let (mut languages, mut tools) = (SumTable::default(), SumTable::default());
    let mut by_model: BTreeMap<String, UsageSum> = BTreeMap::new();
    let mut by_month: BTreeMap<(i16, i8), UsageSum> = BTreeMap::new();
    let mut months: BTreeMap<(i16, i8), Month<'_>> = BTreeMap::new();
    for entry in entries {
        sums.turns += entry.turns;
        sums.words += entry.words;
        if let Some(time) = &entry.time {
            let (year, month, day) = time.date();
            let of_year = years.entry(year).or_insert_with(|| Year {
                year,
                url: config.base_url.link(&year_path(year)).into(),
                conversations: 0,
                days: BTreeMap::new(),
            });
            of_year.conversations += 1;
            if month > 0 {
                months.entry((year, month)).or_default().add(entry);
            }
            if let Some(place) = time.place_in_year() {
                of_year.days.entry((month, day)).or_insert((place, 0)).1 += 1;
            }
            if let Some(count) =
                time.hour_of_week().and_then(|hour| hours.get_mut(usize::from(hour)))
            {
                *count += 1;
            }
        }
        for who in &entry.speakers {
            speakers.add(listed_as(entry, who), Some(who.kind), who.turns, who.words);
            if let Some(model) = &who.model {
                models.add(model.into(), None, who.turns, who.words);
            }
        }
        for language in &entry.languages {
            languages.add(language.into(), None, 1, 0);
        }
        for (tool, calls) in &entry.tools {
            tools.add(tool.into(), None, *calls, 0);
        }
        for ((model, month), sum) in &entry.usage {
            if let Some(model) = model {
                by_model.entry(model.clone()).or_default().add(*sum);
            }
            if let Some((year, month)) = month {
                by_month.entry((*year, *month)).or_default().add(*sum);
            }
        }
    }
    sums.busiest_month = busiest(&months);
    sums.model_change = model_change(&months);
    let facet = |folder: &str| FACETS.iter().find(|facet| facet.folder == folder);
    sums.years = years.into_values().rev().take(MAX_YEARS).collect();
    sums.hours = if hours.iter().any(|count| *count > 0) { hours } else { Vec::new() };
    sums.speakers = speakers.rows(facet("speakers"), folders);
    sums.models = models.rows(facet("models"), folders);
    sums.languages = languages.rows(facet("languages"), folders);
    sums.tools = tools.rows(None, folders);
    sums.usage_by_model = usage_rows(by_model.into_iter());
    sums.usage_by_model.sort_by_key(|row| std::cmp::Reverse(row.sum.tokens));
    sums.usage_by_model.truncate(MAX_ROWS);
    let by_month = by_month.into_iter().rev().take(MAX_ROWS);
    let name = |(year, month)| config.locale.month_of(year, month);
    sums.usage_by_month = usage_rows(by_month.map(|(month, sum)| (name(month), sum)));
    sums
}

/// What happened in a month.
#[derive(Default)]
struct Month<'a> {
    conversations: u64,
    /// Turns by model.
    models: HashMap<&'a str, u64>,
}

impl<'a> Month<'a> {
    fn add(&mut self, entry: &'a Entry) {
        self.conversations += 1;
        for who in &entry.speakers {
            if let Some(model) = &who.model {
                *self.models.entry(model).or_default() += who.turns;
            }
        }
    }

    /// Returns whether models wrote enough turns to say which one was used most.
    fn says_enough(&self) -> bool {
        self.models.values().sum::<u64>() >= MIN_TURNS
    }

    /// Returns the most used model, if it is one alone.
    fn model(&self) -> Option<&'a str> {
        only_most(self.models.iter().map(|(model, turns)| (*model, *turns)))
    }
}

/// Returns the value with the highest number, if it is one alone.
fn only_most<T>(all: impl Iterator<Item = (T, u64)>) -> Option<T> {
    let (mut most, mut found) = (0, None);
    for (value, count) in all {
        match count.cmp(&most) {
            std::cmp::Ordering::Greater => (most, found) = (count, Some(value)),
            std::cmp::Ordering::Equal => found = None,
            std::cmp::Ordering::Less => {}
        }
    }
    found
}

fn busiest(months: &BTreeMap<(i16, i8), Month<'_>>) -> Option<((i16, i8), u64)> {
    let counted = months.iter().map(|(month, of)| ((*month, of.conversations), of.conversations));
    only_most(counted).filter(|_| months.len() > 1)
}

/// The number of turns of models in a month from which it says something.
const MIN_TURNS: u64 = 10;

/// Returns the last change of the most used model. Months with few turns of models do not count; a month with two models
/// that were used equally ends the search.
fn model_change(months: &BTreeMap<(i16, i8), Month<'_>>) -> Option<ModelChange> {
    let used = months.iter().rev().filter(|(_, of)| of.says_enough());
    let mut now: Option<(&str, (i16, i8))> = None;
    for (month, of) in used {
        let model = of.model()?;
        match now {
            Some((last, since)) if last != model => {
                let (model, before) = (last.to_owned(), model.to_owned());
                return Some(ModelChange { model, since, before });
            }
            _ => now = Some((model, *month)),
        }
    }
    None
}

/// Returns the conversations with the most words.
fn longest(cards: &[SharedCard]) -> Vec<Row> {
    let mut cards: Vec<&SharedCard> = cards.iter().collect();
    cards.sort_by(|a, b| (b.words, &a.path).cmp(&(a.words, &b.path)));
    let row = |card: &SharedCard| Row {
        name: card.link.title.to_string(),
        url: Some(card.link.url.clone()),
        kind: None,
        count: card.words,
        words: card.turns,
    };
    cards.into_iter().take(MAX_LONGEST).map(row).collect()
}

fn usage_rows(rows: impl Iterator<Item = (String, UsageSum)>) -> Vec<UsageRow> {
    let known = rows.filter(|(_, sum)| *sum != UsageSum::default());
    known.map(|(name, sum)| UsageRow { name, sum }).collect()
}

/// Sums by name: kind, count, words.
#[derive(Default)]
struct SumTable<'a>(HashMap<Cow<'a, str>, (Option<Kind>, u64, u64)>);

impl<'a> SumTable<'a> {
    fn add(&mut self, name: Cow<'a, str>, kind: Option<Kind>, count: u64, words: u64) {
        let sums = self.0.entry(name).or_default();
        // As in lists, a name that belongs to an assistant in any conversation is shown as an assistant.
        *sums = (sums.0.max(kind), sums.1 + count, sums.2 + words);
    }

    /// Returns the rows, largest first.
    fn rows(self, facet: Option<&Facet>, folders: &TermFolders) -> Vec<Row> {
        let mut rows: Vec<_> = self.0.into_iter().collect();
        rows.retain(|(_, (_, count, _))| *count > 0);
        rows.sort_by(|(a, (_, x, _)), (b, (_, y, _))| (y, a).cmp(&(x, b)));
        rows.truncate(MAX_ROWS);
        let row = |(name, (kind, count, words)): (Cow<'_, str>, _)| Row {
            url: facet.and_then(|facet| folders.url(facet, &name)),
            name: facet.map_or_else(|| name.to_string(), |facet| (facet.title)(&name)),
            kind,
            count,
            words,
        };
        rows.into_iter().map(row).collect()
    }
}
