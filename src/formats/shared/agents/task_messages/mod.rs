//! Messages of tasks of Cline, Roo Code and their forks: requests to the model, and the export of a task, in which
//! calls are tags of the text.

pub(crate) mod tools;

use std::borrow::Cow;

use super::editor::edit;
use super::turns::{At, Turns, Who};
use crate::shared::access::tool_access::{full_name, some_call};
use crate::shared::json::object::Object;
use crate::shared::text::dates::of_value;
use convo_base::diag::Note;
use convo_base::json::{Map, Value};
use convo_base::model::{Action, FileEdit, ToolCall};

/// Reads the texts of messages, as the export of a task to Markdown has them.
pub(crate) fn of_texts<'t>(
    session: Turns,
    texts: impl Iterator<Item = (Who, Cow<'t, str>, At)>,
) -> Turns {
    let mut requests = Requests::new(session);
    for (who, text, at) in texts {
        if who == Who::Assistant {
            requests.session.turn(who, at);
            requests.add_exported(&text);
            continue;
        }
        match ["[Tool]\n", "[Tool (Error)]\n"].iter().find_map(|head| text.strip_prefix(head)) {
            Some(output) => requests.add_result("", false, &output.into(), &at),
            None => requests.asked(vec![text.into()], &at),
        }
    }
    requests.done()
}

/// The messages of a task that were read so far.
pub(crate) struct Requests {
    session: Turns,
    /// The id of the call whose result comes next.
    call: Option<String>,
    /// Whether that call is to a tool of a server.
    is_server_call: bool,
    /// Whether that call is in a private message.
    is_call_private: bool,
    calls: u64,
}

impl Requests {
    pub(crate) fn new(session: Turns) -> Self {
        Self { session, call: None, is_server_call: false, is_call_private: false, calls: 0 }
    }

    pub(crate) fn done(self) -> Turns {
        self.session
    }

    /// Reads a message.
    pub(crate) fn message(&mut self, mut object: Object<'_>, line: u32, notes: &mut Vec<Note>) {
        if object.is_withheld(notes) {
            return self.withhold(&object);
        }
        let at = At { line, quoted: true, time: object.get("ts").and_then(of_value), id: None };
        let role = object.text("role", notes).unwrap_or_default();
        let parts = match object.take("content") {
            Some(Value::Array(parts)) => parts,
            Some(Value::String(text)) => vec![text.into()],
            _ => Vec::new(),
        };
        match role.as_str() {
            "assistant" => {
                self.is_call_private = false;
                self.session.turn(Who::Assistant, at);
                parts.into_iter().for_each(|part| self.answer(part, line));
            }
            "user" => self.asked(parts, &at),
            "system" => {
                self.session.turn(Who::System, at);
                let texts = parts.iter().filter_map(words);
                texts.for_each(|text| self.session.say(text));
            }
            _ => {
                self.session.turn(Who::Program, at);
                self.session.unknown(&role, line);
            }
        }
    }

    /// Skips a message, with the results of its calls.
    fn withhold(&mut self, object: &Object<'_>) {
        if object.get("role").is_some_and(|role| role == "assistant") {
            let parts = object.get("content").and_then(Value::as_array);
            self.session.withhold_calls(parts.into_iter().flatten(), "id");
            self.call = None;
            self.is_call_private = true;
        }
        self.session.withhold(object.start().start);
    }

    /// Adds text of the user, and tool results.
    fn asked(&mut self, parts: Vec<Value>, at: &At) {
        // Whether a result was in this message.
        let mut is_result = false;
        // Whether the text below names the result that follows, and whether its tool is of a server.
        let (mut is_below_head, mut is_server) = (false, false);
        let mut is_open = false;
        for part in parts {
            let kind = part.get("type").and_then(Value::as_str).unwrap_or("text");
            if kind == "tool_result" {
                let id = part.get("tool_use_id").and_then(Value::as_str).unwrap_or_default();
                let output = part.get("content").cloned().unwrap_or_default();
                self.add_result(id, false, &output, at);
                is_result = true;
                continue;
            }
            if kind == "image" {
                let source = part.get("source");
                let field = |key: &str| source?.get(key)?.as_str();
                let kind = field("media_type").unwrap_or("image/png");
                let data = field("data").map(|data| format!("data:{kind};base64,{data}"));
                // A picture below a result is a part of it, unless the user wrote something.
                let call = some_call(is_result && !is_open);
                self.session.attach_to(call, "image.png", &data.unwrap_or_default());
                continue;
            }
            let Some(text) = words(&part) else { continue };
            // The text in brackets names the call whose result follows.
            let is_head = text.starts_with('[') && text.trim_end().ends_with("Result:");
            if is_head {
                is_result = true;
                is_server = serves(text);
                is_below_head = true;
                continue;
            }
            if let Some((head, output)) = text
                .split_once("Result:\n")
                .filter(|(head, _)| head.starts_with('[') && !head.contains('\n'))
            {
                self.add_result("", serves(head), &output.into(), at);
                is_result = true;
                continue;
            }
            let prompt = without_details(text);
            if prompt.trim().is_empty() {
                self.session.count_hidden();
                continue;
            }
            let inside = ["task", "feedback", "answer", "user_message"];
            let own = inside.iter().find_map(|tag| inside_of(&prompt, tag));
            match own {
                Some(own) => {
                    if !is_open {
                        self.session.turn(Who::Person, at.clone());
                        is_open = true;
                    }
                    self.session.say(own.trim());
                }
                None if is_below_head => {
                    self.add_result("", is_server, &prompt.trim_end().into(), at);
                }
                // Text that the extension sends to the model when the user did not write any.
                None if prompt.trim_start().starts_with("[ERROR]")
                    || prompt.trim_start().starts_with("[TASK RESUMPTION]") =>
                {
                    self.session.count_hidden();
                }
                None => {
                    if !is_open {
                        self.session.turn(Who::Person, at.clone());
                        is_open = true;
                    }
                    self.session.say(prompt.trim());
                }
            }
        }
    }

