//! Actions of known tools.

use crate::shared::access::tool_access::{self, patch};
use convo_base::json::Value;
use convo_base::model::{Action, Citation, ToolKind};
use convo_base::text::base_name;

/// Returns the action of a call with these arguments.
pub(super) fn action(name: &str, input: &Value) -> Option<Action> {
    let bare = name.rsplit('.').next().unwrap_or(name);
    match bare {
        "apply_patch" | "update_plan" => tool_access::action(bare, input),
        _ if ToolKind::of(bare) == ToolKind::Command => {
            let command = ["command", "cmd"].iter().find_map(|key| input.get(*key))?;
            Some(command_of(command_line(command)?))
        }
        _ => None,
    }
}

/// Returns the action of a command line, which may be a patch.
pub(super) fn command_of(command: String) -> Action {
    let start = command.trim_start();
    let start = match start.strip_prefix("cd ").and_then(|rest| rest.split_once("&&")) {
        Some((_, rest)) => rest.trim_start(),
        None => start,
    };
    if start.starts_with("apply_patch")
        && let Some(files) = patch::edits(start)
    {
        return Action::Edit { files };
    }
    Action::Command { command, exit_code: None }
}

/// Shells that take a command as an argument.
const SHELLS: [&str; 8] = ["bash", "sh", "zsh", "fish", "dash", "powershell", "pwsh", "cmd"];

/// Returns a command as it would be typed.
pub(super) fn command_line(command: &Value) -> Option<String> {
    let list = match command {
        Value::String(text) => return Some(text.clone()),
        Value::Array(list) => list,
        _ => return None,
    };
    let words: Vec<&str> = list.iter().map(Value::as_str).collect::<Option<_>>()?;
    if let [shell, flags @ .., script] = words.as_slice() {
        let name = base_name(shell);
        let name = name.strip_suffix(".exe").unwrap_or(name).to_ascii_lowercase();
        let is_flag = |flag: &&str| flag.starts_with(['-', '/']) || *flag == "Bypass";
        if SHELLS.contains(&name.as_str()) && !flags.is_empty() && flags.iter().all(is_flag) {
            return Some((*script).to_owned());
        }
    }
    if let ["apply_patch", patch] = words.as_slice() {
        return Some(format!("apply_patch\n{patch}"));
    }
    let quoted: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    Some(quoted.join(" ")).filter(|line| !line.is_empty())
}

fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:=+,@%^~".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// A web search, or a visit to a page.
pub(super) struct Search {
    /// Identifies the search.
    pub(super) key: String,
    /// The name of the tool.
    pub(super) name: &'static str,
    /// The action of the call.
    pub(super) action: Action,
}

/// Reads a search. Its query is beside `action` or inside it.
pub(super) fn search(query: Option<&str>, action: Option<&Value>) -> Option<Search> {
    let text = |key: &str| {
        let value = action.and_then(|action| action.get(key)?.as_str());
        value.filter(|text| !text.is_empty())
    };
    let kind = text("type").unwrap_or("search").to_ascii_lowercase().replace('_', "");
    let page = |url: &str| Citation { title: None, url: Some(url.to_owned()) };
    let (name, query, results) = match kind.as_str() {
        "openpage" => {
            let url = text("url").or(query.filter(|query| !query.is_empty()))?;
            ("open_page", None, vec![page(url)])
        }
        "findinpage" => {
            let words = text("pattern").map(str::to_owned);
            ("find_in_page", words, text("url").map(page).into_iter().collect())
        }
        _ => {
            let many = action.and_then(|action| action.get("queries")?.as_array());
            let many = many.into_iter().flatten().filter_map(Value::as_str);
            let many = many.collect::<Vec<_>>().join("\n");
            let many = Some(many).filter(|many| !many.is_empty());
            let query = query.filter(|query| !query.is_empty()).or(text("query"));
            ("web_search", many.or(query.map(str::to_owned)), Vec::new())
        }
    };
    if query.is_none() && results.is_empty() {
        return None;
    }
    let key = format!("{name}\n{query:?}\n{results:?}");
    Some(Search { key, name, action: Action::Search { query, results } })
}

#[cfg(test)]
mod tests {
    use super::{action, command_line};
    use convo_base::model::Action;
    use serde_json::json;

    #[test]
    fn a_command_is_shown_as_it_is_typed() {
        let line = |value| command_line(&value).unwrap_or_default();
        assert_eq!(line(json!(["bash", "-lc", "ls | wc"])), "ls | wc");
        assert_eq!(line(json!(["/bin/zsh", "-l", "-c", "ls"])), "ls");
        assert_eq!(line(json!(["git", "commit", "-m", "a b"])), "git commit -m 'a b'");
        assert_eq!(line(json!("ls")), "ls");
        assert_eq!(command_line(&json!([1])), None);
    }

    #[test]
    fn a_patch_in_a_shell_is_an_edit() {
        let script = "cd x && apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a\n\
                      *** End Patch\nEOF\n";
        let done = action("shell", &json!({"command": ["bash", "-lc", script]}));
        assert!(matches!(done, Some(Action::Edit { .. })), "{done:?}");
        let done = action("functions.shell", &json!({"command": ["ls"]}));
        assert!(matches!(done, Some(Action::Command { .. })), "{done:?}");
    }
}
