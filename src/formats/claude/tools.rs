//! Actions of tools, and which tools read private data.

use crate::shared::access::tool_access::{Owner, owner, path, replacement, served_name};
use convo_base::json::{Map, Value};
use convo_base::model::ToolCall;

/// The action of a tool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tool {
    /// Writes an artifact.
    Artifact,
    /// Writes a file.
    Create,
    /// Replaces text in a file.
    Replace,
    /// Shows a drawing or a small page.
    Widget,
    /// Presents files to the user.
    Present,
    /// Runs a shell command.
    Shell,
    /// Runs code.
    Code,
    /// Searches the web.
    Search,
    /// Loads a web page.
    Fetch,
    Other,
}

/// Keys of the text of a file.
pub(super) const CONTENTS: [&str; 2] = ["file_text", "content"];

/// Returns the action of a tool, by its name and its input.
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
        "repl" | "analysis" | "analysis_tool" | "code_execution" | "repl_tool" => Tool::Code,
        "bash" | "bash_tool" | "bash_code_execution" | "shell" => Tool::Shell,
        _ if is_artifact => Tool::Artifact,
        _ if path(input).is_some() && replacement(input).is_some() => Tool::Replace,
        _ if path(input).is_some() && has("file_text") => Tool::Create,
        "create_file" | "write_file" => Tool::Create,
        _ => Tool::Other,
    }
}

/// Returns the action of the tool of a call.
pub(super) fn of_call(call: &ToolCall) -> Tool {
    let input = call.input.as_ref().and_then(Value::as_object);
    input.map_or_else(|| tool(&call.name, &Map::new()), |input| tool(&call.name, input))
}

/// Integrations that are part of Claude itself.
const OWN: [&str; 5] = ["web search", "artifacts", "analysis tool", "visualize", "code execution"];

/// Returns the name of a tool with its server or integration, if a call or a result contains that in
/// another key.
pub(super) fn full_name(block: &Map, name: &str) -> String {
    let says = |key: &str| block.get(key).is_some_and(|value| !super::message::is_blank(value));
    let integration = text(block, "integration_name");
    let is_own = integration.is_some_and(|name| OWN.contains(&name.to_lowercase().as_str()));
    let is_served = says("mcp_server_url")
        || says("is_mcp_app")
        || says("integration_name") && !is_own
        || text(block, "type").is_some_and(|kind| kind.starts_with("mcp"));
    if !is_served {
        return name.to_owned();
    }
    let server = any_text(block, &["integration_name", "server_name", "mcp_server_url"]);
    served_name(server.unwrap_or_default(), name)
}

/// Returns whether a tool of that name is public unless the author decides otherwise.
pub(super) fn is_open(name: &str) -> bool {
    owner("claude", name) == Owner::Author
}

/// Returns the text under a key, unless it is empty.
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
    list.into_iter().flatten().filter_map(|text| Some(text.as_str()?.to_owned())).collect()
}
