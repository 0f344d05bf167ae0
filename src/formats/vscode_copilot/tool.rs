//! Tool calls.

use crate::shared::access::tool_access::{UNNAMED, full_name, plan, served_name};
use crate::shared::json::object::text;
use convo_base::json::{Map, Value};
use convo_base::model::{Action, Approval, Citation, ToolCall, ToolResult};
use convo_base::text::base_name;

/// Reads a call.
pub(super) fn call(map: &Map) -> ToolCall {
    let id = text(map, "toolCallId").unwrap_or_default().to_owned();
    let name = name_of(map);
    let did =
        ["pastTenseMessage", "invocationMessage"].iter().find_map(|key| message(map.get(*key)?));
    let mut call = ToolCall { id, name, ..ToolCall::default() };
    let mut result = ToolResult::default();
    if let Some(data) = map.get("toolSpecificData").and_then(Value::as_object) {
        specific(data, &mut call, &mut result);
    }
    details(map.get("resultDetails"), &mut call, &mut result);
    if call.input.is_none() && call.action.is_none() {
        call.input = did.map(Value::from);
    }
    if map.get("isComplete") == Some(&Value::Bool(true)) && result.state.is_empty() {
        "succeeded".clone_into(&mut result.state);
    }
    let decision = match map.get("isConfirmed") {
        Some(Value::Bool(true)) => None,
        Some(Value::Bool(false)) => Some("rejected"),
        Some(Value::Object(how)) => match how.get("type").and_then(Value::as_u64) {
            Some(0) => Some("rejected"),
            Some(4) => Some("approved"),
            Some(5) => Some("skipped"),
            _ => None,
        },
        _ => None,
    };
    if let Some(state) = decision {
        call.approvals.push(Approval { state: state.to_owned(), ..Approval::default() });
    }
    let is_refused = matches!(decision, Some("rejected" | "skipped"));
    if !is_refused && result != ToolResult::default() {
        call.results.push(result);
    }
    call
}

/// Returns the name of a tool; that of an MCP tool is `mcp__server__tool`.
fn name_of(map: &Map) -> String {
    let name = text(map, "toolId").unwrap_or(UNNAMED);
    let source = map.get("source").and_then(Value::as_object);
    let kind = source.and_then(|source| text(source, "type")).unwrap_or_default();
    // Tools of the editor, of its extensions and of the user are not served.
    if ["", "internal", "extension", "user"].contains(&kind) {
        return full_name(map, name);
    }
    let keys = ["label", "serverLabel", "definitionId"];
    let server = keys.iter().find_map(|key| text(source?, key)).unwrap_or_default();
    served_name(server, name.strip_prefix("mcp_").unwrap_or(name))
}

/// Reads data that is specific to one kind of tool.
fn specific(data: &Map, call: &mut ToolCall, result: &mut ToolResult) {
    match text(data, "kind").unwrap_or_default() {
        "terminal" | "terminal2" => {
            let line = data.get("commandLine").and_then(Value::as_object);
            let keys = ["userEdited", "toolEdited", "original", "forDisplay"];
            let line = line.and_then(|line| keys.iter().find_map(|key| text(line, key)));
            let Some(command) = line.or_else(|| text(data, "command")) else { return };
            let state = data.get("terminalCommandState").and_then(Value::as_object);
            let exit_code = state.and_then(|state| state.get("exitCode")?.as_i64());
            let output =
                data.get("terminalCommandOutput").and_then(|output| output.get("text")?.as_str());
            result.output = output.map(Value::from);
            result.duration = state
                .and_then(|state| state.get("duration"))
                .filter(|value| value.is_number())
                .cloned();
            if let Some(code) = exit_code {
                result.state = if code == 0 { "succeeded" } else { "failed" }.to_owned();
            }
            call.action = Some(Action::Command { command: command.to_owned(), exit_code });
        }
        "todoList" => call.action = plan(data),
        "input" => {
            call.input = data.get("rawInput").filter(|input| !input.is_null()).cloned();
        }
        "subagent" => {
            call.input =
                text(data, "prompt").or_else(|| text(data, "description")).map(Value::from);
            result.output = text(data, "result").map(Value::from);
        }
        _ => {}
    }
}

