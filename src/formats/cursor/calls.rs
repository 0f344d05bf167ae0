//! Tool calls of Cursor.

use crate::shared::access::tool_access::{action, served_name};
use crate::shared::agents::call_states::result_state;
use convo_base::json::{self, Map, Value};
use convo_base::model::{Action, ToolCall, ToolError, ToolResult};

/// The number of MCP tools among the kinds of tools.
const MCP: i64 = 19;

/// Reads a call of a transcript.
pub(super) fn of_part(part: &Value) -> ToolCall {
    let text = |key: &str| part.get(key).and_then(Value::as_str).unwrap_or_default();
    let input = part.get("input").cloned().filter(|input| !input.is_null());
    let name = server_name(text("name"), false, input.as_ref());
    let action = input.as_ref().and_then(|input| action(text("name"), input));
    ToolCall { id: text("id").to_owned(), name, input, action, ..ToolCall::default() }
}

/// Reads a call of a bubble, which includes its result.
pub(super) fn of_bubble(data: &Map) -> ToolCall {
    let text = |key: &str| data.get(key).and_then(Value::as_str);
    let parsed = |key: &str| {
        let text = text(key).filter(|text| !text.trim().is_empty())?;
        match json::parse(text) {
            Ok((value, _)) => Some(value),
            Err(_) => Some(text.into()),
        }
    };
    let own = text("name").unwrap_or_default();
    let is_given = |value: &Value| value.as_object().is_none_or(|map| !map.is_empty());
    let input = parsed("rawArgs").filter(is_given).or_else(|| parsed("params"));
    let params = parsed("params");
    let is_served = data.get("tool").and_then(Value::as_i64) == Some(MCP);
    let name = server_name(own, is_served, params.as_ref().or(input.as_ref()));
    let action = input.as_ref().and_then(|input| action(own, input));
    let state = text("status").unwrap_or_default();
    let mut result = ToolResult {
        state: result_state(state).to_owned(),
        output: parsed("result"),
        ..ToolResult::default()
    };
    let error = match data.get("error") {
        Some(Value::String(error)) => match json::parse(error) {
            Ok((Value::Object(map), _)) => message(&map).or(Some(error.clone())),
            _ => Some(error.clone()),
        },
        Some(Value::Object(map)) => message(map),
        _ => None,
    };
    if let Some(message) = error.filter(|error| !error.trim().is_empty()) {
        result.error = Some(ToolError { message: Some(message), ..ToolError::default() });
    }
    let mut call = ToolCall {
        id: text("toolCallId").unwrap_or_default().to_owned(),
        name,
        input,
        action,
        ..ToolCall::default()
    };
    shown_output(&mut call, &mut result);
    let is_known = !result.state.is_empty() || result.output.is_some() || result.error.is_some();
    call.results.extend(is_known.then_some(result));
    call
}

/// Extracts the text output of a tool from its wrapper, and the exit code of a command.
fn shown_output(call: &mut ToolCall, result: &mut ToolResult) {
    let Some(Value::Object(map)) = &result.output else { return };
    if let Some(Action::Command { exit_code, .. }) = &mut call.action {
        let codes = ["exitCodeV2", "exitCode"];
        *exit_code = codes.iter().find_map(|key| map.get(*key)?.as_i64());
    }
    let keys = ["output", "contents", "content"];
    let shown = keys.iter().find_map(|key| map.get(*key)?.as_str().map(str::to_owned));
    if map.is_empty() {
        result.output = None;
    } else if let Some(shown) = shown {
        result.output = Some(shown.into());
    }
}

fn message(error: &Map) -> Option<String> {
    let keys = ["modelVisibleErrorMessage", "clientVisibleErrorMessage", "message"];
    let mut texts = keys.iter().filter_map(|key| error.get(*key)?.as_str());
    texts.find(|text| !text.trim().is_empty()).map(str::to_owned)
}

/// Returns the name of a tool; that of an MCP tool is `mcp__server__tool`. The server is in the input,
/// whatever the name.
fn server_name(name: &str, is_served: bool, input: Option<&Value>) -> String {
    let text = |keys: &[&str]| keys.iter().find_map(|key| input?.get(*key)?.as_str());
    let of_params = || {
        let tool = input?.get("tools")?.as_array()?.first()?;
        let server = tool.get("serverName")?.as_str()?;
        let tool = tool.get("name").and_then(Value::as_str);
        Some(served_name(server, tool.unwrap_or(name)))
    };
    let is_marked = name.to_ascii_lowercase().contains("mcp");
    let named = || {
        let server = text(&["server", "serverName", "providerIdentifier"])?;
        // Tools of Cursor may have an argument `server`, too.
        let keys: &[&str] = if is_marked { &["toolName", "name"] } else { &["toolName"] };
        Some(served_name(server, text(keys)?))
    };
    let unnamed = || (is_served && !is_marked).then(|| served_name("", name));
    of_params().or_else(named).or_else(unnamed).unwrap_or_else(|| name.to_owned())
}

/// Returns the output of a tool: text unchanged, and parts joined to one text.
pub(super) fn output(content: Option<&Value>) -> Option<Value> {
    match content? {
        Value::Array(parts) => {
            let text = |part: &Value| part.get("text")?.as_str().map(str::to_owned);
            let texts: Option<Vec<String>> = parts.iter().map(text).collect();
            Some(texts.map_or_else(|| Value::Array(parts.clone()), |texts| texts.join("\n").into()))
        }
        Value::Null => None,
        other => Some(other.clone()),
    }
}
