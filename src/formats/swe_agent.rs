//! Trajectories of SWE-agent and mini-swe-agent, which work on tasks in a shell.
//!
//! ```text
//! *.traj, SWE-agent
//! {"trajectory": [the steps again], "history": [
//!   {"role": "system", …}, {"role": "user", "is_demo": true, …}, {"role": "user", "content": the task},
//!   {"role": "assistant", "content": …, "thought": …, "action": "cat a.py", "tool_calls": […]},
//!   {"role": "tool", "content": "OBSERVATION:\n…", "tool_call_ids": ["call_1"]}, …],
//!  "info": {"exit_status": …}, "replay_config": settings, "attempts": [whole trajectories]}
//! *.traj.json, mini-swe-agent
//! {"info": {"model_stats": …, "config": settings}, "messages": [
//!   …, {"role": "assistant", "content": …, "extra": {"actions": [{"command": …}], "timestamp": …}},
//!   {"role": "user" or "tool", "content": "<returncode>0</returncode>\n<output>…", "extra": {"raw_output": …}},
//!   {"role": "exit", …}], "trajectory_format": "mini-swe-agent-1.1"}
//! ```
//!
//! Only the messages are read: the other parts repeat them, or contain settings with keys.

use super::probe::value_of;
use super::{About, Claim, File, Format, Parsed, Probe, Read};
use crate::shared::agents::chat::{Media, text_blocks};
use crate::shared::agents::editor::line_starts;
use crate::shared::agents::thread::arguments;
use crate::shared::agents::turns::{At, Message, Outcome, Turns, Who};
use crate::shared::json::events::each_event;
use crate::shared::json::object::text;
use crate::shared::json::records::is_document_withheld;
use crate::shared::tally::no_messages;
use crate::shared::text::dates::of_value;
use convo_base::diag::Severity;
use convo_base::json::{self, Map, Value};
use convo_base::model::{Action, Place, ToolCall, ToolResult};

pub(super) const FORMAT: Format = Format {
    name: "swe-agent",
    title: "SWE-agent trajectory",
    source_label: "SWE-agent",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "Trajectories of SWE-agent and mini-swe-agent.",
        find: "The `.traj` files in the folder `trajectories` of SWE-agent; `.traj.json` files of mini-swe-agent.",
        reads: "The task, thoughts, commands with their output and exit codes, and other calls.",
        leaves_out: "System prompts, demonstrations, settings, raw answers of the model, and attempts that were not chosen.",
    },
    read: Some(Read::new(claims, parse)),
    write: None,
};

/// The keys of the list of messages.
const LISTS: [&str; 2] = ["history", "messages"];
/// The same, and the keys of what repeats it.
const BESIDE: [&str; 4] = ["history", "messages", "trajectory", "attempts"];
/// The name of the assistant.
const AGENT: &str = "SWE-agent";
/// What the program writes before the output of a command, and in place of an empty one.
const OBSERVATION: &str = "OBSERVATION:\n";
/// The fences in which mini-swe-agent has its commands.
const FENCES: [&str; 2] = ["```bash\n", "```mswea_bash_command\n"];
const NO_OUTPUT: &str = "Your command ran successfully and did not produce any output.";

fn claims(probe: &Probe<'_>) -> Claim {
    let has = |key: &str| probe.value(key).is_some();
    let first_has = |list: &str, key: &str| {
        let list = probe.value(list).filter(|list| list.starts_with('['));
        list.is_some_and(|list| value_of(&json::keys(list), key).is_some())
    };
    let inside = |key: &str| {
        let keys = json::keys(probe.value("info").unwrap_or_default());
        value_of(&keys, key).is_some()
    };
    let is_named = [".traj", ".traj.json"].iter().any(|end| probe.name.ends_with(end));
    let is_first =
        first_has("trajectory", "action") && (is_named || first_has("trajectory", "response"));
    let is_mini = has("messages") && (inside("model_stats") || inside("exit_status"))
        || probe.value("trajectory_format").is_some_and(|name| name.contains("mini-swe-agent"));
    let is_demonstration = is_named && first_has("history", "role");
    let is_cut_off = is_named && has("info") && inside("model_stats");
    match probe.text.trim_start().starts_with('{')
        && (is_first || is_mini || is_demonstration || is_cut_off)
    {
        true => Claim::Signature,
        false => Claim::No,
    }
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    for (index, file) in files.iter().enumerate() {
        let mut notes = Vec::new();
        let mut session =
            Session { turns: Turns::new(index, AGENT), steps: 0, answered: 0, has_task: false };
        session.turns.read.private = is_document_withheld(&file.text, &BESIDE);
        each_event(file, index, &LISTS, &mut notes, &mut |object, line, notes| {
            let is_withheld = object.is_withheld(notes);
            let start = object.start().start;
            let message = object.rest();
            if is_withheld {
                session.withhold(&message, start);
            } else {
                session.message(&message, line);
            }
        });
        let read = session.turns.done(&line_starts(&file.text), &mut notes);
        if read.is_none() {
            notes.push(no_messages(Severity::Hint).in_file(index));
        }
        parsed.conversations.extend(read);
        parsed.notes.append(&mut notes);
    }
    parsed
}

