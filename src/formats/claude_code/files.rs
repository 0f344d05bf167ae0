//! The kinds of files in a source.

use std::collections::HashMap;

use super::super::File;
use convo_base::json::{self, Value};
use convo_base::text::base_name;

/// The kind of a file, by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FileKind {
    /// The log of a session.
    Session,
    /// The log of a subagent.
    Agent,
    /// Metadata of a subagent.
    Meta,
    /// An output that was too long for the log.
    Output,
    /// The result of a workflow.
    Run,
    /// A file that is not read: a copy, or bookkeeping.
    Aside,
}

/// The folder of a session with outputs that were too long for the log.
pub(super) const OUTPUTS: &str = "tool-results";

/// Returns whether the file at a path is an output that was too long for the log, whatever its name.
pub(super) fn is_output(path: &str) -> bool {
    let (folder, _) = path.rsplit_once('/').unwrap_or_default();
    folder.split('/').any(|folder| folder == OUTPUTS)
}

/// Returns the kind of the file at a path.
pub(super) fn kind(path: &str) -> FileKind {
    let name = path.rsplit('/').next().unwrap_or_default();
    let folder = path.strip_suffix(name).unwrap_or_default().trim_end_matches('/');
    let is_in = |part: &str| folder.split('/').any(|folder| folder == part);
    let is_log = name.ends_with(".jsonl");
    // Copies of the session, used for summaries and prompt suggestions.
    let copies = ["agent-acompact-", "agent-aprompt_suggestion-"];
    if is_output(path) {
        FileKind::Output
    } else if copies.iter().any(|copy| name.starts_with(copy)) {
        FileKind::Aside
    } else if name.starts_with("agent-") && name.ends_with(".meta.json") {
        FileKind::Meta
    } else if name.starts_with("agent-") && is_log {
        FileKind::Agent
    } else if folder.ends_with("workflows") && name.ends_with(".json") {
        FileKind::Run
    } else if is_in("subagents") || is_in("workflows") {
        FileKind::Aside
    } else {
        FileKind::Session
    }
}

/// Returns a file name up to its first dot.
pub(super) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.split('.').next().unwrap_or_default()
}

/// Returns the id of the subagent from the path of its log.
pub(super) fn agent_id(path: &str) -> &str {
    let stem = stem(path);
    stem.strip_prefix("agent-").unwrap_or(stem)
}

/// Returns the id of the workflow whose folder contains a file.
pub(super) fn run_of(path: &str) -> Option<&str> {
    let (_, inside) = path.split_once("subagents/workflows/")?;
    Some(inside.split_once('/')?.0)
}

/// Outputs that were too long for the log, by file name.
#[derive(Default)]
pub(super) struct Outputs<'a>(HashMap<&'a str, &'a str>);

impl<'a> Outputs<'a> {
    pub(super) fn of(files: &'a [File]) -> Self {
        let outputs = files.iter().filter(|file| kind(&file.name) == FileKind::Output);
        Self(outputs.map(|file| (stem(&file.name), file.text.as_str())).collect())
    }

    /// Returns the output of a call, or the one at a path on the original machine.
    pub(super) fn find(&self, call: &str, path: &str) -> Option<&'a str> {
        let path = base_name(path);
        let by_path = self.0.get(stem(path)).filter(|_| !path.is_empty());
        by_path.or_else(|| self.0.get(call)).copied()
    }
}

/// Metadata of a subagent.
#[derive(Default, Clone)]
pub(super) struct About {
    /// The call that started it.
    pub(super) call: Option<String>,
    /// A short description of its task.
    pub(super) description: Option<String>,
    /// Its kind.
    pub(super) kind: Option<String>,
}

/// Reads the metadata of subagents, by their ids.
pub(super) fn about(files: &[File]) -> HashMap<String, About> {
    let mut all: HashMap<String, About> = HashMap::new();
    for file in files {
        let kind = kind(&file.name);
        if kind != FileKind::Meta && kind != FileKind::Run {
            continue;
        }
        let Ok((value, _)) = json::parse(&file.text) else { continue };
        let text = |of: &Value, key: &str| of.get(key).and_then(Value::as_str).map(str::to_owned);
        if kind == FileKind::Meta {
            let about = all.entry(agent_id(&file.name).to_owned()).or_default();
            about.call = text(&value, "toolUseId");
            about.description = text(&value, "description").or(about.description.take());
            about.kind = text(&value, "agentType").filter(|kind| kind != "workflow-subagent");
            continue;
        }
        let steps = value.get("workflowProgress").and_then(Value::as_array);
        for step in steps.into_iter().flatten() {
            let Some(id) = text(step, "agentId") else { continue };
            let parts = [text(step, "phaseTitle"), text(step, "label")];
            let parts: Vec<String> = parts.into_iter().flatten().collect();
            if !parts.is_empty() {
                all.entry(id).or_default().description = Some(parts.join(": "));
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{FileKind, kind, run_of, stem};

    #[test]
    fn names_decide_the_type_of_files() {
        for (path, expected) in [
            ("p/1-2.jsonl", FileKind::Session),
            ("p/agent-a1.jsonl", FileKind::Agent),
            ("p/1-2/subagents/agent-a1.jsonl", FileKind::Agent),
            ("p/1-2/subagents/agent-a1.meta.json", FileKind::Meta),
            ("p/1-2/subagents/agent-acompact-9.jsonl", FileKind::Aside),
            ("p/1-2/subagents/workflows/wf_1/journal.jsonl", FileKind::Aside),
            ("p/1-2/workflows/wf_1.json", FileKind::Run),
            ("p/1-2/workflows/scripts/x.js", FileKind::Aside),
            ("p/1-2/tool-results/toolu_1.txt", FileKind::Output),
            ("p/1-2/tool-results/sub/x.jsonl", FileKind::Output),
            ("p/1-2/tool-results/agent-a1.jsonl", FileKind::Output),
            ("p/my-tool-results/1-2.jsonl", FileKind::Session),
            ("workflows/a.jsonl", FileKind::Aside),
        ] {
            assert_eq!(kind(path), expected, "{path}");
        }
        assert_eq!(run_of("p/1/subagents/workflows/wf_1/agent-a.jsonl"), Some("wf_1"));
        assert_eq!(stem("p/agent-a1.meta.json"), "agent-a1");
    }
}
