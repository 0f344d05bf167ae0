//! The data export of Grok.
//!
//! ```text
//! prod-grok-backend.json
//! { "conversations": [ { "conversation": { "id": …, "title": …, "create_time": … }, "responses": [
//!   { "response": { "message": …, "sender": "human", "create_time": { "$date": { "$numberLong": "…" } } } } ] } ],
//!   "projects": [], "tasks": [] }
//! ```
//!
//! In some exports, conversations and responses are not wrapped in objects. If responses name their
//! parents, they form a tree.

use super::probe::value_of;
use super::{About, Claim, File, Format, Parsed, Parts, Probe, Read};
use crate::shared::agents::thread::{
    self, App, Blocks, Context, Message, Parent, SYSTEM, USER, assemble, file, first, inside,
    moment, rest, text, words,
};
use crate::shared::json::object::Object;
use convo_base::diag::Severity;
use convo_base::json::{self, Map, Value};
use convo_base::model::{
    Action, Attachment, AttachmentKind, Citation, Conversation, FileEdit, Kind, ToolCall,
};

pub(super) const FORMAT: Format = Format {
    name: "grok",
    title: "Grok export",
    source_label: "Grok",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "The data export of a Grok account.",
        find: "At accounts.x.ai: Data, Download account data. The ZIP file contains `prod-grok-backend.json`.",
        reads: "Every conversation: regenerated answers as branches, reasoning, searches with their results, sources, artifacts, and placeholders for pictures and files.",
        leaves_out: "Account data, system prompts, temporary conversations, projects, tasks, and the files, which are elsewhere in the export.",
    },
    read: Some(Read::new(claims, parse).parts(Parts::Records)),
    write: None,
};

const APP: App = App { lists: &["conversations"], read: conversation };
const GROK: &str = "Grok";
/// Keys that do not affect visibility.
const VENDORS: [&str; 5] = ["conversation", "responses", "title", "summary", "shared"];
/// Keys of a conversation that are read, or that contain account data.
const KNOWN: [&str; 13] = [
    "id", "user_id", "x_user_id", "anon_user_id", "title", "create_time", "modify_time",
    "responses", "conversation", "system_prompt_name", "summary", "temporary", "workspace_ids",
];

fn claims(probe: &Probe<'_>) -> Claim {
    let keys = probe.record(&["conversations"]);
    let Some(responses) = value_of(&keys, "responses").filter(|list| list.starts_with('[')) else {
        return Claim::No;
    };
    let response = json::keys(responses);
    let inner = value_of(&response, "response");
    let response = inner.map_or(response, json::keys);
    let speaks =
        value_of(&response, "sender").is_some() && value_of(&response, "message").is_some();
    let is_wrapped = value_of(&keys, "conversation").is_some_and(|own| own.starts_with('{'));
    let is_empty = responses.trim_start_matches('[').trim_start().starts_with(']');
    match speaks || is_wrapped && is_empty {
        true => Claim::Signature,
        false => Claim::No,
    }
}

fn parse(files: &[File]) -> Parsed {
    thread::read(&APP, files)
}

fn conversation(mut object: Object<'_>, context: &mut Context<'_>) -> Option<Conversation> {
    let private = object.holds_back("private", &VENDORS, context.notes);
    let mut read = Conversation { private, ..Conversation::default() };
    let mut inner = match object.has("conversation") {
        true => inside(&mut object, "conversation", context.notes),
        false => None,
    };
    let about = inner.as_mut().unwrap_or(&mut object);
    read.private |= about.holds_back("private", &VENDORS, context.notes);
    let is_fleeting = ["temporary", "istemporary"];
    read.private |= about.is_set(&is_fleeting);
    read.id = ["id", "conversation_id", "_id"].iter().find_map(|key| words(about.get(key)?));
    read.title = about.text("title", context.notes).filter(|title| !title.trim().is_empty());
    read.time = moment(about, "create_time", context);
    read.updated = moment(about, "modify_time", context);
    let leaf = about.get("leaf_response_id").and_then(words);
    if !object.has("responses") {
        let note = object.missing(Severity::Warning, "responses");
        context.notes.push(note.hint("only this conversation is skipped"));
    }
    let list = object.array("responses", context.notes).unwrap_or_default();
    let mut messages = Vec::new();
    for (at, item) in list.into_iter().enumerate() {
        let name = format!("responses.{at}");
        let Some(mut item) = object.element(item, name, "message", context.notes) else { continue };
        let is_withheld = Message::new(&item, None, (USER, Kind::Person), context).is_withheld;
        let inner = match item.get("response") {
            Some(_) => inside(&mut item, "response", context.notes),
            None => None,
        };
        let mut message = response(inner.unwrap_or(item), context);
        message.is_withheld |= is_withheld;
        messages.push(message);
    }
    assemble(&mut read, messages, leaf.as_deref(), context);
    read.unpublished = rest(inner.unwrap_or(object).rest(), &KNOWN);
    Some(read)
}

/// Keys of a response that are read, or that contain bookkeeping.
const OF_RESPONSE: [&str; 28] = [
    "partial", "error", "_id", "id", "response_id", "responseId", "conversation_id", "message",
    "sender", "create_time", "parent_response_id", "parentResponseId", "model", "thinking_trace",
    "agent_thinking_traces", "query", "query_type", "web_search_results",
    "cited_web_search_results", "card_attachments_json", "generated_image_urls",
    "image_attachments", "file_attachments", "manual", "shared", "thinking_start_time",
    "thinking_end_time", "user_id",
];

