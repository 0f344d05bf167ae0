//! Collects the parts of a message, and adds tool results to their calls.

use std::collections::HashSet;

use crate::shared::agents::chat::{Media, text_blocks};
use crate::shared::agents::turns::{At, To, Turns};
use crate::shared::tally::Tally;
use crate::shared::text::web_links::is_web;
use convo_base::json::{self, Value};
use convo_base::model::{Attachment, Block, Citation, Kind, ToolCall, ToolResult};

/// The parts of a message.
pub(crate) struct Blocks {
    /// The turn that collects everything.
    turn: Turns,
    /// The names of the tools that were called.
    called: HashSet<String>,
    /// The sources that the message cites.
    sources: Vec<Citation>,
    cited: HashSet<(Option<String>, Option<String>)>,
}

impl Default for Blocks {
    fn default() -> Self {
        let mut turn = Turns::default();
        turn.start("", Kind::Person, At::default());
        Self { turn, called: HashSet::new(), sources: Vec::new(), cited: HashSet::new() }
    }
}

impl Blocks {
    /// Adds text of a person or, including thoughts in tags, of a model.
    pub(crate) fn push_text(&mut self, text: &str, is_model: bool) {
        let blocks = text_blocks(text, is_model, &mut Media::default());
        blocks.into_iter().for_each(|block| self.turn.push(block));
    }

    /// Adds a block that was read before.
    pub(crate) fn push(&mut self, block: Block) {
        self.turn.push(block);
    }

    /// Adds a thought.
    pub(crate) fn think(&mut self, text: &str) {
        self.turn.think(text);
    }

    /// Adds a file.
    pub(crate) fn attach(&mut self, file: Attachment) {
        self.turn.push(Block::Attachment(Box::new(file)));
    }

    /// Adds an event.
    pub(crate) fn event(&mut self, name: &str, text: &str) {
        self.turn.event(name, text);
    }

    /// Adds a placeholder for something of an unknown kind.
    pub(crate) fn unknown(&mut self, kind: &str, tally: &mut Tally) {
        let kind = if kind.is_empty() { "content" } else { kind };
        tally.unknown(kind);
        self.turn.push(Block::Unknown { name: kind.to_owned(), value: Value::Null });
    }

    /// Adds a tool call.
    pub(crate) fn call(&mut self, call: ToolCall) {
        self.called.insert(call.name.clone());
        self.turn.push(Block::Tool(Box::new(call)));
    }

    /// Returns whether a tool of this name was called. The name may follow that of its package.
    pub(crate) fn has_call(&self, name: &str) -> bool {
        let bare = name.rsplit('/').next().unwrap_or(name);
        !bare.is_empty() && self.called.contains(bare)
    }

    /// Returns the call with this id.
    pub(crate) fn call_of(&self, id: &str) -> Option<&ToolCall> {
        self.turn.call_of(id)
    }

    /// Adds a tool result to its call, or on its own.
    pub(crate) fn result(&mut self, id: &str, result: ToolResult) {
        if let Some(orphan) = self.turn.answer(To::Call { id, name: "" }, result) {
            let (id, results) = (id.to_owned(), vec![orphan.result]);
            self.call(ToolCall { id, results, ..ToolCall::default() });
        }
    }

    /// Adds a source. Each source is listed once, at the end.
    pub(crate) fn cite(&mut self, title: Option<&str>, url: Option<&str>) {
        let title = title.map(str::trim).filter(|title| !title.is_empty());
        let url = url.or(title.filter(|title| is_web(title))).map(str::to_owned);
        let title = title.filter(|title| !is_web(title)).map(str::to_owned);
        let page = Citation { title, url };
        let key = (page.title.clone(), page.url.clone());
        if key != (None, None) && self.cited.insert(key) {
            self.sources.push(page);
        }
    }

    /// Returns the blocks.
    pub(crate) fn done(mut self) -> Vec<Block> {
        if !self.sources.is_empty() {
            self.turn.push(Block::Citations { citations: self.sources });
        }
        self.turn.blocks()
    }
}

/// Returns the arguments of a call, which may be JSON in a string.
pub(crate) fn arguments(value: Option<&Value>) -> Option<Value> {
    match value? {
        Value::Null => None,
        Value::String(text) if text.trim().is_empty() => None,
        Value::String(text) => match json::parse(text) {
            Ok((value @ (Value::Object(_) | Value::Array(_)), _)) => Some(value),
            _ => Some(text.clone().into()),
        },
        value => Some(value.clone()),
    }
}
