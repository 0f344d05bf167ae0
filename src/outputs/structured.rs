//! JSON-LD by schema.org 30: what a page is, for search engines.
//!
//! A conversation is an `Article` and a `Conversation` whose parts are `Message`s. An AI
//! participant is an `Organization` (the range of `author` allows no software), and its turns
//! say that a model made them. The text is not repeated.

use serde_json::{Value, json};

use crate::config::Config;
use crate::json;
use crate::model::{Conversation, Kind};
use crate::site::{ConversationPage, Page, PageKind, SpeakerLink};
use crate::text::excerpt;
use crate::time::Time;

/// Messages that are listed; the page may hold more.
const MESSAGES: usize = 100;
/// Characters of a headline.
const HEADLINE: usize = 110;
const GENERATED: &str = "https://schema.org/TrainedAlgorithmicMediaDigitalSource";

/// The structured data of a page, safe inside a `<script>`; `None` without an absolute address.
pub(super) fn of_page(
    page: &Page,
    conversation: Option<(&ConversationPage, &Conversation)>,
    config: &Config,
) -> Option<String> {
    let url = config.base_url.absolute(&page.path)?;
    let mut graph = Vec::new();
    match (&page.kind, conversation) {
        (PageKind::NotFound, _) => return None,
        (PageKind::Home { .. }, _) => graph.push(website(config, &url)),
        (_, Some((planned, conversation))) => {
            graph.push(web_page(page, &url, config, true));
            graph.push(article(page, planned, conversation, &url, config));
        }
        _ => graph.push(web_page(page, &url, config, false)),
    }
    graph.extend(breadcrumbs(page, &url, config));
    Some(json::for_script(&json!({ "@context": "https://schema.org", "@graph": graph })))
}

fn absolute(config: &Config, link: &str) -> String {
    format!("{}{link}", config.base_url.origin)
}

fn website(config: &Config, url: &str) -> Value {
    let mut site = json!({
        "@type": "WebSite",
        "@id": format!("{url}#website"),
        "name": config.title,
        "url": url,
        "inLanguage": config.language,
    });
    if !config.description.is_empty() {
        site["description"] = config.description.clone().into();
    }
    if !config.author.is_empty() {
        site["publisher"] = json!({ "@type": "Person", "name": config.author });
    }
    site
}

fn web_page(page: &Page, url: &str, config: &Config, article: bool) -> Value {
    let home = config.base_url.absolute("").unwrap_or_default();
    let mut node = json!({
        "@type": if article { "WebPage" } else { "CollectionPage" },
        "@id": format!("{url}#page"),
        "url": url,
        "name": page.title,
        "isPartOf": { "@id": format!("{home}#website") },
    });
    if !page.trail.is_empty() {
        node["breadcrumb"] = json!({ "@id": format!("{url}#breadcrumb") });
    }
    if article {
        node["mainEntity"] = json!({ "@id": format!("{url}#conversation") });
    }
    node
}

fn article(
    page: &Page,
    planned: &ConversationPage,
    conversation: &Conversation,
    url: &str,
    config: &Config,
) -> Value {
    let authors: Vec<Value> =
        planned.card.speakers.iter().map(|who| author(who, config)).collect();
    let mut node = json!({
        "@type": ["Article", "Conversation"],
        "@id": format!("{url}#conversation"),
        "mainEntityOfPage": { "@id": format!("{url}#page") },
        "headline": excerpt(&page.title, HEADLINE),
        "author": authors,
        "hasPart": messages(planned, conversation, url, config),
    });
    if !page.description.is_empty() {
        node["description"] = page.description.clone().into();
    }
    if let Some(time) = &conversation.time {
        node["datePublished"] = time.machine().into();
    }
    if let Some(language) = &planned.card.language {
        node["inLanguage"] = language.clone().into();
    }
    if !config.author.is_empty() {
        node["publisher"] = json!({ "@type": "Person", "name": config.author });
    }
    node
}

fn author(who: &SpeakerLink, config: &Config) -> Value {
    let url = absolute(config, &who.url);
    match who.kind {
        Kind::Person => json!({
            "@type": "Person", "@id": format!("{url}#person"), "name": who.name, "url": url,
        }),
        kind => {
            let description = match (kind, &who.model) {
                (Kind::Assistant, Some(model)) => format!("AI assistant ({model})"),
                (Kind::Assistant, None) => "AI assistant".to_owned(),
                (Kind::Tool, _) => "Tool".to_owned(),
                _ => "System".to_owned(),
            };
            json!({
                "@type": "Organization", "@id": format!("{url}#ai"), "name": who.name,
                "url": url, "description": description,
            })
        }
    }
}

fn messages(
    planned: &ConversationPage,
    conversation: &Conversation,
    url: &str,
    config: &Config,
) -> Vec<Value> {
    let mut messages = Vec::new();
    for (index, turn) in conversation.turns.iter().enumerate().take(MESSAGES) {
        let who = planned.card.speakers.iter().find(|who| who.name == turn.speaker);
        let Some(who) = who else { continue };
        let tail = if who.kind == Kind::Person { "person" } else { "ai" };
        let id = json!({ "@id": format!("{}#{tail}", absolute(config, &who.url)) });
        let mut message = json!({
            "@type": "Message",
            "@id": format!("{url}#{}", turn.id),
            "url": format!("{url}#{}", turn.id),
            "position": planned.body.turns_before as usize + index + 1,
            "author": id.clone(),
            "sender": id,
        });
        if let Some(time) = &turn.time {
            message["dateSent"] = time.machine().into();
        }
        if who.kind == Kind::Assistant {
            message["digitalSourceType"] = GENERATED.into();
        }
        messages.push(message);
    }
    messages
}

fn breadcrumbs(page: &Page, url: &str, config: &Config) -> Option<Value> {
    if page.trail.is_empty() {
        return None;
    }
    let mut items: Vec<Value> = page
        .trail
        .iter()
        .enumerate()
        .map(|(index, link)| {
            json!({
                "@type": "ListItem", "position": index + 1, "name": link.title,
                "item": absolute(config, &link.url),
            })
        })
        .collect();
    items.push(
        json!({ "@type": "ListItem", "position": items.len() + 1, "name": page.title }),
    );
    Some(json!({
        "@type": "BreadcrumbList", "@id": format!("{url}#breadcrumb"), "itemListElement": items,
    }))
}

/// The time that a page was published, for Open Graph.
pub(super) fn published(page: &Page) -> Option<String> {
    match page.kind {
        PageKind::Conversation(_) => page.updated.as_ref().map(Time::rfc3339),
        _ => None,
    }
}
