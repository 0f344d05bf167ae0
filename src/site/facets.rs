//! Lists by speaker, model, language, tag and type.
//!
//! A facet is one row of [`FACETS`].

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use rayon::prelude::*;

use crate::config::Config;
use crate::hash::Hash;
use crate::locale::languages::name as language_name;
use crate::model::Kind;
use crate::sources::{Entry, Speaker};
use crate::text::unique_slug;

use super::listings::{UnpagedList, paginate};
use super::page::{Group, Link, Page, PageKind, SharedCard, SpeakerLink, Term};
use super::speaker_pages::WithoutPage;
use super::speaker_term::listed_as;

/// A facet: a way to group conversations, such as by speaker.
pub struct Facet {
    /// The folder in the output.
    pub folder: &'static str,
    /// The key of the label of one term.
    pub singular: &'static str,
    /// The key of the label of all terms.
    pub plural: &'static str,
    /// Whether its lists have feeds.
    has_feeds: bool,
    /// Returns the name of a term for readers.
    pub title: fn(&str) -> String,
    /// Returns the terms of a conversation.
    terms: for<'a> fn(&'a Entry) -> Vec<FacetTerm<'a>>,
}

impl Facet {
    /// Returns the output path of the overview.
    pub fn folder_path(&self) -> String {
        format!("{}/", self.folder)
    }
}

/// A term of a facet and, for a speaker, its kind.
type FacetTerm<'a> = (Cow<'a, str>, Option<Kind>);

/// All facets.
pub const FACETS: [Facet; 5] = [
    Facet {
        folder: "speakers",
        singular: "list.speaker",
        plural: "list.speakers",
        has_feeds: true,
        title: str::to_owned,
        terms: speakers,
    },
    Facet {
        folder: "models",
        singular: "list.model",
        plural: "list.models",
        has_feeds: false,
        title: str::to_owned,
        terms: models,
    },
    Facet {
        folder: "languages",
        singular: "list.language",
        plural: "list.languages",
        has_feeds: false,
        title: language_name,
        terms: languages,
    },
    Facet {
        folder: "tags",
        singular: "list.tag",
        plural: "list.tags",
        has_feeds: true,
        title: str::to_owned,
        terms: tags,
    },
    Facet {
        folder: "types",
        singular: "list.type",
        plural: "list.types",
        has_feeds: false,
        title: str::to_owned,
        terms: types,
    },
];

fn speakers(entry: &Entry) -> Vec<FacetTerm<'_>> {
    entry.speakers.iter().map(|who| (listed_as(entry, who), Some(who.kind))).collect()
}

fn models(entry: &Entry) -> Vec<FacetTerm<'_>> {
    let speaking = entry.speakers.iter().filter_map(|who| who.model.as_deref());
    // A speaker who used several models has no model of its own.
    let used = entry.usage.keys().filter_map(|(model, _)| model.as_deref());
    let models = speaking.chain(used.filter(|model| !model.trim().is_empty()));
    let mut models: Vec<FacetTerm<'_>> = models.map(|model| (model.into(), None)).collect();
    models.sort();
    models.dedup();
    models
}

fn languages(entry: &Entry) -> Vec<FacetTerm<'_>> {
    entry.languages.iter().map(|tag| (tag.into(), None)).collect()
}

fn tags(entry: &Entry) -> Vec<FacetTerm<'_>> {
    entry.tags.iter().map(|tag| (tag.into(), None)).collect()
}

fn types(entry: &Entry) -> Vec<FacetTerm<'_>> {
    entry.kind.iter().map(|kind| (kind.into(), None)).collect()
}

/// The maximum length in bytes of a term in a URL.
const MAX_SLUG_BYTES: usize = 60;

