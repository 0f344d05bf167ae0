//! Finds the tools of servers that shell commands call: `mcp-cli call garden/water '{}'`.

use super::served_name;
use convo_base::json::{self, Value};

/// The command that calls tools of servers, and the option of Claude Code that does the same.
const PROGRAM: &str = "mcp-cli";
const OPTION: &str = "--mcp-cli";

/// Its subcommands that return data of a server.
const CALLS: [&str; 3] = ["call", "read", "resources"];
/// Its subcommands that only describe servers and tools.
const DESCRIPTIONS: [&str; 5] = ["servers", "tools", "info", "grep", "help"];

/// Commands whose arguments are texts and patterns, not commands.
const QUOTING: [&str; 10] =
    ["echo", "printf", "grep", "egrep", "rg", "ag", "git", "man", "which", "type"];

/// Keys of shell commands in the arguments of tools.
const KEYS: [&str; 4] = ["command", "commands", "cmd", "script"];

/// Returns the names of the server tools that the shell commands in the arguments of a tool call.
pub(super) fn tools_in_input(input: &Value) -> Vec<String> {
    let mut names = Vec::new();
    // Each value, and whether it is a command.
    let mut open = vec![(input, false)];
    while let Some((value, is_command)) = open.pop() {
        match value {
            Value::String(text) if !text.contains(PROGRAM) => {}
            Value::String(text) if is_command => names.extend(tools_in_command(text)),
            Value::String(text) => {
                if let Some(inner) = nested(text) {
                    names.extend(tools_in_input(&inner));
                }
            }
            Value::Array(list) => {
                // A list may be a command and its arguments.
                let words: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
                if is_command && words.len() == list.len() {
                    names.extend(tools_in_command(&words.join(" ")));
                }
                open.extend(list.iter().map(|value| (value, is_command)));
            }
            Value::Object(map) => {
                let is_key = |key: &str| KEYS.contains(&key.to_ascii_lowercase().as_str());
                open.extend(map.iter().map(|(key, value)| (value, is_key(key))));
            }
            _ => {}
        }
    }
    names
}

/// Returns the list or object that a text contains as JSON.
pub(super) fn nested(text: &str) -> Option<Value> {
    text.trim_start().starts_with(['{', '[']).then_some(())?;
    let (value, _) = json::parse(text).ok()?;
    (value.is_array() || value.is_object()).then_some(value)
}

/// Returns the names of the server tools that a shell command calls. A name that the command computes is
/// empty.
pub(super) fn tools_in_command(command: &str) -> Vec<String> {
    if !command.contains(PROGRAM) {
        return Vec::new();
    }
    let command = command.replace("\\\n", " ");
    // Separators within quotation marks only result in more parts.
    let parts = command.split(['\n', ';', '|', '&', '(', ')', '`']);
    parts.flat_map(tools_in_part).collect()
}

fn tools_in_part(part: &str) -> Vec<String> {
    let bare = |word: &str| word.trim_matches(['"', '\'', '\\']).to_owned();
    let words: Vec<String> = part.split_whitespace().map(bare).collect();
    // `@acme/mcp-cli@latest` and `mcp-cli.js` are the same program.
    let file = |word: &str| {
        let name = word.rsplit(['/', '\\']).next().unwrap_or_default();
        name.split(['@', '.']).next().unwrap_or_default().to_owned()
    };
    let first = words.iter().find(|word| !is_assignment(word));
    if first.is_none_or(|word| QUOTING.contains(&file(word).as_str())) {
        return Vec::new();
    }
    let starts = |word: &String| file(word) == PROGRAM || word == OPTION;
    let places = words.iter().enumerate().filter(|(_, word)| starts(word));
    places.filter_map(|(place, _)| target(words.get(place + 1..)?)).collect()
}

