//! Prompts: text of the user, and messages that Claude Code sends in the same role.

use super::entry::User;
use super::prompt::{Piece, pieces};
use super::talk::{ASSISTANT, Origin, Talk, Voices, member};
use crate::shared::text::escapes::without_escapes;
use convo_base::json::{Value, type_of};
use convo_base::model::{Action, Block, Kind, ToolCall, ToolResult};

impl Talk<'_> {
    pub(super) fn user(&mut self, lane: usize, user: User, at: &Origin, voices: Voices<'_>) {
        let sent = user.is_sent_by_program;
        match user.content {
            Value::String(text) if !user.is_hidden => {
                self.pieces(lane, &text, sent, at, voices);
            }
            Value::Array(blocks) => {
                let mut user = User { content: Value::Null, ..user };
                for block in blocks {
                    self.user_block(lane, block, &mut user, at, voices);
                }
            }
            _ => {}
        }
    }

    fn user_block(
        &mut self,
        lane: usize,
        block: Value,
        user: &mut User,
        at: &Origin,
        voices: Voices<'_>,
    ) {
        let kind = block.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
        match kind.as_str() {
            "tool_result" => {
                let reported = std::mem::take(&mut user.result);
                self.result(lane, block, &reported, at, voices);
            }
            _ if user.is_hidden => {}
            "text" => {
                let text = block.get("text").and_then(Value::as_str).unwrap_or_default();
                self.pieces(lane, text, user.is_sent_by_program, at, voices);
            }
            "image" | "document" => {
                if let Some(block) = self.attachment(&block) {
                    match user.is_sent_by_program {
                        true => {
                            self.start(lane, "", Kind::System, block, at);
                            self.close(lane);
                        }
                        false => self.person(lane, block, at, voices),
                    }
                }
            }
            _ => match block {
                Value::String(text) => {
                    self.pieces(lane, &text, user.is_sent_by_program, at, voices);
                }
                Value::Object(_) => self.unknown(lane, kind, at, voices.asking),
                other => {
                    self.unknown(lane, type_of(&other).to_owned(), at, voices.asking);
                }
            },
        }
    }

    /// Adds a message in the user role; `sent` if Claude Code sent it.
    pub(super) fn pieces(
        &mut self,
        lane: usize,
        text: &str,
        sent: bool,
        at: &Origin,
        voices: Voices<'_>,
    ) {
        for piece in pieces(text) {
            match piece {
                Piece::Words(text) | Piece::Shell(text) | Piece::Output { text, .. } if sent => {
                    let sent = "Sent by Claude Code".to_owned();
                    self.event(lane, "message", sent, Some(text), at);
                }
                Piece::Command { name, rest } if sent => {
                    let text = format!("{name} {rest}").trim().to_owned();
                    let sent = "Sent by Claude Code".to_owned();
                    self.event(lane, "message", sent, Some(text), at);
                }
                Piece::Words(text) => {
                    self.person(lane, Block::Markdown { text }, at, voices);
                }
                Piece::Command { name, rest } => {
                    if name.is_empty() && rest.is_empty() {
                        continue;
                    }
                    let code = match name.is_empty() {
                        true => String::new(),
                        false => format!("`{}`", name.replace('`', "'")),
                    };
                    let text = format!("{code} {rest}").trim().to_owned();
                    self.person(lane, Block::Markdown { text }, at, voices);
                    self.lanes[lane].command = name;
                }
                Piece::Shell(command) => {
                    let call = ToolCall {
                        name: "Bash".to_owned(),
                        action: Some(Action::Command { command, exit_code: None }),
                        ..ToolCall::default()
                    };
                    self.person(lane, Block::Tool(Box::new(call)), at, voices);
                    self.lanes[lane].command = "Bash".to_owned();
                }
                Piece::Output { text, is_error } => {
                    self.output(lane, &text, is_error, at, voices);
                }
                Piece::Teammate { name, text } => {
                    let name = match name.trim() {
                        "" => "Teammate",
                        "team-lead" => ASSISTANT,
                        name => &member(name),
                    };
                    self.start(lane, name, Kind::Assistant, Block::Markdown { text }, at);
                    self.close(lane);
                }
                Piece::Event { name, text, detail } => {
                    self.event(lane, name, text, detail, at);
                }
            }
        }
    }

    /// Adds to the user turn of this record, or starts it.
    fn person(&mut self, lane: usize, block: Block, at: &Origin, voices: Voices<'_>) {
        let (name, kind) = voices.asking;
        let last = self.lanes[lane].turns.last_mut();
        match last.filter(|turn| self.started > 0 && turn.speaker == name) {
            Some(turn) => turn.blocks.push(block),
            None => {
                self.lanes[lane].command.clear();
                self.start(lane, name, kind, block, at);
            }
        }
        self.close(lane);
    }

    /// Adds the output of a user's command.
    fn output(&mut self, lane: usize, text: &str, is_error: bool, at: &Origin, voices: Voices<'_>) {
        let text = without_escapes(text);
        if text.trim().is_empty() || text.trim() == "(no content)" {
            return;
        }
        let result = ToolResult {
            state: if is_error { "failed".to_owned() } else { String::new() },
            output: Some(text.into()),
            ..ToolResult::default()
        };
        let (name, kind) = voices.asking;
        let command = self.lanes[lane].command.clone();
        let last = self.lanes[lane].turns.last_mut();
        let Some(turn) = last.filter(|turn| turn.speaker == name && !command.is_empty()) else {
            let results = vec![result];
            let call = ToolCall { name: "command".to_owned(), results, ..ToolCall::default() };
            self.start(lane, name, kind, Block::Tool(Box::new(call)), at);
            self.close(lane);
            return;
        };
        match turn.blocks.last_mut() {
            Some(Block::Tool(call)) if call.name == command => call.results.push(result),
            _ => {
                let (name, results) = (command, vec![result]);
                let call = ToolCall { name, results, ..ToolCall::default() };
                turn.blocks.push(Block::Tool(Box::new(call)));
            }
        }
    }
}
