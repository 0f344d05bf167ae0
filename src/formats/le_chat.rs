//! Chats of Le Chat, the assistant by Mistral.
//!
//! ```text
//! chat-<uuid>.json
//! [ { "id": …, "chatId": …, "role": "user", "content": …, "contentChunks": null, "createdAt": … },
//!   { "role": "assistant", "contentChunks": [ { "type": "tool_call", … }, { "type": "text", … } ], … } ]
//! ```
//!
//! Each file is one chat. Its messages are in no particular order, and it has no title.

use std::collections::HashMap;

use super::{About, Claim, File, Format, Parsed, Probe, Read};
use crate::shared::access::tool_access::{full_name, some_call};
use crate::shared::agents::thread::{
    self, Blocks, Context, ListApp, Message, SYSTEM, USER, arguments, assemble, file, first,
    moment, rest, text, words,
};
use crate::shared::json::object::Object;
use convo_base::diag::Severity;
use convo_base::json::{Map, Value};
use convo_base::model::{Action, Attachment, Conversation, FileEdit, Kind, ToolCall, ToolResult};

pub(super) const FORMAT: Format = Format {
    name: "le-chat",
    title: "Le Chat export",
    source_label: "Le Chat",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "The data export of an account of Le Chat, the assistant by Mistral.",
        find: "In Le Chat: Settings, Account, Export my data. The ZIP file contains `chat-….json` files.",
        reads: "Each chat in chronological order: messages, tool calls, canvases, citations, and the names of files.",
        leaves_out: "Account data, reactions, and the files themselves, which are not in the chats.",
    },
    read: Some(Read::new(claims, parse)),
    write: None,
};

const APP: ListApp = ListApp { read: chats, record: "message" };
const LE_CHAT: &str = "Le Chat";

fn claims(probe: &Probe<'_>) -> Claim {
    let text = probe.text;
    let text = text.trim_start();
    let keys = probe.keys();
    let has = |name: &str| keys.iter().any(|(key, _)| *key == name);
    let is_ours = text.starts_with('[') && has("chatId") && has("contentChunks") && has("role");
    if is_ours { Claim::Signature } else { Claim::No }
}

fn parse(files: &[File]) -> Parsed {
    thread::read_lists(&APP, files)
}

/// Reads the messages of a file, each into the chat that it names.
fn chats(records: Vec<Object<'_>>, context: &mut Context<'_>) -> Vec<Conversation> {
    let mut all: Vec<(Conversation, Vec<Message>)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for object in records {
        let id = object.get("chatId").and_then(words).unwrap_or_default();
        let place = *places.entry(id.clone()).or_insert(all.len());
        if place == all.len() {
            let id = Some(id).filter(|id| !id.is_empty());
            all.push((Conversation { id, ..Conversation::default() }, Vec::new()));
        }
        let message = message(object, context);
        if let Some((_, messages)) = all.get_mut(place) {
            messages.push(message);
        }
    }
    let finish = |(mut read, mut messages): (Conversation, Vec<Message>)| {
        // If two messages have the same time, the question comes first.
        messages.sort_by_key(|message| {
            let time = message.turn.time.as_ref().map(|time| time.instant());
            (time, message.kind != Kind::Person)
        });
        read.updated = messages.iter().rev().find_map(|message| message.turn.time.clone());
        assemble(&mut read, messages, None, context);
        read
    };
    all.into_iter().map(finish).collect()
}

/// Keys of a message that are read, or that contain bookkeeping.
const KNOWN: [&str; 16] = [
    "id", "version", "chatId", "content", "contentChunks", "role", "createdAt", "reaction",
    "reactionDetail", "reactionComment", "preference", "preferenceOver", "context", "canvas",
    "quotes", "files",
];

fn message(mut object: Object<'_>, context: &mut Context<'_>) -> Message {
    let map = object.copy();
    let role = text(&map, "role").unwrap_or_default();
    let who = match role {
        "user" => (USER, Kind::Person),
        "assistant" => (LE_CHAT, Kind::Assistant),
        "system" => (SYSTEM, Kind::System),
        "" => {
            context.notes.push(object.missing(Severity::Warning, "role"));
            ("", Kind::System)
        }
        other => {
            context.tally.role(other);
            (other, Kind::guess(other))
        }
    };
    let id = map.get("id").and_then(words);
    let mut message = Message::new(&object, id, who, context);
    message.turn.time = moment(&mut object, "createdAt", context);
    let is_model = who.1 == Kind::Assistant;
    if is_model {
        message.made_by(text(&map, "model"));
    }
    if message.is_withheld {
        return message;
    }
    let mut blocks = Blocks::default();
    for quote in list(&map, "quotes") {
        let words =
            quote.as_str().or_else(|| first(quote.as_object()?, &["text", "content", "quote"]));
        let lines = words.unwrap_or_default().lines().map(|line| format!("> {line}"));
        blocks.push_text(&lines.collect::<Vec<_>>().join("\n"), is_model);
    }
    let chunks = map.get("contentChunks").and_then(Value::as_array).filter(|list| !list.is_empty());
    let is_text = |chunk: &Value| chunk.get("type").and_then(Value::as_str) == Some("text");
    // Source numbers are inside sentences.
    let mut prose = String::new();
    for chunk in chunks.into_iter().flatten() {
        match chunk.as_object() {
            Some(own) if text(own, "type") == Some("text") => {
                prose.push_str(own.get("text").and_then(Value::as_str).unwrap_or_default());
                continue;
            }
            Some(own) if text(own, "type") == Some("reference") => {}
            _ => blocks.push_text(&std::mem::take(&mut prose), is_model),
        }
        read_chunk(chunk, is_model, &mut blocks, context);
    }
    blocks.push_text(&prose, is_model);
    // `content` repeats the text of the chunks.
    if !chunks.is_some_and(|chunks| chunks.iter().any(is_text)) {
        blocks.push_text(text(&map, "content").unwrap_or_default(), is_model);
    }
    for canvas in list(&map, "canvas").filter_map(Value::as_object) {
        canvas_of(canvas, &mut blocks);
    }
    for own in list(&map, "files").filter_map(Value::as_object) {
        let call = some_call(is_model);
        blocks.attach(Attachment { call, ..file(own, context.tally) });
    }
    message.turn.blocks = blocks.done();
    message.turn.unpublished = rest(map, &KNOWN);
    message
}

