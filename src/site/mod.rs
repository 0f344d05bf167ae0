//! Which pages there are, where they stand and what leads to what. No HTML yet.

mod facets;
mod listings;
mod page;
mod slug;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use rayon::prelude::*;

use crate::config::Config;
use crate::hash::Hashed;
use crate::markup::{Links, Resolved};
use crate::sources::{Archive, Attached, Entry, Media, Target};
use crate::text::slug as slug_of;

pub use self::facets::{FACETS, Facet};
pub use self::page::{
    Card, ConversationPage, Group, Link, Listing, Page, PageKind, SharedCard,
    SpeakerLink, Term,
};

/// All pages of a site.
pub struct Site {
    /// What was chosen.
    pub config: Arc<Config>,
    /// The pages; the home page is the first.
    pub pages: Vec<Arc<Page>>,
    /// Every published media file by its path in the output.
    pub media: BTreeMap<String, Media>,
    /// The newest conversations, for feeds.
    pub newest: Vec<SharedCard>,
    /// Number of conversations.
    pub conversations: u64,
}

/// Plans the pages of an archive.
pub fn plan(archive: &Archive, config: &Arc<Config>) -> Site {
    let (folders, terms) = rayon::join(
        || slug::folders(&archive.entries),
        || facets::Folders::new(&archive.entries, config),
    );
    let families = Families::new(archive);
    let by_file: HashMap<&str, &str> = archive
        .entries
        .iter()
        .zip(&folders)
        .map(|(entry, folder)| (entry.file().as_str(), folder.as_str()))
        .collect();
    let cards: Vec<SharedCard> = archive
        .entries
        .par_iter()
        .zip(&folders)
        .map(|(entry, folder)| Arc::new(Hashed::new(card(entry, folder, &terms, config))))
        .collect();
    let (folders, cards, trails) =
        (&folders[..], &cards[..], listings::Trails::new(&archive.entries, config));
    let around = Around { config, folders, terms, families, by_file, cards, trails };
    let of_conversations = || -> Vec<(Vec<Arc<Page>>, MediaByPath)> {
        let entries = archive.entries.par_iter().enumerate();
        entries.map(|(index, entry)| around.pages(index, entry)).collect()
    };
    let lists = || {
        let mut lists = listings::archive(&archive.entries, cards, config);
        lists.extend(facets::pages(&archive.entries, cards, &around.terms, config));
        lists
    };
    let (lists, of_conversations) = rayon::join(lists, of_conversations);
    let mut pages = vec![Arc::new(listings::home(cards, config))];
    let mut media = MediaByPath::new();
    for (of_conversation, its_media) in of_conversations {
        pages.extend(of_conversation);
        media.extend(its_media);
    }
    pages.extend(lists.into_iter().map(Arc::new));
    pages.push(Arc::new(Page {
        path: "404.html".to_owned(),
        title: "Page not found".to_owned(),
        description: String::new(),
        indexed: false,
        updated: None,
        trail: Arc::default(),
        kind: PageKind::NotFound,
    }));
    let newest = cards.iter().take(config.feed_entries.0).cloned().collect();
    let conversations = archive.entries.len() as u64;
    Site { config: config.clone(), pages, media, newest, conversations }
}

type MediaByPath = BTreeMap<String, Media>;

/// What the pages of a conversation refer to.
struct Around<'a> {
    config: &'a Config,
    /// The folder of each conversation.
    folders: &'a [String],
    terms: facets::Folders,
    families: Families,
    /// Folders of conversations by their files.
    by_file: HashMap<&'a str, &'a str>,
    cards: &'a [SharedCard],
    trails: listings::Trails,
}

