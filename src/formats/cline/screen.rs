//! Messages on screen: `ui_messages.json`.

use super::super::File;
use super::task::{About, silent};
use crate::shared::access::tool_access::UNNAMED;
use crate::shared::agents::editor::line_starts;
use crate::shared::agents::task_messages::tools;
use crate::shared::agents::turns::{At, Turns, Who};
use crate::shared::json::object::{Object, as_object};
use crate::shared::json::records::records;
use crate::shared::text::dates::of_value;
use convo_base::diag::{Lines, Note};
use convo_base::json::{self, Map, Value};
use convo_base::model::{Action, Block, Conversation, ToolCall, Usage, fenced};

pub(super) fn read(
    file: &File,
    index: usize,
    about: &About,
    notes: &mut Vec<Note>,
) -> Option<Conversation> {
    let lines = Lines::new(&file.text);
    let mut screen = Screen {
        session: about.session(index),
        about,
        asked: false,
        call: None,
        is_server_call: false,
        is_call_private: false,
        calls: 0,
        last_text: String::new(),
    };
    let mut broken = Vec::new();
    for record in records(file, index, &[], &mut broken) {
        let at = record.at;
        if let Some(map) = as_object(record.value, "message", &at, index, notes) {
            let line = lines.line(at.start);
            screen.item(Object::new(map, &file.text, index, at), line, notes);
        }
    }
    notes.append(&mut broken);
    let read = screen.session.done(&line_starts(&file.text), notes);
    if read.is_none() {
        notes.push(silent(index));
    }
    read
}

/// A task that is being read.
struct Screen<'a> {
    session: Turns,
    about: &'a About,
    /// Whether the user has asked for something.
    asked: bool,
    /// The id of the call whose output comes next.
    call: Option<String>,
    /// Whether that call is to a tool of a server.
    is_server_call: bool,
    /// Whether that call is private.
    is_call_private: bool,
    calls: u64,
    /// The last text of the assistant, which is repeated at the end of a task.
    last_text: String,
}

/// A message on screen.
struct Item {
    text: String,
    images: Vec<String>,
    at: At,
    is_asked: bool,
    model: Option<String>,
}

