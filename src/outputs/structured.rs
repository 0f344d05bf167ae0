//! Structured data for search engines, as JSON-LD by schema.org 30.
//!
//! A conversation is an `Article` and a `Conversation` whose parts are `Message`s. An AI participant is an
//! `Organization`, because `author` does not allow software, and its turns say that a model made them. The
//! text is not repeated, and things on the same page are referenced only by fragment; otherwise, the
//! structured data of short turns would be longer than the turns.

use serde::Serialize;

use crate::config::Config;
use crate::json;
use crate::model::{Conversation, Kind};
use crate::site::{ConversationPage, Listing, Page, PageKind, SpeakerLink};
use crate::sources::MediaKind;
use crate::text::{excerpt, percent_encode};
use crate::theme::view::{ImageView, ProfileView};
use crate::time::Time;

/// The maximum number of listed messages, and of speakers; the page may have more.
const MAX_MESSAGES: usize = 100;
/// The maximum number of speakers in Open Graph data.
const MAX_AUTHORS: usize = 20;
/// The maximum number of characters of a headline.
const HEADLINE_CHARS: usize = 110;
const GENERATED_BY_MODEL: &str = "https://schema.org/TrainedAlgorithmicMediaDigitalSource";

/// Returns the structured data of a page, safe inside a `<script>`; `None` without an absolute URL.
pub(super) fn of_page(
    page: &Page,
    conversation: Option<(&ConversationPage, &Conversation)>,
    image: Option<&ImageView>,
    profile: Option<&ProfileView>,
    config: &Config,
) -> Option<String> {
    let url = config.base_url.absolute(&page.path)?;
    let mut graph = Vec::new();
    match (&page.kind, conversation) {
        (PageKind::NotFound, _) => return None,
        (PageKind::Home(_), _) => graph.push(website(config, &url)),
        // Discussions are described by microdata on the turns themselves.
        (_, Some((planned, conversation))) if planned.opener.is_some() => {
            graph.push(web_page(page, &url, config, false));
            graph.extend(recording(page, planned, conversation, image, config));
        }
        (_, Some((planned, conversation))) => {
            graph.push(web_page(page, &url, config, true));
            let images = image.map(|image| vec![image.url.clone()]);
            let article = article(page, planned, conversation, config);
            graph.push(Node { image: images, ..article });
            graph.extend(recording(page, planned, conversation, image, config));
            graph.extend(planned.collection.as_ref().map(|place| {
                collection(place.is_numbered, &place.link.title, &place.path, config)
            }));
        }
        (PageKind::Listing(listing), _) if listing.number == 1 => match &**listing {
            Listing { speaker: Some(kind), .. } => {
                let mut page_of = web_page(page, &url, config, false);
                page_of.kind = Types::One("ProfilePage");
                let is_person = *kind == Kind::Person;
                let id = format!("#{}", if is_person { "person" } else { "ai" });
                page_of.main_entity = Reference::to(id.clone());
                graph.push(page_of);
                let text = |text: fn(&ProfileView) -> &str| {
                    profile.map(text).filter(|text| !text.is_empty()).map(str::to_owned)
                };
                let avatar = profile.and_then(|profile| profile.avatar.as_ref());
                graph.push(Node {
                    description: text(|profile| &profile.bio),
                    same_as: same_as(profile),
                    image: avatar.map(|avatar| vec![absolute(config, &avatar.url)]),
                    kind: Types::One(if is_person { "Person" } else { "Organization" }),
                    id: Some(id),
                    name: Some(&page.title),
                    url: Some(url.clone()),
                    ..Node::default()
                });
            }
            Listing { collection: Some(head), .. } => {
                let node = collection(head.is_numbered, &page.title, &page.path, config);
                let main_entity = node.id.clone().and_then(Reference::to);
                graph.push(Node { main_entity, ..web_page(page, &url, config, false) });
                let description = Some(head.description.to_string());
                graph.push(Node {
                    description: description.filter(|text| !text.is_empty()),
                    in_language: head.language.as_deref(),
                    ..node
                });
            }
            _ => graph.push(web_page(page, &url, config, false)),
        },
        _ => graph.push(web_page(page, &url, config, false)),
    }
    graph.extend(breadcrumbs(page, config));
    Some(json::for_script(&Document { context: "https://schema.org", graph }))
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(rename = "@context")]
    context: &'static str,
    #[serde(rename = "@graph")]
    graph: Vec<Node<'a>>,
}

