//! A message with its speaker and its attachments.

use super::{details, items};
use crate::shared::access::tool_access::{Owner, owner, some_call};
use crate::shared::access::visibility;
use crate::shared::agents::thread::{
    Blocks, Context, Message, Parent, SYSTEM, USER, file, first, moment, rest, text, whole, words,
};
use crate::shared::json::object::Object;
use crate::shared::tally::TOOL_SOURCES;
use convo_base::json::{Map, Value};
use convo_base::model::{Action, Attachment, Block, Citation, Kind, ToolCall, ToolResult};

/// The speaker of an answer whose model is not named.
const ASSISTANT: &str = "Assistant";

/// Keys that are read, or that contain bookkeeping.
const KNOWN: [&str; 30] = [
    "id", "parentId", "childrenIds", "role", "content", "model", "modelName", "selectedModelId",
    "modelIdx", "models", "timestamp", "files", "sources", "citations", "output", "usage", "info",
    "statusHistory", "code_executions", "error", "merged", "done", "lastSentence", "completedAt",
    "userContext", "annotation", "feedbackId", "followUps", "originalContent", "user",
];

/// Keys of parts that are withheld one by one, and of sources, which have a rule of their own.
const APART: [&str; 4] = ["output", "statusHistory", "sources", "citations"];

/// Reads a message from a map of messages by id, or from a list.
pub(super) fn read(
    mut object: Object<'_>,
    key: Option<String>,
    context: &mut Context<'_>,
) -> Message {
    let id = object.get("id").and_then(words).or(key);
    let map = object.copy();
    let role = text(&map, "role").unwrap_or_default();
    let model = first(&map, &["model", "selectedModelId"]);
    let (speaker, kind) = match role {
        "user" => (USER, Kind::Person),
        "assistant" => (text(&map, "modelName").or(model).unwrap_or(ASSISTANT), Kind::Assistant),
        "system" => (SYSTEM, Kind::System),
        other => {
            context.tally.role(other);
            (other, Kind::guess(other))
        }
    };
    let mut message = Message::of_parts(&object, id, (speaker, kind), (), &APART, context);
    message.parent = match object.take_any("parentId") {
        None => Parent::Above,
        Some(parent) => Parent::of(words(&parent)),
    };
    message.turn.time = moment(&mut object, "timestamp", context);
    if kind == Kind::Assistant {
        message.made_by(model);
        usage(&mut message, &map);
    }
    message.is_withheld |= has_marked_source(&map);
    if message.is_withheld {
        return message;
    }
    let mut blocks = Blocks::default();
    let is_model = kind == Kind::Assistant;
    searches(&map, &mut blocks);
    let items = map.get("output").and_then(Value::as_array);
    let is_read = items.is_some_and(|items| items::read(items, &mut blocks, context));
    let content = map.get("content").unwrap_or(&Value::Null);
    match content {
        _ if is_read => {}
        Value::String(content) if is_model => details::read(content, &mut blocks),
        content => add_content(content, is_model, &mut blocks, context),
    }
    programs(&map, &mut blocks);
    error(&map, &mut blocks);
    files(&map, is_model, &mut blocks, context);
    sources(&map, &mut blocks, context);
    message.turn.blocks = blocks.done();
    if let Some(merged) = map.get("merged").and_then(|merged| text(merged.as_object()?, "content"))
    {
        message.turn.blocks.push(Block::Event {
            name: "merged".to_owned(),
            text: "The answers were merged".to_owned(),
            detail: Some(merged.to_owned()),
        });
    }
    message.turn.unpublished = rest(map, &KNOWN);
    message
}

