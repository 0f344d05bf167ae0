//! The parts of a message, with the results of tools at their calls.

use std::collections::{HashMap, HashSet};

use super::super::chat::{Media, text_blocks};
use super::super::web_links::public_url;
use crate::formats::tally::Tally;
use crate::json::{self, Value};
use crate::model::{Attachment, Block, Citation, ToolCall, ToolResult};

/// The parts of a message.
#[derive(Default)]
pub(in crate::formats) struct Blocks {
    list: Vec<Block>,
    /// The places of calls, by their ids.
    calls: HashMap<String, usize>,
    /// The pages on which it is based.
    sources: Vec<Citation>,
    cited: HashSet<(Option<String>, Option<String>)>,
}

impl Blocks {
    /// Adds words of a person or, with thoughts in tags, of a model.
    pub(in crate::formats) fn say(&mut self, text: &str, is_model: bool) {
        self.list.extend(text_blocks(text, is_model, &mut Media::default()));
    }

    /// Adds a thought.
    pub(in crate::formats) fn think(&mut self, text: &str) {
        let text = text.trim();
        if !text.is_empty() {
            self.list.push(Block::Thinking { text: text.to_owned() });
        }
    }

    /// Adds a file.
    pub(in crate::formats) fn attach(&mut self, file: Attachment) {
        self.list.push(Block::Attachment(Box::new(file)));
    }

    /// Adds something that happened.
    pub(in crate::formats) fn event(&mut self, name: &str, text: &str) {
        let (name, text) = (name.to_owned(), text.trim().to_owned());
        self.list.push(Block::Event { name, text, detail: None });
    }

    /// Adds something of a kind that is not known.
    pub(in crate::formats) fn unknown(&mut self, kind: &str, tally: &mut Tally) {
        let kind = if kind.is_empty() { "content" } else { kind };
        tally.unknown(kind);
        self.list.push(Block::Unknown { name: kind.to_owned(), value: Value::Null });
    }

    /// Adds a call of a tool.
    pub(in crate::formats) fn call(&mut self, call: ToolCall) {
        if !call.id.is_empty() {
            self.calls.insert(call.id.clone(), self.list.len());
        }
        self.list.push(Block::Tool(Box::new(call)));
    }

    /// Adds the result of a tool to the call of its id, or by itself.
    pub(in crate::formats) fn result(&mut self, id: &str, result: ToolResult) {
        let at = self.calls.get(id).copied().unwrap_or(self.list.len());
        if at == self.list.len() {
            let call = ToolCall { id: id.to_owned(), ..ToolCall::default() };
            self.list.push(Block::Tool(Box::new(call)));
        }
        if let Some(Block::Tool(call)) = self.list.get_mut(at) {
            call.results.push(result);
        }
    }

    /// Adds a page on which it is based; each stands once, and they are listed at the end.
    pub(in crate::formats) fn cite(&mut self, title: Option<&str>, url: Option<&str>) {
        let title = title.map(str::trim).filter(|title| !title.is_empty());
        let is_address = |text: &str| text.starts_with("http://") || text.starts_with("https://");
        let url = url.or(title.filter(|title| is_address(title)));
        let url = url.and_then(public_url);
        let title = title.filter(|title| !is_address(title)).map(str::to_owned);
        let page = Citation { title, url };
        let key = (page.title.clone(), page.url.clone());
        if key != (None, None) && self.cited.insert(key) {
            self.sources.push(page);
        }
    }

    /// Returns all of it.
    pub(in crate::formats) fn done(mut self) -> Vec<Block> {
        if !self.sources.is_empty() {
            self.list.push(Block::Citations { citations: self.sources });
        }
        self.list
    }
}

/// Returns the arguments of a call, which may be JSON in a text.
pub(in crate::formats) fn arguments(value: Option<&Value>) -> Option<Value> {
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
