//! Converts messages to turns, block by block.

use std::collections::HashSet;

use super::citations;
use super::message::{CLAUDE, Message, Parts};
use super::reader::Reader;
use super::{files, tags, tools};
use crate::shared::access::visibility::is_marked;
use crate::shared::agents::turns::{Along, Calls, Turns};
use crate::shared::tally::{BOOKKEEPING, MARKED};
use convo_base::json::{Map, Value};
use convo_base::model::{Attachment, Block, Kind};

impl Along<Message> for Reader<'_> {
    fn turns(&mut self) -> &mut Turns {
        &mut self.turns
    }

    fn begin_path(&mut self, after: Option<(usize, usize)>) {
        self.artifacts.begin(after);
        self.calls = Calls::default();
        self.marked = HashSet::new();
    }

    fn add_message(&mut self, message: Message) -> bool {
        let Message { kind, mut turn, contents, .. } = message;
        let mut parts = contents.parts(self.text, turn.place.file);
        if !(self.calls.any_open() && is_results(&parts)) {
            turn.unpublished = std::mem::take(&mut parts.unpublished);
            self.turns.add(&turn.speaker.clone(), kind, turn);
        }
        self.fill(parts, kind);
        true
    }

    fn end_path(&mut self) {
        self.artifacts.end(&mut self.turns);
    }
}

impl Reader<'_> {
    /// Adds the parts of a message to the turn that is being read.
    fn fill(&mut self, message: Parts, kind: Kind) {
        let speaker = self.turns.turn_mut().map(|turn| turn.speaker.as_str());
        let is_claude = kind == Kind::Assistant && speaker == Some(CLAUDE);
        let text = match message.content.is_empty() {
            true => message.text.clone(),
            // It may contain the text of a private part.
            false if message.content.iter().any(is_private) => String::new(),
            // The content behind the placeholder is present.
            false => tags::without_placeholders(&message.text),
        };
        let has_words = message.content.iter().any(has_text);
        if let Some(summary) = &message.compaction {
            self.compaction(summary);
        }
        let is_mute = !has_words && text.trim().is_empty();
        for block in files::attached(&message, is_mute, self.tally) {
            self.push(block);
        }
        let has_others = message.content.iter().any(|block| !is_text(block));
        for block in message.content {
            self.block(block, is_claude, has_others);
        }
        if !has_words && !text.trim().is_empty() {
            self.push_text(&text, &[], is_claude);
        }
        let sources = std::mem::take(&mut self.sources).into_list();
        if !sources.is_empty() {
            self.push(Block::Citations { citations: sources });
        }
    }

    /// Adds a block to the turn that is being read.
    pub(super) fn push(&mut self, block: Block) {
        self.turns.push(block);
    }

    fn block(&mut self, block: Value, is_claude: bool, has_others: bool) {
        let block = match block {
            Value::Object(block) => block,
            Value::String(text) => return self.push_text(&text, &[], is_claude),
            Value::Null => return,
            _ => return self.unknown("content"),
        };
        let kind = block.get("type").and_then(Value::as_str).unwrap_or_default();
        let is_call = kind.ends_with("tool_use") || is_result(kind);
        if !is_call && is_marked(&block) {
            self.tally.add(MARKED);
            return;
        }
        match kind {
            "text" => self.text(&block, is_claude, has_others),
            "" if block.contains_key("text") => self.text(&block, is_claude, has_others),
            "thinking" => self.thinking(&block),
            "tool_use" | "server_tool_use" | "mcp_tool_use" => self.call(block),
            kind if is_result(kind) => self.result(block),
            "voice_note" => self.voice_note(&block, is_claude),
            "image" | "document" | "file" => {
                let file = files::of_block(&block);
                let is_there = file.content != convo_base::model::Content::Missing;
                self.attach(file, is_there);
            }
            "compaction" | "compaction_summary" => {
                self.compaction(&Value::Object(block));
            }
            "token_budget" | "flag" | "flags" | "redacted_thinking" => {
                self.tally.add(BOOKKEEPING);
            }
            "" => self.unknown("content"),
            kind => self.unknown(kind),
        }
    }

    /// Adds a file.
    pub(super) fn attach(&mut self, file: Attachment, is_there: bool) {
        if !is_there {
            self.tally.missing_file();
        }
        self.push(Block::Attachment(Box::new(file)));
    }

    fn unknown(&mut self, kind: &str) {
        self.tally.unknown(kind);
        self.push(Block::Unknown { name: kind.to_owned(), value: Value::Null });
    }

    fn text(&mut self, block: &Map, is_claude: bool, has_others: bool) {
        let Some(text) = block.get("text").and_then(words) else { return };
        let cited = citations::of_text(block, &self.titles);
        let text = match has_others && cited.is_empty() {
            // The content behind the placeholder is present.
            true => tags::without_placeholders(&text),
            false => text,
        };
        self.push_text(&text, &cited, is_claude);
    }

    /// Adds text, with marks after cited passages. Old answers contain thoughts and artifacts in tags.
    pub(super) fn push_text(&mut self, text: &str, cited: &[citations::Cited], is_claude: bool) {
        if text.trim().is_empty() {
            return;
        }
        if !is_claude {
            let text = citations::marked(text, cited, &mut self.sources);
            return self.push(Block::Markdown { text });
        }
        let text = citations::marked(text, cited, &mut self.sources);
        for piece in tags::pieces(&text) {
            match piece {
                tags::Piece::Words(words) => {
                    let text = tags::without_dead_links(words.trim_matches('\n'));
                    self.push(Block::Markdown { text });
                }
                tags::Piece::Thought(text) => {
                    self.push(Block::Thinking { text: text.trim().to_owned() });
                }
                tags::Piece::Artifact(input) => self.written_in_text(input),
            }
        }
    }

    fn thinking(&mut self, block: &Map) {
        let thought = block.get("thinking").and_then(Value::as_str).unwrap_or_default();
        let text = match thought.trim() {
            "" => summaries(block),
            thought => thought.to_owned(),
        };
        match text.is_empty() {
            // All of it is encrypted.
            true => self.tally.add(BOOKKEEPING),
            false => self.push(Block::Thinking { text }),
        }
    }

    fn voice_note(&mut self, block: &Map, is_claude: bool) {
        let title = tools::text(block, "title").unwrap_or("voice note");
        let (name, text) = ("voice note".to_owned(), title.to_owned());
        self.push(Block::Event { name, text, detail: None });
        self.text(block, is_claude, false);
    }

    fn compaction(&mut self, summary: &Value) {
        if is_private(summary) {
            return self.tally.add(MARKED);
        }
        let detail = compacted(summary);
        if detail.is_none() && super::message::is_blank(summary) {
            return;
        }
        self.push(Block::compaction(detail));
    }
}

