//! Determines what tool calls do from the names of tools. Arguments are identified by their keys. Tools
//! with other arguments are handled by their formats.

use super::{patch, shell};
use convo_base::json::{Map, Value};
use convo_base::model::{Action, FileEdit, PlanStep, StepState, ToolKind};

/// Arguments that hold the path of a file.
const PATH: &[&str] = &[
    "path", "filePath", "file_path", "target_file", "filepath", "relativeWorkspacePath",
    "absolute_path", "notebook_path", "filename",
];
/// Arguments that hold the whole text of a file.
const TEXT: &[&str] = &["content", "contents", "file_text", "code_edit", "streamingContent"];
/// Arguments that hold the text to replace.
const BEFORE: &[&str] = &["old_string", "oldString", "old_str", "oldText"];
/// Arguments that hold the replacement text.
const AFTER: &[&str] = &["new_string", "newString", "new_str", "newText"];
/// Arguments that hold a patch.
const PATCH: &[&str] = &["input", "patch", "patchText"];
/// Arguments that hold a search query.
const QUERY: &[&str] = &["query", "search_term", "q"];
/// Arguments that hold the steps of a plan.
const STEPS: &[&str] = &["todos", "todoList", "plan"];
/// Keys that hold the text of a step.
const STEP: &[&str] = &["content", "description", "step", "title"];

/// Returns the action of a call if its tool is well known.
pub(crate) fn action(name: &str, input: &Value) -> Option<Action> {
    let input = match input {
        Value::Object(input) => input,
        Value::String(text) if ToolKind::of(name) == ToolKind::Edit => {
            return Some(Action::Edit { files: patch::edits(text)? });
        }
        _ => return None,
    };
    match ToolKind::of(name) {
        ToolKind::Command => shell::command(input),
        ToolKind::Edit => {
            let patched = || patch::edits(first(input, PATCH)?);
            Some(Action::Edit { files: patched().or_else(|| Some(vec![edit(input)?]))? })
        }
        ToolKind::Search => {
            let query = first(input, QUERY)?.to_owned();
            Some(Action::Search { query: Some(query), results: Vec::new() })
        }
        ToolKind::Plan => plan(input),
        _ => None,
    }
}

/// Returns the plan that the arguments of a tool hold.
pub(crate) fn plan(input: &Map) -> Option<Action> {
    let list = STEPS.iter().find_map(|key| input.get(*key)?.as_array())?;
    let steps: Vec<PlanStep> = list.iter().filter_map(step).collect();
    (!steps.is_empty()).then_some(Action::Plan { steps })
}

/// Returns the path of a file that the arguments of a tool hold.
pub(crate) fn path(input: &Map) -> Option<&str> {
    first(input, PATH).filter(|path| !path.is_empty())
}

/// Returns the text that a tool replaces, and the new one.
pub(crate) fn replacement(input: &Map) -> Option<(&str, &str)> {
    Some((first(input, BEFORE)?, first(input, AFTER).unwrap_or_default()))
}

fn first<'a>(input: &'a Map, keys: &[&str]) -> Option<&'a str> {
    keys.iter().find_map(|key| input.get(*key)?.as_str())
}

/// Returns the edit of a file: one or several replacements, or the whole text.
pub(crate) fn edit(input: &Map) -> Option<FileEdit> {
    let path = first(input, PATH)?;
    if let Some((before, after)) = replacement(input) {
        return Some(match before.is_empty() {
            true => FileEdit::written(path, after),
            false => FileEdit::replaced(path, before, after),
        });
    }
    if let Some(edits) = input.get("edits").and_then(Value::as_array) {
        let mut all = FileEdit::replaced(path, "", "");
        for change in edits.iter().filter_map(Value::as_object) {
            let (Some(before), Some(after)) = (first(change, BEFORE), first(change, AFTER)) else {
                continue;
            };
            all.diff.push_str(if all.diff.is_empty() { "" } else { "\n@@\n" });
            all.diff.push_str(&FileEdit::replaced("", before, after).diff);
        }
        return Some(all);
    }
    if input.contains_key("notebook_path") {
        let source = input.get("new_source").and_then(Value::as_str).unwrap_or_default();
        return Some(FileEdit::replaced(path, "", source));
    }
    Some(FileEdit::written(path, first(input, TEXT)?))
}

fn step(step: &Value) -> Option<PlanStep> {
    let text = match step {
        Value::String(text) => text,
        Value::Object(step) => first(step, STEP)?,
        _ => return None,
    };
    Some(PlanStep { text: text.to_owned(), state: state(step.get("status")) })
}

/// Returns the state of a step.
pub(crate) fn state(word: Option<&Value>) -> StepState {
    match word.and_then(Value::as_str) {
        Some("completed") => StepState::Done,
        Some("in_progress" | "in-progress") => StepState::Active,
        _ => StepState::Open,
    }
}

#[cfg(test)]
mod tests {
    use super::action;
    use convo_base::model::{Action, EditKind};
    use serde_json::json;

    #[test]
    fn tools_of_all_agents_have_the_kind_that_they_are_named_after() {
        for name in ["Bash", "run_shell_command", "runTerminalCommand", "local_shell"] {
            let done = action(name, &json!({"command": "ls"}));
            let is_command =
                |done| matches!(done, Some(Action::Command { command, .. }) if command == "ls");
            assert!(is_command(done), "{name}");
        }
        for (name, input, kind) in [
            ("Write", json!({"file_path": "a", "content": "x"}), EditKind::Write),
            ("create", json!({"path": "a", "file_text": "x"}), EditKind::Write),
            (
                "replace",
                json!({"file_path": "a", "old_string": "", "new_string": "x"}),
                EditKind::Write,
            ),
            (
                "edit",
                json!({"filePath": "a", "oldString": "b", "newString": "x"}),
                EditKind::Update,
            ),
            ("str_replace_editor", json!({"path": "a", "old_str": "b"}), EditKind::Update),
            ("MultiEdit", json!({"file_path": "a", "edits": []}), EditKind::Update),
        ] {
            let Some(Action::Edit { files }) = action(name, &input) else { panic!("{name}") };
            assert_eq!((files[0].path.as_str(), files[0].kind), ("a", kind), "{name}");
        }
        for (name, input) in [
            ("TodoWrite", json!({"todos": [{"content": "a", "status": "completed"}, "b"]})),
            ("write_todos", json!({"todos": [{"description": "a"}, {"description": "b"}]})),
            ("update_plan", json!({"plan": [{"step": "a"}, {"step": "b"}]})),
        ] {
            let Some(Action::Plan { steps }) = action(name, &input) else { panic!("{name}") };
            let steps: Vec<&str> = steps.iter().map(|step| step.text.as_str()).collect();
            assert_eq!(steps, ["a", "b"], "{name}");
        }
        assert!(matches!(action("web_search", &json!({"q": "moss"})), Some(Action::Search { .. })));
        for (name, input) in [
            ("mcp__garden__bash", json!({"command": "ls"})),
            ("update_plan", json!({"plan": []})),
            ("read_file", json!({"path": "a"})),
            ("Bash", json!("ls")),
        ] {
            assert_eq!(action(name, &input), None, "{name}");
        }
    }
}
