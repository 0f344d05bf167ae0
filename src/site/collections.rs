//! Collections: folders with an `_index.md`, and series.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::listings::{UnpagedList, paginate};
use super::page::{CollectionHead, CollectionPlace, Group, Link, Page, PageKind, SharedCard, Term};
use crate::config::Config;
use crate::diag::{Diagnostic, Severity, WithNotes};
use crate::hash::{Hash, Hashed};
use crate::markup::Links;
use crate::model::Order;
use crate::sources::Entry;
use crate::text::{normalized_name, unique_slug};
use crate::time::Time;

/// The output folder for all collections.
pub(super) const FOLDER: &str = "collections/";
/// The maximum length in bytes of a name in a URL.
const MAX_SLUG_BYTES: usize = 60;

/// The collections of a site.
#[derive(Default)]
pub(super) struct Collections {
    all: Vec<Collection>,
    /// The collections of each conversation. Its page links to the neighbours in the first one.
    of: Vec<Vec<usize>>,
}

/// A collection.
struct Collection {
    /// The `_index.md`, if there is one.
    section: Option<Arc<Entry>>,
    title: String,
    order: Order,
    /// Whether it is a series with numbered parts.
    is_numbered: bool,
    path: String,
    link: Link,
    /// The index of the collection that contains this one.
    parent: Option<usize>,
    /// The indices of its conversations, in order.
    members: Vec<usize>,
    /// The files that come first, in this order, as paths in the site folder.
    listed: Vec<String>,
}

impl Collections {
    /// Finds the collections and reports problems with them.
    pub(super) fn find(
        entries: &[Arc<Entry>],
        sections: &[Arc<Entry>],
        config: &Config,
    ) -> WithNotes<Self> {
        let mut notes = Vec::new();
        let mut all: Vec<Collection> = Vec::new();
        let mut by_folder: HashMap<&str, usize> = HashMap::new();
        let mut by_series: BTreeMap<String, usize> = BTreeMap::new();
        let mut titled = Vec::new();
        let top = format!("{}/", config.content.trim_end_matches('/'));
        let mut sections: Vec<&Arc<Entry>> = sections.iter().collect();
        sections.sort_by(|a, b| a.file().cmp(b.file()));
        for section in sections {
            let file = section.file();
            let folder = file.as_str().strip_suffix(file.name()).unwrap_or_default();
            let inside = folder.strip_prefix(&*top).unwrap_or_default();
            if inside.is_empty() {
                let message = "the content folder itself cannot be a collection";
                let note = Diagnostic::new(Severity::Warning, "empty-collection", message);
                notes.push(note.in_file(file.as_str()).hint(
                    "move this file into a subfolder; set the text of the home page in site.toml",
                ));
                continue;
            }
            let slug = |part: &str| unique_slug(part, MAX_SLUG_BYTES);
            let slugs: Vec<String> = inside.trim_end_matches('/').split('/').map(slug).collect();
            let settings = section.section.clone().unwrap_or_default();
            let name = inside.trim_end_matches('/').rsplit('/').next().unwrap_or(inside);
            // Without its own title, it has that of its file, which is always the same.
            let title = match section.is_titled {
                true => section.title.clone(),
                false => section.filing().series.first().map_or(name, |name| name).to_owned(),
            };
            let usual = if settings.numbered { Order::Weight } else { Order::Newest };
            for series in &section.filing().series {
                by_series.entry(normalized_name(series)).or_insert(all.len());
            }
            titled.push((normalized_name(&title), all.len()));
            by_folder.insert(folder, all.len());
            all.push(Collection {
                section: Some(section.clone()),
                order: settings.order.unwrap_or(usual),
                is_numbered: settings.numbered,
                listed: settings.listed.iter().map(|name| format!("{folder}{name}")).collect(),
                ..Collection::new(title, format!("{FOLDER}{}/", slugs.join("/")))
            });
        }
        // The name of a series can also be the title of a collection.
        for (title, at) in titled {
            by_series.entry(title).or_insert(at);
        }
        for collection in &mut all {
            let file = collection.section.as_ref().map(|section| section.file().as_str());
            let folder = file.and_then(|file| Some(file.rsplit_once('/')?.0));
            collection.parent = folder.and_then(|folder| nearest(folder, &by_folder));
        }
        let mut names: BTreeMap<String, &str> = BTreeMap::new();
        for name in entries.iter().flat_map(|entry| &entry.filing().series) {
            let known = names.entry(normalized_name(name)).or_insert(name);
            *known = (*known).min(name);
        }
        for (key, name) in names {
            if by_series.contains_key(&key) {
                continue;
            }
            by_series.insert(key, all.len());
            let path = format!("{FOLDER}{}/", unique_slug(name, MAX_SLUG_BYTES));
            all.push(Collection {
                order: Order::Weight,
                is_numbered: true,
                ..Collection::new(name.to_owned(), path)
            });
        }
        make_urls_unique(&mut all, config, &mut notes);
        let mut of = vec![Vec::new(); entries.len()];
        for (place, entry) in entries.iter().enumerate() {
            let series = entry.filing().series.iter();
            let series = series.filter_map(|name| by_series.get(&normalized_name(name)));
            let folder = nearest(entry.file().as_str(), &by_folder);
            let mut known = HashSet::new();
            for at in series.copied().chain(folder).filter(|at| known.insert(*at)) {
                all[at].members.push(place);
                of[place].push(at);
            }
        }
        for collection in &mut all {
            collection.sort(entries);
            notes.extend(collection.notes(entries));
            notes.extend(collection.unmatched(entries));
        }
        let mut collections = Self { all, of };
        collections.drop_empty(&mut notes);
        WithNotes { value: collections, notes }
    }