fn list<'a>(map: &'a Map, key: &str) -> impl Iterator<Item = &'a Value> + use<'a> {
    map.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn read_chunk(chunk: &Value, is_model: bool, blocks: &mut Blocks, context: &mut Context<'_>) {
    let Some(chunk) = chunk.as_object() else {
        return blocks.push_text(&words(chunk).unwrap_or_default(), is_model);
    };
    match text(chunk, "type").unwrap_or_default() {
        "thinking" | "think" => {
            let thought = match chunk.get("thinking") {
                Some(Value::Array(parts)) => {
                    let texts = parts.iter().filter_map(|part| text(part.as_object()?, "text"));
                    texts.collect::<Vec<_>>().join("\n\n")
                }
                _ => first(chunk, &["thinking", "text"]).unwrap_or_default().to_owned(),
            };
            blocks.think(&thought);
        }
        "tool_call" => blocks.call(tool_call(chunk)),
        // Numbers of sources that are missing from the export.
        "reference" => match list(chunk, "references").next() {
            Some(_) => {
                for page in list(chunk, "references").filter_map(Value::as_object) {
                    blocks.cite(first(page, &["title", "name"]), first(page, &["url", "source"]));
                }
            }
            None => {
                context.tally.not_shown("unresolved source number", "unresolved source numbers");
            }
        },
        kind @ ("image_url" | "imageUrl" | "file" | "document_url") => {
            let inner = ["imageUrl", "image_url", "documentUrl", "file"];
            let mut own = chunk.clone();
            if let Some(address) = inner.iter().find_map(|key| match chunk.get(*key)? {
                Value::String(url) => Some(url.clone()),
                inner => inner.get("url")?.as_str().map(str::to_owned),
            }) {
                own.insert("url".to_owned(), address.into());
            }
            let word = if kind.starts_with("image") { "image" } else { "file" };
            own.insert("type".to_owned(), word.into());
            own.shift_remove("image_url");
            let call = some_call(is_model);
            blocks.attach(Attachment { call, ..file(&own, context.tally) });
        }
        kind => blocks.unknown(kind, context.tally),
    }
}

fn tool_call(chunk: &Map) -> ToolCall {
    let input = ["publicArguments", "arguments"].iter().find_map(|key| arguments(chunk.get(*key)));
    let output = ["publicResult", "result"].iter().find_map(|key| arguments(chunk.get(*key)));
    let state = match chunk.get("success") {
        Some(Value::Bool(true)) => "succeeded",
        Some(Value::Bool(false)) => "failed",
        _ => "",
    };
    let name = text(chunk, "name").unwrap_or_default();
    let query = input.as_ref().and_then(|input| text(input.as_object()?, "query"));
    let query = query.filter(|_| name.contains("search")).map(str::to_owned);
    let action = query.map(|query| Action::Search { query: Some(query), results: Vec::new() });
    let is_done = !state.is_empty() || output.is_some();
    let result = ToolResult { state: state.to_owned(), output, ..ToolResult::default() };
    ToolCall {
        id: first(chunk, &["id", "toolCallId"]).unwrap_or_default().to_owned(),
        name: full_name(chunk, name),
        input,
        action,
        results: is_done.then_some(result).into_iter().collect(),
        ..ToolCall::default()
    }
}

/// Adds a canvas as a written file.
fn canvas_of(canvas: &Map, blocks: &mut Blocks) {
    let Some(words) = first(canvas, &["content", "text", "code"]) else { return };
    let title = first(canvas, &["title", "name"]).unwrap_or("canvas");
    blocks.call(ToolCall {
        name: "canvas".to_owned(),
        action: Some(Action::Edit { files: vec![FileEdit::written(title, words)] }),
        ..ToolCall::default()
    });
}
