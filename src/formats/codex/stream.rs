//! What `codex exec --json` prints: the items of an answer, each of which is complete.
//!
//! ```text
//! {"type": "thread.started", "thread_id": "…"}
//! {"type": "item.completed", "item": {"id": "item_1", "type": "command_execution", "command": …, "exit_code": 0, …}}
//! {"type": "turn.completed", "usage": {"input_tokens": 10, "cached_input_tokens": 0, "output_tokens": 5}}
//! ```
//!
//! It contains no prompts and no times.

use std::collections::HashSet;

use super::session::CODEX;
use crate::shared::access::tool_access::served_name;
use crate::shared::agents::editor::line_starts;
use crate::shared::agents::turns::{At, Turns, Who};
use crate::shared::json::events::each_event;
use crate::shared::json::object::text;
use crate::shared::tally::no_messages;
use crate::{File, Parsed};
use convo_base::diag::Severity;
use convo_base::json::{self, Map, Value};
use convo_base::model::{
    Action, EditKind, FileEdit, PlanStep, StepState, ToolCall, ToolError, ToolResult, Usage,
};

/// Returns whether a text is such output.
pub(super) fn is_one(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let keys = json::keys(first);
    let has = |key: &str, value: &str| keys.contains(&(key, value));
    has("type", "\"thread.started\"") && keys.iter().any(|(key, _)| *key == "thread_id")
}

pub(super) fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    for (index, file) in files.iter().enumerate() {
        let (mut turns, mut notes) = (Turns::new(index, CODEX), Vec::new());
        // An item can be private before it is complete.
        let mut private_items = HashSet::new();
        each_event(file, index, &[], &mut notes, &mut |mut object, line, notes| {
            let has_item = object.get("item").is_some();
            let is_withheld = object.is_withheld_event(has_item, notes);
            let start = object.start().start;
            let map = object.rest();
            let id = map.get("item").and_then(|item| item.get("id")?.as_str());
            if is_withheld && !has_item {
                // The thread or an answer, the items of which do not name it.
                turns.read.private = true;
            } else if is_withheld || id.is_some_and(|id| private_items.contains(id)) {
                turns.withhold(start);
                private_items.extend(id.map(str::to_owned));
            } else {
                event(&map, line, &mut turns);
            }
        });
        let read = turns.done(&line_starts(&file.text), &mut notes);
        if read.is_none() {
            notes.push(no_messages(Severity::Hint).in_file(index));
        }
        parsed.conversations.extend(read);
        parsed.notes.append(&mut notes);
    }
    parsed
}

fn event(event: &Map, line: u32, turns: &mut Turns) {
    let failure = |key: &str| {
        let error = event.get("error").and_then(Value::as_object).unwrap_or(event);
        text(error, key).map(str::to_owned)
    };
    match text(event, "type").unwrap_or_default() {
        "thread.started" => turns.read.id = text(event, "thread_id").map(str::to_owned),
        "item.completed" => {
            if let Some(item) = event.get("item").and_then(Value::as_object) {
                turns.turn(Who::Assistant, At { line, quoted: true, ..At::default() });
                add(item, line, turns);
            }
        }
        "turn.completed" => {
            let usage = event.get("usage").and_then(Value::as_object);
            let count = |key: &str| usage?.get(key)?.as_u64();
            let cached = count("cached_input_tokens").filter(|count| *count > 0);
            turns.add_usage(&Usage {
                input_tokens: count("input_tokens")
                    .map(|all| all.saturating_sub(cached.unwrap_or_default())),
                cache_read_tokens: cached,
                output_tokens: count("output_tokens"),
                ..Usage::default()
            });
        }
        "turn.failed" | "error" => {
            turns.turn(Who::Assistant, At { line, quoted: true, ..At::default() });
            turns.event("error", &failure("message").unwrap_or_else(|| "error".to_owned()));
        }
        // They are repeated when they are complete.
        "turn.started" | "item.started" | "item.updated" => {}
        kind => {
            turns.turn(Who::Program, At { line, quoted: true, ..At::default() });
            turns.unknown(if kind.is_empty() { "event" } else { kind }, line);
        }
    }
}

/// Adds an item to the turn.
fn add(item: &Map, line: u32, turns: &mut Turns) {
    let words = |key: &str| text(item, key).unwrap_or_default().to_owned();
    let id = words("id");
    match text(item, "type").unwrap_or_default() {
        "agent_message" => turns.say(&words("text")),
        "reasoning" => turns.think(&words("text")),
        "command_execution" => {
            let exit_code = item.get("exit_code").and_then(Value::as_i64);
            let action = Action::Command { command: words("command"), exit_code };
            let output = text(item, "aggregated_output").map(Value::from);
            turns.call(ToolCall {
                id,
                name: "exec_command".to_owned(),
                action: Some(action),
                results: vec![result(item, output)],
                ..ToolCall::default()
            });
        }
        "file_change" => {
            let changes = item.get("changes").and_then(Value::as_array);
            let files = changes.into_iter().flatten().filter_map(|change| {
                let change = change.as_object()?;
                let kind = match text(change, "kind") {
                    Some("add") => EditKind::Write,
                    Some("delete") => EditKind::Delete,
                    _ => EditKind::Update,
                };
                Some(FileEdit { kind, ..FileEdit::replaced(text(change, "path")?, "", "") })
            });
            turns.call(ToolCall {
                id,
                name: "apply_patch".to_owned(),
                action: Some(Action::Edit { files: files.collect() }),
                results: vec![result(item, None)],
                ..ToolCall::default()
            });
        }
        "mcp_tool_call" => {
            let content = item.get("result").and_then(|result| result.get("content"));
            turns.call(ToolCall {
                id,
                name: served_name(&words("server"), &words("tool")),
                input: item.get("arguments").filter(|input| !input.is_null()).cloned(),
                results: vec![result(item, content.cloned())],
                ..ToolCall::default()
            });
        }
        "web_search" => {
            let query = Some(words("query"));
            turns.call(ToolCall {
                id,
                name: "web_search".to_owned(),
                action: Some(Action::Search { query, results: Vec::new() }),
                ..ToolCall::default()
            });
        }
        "todo_list" => {
            let steps = item.get("items").and_then(Value::as_array);
            let steps = steps.into_iter().flatten().filter_map(|step| {
                let is_done = step.get("completed") == Some(&Value::Bool(true));
                let state = if is_done { StepState::Done } else { StepState::Open };
                Some(PlanStep { text: step.get("text")?.as_str()?.to_owned(), state })
            });
            turns.call(ToolCall {
                id,
                name: "update_plan".to_owned(),
                action: Some(Action::Plan { steps: steps.collect() }),
                ..ToolCall::default()
            });
        }
        "error" => turns.event("error", &words("message")),
        kind => turns.unknown(if kind.is_empty() { "item" } else { kind }, line),
    }
}

/// Returns the result of a call, with its output.
fn result(item: &Map, output: Option<Value>) -> ToolResult {
    let state = match text(item, "status") {
        Some("completed") => "succeeded",
        Some("failed") => "failed",
        Some("declined") => "rejected",
        _ => "",
    };
    let error = item.get("error").and_then(|error| error.get("message")?.as_str());
    let error =
        error.map(|text| ToolError { message: Some(text.to_owned()), ..ToolError::default() });
    ToolResult { state: state.to_owned(), output, error, ..ToolResult::default() }
}
