//! Tool calls of Cline and Roo Code.

use crate::shared::access::tool_access::{action, served_name};
use crate::shared::agents::editor::edit;
use convo_base::json::{self, Map, Value};
use convo_base::model::{Action, PlanStep, StepState, ToolCall, ToolResult};

/// Returns a result with an output.
pub(crate) fn result(output: Value) -> ToolResult {
    ToolResult { output: Some(output), ..ToolResult::default() }
}

/// Reads a call as shown on screen: `{"tool": "readFile", "path": …}`.
pub(crate) fn on_screen(mut map: Map) -> ToolCall {
    let name = match map.shift_remove("tool") {
        Some(Value::String(name)) => name,
        _ => String::new(),
    };
    let mut call = ToolCall { name, ..ToolCall::default() };
    let text = |map: &Map, key: &str| map.get(key).and_then(Value::as_str).map(str::to_owned);
    let path = text(&map, "path").unwrap_or_default();
    match call.name.as_str() {
        "newFileCreated" | "updateTodoList" => {
            call.action = action(&call.name, &Value::Object(map.clone()));
        }
        "editedExistingFile" | "appliedDiff" | "searchAndReplace" | "insertContent" => {
            let change = text(&map, "diff").or_else(|| text(&map, "content"));
            call.action = change.and_then(|change| edit(path, &change));
        }
        // The absolute path of the file, which is redundant.
        "readFile" => _ = map.shift_remove("content"),
        // The results of the search.
        name if name.starts_with("list") || name.starts_with("search") => {
            call.results.extend(map.shift_remove("content").map(result));
        }
        _ => {}
    }
    map.retain(|_, value| !value.is_null());
    call.input = (call.action.is_none() && !map.is_empty()).then(|| map.into());
    call
}

/// Reads a call of an MCP tool.
pub(crate) fn of_server(map: &Map) -> ToolCall {
    let text = |key: &str| map.get(key).and_then(Value::as_str);
    let (server, tool) = (text("serverName").unwrap_or_default(), text("toolName"));
    let given = map.get("arguments").or_else(|| map.get("uri")).cloned();
    let input = given.map(|given| match given.as_str().map(json::parse) {
        Some(Ok((value @ Value::Object(_), _))) => value,
        _ => given,
    });
    ToolCall {
        name: served_name(server, tool.unwrap_or("resource")),
        input: input.filter(|input| !input.is_null()),
        ..ToolCall::default()
    }
}

/// Returns a call of an MCP tool that cannot be read.
pub(crate) fn of_unknown_server(text: &str) -> ToolCall {
    let input = Some(text).filter(|text| !text.trim().is_empty()).map(Value::from);
    ToolCall { name: served_name("", "tool"), input, ..ToolCall::default() }
}

/// Returns a notification of an MCP server: `[server] info: text`.
pub(crate) fn notification(text: &str) -> ToolCall {
    let server = text.trim_start().strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let server = server.map_or("", |(server, _)| server);
    let results = vec![result(text.into())];
    ToolCall { name: served_name(server, "notification"), results, ..ToolCall::default() }
}

/// Returns whether a tool is of a server.
pub(crate) fn is_served(name: &str) -> bool {
    name.starts_with("mcp")
}

/// Returns the name of a tool with its server, which is among its `given` arguments.
pub(crate) fn full_name<'v>(name: &str, given: impl Fn(&str) -> Option<&'v str>) -> String {
    match name {
        "use_mcp_tool" | "access_mcp_resource" => served_name(
            given("server_name").unwrap_or_default(),
            given("tool_name").unwrap_or("resource"),
        ),
        name => name.to_owned(),
    }
}

/// Reads a to-do list: `- [x] done`.
pub(crate) fn plan(text: &str) -> Option<Action> {
    let step = |line: &str| {
        let rest = line.trim().strip_prefix(['-', '*'])?.trim_start().strip_prefix('[')?;
        let (mark, text) = rest.split_once(']')?;
        Some(PlanStep { text: text.trim().to_owned(), state: state(mark) })
    };
    let steps: Vec<PlanStep> = text.lines().filter_map(step).collect();
    (!steps.is_empty()).then_some(Action::Plan { steps })
}

fn state(word: &str) -> StepState {
    match word {
        "x" | "X" => StepState::Done,
        "-" | "~" => StepState::Active,
        _ => StepState::Open,
    }
}
