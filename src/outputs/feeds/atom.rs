//! The newest conversations as an Atom feed (RFC 4287).

use std::fmt::Write;
use std::sync::Arc;

use crate::hash::Hash;
use crate::outputs::env::Env;
use crate::outputs::feeds::{self, Feed};
use crate::outputs::output::{MakeResult, Output};
use crate::outputs::xml;
use crate::site::{Card, Listing, Page, Site};
use crate::time::Time;

/// The path of the feed.
pub(crate) const PATH: &str = "atom.xml";

pub(crate) fn declare(name: &'static str, site: &Site, env: &Arc<Env>) -> Vec<Option<Output>> {
    let most = site.config.feed_entries.0;
    let of_list = |_: &Page, listing: &Listing| {
        let path = listing.feed.clone().filter(|_| listing.number == 1)?;
        let newest = match &listing.collection {
            Some(head) => head.newest.iter(),
            None => listing.cards.iter(),
        };
        Some((path, newest.take(most).cloned().collect()))
    };
    feeds::declare(name, PATH, site, env, of_list, make)
}

/// The time of a feed or an entry without any dates, because the format requires one.
const UNDATED: &str = "1970-01-01T00:00:00Z";

fn make(env: &Env, feed: &Feed) -> MakeResult {
    let config = &env.config;
    let newest = &feed.cards;
    let absolute = |path: &str| config.base_url.absolute(path).unwrap_or_default();
    let updated = newest.iter().filter_map(|card| card.updated.as_ref());
    let updated = updated.max_by_key(|time| time.instant()).map(Time::published_instant);
    let updated = updated.unwrap_or_else(|| UNDATED.to_owned());
    let id = match &feed.of {
        None => Hash::of(&("feed", &config.base_url)),
        Some(_) => Hash::of(&("feed", &config.base_url, &feed.path)),
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
        xml::text(&feed.title(config)),
        xml::text(feeds::author(config)),
        xml::text(&absolute(&feed.path)),
        xml::text(&absolute(&feed.page)),
    );
    let description = feed.description(config);
    if !description.is_empty() {
        let _ = writeln!(out, "<subtitle>{}</subtitle>", xml::text(description));
    }
    for card in newest {
        entry(&mut out, card, &absolute(&card.path));
    }
    out.push_str("</feed>\n");
    Ok(out.into_bytes())
}

fn entry(out: &mut String, card: &Card, url: &str) {
    let or_beginning =
        |time: Option<&Time>| time.map_or_else(|| UNDATED.to_owned(), Time::published_instant);
    let (time, updated) = (or_beginning(card.time.as_ref()), or_beginning(card.updated.as_ref()));
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
    for speaker in card.authors() {
        let _ = writeln!(out, "<author><name>{}</name></author>", xml::text(&speaker.name));
    }
    if !card.excerpt.is_empty() {
        let _ = writeln!(out, "<summary>{}</summary>", xml::text(&card.excerpt));
    }
    out.push_str("</entry>\n");
}
