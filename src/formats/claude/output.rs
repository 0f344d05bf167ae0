//! Results of tools.

use super::citations;
use super::tools::{Tool, text};
use convo_base::json::{self, Map, Value};
use convo_base::model::Citation;

/// The output of a tool.
#[derive(Default)]
pub(super) struct Output {
    pub(super) text: Option<String>,
    /// Web pages.
    pub(super) found: Vec<Citation>,
    pub(super) exit_code: Option<i64>,
}

/// Reads the output of a tool. `block` contains the other values of the result.
pub(super) fn output(tool: Tool, content: &Value, block: &Map) -> Output {
    let mut output = Output::default();
    let mut lines = Vec::new();
    match content {
        Value::Array(list) => {
            for item in list {
                read(item, &mut lines, &mut output.found);
            }
        }
        content => read(content, &mut lines, &mut output.found),
    }
    if lines.is_empty() && output.found.is_empty() {
        shown(block.get("display_content"), &mut lines, &mut output.found);
    }
    let text = lines.join("\n");
    output.text = match tool {
        Tool::Shell => match of_shell(&text) {
            Some((code, text)) => {
                output.exit_code = code;
                Some(text)
            }
            None => Some(text),
        },
        // The output only confirms success.
        Tool::Artifact if text == "OK" => None,
        _ => Some(text),
    };
    output.text = output.text.filter(|text| !text.is_empty());
    output
}

/// Reads an item of a result.
fn read(item: &Value, lines: &mut Vec<String>, found: &mut Vec<Citation>) {
    let item = match item {
        Value::Object(item) => item,
        Value::String(text) => return lines.push(text.clone()),
        _ => return,
    };
    match text(item, "type").unwrap_or("text") {
        "knowledge" | "web_search_result" | "rich_link" => {
            found.extend(citations::page(item));
        }
        // The file is shown below the call.
        "local_resource" => {}
        "text" => lines.extend(text(item, "text").map(str::to_owned)),
        "json" | "json_block" => match item.get("json").or_else(|| item.get("json_block")) {
            Some(Value::String(text)) => lines.push(text.clone()),
            Some(value) => lines.push(json::pretty(value)),
            None => {}
        },
        kind => match text(item, "text") {
            Some(text) => lines.push(text.to_owned()),
            None => lines.push(format!("[{kind}]")),
        },
    }
}

/// Reads the display content of a result that has no other content.
fn shown(display: Option<&Value>, lines: &mut Vec<String>, found: &mut Vec<Citation>) {
    let Some(Value::Object(display)) = display else { return };
    lines.extend(text(display, "text").map(str::to_owned));
    let links = display.get("content").and_then(Value::as_array);
    let link = display.get("link").into_iter();
    for item in links.into_iter().flatten().chain(link).filter_map(Value::as_object) {
        found.extend(citations::page(item));
    }
}

/// Parses the result of a shell, which is JSON inside a string: the exit code and the output.
fn of_shell(text: &str) -> Option<(Option<i64>, String)> {
    let text = text.trim();
    let value = text.starts_with('{').then(|| json::parse(text).ok())??.0;
    let map = value.as_object()?;
    let code = ["returncode", "return_code", "exit_code"];
    let code = code.iter().find_map(|key| map.get(*key)?.as_i64());
    let parts: Vec<&str> =
        ["stdout", "stderr"].iter().filter_map(|key| map.get(*key)?.as_str()).collect();
    if parts.is_empty() {
        return None;
    }
    let parts: Vec<&str> =
        parts.into_iter().map(str::trim_end).filter(|part| !part.is_empty()).collect();
    Some((code, parts.join("\n")))
}
