//! The data export of DeepSeek, and chats in the format of its web API.
//!
//! ```text
//! [ { "id": …, "title": …, "inserted_at": …, "mapping": {
//!       "root": { "parent": null, "children": ["1"], "message": null },
//!       "1": { "parent": "root", "message": { "inserted_at": …, "fragments": [
//!         { "type": "REQUEST", "content": … } ] } } } } ]
//!
//! { "data": { "biz_data": { "chat_session": { "current_message_id": 2, … }, "chat_messages": [
//!   { "message_id": 2, "parent_id": 1, "role": "ASSISTANT", "fragments": [ … ] } ] } } }
//! ```
//!
//! Messages have no sender; the speaker follows from the first fragment. Edited questions and regenerated
//! answers are branches.

use super::probe::value_of;
use super::{About, Claim, File, Format, Parsed, Parts, Probe, Read};
use crate::shared::agents::thread::{
    self, App, Blocks, Context, Message, Parent, USER, assemble, file, first, inside, members,
    moment, rest, text, words,
};
use crate::shared::json::object::Object;
use convo_base::diag::Severity;
use convo_base::json::{self, Map, Value};
use convo_base::model::{Action, Citation, Conversation, Kind, ToolCall};

pub(super) const FORMAT: Format = Format {
    name: "deepseek",
    title: "DeepSeek export",
    source_label: "DeepSeek",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "The data export of a DeepSeek account, and chats saved from its website.",
        find: "In DeepSeek: Settings, Data, Export data. The ZIP file contains `conversations.json`.",
        reads: "Every chat: edits and regenerated answers as branches, reasoning, searches with their results, and the names of files.",
        leaves_out: "Account data, ratings, and the text of attached files. The files themselves are not in the export.",
    },
    read: Some(Read::new(claims, parse).parts(Parts::Records)),
    write: None,
};

const APP: App = App { lists: &["conversations", "data"], read: chat };
const DEEPSEEK: &str = "DeepSeek";
/// Keys that do not affect visibility.
const VENDORS: [&str; 7] =
    ["mapping", "chat_messages", "title", "is_archived", "moderation_results", "agent", "status"];
/// Keys of a chat that are read, or that contain bookkeeping.
const KNOWN: [&str; 20] = [
    "mapping", "chat_messages", "current_node", "current_message_id", "conversation_id",
    "moderation_results", "is_archived", "seq_id", "version", "agent", "title_type", "pinned",
    "create_time", "update_time", "inserted_at", "updated_at", "model_type", "character",
    "cache_valid", "route_id",
];

fn claims(probe: &Probe<'_>) -> Claim {
    let keys = probe.record(APP.lists);
    let data = probe.value("data").filter(|data| data.starts_with('{'));
    let data =
        data.and_then(|data| value_of(&json::keys(data), "biz_data")).or(probe.value("biz_data"));
    let dump = data.map_or_else(|| probe.keys().to_vec(), json::keys);
    let is_dump = value_of(&dump, "chat_messages").is_some_and(|messages| {
        value_of(&dump, "chat_session").is_some()
            || value_of(&json::keys(messages), "fragments").is_some()
    });
    let is_export = value_of(&keys, "mapping").is_some_and(|mapping| {
        let says = |(_, node): (&str, &str)| {
            let message = value_of(&json::keys(node), "message");
            let message = message.map(json::keys).unwrap_or_default();
            value_of(&message, "author").is_none()
                && (value_of(&message, "fragments").is_some()
                    || value_of(&message, "inserted_at").is_some())
        };
        mapping.starts_with('{')
            && (value_of(&keys, "inserted_at").is_some()
                || json::members(mapping).take(5).any(says))
    });
    if is_dump || is_export { Claim::Signature } else { Claim::No }
}

fn parse(files: &[File]) -> Parsed {
    thread::read(&APP, files)
}