/// A node of the graph: the page or something it is about, with its properties. Each schema.org type has
/// only some of them; the others are `None`.
#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
struct Node<'a> {
    #[serde(rename = "@type")]
    kind: Types,
    #[serde(rename = "@id", skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    same_as: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    is_part_of: Option<Reference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    breadcrumb: Option<Reference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    main_entity: Option<Reference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    main_entity_of_page: Option<Reference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    headline: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date_published: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date_modified: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    keywords: Option<Vec<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    in_language: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<Vec<Node<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    publisher: Option<Box<Node<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    has_part: Option<Vec<Message>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    audio: Option<Reference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    video: Option<Reference>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    recording: Option<RecordingFacts<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    item_list_element: Option<Vec<Step<'a>>>,
}

/// Additional properties of audio and video.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RecordingFacts<'a> {
    content_url: String,
    encoding_format: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    upload_date: Option<String>,
    /// The URL of the page, which is the transcript.
    transcript: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    caption: Option<CaptionFile>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thumbnail_url: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CaptionFile {
    #[serde(rename = "@type")]
    kind: &'static str,
    content_url: String,
    encoding_format: &'static str,
}

/// One type or two.
#[derive(Serialize)]
#[serde(untagged)]
enum Types {
    One(&'static str),
    Both([&'static str; 2]),
}

impl Default for Types {
    fn default() -> Self {
        Self::One("Thing")
    }
}

/// A reference to something described elsewhere.
#[derive(Serialize, Clone)]
struct Reference {
    #[serde(rename = "@id")]
    id: String,
}

impl Reference {
    fn to(id: String) -> Option<Self> {
        Some(Self { id })
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Message {
    #[serde(rename = "@type")]
    kind: &'static str,
    #[serde(rename = "@id")]
    id: String,
    position: usize,
    author: Reference,
    #[serde(skip_serializing_if = "Option::is_none")]
    date_sent: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    digital_source_type: Option<&'static str>,
}

/// A breadcrumb.
#[derive(Serialize)]
struct Step<'a> {
    #[serde(rename = "@type")]
    kind: &'static str,
    position: usize,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    item: Option<String>,
}

/// Returns the description of a collection: a series, or a collection of works.
fn collection<'a>(is_numbered: bool, name: &'a str, path: &str, config: &Config) -> Node<'a> {
    let url = config.base_url.absolute(path).unwrap_or_default();
    Node {
        kind: Types::One(if is_numbered { "CreativeWorkSeries" } else { "Collection" }),
        id: Some(format!("{url}#collection")),
        url: Some(url),
        name: Some(name),
        ..Node::default()
    }
}

/// Returns the URLs of a speaker's other pages.
fn same_as(profile: Option<&ProfileView>) -> Option<Vec<String>> {
    let profile = profile?;
    let links = profile.links.iter().map(|link| &link.url);
    let all = std::iter::once(&profile.url).chain(links).filter(|url| !url.is_empty());
    Some(all.cloned().collect::<Vec<_>>()).filter(|all| !all.is_empty())
}

fn absolute(config: &Config, link: &str) -> String {
    format!("{}{link}", config.base_url.origin)
}

fn website<'a>(config: &'a Config, url: &str) -> Node<'a> {
    let description = Some(config.description.clone()).filter(|text| !text.is_empty());
    Node {
        kind: Types::One("WebSite"),
        id: Some(format!("{url}#website")),
        url: Some(url.to_owned()),
        name: Some(&config.title),
        in_language: Some(&config.language),
        description,
        publisher: publisher(config),
        ..Node::default()
    }
}

fn publisher(config: &Config) -> Option<Box<Node<'_>>> {
    let name = Some(config.author.as_str()).filter(|author| !author.is_empty())?;
    Some(Box::new(Node { kind: Types::One("Person"), name: Some(name), ..Node::default() }))
}

