//! The home page, and the archive by year and month.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::config::{Config, HomePart};
use crate::model::Kind;
use crate::sources::Entry;
use crate::time::Time;

use super::page::{
    Home, Link, Listing, MonthCount, Page, PageKind, PlainText, SharedCard, SharedPage, Term,
};

/// The maximum number of speakers, of models and of tags on the home page.
const MAX_HOME_TERMS: usize = 12;

/// Plans the home page, given the other `pages`. Featured conversations are not repeated among the newest.
pub(super) fn home(
    entries: &[Arc<Entry>],
    cards: &[SharedCard],
    text: Option<PlainText>,
    collections: Vec<Term>,
    pages: &[SharedPage],
    config: &Config,
) -> Page {
    let terms = |path: &str| {
        let page = pages.iter().find(|page| *page.path == *path);
        match page.map(|page| &page.kind) {
            Some(PageKind::Terms(groups)) => {
                let all = groups.iter().flat_map(|group| &group.terms);
                all.take(MAX_HOME_TERMS).cloned().collect()
            }
            Some(PageKind::Listing(listing)) => listing.rail.clone(),
            _ => Vec::new(),
        }
    };
    let shows_featured = config.home.parts.contains(&HomePart::Featured);
    let is_featured = |entry: &Entry| shows_featured && entry.filing().featured;
    let of = |is: &dyn Fn(&Entry) -> bool| -> Vec<SharedCard> {
        let both = entries.iter().zip(cards).filter(|(entry, _)| is(entry));
        both.map(|(_, card)| card.clone()).take(config.home_entries.0).collect()
    };
    let archive = pages.iter().find(|page| *page.path == *ARCHIVE_PATH).map(|page| &page.kind);
    let months = match archive {
        Some(PageKind::Listing(listing)) => listing.counts.clone(),
        _ => Arc::default(),
    };
    let featured = of(&is_featured);
    let mut latest = of(&|entry| !is_featured(entry) && entry.filing().pinned);
    latest.extend(of(&|entry| !is_featured(entry) && !entry.filing().pinned));
    latest.truncate(config.home_entries.0);
    let total = cards.len() as u64;
    Page {
        path: Arc::from(""),
        title: config.title.clone(),
        description: if config.description.is_empty() {
            let conversations = config.locale.count("count.conversations", total);
            let values = [("site", config.title.as_str()), ("conversations", &conversations)];
            config.locale.fill("list.home_of", &values).into()
        } else {
            config.description.as_str().into()
        },
        indexed: true,
        updated: cards.first().and_then(|card| card.time.clone()),
        breadcrumbs: Arc::default(),
        kind: PageKind::Home(Box::new(Home {
            text,
            years: terms(ARCHIVE_PATH),
            months,
            speakers: terms("speakers/"),
            models: terms("models/"),
            tags: terms("tags/"),
            collections,
            featured,
            cards: latest,
            total,
        })),
    }
}

/// The breadcrumbs of conversations, by month.
pub(super) struct Breadcrumbs(HashMap<Option<(i16, i8)>, Arc<[Link]>>);

impl Breadcrumbs {
    pub(super) fn new(entries: &[Arc<Entry>], config: &Config) -> Self {
        let mut breadcrumbs = HashMap::new();
        for entry in entries {
            let month = entry.time.as_ref().map(Time::year_month);
            breadcrumbs.entry(month).or_insert_with(|| breadcrumbs_of(month, config));
        }
        Self(breadcrumbs)
    }

    /// Returns the breadcrumbs of a conversation.
    pub(super) fn of(&self, entry: &Entry) -> Arc<[Link]> {
        self.0[&entry.time.as_ref().map(Time::year_month)].clone()
    }
}

/// Returns the breadcrumbs of a month: archive, year, month.
fn breadcrumbs_of(month: Option<(i16, i8)>, config: &Config) -> Arc<[Link]> {
    let base = &config.base_url;
    let locale = &config.locale;
    let top = Link::new(locale.text("list.archive"), base.link(ARCHIVE_PATH));
    match month {
        Some((year, month)) => Arc::new([
            top,
            Link::new(year.to_string(), base.link(&year_path(year))),
            Link::new(locale.month(month), base.link(&month_path(year, month))),
        ]),
        None => Arc::new([top, Link::new(locale.text("list.undated"), base.link(UNDATED_PATH))]),
    }
}

const ARCHIVE_PATH: &str = "archive/";
const UNDATED_PATH: &str = "archive/undated/";

/// Returns the path of the list of a year. Paths of its months start with it.
pub fn year_path(year: i16) -> String {
    format!("archive/{year:04}/")
}