/// Reads the result of a call: its input and output, or the files found.
fn details(details: Option<&Value>, call: &mut ToolCall, result: &mut ToolResult) {
    match details {
        Some(Value::Object(map)) => {
            if let Some(input) = map.get("input").filter(|input| !input.is_null()) {
                call.input = Some(input.clone());
            }
            let output = match map.get("output") {
                Some(Value::Array(list)) => {
                    let is_text = |part: &&Value| part.get("isText") != Some(&Value::Bool(false));
                    let texts =
                        list.iter().filter(is_text).filter_map(|part| part.get("value")?.as_str());
                    texts.collect::<Vec<_>>().join("\n\n")
                }
                Some(Value::String(output)) => output.clone(),
                _ => String::new(),
            };
            if !output.is_empty() {
                result.output = Some(output.into());
            }
            if map.get("isError") == Some(&Value::Bool(true)) {
                "failed".clone_into(&mut result.state);
            }
        }
        Some(Value::Array(list)) => {
            let found = list.iter().filter_map(found);
            let (pages, files): (Vec<Citation>, Vec<Citation>) =
                found.partition(|found| found.url.is_some());
            if !pages.is_empty() && call.action.is_none() {
                call.action = Some(Action::Search { query: None, results: pages });
            }
            let names: Vec<String> = files.into_iter().filter_map(|file| file.title).collect();
            if !names.is_empty() && result.output.is_none() {
                result.output = Some(names.join("\n").into());
            }
        }
        _ => {}
    }
}

/// Returns a page or a file that was found.
fn found(place: &Value) -> Option<Citation> {
    let place = place.get("uri").unwrap_or(place).as_object()?;
    let scheme = text(place, "scheme").unwrap_or("file");
    let path = text(place, "path").or_else(|| text(place, "fsPath"))?;
    if !["http", "https"].contains(&scheme) {
        return Some(Citation { title: Some(base_name(path).to_owned()), url: None });
    }
    let url = format!("{scheme}://{}{path}", text(place, "authority").unwrap_or_default());
    Some(Citation { title: None, url: Some(url) })
}

/// The maximum length of a link in bytes.
const MAX_LINK_BYTES: usize = 4096;

/// Returns the text of a message, in which links to files are replaced by the files' names.
fn message(value: &Value) -> Option<String> {
    let words = value.as_str().or_else(|| value.get("value")?.as_str())?;
    let mut out = String::with_capacity(words.len());
    let mut rest = words;
    while let Some((before, behind)) = rest.split_once('[') {
        out.push_str(before);
        let near = behind.get(..behind.floor_char_boundary(MAX_LINK_BYTES)).unwrap_or(behind);
        let link = near.split_once(']').and_then(|(label, behind)| {
            let (address, behind) = behind.strip_prefix('(')?.split_once(')')?;
            (!label.contains(['[', '\n']) && !address.contains('\n'))
                .then_some((label, address, behind))
        });
        match link {
            Some((label, address, behind)) => {
                let name = address.split('#').next().unwrap_or_default();
                out.push_str(if label.is_empty() { base_name(name) } else { label });
                let at = behind.as_ptr() as usize - words.as_ptr() as usize;
                rest = words.get(at..).unwrap_or_default();
            }
            None => {
                out.push('[');
                rest = behind;
            }
        }
    }
    out.push_str(rest);
    Some(out).filter(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::message;

    #[test]
    fn links_to_files_are_their_names() {
        let read = |text: &str| message(&text.into()).unwrap_or_default();
        assert_eq!(
            read("Read [](file:///home/ada/a.rs#1-2), lines 1 to 2"),
            "Read a.rs, lines 1 to 2"
        );
        assert_eq!(read("Ran [x] and [y](z)"), "Ran [x] and y");
        read(&"[".repeat(100_000));
    }
}
