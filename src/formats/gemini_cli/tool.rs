//! Tool calls and their results.

use crate::shared::access::tool_access::{UNNAMED, action, full_name, is_foreign, reveals_server};
use crate::shared::agents::call_states::result_state;
use crate::shared::agents::exit_code;
use crate::shared::agents::gemini_parts::{self, Part};
use crate::shared::agents::turns::fail;
use crate::shared::json::object::text;
use convo_base::json::{Map, Value};
use convo_base::model::{Action, Block, ToolCall, ToolError, ToolResult};

/// Sets the action of a call, if its tool is of a known kind.
pub(super) fn complete(call: &mut ToolCall) {
    call.action = call.input.as_ref().and_then(|input| action(&call.name, input));
    let output = call.results.iter().find_map(|result| result.output.as_ref()?.as_str());
    if let (Some(Action::Command { exit_code: code, .. }), Some(output)) =
        (&mut call.action, output)
    {
        *code = code.or_else(|| exit_code::below(output).map(|(code, _)| code));
    }
    fail(call);
}

/// Reads a tool call of a message, with the pictures in its result.
pub(super) fn call(call: &Map) -> Vec<Block> {
    let input = call.get("args").filter(|input| !input.is_null()).cloned();
    let mut own_name = full_name(call, text(call, "name").unwrap_or(UNNAMED));
    let (mut results, mut beside) = (Vec::new(), Vec::new());
    // Whether a result is from the tool of another server, so that it is not shown.
    let mut has_foreign = false;
    let list = match call.get("result") {
        Some(Value::Array(list)) => list.as_slice(),
        Some(Value::Null) | None => &[],
        Some(one) => std::slice::from_ref(one),
    };
    for found in list {
        match gemini_parts::part(found) {
            Part::Result { name, .. } if is_foreign(&name, &own_name) => {
                has_foreign = true;
                if reveals_server(&name, &own_name) {
                    own_name = name;
                }
            }
            Part::Result { result, .. } => results.push(*result),
            Part::Block(Block::Markdown { text }) => {
                results.push(ToolResult { output: Some(text.into()), ..ToolResult::default() });
            }
            Part::Block(Block::Attachment(mut file))
            | Part::MissingFile(Block::Attachment(mut file)) => {
                file.call = Some(text(call, "id").unwrap_or_default().to_owned());
                beside.push(Block::Attachment(file));
            }
            Part::Block(_) | Part::MissingFile(_) | Part::Unknown(_) | Part::Nothing => {}
        }
    }
    let state = result_state(text(call, "status").unwrap_or_default());
    let shown = call.get("resultDisplay").and_then(Value::as_str).filter(|_| !has_foreign);
    if has_foreign {
        beside.clear();
    }
    if results.is_empty() && (shown.is_some() || !state.is_empty()) {
        let shown = shown.filter(|shown| !shown.is_empty());
        results.push(match state {
            "failed" => {
                let message = shown.map(str::to_owned);
                let error = message
                    .map(|message| ToolError { message: Some(message), ..Default::default() });
                ToolResult { error, ..ToolResult::default() }
            }
            _ => ToolResult { output: shown.map(Value::from), ..ToolResult::default() },
        });
    }
    for result in &mut results {
        // A call that the user rejected is reported to the model as an error.
        if result.state.is_empty() || state == "canceled" {
            state.clone_into(&mut result.state);
        }
    }
    let mut tool = ToolCall {
        id: text(call, "id").unwrap_or_default().to_owned(),
        name: own_name,
        input,
        results,
        ..ToolCall::default()
    };
    complete(&mut tool);
    std::iter::once(Block::Tool(Box::new(tool))).chain(beside).collect()
}
