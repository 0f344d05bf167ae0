//! The output items of an answer, in the format of the OpenAI Responses API.

use std::collections::HashSet;

use crate::shared::access::tool_access::full_name;
use crate::shared::access::visibility;
use crate::shared::agents::thread::{Blocks, Context, arguments, first, text};
use crate::shared::tally::MARKED;
use convo_base::json::{Map, Value};
use convo_base::model::{ToolCall, ToolResult};

/// Reads the items; returns whether any of them is visible.
pub(super) fn read(items: &[Value], blocks: &mut Blocks, context: &mut Context<'_>) -> bool {
    let mut seen = HashSet::new();
    let mut private = HashSet::new();
    let mut any = false;
    for item in items.iter().filter_map(Value::as_object) {
        let kind = text(item, "type").unwrap_or_default();
        let id = first(item, &["call_id", "id"]).unwrap_or_default();
        // The result of a private call is private, and so is a text that repeats it.
        let is_marked = visibility::is_marked(item);
        if is_marked || !id.is_empty() && private.contains(id) {
            any = true;
            private.insert(id);
            context.tally.add(MARKED);
            continue;
        }
        match kind {
            "message" => {
                for part in parts(item, "content") {
                    any = true;
                    blocks.push_text(&part, true);
                }
            }
            "reasoning" => {
                let whole = parts(item, "content");
                let reported = if whole.is_empty() { parts(item, "summary") } else { whole };
                any |= !reported.is_empty();
                blocks.think(&reported.join("\n\n"));
            }
            "function_call" => {
                any = true;
                // It may occur twice: once when it began, and once when it was completed.
                if !id.is_empty() && !seen.insert(id.to_owned()) {
                    continue;
                }
                blocks.call(ToolCall {
                    id: id.to_owned(),
                    name: full_name(item, text(item, "name").unwrap_or_default()),
                    input: arguments(item.get("arguments")),
                    ..ToolCall::default()
                });
            }
            "function_call_output" => {
                any = true;
                let output = match item.get("output") {
                    Some(Value::Array(_)) => Some(parts(item, "output").join("\n\n").into()),
                    other => other.filter(|output| !output.is_null()).cloned(),
                };
                let state = match text(item, "status") {
                    Some("completed") => "succeeded",
                    Some("failed" | "incomplete") => "failed",
                    _ => "",
                };
                let result =
                    ToolResult { state: state.to_owned(), output, ..ToolResult::default() };
                blocks.result(first(item, &["call_id"]).unwrap_or_default(), result);
            }
            // Written by the code interpreter of Open WebUI.
            kind if kind.ends_with("code_interpreter") || kind == "code_interpreter_call" => {
                any = true;
                blocks.call(program(item));
            }
            kind if kind.ends_with("web_search_call") || kind.ends_with("file_search_call") => {}
            kind => blocks.unknown(kind, context.tally),
        }
    }
    any
}

/// Returns the texts of a list of parts, or the single text in its place.
fn parts(item: &Map, key: &str) -> Vec<String> {
    match item.get(key) {
        Some(Value::String(text)) if !text.trim().is_empty() => vec![text.clone()],
        Some(Value::Array(parts)) => {
            let text_of = |part: &Value| {
                let found = part.as_str().or_else(|| part.get("text")?.as_str());
                found.filter(|text| !text.trim().is_empty()).map(str::to_owned)
            };
            parts.iter().filter_map(text_of).collect()
        }
        _ => Vec::new(),
    }
}

fn program(item: &Map) -> ToolCall {
    let output = item.get("output").or_else(|| item.get("outputs"));
    let output = output.filter(|output| !output.is_null());
    let result =
        output.map(|output| ToolResult { output: Some(output.clone()), ..ToolResult::default() });
    ToolCall {
        name: "code_interpreter".to_owned(),
        input: text(item, "code").map(Value::from),
        results: result.into_iter().collect(),
        ..ToolCall::default()
    }
}
