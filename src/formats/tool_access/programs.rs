//! Finds the tools that other tools call: in programs, and in lists of calls.

use super::servers::is_third_party;
use super::words::words;
use convo_base::json::Value;
use convo_base::model::ToolCall;

/// The last words of the names of tools that call others.
const CALLERS: [&str; 3] = ["exec", "parallel", "batch"];

/// The keys of tool names in lists of calls.
const KEYS: [&str; 4] = ["recipient_name", "tool", "tool_name", "toolName"];

/// Returns the names of the tools that a call calls itself.
pub(super) fn called(call: &ToolCall) -> impl Iterator<Item = &str> {
    let is_caller = CALLERS.iter().any(|word| call.name.ends_with(word));
    let mut names = Vec::new();
    let mut open: Vec<&Value> = call.input.iter().filter(|_| is_caller).collect();
    while let Some(value) = open.pop() {
        match value {
            Value::String(program) => names.extend(called_in(program)),
            Value::Array(list) => open.extend(list),
            Value::Object(map) => {
                let named = KEYS.iter().filter_map(|key| map.get(*key)?.as_str());
                names.extend(named);
                open.extend(map.values());
            }
            _ => {}
        }
    }
    names.into_iter()
}

/// Returns the names of tools in a program: `tools.name`, `tools["name"]`, and names marked as belonging to
/// a server or a third party. A name that the program computes is empty.
fn called_in(program: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || "_.-".contains(c);
    let named = program.split(move |c| !is_part(c)).filter_map(|name| {
        let tool = ["tools.", "functions."].iter().find_map(|space| name.strip_prefix(space));
        let is_served = || {
            name.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("mcp"))
                || name.contains("__") && is_third_party(&words(name))
        };
        tool.or_else(|| is_served().then_some(name))
    });
    let indexed = program.split("tools[").skip(1).map(|rest| {
        let quoted = rest.trim_start().strip_prefix(['"', '\'', '`']);
        let end = |text: &str| text.find(['"', '\'', '`']);
        quoted.and_then(|text| text.get(..end(text)?)).unwrap_or_default()
    });
    named.chain(indexed)
}
