//! Finds the tools that other tools call: in lists of calls, in programs and in shell commands.

use std::collections::HashSet;

use super::agents::is_common;
use super::commands::{nested, tools_in_command, tools_in_input};
use super::javascript::may_call_any_tool;
use super::names::names_in;
use super::served_name;
use super::servers::is_third_party;
use super::words::words;
use convo_base::json::Value;
use convo_base::model::{Action, ToolCall};

/// Keys of tool names in the arguments of tools that call others. All keys are in lower case without
/// punctuation.
const TOOLS: [&str; 4] = ["recipientname", "tool", "toolname", "functionname"];
/// Keys that may be those of a tool name.
const NAMES: [&str; 2] = ["name", "function"];
/// Keys of arguments, next to a name.
const ARGUMENTS: [&str; 8] =
    ["input", "inputs", "toolinput", "arguments", "args", "parameters", "params", "kwargs"];
/// Keys of server names, next to a name.
const SERVERS: [&str; 3] = ["server", "servername", "mcpserver"];

/// Returns the names of the tools that a call calls itself. A name that is computed is empty.
pub(super) fn tools_called(call: &ToolCall) -> Vec<String> {
    let mut names = Vec::new();
    if let Some(Action::Command { command, .. }) = &call.action {
        names.extend(tools_in_command(command));
    }
    let Some(input) = &call.input else { return names };
    names.extend(tools_in_input(input));
    let words = words(&call.name);
    if runs_functions(&words) {
        for program in texts(input) {
            names.extend(tools_in(program).map(str::to_owned));
            names.extend(functions_in(program));
        }
    } else if calls_tools(&words) {
        add_calls(input, false, &mut names);
        if texts(input).into_iter().any(may_call_any_tool) {
            names.push(String::new());
        }
    }
    names
}

/// Returns whether a tool with these words in its name calls other tools.
fn calls_tools(words: &[String]) -> bool {
    let has = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
    let ends = |word: &String| ["batch", "parallel"].iter().any(|name| word.ends_with(*name));
    let last = words.iter().rfind(|word| !["tool", "tools"].contains(&word.as_str()));
    words.iter().any(ends)
        // OpenCode calls it instead of a tool whose arguments were not readable.
        || words == ["invalid"]
        || last.is_some_and(|word| word.ends_with("exec"))
        || has(&["tool", "tools"]) && has(&["call", "execute", "invoke", "multi", "run", "use"])
}

/// Returns whether a tool with these words in its name runs programs in which tools are functions.
fn runs_functions(words: &[String]) -> bool {
    // Tools such as `text_editor_code_execution` only edit files.
    words.windows(2).any(|pair| pair == ["code", "execution"])
        && words.first().is_none_or(|word| word != "text")
}

/// Returns all texts in a value.
pub(super) fn texts(value: &Value) -> Vec<&str> {
    let mut texts = Vec::new();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) => texts.push(text.as_str()),
            Value::Array(list) => open.extend(list),
            Value::Object(map) => open.extend(map.values()),
            _ => {}
        }
    }
    texts
}

/// Adds the names of the tools that a value calls; `is_argument` if it is an argument of such a call.
fn add_calls(value: &Value, is_argument: bool, names: &mut Vec<String>) {
    // Each value, whether it is in a list, and whether it is an argument of a call.
    let mut open = vec![(value, false, is_argument)];
    while let Some((value, is_listed, is_argument)) = open.pop() {
        match value {
            Value::String(text) => match nested(text) {
                Some(inner) => add_calls(&inner, is_argument, names),
                None => names.extend(tools_in(text).map(str::to_owned)),
            },
            Value::Array(list) => open.extend(list.iter().map(|value| (value, true, is_argument))),
            Value::Object(map) => {
                let fields: Vec<(String, &Value)> =
                    map.iter().map(|(key, value)| (words(key).concat(), value)).collect();
                let has_arguments = fields.iter().any(|(key, _)| ARGUMENTS.contains(&key.as_str()));
                let server = fields
                    .iter()
                    .find(|(key, _)| SERVERS.contains(&key.as_str()))
                    .and_then(|(_, server)| server.as_str());
                let mut is_call = false;
                for (key, value) in &fields {
                    let may_name = NAMES.contains(&key.as_str())
                        && (has_arguments || is_listed && !is_argument);
                    let Some(name) = value.as_str() else { continue };
                    if may_name || TOOLS.contains(&key.as_str()) {
                        is_call = true;
                        names.push(match server {
                            Some(server) => served_name(server, name),
                            None => name.to_owned(),
                        });
                    }
                }
                open.extend(fields.into_iter().map(|(key, value)| {
                    let is_given = is_call && ARGUMENTS.contains(&key.as_str());
                    (value, false, is_argument || is_given)
                }));
            }
            _ => {}
        }
    }
}

