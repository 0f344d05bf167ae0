//! A message with its parts.

use crate::shared::access::tool_access::{action, full_name, some_call};
use crate::shared::access::visibility;
use crate::shared::agents::call_states::result_state;
use crate::shared::agents::turns::{At, Turns, Who};
use crate::shared::text::dates::of_value;
use convo_base::json::{self, Map, Value};
use convo_base::model::{Action, Block, ToolCall, ToolError, ToolResult, Usage};

/// A message with its parts.
pub(super) struct Message {
    /// Its file, and the line in it.
    pub(super) file: usize,
    pub(super) line: u32,
    pub(super) id: Option<String>,
    pub(super) info: Map,
    pub(super) parts: Vec<Value>,
    /// Its position, if it is marked as private.
    pub(super) withheld: Option<usize>,
}

impl Message {
    pub(super) fn show(self, session: &mut Turns) {
        if let Some(at) = self.withheld {
            return session.withhold(at);
        }
        let Self { file, line, id, info, parts, .. } = self;
        session.file = file;
        let text = |key: &str| info.get(key).and_then(Value::as_str);
        let times = info.get("time").and_then(Value::as_object);
        let created = times.and_then(|times| times.get("created"));
        let created =
            created.or_else(|| info.get("createdAt")).or_else(|| info.get("time_created"));
        let who = match text("role") {
            Some("user") => Who::Person,
            Some("assistant") => Who::Assistant,
            Some("system") => Who::System,
            _ => Who::Program,
        };
        let cwd = info.get("path").and_then(|path| path.get("cwd")?.as_str()).or(text("cwd"));
        if session.cwd.is_none() {
            session.cwd = cwd.map(str::to_owned);
        }
        session.turn(who, At { line, quoted: true, time: created.and_then(of_value), id });
        if who == Who::Program {
            return session.unknown(text("role").unwrap_or("message"), line);
        }
        for part in parts {
            if part.as_object().is_some_and(visibility::is_marked) {
                session.count_hidden();
                continue;
            }
            match part {
                Value::Object(part) => add(session, who, part, line),
                Value::String(text) => session.say(&text),
                _ => session.unknown("part", line),
            }
        }
        if let Some(error) = info.get("error").and_then(error) {
            session.event("error", &error);
        }
        if who == Who::Assistant {
            session.add_usage(&usage(&info, session.model.as_deref()));
        }
    }
}

fn error(error: &Value) -> Option<String> {
    let data = error.get("data").and_then(|data| data.get("message")?.as_str());
    let message = data.or_else(|| error.get("message")?.as_str());
    let name = error.get("name").and_then(Value::as_str);
    match (name, message.or(error.as_str())) {
        (_, Some(message)) if !message.trim().is_empty() => Some(message.to_owned()),
        (name, _) => name.map(str::to_owned),
    }
}

fn usage(info: &Map, model: Option<&str>) -> Usage {
    let text = |key: &str| info.get(key).and_then(Value::as_str);
    let tokens = info.get("tokens");
    let count = |key: &str| tokens?.get(key)?.as_u64();
    let cache = |key: &str| tokens?.get("cache")?.get(key)?.as_u64().filter(|count| *count > 0);
    Usage {
        model: text("modelID").or(text("model")).or(model).map(str::to_owned),
        input_tokens: count("input"),
        output_tokens: count("output"),
        reasoning_tokens: count("reasoning").filter(|count| *count > 0),
        cache_read_tokens: cache("read"),
        cache_write_tokens: cache("write"),
        cost_usd: info.get("cost").and_then(Value::as_f64).filter(|cost| *cost > 0.0),
        ..Usage::default()
    }
}

fn add(session: &mut Turns, who: Who, mut part: Map, line: u32) {
    let text = |part: &Map, key: &str| part.get(key).and_then(Value::as_str).map(str::to_owned);
    let is_hidden = visibility::is_set_in(&part, &["synthetic", "ignored"]);
    let kind = text(&part, "type").unwrap_or_default();
    match kind.as_str() {
        // Text that OpenCode adds in the user's role.
        "text" if is_hidden => session.count_hidden(),
        "text" => session.say(&text(&part, "text").unwrap_or_default()),
        "reasoning" => session.think(&text(&part, "text").unwrap_or_default()),
        "tool" => {
            let call = tool(&mut part);
            session.call(call);
        }
        "file" => {
            let name = text(&part, "filename").or_else(|| text(&part, "url"));
            let name = name.unwrap_or_default();
            let url = text(&part, "url").unwrap_or_default();
            session.attach_to(some_call(who == Who::Assistant), &name, &url);
        }
        "subtask" => {
            let words = text(&part, "description").or_else(|| text(&part, "prompt"));
            session.event("subtask", &words.unwrap_or_default());
        }
        "agent" => session.event("agent", &text(&part, "name").unwrap_or_default()),
        "retry" => {
            let reported = part.get("error").and_then(error).unwrap_or_default();
            session.event("retry", &reported);
        }
        "compaction" => session.push(Block::compaction(None)),
        "step-start" | "step-finish" | "snapshot" | "patch" => {}
        _ if who == Who::Person && kind.is_empty() => session.count_hidden(),
        kind => session.unknown(kind, line),
    }
}

/// Reads a call with its result.
fn tool(part: &mut Map) -> ToolCall {
    let text = |map: &Map, key: &str| map.get(key).and_then(Value::as_str).map(str::to_owned);
    let name = full_name(part, &text(part, "tool").unwrap_or_default());
    let mut call =
        ToolCall { id: text(part, "callID").unwrap_or_default(), name, ..ToolCall::default() };
    let mut state = match part.shift_remove("state") {
        Some(Value::Object(state)) => state,
        _ => Map::new(),
    };
    let input = state.shift_remove("input").filter(|input| !input.is_null());
    call.input = input.map(|input| match input.as_str().map(json::parse) {
        Some(Ok((value @ Value::Object(_), _))) => value,
        _ => input,
    });
    call.action = call.input.as_ref().and_then(|input| action(&call.name, input));
    let data = state.get("metadata").and_then(Value::as_object);
    let exit = data.and_then(|data| data.get("exit")?.as_i64());
    if let Some(Action::Command { exit_code, .. }) = &mut call.action {
        *exit_code = exit;
    }
    let is_invalid = call.name == "invalid";
    let word = text(&state, "status").unwrap_or_default();
    let state_word = match word.as_str() {
        "completed" if is_invalid => "failed",
        word => result_state(word),
    };
    let times = state.get("time").and_then(Value::as_object);
    let clock = |key: &str| times?.get(key)?.as_i64();
    let duration = clock("end").zip(clock("start")).map(|(end, start)| end.saturating_sub(start));
    let message = text(&state, "error").filter(|error| !error.trim().is_empty());
    let output = state.shift_remove("output").filter(|output| !output.is_null());
    let is_over = !state_word.is_empty() || output.is_some() || message.is_some();
    call.results.extend(is_over.then(|| ToolResult {
        state: state_word.to_owned(),
        output,
        error: message.map(|text| ToolError { message: Some(text), ..ToolError::default() }),
        duration: duration.filter(|millis| *millis >= 0).map(Value::from),
        ..ToolResult::default()
    }));
    call
}
