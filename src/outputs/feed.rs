//! The newest conversations as an Atom feed (RFC 4287).

use std::fmt::Write;
use std::sync::Arc;

use super::{Env, MakeResult, Output, xml};
use crate::hash::Hash;
use crate::site::{Card, PageKind, SharedCard, Site};
use crate::time::Time;

/// The path of the feed.
pub(super) const PATH: &str = "atom.xml";

pub(super) fn declare(
    name: &'static str,
    site: &Site,
    env: &Arc<Env>,
) -> Vec<Option<Output>> {
    if site.config.base_url.origin.is_empty() {
        return Vec::new();
    }
    let whole = Feed {
        path: PATH.to_owned(),
        of: None,
        page: String::new(),
        cards: site.newest.clone(),
    };
    let lists = site.pages.iter().filter_map(|page| {
        let PageKind::Listing(listing) = &page.kind else { return None };
        let path = listing.feed.clone().filter(|_| listing.number == 1)?;
        let newest = match &listing.collection {
            Some(head) => head.newest.iter(),
            None => listing.cards.iter(),
        };
        let newest = newest.take(site.config.feed_entries.0);
        let (of, page) = (Some(page.title.clone()), page.path.clone());
        Some(Feed { path, of, page, cards: newest.cloned().collect() })
    });
    let feeds = std::iter::once(whole).chain(lists);
    feeds.map(|feed| Output::new(name, feed.path.clone(), env, feed, make)).collect()
}

/// A feed of the site or of one of its lists.
#[derive(Hash)]
struct Feed {
    path: String,
    /// The name of the list.
    of: Option<String>,
    /// The path of the page with the same conversations.
    page: String,
    cards: Vec<SharedCard>,
}

/// The time of a feed in which nothing is dated; a feed must have one.
const UNDATED: &str = "1970-01-01T00:00:00Z";

fn make(env: &Env, feed: &Feed) -> MakeResult {
    let config = &env.config;
    let newest = &feed.cards;
    let absolute = |path: &str| config.base_url.absolute(path).unwrap_or_default();
    let updated = newest.iter().filter_map(|card| card.updated.as_ref());
    let updated = updated.max_by_key(|time| time.instant()).map(Time::rfc3339);
    let updated = updated.unwrap_or_else(|| UNDATED.to_owned());
    let author = if config.author.is_empty() { &config.title } else { &config.author };
    let (id, title) = match &feed.of {
        None => (Hash::of(&("feed", &config.base_url)), config.title.clone()),
        Some(name) => {
            let id = Hash::of(&("feed", &config.base_url, &feed.path));
            (id, format!("{name} · {}", config.title))
        }
    };
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
    let _ = write!(
        out,
        "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"{}\">\n\
         <id>urn:uuid:{}</id>\n\
         <title>{}</title>\n\
         <updated>{updated}</updated>\n\
         <author><name>{}</name></author>\n\
         <link rel=\"self\" type=\"application/atom+xml\" href=\"{}\"/>\n\
         <link rel=\"alternate\" type=\"text/html\" href=\"{}\"/>\n",
        xml::text(&config.language),
        id.uuid(),
        xml::text(&title),
        xml::text(author),
        xml::text(&absolute(&feed.path)),
        xml::text(&absolute(&feed.page)),
    );
    if !config.description.is_empty() {
        let _ = writeln!(out, "<subtitle>{}</subtitle>", xml::text(&config.description));
    }
    for card in newest {
        entry(&mut out, card, &absolute(&card.path));
    }
    out.push_str("</feed>\n");
    Ok(out.into_bytes())
}

fn entry(out: &mut String, card: &Card, url: &str) {
    let or_beginning =
        |time: Option<&Time>| time.map_or_else(|| UNDATED.to_owned(), Time::rfc3339);
    let (time, updated) =
        (or_beginning(card.time.as_ref()), or_beginning(card.updated.as_ref()));
    let _ = write!(
        out,
        "<entry>\n\
         <id>urn:uuid:{}</id>\n\
         <title>{}</title>\n\
         <published>{time}</published>\n\
         <updated>{updated}</updated>\n\
         <link rel=\"alternate\" type=\"text/html\" href=\"{}\"/>\n",
        card.id.uuid(),
        xml::text(&card.link.title),
        xml::text(url),
    );
    for speaker in &card.speakers {
        let _ =
            writeln!(out, "<author><name>{}</name></author>", xml::text(&speaker.name));
    }
    if !card.excerpt.is_empty() {
        let _ = writeln!(out, "<summary>{}</summary>", xml::text(&card.excerpt));
    }
    out.push_str("</entry>\n");
}