impl Screen<'_> {
    fn item(&mut self, mut object: Object<'_>, line: u32, notes: &mut Vec<Note>) {
        if object.get("partial").is_some_and(|partial| partial == &Value::Bool(true)) {
            return self.session.count_hidden();
        }
        if object.is_withheld(notes) {
            let calls =
                ["tool", "command", "use_mcp_server", "browser_action_launch", "browser_action"];
            let keys = ["ask", "say"].iter().filter_map(|key| object.get(key)?.as_str());
            if keys.into_iter().any(|what| calls.contains(&what)) {
                self.call = None;
                self.is_call_private = true;
            }
            return self.session.withhold(object.start().start);
        }
        let kind = object.text("type", notes).unwrap_or_default();
        let is_asked = kind == "ask";
        let Some(what) = object.text(if is_asked { "ask" } else { "say" }, notes) else {
            let severity = convo_base::diag::Severity::Warning;
            notes.push(object.missing(severity, if is_asked { "ask" } else { "say" }));
            return;
        };
        let millis = object.get("ts").and_then(Value::as_i64).unwrap_or_default();
        let own = object.get("modelInfo").and_then(|info| info.get("modelId")?.as_str());
        let model = own.or(self.about.model(millis)).map(str::to_owned);
        let time = object.get("ts").and_then(of_value);
        let images = match object.take("images") {
            Some(Value::Array(list)) => {
                list.into_iter().filter_map(|image| image.as_str().map(str::to_owned)).collect()
            }
            _ => Vec::new(),
        };
        let thought = object.text("reasoning", notes).unwrap_or_default();
        let text = object.text("text", notes).unwrap_or_default();
        let at = At { line, quoted: true, time, id: None };
        if !thought.trim().is_empty() && self.asked {
            self.session.turn(Who::Assistant, at.clone());
            self.session.think(&thought);
        }
        let item = Item { text, images, at, is_asked, model };
        self.show(&what, item);
    }

    fn show(&mut self, what: &str, item: Item) {
        match what {
            "task" => self.person(item),
            "text" | "user_message" if !self.asked => self.person(item),
            "user_feedback" => self.person(item),
            "text"
            | "completion_result"
            | "plan_mode_respond"
            | "act_mode_respond"
            | "followup"
            | "new_task"
            | "plan_completion_result" => self.answer(item),
            "reasoning" => {
                self.assistant(&item);
                self.session.think(&item.text);
            }
            "tool" => self.tool(item),
            "command" => self.command(item),
            "use_mcp_server" => self.server(item),
            "browser_action_launch" | "browser_action" => self.browser(item),
            "command_output"
            | "mcp_server_response"
            | "browser_action_result"
            | "codebase_search_result"
            | "subtask_result" => self.output(what, item),
            "user_feedback_diff" => self.edited(item),
            "task_progress" => self.progress(item),
            "api_req_started" => self.took(item),
            "error"
            | "diff_error"
            | "clineignore_error"
            | "rooignore_error"
            | "api_req_failed"
            | "mistake_limit_reached"
            | "condense_context_error"
            | "api_req_retry_delayed"
            | "auto_approval_max_req_reached" => {
                self.happened("error", item);
            }
            "condense" | "condense_context" | "summarize_task" => self.compacted(item),
            "image" => {
                self.assistant(&item);
                self.session.attach("image.png", &item.text);
            }
            "mcp_notification" => self.notified(item),
            "info" => self.happened("info", item),
            _ if is_bookkeeping(what) => self.session.count_hidden(),
            _ => {
                self.assistant(&item);
                self.session.unknown(what, item.at.line);
            }
        }
    }

    fn assistant(&mut self, item: &Item) {
        self.session.turn(Who::Assistant, item.at.clone());
    }

    fn person(&mut self, item: Item) {
        if item.text.trim().is_empty() && item.images.is_empty() {
            return;
        }
        self.asked = true;
        self.call = None;
        self.is_call_private = false;
        self.session.turn(Who::Person, item.at);
        self.session.say(&item.text);
        self.images(&item.images);
    }

    fn images(&mut self, images: &[String]) {
        for image in images {
            self.session.attach("image.png", image);
        }
    }

    /// Adds text of the assistant, which may be a question with suggested answers.
    fn answer(&mut self, item: Item) {
        let parsed = json::parse(&item.text).ok().map(|(value, _)| value);
        let Some(Value::Object(map)) = parsed else {
            let text = item.text.trim().trim_end_matches("HAS_CHANGES").trim_end();
            // The end of a task is shown twice.
            if text.is_empty() && item.images.is_empty() || item.is_asked && text == self.last_text
            {
                return;
            }
            self.assistant(&item);
            text.clone_into(&mut self.last_text);
            self.session.say(text);
            return self.images(&item.images);
        };
        self.assistant(&item);
        let words = ["response", "question", "text"];
        let words = words.iter().find_map(|key| map.get(*key)?.as_str()).unwrap_or_default();
        let choices = ["options", "suggest"].iter().find_map(|key| map.get(*key)?.as_array());
        let choice = |choice: &Value| {
            let text = choice.as_str().or_else(|| choice.get("answer")?.as_str())?;
            Some(format!("- {text}"))
        };
        let choices: Vec<String> = choices.into_iter().flatten().filter_map(choice).collect();
        let mut parts = vec![words.to_owned()];
        parts.extend((!choices.is_empty()).then(|| choices.join("\n")));
        self.session.say(&parts.join("\n\n"));
    }

    /// Adds a call, whose output may follow.
    fn add(&mut self, item: &Item, call: ToolCall) {
        self.calls += 1;
        let id = format!("call-{}", self.calls);
        self.assistant(item);
        self.is_call_private = false;
        let is_answered = !call.results.is_empty();
        self.is_server_call = tools::is_served(&call.name);
        self.session.call(ToolCall { id: id.clone(), ..call });
        self.call = (!is_answered).then_some(id);
    }

    fn tool(&mut self, item: Item) {
        let call = match json::parse(&item.text) {
            Ok((Value::Object(map), _)) => tools::on_screen(map),
            _ => ToolCall {
                name: UNNAMED.to_owned(),
                input: Some(item.text.clone().into()),
                ..ToolCall::default()
            },
        };
        self.add(&item, call);
    }

    fn command(&mut self, item: Item) {
        let (command, requires) = match item.text.strip_suffix("REQ_APP") {
            Some(command) => (command, true),
            None => (item.text.as_str(), false),
        };
        // In older versions, the output follows the command.
        let (command, output) = match command.split_once("\nOutput:\n") {
            Some((command, output)) => (command, Some(output)),
            None => (command, None),
        };
        let command = command.trim().to_owned();
        let results = output.map(|output| tools::result(output.trim_end().into()));
        let call = ToolCall {
            name: "execute_command".to_owned(),
            action: Some(Action::Command { command, exit_code: None }),
            requires_approval: requires.then_some(true),
            results: results.into_iter().collect(),
            ..ToolCall::default()
        };
        self.add(&item, call);
    }

    /// Adds a call of a tool of a server; if it cannot be read, the server is unknown.
    fn server(&mut self, item: Item) {
        let call = match json::parse(&item.text) {
            Ok((Value::Object(map), _)) => tools::of_server(&map),
            _ => tools::of_unknown_server(&item.text),
        };
        self.add(&item, call);
    }

    /// Adds a notification of a server as the result of a call to it, so that it is withheld like one.
    fn notified(&mut self, item: Item) {
        let waiting = (self.call.take(), self.is_server_call, self.is_call_private);
        self.add(&item, tools::notification(&item.text));
        (self.call, self.is_server_call, self.is_call_private) = waiting;
    }

    fn browser(&mut self, item: Item) {
        let input = match json::parse(&item.text) {
            Ok((value @ Value::Object(_), _)) => value,
            _ => Map::from_iter([("url".to_owned(), item.text.clone().into())]).into(),
        };
        let call = ToolCall {
            name: "browser_action".to_owned(),
            input: Some(input),
            ..ToolCall::default()
        };
        self.add(&item, call);
    }

    /// Adds the output of a tool to the call that is waiting for it, or as a block of its own.
    fn output(&mut self, what: &str, item: Item) {
        if self.is_call_private {
            return self.session.count_hidden();
        }
        let mut output: Value = item.text.trim_end().into();
        let mut picture = None;
        if what != "command_output"
            && let Ok((Value::Object(mut map), _)) = json::parse(&item.text)
        {
            picture = match map.shift_remove("screenshot") {
                Some(Value::String(address)) => Some(address),
                _ => None,
            };
            output = match map.shift_remove("content") {
                Some(content) => content,
                None => map.into(),
            };
        }
        if output.as_str().is_some_and(|text| text.trim().is_empty())
            && picture.is_none()
            && item.images.is_empty()
        {
            return;
        }
        // The response of a server belongs only to a call to a server.
        let fits = what != "mcp_server_response" || self.is_server_call;
        let waiting = self.call.clone().filter(|_| fits);
        let is_taken = waiting.as_ref().is_some_and(|call| self.session.add_output(call, &output));
        if !is_taken {
            let (name, results) = (what.to_owned(), vec![tools::result(output)]);
            let others = (self.call.take(), self.is_server_call);
            self.add(&item, ToolCall { name, results, ..ToolCall::default() });
            (self.call, self.is_server_call) = others;
        }
        let call = waiting.filter(|_| is_taken).unwrap_or(format!("call-{}", self.calls));
        for image in picture.iter().chain(&item.images) {
            self.session.attach_to(Some(call.clone()), "screenshot.png", image);
        }
    }

    /// Adds an edit by the user to a file of the agent.
    fn edited(&mut self, item: Item) {
        let Ok((Value::Object(map), _)) = json::parse(&item.text) else {
            return self.happened("edited", item);
        };
        let text = |key: &str| map.get(key).and_then(Value::as_str).unwrap_or_default();
        self.session.turn(Who::Person, item.at);
        self.session.push(Block::Event {
            name: "edited".to_owned(),
            text: text("path").to_owned(),
            detail: Some(fenced("diff", text("diff").trim_end())),
        });
    }

    fn progress(&mut self, item: Item) {
        let Some(plan) = tools::plan(&item.text) else { return self.session.count_hidden() };
        let call = ToolCall {
            name: "task_progress".to_owned(),
            action: Some(plan),
            ..ToolCall::default()
        };
        let waiting = (self.call.take(), self.is_server_call, self.is_call_private);
        self.add(&item, call);
        (self.call, self.is_server_call, self.is_call_private) = waiting;
    }

    /// Adds the usage of a request. The request itself is for the model only.
    fn took(&mut self, item: Item) {
        let Ok((Value::Object(map), _)) = json::parse(&item.text) else { return };
        let number = |key: &str| map.get(key).and_then(Value::as_u64);
        let usage = Usage {
            input_tokens: number("tokensIn"),
            output_tokens: number("tokensOut"),
            cache_write_tokens: number("cacheWrites").filter(|count| *count > 0),
            cache_read_tokens: number("cacheReads").filter(|count| *count > 0),
            cost_usd: map.get("cost").and_then(Value::as_f64).filter(|cost| *cost >= 0.0),
            ..Usage::default()
        };
        if !usage.is_empty() {
            self.assistant(&item);
            self.session.add_usage(&Usage { model: item.model, ..usage });
        }
    }

    fn happened(&mut self, name: &str, item: Item) {
        if !item.text.trim().is_empty() {
            self.assistant(&item);
            self.session.event(name, &item.text);
        }
    }

    fn compacted(&mut self, item: Item) {
        self.assistant(&item);
        self.session.push(Block::compaction(Some(item.text.trim().to_owned())));
    }
}

/// Returns whether a message is not relevant to readers.
fn is_bookkeeping(what: &str) -> bool {
    const ALONE: [&str; 16] = [
        "api_req_finished", "api_req_retried", "api_req_deleted", "api_req_rate_limit_wait",
        "deleted_api_reqs", "shell_integration_warning", "mcp_server_request_started",
        "resume_task", "resume_completed_task", "load_mcp_documentation",
        "sliding_window_truncation", "too_many_tools_warning", "error_retry", "report_bug",
        "generate_explanation", "user_edit_todos",
    ];
    ALONE.contains(&what) || what.starts_with("checkpoint") || what.starts_with("hook")
}
