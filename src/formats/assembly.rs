//! Messages as turns, for logs of assistants: one that goes on speaks in one turn, and what came of a
//! call stands at the call.
//!
//! What is never shown is taken out here, for all of them: words that programs tell models.

use std::collections::{HashMap, HashSet, VecDeque};

use super::escapes::without_escapes;
use super::hidden_tags::{Author, strip_in, without_hidden};
use crate::json::Value;
use crate::model::{
    Action, Attachment, AttachmentKind, Block, Content, Conversation, Kind, Place, ToolCall,
    ToolResult, Turn, Usage, name_turns, turn_id,
};
use crate::time::Time;

/// The name under which a person is shown whose account nobody is to know.
pub(super) const USER: &str = "User";

/// The place of a call: the turn, and the block in it.
type CallPlace = (usize, usize);

/// The turns so far.
#[derive(Default)]
pub(super) struct Assembly {
    turns: Vec<Turn>,
    kinds: Vec<(String, Kind)>,
    /// The calls of an id, or of a tool where calls have no ids, that wait for their results.
    waiting: HashMap<String, VecDeque<CallPlace>>,
    /// The calls of an id, the last one of each.
    known: HashMap<String, CallPlace>,
    ids: HashSet<String>,
    models: Vec<String>,
}

/// A message.
#[derive(Default)]
pub(super) struct Message {
    /// The id that its source gives it.
    pub(super) id: Option<String>,
    /// When it was said.
    pub(super) time: Option<Time>,
    /// What was said.
    pub(super) blocks: Vec<Block>,
    /// What making it took.
    pub(super) usage: Usage,
    /// Where it stands.
    pub(super) place: Place,
}

impl Assembly {
    /// Adds a message of somebody. One of an assistant goes on with what it said last.
    pub(super) fn say(&mut self, speaker: &str, kind: Kind, message: Message) {
        let Message { id, time, mut blocks, usage, place } = message;
        blocks.retain_mut(is_shown);
        if let Some(model) = usage.model.clone()
            && !self.models.contains(&model)
        {
            self.models.push(model);
        }
        let usage = (!usage.is_empty()).then(|| Box::new(usage));
        let goes_on = kind == Kind::Assistant;
        let last = self.turns.last_mut();
        let last = last.filter(|last| goes_on && last.speaker == speaker);
        let first = match last {
            Some(last) => {
                let first = last.blocks.len();
                last.blocks.append(&mut blocks);
                last.time = last.time.take().or(time);
                match (&mut last.usage, usage) {
                    (Some(known), Some(more)) => known.add(&more),
                    (known @ None, more) => *known = more,
                    _ => {}
                }
                first
            }
            None if blocks.is_empty() => return,
            None => {
                if !self.kinds.iter().any(|(name, _)| name == speaker) {
                    self.kinds.push((speaker.to_owned(), kind));
                }
                let id = id.filter(|id| !id.is_empty()).map(|id| turn_id(&id));
                let id = id.filter(|id| self.ids.insert(id.clone()));
                self.turns.push(Turn {
                    id: id.unwrap_or_default(),
                    speaker: speaker.to_owned(),
                    time,
                    withheld: kind == Kind::System,
                    usage,
                    blocks,
                    place,
                    ..Turn::default()
                });
                0
            }
        };
        self.note_calls(first);
    }

    /// Notes the calls of the last turn behind its first blocks.
    fn note_calls(&mut self, first: usize) {
        let turn = self.turns.len().saturating_sub(1);
        let blocks = self.turns.last_mut().map(|turn| &mut turn.blocks);
        for (block, tool) in blocks.into_iter().flatten().enumerate().skip(first) {
            let Block::Tool(call) = tool else { continue };
            let key = if call.id.is_empty() { &call.name } else { &call.id };
            if !call.id.is_empty() {
                self.known.insert(call.id.clone(), (turn, block));
            }
            if call.results.is_empty() {
                self.waiting.entry(key.clone()).or_default().push_back((turn, block));
            }
        }
    }

    /// Adds something that happened, which nobody said.
    pub(super) fn happened(
        &mut self,
        name: &str,
        text: &str,
        detail: Option<String>,
        message: Message,
    ) {
        let event = Block::Event {
            name: name.to_owned(),
            text: without_hidden(text, Author::Program).trim().to_owned(),
            detail,
        };
        let id = message.id.map(|id| turn_id(&id));
        let id = id.filter(|id| self.ids.insert(id.clone())).unwrap_or_default();
        let (time, place) = (message.time, message.place);
        self.turns.push(Turn { id, time, place, blocks: vec![event], ..Turn::default() });
    }

