//! Events of the versions before 1.

use crate::shared::access::tool_access::{marked_name, plan};
use crate::shared::agents::turns::{At, Message, Outcome, To, Turns, Who};
use crate::shared::json::object::text;
use crate::shared::text::dates::iso;
use convo_base::json::{Map, Value};
use convo_base::model::{Action, COMPACTION, FileEdit, Place, ToolCall, ToolResult, Usage};

/// Actions of the program itself, and prompts that it adds for the model.
const HIDDEN: [&str; 15] = [
    "change_agent_state", "condensation_request", "initialize", "loop_recovery", "null", "pause",
    "push", "recall", "resume", "send_pr", "start", "stop", "summarize", "system", "finish_task",
];
/// Observations that repeat their action, or say something about the program.
const SILENT: [&str; 11] = [
    "agent_state_changed", "chat", "condense", "download", "loop_detection", "message", "null",
    "recall", "success", "think", "task_tracking",
];

pub(super) fn event(event: &Map, line: u32, turns: &mut Turns) {
    let is_person = text(event, "source") == Some("user");
    let who = if is_person { Who::Person } else { Who::Assistant };
    let time = text(event, "timestamp").and_then(iso);
    let at = At { line, quoted: true, time, id: call_id(event) };
    match (text(event, "action"), text(event, "observation")) {
        (Some(kind), _) => {
            let empty = Map::new();
            let args = event.get("args").and_then(Value::as_object).unwrap_or(&empty);
            let is_hidden = args.get("hidden") == Some(&Value::Bool(true));
            if is_hidden || HIDDEN.contains(&kind) {
                return turns.count_hidden();
            }
            if kind == "condensation" {
                let place = Place { file: turns.file, line, quoted: true };
                let message = Message { id: at.id, time: at.time, place, ..Message::default() };
                let summary = text(args, "summary").map(str::to_owned);
                return turns.event_without_speaker(COMPACTION, "", summary, message);
            }
            let source = text(event, "source").unwrap_or("agent");
            if kind == "message" && !["user", "agent"].contains(&source) {
                return turns.count_hidden();
            }
            turns.turn(who, at);
            if let Some(model) = model(event) {
                turns.add_usage(&Usage { model: Some(model), ..Usage::default() });
            }
            action(kind, args, call_id(event).unwrap_or_default(), line, turns);
        }
        (None, Some(kind)) => observation(kind, event, at, turns),
        (None, None) => turns.count_hidden(),
    }
}

/// Returns the number of an event, as the id of its call.
pub(super) fn call_id(event: &Map) -> Option<String> {
    event.get("id").and_then(Value::as_u64).map(|id| id.to_string())
}

/// Returns the model that answered.
fn model(event: &Map) -> Option<String> {
    let answer = event.get("tool_call_metadata")?.get("model_response")?;
    answer.get("model")?.as_str().map(str::to_owned)
}

/// Adds an action to the turn.
fn action(kind: &str, args: &Map, id: String, line: u32, turns: &mut Turns) {
    let words = |key: &str| text(args, key).unwrap_or_default();
    let thought = words("thought");
    match kind {
        "message" => {
            turns.say(words("content"));
            for key in ["image_urls", "images_urls", "file_urls"] {
                let urls = args.get(key).and_then(Value::as_array);
                for url in urls.into_iter().flatten().filter_map(Value::as_str) {
                    turns.attach(url, url);
                }
            }
            return;
        }
        "think" => return turns.think(thought),
        "finish" | "reject" => {
            let outputs = args.get("outputs").and_then(Value::as_object);
            let output = |key: &str| outputs.and_then(|outputs| text(outputs, key));
            let answer = [text(args, "final_thought"), output("content"), output("reason")];
            let answer = answer.into_iter().flatten().next().unwrap_or(thought);
            return turns.say(answer);
        }
        _ => turns.say(thought),
    }
    let input = |keys: &[&str]| -> Option<Value> {
        let pick = |key: &&str| Some(((*key).to_owned(), args.get(*key)?.clone()));
        let map: Map = keys.iter().filter_map(pick).filter(|(_, value)| !value.is_null()).collect();
        (!map.is_empty()).then_some(Value::Object(map))
    };
    let call = ToolCall { id, name: kind.to_owned(), ..ToolCall::default() };
    let with_action = |action: Action| ToolCall { action: Some(action), ..call.clone() };
    let with_input = |keys: &[&str]| ToolCall { input: input(keys), ..call.clone() };
    let edited = |file: FileEdit| with_action(Action::Edit { files: vec![file] });
    turns.call(match kind {
        "run" => {
            with_action(Action::Command { command: words("command").to_owned(), exit_code: None })
        }
        "run_ipython" => with_input(&["code"]),
        "read" => with_input(&["path", "view_range"]),
        "write" => edited(FileEdit::written(words("path"), words("content"))),
        "edit" if words("command") == "create" => {
            edited(FileEdit::written(words("path"), words("file_text")))
        }
        "edit" if args.contains_key("old_str") && !args["old_str"].is_null() => {
            edited(FileEdit::replaced(words("path"), words("old_str"), words("new_str")))
        }
        "edit" => {
            with_input(&["command", "path", "insert_line", "new_str", "content", "start", "end"])
        }
        "browse" => with_input(&["url"]),
        "browse_interactive" => with_input(&["browser_actions"]),
        "call_tool_mcp" => {
            let name = marked_name(words("name"));
            ToolCall { name, input: input(&["arguments"]), ..call.clone() }
        }
        "delegate" => with_input(&["agent", "inputs"]),
        "task_tracking" => match plan(args) {
            Some(plan) => with_action(plan),
            None => with_input(&["command"]),
        },
        kind => return turns.unknown(if kind.is_empty() { "action" } else { kind }, line),
    });
}

/// Adds what an action led to.
fn observation(kind: &str, event: &Map, at: At, turns: &mut Turns) {
    let cause = event.get("cause").and_then(|cause| {
        let number = cause.as_u64().or_else(|| cause.as_str()?.parse().ok());
        number.map(|id| id.to_string())
    });
    if SILENT.contains(&kind) {
        return turns.count_hidden();
    }
    let extras = event.get("extras").and_then(Value::as_object);
    let content = text(event, "content").unwrap_or_default();
    let outputs = || extras?.get("outputs")?.get("content")?.as_str();
    let content = if content.is_empty() { outputs().unwrap_or_default() } else { content };
    let state = match kind {
        "error" => "failed",
        "user_rejected" => "rejected",
        _ => "",
    };
    let Some(cause) = cause else {
        // Without the action, nobody can say whose text it is.
        if kind != "error" {
            return turns.count_hidden();
        }
        turns.turn(Who::Assistant, at);
        return turns.event(kind, content);
    };
    let output = Some(content.into());
    let result = ToolResult { state: state.to_owned(), output, ..ToolResult::default() };
    // What a server returns belongs to the server, whatever its call says.
    let server =
        extras.filter(|_| kind == "mcp").map(|extras| text(extras, "name").unwrap_or_default());
    let name = server.map(marked_name).unwrap_or_default();
    let exit_code = extras.and_then(|extras| {
        let metadata = extras.get("metadata").and_then(|metadata| metadata.get("exit_code"));
        metadata.or(extras.get("exit_code"))?.as_i64()
    });
    turns.result(To::Call { id: &cause, name: &name }, Outcome { result, exit_code });
}
