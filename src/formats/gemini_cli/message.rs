//! One message of a session.

use std::collections::HashMap;
use std::ops::Range;

use super::prompt;
use super::{GEMINI, tool};
use crate::shared::access::tool_access::{Owner, owner};
use crate::shared::agents::exit_code;
use crate::shared::agents::gemini_parts::{self, Part};
use crate::shared::agents::turns::{Message, Outcome, Turns, USER};
use crate::shared::json::object::Object;
use crate::shared::json::object::text;
use crate::shared::tally::{BOOKKEEPING, INJECTED, ORPHANS, Tally};
use convo_base::diag::Note;
use convo_base::json::{Map, Value};
use convo_base::model::{Block, Conversation, Kind, Place, Usage};

/// The turns of a session, or of one of its subagents.
#[derive(Default)]
pub(super) struct Lane {
    /// The turns.
    pub(super) turns: Turns,
    /// The calls that started subagents, by subagent id.
    pub(super) agents: HashMap<String, String>,
    /// The tasks of calls that started subagents, by call id.
    pub(super) tasks: HashMap<String, String>,
    /// The places of messages that are marked as private.
    pub(super) marked: Vec<Range<usize>>,
}

impl Lane {
    /// Adds a message.
    pub(super) fn add(
        &mut self,
        mut object: Object<'_>,
        place: Place,
        tally: &mut Tally,
        notes: &mut Vec<Note>,
    ) {
        if object.is_withheld(notes) {
            self.marked.push(object.start());
            return;
        }
        let id = object.text("id", notes);
        let time = object.time("timestamp", notes);
        let kind = object.text("type", notes).unwrap_or_default();
        let mut message = Message { id, time, place, ..Message::default() };
        match kind.as_str() {
            "user" => {
                let content = object.take("content").unwrap_or_default();
                let shown = object.take("displayContent").filter(|shown| !is_blank(shown));
                self.asked(&content, shown.as_ref(), message, tally);
            }
            "gemini" | "model" | "assistant" => {
                message.usage = usage(&mut object, notes);
                message.blocks = thoughts(object.take("thoughts").as_ref());
                let content = object.take("content").unwrap_or_default();
                let results = self.parts(&content, &mut message.blocks, tally);
                let calls = object.array("toolCalls", notes).unwrap_or_default();
                for (call, _) in calls {
                    if let Value::Object(call) = call {
                        self.called(&call, &mut message.blocks);
                    }
                }
                self.turns.add(GEMINI, Kind::Assistant, message);
                self.answer(results);
            }
            "info" | "error" | "warning" => {
                let content = object.take("content").unwrap_or_default();
                let words = joined(&content);
                if words.trim().is_empty() {
                    tally.add(BOOKKEEPING);
                } else {
                    let (first, rest) = words.trim().split_once('\n').unwrap_or((&words, ""));
                    let rest = rest.trim();
                    let detail = (!rest.is_empty()).then(|| convo_base::model::fenced("", rest));
                    self.turns.event_without_speaker(&kind, first, detail, message);
                }
            }
            other => {
                let name = if other.is_empty() { "message" } else { other };
                tally.unknown(name);
                message.blocks.push(unknown(name));
                self.turns.add("", Kind::Person, message);
            }
        }
    }

    /// Adds a message of the user, or one that Gemini CLI wrote in the user's role.
    fn asked(
        &mut self,
        content: &Value,
        shown: Option<&Value>,
        mut message: Message,
        tally: &mut Tally,
    ) {
        let mut blocks = Vec::new();
        let results = self.parts(content, &mut blocks, tally);
        // All text parts make up one text.
        let (mut words, mut rest) = (String::new(), Vec::new());
        for block in blocks {
            match block {
                Block::Markdown { text } => words.push_str(&text),
                other => rest.push(other),
            }
        }
        if prompt::is_setup(&words) {
            tally.add(INJECTED);
            return;
        }
        let (words, files) = prompt::split_prompt(&words);
        let words = shown.map_or(words, joined);
        message.blocks.push(Block::Markdown { text: words });
        message.blocks.extend(files);
        message.blocks.extend(rest);
        self.turns.add(USER, Kind::Person, message);
        self.answer(results);
    }

