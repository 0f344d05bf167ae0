//! Actions of the tools of Claude Code.

use std::collections::HashMap;

use crate::shared::access::tool_access::{self, state};
use convo_base::json::Value;
use convo_base::model::{Action, Citation, EditKind, PlanStep, StepState};

/// The tasks created so far: their texts by number.
pub(super) type Tasks = HashMap<String, String>;

/// Returns the action of a call, if its tool is of a known kind.
pub(super) fn action(name: &str, input: &Value, tasks: &Tasks) -> Option<Action> {
    let text = |key: &str| input.get(key).and_then(Value::as_str);
    Some(match name {
        "TaskCreate" => plan(text("subject")?, StepState::Open),
        "TaskUpdate" => {
            let known = text("taskId").and_then(|id| tasks.get(id)).map(String::as_str);
            plan(text("subject").or(known)?, state(Some(input.get("status")?)))
        }
        _ => return tool_access::action(name, input),
    })
}

fn plan(text: &str, state: StepState) -> Action {
    Action::Plan { steps: vec![PlanStep { text: text.to_owned(), state }] }
}

/// Completes an action with the structured result that the tool returned to Claude Code.
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

/// Returns the number of the created task from the output of the tool.
pub(super) fn made_task(output: &str) -> Option<(String, String)> {
    let (number, rest) = output.strip_prefix("Task #")?.split_once(' ')?;
    let (_, subject) = rest.split_once(": ")?;
    Some((number.to_owned(), subject.trim().to_owned()))
}

/// Returns the user's reason if an output reports a rejected call; `Some(None)` if they gave none.
pub(super) fn rejection(output: &str) -> Option<Option<String>> {
    const REJECTED: &str = "The user doesn't want to proceed with this tool use.";
    let behind = output.strip_prefix(REJECTED)?;
    let reason = behind.split_once("the user said:").map(|(_, reason)| reason.trim());
    Some(reason.filter(|reason| !reason.is_empty()).map(str::to_owned))
}