/// Returns the text of a summary of earlier messages.
fn compacted(summary: &Value) -> Option<String> {
    match summary {
        Value::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        Value::Array(list) => {
            let texts: Vec<String> = list.iter().filter_map(compacted).collect();
            Some(texts.join("\n\n")).filter(|text| !text.is_empty())
        }
        Value::Object(map) => {
            let keys = ["summary", "text", "content"];
            keys.iter().find_map(|key| compacted(map.get(*key)?))
        }
        _ => None,
    }
}

/// Returns the headings of a model's thoughts.
fn summaries(block: &Map) -> String {
    let list = block.get("summaries").and_then(Value::as_array);
    let lines = list.into_iter().flatten().filter_map(|entry| match entry {
        Value::String(text) => Some(text.as_str()),
        entry => entry.get("summary")?.as_str(),
    });
    lines.map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n\n")
}

/// Returns a text, or a number as text.
fn words(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}

/// Returns whether a message consists only of tool results, which belong to the answer before it.
fn is_results(message: &Parts) -> bool {
    let kind = |block: &Value| block.get("type").and_then(Value::as_str).map(is_result);
    !message.content.is_empty()
        && message.content.iter().all(|block| kind(block) == Some(true))
        && tags::without_placeholders(&message.text).trim().is_empty()
        && message.attachments.is_empty()
        && message.files.is_empty()
        && message.files_again.is_empty()
}

fn is_private(block: &Value) -> bool {
    block.as_object().is_some_and(is_marked)
}

fn is_result(kind: &str) -> bool {
    kind == "tool_result" || kind.ends_with("_tool_result")
}

fn is_text(block: &Value) -> bool {
    block.is_string() || block.get("type").and_then(Value::as_str) == Some("text")
}

/// Returns whether a block contains text.
fn has_text(block: &Value) -> bool {
    let kind = block.get("type").and_then(Value::as_str).unwrap_or_default();
    let text = match block {
        Value::String(text) => Some(text.clone()),
        _ if ["text", "voice_note", ""].contains(&kind) => block.get("text").and_then(words),
        _ => None,
    };
    text.is_some_and(|text| !text.trim().is_empty())
}
