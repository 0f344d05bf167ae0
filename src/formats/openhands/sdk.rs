//! Events of the SDK.

use crate::shared::access::tool_access::{marked_name, some_call};
use crate::shared::agents::thread::arguments;
use crate::shared::agents::turns::{At, Message, Outcome, To, Turns, Who};
use crate::shared::json::object::text;
use crate::shared::text::dates::iso;
use convo_base::json::{Map, Value};
use convo_base::model::{
    Attachment, AttachmentKind, Block, COMPACTION, Content, Place, ToolCall, ToolResult,
};

pub(super) fn event(event: &Map, line: u32, turns: &mut Turns) {
    let time = text(event, "timestamp").and_then(iso);
    let id = text(event, "id").map(str::to_owned);
    let at = At { line, quoted: true, time, id };
    match kind(event) {
        "MessageEvent" => message(event, at, turns),
        "ActionEvent" => action(event, at, turns),
        "ObservationEvent" => observation(event, turns),
        "AgentErrorEvent" => {
            let output = text(event, "error").unwrap_or_default();
            result(event, output, "failed", turns);
        }
        "UserRejectObservation" => {
            let output = text(event, "rejection_reason").unwrap_or_default();
            result(event, output, "rejected", turns);
        }
        "ACPToolCallEvent" => {
            turns.turn(Who::Assistant, at);
            turns.call(ToolCall { name: marked_name("tool"), ..ToolCall::default() });
        }
        "Condensation" | "CondensationSummaryEvent" => {
            let summary = text(event, "summary").map(str::to_owned);
            let place = Place { file: turns.file, line, quoted: true };
            let message = Message { id: at.id, time: at.time, place, ..Message::default() };
            turns.event_without_speaker(COMPACTION, "", summary, message);
        }
        "ConversationErrorEvent" => {
            turns.turn(Who::Assistant, at);
            turns.event("error", text(event, "detail").or(text(event, "code")).unwrap_or_default());
        }
        // Prompts, states of the program and raw requests.
        _ => turns.count_hidden(),
    }
}

/// Returns the kind of an event. A file that was cut off has none.
fn kind(event: &Map) -> &str {
    let has = |key: &str| event.contains_key(key);
    match text(event, "kind") {
        Some(kind) => kind,
        None if has("llm_message") => "MessageEvent",
        None if has("observation") => "ObservationEvent",
        None if has("action") && has("tool_name") => "ActionEvent",
        None => "",
    }
}

fn message(event: &Map, at: At, turns: &mut Turns) {
    let Some(own) = event.get("llm_message").and_then(Value::as_object) else { return };
    let is_person = match text(own, "role") {
        Some("user") => true,
        Some("assistant") => false,
        _ => return turns.count_hidden(),
    };
    // Hooks and the environment write in the role of the user.
    if is_person && text(event, "source") != Some("user") {
        return turns.count_hidden();
    }
    turns.turn(if is_person { Who::Person } else { Who::Assistant }, at);
    think(own, turns);
    content(own, "content", !is_person, turns);
}

/// Adds the thoughts of the model.
fn think(own: &Map, turns: &mut Turns) {
    let blocks = own.get("thinking_blocks").and_then(Value::as_array);
    let mut has_thought = false;
    for block in blocks.into_iter().flatten().filter_map(Value::as_object) {
        let thought = text(block, "thinking").unwrap_or_default();
        has_thought |= !thought.is_empty();
        turns.think(thought);
    }
    if !has_thought {
        turns.think(text(own, "reasoning_content").unwrap_or_default());
    }
}

/// Adds texts and pictures.
fn content(own: &Map, key: &str, is_model: bool, turns: &mut Turns) {
    for part in own.get(key).and_then(Value::as_array).into_iter().flatten() {
        let Some(part) = part.as_object() else { continue };
        turns.say(text(part, "text").unwrap_or_default());
        let urls = part.get("image_urls").and_then(Value::as_array);
        for url in urls.into_iter().flatten().filter_map(Value::as_str) {
            let content = match url.starts_with("data:") {
                true => Content::Uri(url.to_owned()),
                false => Content::Missing,
            };
            let call = some_call(is_model);
            let picture = Attachment::new("image", AttachmentKind::Image);
            turns.push(Block::Attachment(Box::new(Attachment { content, call, ..picture })));
        }
    }
}

fn action(event: &Map, at: At, turns: &mut Turns) {
    turns.turn(Who::Assistant, at);
    think(event, turns);
    content(event, "thought", true, turns);
    let own = event.get("action").and_then(Value::as_object);
    let kind = own.and_then(|own| text(own, "kind")).unwrap_or_default();
    let word = |key: &str| own.and_then(|own| text(own, key)).unwrap_or_default();
    if kind == "FinishAction" {
        return turns.say(word("message"));
    }
    if kind == "ThinkAction" {
        return turns.think(word("thought"));
    }
    let name = text(event, "tool_name").unwrap_or_default();
    let name = match kind.starts_with("MCP") {
        true => marked_name(name),
        // The editor also shows files.
        false if EDITORS.contains(&name) && word("command") == "view" => "view".to_owned(),
        false => name.to_owned(),
    };
    let called = || arguments(event.get("tool_call")?.get("arguments"));
    let input = own.map(|own| Value::Object(own.clone())).or_else(called);
    let input = input.map(|mut input| {
        if let Value::Object(map) = &mut input {
            map.retain(|key, value| !value.is_null() && !OWN.contains(&key.as_str()));
        }
        input
    });
    let id = text(event, "tool_call_id").unwrap_or_default().to_owned();
    turns.call(ToolCall { id, name, input, ..ToolCall::default() });
}

/// The tools that edit files.
const EDITORS: [&str; 3] = ["file_editor", "planning_file_editor", "str_replace_editor"];
/// Keys of an action that say how the program handles it.
const OWN: [&str; 5] = ["kind", "security_risk", "summary", "is_input", "reset"];

fn observation(event: &Map, turns: &mut Turns) {
    let Some(own) = event.get("observation").and_then(Value::as_object) else { return };
    let kind = text(own, "kind").unwrap_or_default();
    // They repeat their actions.
    if ["FinishObservation", "ThinkObservation"].contains(&kind) {
        return;
    }
    let parts = own.get("content").and_then(Value::as_array);
    let texts = parts.into_iter().flatten().filter_map(|part| part.get("text")?.as_str());
    let mut output = texts.collect::<Vec<_>>().join("\n");
    if output.is_empty() {
        output = text(own, "output").or(text(own, "error")).unwrap_or_default().to_owned();
    }
    let failed = own.get("is_error") == Some(&Value::Bool(true));
    result(event, &output, if failed { "failed" } else { "" }, turns);
}

fn result(event: &Map, output: &str, state: &str, turns: &mut Turns) {
    let id = text(event, "tool_call_id").unwrap_or_default();
    let output = Some(output.into());
    // What a server returns belongs to the server, whatever its call says.
    let own = event.get("observation").and_then(Value::as_object);
    let kind = own.and_then(|own| text(own, "kind"));
    let is_served = kind.is_some_and(|kind| kind.starts_with("MCP"));
    let name = text(event, "tool_name").filter(|_| is_served).map(marked_name).unwrap_or_default();
    let result = ToolResult { state: state.to_owned(), output, ..ToolResult::default() };
    let exit_code = own.and_then(|own| {
        let metadata = || own.get("metadata")?.get("exit_code");
        own.get("exit_code").filter(|code| !code.is_null()).or_else(metadata)?.as_i64()
    });
    turns.result(To::Call { id, name: &name }, Outcome { result, exit_code });
}
