//! Planned pages as what templates see.

use std::collections::HashMap;

use oxilangtag::LanguageTag;

use super::{feed, json_feed, structured, turns, twin};
use crate::config::Config;
use crate::json::{Map, Value};
use crate::markup::{self, Options};
use crate::model::{Conversation, Kind, Participant};
use crate::site::{
    ConversationPage, FACETS, Group, Link, Listing, Page, PageKind, SharedCard, Site,
    Term,
};
use crate::text::plural;
use crate::theme::Theme;
use crate::theme::view::{
    CardView, ConversationView, FacetView, GroupView, LinkView, ListingView, PageView,
    SearchView, SiteView, SpeakerView, TermView, TimeView,
};
use crate::time::Time;

/// What all pages of a site share.
pub(super) fn site(site: &Site, theme: &Theme) -> SiteView {
    let config = &site.config;
    let base = &config.base_url;
    let mut sections = vec![("archive/".to_owned(), "Archive")];
    sections
        .extend(FACETS.iter().map(|facet| (format!("{}/", facet.folder), facet.plural)));
    let exists = |path: &str| site.pages.iter().any(|page| page.path == path);
    SiteView {
        title: config.title.clone(),
        description: config.description.clone(),
        author: config.author.clone(),
        language: config.language.clone(),
        home: base.link(""),
        sections: sections
            .iter()
            .filter(|(path, _)| exists(path))
            .map(|(path, title)| LinkView {
                title: (*title).to_owned(),
                url: base.link(path),
            })
            .collect(),
        search: SearchView {
            page: base.link("search/"),
            index: base.link(crate::search::index::ROOT),
            instead: base.link(if exists("archive/") { "archive/" } else { "" }),
        },
        feed: (!base.origin.is_empty()).then(|| base.link(feed::PATH)),
        json_feed: (!base.origin.is_empty()).then(|| base.link(json_feed::PATH)),
        assets: theme
            .assets
            .iter()
            .map(|(name, asset)| (name.clone(), base.link(&asset.path)))
            .collect(),
        policy: policy(config),
    }
}

/// Pages run the theme's own scripts and styles, load the site's own files, and nothing else.
fn policy(config: &Config) -> String {
    let images: String =
        config.image_hosts.iter().map(|host| format!(" https://{}", host.0)).collect();
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'{images}; \
         media-src 'self'; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; \
         form-action 'self'"
    )
}

pub(super) fn page(
    page: &Page,
    conversation: Option<(&ConversationPage, &Conversation)>,
    config: &Config,
) -> PageView {
    let home = matches!(page.kind, PageKind::Home { .. });
    let full_title = if home || page.title == config.title {
        config.title.clone()
    } else {
        format!("{} · {}", page.title, config.title)
    };
    let language = match &page.kind {
        PageKind::Conversation(planned) => {
            valid_language(planned.card.language.as_deref())
        }
        _ => None,
    };
    let robots = if page.indexed && config.search_engines {
        "max-snippet:-1, max-image-preview:large"
    } else {
        "noindex, follow"
    };
    let section = page.path.split('/').next().filter(|first| *first != "c");
    PageView {
        title: page.title.clone(),
        full_title,
        description: page.description.to_string(),
        language: language.unwrap_or_else(|| config.language.clone()),
        canonical: match page.kind {
            PageKind::NotFound => None,
            _ => config.base_url.absolute(&page.path),
        },
        robots: robots.to_owned(),
        og_type: if conversation.is_some() { "article" } else { "website" }.to_owned(),
        published: structured::published(page),
        structured_data: structured::of_page(page, conversation, config),
        is_search: matches!(page.kind, PageKind::Search),
        markdown: conversation
            .map(|_| config.base_url.link(&format!("{}{}", page.path, twin::NAME))),
        trail: page.trail.iter().map(link).collect(),
        section: section.map(|first| config.base_url.link(&format!("{first}/"))),
    }
}

fn valid_language(tag: Option<&str>) -> Option<String> {
    tag.filter(|tag| LanguageTag::parse(*tag).is_ok()).map(str::to_owned)
}

/// The direction in which a language is written; its script, where the tag names one, decides.
fn direction(tag: Option<&str>) -> &'static str {
    const SCRIPTS: [&str; 9] =
        ["arab", "hebr", "syrc", "thaa", "nkoo", "adlm", "rohg", "samr", "mand"];
    const LANGUAGES: [&str; 18] = [
        "ar", "arc", "arz", "ary", "apc", "ckb", "dv", "fa", "he", "iw", "ji", "nqo",
        "prs", "ps", "sd", "ug", "ur", "yi",
    ];
    let tag = tag.and_then(|tag| LanguageTag::parse(tag.to_ascii_lowercase()).ok());
    let right_to_left = tag.is_some_and(|tag| match tag.script() {
        Some(script) => SCRIPTS.contains(&script),
        None => LANGUAGES.contains(&tag.primary_language()),
    });
    if right_to_left { "rtl" } else { "ltr" }
}

fn link(link: &Link) -> LinkView {
    LinkView { title: link.title.to_string(), url: link.url.to_string() }
}

pub(super) fn time(time: &Time) -> TimeView {
    TimeView { machine: time.machine(), day: time.human_day(), clock: time.human_clock() }
}

/// Words that people read in a minute.
const READING_SPEED: u64 = 220;

fn reading_time(words: u64) -> String {
    let minutes = words.div_ceil(READING_SPEED).max(1);
    format!("{} min read", crate::text::grouped(minutes))
}