    /// Adds what came of the call of an id or, where it has none, of a tool. Returns
    /// whether such a call is there.
    pub(super) fn answer(&mut self, key: &str, result: ToolResult, exit_code: Option<i64>) -> bool {
        let next = self.waiting.get_mut(key).and_then(VecDeque::pop_front);
        let place = next.or_else(|| self.known.get(key).copied());
        let Some(call) = place.and_then(|place| self.call_at(place)) else {
            return false;
        };
        if let Some(Action::Command { exit_code: code, .. }) = &mut call.action {
            *code = code.or(exit_code);
        }
        call.results.push(cleaned(result));
        fail(call);
        true
    }

    fn call_at(&mut self, (turn, block): CallPlace) -> Option<&mut ToolCall> {
        match self.turns.get_mut(turn)?.blocks.get_mut(block)? {
            Block::Tool(call) => Some(call),
            _ => None,
        }
    }

    /// Puts who speaks into a conversation, and returns the turns, each with its id.
    pub(super) fn finish(mut self, read: &mut Conversation) -> Vec<Turn> {
        // An answer of which nothing can be shown.
        self.turns.retain(|turn| !turn.blocks.is_empty());
        name_turns(self.turns.iter_mut());
        for (name, kind) in &self.kinds {
            read.introduce(name, *kind);
        }
        if let [only] = self.models.as_slice() {
            let speaking = |name: &str| self.kinds.iter().any(|(known, _)| known == name);
            for who in read.participants.iter_mut() {
                if who.kind == Kind::Assistant && speaking(&who.name) {
                    who.model.get_or_insert_with(|| only.clone());
                }
            }
        }
        self.turns
    }

    /// Returns the id of the turn in which the call of an id is, among turns that are finished.
    pub(super) fn places(&self) -> HashMap<String, usize> {
        let mut shown = 0;
        let counts: Vec<usize> = self
            .turns
            .iter()
            .map(|turn| {
                let place = shown;
                shown += usize::from(!turn.blocks.is_empty());
                place
            })
            .collect();
        let place =
            |(id, (turn, _)): (&String, &CallPlace)| Some((id.clone(), *counts.get(*turn)?));
        self.known.iter().filter_map(place).collect()
    }
}

/// Takes what nobody is to see out of a block, and returns whether anything is left of it.
fn is_shown(block: &mut Block) -> bool {
    match block {
        Block::Markdown { text } => {
            strip_in(text, Author::Writer);
            !text.trim().is_empty()
        }
        Block::Thinking { text } => {
            strip_in(text, Author::Program);
            !text.trim().is_empty()
        }
        Block::Tool(call) => {
            let results = std::mem::take(&mut call.results);
            call.results = results.into_iter().map(cleaned).collect();
            true
        }
        _ => true,
    }
}

/// Takes colours and words for the model out of what a tool gave back.
fn cleaned(mut result: ToolResult) -> ToolResult {
    if let Some(Value::String(text)) = &mut result.output {
        *text = without_hidden(&without_escapes(text), Author::Program).into_owned();
    }
    let message = result.error.as_mut().and_then(|error| error.message.as_mut());
    if let Some(text) = message {
        *text = without_hidden(&without_escapes(text), Author::Program).into_owned();
    }
    result
}

/// Says of a command whose exit code tells that it failed that it did, whatever ran it thinks of it.
pub(super) fn fail(call: &mut ToolCall) {
    let Some(Action::Command { exit_code: Some(code), .. }) = call.action else { return };
    for result in &mut call.results {
        if code != 0 && ["", "succeeded"].contains(&result.state.as_str()) {
            "failed".clone_into(&mut result.state);
        }
    }
}

/// Returns what stands at the end for a subagent of which no call is known.
pub(super) fn subagent_mark(id: &str, name: Option<&str>) -> Turn {
    let text = name.map_or_else(|| "Subagent".to_owned(), |name| format!("Subagent: {name}"));
    let event = Block::Event { name: "subagent".to_owned(), text, detail: None };
    Turn { id: turn_id(&format!("{id}/subagent")), blocks: vec![event], ..Turn::default() }
}

/// Returns bytes in Base64 as something that was handed over.
pub(super) fn inline_file(mime: Option<&str>, data: &str, name: &str) -> Block {
    let kind = match mime.and_then(|mime| mime.split('/').next()) {
        Some("image") => AttachmentKind::Image,
        Some("audio") => AttachmentKind::Audio,
        Some("video") => AttachmentKind::Video,
        _ => AttachmentKind::File,
    };
    Block::Attachment(Box::new(Attachment {
        mime: mime.map(str::to_owned),
        content: Content::Base64(data.to_owned()),
        ..Attachment::new(name, kind)
    }))
}

/// Returns what stands for a file that is not there.
pub(super) fn missing(name: &str, kind: AttachmentKind) -> Block {
    Block::Attachment(Box::new(Attachment::new(name, kind)))
}
