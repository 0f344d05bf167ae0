//! What feeds hold, whatever their format: the newest conversations of the site or of a list.

use std::sync::Arc;

use super::{Env, MakeResult, Output};
use crate::config::Config;
use crate::site::{Listing, Page, PageKind, SharedCard, Site};

/// A feed of the site or of one of its lists.
#[derive(Hash)]
pub(super) struct Feed {
    pub(super) path: String,
    /// Title and description of the list, for a feed of one.
    pub(super) of: Option<(String, Arc<str>)>,
    /// The path of the page with the same conversations.
    pub(super) page: String,
    /// The newest first.
    pub(super) cards: Vec<SharedCard>,
}

impl Feed {
    /// Returns its title.
    pub(super) fn title(&self, config: &Config) -> String {
        match &self.of {
            Some((name, _)) => format!("{name} · {}", config.title),
            None => config.title.clone(),
        }
    }

    /// Returns its description, which may be empty.
    pub(super) fn description<'a>(&'a self, config: &'a Config) -> &'a str {
        match &self.of {
            Some((_, description)) => description,
            None => &config.description,
        }
    }
}

/// Returns whose feeds they are.
pub(super) fn author(config: &Config) -> &str {
    if config.author.is_empty() { &config.title } else { &config.author }
}

/// Declares the feed of the site at `path`, and those of the lists for which `of_list` returns a path
/// and conversations. A site without an address has none.
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
