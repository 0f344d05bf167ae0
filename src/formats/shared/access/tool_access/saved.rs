//! Output of withheld calls that other calls read: from files in which an agent saves long output or to which
//! a command writes it, and from programs that go on in the background.

use std::collections::HashSet;

use super::commands::written_files;
use super::programs::texts;
use convo_base::json::Value;
use convo_base::model::{Action, ToolCall};
use convo_base::text::base_name;

/// Folders in which agents save the output of tools.
const FOLDERS: [&str; 7] = [
    "agent-tools", "tool-output", "tool-outputs", "tool-results", "tool_output", "tool_outputs",
    "tool_results",
];
/// What is between the folders of a path.
const SLASHES: [char; 2] = ['/', '\\'];
/// What agents write in front of the path of a file with output, in lower case.
const SAVED: [&str; 8] = [
    "available at", "output file", "saved at", "saved in", "saved to", "stored at", "stored in",
    "written to",
];
/// What agents write on the line with the id of a program that goes on, in lower case.
const RUNNING: [&str; 2] = ["background", "running"];

/// Files and ids that withheld calls name.
#[derive(Default)]
pub(super) struct Traces {
    /// Paths, and names of files in the folders of agents and of files that commands write.
    files: HashSet<String>,
    ids: HashSet<String>,
}

impl Traces {
    /// Adds those that the results of a call name, and the files that its command writes.
    pub(super) fn add(&mut self, call: &ToolCall) {
        if let Some(Action::Command { command, .. }) = &call.action {
            let files = written_files(command);
            self.files.extend(files.iter().map(|file| base_name(file).to_owned()));
        }
        for result in &call.results {
            let message = result.error.iter().filter_map(|error| error.message.as_deref());
            let output = result.output.iter().flat_map(texts);
            for line in output.chain(message).flat_map(str::lines) {
                self.add_line(line);
            }
        }
    }

    fn add_line(&mut self, line: &str) {
        let lower = line.to_lowercase();
        let has = |all: &[&str]| all.iter().any(|words| lower.contains(words));
        let is_saved = has(&SAVED);
        for path in paths(line) {
            if is_saved && path.contains(SLASHES) {
                self.files.insert(path.to_owned());
            }
            self.files.extend(saved_name(path).map(str::to_owned));
        }
        if has(&RUNNING) {
            let is_end = |c: char| c.is_whitespace() || ":,;.\"'()[]{}`".contains(c);
            let mut words = line.split(is_end).filter(|word| !word.is_empty());
            while let Some(word) = words.next() {
                if word.to_lowercase().ends_with("id") {
                    let id = words.next().filter(|id| id.bytes().any(|byte| byte.is_ascii_digit()));
                    self.ids.extend(id.map(str::to_owned));
                }
            }
        }
    }

    /// Returns whether the arguments of a call name one of them.
    pub(super) fn are_in(&self, call: &ToolCall) -> bool {
        if self.files.is_empty() && self.ids.is_empty() {
            return false;
        }
        let is_id = |value: &Value| match value {
            Value::String(text) => self.ids.contains(text.trim()),
            Value::Number(number) => self.ids.contains(&number.to_string()),
            _ => false,
        };
        let fields = call.input.as_ref().and_then(Value::as_object);
        fields.is_some_and(|fields| fields.values().any(is_id))
            || arguments(call).into_iter().any(|text| self.are_files_in(text))
    }

    /// Returns whether a text names one of the files.
    pub(super) fn are_files_in(&self, text: &str) -> bool {
        let is_file =
            |path: &str| self.files.contains(path) || self.files.contains(base_name(path));
        !self.files.is_empty() && paths(text).any(is_file)
    }
}

/// Returns the names of the server tools whose saved output a call reads: `tool-results/mcp-garden-water.txt`.
pub(super) fn tools_of_files(call: &ToolCall) -> Vec<String> {
    arguments(call).into_iter().flat_map(tools_of_files_in).collect()
}

/// Returns the names of the server tools whose saved output a text names.
pub(super) fn tools_of_files_in(text: &str) -> Vec<String> {
    let tools = paths(text).filter_map(saved_name).filter_map(|name| name.strip_prefix("mcp-"));
    tools.map(|tool| format!("mcp_{}", tool.replace('-', "_"))).collect()
}

/// Returns the texts in the arguments of a call.
fn arguments(call: &ToolCall) -> Vec<&str> {
    let mut all: Vec<&str> = call.input.iter().flat_map(texts).collect();
    if let Some(Action::Command { command, .. }) = &call.action {
        all.push(command);
    }
    all
}

/// Returns what may be paths in a text.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || "/\\_.-~:@+%".contains(c);
    let words = text.split(move |c| !is_part(c));
    words.map(|word| word.trim_matches(['.', ':', '-'])).filter(|word| !word.is_empty())
}

/// Returns the name of a file in a folder in which agents save output.
fn saved_name(path: &str) -> Option<&str> {
    let (folders, name) = path.rsplit_once(SLASHES)?;
    let is_saved = folders.rsplit(SLASHES).take(4).any(|folder| FOLDERS.contains(&folder));
    (is_saved && !name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::{Traces, tools_of_files};
    use convo_base::model::{ToolCall, ToolResult};
    use serde_json::{Value, json};

    fn reads(input: Value) -> ToolCall {
        ToolCall { input: Some(input), ..ToolCall::default() }
    }

    #[test]
    fn calls_that_name_saved_output_are_found() {
        let mut traces = Traces::default();
        let text = "Too long.\nSaved to /tmp/a b/tool-results/mcp-garden-water-1.txt.\n\
                    Output file: /var/x/out.json\nRunning in background with ID: b7. Process 12";
        let output = Some(text.into());
        let results = vec![ToolResult { output, ..ToolResult::default() }];
        traces.add(&ToolCall { results, ..ToolCall::default() });
        for (input, is_named) in [
            (json!({"path": "/home/wren/tool-results/mcp-garden-water-1.txt"}), true),
            (json!({"command": "jq . 'mcp-garden-water-1.txt'"}), true),
            (json!({"command": ["sh", "-c", "cat /var/x/out.json"]}), true),
            (json!({"id": "b7"}), true),
            (json!({"path": "out.json"}), false),
            (json!({"id": "b8", "text": "b7 is a boat"}), false),
        ] {
            assert_eq!(traces.are_in(&reads(input.clone())), is_named, "{input}");
        }
    }

    #[test]
    fn files_name_the_tools_that_wrote_them() {
        for (path, tools) in [
            ("/a/tool-results/mcp-garden-water-17.txt", vec!["mcp_garden_water_17.txt"]),
            ("tool-results/toolu_1.txt", vec![]),
            ("/a/mcp-garden-water-17.txt", vec![]),
        ] {
            assert_eq!(tools_of_files(&reads(json!({"file_path": path}))), tools, "{path}");
        }
    }
}
