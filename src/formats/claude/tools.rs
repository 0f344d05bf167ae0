//! What tools do, and which of them read something private.

use super::citations;
use crate::json::{self, Map, Value};
use crate::model::Citation;

/// What a tool does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tool {
    /// Writes an artifact.
    Artifact,
    /// Writes a file.
    Create,
    /// Replaces a text of a file.
    Replace,
    /// Shows a drawing or a small page.
    Widget,
    /// Hands over files.
    Present,
    /// Runs a command of a shell.
    Shell,
    /// Runs a program.
    Code,
    /// Searches the web.
    Search,
    /// Loads a page of the web.
    Fetch,
    Other,
}

/// Keys under which the text of a file stands.
pub(super) const CONTENTS: [&str; 2] = ["file_text", "content"];

/// Returns what a tool does, by its name and by what it is given.
pub(super) fn tool(name: &str, input: &Map) -> Tool {
    let bare = name.rsplit(':').next().unwrap_or(name);
    let has = |key: &str| input.get(key).is_some_and(Value::is_string);
    let command = text(input, "command").unwrap_or_default();
    let is_artifact = ["create", "update", "rewrite"].contains(&command)
        && !has("path")
        && (has("content") || replacement(input).is_some());
    match bare {
        "artifacts" | "create_artifact" => Tool::Artifact,
        "web_search" | "launch_extended_search_task" | "image_search" => Tool::Search,
        "web_fetch" => Tool::Fetch,
        "present_files" => Tool::Present,
        "show_widget" => Tool::Widget,
        "repl" | "analysis" | "analysis_tool" | "code_execution" | "repl_tool" => {
            Tool::Code
        }
        "bash" | "bash_tool" | "bash_code_execution" | "shell" => Tool::Shell,
        _ if is_artifact => Tool::Artifact,
        _ if path(input).is_some() && replacement(input).is_some() => Tool::Replace,
        _ if path(input).is_some() && has("file_text") => Tool::Create,
        "create_file" | "write_file" => Tool::Create,
        _ => Tool::Other,
    }
}

/// Integrations that are parts of Claude itself.
const OWN: [&str; 5] =
    ["web search", "artifacts", "analysis tool", "visualize", "code execution"];
/// Words in the names of tools that read what is somebody's own.
const PRIVATE: [&str; 26] = [
    "gmail",
    "mail",
    "gcal",
    "calendar",
    "drive",
    "contact",
    "memory",
    "memories",
    "conversation_search",
    "recent_chats",
    "project_knowledge",
    "location",
    "slack",
    "notion",
    "outlook",
    "sharepoint",
    "onedrive",
    "dropbox",
    "reminder",
    "health",
    "jira",
    "confluence",
    "asana",
    "hubspot",
    "salesforce",
    "linear_",
];

/// Returns whether a call or a result is that of a connector, or of a tool that reads what is
/// somebody's own, such as other conversations.
pub(super) fn is_private(block: &Map, name: &str) -> bool {
    let says =
        |key: &str| block.get(key).is_some_and(|value| !super::message::is_blank(value));
    let integration = text(block, "integration_name").map(str::to_lowercase);
    let is_own = integration.as_deref().is_some_and(|name| OWN.contains(&name));
    let name = name.to_lowercase();
    let is_of_server =
        name.starts_with("mcp") || name.contains("__") || name.contains(':');
    super::message::says_private(block)
        || says("mcp_server_url")
        || says("is_mcp_app")
        || says("integration_name") && !is_own
        || text(block, "type").is_some_and(|kind| kind.starts_with("mcp"))
        || is_of_server && name != "visualize:show_widget"
        || PRIVATE.iter().any(|word| name.contains(word))
}

/// Returns the text under a key, if there is any.
pub(super) fn text<'a>(map: &'a Map, key: &str) -> Option<&'a str> {
    map.get(key)?.as_str().filter(|text| !text.is_empty())
}

/// Returns the text under the first of several keys that has one.
pub(super) fn any_text<'a>(map: &'a Map, keys: &[&str]) -> Option<&'a str> {
    keys.iter().find_map(|key| text(map, key))
}

/// Returns the texts of a list.
pub(super) fn texts(map: &Map, key: &str) -> Vec<String> {
    let list = map.get(key).and_then(Value::as_array);
    list.into_iter()
        .flatten()
        .filter_map(|text| Some(text.as_str()?.to_owned()))
        .collect()
}

/// Returns the path of the file that a tool is about.
pub(super) fn path(input: &Map) -> Option<&str> {
    any_text(input, &["path", "file_path"])
}

/// Returns what a tool replaces by what.
pub(super) fn replacement(input: &Map) -> Option<(&str, &str)> {
    let get = |keys: [&str; 2]| keys.iter().find_map(|key| input.get(*key)?.as_str());
    Some((
        get(["old_str", "old_string"])?,
        get(["new_str", "new_string"]).unwrap_or_default(),
    ))
}

/// What a tool brought.
#[derive(Default)]
pub(super) struct Output {
    pub(super) text: Option<String>,
    /// Pages of the web.
    pub(super) found: Vec<Citation>,
    pub(super) exit_code: Option<i64>,
}

/// Reads what a tool brought. `block` holds what else the result says.
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
        // It says no more than that it went well.
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
        // The file that was handed over stands below the call.
        "local_resource" => {}
        "text" => lines.extend(text(item, "text").map(str::to_owned)),
        "json" | "json_block" => {
            match item.get("json").or_else(|| item.get("json_block")) {
                Some(Value::String(text)) => lines.push(text.clone()),
                Some(value) => lines.push(json::pretty(value)),
                None => {}
            }
        }
        kind => match text(item, "text") {
            Some(text) => lines.push(text.to_owned()),
            None => lines.push(format!("[{kind}]")),
        },
    }
}

/// Reads what the program shows of a result that has nothing else.
fn shown(display: Option<&Value>, lines: &mut Vec<String>, found: &mut Vec<Citation>) {
    let Some(Value::Object(display)) = display else { return };
    lines.extend(text(display, "text").map(str::to_owned));
    let links = display.get("content").and_then(Value::as_array);
    let link = display.get("link").into_iter();
    for item in links.into_iter().flatten().chain(link).filter_map(Value::as_object) {
        found.extend(citations::page(item));
    }
}

/// Takes the result of a shell apart, which is JSON in a text: the exit code and the output.
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