    /// Adds the result of a tool to the call of that id, or to the preceding one. The result of a tool of a
    /// server belongs only to a call to a server.
    fn add_result(&mut self, id: &str, is_server: bool, output: &Value, at: &At) {
        let mut output = output.clone();
        if let Value::Array(parts) = &output {
            let texts: Vec<&str> = parts.iter().filter_map(words).collect();
            output = texts.join("\n").into();
        }
        if let Value::String(text) = &mut output {
            let own = without_details(text);
            own.trim_start_matches('\n').trim_end().clone_into(text);
        }
        if id.is_empty() && self.is_call_private {
            return self.session.count_hidden();
        }
        let results = vec![tools::result(output.clone())];
        if id.is_empty() && is_server && !self.is_server_call {
            let call = ToolCall { results, ..tools::of_unknown_server("") };
            return self.session.add_results(call, at);
        }
        let id = if id.is_empty() { self.call.clone().unwrap_or_default() } else { id.to_owned() };
        if !self.session.add_output(&id, &output) {
            self.session.add_results(ToolCall { id, results, ..ToolCall::default() }, at);
        }
    }

    fn answer(&mut self, part: Value, line: u32) {
        let kind = part.get("type").and_then(Value::as_str).unwrap_or("text").to_owned();
        match kind.as_str() {
            "text" => {
                if let Some(text) = words(&part) {
                    self.add_text(text);
                }
            }
            "thinking" => {
                let text = part.get("thinking").and_then(Value::as_str);
                self.session.think(text.unwrap_or_default());
            }
            "reasoning" => {
                let text = part.get("text").and_then(Value::as_str);
                self.session.think(text.unwrap_or_default());
            }
            "redacted_thinking" | "thoughtSignature" => self.session.count_hidden(),
            "tool_use" | "mcp_tool_use" => {
                let text = |key: &str| part.get(key).and_then(Value::as_str).unwrap_or_default();
                let given = |key: &str| part.get("input")?.get(key)?.as_str();
                let name = tools::full_name(text("name"), given);
                let name = part.as_object().map_or(name.clone(), |part| full_name(part, &name));
                let call = ToolCall {
                    id: text("id").to_owned(),
                    name,
                    input: part.get("input").cloned().filter(|input| !input.is_null()),
                    ..ToolCall::default()
                };
                self.call = Some(call.id.clone());
                self.is_server_call = tools::is_served(&call.name);
                self.session.call(call);
            }
            kind => {
                // It may be a call, whose result belongs to no other.
                self.call = None;
                self.session.unknown(kind, line);
            }
        }
    }

    /// Adds text of the assistant, in which calls are written as tags or, with all that follows, below a line
    /// `[Tool Use: read_file]`.
    fn add_exported(&mut self, text: &str) {
        let mut parts = text.split("[Tool Use: ");
        let said = parts.next().unwrap_or_default();
        self.add_text(said);
        for part in parts {
            let (name, input) = part.split_once(']').unwrap_or((part, ""));
            let input = input.trim();
            if name == "attempt_completion" {
                let result = input.strip_prefix("Result: ").unwrap_or(input);
                // The model may have said the same before.
                if said.trim() != result {
                    self.session.say(result);
                }
                continue;
            }
            let given = |key: &str| {
                let mut rows = input.lines().filter_map(|line| line.split_once(": "));
                rows.find(|(name, _)| name.eq_ignore_ascii_case(key)).map(|(_, value)| value)
            };
            let name = tools::full_name(name, given);
            let input = (!input.is_empty()).then(|| input.into());
            self.add_call(ToolCall { name, input, ..ToolCall::default() });
        }
    }

