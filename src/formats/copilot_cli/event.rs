//! One event of a log.

use super::session::Session;
use super::tool;
use crate::shared::access::visibility;
use crate::shared::agents::turns::{Message, Outcome, SYSTEM, USER, missing};
use crate::shared::json::object::Object;
use crate::shared::json::object::text;
use crate::shared::tally::{INJECTED, OF_PRIVATE};
use convo_base::diag::{Counted, Note};
use convo_base::json::{Map, Value};
use convo_base::model::{AttachmentKind, Block, Kind, Place, Usage};
use convo_base::text::base_name;

/// The name of the assistant.
const COPILOT: &str = "Copilot";

/// Records of hooks.
const HOOKS: Counted = Counted::not_shown("hook record", "hook records");

/// Reads an event.
pub(super) fn read(
    mut object: Object<'_>,
    place: Place,
    session: &mut Session,
    notes: &mut Vec<Note>,
) {
    let kind = object.text("type", notes).unwrap_or_default();
    let id = object.text("id", notes);
    let time = object.time("timestamp", notes);
    let data = object.object("data", notes).unwrap_or_default();
    if session.is_of_private_call(&data) {
        session.withhold(&data);
        return session.tally.add(OF_PRIVATE);
    }
    let way = session.go(&data);
    let mut message = Message { id, time, place, ..Message::default() };
    let words = |key: &str| text(&data, key).map(str::to_owned);
    match kind.as_str() {
        "session.start" => {
            session.read.id = words("sessionId").or(session.read.id.take());
            session.read.time = message.time.or(session.read.time.take());
            let context = data.get("context").and_then(Value::as_object);
            session.cwd = context.and_then(|context| text(context, "cwd")).map(str::to_owned);
            session.model = words("selectedModel").or(session.model.take());
        }
        "session.model_change" => {
            session.model = words("newModel").or(session.model.take());
        }
        "session.title_changed" => {
            session.read.title = words("title").or(session.read.title.take());
        }
        "user.message" => asked(&data, message, session),
        "system.message" => {
            message.blocks.push(Block::Markdown { text: words("content").unwrap_or_default() });
            session.turns.add(SYSTEM, Kind::System, message);
        }
        "assistant.reasoning" => {
            let thought = words("content").unwrap_or_default();
            message.blocks.push(Block::Thinking { text: thought.clone() });
            session.turns.add(COPILOT, Kind::Assistant, message);
            session.thoughts.insert(way, thought);
        }
        "assistant.message" => answered(&data, message, way, session),
        "tool.execution_start" | "tool.user_requested" => {
            let call = tool::started(&data);
            let known = session.turns.call_mut(&call.id);
            if let Some(known) = known.filter(|known| tool::is_same(known, &data, &call)) {
                if text(&data, "mcpServerName").is_some() {
                    known.name = call.name;
                }
            } else if !call.id.is_empty() {
                message.blocks.push(Block::Tool(Box::new(call)));
                session.turns.add(COPILOT, Kind::Assistant, message);
            }
        }
        "tool.execution_complete" => completed(&data, session),
        "subagent.started" => {
            let name = words("agentDisplayName").or_else(|| words("agentName"));
            session.names.extend(words("toolCallId").zip(name));
        }
        "session.error" | "session.warning" | "subagent.failed" => {
            let name = if kind == "session.warning" { "warning" } else { "error" };
            let detail = words("message").or_else(|| words("error"));
            session.turns.event_without_speaker(
                name,
                &detail.unwrap_or_else(|| name.to_owned()),
                None,
                message,
            );
        }
        "session.compaction_complete" => {
            message.blocks.push(Block::compaction(words("summaryContent")));
            session.turns.add("", Kind::System, message);
        }
        "session.task_complete" => {
            if let Some(summary) = words("summary") {
                session.turns.event_without_speaker(
                    "summary",
                    "Task complete",
                    Some(summary),
                    message,
                );
            }
        }
        "abort" | "session.abort" => {
            message.blocks.push(Block::interruption());
            session.turns.add("", Kind::System, message);
        }
        kind if kind.starts_with("hook.") => session.tally.add(HOOKS),
        kind => {
            let families =
                ["session.", "assistant.", "tool.", "subagent.", "permission.", "user_input."];
            let is_known = families.iter().any(|family| kind.starts_with(family));
            let says_something =
                ["content", "message", "text"].iter().any(|key| text(&data, key).is_some());
            // Internal events are not relevant to readers.
            if !is_known && says_something {
                let name = if kind.is_empty() { "event" } else { kind };
                session.tally.unknown(name);
                message.blocks.push(Block::Unknown { name: name.to_owned(), value: Value::Null });
                session.turns.add("", Kind::Person, message);
            }
        }
    }
}

/// Adds text of the user. Text that Copilot writes in the user's role is only counted.
fn asked(data: &Map, mut message: Message, session: &mut Session) {
    let source = text(data, "source").unwrap_or("user");
    if source != "user" {
        return session.tally.add(INJECTED);
    }
    let words = text(data, "content").unwrap_or_default().to_owned();
    message.blocks.push(Block::Markdown { text: words });
    let attached = data.get("attachments").and_then(Value::as_array);
    for file in attached.into_iter().flatten().filter_map(Value::as_object) {
        let name =
            ["displayName", "path", "filePath", "name"].iter().find_map(|key| text(file, key));
        let name = name.unwrap_or_default().trim_end_matches(['/', '\\']);
        let name = base_name(name);
        session.tally.missing_file();
        message.blocks.push(missing(name, AttachmentKind::File));
    }
    // The prompt of a subagent does not come from the user.
    session.turns.add(USER, Kind::Person, message);
}

fn answered(data: &Map, mut message: Message, way: usize, session: &mut Session) {
    let thought = text(data, "reasoningText");
    let before = session.thoughts.remove(&way);
    if let Some(thought) = thought.filter(|thought| before.as_deref() != Some(*thought)) {
        message.blocks.push(Block::Thinking { text: thought.to_owned() });
    }
    if let Some(words) = text(data, "content") {
        message.blocks.push(Block::Markdown { text: words.to_owned() });
    }
    let calls = data.get("toolRequests").and_then(Value::as_array);
    for call in calls.into_iter().flatten().filter_map(Value::as_object) {
        if visibility::is_marked(call) {
            session.withhold(call);
            session.tally.add(OF_PRIVATE);
            continue;
        }
        let (record, call) = (call, tool::started(call));
        let known = session.turns.call_of(&call.id);
        if !known.is_some_and(|known| tool::is_same(known, record, &call)) {
            message.blocks.push(Block::Tool(Box::new(call)));
        }
    }
    let model = text(data, "model").map(str::to_owned).or_else(|| session.model.clone());
    let output_tokens = data.get("outputTokens").and_then(Value::as_u64);
    message.usage = Usage { model, output_tokens, ..Usage::default() };
    session.turns.add(COPILOT, Kind::Assistant, message);
}

/// Adds the result of a call.
fn completed(data: &Map, session: &mut Session) {
    let id = text(data, "toolCallId").unwrap_or_default();
    let (result, exit_code) = tool::completed(data);
    session.turns.result(id, Outcome { result, exit_code });
}