struct Session {
    turns: Turns,
    /// The number of commands without an id, from which one is made.
    steps: usize,
    /// The number of the last one that has its output.
    answered: usize,
    has_task: bool,
}

impl Session {
    /// Omits a private message, and the output of its command.
    fn withhold(&mut self, message: &Map, start: usize) {
        let calls = message.get("tool_calls").and_then(Value::as_array);
        self.turns.withhold_calls(calls.into_iter().flatten(), "id");
        match text(message, "role") {
            Some("assistant") if calls.is_none_or(Vec::is_empty) => {
                self.steps += 1;
                let id = format!("step-{}", self.steps);
                let step: Map = [("id".to_owned(), id.into())].into_iter().collect();
                self.turns.withhold_calls([&Value::Object(step)], "id");
            }
            Some("user") => self.has_task = true,
            _ => {}
        }
        self.turns.withhold(start);
    }

    fn message(&mut self, message: &Map, line: u32) {
        let is_set = |value: &Value| !value.is_null() && *value != false;
        let is_demo = message.get("is_demo").is_some_and(is_set)
            || text(message, "message_type") == Some("demonstration");
        let extra = message.get("extra").and_then(Value::as_object);
        let time = extra.and_then(|extra| of_value(extra.get("timestamp")?));
        let at = At { line, quoted: true, time, id: None };
        if is_demo {
            return self.turns.count_hidden();
        }
        match text(message, "role").or(text(message, "type")).unwrap_or_default() {
            "assistant" => self.answer(message, extra, at),
            "tool" | "function_call_output" => self.output(message, extra),
            // The first one is the task.
            "user" if !std::mem::replace(&mut self.has_task, true) => {
                self.turns.turn(Who::Person, at);
                let task = texts(message).join("\n\n");
                self.say(observed(&task), false);
            }
            "user" if self.is_waiting() => self.output(message, extra),
            // From a person or the program, which the file does not say.
            "user" => {
                let detail = texts(message).join("\n\n");
                let place = Place { file: self.turns.file, line: at.line, quoted: true };
                let message = Message { time: at.time, place, ..Message::default() };
                self.turns.event_without_speaker(
                    "message",
                    "A message to the agent",
                    Some(detail),
                    message,
                );
            }
            // An answer in another form.
            "" if message.get("object").is_some_and(|kind| kind == "response") => {
                self.response(message, at);
            }
            _ => self.turns.count_hidden(),
        }
    }

    /// Returns whether the last command has no output yet.
    fn is_waiting(&self) -> bool {
        self.steps > self.answered
    }

    fn answer(&mut self, message: &Map, extra: Option<&Map>, at: At) {
        self.turns.turn(Who::Assistant, at);
        let blocks = message.get("thinking_blocks").and_then(Value::as_array);
        for block in blocks.into_iter().flatten() {
            self.turns.think(block.get("thinking").and_then(Value::as_str).unwrap_or_default());
        }
        let calls = message.get("tool_calls").and_then(Value::as_array).filter(|it| !it.is_empty());
        let action = text(message, "action").map(str::trim);
        let actions = extra.and_then(|extra| extra.get("actions")?.as_array());
        let actions = actions.into_iter().flatten();
        let commands = actions.filter_map(|action| action.get("command")?.as_str());
        let mut commands: Vec<&str> = action.into_iter().chain(commands).collect();
        let words = texts(message).join("\n\n");
        match (calls, action.filter(|_| message.contains_key("thought"))) {
            (Some(_), _) => self.say(&words, true),
            // The content repeats the command.
            (None, Some(_)) => self.say(text(message, "thought").unwrap_or_default(), true),
            (None, None) => {
                let (before, command) = divided(&words);
                self.say(before, true);
                commands =
                    if commands.is_empty() { command.into_iter().collect() } else { commands };
            }
        }
        for call in calls.into_iter().flatten().filter_map(Value::as_object) {
            let function = call.get("function").and_then(Value::as_object);
            self.call(text(call, "id"), function);
        }
        if calls.is_some() {
            return;
        }
        for command in commands {
            self.command(command);
        }
    }