fn web_page<'a>(page: &'a Page, url: &str, config: &Config, article: bool) -> Node<'a> {
    let home = config.base_url.absolute("").unwrap_or_default();
    let id = |fragment: &str| Reference::to(format!("#{fragment}"));
    Node {
        kind: Types::One(match page.kind {
            PageKind::Plain(ref planned) if planned.is_about => "AboutPage",
            PageKind::Conversation(_) | PageKind::Plain(_) => "WebPage",
            _ => "CollectionPage",
        }),
        id: Some("#page".to_owned()),
        url: Some(url.to_owned()),
        name: Some(&page.title),
        is_part_of: Reference::to(format!("{home}#website")),
        breadcrumb: if page.breadcrumbs.is_empty() { None } else { id("breadcrumb") },
        main_entity: if article { id("conversation") } else { None },
        ..Node::default()
    }
}

fn article<'a>(
    page: &'a Page,
    planned: &'a ConversationPage,
    conversation: &Conversation,
    config: &'a Config,
) -> Node<'a> {
    let speakers = planned.card.speakers.iter().take(MAX_MESSAGES);
    let recording = planned.recording.as_ref().map(|placed| placed.recording.kind);
    let described = recording.filter(|_| planned.text_ref.part_number == 0);
    let reference = |kind: MediaKind| {
        let is_described = described
            .is_some_and(|reported| (reported == MediaKind::Video) == (kind == MediaKind::Video));
        if is_described { Reference::to(RECORDING.to_owned()) } else { None }
    };
    Node {
        audio: reference(MediaKind::Audio),
        video: reference(MediaKind::Video),
        kind: Types::Both(["Article", "Conversation"]),
        id: Some("#conversation".to_owned()),
        main_entity_of_page: Reference::to("#page".to_owned()),
        is_part_of: planned.collection.as_ref().and_then(|place| {
            let url = config.base_url.absolute(&place.path)?;
            Reference::to(format!("{url}#collection"))
        }),
        position: planned
            .collection
            .as_ref()
            .filter(|place| place.is_numbered)
            .map(|place| place.number),
        headline: Some(excerpt(&page.title, HEADLINE_CHARS)),
        description: Some(page.description.to_string()).filter(|text| !text.is_empty()),
        date_published: conversation.time.as_ref().map(Time::published),
        date_modified: later(page).map(Time::published),
        keywords: Some(tags(page).collect()).filter(|tags: &Vec<_>| !tags.is_empty()),
        in_language: planned.card.language.as_deref(),
        author: Some(speakers.map(|who| author(who, config)).collect()),
        publisher: publisher(config),
        has_part: Some(messages(planned, conversation)),
        ..Node::default()
    }
}

/// Returns the description of the recording of a conversation, for the first part.
fn recording<'a>(
    page: &'a Page,
    planned: &'a ConversationPage,
    conversation: &Conversation,
    image: Option<&ImageView>,
    config: &Config,
) -> Option<Node<'a>> {
    let placed = planned.recording.as_ref();
    let placed = placed.filter(|_| planned.text_ref.part_number == 0)?;
    let is_video = placed.recording.kind == MediaKind::Video;
    let caption = placed.captions.as_ref().and_then(|path| {
        let content_url = config.base_url.absolute(path)?;
        let encoding_format = "text/vtt";
        Some(CaptionFile { kind: "MediaObject", content_url, encoding_format })
    });
    let duration = placed.recording.duration;
    let is_elsewhere = !placed.url.starts_with('/');
    Some(Node {
        kind: Types::One(if is_video { "VideoObject" } else { "AudioObject" }),
        id: Some(RECORDING.to_owned()),
        name: Some(&page.title),
        description: Some(page.description.to_string()).filter(|text| !text.is_empty()),
        in_language: planned.card.language.as_deref(),
        recording: Some(RecordingFacts {
            content_url: match is_elsewhere {
                true => placed.url.clone(),
                false => absolute(config, &placed.url),
            },
            encoding_format: placed.recording.media_type,
            duration: duration.map(|millis| format!("PT{}S", millis.div_ceil(1000))),
            upload_date: conversation.time.as_ref().map(Time::published),
            transcript: config.base_url.absolute(&page.path)?,
            caption,
            thumbnail_url: image.filter(|_| is_video).map(|image| image.url.clone()),
        }),
        ..Node::default()
    })
}

/// The fragment that identifies the recording.
const RECORDING: &str = "#recording";