/// Adds contents: a text, or a list of parts.
fn add_content(content: &Value, is_model: bool, blocks: &mut Blocks, context: &mut Context<'_>) {
    match content {
        Value::String(text) => blocks.push_text(text, is_model),
        Value::Array(parts) => {
            for part in parts {
                match part {
                    Value::String(text) => blocks.push_text(text, is_model),
                    Value::Object(map) if text(map, "type") == Some("image_url") => {
                        let picture = map.get("image_url").and_then(Value::as_object);
                        let mut picture = picture.cloned().unwrap_or_default();
                        picture.insert("type".to_owned(), "image".into());
                        let call = some_call(is_model);
                        blocks.attach(Attachment { call, ..file(&picture, context.tally) });
                    }
                    Value::Object(map) => match text(map, "text") {
                        Some(text) => blocks.push_text(text, is_model),
                        None => {
                            blocks.unknown(text(map, "type").unwrap_or_default(), context.tally);
                        }
                    },
                    _ => {}
                }
            }
        }
        Value::Null => {}
        _ => blocks.unknown("content", context.tally),
    }
}

/// Adds the usage of an answer.
fn usage(message: &mut Message, map: &Map) {
    let Some(counts) = ["usage", "info"].iter().find_map(|key| map.get(*key)?.as_object()) else {
        return;
    };
    let number = |keys: [&str; 2]| keys.iter().find_map(|key| whole(counts.get(*key)));
    let inside = |key: &str, name: &str| whole(counts.get(key)?.get(name));
    let cached = inside("prompt_tokens_details", "cached_tokens");
    let input = number(["prompt_tokens", "input_tokens"])
        .or_else(|| whole(counts.get("prompt_eval_count")));
    let output =
        number(["completion_tokens", "output_tokens"]).or_else(|| whole(counts.get("eval_count")));
    let reasoning = inside("completion_tokens_details", "reasoning_tokens");
    // In nanoseconds.
    let duration = whole(counts.get("total_duration")).map(|length| length / 1_000_000);
    if input.or(output).or(duration).is_none() {
        return;
    }
    let usage = message.usage();
    usage.input_tokens = input.map(|all| all.saturating_sub(cached.unwrap_or_default()));
    usage.cache_read_tokens = cached.filter(|count| *count > 0);
    usage.output_tokens = output;
    usage.reasoning_tokens = reasoning.filter(|count| *count > 0);
    usage.duration_ms = duration;
}

/// Adds the searches made before an answer.
fn searches(map: &Map, blocks: &mut Blocks) {
    let steps = map.get("statusHistory").and_then(Value::as_array);
    let steps = steps.into_iter().flatten().filter_map(Value::as_object);
    for step in steps.filter(|step| !visibility::is_marked(step)) {
        let list = |key: &str| step.get(key).and_then(Value::as_array).into_iter().flatten();
        let items = list("items").filter_map(Value::as_object);
        let found: Vec<Citation> = match list("items").next() {
            Some(_) => items
                .filter_map(|item| page(first(item, &["title"]), first(item, &["link", "url"])))
                .collect(),
            None => list("urls").filter_map(|url| page(None, url.as_str())).collect(),
        };
        let queries: Vec<&str> = list("queries").filter_map(Value::as_str).collect();
        let query = text(step, "query").map(str::to_owned);
        let query = query.or((!queries.is_empty()).then(|| queries.join(", ")));
        if found.is_empty() {
            // The status is repeated when something is found.
            continue;
        }
        let action = Some(Action::Search { query, results: found });
        let name = text(step, "action").unwrap_or("web_search").to_owned();
        blocks.call(ToolCall { name, action, ..ToolCall::default() });
    }
}

fn page(title: Option<&str>, url: Option<&str>) -> Option<Citation> {
    let (title, url) = (title.map(str::to_owned), url.map(str::to_owned));
    (url.is_some() || title.is_some()).then_some(Citation { title, url })
}

/// Adds code that was executed for an answer.
fn programs(map: &Map, blocks: &mut Blocks) {
    let list = map.get("code_executions").and_then(Value::as_array);
    for run in list.into_iter().flatten().filter_map(Value::as_object) {
        let result = run.get("result").and_then(Value::as_object);
        let failed = result.and_then(|result| text(result, "error"));
        let output = result.and_then(|result| text(result, "output"));
        let result = result.map(|_| ToolResult {
            state: if failed.is_some() { "failed" } else { "succeeded" }.to_owned(),
            output: failed.or(output).map(Value::from),
            ..ToolResult::default()
        });
        blocks.call(ToolCall {
            name: "code_interpreter".to_owned(),
            input: text(run, "code").map(Value::from),
            results: result.into_iter().collect(),
            ..ToolCall::default()
        });
    }
}

