//! The newest conversations as a JSON Feed (jsonfeed.org, version 1.1).

use std::sync::Arc;

use serde::Serialize;

use super::{Env, MakeResult, Output};
use crate::json;
use crate::site::{Card, Page, PageKind, SharedCard, Site};
use crate::time::Time;

/// The path of the feed.
pub(super) const PATH: &str = "feed.json";

pub(super) fn declare(
    name: &'static str,
    site: &Site,
    env: &Arc<Env>,
) -> Vec<Option<Output>> {
    if site.config.base_url.origin.is_empty() {
        return Vec::new();
    }
    let whole = Inputs {
        path: PATH.to_owned(),
        of: None,
        page: String::new(),
        cards: site.newest.clone(),
    };
    let lists = site.pages.iter().filter_map(|page| {
        let PageKind::Listing(listing) = &page.kind else { return None };
        Some(Inputs {
            path: of_page(page)?,
            of: Some((page.title.clone(), page.description.clone())),
            page: page.path.clone(),
            cards: listing.collection.as_ref()?.newest.clone(),
        })
    });
    let feeds = std::iter::once(whole).chain(lists);
    feeds.map(|feed| Output::new(name, feed.path.clone(), env, feed, make)).collect()
}

/// Returns the path of the feed of a page that has one of its own: the first of a collection.
pub(super) fn of_page(page: &Page) -> Option<String> {
    let PageKind::Listing(listing) = &page.kind else { return None };
    let head = listing.collection.as_ref().filter(|_| listing.number == 1)?;
    (!head.newest.is_empty()).then(|| format!("{}{PATH}", page.path))
}

/// A feed of the site or of a collection.
#[derive(Hash)]
struct Inputs {
    path: String,
    /// Title and description of the collection.
    of: Option<(String, Arc<str>)>,
    /// The path of the page with the same conversations.
    page: String,
    cards: Vec<SharedCard>,
}

#[derive(Serialize)]
struct Feed<'a> {
    version: &'static str,
    title: String,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'a str,
    home_page_url: String,
    feed_url: String,
    language: &'a str,
    authors: Vec<Author<'a>>,
    items: Vec<Item<'a>>,
}

#[derive(Serialize)]
struct Author<'a> {
    name: &'a str,
}

#[derive(Serialize)]
struct Item<'a> {
    id: String,
    url: String,
    title: &'a str,
    content_text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    date_published: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date_modified: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'a str>,
    authors: Vec<Author<'a>>,
}

fn make(env: &Env, inputs: &Inputs) -> MakeResult {
    let config = &env.config;
    let absolute = |path: &str| config.base_url.absolute(path).unwrap_or_default();
    let author = if config.author.is_empty() { &config.title } else { &config.author };
    let feed = Feed {
        version: "https://jsonfeed.org/version/1.1",
        title: match &inputs.of {
            Some((name, _)) => format!("{name} · {}", config.title),
            None => config.title.clone(),
        },
        description: match &inputs.of {
            Some((_, description)) => description,
            None => &config.description,
        },
        home_page_url: absolute(&inputs.page),
        feed_url: absolute(&inputs.path),
        language: &config.language,
        authors: vec![Author { name: author }],
        items: inputs.cards.iter().map(|card| item(card, absolute(&card.path))).collect(),
    };
    Ok(json::for_script(&feed).into_bytes())
}

fn item(card: &Card, url: String) -> Item<'_> {
    Item {
        // The same as in the Atom feed.
        id: format!("urn:uuid:{}", card.id.uuid()),
        url,
        title: &card.link.title,
        content_text: &card.excerpt,
        date_published: card.time.as_ref().map(Time::rfc3339),
        date_modified: card
            .updated
            .as_ref()
            .filter(|_| card.updated != card.time)
            .map(Time::rfc3339),
        language: card.language.as_deref(),
        authors: card.speakers.iter().map(|who| Author { name: &who.name }).collect(),
    }
}
