//! What `gemini --output-format stream-json` prints. An answer comes in pieces.
//!
//! ```text
//! {"type": "init", "timestamp": "…", "session_id": "…", "model": "gemini-3-pro-preview"}
//! {"type": "message", "timestamp": "…", "role": "assistant", "content": "I will ", "delta": true}
//! {"type": "tool_use", "tool_name": "read_file", "tool_id": "…", "parameters": {…}}
//! {"type": "tool_result", "tool_id": "…", "status": "success", "output": "…"}
//! ```
//!
//! Programs that save it may add `ts`, the time at which they did.

use super::GEMINI;
use crate::shared::agents::call_states::result_state;
use crate::shared::agents::editor::line_starts;
use crate::shared::agents::exit_code;
use crate::shared::agents::turns::{At, Outcome, Turns, Who};
use crate::shared::json::events::each_event;
use crate::shared::json::object::text;
use crate::shared::tally::{ORPHANS, Tally, no_messages};
use crate::shared::text::dates::iso;
use crate::{File, Parsed};
use convo_base::diag::Severity;
use convo_base::json::{self, Map, Value};
use convo_base::model::{ToolCall, ToolError, ToolResult, Usage};

/// The number of lines from which it is recognised.
const CLAIMED_LINES: usize = 8;

/// The kinds of events that are parts of turns. Marks on others are about the session.
const OF_TURNS: [&str; 4] = ["message", "tool_use", "tool_result", "error"];

/// Returns whether a text is such output.
pub(super) fn is_one(text: &str) -> bool {
    let lines = text.lines().filter(|line| !line.trim().is_empty()).take(CLAIMED_LINES);
    let is_start = |line: &str| {
        let keys = json::keys(line);
        let has = |key: &str| keys.iter().any(|(known, _)| *known == key);
        keys.contains(&("type", "\"init\"")) && has("session_id") && has("model")
    };
    lines.into_iter().any(is_start)
}

pub(super) fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    for (index, file) in files.iter().enumerate() {
        let mut stream = Stream { turns: Turns::new(index, GEMINI), answer: String::new() };
        let mut notes = Vec::new();
        each_event(file, index, &[], &mut notes, &mut |mut object, line, notes| {
            let kind = object.get("type").and_then(Value::as_str).unwrap_or_default();
            let is_part = OF_TURNS.contains(&kind);
            let is_withheld = object.is_withheld_event(is_part, notes);
            let start = object.start().start;
            let event = object.rest();
            if is_withheld && !is_part {
                stream.turns.read.private = true;
            } else if is_withheld {
                stream.end_answer();
                stream.turns.withhold_calls([&Value::Object(event)], "tool_id");
                stream.turns.withhold(start);
            } else {
                stream.event(&event, line);
            }
        });
        stream.end_answer();
        let mut tally = Tally::default();
        tally.add_all(ORPHANS, stream.turns.orphans());
        let read = stream.turns.done(&line_starts(&file.text), &mut notes);
        if read.is_none() {
            notes.push(no_messages(Severity::Hint).in_file(index));
        }
        parsed.conversations.extend(read);
        parsed.notes.append(&mut notes);
        parsed.notes.extend(tally.notes().map(|note| note.in_file(index)));
    }
    parsed
}

/// The output that is being read.
struct Stream {
    turns: Turns,
    /// The pieces of the answer so far.
    answer: String,
}

impl Stream {
    fn event(&mut self, event: &Map, line: u32) {
        let kind = text(event, "type").unwrap_or_default();
        let content = text(event, "content").unwrap_or_default();
        let time = text(event, "timestamp").or_else(|| text(event, "ts")).and_then(iso);
        let at = At { line, quoted: true, time: time.clone(), id: None };
        let is_piece = kind == "message" && text(event, "role") == Some("assistant");
        if is_piece {
            if self.answer.is_empty() {
                self.start_answer(at);
            }
            return self.answer.push_str(content);
        }
        self.end_answer();
        match kind {
            "init" => {
                self.turns.read.id = text(event, "session_id").map(str::to_owned);
                self.turns.model = text(event, "model").map(str::to_owned);
                self.turns.read.time = self.turns.read.time.take().or(time);
            }
            "message" => {
                let is_prompt = text(event, "role") == Some("user");
                self.turns.turn(if is_prompt { Who::Person } else { Who::System }, at);
                self.turns.say(content);
            }
            "tool_use" => {
                self.start_answer(at);
                self.turns.call(ToolCall {
                    id: text(event, "tool_id").unwrap_or_default().to_owned(),
                    name: text(event, "tool_name").unwrap_or_default().to_owned(),
                    input: event.get("parameters").filter(|input| !input.is_null()).cloned(),
                    ..ToolCall::default()
                });
            }
            "tool_result" => {
                let output = text(event, "output");
                let exit_code = output.and_then(exit_code::below).map(|(code, _)| code);
                let error = event.get("error").and_then(|error| error.get("message")?.as_str());
                let error = error.map(|text| ToolError {
                    message: Some(text.to_owned()),
                    ..ToolError::default()
                });
                let result = ToolResult {
                    state: result_state(text(event, "status").unwrap_or_default()).to_owned(),
                    output: output.map(Value::from),
                    error,
                    ..ToolResult::default()
                };
                let id = text(event, "tool_id").unwrap_or_default();
                self.turns.result(id, Outcome { result, exit_code });
            }
            "error" => {
                self.start_answer(at);
                self.turns.event("error", text(event, "message").unwrap_or("error"));
            }
            "result" => {}
            kind => {
                self.turns.turn(Who::Program, at);
                self.turns.unknown(if kind.is_empty() { "event" } else { kind }, line);
            }
        }
    }

    fn start_answer(&mut self, at: At) {
        self.turns.turn(Who::Assistant, at);
        let model = self.turns.model.clone();
        self.turns.add_usage(&Usage { model, ..Usage::default() });
    }

    /// Adds the answer whose pieces were read.
    fn end_answer(&mut self) {
        let answer = std::mem::take(&mut self.answer);
        if !answer.trim().is_empty() {
            self.turns.say(&answer);
        }
    }
}
