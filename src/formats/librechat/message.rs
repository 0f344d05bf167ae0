//! A message in its three forms: a text, a list of parts, or an error.

use crate::shared::access::tool_access::{full_name, is_open, some_call};
use crate::shared::agents::thread::{
    Blocks, Context, Message, Parent, USER, arguments, file, first, moment, rest, text, whole,
};
use crate::shared::json::object::Object;
use crate::shared::tally::{BOOKKEEPING, TOOL_SOURCES};
use convo_base::json::{Map, Value};
use convo_base::model::{Attachment, Kind, ToolCall, ToolResult};

/// The parent of the first message.
const ROOT: &str = "00000000-0000-0000-0000-000000000000";
/// The speaker of an answer without a sender.
const ASSISTANT: &str = "Assistant";

/// Keys of a message that are read, or that contain account data.
const OF_MESSAGE: [&str; 26] = [
    "_id", "__v", "messageId", "conversationId", "parentMessageId", "isCreatedByUser", "sender",
    "text", "content", "createdAt", "updatedAt", "files", "attachments", "model", "endpoint",
    "user", "error", "unfinished", "isEdited", "tokenCount", "children", "iconURL", "feedback",
    "finish_reason", "metadata", "depth",
];

/// Reads a message: number `number` in the order of the tree, with the parent `above`.
pub(super) fn read(
    mut object: Object<'_>,
    above: Option<String>,
    model: Option<&str>,
    number: usize,
    context: &mut Context<'_>,
) -> Message {
    let map = object.copy();
    let id = text(&map, "messageId").map(str::to_owned);
    let is_person = match map.get("isCreatedByUser") {
        Some(Value::Bool(is)) => *is,
        _ => text(&map, "sender").is_some_and(|sender| sender.eq_ignore_ascii_case("user")),
    };
    let sender = text(&map, "sender").unwrap_or(ASSISTANT);
    let who = if is_person { (USER, Kind::Person) } else { (sender, Kind::Assistant) };
    // Replies refer to their parent by its id.
    let id = id.unwrap_or_else(|| format!("#{number}"));
    let mut message = Message::new(&object, Some(id), who, context);
    message.parent = match (above, text(&map, "parentMessageId")) {
        (Some(above), _) => Parent::Id(above),
        (None, Some(ROOT) | None) => Parent::Nobody,
        (None, Some(parent)) => Parent::Id(parent.to_owned()),
    };
    message.turn.time = moment(&mut object, "createdAt", context);
    if !is_person {
        message.made_by(text(&map, "model").or(model));
        if let Some(tokens) = whole(map.get("tokenCount")).filter(|count| *count > 0) {
            message.usage().output_tokens = Some(tokens);
        }
    }
    if message.is_withheld {
        return message;
    }
    let mut blocks = Blocks::default();
    for own in list(&map, "files").filter_map(Value::as_object) {
        let call = some_call(!is_person);
        blocks.attach(Attachment { call, ..file(own, context.tally) });
    }
    let own_text = text(&map, "text").unwrap_or_default();
    let parts = map.get("content").and_then(Value::as_array).filter(|parts| !parts.is_empty());
    match parts {
        _ if map.get("error") == Some(&Value::Bool(true)) => blocks.event("error", own_text),
        Some(parts) => {
            parts.iter().for_each(|part| read_part(part, !is_person, &mut blocks, context));
        }
        None => old_text(own_text, !is_person, &mut blocks),
    }
    for found in list(&map, "attachments").filter_map(Value::as_object) {
        attached(found, &mut blocks, context);
    }
    message.turn.blocks = blocks.done();
    message.turn.unpublished = rest(map, &OF_MESSAGE);
    message
}

fn list<'a>(map: &'a Map, key: &str) -> impl Iterator<Item = &'a Value> + use<'a> {
    map.get(key).and_then(Value::as_array).into_iter().flatten()
}

/// Adds a text; in older answers it starts with a thought.
fn old_text(answer: &str, is_model: bool, blocks: &mut Blocks) {
    let thought = answer.strip_prefix(":::thinking").filter(|_| is_model);
    match thought.and_then(|rest| rest.split_once("\n:::")) {
        Some((thought, answer)) => {
            blocks.think(thought);
            blocks.push_text(&without_marks(answer), true);
        }
        None => blocks.push_text(&without_marks(answer), is_model),
    }
}

