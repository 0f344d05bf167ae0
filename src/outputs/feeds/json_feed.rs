//! The newest conversations as a JSON Feed (jsonfeed.org, version 1.1).

use std::sync::Arc;

use serde::Serialize;

use crate::json;
use crate::outputs::env::Env;
use crate::outputs::feeds::{self, Feed};
use crate::outputs::output::{MakeResult, Output};
use crate::site::{Card, Listing, Page, PageKind, Site};
use crate::time::Time;

/// The path of the feed.
pub(crate) const PATH: &str = "feed.json";

pub(crate) fn declare(name: &'static str, site: &Site, env: &Arc<Env>) -> Vec<Option<Output>> {
    let of_list = |page: &Page, listing: &Listing| {
        Some((of_page(page)?, listing.collection.as_ref()?.newest.clone()))
    };
    feeds::declare(name, PATH, site, env, of_list, make)
}

/// Returns the path of the feed of a page that has its own: the first page of a collection.
pub(crate) fn of_page(page: &Page) -> Option<String> {
    let PageKind::Listing(listing) = &page.kind else { return None };
    let head = listing.collection.as_ref().filter(|_| listing.number == 1)?;
    (!head.newest.is_empty()).then(|| format!("{}{PATH}", page.path))
}

#[derive(Serialize)]
struct JsonFeed<'a> {
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

fn make(env: &Env, feed: &Feed) -> MakeResult {
    let config = &env.config;
    let absolute = |path: &str| config.base_url.absolute(path).unwrap_or_default();
    let encoded = JsonFeed {
        version: "https://jsonfeed.org/version/1.1",
        title: feed.title(config),
        description: feed.description(config),
        home_page_url: absolute(&feed.page),
        feed_url: absolute(&feed.path),
        language: &config.language,
        authors: vec![Author { name: feeds::author(config) }],
        items: feed.cards.iter().map(|card| item(card, absolute(&card.path))).collect(),
    };
    Ok(json::for_script(&encoded).into_bytes())
}

fn item(card: &Card, url: String) -> Item<'_> {
    let date_published = card.time.as_ref().map(Time::published_instant);
    Item {
        // The same id as in the Atom feed.
        id: format!("urn:uuid:{}", card.id.uuid()),
        url,
        title: &card.link.title,
        content_text: &card.excerpt,
        date_modified: card
            .updated
            .as_ref()
            .map(Time::published_instant)
            .filter(|updated| date_published.as_ref() != Some(updated)),
        date_published,
        language: card.language.as_deref(),
        authors: card.authors().iter().map(|who| Author { name: &who.name }).collect(),
    }
}
