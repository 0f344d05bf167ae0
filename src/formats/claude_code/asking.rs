//! Prompts: text of the user, and messages that Claude Code sends in the same role.

use super::entry::User;
use super::prompt::{Piece, pieces};
use super::talk::{ASSISTANT, Talk};
use crate::shared::access::tool_access::{Owner, owner};
use crate::shared::agents::turns::agent_name;
use crate::shared::text::escapes::without_escapes;
use convo_base::json::{Value, type_of};
use convo_base::model::{Action, Block, Kind, ToolCall, ToolResult};

impl Talk<'_> {
    pub(super) fn user(&mut self, user: User) {
        let User { content, result, is_hidden, is_sent_by_program } = user;
        match content {
            Value::String(text) if !is_hidden => self.pieces(&text, is_sent_by_program),
            Value::Array(blocks) => {
                // The structured result belongs to the first result.
                let mut reported = Some(result);
                for block in blocks {
                    match block.get("type").and_then(Value::as_str) {
                        Some("tool_result") => {
                            self.result(&block, &reported.take().unwrap_or_default());
                        }
                        _ if is_hidden => {}
                        _ => self.user_block(block, is_sent_by_program),
                    }
                }
            }
            _ => {}
        }
    }

    fn user_block(&mut self, block: Value, sent: bool) {
        let kind = block.get("type").and_then(Value::as_str).unwrap_or_default();
        match kind {
            "text" => {
                let text = block.get("text").and_then(Value::as_str).unwrap_or_default();
                self.pieces(text, sent);
            }
            "image" | "document" => match self.attachment(&block) {
                Some(block) if sent => self.aside(block),
                Some(block) => self.push_question(block),
                None => {}
            },
            _ => {
                if let Value::String(text) = &block {
                    return self.pieces(text, sent);
                }
                let kind = if block.is_object() { kind } else { type_of(&block) };
                let block = self.unknown(kind.to_owned());
                self.push_question(block);
            }
        }
    }

    /// Adds a message in the user role; `sent` if Claude Code sent it.
    pub(super) fn pieces(&mut self, text: &str, sent: bool) {
        for piece in pieces(text) {
            match piece {
                Piece::Words(text) | Piece::Shell(text) | Piece::Output { text, .. } if sent => {
                    self.event("message", "Sent by Claude Code".to_owned(), Some(text));
                }
                Piece::Command { name, rest } if sent => {
                    let text = format!("{name} {rest}").trim().to_owned();
                    self.event("message", "Sent by Claude Code".to_owned(), Some(text));
                }
                // Text from a server, in place of the command.
                Piece::Words(text) if self.is_after_server_prompt() => self.output(&text, false),
                Piece::Words(text) => self.push_question(Block::Markdown { text }),
                Piece::Command { name, rest } => {
                    if name.is_empty() && rest.is_empty() {
                        continue;
                    }
                    let code = match name.is_empty() {
                        true => String::new(),
                        false => format!("`{}`", name.replace('`', "'")),
                    };
                    let text = format!("{code} {rest}").trim().to_owned();
                    self.push_question(Block::Markdown { text });
                    self.run.command = name;
                }
                Piece::Shell(command) => {
                    let name = "Bash".to_owned();
                    let action = Some(Action::Command { command, exit_code: None });
                    let call = ToolCall { name, action, ..ToolCall::default() };
                    self.push_question(Block::Tool(Box::new(call)));
                    "Bash".clone_into(&mut self.run.command);
                }
                Piece::Output { text, is_error } => self.output(&text, is_error),
                Piece::Teammate { name, text } => {
                    let name = match name.trim() {
                        "" => "Teammate",
                        "team-lead" => ASSISTANT,
                        name => &agent_name(name, ASSISTANT),
                    };
                    self.push_alone(name, Kind::Assistant, Block::Markdown { text });
                }
                Piece::Event { name, text, detail } => self.event(name, text, detail),
            }
        }
    }

    /// Returns whether the last text of the user was a command that gets a prompt from a server.
    fn is_after_server_prompt(&mut self) -> bool {
        self.is_last(self.voices.asking.0)
            && owner("claude-code", &self.run.command) != Owner::Author
            && !self.run.command.is_empty()
    }

    /// Adds the output of a user's command.
    fn output(&mut self, text: &str, is_error: bool) {
        let text = without_escapes(text);
        if text.trim().is_empty() || text.trim() == "(no content)" {
            return;
        }
        let result = ToolResult {
            state: if is_error { "failed".to_owned() } else { String::new() },
            output: Some(text.into()),
            ..ToolResult::default()
        };
        let (asking, command) = (self.voices.asking.0, self.run.command.clone());
        let turn = self.turns.turn_mut().filter(|turn| turn.speaker == asking);
        match turn.filter(|_| !command.is_empty()).map(|turn| turn.blocks.last_mut()) {
            Some(Some(Block::Tool(call))) if call.name == command => call.results.push(result),
            found => {
                let is_known = found.is_some();
                let name = if is_known { command } else { "command".to_owned() };
                let call = ToolCall { name, results: vec![result], ..ToolCall::default() };
                let block = Block::Tool(Box::new(call));
                if is_known { self.turns.push(block) } else { self.push_question(block) }
            }
        }
    }
}