impl Around<'_> {
    /// The pages of a conversation, and the media that they show.
    fn pages(&self, index: usize, entry: &Entry) -> (Vec<Arc<Page>>, MediaByPath) {
        let Self { config, cards, .. } = self;
        let mut media = MediaByPath::new();
        let link = |at: &usize| cards[*at].link.clone();
        let neighbour =
            |at: Option<usize>| at.filter(|at| *at < cards.len()).map(|at| link(&at));
        let links = links(entry, &self.by_file, &mut media, config);
        let folder = &self.folders[index];
        let url_of = |part: usize| config.base_url.link(&part_path(folder, part));
        let mut pages = Vec::with_capacity(entry.parts.len());
        for (part, body) in entry.parts.iter().enumerate() {
            let attached = entry
                .attachments
                .iter()
                .filter(|((number, ..), _)| *number == body.part_number)
                .map(|((_, turn, block), attached)| {
                    let url = match attached {
                        Attached::Stored { media: file, .. } => {
                            let path = media_path(file);
                            let url = config.base_url.link(&path);
                            media.insert(path, file.clone());
                            Some(url)
                        }
                        _ => None,
                    };
                    ((turn.clone(), *block), (attached.clone(), url))
                });
            let attachments = attached.collect();
            let number = part + 1;
            let of_part = |text: &str| match part {
                0 => text.to_owned(),
                _ => format!("{text}, part {number}"),
            };
            pages.push(Arc::new(Page {
                path: part_path(folder, part),
                title: of_part(&entry.title),
                description: of_part(&entry.excerpt),
                indexed: true,
                updated: entry.time.clone(),
                trail: self.trails.of(entry),
                kind: PageKind::Conversation(Box::new(ConversationPage {
                    body: body.clone(),
                    part_count: entry.parts.len(),
                    earlier: part.checked_sub(1).map(url_of),
                    later: (number < entry.parts.len()).then(|| url_of(number)),
                    attachments,
                    hidden: entry.hidden,
                    unknown: entry.unknown,
                    parent: self.families.parents[index].as_ref().map(link),
                    children: self.families.children[index].iter().map(link).collect(),
                    languages: entry.languages.clone(),
                    card: cards[index].clone(),
                    facets: facets::links_of(entry, &self.terms),
                    links: links.clone(),
                    newer: neighbour(index.checked_sub(1)),
                    older: neighbour(Some(index + 1)),
                })),
            }));
        }
        (pages, media)
    }
}

fn card(entry: &Entry, folder: &str, terms: &facets::Folders, config: &Config) -> Card {
    Card {
        id: entry.id,
        path: folder.to_owned(),
        link: Link::new(entry.title.as_str(), config.base_url.link(folder)),
        excerpt: entry.excerpt.clone(),
        time: entry.time.clone(),
        language: entry.languages.first().cloned(),
        kind: entry.kind.clone(),
        speakers: entry
            .speakers
            .iter()
            .map(|who| SpeakerLink {
                name: who.name.clone(),
                kind: who.kind,
                model: who.model.clone(),
                url: terms.speaker(&who.name),
            })
            .collect(),
        turns: entry.turns,
        words: entry.words,
    }
}

/// The folder of a part of a conversation; the first part stands in the conversation's own.
fn part_path(folder: &str, part: usize) -> String {
    if part == 0 { folder.to_owned() } else { format!("{folder}{}/", part + 1) }
}

/// Which conversations go on from which, by their places.
struct Families {
    parents: Vec<Option<usize>>,
    children: Vec<Vec<usize>>,
}

impl Families {
    fn new(archive: &Archive) -> Self {
        let mut by_id = BTreeMap::new();
        for (index, entry) in archive.entries.iter().enumerate() {
            if let Some(id) = &entry.own_id {
                by_id.entry(id.as_str()).or_insert(index);
            }
        }
        let parent = |entry: &Arc<Entry>| by_id.get(entry.parent.as_deref()?).copied();
        let parents: Vec<Option<usize>> = archive.entries.iter().map(parent).collect();
        let mut children = vec![Vec::new(); parents.len()];
        // The oldest first.
        for (index, parent) in parents.iter().enumerate().rev() {
            if let Some(parent) = parent {
                children[*parent].push(index);
            }
        }
        Self { parents, children }
    }
}

/// Media stand under a hash of their bytes, so that equal ones are stored once and none can
/// take another's name.
fn media_path(media: &Media) -> String {
    let stem = media.name.split('.').next().unwrap_or_default();
    let name = match slug_of(stem, 60) {
        name if name.is_empty() => "file".to_owned(),
        name => name,
    };
    format!("media/{}/{name}.{}", media.hash.short(16), media.extension)
}

fn links(
    entry: &Entry,
    by_file: &HashMap<&str, &str>,
    media: &mut BTreeMap<String, Media>,
    config: &Config,
) -> Links {
    let mut known = BTreeMap::new();
    for (address, target) in &entry.references {
        let resolved = match target {
            Target::Media(file) => {
                let path = media_path(file);
                let url = config.base_url.link(&path);
                media.insert(path, file.clone());
                Some(Resolved { url, dimensions: file.dimensions })
            }
            Target::Conversation(file) => by_file.get(file.as_str()).map(|path| {
                Resolved { url: config.base_url.link(path), dimensions: None }
            }),
        };
        known.extend(resolved.map(|resolved| (address.clone(), resolved)));
    }
    Links::Known(known)
}