    /// Adds a call of a function, which has a name and arguments.
    fn call(&mut self, id: Option<&str>, function: Option<&Map>) {
        let name = function.and_then(|function| text(function, "name"));
        self.turns.call(ToolCall {
            id: id.unwrap_or_default().to_owned(),
            name: name.unwrap_or_default().to_owned(),
            input: arguments(function.and_then(|function| function.get("arguments"))),
            ..ToolCall::default()
        });
    }

    fn command(&mut self, command: &str) {
        self.steps += 1;
        let command = command.to_owned();
        self.turns.call(ToolCall {
            id: format!("step-{}", self.steps),
            name: "bash".to_owned(),
            action: Some(Action::Command { command, exit_code: None }),
            ..ToolCall::default()
        });
    }

    fn say(&mut self, words: &str, is_model: bool) {
        for block in text_blocks(words, is_model, &mut Media::default()) {
            self.turns.push(block);
        }
    }

    /// Reads an answer of the Responses API.
    fn response(&mut self, message: &Map, at: At) {
        self.turns.turn(Who::Assistant, at);
        for item in message.get("output").and_then(Value::as_array).into_iter().flatten() {
            let Some(item) = item.as_object() else { continue };
            match text(item, "type").unwrap_or_default() {
                "message" => self.say(&texts(item).join("\n\n"), true),
                "function_call" => self.call(text(item, "call_id"), Some(item)),
                _ => self.turns.count_hidden(),
            }
        }
    }

    /// Adds the output of a command.
    fn output(&mut self, message: &Map, extra: Option<&Map>) {
        let ids = message.get("tool_call_ids").and_then(Value::as_array);
        let id = ids.and_then(|ids| ids.first()?.as_str()).or(text(message, "tool_call_id"));
        let id = id.or(text(message, "call_id")).map(str::to_owned);
        let id = id.unwrap_or_else(|| {
            self.answered = self.steps;
            format!("step-{}", self.steps)
        });
        let raw = extra.and_then(|extra| text(extra, "raw_output"));
        let code = extra.and_then(|extra| extra.get("returncode")?.as_i64());
        let whole = texts(message).join("\n");
        let (exit_code, output) = match raw {
            Some(raw) => (code, raw),
            None => returned(&whole).unwrap_or((code, observed(&whole))),
        };
        let result = ToolResult { output: Some(output.into()), ..ToolResult::default() };
        self.turns.result(id.as_str(), Outcome { result, exit_code });
    }
}

/// Returns the texts of a message, which are in its content or, in other forms, its output.
fn texts(message: &Map) -> Vec<&str> {
    match message.get("content").or(message.get("output")) {
        Some(Value::String(text)) => vec![text],
        Some(Value::Array(parts)) => {
            parts.iter().filter_map(|part| part.get("text")?.as_str()).collect()
        }
        _ => Vec::new(),
    }
}

/// Divides an answer of mini-swe-agent into the text and the command, which is the only fence of a shell at its end.
fn divided(words: &str) -> (&str, Option<&str>) {
    let fence = FENCES.iter().find_map(|fence| words.split_once(fence));
    let Some((before, rest)) = fence else { return (words, None) };
    match rest.trim_end().strip_suffix("```") {
        Some(command) if !command.contains("\n```") && !before.contains("```") => {
            (before, Some(command.trim_matches('\n')))
        }
        _ => (words, None),
    }
}

/// Reads `<returncode>0</returncode>\n<output>\n…</output>`.
fn returned(text: &str) -> Option<(Option<i64>, &str)> {
    let (code, rest) =
        text.trim_start().strip_prefix("<returncode>")?.split_once("</returncode>")?;
    let output = rest.trim_start().strip_prefix("<output>").unwrap_or(rest);
    let output = output.trim_end().strip_suffix("</output>").unwrap_or(output);
    Some((code.trim().parse().ok(), output.trim_matches('\n')))
}

/// Returns an output without what the program adds to it: a label above, and the state of the shell below.
fn observed(text: &str) -> &str {
    let text = text.strip_prefix(OBSERVATION).unwrap_or(text).trim_end();
    let text = match text.rsplit_once("\n(Open file: ") {
        Some((output, state)) if state.ends_with("bash-$") => output.trim_end(),
        _ => text,
    };
    if text.trim() == NO_OUTPUT { "" } else { text }
}