fn response(mut object: Object<'_>, context: &mut Context<'_>) -> Message {
    let map = object.copy();
    let id =
        ["_id", "id", "response_id", "responseId"].iter().find_map(|key| words(map.get(*key)?));
    let sender = text(&map, "sender").unwrap_or_default();
    let who = match sender.to_ascii_lowercase().as_str() {
        "human" | "user" => (USER, Kind::Person),
        "assistant" | "grok" => (GROK, Kind::Assistant),
        "system" => (SYSTEM, Kind::System),
        _ => {
            context.tally.role(sender);
            (sender, Kind::guess(sender))
        }
    };
    let mut message = Message::new(&object, id, who, context);
    let parents = ["parent_response_id", "parentResponseId"];
    if let Some(parent) = parents.iter().find_map(|key| object.take_any(key)) {
        message.parent = Parent::of(words(&parent));
    }
    message.turn.time = moment(&mut object, "create_time", context);
    let is_model = who.1 == Kind::Assistant;
    if is_model {
        message.made_by(text(&map, "model"));
    }
    if message.is_withheld {
        return message;
    }
    let mut blocks = Blocks::default();
    if is_model {
        search(&map, &mut blocks);
        blocks.think(text(&map, "thinking_trace").unwrap_or_default());
        for trace in list(&map, "agent_thinking_traces").filter_map(Value::as_object) {
            blocks.think(text(trace, "thinking_trace").unwrap_or_default());
        }
        let prose = text(&map, "message").unwrap_or_default();
        let prose = without_cards(prose, &cards(&map), &mut blocks);
        push_text(&prose, &mut blocks);
        for page in list(&map, "cited_web_search_results").filter_map(Value::as_object) {
            blocks.cite(first(page, &["title"]), first(page, &["url"]));
        }
    } else {
        blocks.push_text(text(&map, "message").unwrap_or_default(), false);
    }
    for (key, kind) in [
        ("image_attachments", AttachmentKind::Image),
        ("file_attachments", AttachmentKind::File),
        ("generated_image_urls", AttachmentKind::Image),
    ] {
        for own in list(&map, key) {
            let attachment = match own {
                Value::Object(own) => file(own, context.tally),
                // An id, or a URL that requires a login.
                _ => {
                    context.tally.missing_file();
                    Attachment::new(kind.word(), kind)
                }
            };
            blocks.attach(attachment);
        }
    }
    if text(&map, "error").is_some() || map.get("partial") == Some(&Value::Bool(true)) {
        blocks.event("error", text(&map, "error").unwrap_or("The answer is not complete"));
    }
    message.turn.blocks = blocks.done();
    message.turn.unpublished = rest(map, &OF_RESPONSE);
    message
}

fn list<'a>(map: &'a Map, key: &str) -> impl Iterator<Item = &'a Value> + use<'a> {
    map.get(key).and_then(Value::as_array).into_iter().flatten()
}

/// Adds the search of an answer.
fn search(map: &Map, blocks: &mut Blocks) {
    let page = |found: &Value| {
        let found = found.as_object()?;
        let url = text(found, "url").map(str::to_owned);
        let title = text(found, "title").map(str::to_owned);
        (url.is_some() || title.is_some()).then_some(Citation { title, url })
    };
    let results: Vec<Citation> = list(map, "web_search_results").filter_map(page).collect();
    if results.is_empty() {
        return;
    }
    let query = text(map, "query").map(str::to_owned);
    let action = Some(Action::Search { query, results });
    blocks.call(ToolCall { name: "web_search".to_owned(), action, ..ToolCall::default() });
}

/// Returns the URLs of the cards of an answer, by id.
fn cards(map: &Map) -> std::collections::HashMap<String, String> {
    let card = |card: &Value| {
        let card: Map = match card {
            Value::String(text) => json::parse(text).ok()?.0.as_object()?.clone(),
            card => card.as_object()?.clone(),
        };
        Some((text(&card, "id")?.to_owned(), text(&card, "url")?.to_owned()))
    };
    list(map, "card_attachments_json").filter_map(card).collect()
}

const CARD: [&str; 2] = ["<grok:render", "</grok:render>"];

/// Removes the cards from an answer. The pages that they cite become its sources.
fn without_cards(
    message: &str,
    cards: &std::collections::HashMap<String, String>,
    blocks: &mut Blocks,
) -> String {
    let mut out = String::with_capacity(message.len());
    let mut rest = message;
    while let Some((before, card)) = rest.split_once(CARD[0]) {
        let Some((inside, behind)) = card.split_once(CARD[1]) else { break };
        out.push_str(before);
        let id = inside.split_once("card_id=\"").and_then(|(_, id)| id.split('"').next());
        if let Some(url) = id.and_then(|id| cards.get(id)) {
            blocks.cite(None, Some(url));
        }
        rest = behind;
    }
    out.push_str(rest);
    out
}

const ARTIFACT: [&str; 2] = ["<xaiArtifact", "</xaiArtifact>"];

/// Adds the text of an answer, with its artifacts as written files.
fn push_text(message: &str, blocks: &mut Blocks) {
    let mut rest = message;
    while let Some((before, artifact)) = rest.split_once(ARTIFACT[0]) {
        let Some((artifact, behind)) = artifact.split_once(ARTIFACT[1]) else { break };
        let Some((tag, inside)) = artifact.split_once('>') else { break };
        blocks.push_text(before, true);
        let title = tag.split_once(" title=\"").and_then(|(_, title)| title.split('"').next());
        let file = FileEdit::written(title.unwrap_or("artifact"), inside.trim_matches('\n'));
        blocks.call(ToolCall {
            name: "artifact".to_owned(),
            action: Some(Action::Edit { files: vec![file] }),
            ..ToolCall::default()
        });
        rest = behind;
    }
    blocks.push_text(rest, true);
}
