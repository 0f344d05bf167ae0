//! Answers: text, thinking, and the usage of each request.

use super::entry::{Answer, plain};
use super::talk::{Origin, Talk, Voices};
use crate::shared::access::hidden_tags::{Author, without_hidden};
use convo_base::hash::Hash;
use convo_base::json::Value;
use convo_base::model::{Block, Kind, Usage};

/// Above this size, the next message of an answer starts a turn, so that long answers can be split over
/// pages.
const MAX_TURN_BYTES: usize = 96 << 10;

impl Talk<'_> {
    pub(super) fn answer(&mut self, lane: usize, answer: Answer, at: &Origin, voices: Voices<'_>) {
        let model = answer.model.as_deref().filter(|model| !model.starts_with('<'));
        if model.is_none() && answer.model.is_some() {
            // Messages of Claude Code itself, in place of the model's.
            let text = plain(&answer.content);
            let text = without_hidden(&text, Author::Program).into_owned();
            if answer.is_error || !text.is_empty() && text != "No response requested." {
                self.event(lane, "error", text, None, at);
            }
            return;
        }
        {
            let lane = &mut self.lanes[lane];
            let is_new = answer.message.is_none() || answer.message != lane.message;
            if is_new && lane.size > MAX_TURN_BYTES {
                lane.is_open = false;
            }
        }
        let before = self.lanes[lane].turns.len();
        match &answer.content {
            Value::String(text) => self.text(lane, text, &answer, at, voices),
            Value::Array(blocks) => {
                for block in blocks {
                    self.answer_block(lane, block, &answer, at, voices);
                }
            }
            _ => {}
        }
        let who = (voices.answering, Kind::Assistant);
        if let Some(model) = model
            && self.lanes[lane].turns.len() > before
        {
            self.read.introduce(who.0, who.1);
            let known = self.read.participants.iter_mut().find(|known| known.name == who.0);
            if let Some(known) = known.filter(|known| known.model.is_none()) {
                known.model = Some(model.to_owned());
            }
        }
        self.lanes[lane].message.clone_from(&answer.message);
        self.take_usage(lane, &answer, at, voices.answering);
    }

    fn answer_block(
        &mut self,
        lane: usize,
        block: &Value,
        answer: &Answer,
        at: &Origin,
        voices: Voices<'_>,
    ) {
        let who = (voices.answering, Kind::Assistant);
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
            "text" => self.text(lane, text("text"), answer, at, voices),
            "thinking" => {
                let text = without_hidden(text("thinking"), Author::Writer);
                let text = text.trim();
                if !text.is_empty() {
                    self.lanes[lane].size += text.len();
                    let text = text.to_owned();
                    self.append(lane, Block::Thinking { text }, at, who);
                }
            }
            "redacted_thinking" | "fallback" => {}
            "tool_use" | "server_tool_use" | "mcp_tool_use" => {
                self.call(lane, block, at, who);
            }
            "image" | "document" => {
                if let Some(block) = self.attachment(block) {
                    self.append(lane, block, at, who);
                }
            }
            kind if kind.ends_with("_tool_result") => {
                self.result(lane, block.clone(), &Value::Null, at, voices);
            }
            kind => self.unknown(lane, kind.to_owned(), at, who),
        }
    }

    fn text(&mut self, lane: usize, text: &str, _: &Answer, at: &Origin, voices: Voices<'_>) {
        let text = without_hidden(text, Author::Writer);
        let text = text.trim();
        if !text.is_empty() && text != "(no content)" {
            self.lanes[lane].size += text.len();
            let block = Block::Markdown { text: text.to_owned() };
            self.append(lane, block, at, (voices.answering, Kind::Assistant));
        }
    }

    /// Records the usage of a request. The records of one message repeat it, or increase it.
    fn take_usage(&mut self, lane: usize, answer: &Answer, at: &Origin, name: &str) {
        let lanes = &self.lanes[lane];
        let Some(turn) = lanes.turns.len().checked_sub(1) else { return };
        if lanes.turns[turn].speaker != name {
            return;
        }
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
        let message = answer.message.as_ref().or(at.id.as_ref());
        let known = message.and_then(|message| self.usage_by_message.get(message));
        match known.and_then(|known| self.usage.get_mut(*known)) {
            Some((.., known)) => greatest(known, usage),
            None => {
                if let Some(message) = message {
                    self.usage_by_message.insert(message.clone(), self.usage.len());
                }
                self.usage.push((lane, turn, usage));
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