    /// Removes empty collections.
    fn drop_empty(&mut self, notes: &mut Vec<Diagnostic>) {
        let mut is_shown: Vec<bool> =
            self.all.iter().map(|collection| !collection.members.is_empty()).collect();
        // Inner collections come after outer ones.
        for at in (0..self.all.len()).rev() {
            if let Some(parent) = self.all[at].parent.filter(|_| is_shown[at]) {
                is_shown[parent] = true;
            }
        }
        let mut places = vec![None; self.all.len()];
        let mut kept = 0;
        for (at, collection) in self.all.iter().enumerate() {
            if is_shown[at] {
                places[at] = Some(kept);
                kept += 1;
            } else if let Some(section) = &collection.section {
                let message = "no conversation in this folder is published";
                let note = Diagnostic::new(Severity::Hint, "empty-collection", message);
                notes.push(note.in_file(section.label()).hint("the folder has no page"));
            }
        }
        let mut shown = is_shown.iter();
        self.all.retain(|_| shown.next() == Some(&true));
        for collection in &mut self.all {
            collection.parent = collection.parent.and_then(|parent| places[parent]);
        }
        for all in &mut self.of {
            *all = all.iter().filter_map(|at| places[*at]).collect();
        }
    }

    /// Returns whether there are no collections.
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns the position of a conversation in the collection that its page follows.
    pub(super) fn place(&self, at: usize, cards: &[SharedCard]) -> Option<CollectionPlace> {
        let collection = &self.all[*self.of[at].first()?];
        let number = collection.members.iter().position(|member| *member == at)?;
        let link =
            |number: Option<usize>| Some(cards[*collection.members.get(number?)?].link.clone());
        Some(CollectionPlace {
            link: collection.link.clone(),
            path: collection.path.clone(),
            is_numbered: collection.is_numbered,
            number: number + 1,
            count: collection.members.len(),
            previous: link(number.checked_sub(1)),
            next: link(Some(number + 1)),
        })
    }

    /// Returns links to the collections of a conversation, with the key of their label.
    pub(super) fn links(&self, at: usize) -> Option<(&'static str, Vec<Link>)> {
        let all: Vec<&Collection> = self.of[at].iter().map(|at| &self.all[*at]).collect();
        let name = match all.as_slice() {
            [] => return None,
            [one] if one.is_numbered => "list.series",
            [_] => "list.collection",
            _ => "list.collections",
        };
        Some((name, all.into_iter().map(|one| one.link.clone()).collect()))
    }

    /// Returns the outermost collections as terms.
    pub(super) fn terms(&self) -> Vec<Term> {
        let outer = self.all.iter().filter(|one| one.parent.is_none());
        let mut terms: Vec<Term> = outer.map(|one| one.term(&self.all)).collect();
        terms.sort_by(|a, b| a.title.cmp(&b.title));
        terms
    }