/// Returns the name of the tool that the arguments of the program name, if they call one.
fn target(arguments: &[String]) -> Option<String> {
    let is_subcommand =
        |word: &String| CALLS.iter().chain(&DESCRIPTIONS).any(|known| *known == word.as_str());
    // The values of options may come before it.
    let place = arguments.iter().position(is_subcommand)?;
    CALLS.contains(&arguments[place].as_str()).then_some(())?;
    let mut rest = arguments[place + 1..].iter();
    let Some(target) = rest.find(|word| !word.starts_with('-')) else {
        return Some(String::new());
    };
    if target.is_empty() || target.contains(['$', '*']) {
        return Some(String::new());
    }
    Some(match target.split_once('/') {
        Some((server, tool)) => served_name(server, tool),
        None => format!("mcp__{target}"),
    })
}

/// Returns the files that a shell command writes: `> a.json`, `tee a.json`, `-o a.json`.
pub(super) fn written_files(command: &str) -> Vec<String> {
    let spaced = command.replace('>', " > ").replace("--output=", "--output ");
    let is_end = |c: char| c.is_whitespace() || "|;&()`".contains(c);
    let words: Vec<&str> = spaced.split(is_end).filter(|word| !word.is_empty()).collect();
    let files = words.iter().enumerate().filter_map(|(place, word)| {
        [">", "tee", "-o", "--output"].contains(word).then_some(())?;
        words[place + 1..].iter().find(|word| !word.starts_with('-'))
    });
    let names = files.map(|file| file.trim_matches(['"', '\'']));
    // `2>&1` and `/dev/null` are not files.
    let is_file = |name: &&str| name.contains(char::is_alphabetic) && !name.starts_with("/dev/");
    names.filter(is_file).map(str::to_owned).collect()
}

/// Returns whether a word of a command sets a variable: `A=1`.
fn is_assignment(word: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    word.split_once('=').is_some_and(|(name, _)| !name.is_empty() && name.chars().all(is_part))
}

#[cfg(test)]
mod tests {
    use super::{tools_in_command, written_files};

    #[test]
    fn a_command_calls_the_tool_that_it_names() {
        for command in [
            "mcp-cli call garden/water '{\"q\": \"a; b\"}'",
            "A=1 B='x' mcp-cli --json call garden/water -",
            "cd /tmp && /usr/bin/mcp-cli --timeout 30 call \"garden/water\" < q.json",
            "echo '{}' | mcp-cli call garden/water - | jq .",
            "x=$(mcp-cli call garden/water '{}')",
            "echo \"$(mcp-cli call garden/water '{}')\"",
            "timeout 5 mcp-cli \\\n  call garden/water '{}'",
            "bash -c 'mcp-cli call garden/water'",
            "bash -c \"mcp-cli call \\\"garden/water\\\"\"",
            "if true; then mcp-cli call garden/water; fi",
            "claude --mcp-cli call garden/water",
        ] {
            assert_eq!(tools_in_command(command), ["mcp__garden__water"], "{command}");
        }
        for (command, names) in [
            ("mcp-cli call a/b & mcp-cli read c/d://e", vec!["mcp__a__b", "mcp__c__d://e"]),
            ("mcp-cli call \"$tool\" '{}'", vec![""]),
            ("mcp-cli call $(cat tool)", vec![""]),
            ("mcp-cli resources", vec![""]),
            ("mcp-cli resources garden", vec!["mcp__garden"]),
            ("mcp-cli servers", vec![]),
            ("mcp-cli info garden/water", vec![]),
            ("mcp-cli grep call", vec![]),
            ("grep -rn 'mcp-cli call garden/water' src", vec![]),
            ("git commit -m 'mcp-cli call garden/water'", vec![]),
            ("ls mcp-cli", vec![]),
        ] {
            assert_eq!(tools_in_command(command), names, "{command}");
        }
    }

    #[test]
    fn a_command_writes_the_files_that_it_names() {
        for (command, files) in [
            ("a > b.json", vec!["b.json"]),
            ("a>>\"x/b.json\" 2>/dev/null", vec!["x/b.json"]),
            ("a 2>&1 | tee -a b.json; c", vec!["b.json"]),
            ("a -o b.json --output=c.json", vec!["b.json", "c.json"]),
            ("a | b", vec![]),
        ] {
            assert_eq!(written_files(command), files, "{command}");
        }
    }
}
