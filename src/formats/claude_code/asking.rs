//! Prompts: text of the user, and messages that Claude Code sends in the same role.

use super::entry::User;
use super::talk::{ASSISTANT, Talk};
use crate::shared::agents::prompt::{Addition, LastCommand, Piece, add_output, pieces};
use convo_base::json::{Value, type_of};
use convo_base::model::{Block, COMPACTION, Kind};

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
                Some(block) => {
                    self.forget_command();
                    let additions = self.run.command.file(block);
                    additions.into_iter().for_each(|addition| self.take(addition));
                }
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
        for piece in pieces(text, &mut Vec::new()) {
            let text = match piece {
                Piece::Words(text) | Piece::Shell(text) | Piece::Output { text, .. } if sent => {
                    text
                }
                Piece::Command { name, arguments } if sent => format!("{name} {arguments}"),
                piece => {
                    self.forget_command();
                    let additions = self.run.command.additions(piece, ASSISTANT);
                    additions.into_iter().for_each(|addition| self.take(addition));
                    continue;
                }
            };
            let text = text.trim().to_owned();
            self.event("message", "Sent by Claude Code".to_owned(), Some(text));
        }
    }

    /// Forgets the user's last command if somebody else spoke since.
    fn forget_command(&mut self) {
        if !self.is_last(self.voices.asking.0) {
            self.run.command = LastCommand::default();
        }
    }

    fn take(&mut self, addition: Addition) {
        match addition {
            Addition::Own(block) => self.push_question(block),
            Addition::Beside(block) => self.turns.push(block),
            Addition::Output(call) => {
                let is_known = self.run.command.is_known();
                let turn = self.turns.turn_mut().filter(|_| is_known);
                let last = turn.and_then(|turn| turn.blocks.last_mut());
                let Some(call) = add_output(last, call) else { return };
                let block = Block::Tool(Box::new(call));
                if is_known { self.turns.push(block) } else { self.push_question(block) }
            }
            Addition::Teammate(name, text) => {
                self.push_alone(&name, Kind::Assistant, Block::Markdown { text });
            }
            Addition::Event(Block::Event { name, detail: Some(text), .. })
                if name == COMPACTION =>
            {
                self.summary(text);
            }
            Addition::Event(event) => self.aside(event),
        }
    }
}
