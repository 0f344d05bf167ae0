//! Answers: text, thinking, and the usage of each request.

use super::entry::{Answer, plain};
use super::talk::Talk;
use crate::shared::access::hidden_tags::{Author, without_hidden};
use crate::shared::agents::prompt::{LastCommand, in_place_of_answer};
use convo_base::hash::Hash;
use convo_base::json::Value;
use convo_base::model::{Block, Usage};

/// Above this size, the next message of an answer starts a turn, so that long answers can be split over
/// pages.
const MAX_TURN_BYTES: usize = 96 << 10;

impl Talk<'_> {
    pub(super) fn answer(&mut self, answer: &Answer) {
        let model = answer.model.as_deref();
        if model.is_some_and(|model| model.starts_with('<')) {
            // Messages of Claude Code itself, in place of the model's.
            let event = in_place_of_answer(&plain(&answer.content), answer.is_error);
            return event.into_iter().for_each(|event| self.aside(event));
        }
        self.run.command = LastCommand::default();
        let is_new = answer.message.is_none() || answer.message != self.run.message;
        if is_new && self.run.size > MAX_TURN_BYTES {
            self.turns.end_turn();
        }
        match &answer.content {
            Value::String(text) => self.text(text, |text| Block::Markdown { text }),
            Value::Array(blocks) => {
                blocks.iter().for_each(|block| self.answer_block(block, answer));
            }
            _ => {}
        }
        self.run.message.clone_from(&answer.message);
        self.take_usage(answer);
    }

    fn answer_block(&mut self, block: &Value, answer: &Answer) {
        let text = |key: &str| block.get(key).and_then(Value::as_str).unwrap_or_default();
        let kind = text("type");
        if let (Some(message), true) = (&answer.message, kind == "text" || kind == "thinking") {
            // Compacted or continued logs may contain copies of old messages.
            let copy = Hash::of(&(message, kind, text("text"), text("thinking")));
            if !self.added.insert(copy) {
                return;
            }
        }
        match kind {
            "text" => self.text(text(kind), |text| Block::Markdown { text }),
            "thinking" => self.text(text(kind), |text| Block::Thinking { text }),
            "redacted_thinking" | "fallback" => {}
            "tool_use" | "server_tool_use" | "mcp_tool_use" => self.call(block),
            "image" | "document" => {
                if let Some(block) = self.attachment(block) {
                    self.push_answer(block);
                }
            }
            kind if kind.ends_with("_tool_result") => self.result(block, &Value::Null),
            kind => {
                let block = self.unknown(kind.to_owned());
                self.push_answer(block);
            }
        }
    }

    fn text(&mut self, text: &str, block: fn(String) -> Block) {
        let text = without_hidden(text, Author::Writer).trim().to_owned();
        if !text.is_empty() && text != "(no content)" {
            let size = text.len();
            self.push_answer(block(text));
            self.run.size += size;
        }
    }

    /// Records the usage of a request. The records of one message repeat it, or increase it.
    fn take_usage(&mut self, answer: &Answer) {
        let name = self.voices.answering.clone();
        let Some(turn) = self.turns.end().filter(|_| self.is_last(&name)) else { return };
        let number = |key: &str| answer.usage.get(key).and_then(Value::as_u64);
        let usage = Usage {
            model: answer.model.clone(),
            input_tokens: number("input_tokens"),
            cache_read_tokens: number("cache_read_input_tokens"),
            cache_write_tokens: number("cache_creation_input_tokens"),
            output_tokens: number("output_tokens"),
            reasoning_tokens: None,
            cost_usd: answer.cost,
            duration_ms: answer.duration,
        };
        if usage.is_empty() {
            return;
        }
        let message = answer.message.as_ref().or(self.at.id.as_ref());
        let known = message.and_then(|message| self.usage_by_message.get(message));
        match known.and_then(|known| self.usage.get_mut(*known)) {
            Some((_, known)) => greatest(known, usage),
            None => {
                if let Some(message) = message {
                    self.usage_by_message.insert(message.clone(), self.usage.len());
                }
                self.usage.push((turn, usage));
            }
        }
    }
}

/// Keeps the maximum of each number.
fn greatest(known: &mut Usage, other: Usage) {
    fn max<T: PartialOrd>(known: &mut Option<T>, other: Option<T>) {
        if other > *known {
            *known = other;
        }
    }
    max(&mut known.input_tokens, other.input_tokens);
    max(&mut known.cache_read_tokens, other.cache_read_tokens);
    max(&mut known.cache_write_tokens, other.cache_write_tokens);
    max(&mut known.output_tokens, other.output_tokens);
    max(&mut known.cost_usd, other.cost_usd);
    max(&mut known.duration_ms, other.duration_ms);
}
