//! Which pages there are, where they stand and what leads to what. No HTML yet.

mod facets;
mod listings;
mod page;
mod slug;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::config::Config;
use crate::markup::Links;
use crate::sources::{Archive, Entry, Media, Target};
use crate::text::slug as slug_of;

pub use self::facets::{FACETS, Facet};
pub use self::page::{
    Card, ConversationPage, Group, Link, Listing, Page, PageKind, SpeakerLink, Term,
};

/// All pages of a site.
pub struct Site {
    /// What was chosen.
    pub config: Arc<Config>,
    /// The pages; the home page is the first.
    pub pages: Vec<Page>,
    /// Every published media file with its path in the output.
    pub media: BTreeMap<Media, String>,
    /// The newest conversations, for feeds.
    pub newest: Vec<Arc<Card>>,
    /// Number of conversations.
    pub conversations: u64,
}

/// Plans the pages of an archive.
pub fn plan(archive: &Archive, config: &Arc<Config>) -> Site {
    let folders = slug::folders(&archive.entries);
    let terms = facets::Folders::new(&archive.entries);
    let media = media_paths(archive);
    let by_file: BTreeMap<&str, &str> = archive
        .entries
        .iter()
        .zip(&folders)
        .map(|(entry, folder)| (entry.body.file.as_str(), folder.as_str()))
        .collect();
    let cards: Vec<Arc<Card>> = archive
        .entries
        .iter()
        .zip(&folders)
        .map(|(entry, folder)| Arc::new(card(entry, folder, &terms, config)))
        .collect();
    let mut pages = vec![listings::home(&cards, config)];
    for (index, entry) in archive.entries.iter().enumerate() {
        let neighbour = |at: Option<usize>| {
            at.and_then(|at| cards.get(at))
                .map(|card| Link { title: card.title.clone(), url: card.url.clone() })
        };
        let links = links(entry, &by_file, &media, config);
        let card = &cards[index];
        pages.push(Page {
            path: folders[index].clone(),
            title: entry.title.clone(),
            description: entry.excerpt.clone(),
            indexed: true,
            updated: entry.time.clone(),
            trail: listings::trail_of(entry, config),
            kind: PageKind::Conversation(Box::new(ConversationPage {
                body: entry.body.clone(),
                languages: entry.languages.clone(),
                card: card.clone(),
                facets: facets::links_of(entry, &terms, config),
                links,
                newer: neighbour(index.checked_sub(1)),
                older: neighbour(Some(index + 1)),
            })),
        });
    }
    pages.extend(listings::archive(&archive.entries, &cards, config));
    pages.extend(facets::pages(&archive.entries, &cards, &terms, config));
    pages.push(Page {
        path: "404.html".to_owned(),
        title: "Page not found".to_owned(),
        description: String::new(),
        indexed: false,
        updated: None,
        trail: Vec::new(),
        kind: PageKind::NotFound,
    });
    let newest = cards.iter().take(config.feed_entries.0).cloned().collect();
    let conversations = archive.entries.len() as u64;
    Site { config: config.clone(), pages, media, newest, conversations }
}

fn card(entry: &Entry, folder: &str, terms: &facets::Folders, config: &Config) -> Card {
    Card {
        id: entry.id,
        path: folder.to_owned(),
        url: config.base_url.link(folder),
        title: entry.title.clone(),
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
                url: config.base_url.link(&terms.speaker(&who.name)),
            })
            .collect(),
        turns: entry.turns,
        words: entry.words,
    }
}

/// Media stand under a hash of their bytes, so that equal ones are stored once and none can
/// take another's name.
fn media_paths(archive: &Archive) -> BTreeMap<Media, String> {
    let targets = archive.entries.iter().flat_map(|entry| entry.references.values());
    let media = targets.filter_map(|target| match target {
        Target::Media(media) => Some(media),
        Target::Conversation(_) => None,
    });
    media
        .map(|media| {
            let stem = media.file.name().split('.').next().unwrap_or_default();
            let name = match slug_of(stem, 60) {
                name if name.is_empty() => "image".to_owned(),
                name => name,
            };
            let folder = media.hash.short(16);
            (media.clone(), format!("media/{folder}/{name}.{}", media.extension))
        })
        .collect()
}

fn links(
    entry: &Entry,
    by_file: &BTreeMap<&str, &str>,
    media: &BTreeMap<Media, String>,
    config: &Config,
) -> Links {
    let mut known = BTreeMap::new();
    for (address, target) in &entry.references {
        let path = match target {
            Target::Media(file) => media.get(file).map(String::as_str),
            Target::Conversation(file) => by_file.get(file.as_str()).copied(),
        };
        if let Some(path) = path {
            known.insert(address.clone(), config.base_url.link(path));
        }
    }
    Links::Known(known)
}