    /// Returns the output folders of their pages.
    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        let overview = (!self.is_empty()).then_some(FOLDER);
        overview.into_iter().chain(self.all.iter().map(|one| one.path.as_str()))
    }

    /// Plans the overview of all collections and a list for each. `links` resolves the links in the
    /// introductory text.
    pub(super) fn pages(
        &self,
        cards: &[SharedCard],
        links: &mut dyn FnMut(&Arc<Entry>) -> Links,
        config: &Config,
    ) -> Vec<Page> {
        if self.is_empty() {
            return Vec::new();
        }
        let locale = &config.locale;
        let plural = locale.text("list.collections");
        let overview = Link::new(plural, config.base_url.link(FOLDER));
        let values = [("facet", plural), ("site", config.title.as_str())];
        let mut pages = vec![Page {
            path: FOLDER.into(),
            title: plural.to_owned(),
            description: locale.fill("list.facet_of", &values).into(),
            indexed: true,
            updated: cards.first().and_then(|card| card.time.clone()),
            breadcrumbs: Arc::default(),
            kind: PageKind::Terms(vec![Group { title: String::new(), terms: self.terms() }]),
        }];
        for (at, collection) in self.all.iter().enumerate() {
            let mut trail = vec![];
            let mut above = collection.parent;
            while let Some(parent) = above {
                trail.push(self.all[parent].link.clone());
                above = self.all[parent].parent;
            }
            trail.push(overview.clone());
            trail.reverse();
            let inside = self.all.iter().filter(|one| one.parent == Some(at));
            let parts = inside.map(|one| one.term(&self.all)).collect();
            let list = UnpagedList {
                path: collection.path.clone(),
                title: collection.title.clone(),
                facet: locale.text(collection.word()).to_owned(),
                speaker: None,
                has_feed: !collection.members.is_empty(),
                indexed: true,
                breadcrumbs: trail.into(),
                parts,
                rail: Vec::new(),
                counts: Arc::default(),
                cards: collection.members.iter().map(|at| cards[*at].clone()).collect(),
                listed_at: None,
            };
            pages.extend(collection.pages(list, cards, links, config));
        }
        pages
    }
}

impl Collection {
    fn new(title: String, path: String) -> Self {
        let link = Link::new(title.as_str(), "");
        Self {
            section: None,
            title,
            order: Order::Newest,
            is_numbered: false,
            path,
            link,
            parent: None,
            members: Vec::new(),
            listed: Vec::new(),
        }
    }

