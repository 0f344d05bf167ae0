//! The newest conversations as a JSON Feed (jsonfeed.org, version 1.1).

use std::sync::Arc;

use serde::Serialize;

use super::{Env, MakeResult, Output};
use crate::json;
use crate::site::{Card, SharedCard, Site};
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
    vec![Output::new(name, PATH, env, site.newest.clone(), make)]
}

#[derive(Serialize)]
struct Feed<'a> {
    version: &'static str,
    title: &'a str,
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

#[expect(clippy::ptr_arg, reason = "recipes get their inputs as they are")]
fn make(env: &Env, newest: &Vec<SharedCard>) -> MakeResult {
    let config = &env.config;
    let absolute = |path: &str| config.base_url.absolute(path).unwrap_or_default();
    let author = if config.author.is_empty() { &config.title } else { &config.author };
    let feed = Feed {
        version: "https://jsonfeed.org/version/1.1",
        title: &config.title,
        description: &config.description,
        home_page_url: absolute(""),
        feed_url: absolute(PATH),
        language: &config.language,
        authors: vec![Author { name: author }],
        items: newest.iter().map(|card| item(card, absolute(&card.path))).collect(),
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