    /// Reads the parts of a message: adds visible parts to `blocks`, and returns the results of calls.
    pub(super) fn parts(
        &mut self,
        content: &Value,
        blocks: &mut Vec<Block>,
        tally: &mut Tally,
    ) -> Vec<Part> {
        let list = match content {
            Value::Array(list) => list.as_slice(),
            one => std::slice::from_ref(one),
        };
        let (mut results, start) = (Vec::new(), blocks.len());
        for part in list {
            match gemini_parts::part(part) {
                Part::Block(Block::Tool(mut call)) => {
                    tool::complete(&mut call);
                    blocks.push(Block::Tool(call));
                }
                Part::Block(block) => blocks.push(block),
                result @ Part::Result { .. } => results.push(result),
                Part::MissingFile(block) => {
                    tally.missing_file();
                    blocks.push(block);
                }
                Part::Unknown(name) => {
                    tally.unknown(&name);
                    blocks.push(unknown(&name));
                }
                Part::Nothing => {}
            }
        }
        // Text beside the result of a tool comes from the tool, not from the user.
        let is_closed = |result: &Part| match result {
            Part::Result { name, .. } => owner("gemini-cli", name) != Owner::Author,
            _ => false,
        };
        if results.iter().any(is_closed) {
            let beside = blocks.extract_if(start.., |block| !matches!(block, Block::Tool(_)));
            tally.add_all(INJECTED, beside.count() as u64);
        }
        results
    }

    /// Adds results to their calls.
    pub(super) fn answer(&mut self, results: Vec<Part>) {
        for result in results {
            let Part::Result { id, name, result } = result else { continue };
            let output = result.output.as_ref().and_then(Value::as_str);
            let exit_code = output.and_then(exit_code::below).map(|(code, _)| code);
            let to = gemini_parts::answers(&id, &name);
            self.turns.result(to, Outcome { result: *result, exit_code });
        }
    }

    /// Moves the turns into a conversation.
    pub(super) fn finish(self, read: &mut Conversation, tally: &mut Tally) {
        tally.add_all(ORPHANS, self.turns.orphans());
        self.turns.fill(read);
    }

    /// Adds a tool call of a message.
    fn called(&mut self, call: &Map, blocks: &mut Vec<Block>) {
        let id = text(call, "id").unwrap_or_default();
        if let Some(agent) = text(call, "agentId") {
            self.agents.insert(agent.to_owned(), id.to_owned());
            let args = call.get("args").and_then(Value::as_object);
            let given = |key: &str| args.and_then(|args| text(args, key));
            let name = given("agent_name").or_else(|| given("agentName"));
            let name = name.or_else(|| text(call, "displayName")).or_else(|| text(call, "name"));
            self.tasks.extend(name.map(|name| (id.to_owned(), name.to_owned())));
        }
        blocks.extend(tool::call(call));
    }
}

pub(super) fn unknown(name: &str) -> Block {
    Block::Unknown { name: name.to_owned(), value: Value::Null }
}

fn is_blank(content: &Value) -> bool {
    content.is_null() || joined(content).trim().is_empty()
}

/// Returns the text of a message.
fn joined(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(list) => list.iter().map(joined).collect(),
        Value::Object(map) => text(map, "text").unwrap_or_default().to_owned(),
        _ => String::new(),
    }
}

fn thoughts(list: Option<&Value>) -> Vec<Block> {
    let list = list.and_then(Value::as_array);
    let thought = |thought: &Value| {
        let get = |key: &str| thought.get(key).and_then(Value::as_str).map(str::trim);
        let parts = [
            get("subject").filter(|text| !text.is_empty()).map(|text| format!("**{text}**")),
            get("description").filter(|text| !text.is_empty()).map(str::to_owned),
        ];
        let text: Vec<String> = parts.into_iter().flatten().collect();
        (!text.is_empty()).then(|| text.join("\n\n"))
    };
    let all: Vec<String> = list.into_iter().flatten().filter_map(thought).collect();
    match all.is_empty() {
        true => Vec::new(),
        false => vec![Block::Thinking { text: all.join("\n\n") }],
    }
}

/// Reads the usage of an answer. Its input includes cached tokens, and its output excludes thoughts.
fn usage(object: &mut Object<'_>, notes: &mut Vec<Note>) -> Usage {
    let model = object.text("model", notes).filter(|model| !model.is_empty());
    let tokens = object.object("tokens", notes).unwrap_or_default();
    let number = |key: &str| tokens.get(key).and_then(Value::as_u64);
    let some = |key: &str| number(key).filter(|count| *count > 0);
    let cached = some("cached");
    let thoughts = some("thoughts");
    let output = number("output");
    Usage {
        model,
        input_tokens: number("input").map(|all| all.saturating_sub(cached.unwrap_or_default())),
        cache_read_tokens: cached,
        output_tokens: output.map(|out| out.saturating_add(thoughts.unwrap_or_default())),
        reasoning_tokens: thoughts,
        ..Usage::default()
    }
}