    /// Adds a call that has no id.
    fn add_call(&mut self, mut call: ToolCall) {
        self.calls += 1;
        call.id = format!("call-{}", self.calls);
        self.call = Some(call.id.clone());
        self.is_server_call = tools::is_served(&call.name);
        self.session.call(call);
    }

    /// Adds text of the assistant, in which calls are written as tags.
    fn add_text(&mut self, text: &str) {
        let mut rest = text;
        while let Some((before, name, inside, behind)) = element(rest) {
            self.session.say(before);
            match name {
                "thinking" => self.session.think(inside.trim()),
                "attempt_completion" => {
                    self.session.say(inside_of(inside, "result").unwrap_or(inside).trim());
                }
                "ask_followup_question" | "plan_mode_respond" => {
                    let words = ["question", "response"];
                    let words = words.iter().find_map(|tag| inside_of(inside, tag));
                    self.session.say(words.unwrap_or(inside).trim());
                }
                _ => {
                    self.add_call(inline_call(name, inside));
                }
            }
            rest = behind;
        }
        self.session.say(rest);
    }
}

/// Returns whether the text above a result names a tool of a server: `[use_mcp_tool for 'server'] Result:`.
fn serves(head: &str) -> bool {
    let name = head.trim_start_matches('[');
    ["mcp", "use_mcp_tool", "access_mcp_resource"].iter().any(|start| name.starts_with(start))
}

/// Returns the text of a part.
fn words(part: &Value) -> Option<&str> {
    part.as_str().or_else(|| part.get("text")?.as_str())
}

/// Returns a text without the environment details of the editor.
fn without_details(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("<environment_details>") {
        out.push_str(before);
        rest = behind.split_once("</environment_details>").map_or("", |(_, rest)| rest);
    }
    out.push_str(rest);
    out
}

/// Returns the contents of the first element of a name.
fn inside_of<'a>(text: &'a str, tag: &str) -> Option<&'a str> {
    let (_, behind) = text.split_once(&format!("<{tag}>"))?;
    Some(behind.split_once(&format!("</{tag}>")).map_or(behind, |(inside, _)| inside))
}

/// The tags of tool calls, and of thoughts.
const TAGS: [&str; 24] = [
    "thinking", "read_file", "write_to_file", "replace_in_file", "apply_diff", "insert_content",
    "search_and_replace", "search_files", "list_files", "list_code_definition_names",
    "codebase_search", "execute_command", "browser_action", "use_mcp_tool", "access_mcp_resource",
    "ask_followup_question", "attempt_completion", "plan_mode_respond", "new_task", "switch_mode",
    "update_todo_list", "fetch_instructions", "web_fetch", "load_mcp_documentation",
];

/// Returns the next element that starts a line: the text before it, its name, its contents, and the text
/// after it.
fn element(text: &str) -> Option<(&str, &str, &str, &str)> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let inside = line.trim_start().strip_prefix('<');
        let found = inside.and_then(|inside| {
            let (name, _) = inside.split_once('>')?;
            TAGS.contains(&name).then_some(name)
        });
        if let Some(name) = found {
            let open = start + (line.len() - line.trim_start().len());
            let from = open + name.len() + 2;
            let rest = text.get(from..)?;
            let close = format!("</{name}>");
            let (inside, behind) = rest.split_once(&close).unwrap_or((rest, ""));
            return Some((&text[..open], name, inside, behind));
        }
        start += line.len();
    }
    None
}

/// Reads a call that is written as tags.
fn inline_call(name: &str, inside: &str) -> ToolCall {
    let mut input = Map::new();
    let mut rest = inside;
    while let Some((_, behind)) = rest.split_once('<') {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let (key, more) = behind.split_at(behind.find(|c| !is_part(c)).unwrap_or(behind.len()));
        let Some(value) = more.strip_prefix('>').filter(|_| !key.is_empty()) else {
            rest = behind;
            continue;
        };
        let (value, more) = value.split_once(&format!("</{key}>")).unwrap_or((value, ""));
        input.insert(key.to_owned(), value.trim_matches('\n').into());
        rest = more;
    }
    let text = |key: &str| input.get(key).and_then(Value::as_str).map(str::to_owned);
    let path = text("path").unwrap_or_default();
    let action = match name {
        "write_to_file" => {
            text("content").map(|text| Action::Edit { files: vec![FileEdit::written(path, &text)] })
        }
        "replace_in_file" | "apply_diff" => text("diff").and_then(|change| edit(path, &change)),
        "update_todo_list" => text("todos").and_then(|list| tools::plan(&list)),
        _ => None,
    };
    let name = tools::full_name(name, |key| input.get(key)?.as_str());
    let input = (action.is_none() && !input.is_empty()).then(|| input.into());
    ToolCall { name, input, action, ..ToolCall::default() }
}