fn chat(mut object: Object<'_>, context: &mut Context<'_>) -> Option<Conversation> {
    // In API responses, the chat is nested two levels deeper.
    let mut private = false;
    for key in ["data", "biz_data"] {
        if object.get(key).is_some_and(Value::is_object) {
            private |= object.holds_back("private", &[key], context.notes);
            object = inside(&mut object, key, context.notes)?;
        }
    }
    private |= object.holds_back("private", &VENDORS, context.notes);
    let mut read = Conversation { private, ..Conversation::default() };
    let mut session = match object.has("chat_session") {
        true => inside(&mut object, "chat_session", context.notes),
        false => None,
    };
    let about = session.as_mut().unwrap_or(&mut object);
    read.private |= about.holds_back("private", &VENDORS, context.notes);
    read.id = ["id", "conversation_id"].iter().find_map(|key| words(&about.take(key)?));
    read.title = about.text("title", context.notes).filter(|title| !title.trim().is_empty());
    for key in ["inserted_at", "create_time"] {
        read.time = moment(about, key, context).or(read.time);
    }
    for key in ["updated_at", "update_time"] {
        read.updated = moment(about, key, context).or(read.updated);
    }
    let leaf = ["current_node", "current_message_id"].iter().find_map(|key| words(about.get(key)?));
    let mut messages = Vec::new();
    if object.has("mapping") {
        let nodes = members(&mut object, "mapping", context.notes).unwrap_or_default();
        for (id, node) in nodes {
            let name = format!("mapping.{id}");
            let Some(node) = object.element(node, name, "message", context.notes) else { continue };
            messages.push(of_node(node, id, context));
        }
    } else if object.has("chat_messages") {
        let list = object.array("chat_messages", context.notes).unwrap_or_default();
        for (at, item) in list.into_iter().enumerate() {
            let name = format!("chat_messages.{at}");
            let Some(mut item) = object.element(item, name, "message", context.notes) else {
                continue;
            };
            let id = item.take("message_id").as_ref().and_then(words);
            let parent = item.take_any("parent_id").as_ref().and_then(words);
            messages.push(message(item, id, Parent::of(parent), context));
        }
    } else {
        let note = object.missing(Severity::Warning, "mapping");
        context.notes.push(note.hint("only this conversation is skipped"));
    }
    assemble(&mut read, messages, leaf.as_deref(), context);
    let about = session.unwrap_or(object);
    read.unpublished = rest(about.rest(), &KNOWN);
    Some(read)
}

/// Reads a node of an export; the root has no message.
fn of_node(mut node: Object<'_>, id: String, context: &mut Context<'_>) -> Message {
    let parent = Parent::of(node.take_any("parent").as_ref().and_then(words));
    let is_withheld = Message::new(&node, None, ("", Kind::System), context).is_withheld;
    let inner = match node.get("message") {
        // Any other type is reported.
        Some(_) => inside(&mut node, "message", context.notes),
        None => None,
    };
    let mut read = match inner {
        Some(inner) => message(inner, Some(id), parent, context),
        None => {
            let mut read = Message::new(&node, Some(id), ("", Kind::System), context);
            read.parent = parent;
            read
        }
    };
    read.is_withheld |= is_withheld;
    read
}

/// Keys of a message that are read, or that contain bookkeeping.
const OF_MESSAGE: [&str; 20] = [
    "role", "fragments", "content", "thinking_content", "search_results", "files", "model",
    "inserted_at", "status", "accumulated_token_usage", "feedback", "thinking_enabled",
    "search_enabled", "ban_edit", "ban_regenerate", "has_pending_fragment", "auto_continue",
    "conversation_mode", "thinking_elapsed_secs", "search_status",
];

