//! Commands of shells, which are text or a list of words, and may be patches.

use super::patch;
use convo_base::json::{Map, Value};
use convo_base::model::Action;
use convo_base::text::base_name;

/// Arguments that hold a command.
const KEYS: [&str; 3] = ["command", "cmd", "script"];
/// Shells that take a command as an argument.
const SHELLS: [&str; 8] = ["bash", "sh", "zsh", "fish", "dash", "powershell", "pwsh", "cmd"];

/// Returns the action of a call of a shell with these arguments.
pub(crate) fn command(input: &Map) -> Option<Action> {
    let command = KEYS.iter().find_map(|key| input.get(*key))?;
    Some(run(command_line(command)?))
}

/// Returns the action of a command line, which may be a patch.
pub(crate) fn run(command: String) -> Action {
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

/// Returns a command as it would be typed.
pub(crate) fn command_line(command: &Value) -> Option<String> {
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

#[cfg(test)]
mod tests {
    use super::super::action;
    use super::command_line;
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
        let done = action("shell", &json!({"command": ["ls"]}));
        assert!(matches!(done, Some(Action::Command { .. })), "{done:?}");
    }
}
