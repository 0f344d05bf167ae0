//! Tool calls and their results.

use crate::shared::access::tool_access::{UNNAMED, action, served_name};
use crate::shared::agents::exit_code;
use crate::shared::json::object::text;
use convo_base::json::{Map, Value};
use convo_base::model::{ToolCall, ToolError, ToolResult};

/// Reads a call.
pub(super) fn started(call: &Map) -> ToolCall {
    let name = text(call, "name").or_else(|| text(call, "toolName")).unwrap_or(UNNAMED);
    let server = text(call, "mcpServerName");
    let name = server.map_or_else(|| name.to_owned(), |server| served_name(server, name));
    let input = call.get("arguments").filter(|input| !input.is_null()).cloned();
    let action = input.as_ref().and_then(|input| action(&name, input));
    let id = text(call, "toolCallId").unwrap_or_default().to_owned();
    ToolCall { id, name, input, action, ..ToolCall::default() }
}

/// Returns whether a record is about a known call. A call of another tool with its id is a new one.
pub(super) fn is_same(known: &ToolCall, record: &Map, call: &ToolCall) -> bool {
    let plain = text(record, "name").or_else(|| text(record, "toolName"));
    let is_same_tool = plain.is_none_or(|plain| {
        [plain, &call.name].contains(&known.name.as_str())
            || known.name.ends_with(&format!("__{plain}"))
    });
    let is_same_input = known.input.is_none() || call.input.is_none() || known.input == call.input;
    is_same_tool && (is_same_input || known.results.is_empty())
}

/// Reads the result of a call, and its exit code.
pub(super) fn completed(data: &Map) -> (ToolResult, Option<i64>) {
    let state = match data.get("success").and_then(Value::as_bool) {
        Some(true) => "succeeded",
        Some(false) => "failed",
        None => "",
    };
    let mut result = ToolResult { state: state.to_owned(), ..ToolResult::default() };
    let output = match data.get("result") {
        Some(Value::Object(map)) => {
            let output = text(map, "content").or_else(|| text(map, "detailedContent"));
            output.map(str::to_owned)
        }
        Some(Value::String(output)) => Some(output.clone()),
        _ => None,
    };
    let mut code = None;
    if let Some(output) = output {
        let found = exit_code::marked(&output);
        let shown = match &found {
            Some((_, mark)) => output[..mark.start].trim_end(),
            None => &output,
        };
        code = found.map(|(code, _)| code);
        result.output = (!shown.is_empty()).then(|| shown.into());
    }
    if let Some(error) = data.get("error").filter(|error| !error.is_null()) {
        let get = |key: &str| text(error.as_object()?, key).map(str::to_owned);
        let message = error.as_str().map(str::to_owned).or_else(|| get("message"));
        result.error = Some(ToolError { message, code: get("code"), ..ToolError::default() });
    }
    (result, code)
}