    fn word(&self) -> &'static str {
        if self.is_numbered { "list.series" } else { "list.collection" }
    }

    /// Sorts the conversations. They are identified by index, newest first.
    fn sort(&mut self, entries: &[Arc<Entry>]) {
        let is_numbered = self.is_numbered;
        let is_below = |at: &usize| !is_numbered && !entries[*at].filing().pinned;
        let time = |at: &usize| {
            let time = entries[*at].time.as_ref().map(Time::instant);
            (time.is_none(), time, Reverse(*at))
        };
        let weight = |at: &usize| {
            let filing = entries[*at].filing();
            let weight = filing.part.filter(|_| is_numbered).or(filing.weight);
            (weight.is_none(), weight, time(at))
        };
        match self.order {
            Order::Newest => self.members.sort_by_key(|at| (is_below(at), *at)),
            Order::Oldest => self.members.sort_by_key(|at| (is_below(at), time(at))),
            Order::Title => self.members.sort_by(|a, b| {
                let key = |at: &usize| (is_below(at), entries[*at].title.to_lowercase());
                key(a).cmp(&key(b)).then(a.cmp(b))
            }),
            Order::Weight => self.members.sort_by_key(weight),
        }
        if !self.listed.is_empty() {
            let listed = self.listed.iter().enumerate();
            let places: HashMap<&str, usize> =
                listed.rev().map(|(place, file)| (file.as_str(), place)).collect();
            // Unlisted conversations come last, in their own order.
            self.members.sort_by_key(|at| {
                let place = places.get(file_of(&entries[*at], &places));
                place.copied().unwrap_or(usize::MAX)
            });
        }
    }

    /// Reports files in `order` without a conversation of the collection.
    fn unmatched(&self, entries: &[Arc<Entry>]) -> Vec<Diagnostic> {
        let Some(section) = self.section.as_ref().filter(|_| !self.listed.is_empty()) else {
            return Vec::new();
        };
        let listed: HashMap<&str, usize> =
            self.listed.iter().map(|file| (file.as_str(), 0)).collect();
        let members = self.members.iter();
        let matched: HashSet<&str> = members.map(|at| file_of(&entries[*at], &listed)).collect();
        let missing = self.listed.iter().filter(|file| !matched.contains(file.as_str()));
        let notes = missing.map(|file| {
            let message = format!("`{file}` in `order` is not a conversation in this collection");
            let note = Diagnostic::new(Severity::Hint, "unmatched-order", message);
            note.in_file(section.label()).hint(
                "write paths relative to this folder; withheld conversations are not part of it",
            )
        });
        notes.collect()
    }

    /// Reports parts that have the same number.
    fn notes(&self, entries: &[Arc<Entry>]) -> Vec<Diagnostic> {
        let mut known: HashMap<i64, usize> = HashMap::new();
        let mut notes = Vec::new();
        for at in self.members.iter().filter(|_| self.is_numbered) {
            let entry = &entries[*at];
            let Some(part) = entry.filing().part else { continue };
            let Some(first) = known.insert(part, *at) else { continue };
            let first = entries[first].label();
            let message = format!("`{first}` is also part {part} of `{}`", self.title);
            let note = Diagnostic::new(Severity::Warning, "same-part", message);
            notes.push(note.in_file(entry.label()).hint("the older one comes first"));
        }
        notes
    }

    fn term(&self, all: &[Self]) -> Term {
        let inside = |one: &&Self| {
            one.path.starts_with(&self.path) && one.section.is_some() && self.section.is_some()
        };
        let within = all.iter().filter(inside).map(|one| one.members.len());
        let count = match self.section {
            Some(_) => within.sum::<usize>(),
            None => self.members.len(),
        };
        let (title, url) = (self.title.clone(), self.link.url.to_string());
        Term { title, url, count: count as u64, kind: None }
    }

    fn pages(
        &self,
        list: UnpagedList,
        cards: &[SharedCard],
        links: &mut dyn FnMut(&Arc<Entry>) -> Links,
        config: &Config,
    ) -> Vec<Page> {
        let section = self.section.as_ref();
        let links = section.map_or(Links::AsWritten, links);
        let mut newest: Vec<usize> = self.members.clone();
        newest.sort_unstable();
        newest.truncate(config.feed_entries.0);
        let head = CollectionHead {
            text_ref: section.map(|section| section.parts[0].clone()),
            links: Arc::new(Hashed::new(links)),
            description: section.map_or(Arc::from(""), |one| one.excerpt.clone()),
            language: section.and_then(|one| one.languages.first().cloned()),
            is_numbered: self.is_numbered,
            first: 1,
            newest: newest.into_iter().map(|at| cards[at].clone()).collect(),
        };
        let size = config.page_entries.0;
        let mut pages = paginate(list, config);
        for page in &mut pages {
            let PageKind::Listing(listing) = &mut page.kind else { continue };
            let mut head = head.clone();
            head.first = (listing.number - 1) * size + 1;
            if listing.number > 1 {
                (head.text_ref, head.newest) = (None, Vec::new());
            } else if !head.description.is_empty() {
                page.description = head.description.clone();
            }
            let times = listing.cards.iter().filter_map(|card| card.updated.as_ref());
            page.updated = times.max_by_key(|time| time.instant()).cloned();
            listing.collection = Some(Arc::new(head));
        }
        pages
    }
}

/// Returns the name of an entry in a list of files: its file, with or without the extension.
fn file_of<'e>(entry: &'e Entry, listed: &HashMap<&str, usize>) -> &'e str {
    let file = entry.file().as_str();
    let mut stem = file;
    while !listed.contains_key(stem) {
        match stem.rsplit_once('.').filter(|(stem, _)| !stem.ends_with('/')) {
            Some((shorter, ending)) if !ending.contains('/') => stem = shorter,
            _ => return file,
        }
    }
    stem
}

/// Returns the collection of the nearest folder above a path.
fn nearest(path: &str, by_folder: &HashMap<&str, usize>) -> Option<usize> {
    let ends = path.rmatch_indices('/').map(|(at, _)| at + 1);
    ends.into_iter().find_map(|end| by_folder.get(&path[..end]).copied())
}

/// Gives each collection a unique URL.
fn make_urls_unique(all: &mut [Collection], config: &Config, notes: &mut Vec<Diagnostic>) {
    let mut taken: HashMap<String, String> = HashMap::new();
    for collection in all {
        let label = match &collection.section {
            Some(section) => section.label().to_owned(),
            None => collection.title.clone(),
        };
        if let Some(other) = taken.get(&collection.path) {
            let tail = Hash::of(&label).short(8);
            let path = format!("{}-{tail}/", collection.path.trim_end_matches('/'));
            let message = format!(
                "the collections `{other}` and `{label}` have the same URL, `{}`",
                collection.path
            );
            let note = Diagnostic::new(Severity::Warning, "same-address", message);
            notes.push(note.hint(format!("the second one is published at `{path}`")));
            collection.path = path;
        }
        let url = config.base_url.link(&collection.path);
        collection.link = Link::new(collection.title.as_str(), url);
        taken.insert(collection.path.clone(), label);
    }
}