/// Returns the path of the list of a month.
pub fn month_path(year: i16, month: i8) -> String {
    format!("{}{month:02}/", year_path(year))
}

/// Plans the overview of years and months, and a list for each.
pub(super) fn archive(entries: &[Arc<Entry>], cards: &[SharedCard], config: &Config) -> Vec<Page> {
    let mut years: BTreeMap<i16, BTreeMap<i8, Vec<SharedCard>>> = BTreeMap::new();
    let mut undated = Vec::new();
    for (entry, card) in entries.iter().zip(cards) {
        match &entry.time {
            Some(time) => {
                let (year, month) = time.year_month();
                years.entry(year).or_default().entry(month).or_default().push(card.clone());
            }
            None => undated.push(card.clone()),
        }
    }
    let base = &config.base_url;
    let locale = &config.locale;
    let (archive, undated_title) = (locale.text("list.archive"), locale.text("list.undated"));
    let top = Link::new(archive, base.link(ARCHIVE_PATH));
    let mut pages = Vec::new();
    let rail = rail(&years, undated.len(), config);
    let count = |year: i16, (month, cards): (&i8, &Vec<SharedCard>)| MonthCount {
        year,
        month: *month,
        count: cards.len() as u64,
    };
    let counts: Arc<[MonthCount]> = years
        .iter()
        .flat_map(|(year, months)| months.iter().map(|month| count(*year, month)))
        .collect();
    for (year, months) in years.iter().rev() {
        let of_year = Link::new(year.to_string(), base.link(&year_path(*year)));
        let parts: Vec<Term> = months
            .iter()
            .rev()
            .map(|(month, cards)| Term {
                title: locale.month(*month).to_owned(),
                url: base.link(&month_path(*year, *month)),
                count: cards.len() as u64,
                kind: None,
            })
            .collect();
        let cards: Vec<SharedCard> = months.values().rev().flatten().cloned().collect();
        // The lists of months are complete, so link to the month where the first page ends.
        let next = cards.get(config.page_entries.0).and_then(|card| card.time.as_ref());
        let next_month = next.map(Time::year_month).map(|(year, month)| {
            Link::new(locale.month_of(year, month), base.link(&month_path(year, month)))
        });
        pages.extend(paginate(
            UnpagedList {
                path: year_path(*year),
                title: year.to_string(),
                facet: String::new(),
                speaker: None,
                has_feed: false,
                indexed: false,
                breadcrumbs: Arc::new([top.clone()]),
                parts,
                rail: rail.clone(),
                counts: counts.clone(),
                cards,
                listed_at: next_month,
            },
            config,
        ));
        for (month, cards) in months.iter().rev() {
            pages.extend(paginate(
                UnpagedList {
                    path: month_path(*year, *month),
                    title: locale.month_of(*year, *month),
                    facet: String::new(),
                    speaker: None,
                    has_feed: false,
                    indexed: false,
                    breadcrumbs: Arc::new([top.clone(), of_year.clone()]),
                    parts: Vec::new(),
                    rail: Vec::new(),
                    counts: Arc::default(),
                    cards: cards.clone(),
                    listed_at: None,
                },
                config,
            ));
        }
    }
    if !undated.is_empty() {
        pages.extend(paginate(
            UnpagedList {
                path: UNDATED_PATH.to_owned(),
                title: undated_title.to_owned(),
                facet: String::new(),
                speaker: None,
                has_feed: false,
                indexed: false,
                breadcrumbs: Arc::new([top]),
                parts: Vec::new(),
                rail: Vec::new(),
                counts: Arc::default(),
                cards: undated,
                listed_at: None,
            },
            config,
        ));
    }
    pages.insert(0, overview(cards, rail, counts, config));
    pages
}

/// Returns the years with their numbers of conversations, newest first.
fn rail(
    years: &BTreeMap<i16, BTreeMap<i8, Vec<SharedCard>>>,
    undated: usize,
    config: &Config,
) -> Vec<Term> {
    let term = |title: String, path: &str, count: usize| Term {
        title,
        url: config.base_url.link(path),
        count: count as u64,
        kind: None,
    };
    let of_years = years.iter().rev().map(|(year, months)| {
        let count = months.values().map(Vec::len).sum();
        term(year.to_string(), &year_path(*year), count)
    });
    let undated = (undated > 0)
        .then(|| term(config.locale.text("list.undated").to_owned(), UNDATED_PATH, undated));
    of_years.chain(undated).collect()
}

/// A list that is also available elsewhere is shown in full if it has at most this many pages' worth of
/// conversations.
const MAX_OVERVIEW_PAGES: usize = 2;

