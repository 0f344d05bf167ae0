//! Reads tool calls in a message.

use crate::shared::access::tool_access::{full_name, server_of};
use convo_base::json::{self, Map, Value};
use convo_base::model::{Block, ToolCall};

/// Returns a call with its name and arguments, which may be JSON in a string.
pub(super) fn call_block(mut map: Map, id: String) -> Block {
    let name = match map.shift_remove("name") {
        Some(Value::String(name)) => name,
        _ => String::new(),
    };
    let name = full_name(&map, &name);
    let keys = ["arguments", "parameters", "input", "args"];
    let input = keys.iter().find_map(|key| map.shift_remove(*key)).map(|input| match input {
        Value::String(text) => match json::parse(&text) {
            Ok((value @ (Value::Object(_) | Value::Array(_)), _)) => value,
            _ => text.into(),
        },
        input => input,
    });
    let input = input.filter(|input| !input.is_null() && input.as_str() != Some(""));
    Block::Tool(Box::new(ToolCall { id, name, input, ..ToolCall::default() }))
}

/// Reads an entry of `tool_calls`, or the older `function_call`.
pub(super) fn tool_call(call: Value, is_listed: bool) -> Option<Block> {
    let Value::Object(mut map) = call else { return None };
    let id = match map.shift_remove("id") {
        Some(Value::String(id)) if is_listed => id,
        _ => String::new(),
    };
    let server = server_of(&map).map(str::to_owned);
    let kinds = ["function", "custom"];
    let inner = kinds.into_iter().find_map(|kind| match map.shift_remove(kind) {
        Some(Value::Object(inner)) => Some(inner),
        _ => None,
    });
    let mut own = inner.unwrap_or(map);
    if let Some(server) = server {
        own.insert("server_name".to_owned(), server.into());
    }
    Some(call_block(own, id))
}

/// Reads a message whose text is a call, or a list of calls, as JSON.
pub(super) fn calls_in_text(content: Value) -> Vec<Block> {
    let value = match content {
        Value::String(text) => match json::parse(&text) {
            Ok((value @ (Value::Object(_) | Value::Array(_)), _)) => value,
            _ => {
                let call = ToolCall { input: Some(text.into()), ..ToolCall::default() };
                return vec![Block::Tool(Box::new(call))];
            }
        },
        value => value,
    };
    let values = match value {
        Value::Array(values) => values,
        value => vec![value],
    };
    let calls = values.into_iter().filter_map(|value| tool_call(value, false));
    calls.collect()
}
