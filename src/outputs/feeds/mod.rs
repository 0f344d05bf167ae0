//! The content of feeds in any format: the newest conversations of the site or of a list.

pub(super) mod atom;
pub(super) mod json_feed;
pub(super) mod podcast;
pub(super) mod podcast_categories;

use std::sync::Arc;

use super::env::Env;
use super::output::{MakeResult, Output};
use crate::config::Config;
use crate::site::{Listing, Page, PageKind, SharedCard, Site};

/// A feed of the site or of one of its lists.
#[derive(Hash)]
pub(super) struct Feed {
    pub(super) path: String,
    /// Title and description of the list; `None` for the feed of the site.
    pub(super) of: Option<(String, Arc<str>)>,
    /// The path of the page with the same conversations.
    pub(super) page: String,
    /// The conversations, newest first.
    pub(super) cards: Vec<SharedCard>,
}

impl Feed {
    /// Returns the title.
    pub(super) fn title(&self, config: &Config) -> String {
        match &self.of {
            Some((name, _)) => format!("{name} · {}", config.title),
            None => config.title.clone(),
        }
    }

    /// Returns the description, which may be empty.
    pub(super) fn description<'a>(&'a self, config: &'a Config) -> &'a str {
        match &self.of {
            Some((_, description)) => description,
            None => &config.description,
        }
    }
}

/// Returns the author of the feeds.
pub(super) fn author(config: &Config) -> &str {
    if config.author.is_empty() { &config.title } else { &config.author }
}

/// Declares the feed of the site at `path`, and those of the lists for which `of_list` returns a path and
/// conversations. A site without a base URL has no feeds.
pub(super) fn declare(
    name: &'static str,
    path: &str,
    site: &Site,
    env: &Arc<Env>,
    of_list: impl Fn(&Page, &Listing) -> Option<(String, Vec<SharedCard>)>,
    make: fn(&Env, &Feed) -> MakeResult,
) -> Vec<Option<Output>> {
    if site.config.base_url.origin.is_empty() {
        return Vec::new();
    }
    let whole =
        Feed { path: path.to_owned(), of: None, page: String::new(), cards: site.newest.clone() };
    let lists = site.pages.iter().filter_map(|page| {
        let PageKind::Listing(listing) = &page.kind else { return None };
        let (path, cards) = of_list(page, listing)?;
        let of = Some((page.title.clone(), page.description.clone()));
        Some(Feed { path, of, page: page.path.to_string(), cards })
    });
    let feeds = std::iter::once(whole).chain(lists);
    feeds.map(|feed| Output::new(name, feed.path.clone(), env, feed, make)).collect()
}