/// The folder of the list of each term, by facet.
pub(super) struct TermFolders(HashMap<&'static str, HashMap<String, TermFolder>>);

/// The folder and link of the list of a term.
struct TermFolder {
    path: String,
    link: Link,
}

impl TermFolders {
    /// Finds a folder for each term. If terms differ only in case, the first one gets the plain name.
    pub(super) fn new(entries: &[Arc<Entry>], without_page: &WithoutPage, config: &Config) -> Self {
        let of_facet = |facet: &Facet| {
            let is_listed = |term: &str| facet.folder != "speakers" || !without_page.contains(term);
            // Most conversations repeat terms of others; only distinct ones are sorted.
            let mut known = HashSet::new();
            let terms: BTreeSet<Cow<'_, str>> = entries
                .iter()
                .flat_map(|entry| (facet.terms)(entry))
                .map(|(term, _)| term)
                .filter(|term| is_listed(term) && known.insert(term.clone()))
                .collect();
            let mut taken = HashSet::new();
            let mut folders = HashMap::new();
            for term in terms {
                let mut path = format!("{}/{}/", facet.folder, unique_slug(&term, MAX_SLUG_BYTES));
                if !taken.insert(path.clone()) {
                    let tail = Hash::of(&*term).short(8);
                    path = format!("{}-{tail}/", path.trim_end_matches('/'));
                }
                let link = Link::new((facet.title)(&term), config.base_url.link(&path));
                folders.insert(term.into_owned(), TermFolder { path, link });
            }
            (facet.folder, folders)
        };
        Self(FACETS.par_iter().map(of_facet).collect())
    }

    /// Returns the folder of a term. Only speakers may have none.
    fn get(&self, facet: &Facet, term: &str) -> Option<&TermFolder> {
        self.0[facet.folder].get(term)
    }

    /// Returns the URL of the list of a term, if there is one.
    pub(super) fn url(&self, facet: &Facet, term: &str) -> Option<Arc<str>> {
        Some(self.get(facet, term)?.link.url.clone())
    }

    fn link(&self, facet: &Facet, term: &str) -> Option<Link> {
        Some(self.get(facet, term)?.link.clone())
    }

    /// Returns a speaker for a card.
    pub(super) fn speaker_link(&self, entry: &Entry, who: &Speaker) -> SpeakerLink {
        let link = self.get(&FACETS[0], &listed_as(entry, who)).map(|list| &list.link);
        let model = who.model.as_ref().and_then(|model| self.get(&FACETS[1], model));
        let title = link.map(|link| &link.title).filter(|title| ***title == *who.name);
        SpeakerLink {
            name: title.cloned().unwrap_or_else(|| who.name.as_str().into()),
            kind: who.kind,
            model: model.map(|list| list.link.title.clone()),
            url: link.map(|link| link.url.clone()),
        }
    }
}

/// Returns links to the lists that contain a conversation, by facet. The card already has its speakers.
pub(super) fn links_of(entry: &Entry, folders: &TermFolders) -> Vec<(&'static str, Vec<Link>)> {
    let mut links = Vec::new();
    for facet in &FACETS[1..] {
        let terms = (facet.terms)(entry).into_iter();
        let terms: Vec<Link> = terms.filter_map(|(term, _)| folders.link(facet, &term)).collect();
        if !terms.is_empty() {
            let name = if terms.len() == 1 { facet.singular } else { facet.plural };
            links.push((name, terms));
        }
    }
    links
}

/// Returns links to the lists of the tags of a conversation.
pub(super) fn tags_of(entry: &Entry, folders: &TermFolders) -> Vec<Link> {
    let facet = &FACETS[3];
    let terms = (facet.terms)(entry).into_iter();
    terms.filter_map(|(term, _)| folders.link(facet, &term)).collect()
}

/// The minimum number of conversations in a list that search engines are asked to index, and that has a
/// feed.
const MIN_INDEXED_ENTRIES: usize = 3;

/// Plans the overview of each facet that has terms, and a list for each term.
pub(super) fn pages(
    entries: &[Arc<Entry>],
    cards: &[SharedCard],
    folders: &TermFolders,
    config: &Config,
) -> Vec<Page> {
    let locale = &config.locale;
    let archive = Link::new(locale.text("list.archive"), config.base_url.link("archive/"));
    let mut pages = Vec::new();
    for facet in &FACETS {
        let (singular, plural) = (locale.text(facet.singular), locale.text(facet.plural));
        let mut terms: HashMap<Cow<'_, str>, (Option<Kind>, Vec<SharedCard>)> = HashMap::new();
        for (entry, card) in entries.iter().zip(cards) {
            let all = (facet.terms)(entry).into_iter();
            for (term, kind) in all.filter(|(term, _)| folders.get(facet, term).is_some()) {
                let (known, list) = terms.entry(term).or_default();
                // A name that belongs to an assistant in any conversation is shown as an assistant.
                *known = (*known).max(kind);
                list.push(card.clone());
            }
        }
        if terms.is_empty() {
            continue;
        }
        let terms: BTreeMap<_, _> = terms.into_iter().collect();
        let overview = config.base_url.link(&format!("{}/", facet.folder));
        let breadcrumbs: Arc<[Link]> = Arc::new([Link::new(plural, overview)]);
        let mut rows: Vec<Term> = terms
            .iter()
            .filter_map(|(term, (kind, list))| {
                Some(Term {
                    title: (facet.title)(term),
                    url: folders.get(facet, term)?.link.url.to_string(),
                    count: list.len() as u64,
                    kind: *kind,
                })
            })
            .collect();
        rows.sort_by(|a, b| (b.count, &a.title).cmp(&(a.count, &b.title)));
        pages.push(Page {
            path: format!("{}/", facet.folder).into(),
            title: plural.to_owned(),
            description: locale
                .fill("list.facet_of", &[("facet", plural), ("site", &config.title)])
                .into(),
            indexed: rows.len() >= MIN_INDEXED_ENTRIES,
            updated: cards.first().and_then(|card| card.time.clone()),
            breadcrumbs: Arc::default(),
            kind: PageKind::Terms(vec![Group { title: String::new(), terms: rows }]),
        });
        for (term, (kind, mut cards)) in terms {
            let Some(folder) = folders.get(facet, &term) else { continue };
            let is_of_all = cards.len() == entries.len();
            cards.sort_by_key(|card| !card.pinned);
            let list_of_term = UnpagedList {
                path: folder.path.clone(),
                title: (facet.title)(&term),
                facet: singular.to_owned(),
                speaker: kind.filter(|_| facet.folder == "speakers"),
                has_feed: facet.has_feeds && cards.len() >= MIN_INDEXED_ENTRIES,
                indexed: cards.len() >= MIN_INDEXED_ENTRIES,
                breadcrumbs: breadcrumbs.clone(),
                parts: Vec::new(),
                rail: Vec::new(),
                counts: Arc::default(),
                cards,
                listed_at: is_of_all.then(|| archive.clone()),
            };
            pages.extend(paginate(list_of_term, config));
        }
    }
    pages
}
