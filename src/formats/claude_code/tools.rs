//! What the tools of Claude Code do.

use std::collections::HashMap;

use crate::json::Value;
use crate::model::{Action, Citation, EditKind, FileEdit, PlanStep, StepState};

/// The tasks that were made so far: their words by their numbers.
pub(super) type Tasks = HashMap<String, String>;

/// Returns what a call did, if its tool is one of a known kind.
pub(super) fn action(name: &str, input: &Value, tasks: &Tasks) -> Option<Action> {
    let text = |key: &str| input.get(key).and_then(Value::as_str);
    let path = || text("file_path").or_else(|| text("notebook_path"));
    Some(match name {
        "Bash" | "PowerShell" => {
            Action::Command { command: text("command")?.to_owned(), exit_code: None }
        }
        "Write" => edit(FileEdit::written(path()?, text("content")?)),
        "Edit" => edit(FileEdit::replaced(path()?, text("old_string")?, text("new_string")?)),
        "MultiEdit" => {
            let mut all = FileEdit::replaced(path()?, "", "");
            for change in input.get("edits")?.as_array()? {
                let text = |key: &str| change.get(key).and_then(Value::as_str);
                let (Some(before), Some(after)) = (text("old_string"), text("new_string")) else {
                    continue;
                };
                all.diff.push_str(if all.diff.is_empty() { "" } else { "\n@@\n" });
                all.diff.push_str(&FileEdit::replaced("", before, after).diff);
            }
            edit(all)
        }
        "NotebookEdit" => {
            let source = text("new_source").unwrap_or_default();
            edit(FileEdit::replaced(path()?, "", source))
        }
        "TodoWrite" => {
            let todos = input.get("todos")?.as_array()?;
            let step = |todo: &Value| {
                let text = todo.as_str().or_else(|| todo.get("content")?.as_str())?;
                let state = state(todo.get("status").and_then(Value::as_str));
                Some(PlanStep { text: text.to_owned(), state })
            };
            Action::Plan { steps: todos.iter().filter_map(step).collect() }
        }
        "TaskCreate" => plan(text("subject")?, StepState::Open),
        "TaskUpdate" => {
            let known = text("taskId").and_then(|id| tasks.get(id)).map(String::as_str);
            plan(text("subject").or(known)?, state(Some(text("status")?)))
        }
        "WebSearch" | "web_search" => {
            Action::Search { query: text("query").map(str::to_owned), results: Vec::new() }
        }
        _ => return None,
    })
}

fn edit(file: FileEdit) -> Action {
    Action::Edit { files: vec![file] }
}

fn plan(text: &str, state: StepState) -> Action {
    Action::Plan { steps: vec![PlanStep { text: text.to_owned(), state }] }
}

fn state(word: Option<&str>) -> StepState {
    match word {
        Some("completed") => StepState::Done,
        Some("in_progress") => StepState::Active,
        _ => StepState::Open,
    }
}

/// Completes what a call did with what the tool answered to the program.
pub(super) fn complete(action: &mut Action, answer: &Value) {
    match action {
        Action::Edit { files } => {
            let Some(file) = files.first_mut() else { return };
            if answer.get("type").is_some_and(|kind| kind == "update") {
                file.kind = EditKind::Update;
            }
            let hunks = answer.get("structuredPatch").and_then(Value::as_array);
            let hunks = hunks.map(Vec::as_slice).unwrap_or_default();
            if !hunks.is_empty() {
                file.diff = hunks.iter().map(hunk).collect::<Vec<_>>().join("\n");
            }
        }
        Action::Search { results, .. } => {
            let list = answer.get("results").and_then(Value::as_array);
            for found in list.into_iter().flatten() {
                let pages = found.get("content").unwrap_or(found);
                results.extend(pages_of(pages));
            }
        }
        Action::Command { exit_code, .. } => {
            let code = answer.get("exitCode").and_then(Value::as_i64);
            *exit_code = exit_code.take().or(code);
        }
        Action::Plan { .. } => {}
    }
}

/// Returns the pages of a list of pages.
pub(super) fn pages_of(list: &Value) -> Vec<Citation> {
    let page = |page: &Value| {
        let text = |key: &str| page.get(key).and_then(Value::as_str).map(str::to_owned);
        let citation = Citation { title: text("title"), url: text("url") };
        citation.url.is_some().then_some(citation)
    };
    list.as_array().into_iter().flatten().filter_map(page).collect()
}

fn hunk(hunk: &Value) -> String {
    let number = |key: &str| hunk.get(key).and_then(Value::as_i64).unwrap_or_default();
    let mut text = format!(
        "@@ -{},{} +{},{} @@",
        number("oldStart"),
        number("oldLines"),
        number("newStart"),
        number("newLines")
    );
    for line in hunk.get("lines").and_then(Value::as_array).into_iter().flatten() {
        text.push('\n');
        text.push_str(line.as_str().unwrap_or_default());
    }
    text
}

/// Returns the number of the task that was made, as the tool tells it.
pub(super) fn made_task(output: &str) -> Option<(String, String)> {
    let (number, rest) = output.strip_prefix("Task #")?.split_once(' ')?;
    let (_, subject) = rest.split_once(": ")?;
    Some((number.to_owned(), subject.trim().to_owned()))
}

/// Returns why a person did not allow a call, if an output says that: nothing if the person did not
/// say why.
pub(super) fn rejection(output: &str) -> Option<Option<String>> {
    const REJECTED: &str = "The user doesn't want to proceed with this tool use.";
    let behind = output.strip_prefix(REJECTED)?;
    let said = behind.split_once("the user said:").map(|(_, said)| said.trim());
    Some(said.filter(|said| !said.is_empty()).map(str::to_owned))
}