fn error(map: &Map, blocks: &mut Blocks) {
    let found = match map.get("error") {
        Some(Value::String(text)) => text.as_str(),
        Some(Value::Object(error)) => {
            first(error, &["content", "message", "detail"]).unwrap_or("Error")
        }
        Some(Value::Bool(true)) => "Error",
        _ => return,
    };
    blocks.event("error", found);
}

/// Adds attachments. Collections and the texts of documents are skipped.
fn files(map: &Map, is_model: bool, blocks: &mut Blocks, context: &mut Context<'_>) {
    let list = map.get("files").and_then(Value::as_array);
    for own in list.into_iter().flatten().filter_map(Value::as_object) {
        let kind = text(own, "type").unwrap_or_default();
        let mut described = own.clone();
        let inner = own.get("file").and_then(Value::as_object);
        let meta = inner.and_then(|inner| inner.get("meta")?.as_object());
        for from in [inner, meta].into_iter().flatten() {
            for key in ["filename", "name", "size", "content_type"] {
                if let Some(value) = from.get(key)
                    && !described.contains_key(key)
                {
                    described.insert(key.to_owned(), value.clone());
                }
            }
        }
        let data = own.get("file").or(Some(&Value::Null)).and_then(|file| file.get("data"));
        let has_text = [own.get("content"), data].into_iter().flatten().any(|text| !text.is_null());
        if has_text {
            context.tally.not_shown("text of an attached file", "texts of attached files");
        }
        if kind == "collection" || kind == "note" || kind == "chat" {
            context.tally.not_shown("document collection", "document collections");
            continue;
        }
        described.remove("data");
        let call = some_call(is_model);
        blocks.attach(Attachment { call, ..file(&described, context.tally) });
    }
}

/// Returns whether a source of an answer is marked as private. The text names it by its number.
fn has_marked_source(map: &Map) -> bool {
    // The metadata of a passage is that of another document.
    let is_marked = |entry: &Map| {
        let source = entry.get("source").and_then(Value::as_object);
        visibility::is_marked_but(entry, &["metadata"]) || source.is_some_and(visibility::is_marked)
    };
    source_entries(map).any(is_marked)
}

fn source_entries(map: &Map) -> impl Iterator<Item = &Map> {
    let list = ["sources", "citations"].iter().find_map(|key| map.get(*key)?.as_array());
    list.into_iter().flatten().filter_map(Value::as_object)
}

/// Adds the source pages and documents of an answer, in the order of their numbers in the text. Those of
/// tools of third parties are not shown.
fn sources(map: &Map, blocks: &mut Blocks, context: &mut Context<'_>) {
    for entry in source_entries(map) {
        let source = entry.get("source").and_then(Value::as_object);
        let name = source.and_then(|source| first(source, &["name", "title", "id"]));
        let tool = name.unwrap_or_default();
        let is_of_tool = entry.get("tool_result") == Some(&Value::Bool(true))
            || source.and_then(|source| text(source, "type")) == Some("tool")
            || blocks.has_call(tool);
        if is_of_tool && owner("open-webui", tool) != Owner::Author {
            context.tally.add(TOOL_SOURCES);
            continue;
        }
        let url = source.and_then(|source| first(source, &["url"]));
        let passages = entry.get("metadata").and_then(Value::as_array);
        let passages = passages.into_iter().flatten().filter_map(Value::as_object);
        let mut any = false;
        for passage in passages {
            let address = first(passage, &["url", "source"]);
            let address = address.filter(|address| address.starts_with("http")).or(url);
            blocks.cite(first(passage, &["title", "name"]).or(name), address);
            any = true;
        }
        if !any {
            blocks.cite(name, url);
        }
    }
}