fn read_part(part: &Value, is_model: bool, blocks: &mut Blocks, context: &mut Context<'_>) {
    let part = match part {
        Value::Object(part) => part,
        Value::String(words) => return blocks.push_text(&without_marks(words), is_model),
        Value::Null => return,
        _ => return blocks.unknown("content", context.tally),
    };
    // A text may be an object with a value.
    let words = |key: &str| {
        let found = part.get(key)?;
        found.as_str().or_else(|| found.get("value")?.as_str())
    };
    match text(part, "type").unwrap_or_default() {
        "text" => blocks.push_text(&without_marks(words("text").unwrap_or_default()), is_model),
        "think" | "thinking" | "reasoning" => {
            let thought = ["think", "thinking", "text"].iter().find_map(|key| words(key));
            blocks.think(thought.unwrap_or_default());
        }
        "tool_call" => {
            let call = part.get("tool_call").and_then(Value::as_object).unwrap_or(part);
            blocks.call(tool_call(call));
        }
        kind @ ("image_file" | "image_url" | "video_url" | "input_audio" | "file") => {
            let mut own = part.get(kind).and_then(Value::as_object).cloned().unwrap_or_default();
            let word = kind.split('_').find(|word| *word != "input").unwrap_or_default();
            own.entry("type").or_insert(word.into());
            let call = some_call(is_model);
            blocks.attach(Attachment { call, ..file(&own, context.tally) });
        }
        "error" => {
            let detail = ["error", "text"].iter().find_map(|key| words(key));
            blocks.event("error", detail.unwrap_or("Error"));
        }
        "agent_update" => {
            context.tally.add(BOOKKEEPING);
        }
        kind => blocks.unknown(kind, context.tally),
    }
}

fn tool_call(call: &Map) -> ToolCall {
    let inner = call.get("function").and_then(Value::as_object);
    let code = call.get("code_interpreter").and_then(Value::as_object);
    let name = text(call, "name").or_else(|| text(inner?, "name"));
    let input = arguments(call.get("args"))
        .or_else(|| arguments(inner?.get("arguments")))
        .or_else(|| arguments(code?.get("input")));
    let output = [call.get("output"), inner.and_then(|inner| inner.get("output"))];
    let outputs = code.and_then(|code| code.get("outputs"));
    let mut output = output.into_iter().chain([outputs]).flatten();
    let output = output.find(|output| !output.is_null() && **output != "").cloned();
    let result = output.map(|output| ToolResult { output: Some(output), ..ToolResult::default() });
    ToolCall {
        id: text(call, "id").unwrap_or_default().to_owned(),
        name: full_name(call, name.unwrap_or("code_interpreter")),
        input,
        results: result.into_iter().collect(),
        ..ToolCall::default()
    }
}

/// Adds attachments of tools: search results, or files. Search results of third parties are not shown.
fn attached(found: &Map, blocks: &mut Blocks, context: &mut Context<'_>) {
    let kind = text(found, "type").unwrap_or_default();
    let own = found.get(kind).and_then(Value::as_object);
    let call = first(found, &["toolCallId", "tool_call_id"]);
    let is_closed = call.is_some_and(|id| blocks.call_of(id).is_none_or(|call| !is_open(call)));
    match (kind, own) {
        ("web_search" | "file_search", _) if is_closed => {
            context.tally.add(TOOL_SOURCES);
        }
        ("web_search", Some(search)) => {
            for page in ["organic", "topStories"].iter().flat_map(|key| list(search, key)) {
                let Some(page) = page.as_object() else { continue };
                blocks.cite(first(page, &["title"]), first(page, &["link", "url"]));
            }
        }
        ("file_search", Some(search)) => {
            for source in list(search, "sources").filter_map(Value::as_object) {
                blocks.cite(first(source, &["fileName", "name"]), None);
            }
        }
        ("memory" | "ui_resources", _) => {
            context.tally.add(BOOKKEEPING);
        }
        _ => {
            let call = call.map(str::to_owned).or_else(|| some_call(true));
            blocks.attach(Attachment { call, ..file(found, context.tally) });
        }
    }
}

/// Removes citation marks from a text: private-use characters followed by a name such as `turn0search3`.
fn without_marks(text: &str) -> String {
    let is_mark = |c: char| ('\u{e200}'..='\u{e206}').contains(&c);
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(is_mark) {
        out.push_str(&rest[..at]);
        rest = rest[at..].trim_start_matches(is_mark);
        if let Some(behind) = rest.strip_prefix("turn") {
            rest =
                behind.trim_start_matches(|c: char| c.is_ascii_digit() || c.is_ascii_lowercase());
        }
        if out.ends_with(' ') && rest.starts_with(['.', ',', ';', ':', '!', '?']) {
            out.pop();
        }
    }
    out.push_str(rest);
    out
}
