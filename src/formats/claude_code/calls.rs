//! Tool calls and their results.

use super::notes::{CUT_OFF, ORPHANS};
use super::output::{exit_code, persisted};
use super::talk::{CallPlace, Origin, Talk, Voices, member};
use super::tools;
use crate::shared::access::hidden_tags::{Author, without_hidden};
use crate::shared::access::tool_access::{self, served_name};
use crate::shared::text::escapes::without_escapes;
use convo_base::hash::Hash;
use convo_base::json::Value;
use convo_base::model::{Action, Approval, Block, Kind, ToolCall, ToolResult};

impl Talk<'_> {
    pub(super) fn call(&mut self, lane: usize, block: &Value, at: &Origin, who: (&str, Kind)) {
        let text = |key: &str| block.get(key).and_then(Value::as_str).unwrap_or_default();
        let (id, name) = (text("id").to_owned(), text("name").to_owned());
        if !id.is_empty() && self.calls.contains_key(&id) {
            return;
        }
        let input = block.get("input").cloned().unwrap_or_default();
        let reported = |key: &str| input.get(key).and_then(Value::as_str);
        if let Some(prompt) = reported("prompt") {
            let prompt = Hash::of(prompt.trim());
            self.starts.prompts.entry(prompt).or_default().push(id.clone());
        }
        if let Some(description) = reported("description") {
            let kind = reported("subagent_type").map(|kind| format!(" ({kind})"));
            let description = format!("{description}{}", kind.unwrap_or_default());
            self.starts.descriptions.insert(id.clone(), description);
        }
        if let (Some(member), Some(_)) = (reported("name"), reported("prompt")) {
            self.starts.names.insert(id.clone(), self::member(member));
        }
        self.lanes[lane].size += input.to_string().len();
        let action = tools::action(&name, &input, &self.tasks);
        let name = full_name(block, name, &input);
        let input = (!input.is_null()).then_some(input);
        let call = ToolCall { id: id.clone(), name, input, action, ..ToolCall::default() };
        self.append(lane, Block::Tool(Box::new(call)), at, who);
        let turn = self.lanes[lane].turns.len() - 1;
        let block = self.lanes[lane].turns[turn].blocks.len() - 1;
        if !id.is_empty() {
            self.calls.insert(id, CallPlace { lane, turn, block });
        }
    }

    /// Adds the result of a call. `reported` is the structured result that the tool returned to Claude Code.
    pub(super) fn result(
        &mut self,
        lane: usize,
        block: Value,
        reported: &Value,
        at: &Origin,
        voices: Voices<'_>,
    ) {
        let id = block.get("tool_use_id").and_then(Value::as_str).unwrap_or_default();
        self.note_starts(id, reported);
        let content = block.get("content").cloned().unwrap_or_default();
        let (mut text, mut beside) = (String::new(), Vec::new());
        match &content {
            Value::String(words) => text.push_str(&without_hidden(words, Author::Program)),
            Value::Array(parts) => {
                for part in parts {
                    match part.get("type").and_then(Value::as_str) {
                        Some("image" | "document") => match self.attachment(part) {
                            Some(Block::Attachment(mut file)) => {
                                file.call = Some(id.to_owned());
                                beside.push(Block::Attachment(file));
                            }
                            // A text document is an ordinary output.
                            Some(Block::Event { detail: Some(words), .. }) => {
                                text.push_str(if text.is_empty() { "" } else { "\n\n" });
                                text.push_str(&words);
                            }
                            _ => {}
                        },
                        _ => {
                            let words = part.get("text").and_then(Value::as_str);
                            // Text about a subagent that Claude Code adds for the model.
                            let words = words.or(part.as_str()).unwrap_or_default();
                            let words = &*without_hidden(words, Author::Program);
                            if !words.is_empty() && !words.starts_with("agentId: ") {
                                text.push_str(if text.is_empty() { "" } else { "\n\n" });
                                text.push_str(words);
                            }
                        }
                    }
                }
            }
            _ => {}
        }
        let is_error = block.get("is_error") == Some(&Value::Bool(true));
        let place = self.calls.get(id).copied();
        let Some(place) = place else {
            // The tool is unknown, so the result is withheld.
            self.tally.add_at(ORPHANS, at.place.file, at.start..at.start);
            let (state, output) = (state(is_error), Some(content));
            let result = ToolResult { state, output, ..ToolResult::default() };
            let (id, results) = (id.to_owned(), vec![result]);
            let call = ToolCall { id, results, ..ToolCall::default() };
            let who = (voices.answering, Kind::Assistant);
            self.append(lane, Block::Tool(Box::new(call)), at, who);
            return;
        };
        let mut text = self.shown(id, &text, at);
        let found = tools::pages_of(&content);
        let lane = &mut self.lanes[place.lane];
        lane.size += text.len();
        let Some(turn) = lane.turns.get_mut(place.turn) else { return };
        turn.blocks.extend(beside);
        let Some(Block::Tool(call)) = turn.blocks.get_mut(place.block) else { return };
        if let Some(action) = &mut call.action {
            tools::complete(action, reported);
            match action {
                Action::Command { exit_code: code, .. } if is_error => {
                    if let Some((parsed, rest)) = exit_code(&text) {
                        (*code, text) = (Some(parsed), rest.to_owned());
                    }
                }
                Action::Search { results, .. } if results.is_empty() => *results = found,
                _ => {}
            }
        }
        if call.name == "TaskCreate" {
            self.tasks.extend(tools::made_task(&text));
        }
        match tools::rejection(&text) {
            Some(reason) if is_error => {
                let state = "rejected".to_owned();
                call.approvals.push(Approval { state, reason, ..Approval::default() });
            }
            _ => call.results.push(ToolResult {
                state: state(is_error),
                output: (!text.is_empty()).then(|| text.into()),
                ..ToolResult::default()
            }),
        }
    }

    /// Returns an output as it is shown.
    fn shown(&mut self, call: &str, text: &str, at: &Origin) -> String {
        let error = text.strip_prefix("<tool_use_error>");
        let error = error.and_then(|text| text.trim_end().strip_suffix("</tool_use_error>"));
        let text = error.unwrap_or(text);
        let Some(found) = persisted(text) else { return without_escapes(text) };
        match self.outputs.find(call, found.path) {
            Some(whole) => without_escapes(&without_hidden(whole, Author::Program)),
            None => {
                self.tally.add_at(CUT_OFF, at.place.file, at.start..at.start);
                let start = without_escapes(found.preview);
                format!("{start}\n\n[The rest of this output is not in the log.]")
            }
        }
    }

    fn note_starts(&mut self, call: &str, result: &Value) {
        let text = |key: &str| result.get(key).and_then(Value::as_str).map(str::to_owned);
        let ids = [text("agentId"), text("agent_id")];
        for agent in ids.into_iter().flatten() {
            self.starts.agents.insert(agent, call.to_owned());
        }
        if let Some(run) = text("runId") {
            self.starts.runs.insert(run, call.to_owned());
        }
    }
}

/// Returns the name of a tool with its server, if a call contains the server in another key.
fn full_name(block: &Value, name: String, input: &Value) -> String {
    let text = |map: &Value, key: &str| map.get(key)?.as_str().map(str::to_owned);
    let name = block.as_object().map(|block| tool_access::full_name(block, &name)).unwrap_or(name);
    match text(input, "server").filter(|_| name.contains("McpResource")) {
        Some(server) => served_name(&server, &name),
        None => name,
    }
}

fn state(is_error: bool) -> String {
    if is_error { "failed".to_owned() } else { String::new() }
}
