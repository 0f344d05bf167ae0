//! Tool calls and their results.

use super::notes::CUT_OFF;
use super::output::persisted;
use super::talk::{ASSISTANT, Talk};
use super::tools;
use crate::shared::access::hidden_tags::{Author, without_hidden};
use crate::shared::access::tool_access::{self, served_name};
use crate::shared::agents::exit_code;
use crate::shared::agents::turns::agent_name;
use crate::shared::tally::ORPHANS;
use convo_base::hash::Hash;
use convo_base::json::Value;
use convo_base::model::{Action, Approval, Attachment, Block, ToolCall, ToolResult};

impl Talk<'_> {
    pub(super) fn call(&mut self, block: &Value) {
        let text = |key: &str| block.get(key).and_then(Value::as_str).unwrap_or_default();
        let (id, tool) = (text("id").to_owned(), text("name").to_owned());
        let input = block.get("input").cloned().unwrap_or_default();
        let name = full_name(block, tool.clone(), &input);
        let input = Some(input).filter(|input| !input.is_null());
        let mut call = ToolCall { id: id.clone(), name, input, ..ToolCall::default() };
        if self.turns.has_call(&call) {
            return;
        }
        let input = call.input.as_ref().unwrap_or(&Value::Null);
        let size = input.to_string().len();
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
            self.starts.names.insert(id.clone(), agent_name(member, ASSISTANT));
        }
        call.action = tools::action(&tool, input, &self.tasks);
        self.push_answer(Block::Tool(Box::new(call)));
        self.run.size += size;
    }

    /// Adds the result of a call. `reported` is the structured result that the tool returned to Claude Code.
    pub(super) fn result(&mut self, block: &Value, reported: &Value) {
        let id = block.get("tool_use_id").and_then(Value::as_str).unwrap_or_default();
        self.note_starts(id, reported);
        let content = block.get("content").unwrap_or(&Value::Null);
        let is_error = block.get("is_error") == Some(&Value::Bool(true));
        let state = if is_error { "failed".to_owned() } else { String::new() };
        let (text, files) = self.content(content);
        if !self.is_called(id) {
            // The tool is unknown, so the result is withheld.
            self.count(ORPHANS);
            let output = Some(content.clone());
            let results = vec![ToolResult { state, output, ..ToolResult::default() }];
            let call = ToolCall { id: id.to_owned(), results, ..ToolCall::default() };
            return self.push_answer(Block::Tool(Box::new(call)));
        }
        files.into_iter().for_each(|file| self.turns.push_beside(id, file));
        let mut text = self.shown(id, &text);
        self.run.size += text.len();
        let Some(call) = self.turns.call_mut(id) else { return };
        if let Some(action) = &mut call.action {
            tools::complete(action, reported);
            match action {
                Action::Command { exit_code: code, .. } if is_error => {
                    let found = exit_code::above(&text).filter(|(_, line)| line.start == 0);
                    if let Some((parsed, line)) = found {
                        let rest = &text[line.end..];
                        let rest = rest.strip_prefix('\n').unwrap_or(rest);
                        (*code, text) = (Some(parsed), rest.to_owned());
                    }
                }
                Action::Search { results, .. } if results.is_empty() => {
                    *results = tools::pages_of(content);
                }
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
            _ => {
                let output = (!text.is_empty()).then(|| text.into());
                self.turns.result(id, ToolResult { state, output, ..ToolResult::default() });
            }
        }
    }

    /// Returns whether there is a call with this id. A result without a call has no name.
    fn is_called(&self, id: &str) -> bool {
        self.turns.call_of(id).is_some_and(|call| !call.name.is_empty())
    }

    /// Returns the text of a result, and the files in it.
    fn content(&mut self, content: &Value) -> (String, Vec<Attachment>) {
        let (mut texts, mut files) = (Vec::new(), Vec::new());
        let parts = match content {
            Value::Array(parts) => parts.as_slice(),
            text => std::slice::from_ref(text),
        };
        for part in parts {
            if let Some("image" | "document") = part.get("type").and_then(Value::as_str) {
                match self.attachment(part) {
                    Some(Block::Attachment(file)) => files.push(*file),
                    // A text document is an ordinary output.
                    Some(Block::Event { detail, .. }) => texts.extend(detail),
                    _ => {}
                }
                continue;
            }
            let text = part.get("text").and_then(Value::as_str).or(part.as_str());
            let text = without_hidden(text.unwrap_or_default(), Author::Program).into_owned();
            // Text about a subagent that Claude Code adds for the model.
            let is_for_the_model = content.is_array() && text.starts_with("agentId: ");
            if !text.is_empty() && !is_for_the_model {
                texts.push(text);
            }
        }
        (texts.join("\n\n"), files)
    }

    /// Returns an output as it is shown.
    fn shown(&mut self, call: &str, text: &str) -> String {
        let error = text.strip_prefix("<tool_use_error>");
        let error = error.and_then(|text| text.trim_end().strip_suffix("</tool_use_error>"));
        let text = error.unwrap_or(text);
        let Some(found) = persisted(text) else { return text.to_owned() };
        if let Some(whole) = self.outputs.find(call, found.path) {
            return whole.to_owned();
        }
        self.count(CUT_OFF);
        format!("{}\n\n[The rest of this output is not in the log.]", found.preview)
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
