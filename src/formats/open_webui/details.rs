//! Thoughts, tool calls and executed code in the text of an answer: `<details type="reasoning">` and the
//! like.

use crate::shared::access::tool_access::UNNAMED;
use crate::shared::agents::thread::{Blocks, arguments};
use crate::shared::text::entities::decoded;
use crate::shared::text::html::attribute;
use convo_base::fences::only_code;
use convo_base::json::Value;
use convo_base::model::{ToolCall, ToolResult};

const OPEN: &str = "<details";
const CLOSE: &str = "</details>";
/// The types that are supported.
const KINDS: [&str; 3] = ["reasoning", "tool_calls", "code_interpreter"];

/// Adds the parts of a text in their order.
pub(super) fn read(text: &str, blocks: &mut Blocks) {
    let mut done = 0;
    let mut at = 0;
    while let Some(start) = text[at..].find(OPEN).map(|found| at + found) {
        at = start + OPEN.len();
        let Some(element) = element(text, start) else { continue };
        read_element(&element, &text[done..start], blocks);
        done = element.end;
        at = done;
    }
    blocks.push_text(&text[done..], true);
}

/// An element of a text.
struct Element<'t> {
    /// The opening tag, without `<` and `>`.
    tag: &'t str,
    kind: String,
    /// The contents, without the heading.
    inside: &'t str,
    end: usize,
}

/// Reads the element at a position. It extends to the end of the text if the answer was cut off.
fn element(text: &str, start: usize) -> Option<Element<'_>> {
    let rest = &text[start..];
    // Attribute values are escaped.
    let open = rest[1..].find(['<', '>']).map_or(rest.len(), |end| 1 + end);
    let tag = &rest[1..open];
    let kind = attribute(tag, "type").filter(|kind| KINDS.contains(&kind.as_str()))?;
    let behind = &rest[open..];
    let behind = behind.strip_prefix('>').unwrap_or(behind);
    let (inside, behind) = behind.split_once(CLOSE).unwrap_or((behind, ""));
    let end = text.len() - behind.len();
    let inside = inside.trim_start();
    let inside =
        match inside.strip_prefix("<summary>").and_then(|rest| rest.split_once("</summary>")) {
            Some((_, inside)) => inside,
            None => inside,
        };
    Some(Element { tag, kind, inside: inside.trim(), end })
}

/// Adds an element, after the text before it.
fn read_element(element: &Element<'_>, before: &str, blocks: &mut Blocks) {
    let attribute = |name: &str| attribute(element.tag, name);
    blocks.push_text(before, true);
    let inside = decoded(element.inside);
    match element.kind.as_str() {
        "reasoning" => {
            let lines = inside.lines().map(|line| {
                let line = line.strip_prefix('>').unwrap_or(line);
                line.strip_prefix(' ').unwrap_or(line)
            });
            blocks.think(&lines.collect::<Vec<_>>().join("\n"));
        }
        "tool_calls" => {
            let json = |name: &str| {
                let found = attribute(name).filter(|text| !text.is_empty())?;
                // Text is written as JSON, which may contain JSON again.
                match arguments(Some(&found.clone().into())) {
                    Some(Value::String(text)) => match serde_json::from_str::<Value>(&text) {
                        Ok(inner @ Value::String(_)) => arguments(Some(&inner)),
                        _ => Some(text.into()),
                    },
                    other => other,
                }
            };
            let output =
                json("result").or((!inside.is_empty()).then(|| inside.trim_matches('"').into()));
            let result =
                output.map(|output| ToolResult { output: Some(output), ..ToolResult::default() });
            blocks.call(ToolCall {
                id: attribute("id").unwrap_or_default(),
                name: attribute("name").unwrap_or_else(|| UNNAMED.to_owned()),
                input: json("arguments"),
                results: result.into_iter().collect(),
                ..ToolCall::default()
            });
        }
        _ => {
            let code = only_code(&inside).unwrap_or(inside.trim()).trim_end();
            let output = arguments(attribute("output").map(Value::from).as_ref());
            let output = match output {
                Some(Value::Object(mut map)) => {
                    map.retain(|_, value| !value.is_null() && *value != "");
                    match map.shift_remove("stdout") {
                        Some(only) if map.is_empty() => Some(only),
                        Some(other) => {
                            map.shift_insert(0, "stdout".to_owned(), other);
                            Some(Value::Object(map))
                        }
                        None => (!map.is_empty()).then_some(Value::Object(map)),
                    }
                }
                other => other,
            };
            let result =
                output.map(|output| ToolResult { output: Some(output), ..ToolResult::default() });
            blocks.call(ToolCall {
                name: "code_interpreter".to_owned(),
                input: Some(code.into()),
                results: result.into_iter().collect(),
                ..ToolCall::default()
            });
        }
    }
}
