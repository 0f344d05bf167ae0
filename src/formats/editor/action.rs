//! What the tools of editors did, as far as many of them are called alike.

use crate::json::{Map, Value};
use crate::model::{Action, FileEdit, PlanStep, StepState};

/// Returns what a call did, if its tool is one of a known kind.
pub(crate) fn action(name: &str, input: &Value) -> Option<Action> {
    let input = input.as_object()?;
    let first = |keys: &[&str]| keys.iter().find_map(|key| input.get(*key)?.as_str());
    let path = || {
        first(&[
            "path", "filePath", "file_path", "target_file", "filepath", "relativeWorkspacePath",
        ])
    };
    let bare: String =
        name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    Some(match bare.as_str() {
        "bash"
        | "shell"
        | "terminal"
        | "executecommand"
        | "runterminalcmd"
        | "runterminalcommand"
        | "runterminalcommandv2" => {
            let command = first(&["command"])?.to_owned();
            Action::Command { command, exit_code: None }
        }
        "write" | "writefile" | "writetofile" | "createnewfile" | "createfile"
        | "newfilecreated" => {
            let text = first(&["content", "contents"])?;
            Action::Edit { files: vec![FileEdit::written(path()?, text)] }
        }
        "edit" | "strreplace" | "searchreplace" | "singlefindandreplace" => {
            let before = first(&["oldString", "old_string"])?;
            let after = first(&["newString", "new_string"])?;
            Action::Edit { files: vec![FileEdit::replaced(path()?, before, after)] }
        }
        "websearch" => {
            let query = first(&["query", "search_term", "q"])?.to_owned();
            Action::Search { query: Some(query), results: Vec::new() }
        }
        "todowrite" => plan(input)?,
        _ => return None,
    })
}

fn plan(input: &Map) -> Option<Action> {
    let step = |todo: &Value| {
        let text = todo.get("content")?.as_str()?.to_owned();
        let state = match todo.get("status").and_then(Value::as_str) {
            Some("completed") => StepState::Done,
            Some("in_progress") => StepState::Active,
            _ => StepState::Open,
        };
        Some(PlanStep { text, state })
    };
    let steps = input.get("todos")?.as_array()?.iter().filter_map(step).collect();
    Some(Action::Plan { steps })
}