fn author<'a>(who: &'a SpeakerLink, config: &Config) -> Node<'a> {
    let url = who.url.as_ref().map(|url| absolute(config, url));
    let description = match (who.kind, &who.model) {
        (Kind::Person, _) => None,
        (Kind::Assistant, Some(model)) => Some(format!("AI assistant ({model})")),
        (Kind::Assistant, None) => Some("AI assistant".to_owned()),
        (Kind::Tool, _) => Some("Tool".to_owned()),
        (Kind::System, _) => Some("System".to_owned()),
    };
    Node {
        kind: Types::One(kind_of(who.kind)),
        id: Some(speaker_id(who)),
        name: Some(&who.name),
        url,
        description,
        ..Node::default()
    }
}

/// Returns the schema.org type of a participant. `author` does not allow software.
pub(super) fn kind_of(kind: Kind) -> &'static str {
    if kind == Kind::Person { "Person" } else { "Organization" }
}

/// Returns the identifier of a speaker, without the host because every turn repeats it.
fn speaker_id(who: &SpeakerLink) -> String {
    let tail = if who.kind == Kind::Person { "person" } else { "ai" };
    match &who.url {
        Some(url) => format!("{url}#{tail}"),
        None => format!("#{tail}-{}", percent_encode(&who.name)),
    }
}

fn messages(planned: &ConversationPage, conversation: &Conversation) -> Vec<Message> {
    let mut messages = Vec::new();
    for (index, turn) in conversation.turns.iter().enumerate().take(MAX_MESSAGES) {
        let mut listed = planned.card.speakers.iter().take(MAX_MESSAGES);
        let who = listed.find(|who| *who.name == *turn.speaker);
        let Some(who) = who else { continue };
        messages.push(Message {
            kind: "Message",
            id: format!("#{}", turn.id),
            position: planned.text_ref.turns_before as usize + index + 1,
            author: Reference { id: speaker_id(who) },
            date_sent: turn.time.as_ref().map(Time::published),
            digital_source_type: (who.kind == Kind::Assistant).then_some(GENERATED_BY_MODEL),
        });
    }
    messages
}

fn breadcrumbs<'a>(page: &'a Page, config: &Config) -> Option<Node<'a>> {
    if page.breadcrumbs.is_empty() {
        return None;
    }
    let above = page.breadcrumbs.iter();
    let above = above.map(|link| (&*link.title, Some(absolute(config, &link.url))));
    let steps = above.chain([(page.title.as_str(), None)]).enumerate();
    let steps = steps.map(|(index, (name, item))| Step {
        kind: "ListItem",
        position: index + 1,
        name,
        item,
    });
    Some(Node {
        kind: Types::One("BreadcrumbList"),
        id: Some("#breadcrumb".to_owned()),
        item_list_element: Some(steps.collect()),
        ..Node::default()
    })
}

/// Returns the publication time of a page, for Open Graph.
pub(super) fn published(page: &Page) -> Option<String> {
    planned(page)?.card.time.as_ref().map(Time::published)
}

/// Returns the time of the last turn of a conversation that continued after its publication.
pub(super) fn modified(page: &Page) -> Option<String> {
    later(page).map(Time::published)
}

fn later(page: &Page) -> Option<&Time> {
    let published = planned(page)?.card.time.as_ref()?;
    let is_later = |updated: &&Time| {
        updated.instant() > published.instant() && updated.published() != published.published()
    };
    page.updated.as_ref().filter(is_later)
}

/// Returns the absolute URLs of the speakers.
pub(super) fn authors(page: &Page, config: &Config) -> Vec<String> {
    let is_known = !config.base_url.origin.is_empty();
    let planned = planned(page).filter(|_| is_known);
    let speakers = planned.into_iter().flat_map(|planned| &planned.card.speakers);
    let urls = speakers.filter_map(|who| who.url.as_ref());
    urls.take(MAX_AUTHORS).map(|url| absolute(config, url)).collect()
}

/// Returns the tags of a conversation.
pub(super) fn tags(page: &Page) -> impl Iterator<Item = &str> {
    let facets = planned(page).into_iter().flat_map(|planned| &planned.facets);
    let tags = facets.filter(|(title, _)| *title == "list.tag" || *title == "list.tags");
    tags.flat_map(|(_, links)| links).map(|link| &*link.title)
}

fn planned(page: &Page) -> Option<&ConversationPage> {
    match &page.kind {
        PageKind::Conversation(planned) => Some(planned),
        _ => None,
    }
}