fn badge(kind: Kind) -> &'static str {
    match kind {
        Kind::Person => "",
        Kind::Assistant => "AI",
        Kind::System => "System",
        Kind::Tool => "Tool",
    }
}

/// Speakers that a card names.
const CARD_SPEAKERS: usize = 4;

fn card(card: &SharedCard) -> CardView {
    CardView {
        title: card.link.title.to_string(),
        url: card.link.url.to_string(),
        excerpt: card.excerpt.to_string(),
        time: card.time.as_ref().map(time),
        language: valid_language(card.language.as_deref()),
        kind: card.kind.clone(),
        speakers: card
            .speakers
            .iter()
            .take(CARD_SPEAKERS)
            .map(|who| speaker(who, None))
            .collect(),
        more_speakers: card.speakers.len().saturating_sub(CARD_SPEAKERS),
        turn_count: plural(card.turns, "turn", "turns"),
        reading_time: reading_time(card.words),
    }
}

fn speaker(who: &crate::site::SpeakerLink, said: Option<&Participant>) -> SpeakerView {
    SpeakerView {
        name: who.name.to_string(),
        kind: who.kind.word().to_owned(),
        // One who is called what it is needs no badge that says so.
        badge: Some(badge(who.kind))
            .filter(|badge| **badge != *who.name)
            .unwrap_or("")
            .to_owned(),
        model: who.model.as_deref().map(str::to_owned),
        url: who.url.to_string(),
        extra: said.map(|participant| extra(&participant.extra)).unwrap_or_default(),
    }
}

pub(super) fn home(cards: &[SharedCard], total: u64, config: &Config) -> ListingView {
    let count = plural(total, "conversation", "conversations");
    let url = config.base_url.link("archive/");
    ListingView {
        facet: String::new(),
        total: count.clone(),
        parts: Vec::new(),
        cards: cards.iter().map(card).collect(),
        number: 1,
        pages: 1,
        previous: None,
        next: None,
        first: config.base_url.link(""),
        more: (total > cards.len() as u64)
            .then(|| LinkView { title: format!("All {count}"), url }),
    }
}

pub(super) fn listing(listing: &Listing) -> ListingView {
    ListingView {
        facet: listing.facet.clone(),
        total: plural(listing.total, "conversation", "conversations"),
        parts: listing.parts.iter().map(term).collect(),
        cards: listing.cards.iter().map(card).collect(),
        number: listing.number,
        pages: listing.pages,
        previous: listing.previous.clone(),
        next: listing.next.clone(),
        first: listing.first.clone(),
        more: None,
    }
}

pub(super) fn groups(groups: &[Group]) -> Vec<GroupView> {
    groups
        .iter()
        .map(|group| GroupView {
            title: group.title.clone(),
            terms: group.terms.iter().map(term).collect(),
        })
        .collect()
}

fn term(term: &Term) -> TermView {
    TermView {
        title: term.title.clone(),
        url: term.url.clone(),
        count: crate::text::grouped(term.count),
        badge: term.kind.map_or("", badge).to_owned(),
    }
}

pub(super) fn conversation(
    planned: &ConversationPage,
    conversation: &Conversation,
    options: &Options,
) -> ConversationView {
    let card = &planned.card;
    let participants: HashMap<&str, &Participant> =
        conversation.participants.iter().map(|who| (who.name.as_str(), who)).collect();
    let preface =
        Some(conversation.preface.as_str()).filter(|preface| !preface.is_empty());
    ConversationView {
        direction: direction(card.language.as_deref()),
        time: conversation.time.as_ref().map(time),
        speakers: card
            .speakers
            .iter()
            .map(|who| speaker(who, participants.get(&*who.name).copied()))
            .collect(),
        turn_count: plural(card.turns, "turn", "turns"),
        reading_time: reading_time(card.words),
        facets: planned
            .facets
            .iter()
            .map(|(title, terms)| FacetView {
                title: (*title).to_owned(),
                terms: terms.iter().map(link).collect(),
            })
            .collect(),
        speculative_languages: conversation.speculative_languages.clone(),
        extra: extra(&conversation.extra),
        preface: preface
            .map(|text| markup::render(text, "preface", options, &planned.links)),
        items: turns::items(planned, conversation, options),
        part_count: planned.part_count,
        earlier: planned.earlier.clone(),
        later: planned.later.clone(),
        part: planned.body.part_number + 1,
        parent: planned.parent.as_ref().map(link),
        children: planned.children.iter().map(link).collect(),
        not_shown: not_shown(planned),
        newer: planned.newer.as_ref().map(link),
        older: planned.older.as_ref().map(link),
    }
}

/// What a reader should know is there and not on the page.
fn not_shown(planned: &ConversationPage) -> Vec<String> {
    let mut lines = Vec::new();
    if planned.hidden > 0 {
        let fields = plural(planned.hidden, "field", "fields");
        lines.push(format!("{fields} of metadata, such as ids and accounts"));
    }
    if planned.unknown > 0 {
        let parts = plural(planned.unknown, "part", "parts");
        lines.push(format!("{parts} for which a placeholder stands"));
    }
    lines
}

/// Keys and values for people: strings as they are, everything else as JSON.
pub(super) fn extra(map: &Map) -> Vec<(String, String)> {
    map.iter()
        .map(|(key, value)| {
            let text = match value {
                Value::String(text) => text.clone(),
                value => value.to_string(),
            };
            (key.clone(), text)
        })
        .collect()
}