/// Returns the names of tools in a program: `tools.name`, `tools["name"]`, and names marked as belonging to
/// a server or a third party. A name that the program computes is empty.
fn tools_in(program: &str) -> impl Iterator<Item = &str> {
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

/// Keywords, and names of the languages and their libraries.
const KNOWN: [&str; 103] = [
    "if", "elif", "else", "for", "while", "switch", "catch", "return", "await", "async", "def",
    "function", "class", "in", "not", "and", "or", "lambda", "yield", "with", "except", "raise",
    "assert", "del", "new", "typeof", "throw", "super", "self", "this", "abs", "all", "any",
    "bool", "bytes", "dict", "enumerate", "filter", "float", "format", "hasattr", "int",
    "isinstance", "iter", "len", "list", "map", "max", "min", "next", "open", "print", "range",
    "repr", "reversed", "round", "set", "sorted", "str", "sum", "tuple", "type", "zip",
    "Exception", "RuntimeError", "ValueError", "aiofiles", "anyio", "asyncio", "collections",
    "csv", "datetime", "io", "itertools", "json", "math", "np", "numpy", "os", "pandas", "pathlib",
    "pd", "plt", "random", "re", "statistics", "sys", "time", "timedelta", "Array", "Boolean",
    "Date", "Error", "JSON", "Map", "Math", "Number", "Object", "Promise", "Set", "String",
    "console", "setTimeout",
];

/// Returns the names of the tools that a program calls as functions. Such a program awaits them, and does
/// not define them. Functions that it imports may be tools too.
fn functions_in(program: &str) -> Vec<String> {
    let names = names_in(program);
    if names.iter().all(|name| name.text != "await") {
        return Vec::new();
    }
    let (mut functions, mut variables) = (HashSet::new(), HashSet::new());
    let (mut last, mut is_import) = ("", false);
    for name in &names {
        let starts = last.is_empty() || name.before.contains(['\n', ';']);
        if starts {
            is_import = ["import", "from"].contains(&name.text);
        }
        let is_next = name.before.trim().is_empty();
        let value = name.after.trim_start_matches([' ', '\t']).strip_prefix('=');
        let value = value.filter(|value| !value.starts_with(['=', '>']));
        let is_function = value.is_some_and(|value| value.trim_start().starts_with("async"));
        match last {
            "def" | "function" | "class" if is_next => _ = functions.insert(name.text),
            "const" | "let" | "var" if is_next && is_function => {
                functions.insert(name.text);
            }
            "const" | "let" | "var" | "for" if is_next => _ = variables.insert(name.text),
            "as" if is_next && !is_import => _ = variables.insert(name.text),
            _ if starts && value.is_some() => _ = variables.insert(name.text),
            _ => {}
        }
        last = name.text;
    }
    let mut called = Vec::new();
    let mut last = "";
    for name in &names {
        let is_between = |c: char| c.is_whitespace() || "([{*".contains(c);
        let is_awaited = last == "await" && name.before.chars().all(is_between);
        last = name.text;
        let root = name.text.split('.').next().unwrap_or_default();
        let is_number = root.starts_with(|c: char| c.is_ascii_digit());
        if root.is_empty() || is_number || KNOWN.contains(&root) || functions.contains(root) {
            continue;
        }
        let is_called = match is_awaited {
            true => name.after.trim_start().starts_with(['(', '[', '?']),
            false => name.after.starts_with('(') && !variables.contains(root),
        };
        if !is_called {
            continue;
        }
        if name.text.contains('.') {
            called.push(name.text.trim_end_matches('.').to_owned());
        } else if !is_common(name.text) {
            called.push(served_name("", name.text));
        }
    }
    called
}

#[cfg(test)]
mod tests {
    use super::tools_called;
    use convo_base::model::ToolCall;
    use serde_json::{Value, json};

    #[track_caller]
    fn check(name: &str, input: Value, expected: &[&str]) {
        let call =
            ToolCall { name: name.to_owned(), input: Some(input.clone()), ..ToolCall::default() };
        let mut names = tools_called(&call);
        names.sort();
        assert_eq!(names, expected, "{name} {input}");
    }

    #[test]
    fn tools_that_call_others_have_the_names_of_those() {
        for (name, input) in [
            ("batch_tool", json!({"invocations": [{"name": "mail", "input": {"name": "x"}}]})),
            ("Batch", json!({"calls": [{"tool_name": "mail", "args": {}}]})),
            ("batch", json!({"tool_calls": [{"tool": "mail", "parameters": {}}]})),
            ("multi_tool_use.parallel", json!({"tool_uses": [{"recipient_name": "mail"}]})),
            ("run_parallel", json!([{"function": {"name": "mail", "arguments": "{}"}}])),
            ("batch_tool", json!({"invocations": [{"name": "mail"}]})),
            ("batch_tool", json!({"invocations": "[{\"name\": \"mail\", \"input\": {}}]"})),
            ("call_tool", json!({"name": "mail", "arguments": {}})),
            ("exec", json!("text(await tools.mail({}));")),
        ] {
            check(name, input, &["mail"]);
        }
        let nested = json!({"invocations": [{"name": "batch_tool", "input":
            {"invocations": [{"name": "mail", "input": {}}]}}]});
        check("batch_tool", nested, &["batch_tool", "mail"]);
        let apart = json!({"calls": [{"server": "garden", "tool": "water", "args": {}}]});
        check("batch", apart, &["mcp__garden__water"]);
        check("write_file", json!({"tool": "mail", "name": "mail", "input": {}}), &[]);
        check("exec", json!({"name": "mail"}), &[]);
        check("exec", json!("const t = tools; await t.lamp({});"), &[""]);
        check("container.exec", json!({"cmd": ["bash", "-lc", "cd tools; ls (tools)"]}), &[]);
    }

    #[test]
    fn programs_await_the_tools_that_they_call() {
        for (program, expected) in [
            ("r = await garden.water('a')", vec!["garden.water"]),
            ("r = await water('a')", vec!["mcp__unknown__water"]),
            ("const r = (await garden?.water('a')).x;", vec!["mcp__unknown__garden"]),
            (
                "import asyncio\nr = await asyncio.gather(garden.water('a'), water('b'))",
                vec!["garden.water", "mcp__unknown__water"],
            ),
            (
                "import * as garden from './servers/garden';\nawait garden.water({});",
                vec!["garden.water"],
            ),
            (
                "import asyncio\nasync def main():\n    x = json.loads('1')\n    x.y()\n    \
                 await asyncio.sleep(1)\n    print(await read_file('a'))\nawait main()",
                vec![],
            ),
            ("const main = async () => { console.log(1); };\nawait main();", vec![]),
            ("r = garden(1)\nprint(garden.water(1))", vec![]),
        ] {
            check("code_execution", json!({"code": program}), &expected);
        }
    }

    #[test]
    fn commands_in_arguments_are_read() {
        for input in [
            json!({"command": "mcp-cli call garden/water '{}'"}),
            json!({"cmd": ["mcp-cli", "call", "garden/water"]}),
            json!("{\"command\": \"mcp-cli call garden/water\"}"),
        ] {
            check("Bash", input, &["mcp__garden__water"]);
        }
        check("Write", json!({"content": "mcp-cli call garden/water"}), &[]);
    }
}