fn message(
    mut object: Object<'_>,
    id: Option<String>,
    parent: Parent,
    context: &mut Context<'_>,
) -> Message {
    let map = object.copy();
    let fragments = map.get("fragments").and_then(Value::as_array);
    let asks = |fragment: &Value| fragment.get("type").and_then(Value::as_str) == Some("REQUEST");
    let is_person = match text(&map, "role") {
        Some(role) => role.eq_ignore_ascii_case("user"),
        None => fragments.and_then(|list| list.first()).is_some_and(asks),
    };
    let who = if is_person { (USER, Kind::Person) } else { (DEEPSEEK, Kind::Assistant) };
    let mut message = Message::new(&object, id, who, context);
    message.parent = parent;
    message.turn.time = moment(&mut object, "inserted_at", context);
    if !is_person {
        message.made_by(text(&map, "model"));
    }
    if message.is_withheld {
        return message;
    }
    let mut blocks = Blocks::default();
    let files = map.get("files").and_then(Value::as_array).into_iter().flatten();
    for own in files.filter_map(Value::as_object) {
        if ["content", "text", "extracted_content"].iter().any(|key| text(own, key).is_some()) {
            context.tally.not_shown("text of an attached file", "texts of attached files");
        }
        blocks.attach(file(own, context.tally));
    }
    for fragment in fragments.into_iter().flatten().filter_map(Value::as_object) {
        read_fragment(fragment, &mut blocks, context);
    }
    // The format before fragments were introduced.
    if fragments.is_none() {
        search(&map, "search_results", &mut blocks);
        blocks.think(text(&map, "thinking_content").unwrap_or_default());
        blocks.push_text(&unmarked(text(&map, "content").unwrap_or_default()), !is_person);
    }
    message.turn.blocks = blocks.done();
    message.turn.unpublished = rest(map, &OF_MESSAGE);
    message
}

fn read_fragment(fragment: &Map, blocks: &mut Blocks, context: &mut Context<'_>) {
    let content = text(fragment, "content").unwrap_or_default();
    match text(fragment, "type").unwrap_or_default() {
        "REQUEST" => blocks.push_text(content, false),
        "RESPONSE" | "TEMPLATE_RESPONSE" => blocks.push_text(&unmarked(content), true),
        "THINK" => blocks.think(&unmarked(content)),
        "SEARCH" | "TOOL_SEARCH" => search(fragment, "results", blocks),
        "READ_LINK" | "TOOL_OPEN" | "OPEN" => {
            let page = fragment.get("result").and_then(Value::as_object).unwrap_or(fragment);
            blocks.cite(first(page, &["title"]), first(page, &["url"]));
        }
        "TIP" => blocks.event("tip", content),
        kind => {
            blocks.unknown(kind, context.tally);
            if !content.is_empty() {
                blocks.push_text(content, true);
            }
        }
    }
}

/// Adds a search with its results.
fn search(map: &Map, key: &str, blocks: &mut Blocks) {
    let page = |found: &Value| {
        let found = found.as_object()?;
        let (title, url) = (text(found, "title"), text(found, "url"));
        let (title, url) = (title.map(str::to_owned), url.map(str::to_owned));
        (url.is_some() || title.is_some()).then_some(Citation { title, url })
    };
    let results: Vec<Citation> =
        map.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(page).collect();
    let queries = map.get("queries").and_then(Value::as_array).into_iter().flatten();
    let queries: Vec<&str> = queries
        .filter_map(|query| query.as_str().or_else(|| query.get("query")?.as_str()))
        .collect();
    let query = first(map, &["query", "content"]).filter(|_| key == "results").map(str::to_owned);
    let query = query.or((!queries.is_empty()).then(|| queries.join(", ")));
    if results.is_empty() && query.is_none() {
        return;
    }
    let action = Some(Action::Search { query, results });
    blocks.call(ToolCall { name: "web_search".to_owned(), action, ..ToolCall::default() });
}

/// Replaces marks such as `[citation:3]`, which DeepSeek shows as numbers, by numbers.
fn unmarked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('[') {
        out.push_str(before);
        let number = ["citation:", "reference:"].iter().find_map(|word| {
            let inside = behind.strip_prefix(word)?;
            let end = inside.find(|c: char| !c.is_ascii_digit()).filter(|end| *end > 0)?;
            let (number, after) = inside.split_at(end);
            Some((number, after.strip_prefix(']')?))
        });
        match number {
            Some((number, after)) => {
                out.push_str(&format!("\\[{number}\\]"));
                rest = after;
            }
            None => {
                out.push('[');
                rest = behind;
            }
        }
    }
    out.push_str(rest);
    out
}