/// Plans the overview: the years, and the newest conversations by month, or all of them if there are few.
fn overview(
    cards: &[SharedCard],
    rail: Vec<Term>,
    counts: Arc<[MonthCount]>,
    config: &Config,
) -> Page {
    let (base, locale) = (&config.base_url, &config.locale);
    let shown = shown_of_overview(cards.len(), config);
    let more = cards.get(shown).map(|card| match &card.time {
        Some(time) => {
            let year = time.year_month().0;
            let title = locale.fill("list.all_of", &[("year", &year.to_string())]);
            Link::new(title, base.link(&year_path(year)))
        }
        None => Link::new(locale.text("list.undated"), base.link(UNDATED_PATH)),
    });
    let first = base.link(ARCHIVE_PATH);
    Page {
        path: ARCHIVE_PATH.into(),
        title: locale.text("list.archive").to_owned(),
        description: locale.fill("list.archive_of", &[("site", &config.title)]).into(),
        indexed: true,
        updated: cards.first().and_then(|card| card.time.clone()),
        breadcrumbs: Arc::default(),
        kind: PageKind::Listing(Box::new(Listing {
            facet: String::new(),
            speaker: None,
            collection: None,
            feed: None,
            parts: Vec::new(),
            rail,
            counts,
            more,
            cards: cards[..shown].to_vec(),
            total: cards.len() as u64,
            number: 1,
            pages: 1,
            previous: None,
            next: None,
            first,
        })),
    }
}

/// Returns how many conversations to show of a list that is also available elsewhere.
fn shown_of_overview(total: usize, config: &Config) -> usize {
    let size = config.page_entries.0;
    if total <= MAX_OVERVIEW_PAGES * size { total } else { size }
}

/// A list of conversations before pagination.
pub(super) struct UnpagedList {
    pub(super) path: String,
    pub(super) title: String,
    pub(super) facet: String,
    pub(super) speaker: Option<Kind>,
    pub(super) has_feed: bool,
    pub(super) indexed: bool,
    pub(super) breadcrumbs: Arc<[Link]>,
    pub(super) parts: Vec<Term>,
    /// The years, for a list by month.
    pub(super) rail: Vec<Term>,
    /// The number of conversations of each month of the site, for such a list.
    pub(super) counts: Arc<[MonthCount]>,
    pub(super) cards: Vec<SharedCard>,
    /// A link to lists with all of these conversations. If it is set, a long list shows only the newest
    /// ones and this link.
    pub(super) listed_at: Option<Link>,
}

/// Splits a list into pages. The first page has the path of the list; the others are at `page/2/` and so
/// on.
pub(super) fn paginate(mut list: UnpagedList, config: &Config) -> Vec<Page> {
    let total = list.cards.len() as u64;
    let mut size = config.page_entries.0;
    if list.listed_at.is_some() {
        size = shown_of_overview(list.cards.len(), config);
        let is_whole = size == list.cards.len();
        list.cards.truncate(size);
        list.listed_at = list.listed_at.filter(|_| !is_whole);
    }
    let count = list.cards.len().div_ceil(size).max(1);
    let path = |number: usize| match number {
        1 => list.path.clone(),
        number => format!("{}page/{number}/", list.path),
    };
    let url = |number: usize| config.base_url.link(&path(number));
    let locale = &config.locale;
    (1..=count)
        .map(|number| {
            let from = (number - 1) * size;
            let cards = list.cards[from..(from + size).min(list.cards.len())].to_vec();
            let title = match number {
                1 => list.title.clone(),
                number => {
                    locale.fill("list.page", &[("title", &list.title), ("n", &number.to_string())])
                }
            };
            let of = if list.facet.is_empty() { "list.from" } else { "list.with" };
            let conversations = locale.count("count.conversations", total);
            let description = [("conversations", conversations.as_str()), ("term", &title)];
            Page {
                path: path(number).into(),
                description: locale.fill(of, &description).into(),
                title,
                indexed: list.indexed,
                updated: cards.first().and_then(|card| card.time.clone()),
                breadcrumbs: list.breadcrumbs.clone(),
                kind: PageKind::Listing(Box::new(Listing {
                    facet: list.facet.clone(),
                    speaker: list.speaker,
                    collection: None,
                    feed: list.has_feed.then(|| format!("{}atom.xml", list.path)),
                    rail: list.rail.clone(),
                    counts: list.counts.clone(),
                    more: list.listed_at.clone(),
                    parts: if number == 1 { list.parts.clone() } else { Vec::new() },
                    cards,
                    total,
                    number,
                    pages: count,
                    previous: (number > 1).then(|| url(number - 1)),
                    next: (number < count).then(|| url(number + 1)),
                    first: url(1),
                })),
            }
        })
        .collect()
}
