//! Prompts: text of the user, and messages that Claude Code sends in the same role.

use super::entry::User;
use super::talk::{ASSISTANT, Talk};
use crate::shared::agents::prompt::{Addition, add_output};
use convo_base::json::{Value, type_of};
use convo_base::model::{Action, Block, COMPACTION, Kind};

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
                Some(block) if sent && !self.run.command.gets_prompt_from_server() => {
                    self.aside(block);
                }
                Some(block) => {
                    let additions = self.run.command.file(block);
                    additions.into_iter().for_each(|addition| self.take(addition, sent));
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
        for piece in self.run.command.pieces(text, &mut Vec::new()) {
            let additions = self.run.command.additions(piece, ASSISTANT);
            additions.into_iter().for_each(|addition| self.take(addition, sent));
        }
    }

    fn take(&mut self, addition: Addition, sent: bool) {
        match addition {
            Addition::Own(block) if sent => {
                let text = match block {
                    Block::Tool(call) => match call.action {
                        Some(Action::Command { command, .. }) => command,
                        _ => return,
                    },
                    block => block.to_markdown(),
                };
                self.event("message", "Sent by Claude Code".to_owned(), Some(text));
            }
            Addition::Own(block) => self.push_question(block),
            Addition::Beside(block) => self.turns.push(block),
            Addition::Output(call) => {
                let continues = self.run.command.is_known() && self.is_last(self.voices.asking.0);
                let turn = self.turns.turn_mut().filter(|_| continues);
                let last = turn.and_then(|turn| turn.blocks.last_mut());
                let Some(block) = add_output(last, call) else { return };
                if continues { self.turns.push(block) } else { self.push_question(block) }
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
