//! Turns messages with roles into turns.

use std::ops::Range;

use super::role::Role;
use crate::shared::agents::turns::{BranchStart, To, Turns};
use crate::shared::tally::{OF_PRIVATE, Tally, WITHHELD};
use convo_base::json::{Map, Value};
use convo_base::model::{Block, Conversation, Kind, Place, ToolCall, ToolResult, Turn, Usage};
use convo_base::time::Time;

/// The conversation of a row.
pub(crate) struct Dialog {
    file: usize,
    turns: Turns,
    /// Counts that are reported once for the file.
    pub(crate) tally: Tally,
    /// The model of the assistant.
    pub(super) model: Option<String>,
}

impl Dialog {
    pub(crate) fn new(file: usize, tally: Tally) -> Self {
        Self { file, turns: Turns::with_separate_turns(file), tally, model: None }
    }

    /// Adds a turn of a role, or of a named speaker.
    pub(crate) fn say(&mut self, role: Role, name: Option<&str>, turn: Turn, line: u32) {
        let name = name.map(str::trim).filter(|name| !name.is_empty());
        // A name must not imitate another role.
        let is_other_speaker = |name: &&str| {
            let others = [Role::User, Role::Assistant, Role::System];
            let mut others = others.iter().map(|role| role.speaker());
            others.any(|other| other != role.speaker() && other.eq_ignore_ascii_case(name))
        };
        let name = name.filter(|name| !is_other_speaker(name));
        let kind = match role {
            Role::User => Kind::Person,
            Role::System => Kind::System,
            _ => Kind::Assistant,
        };
        self.add(name.unwrap_or_else(|| role.speaker()), kind, turn, line);
    }

    fn add(&mut self, speaker: &str, kind: Kind, turn: Turn, line: u32) {
        let place = Place { file: self.file, line, quoted: true };
        self.turns.add(speaker, kind, Turn { place, ..turn });
    }

    /// Adds a turn of a speaker whose role is unknown.
    pub(crate) fn say_unknown_role(&mut self, role: &str, turn: Turn, line: u32, at: Range<usize>) {
        self.tally.role_at(role, at);
        self.add(role, Kind::guess(role), turn, line);
    }

    /// Adds the result of a tool to its call, or on its own.
    pub(crate) fn result(
        &mut self,
        id: Option<&str>,
        name: Option<&str>,
        output: Value,
        failed: bool,
        line: u32,
    ) {
        let output = Some(output).filter(|output| !output.is_null());
        let state = if failed { "failed" } else { "" }.to_owned();
        let result = ToolResult { output, state, ..ToolResult::default() };
        let (id, name) = (id.unwrap_or_default(), name.unwrap_or_default());
        if let Some(orphan) = self.turns.answer(To::Call { id, name }, result) {
            let (id, name, results) = (id.to_owned(), name.to_owned(), vec![orphan.result]);
            let call = ToolCall { id, name, results, ..ToolCall::default() };
            let blocks = vec![Block::Tool(Box::new(call))];
            self.turns.continue_turn();
            self.say(Role::Tool, None, Turn { blocks, ..Turn::default() }, line);
            self.turns.continue_turn();
        }
    }

    /// Omits a private message, and the results of the tools that it calls.
    pub(super) fn withhold(&mut self, message: &Map, at: Range<usize>) {
        self.tally.add_at(WITHHELD, 0, at);
        let calls = ["tool_calls", "content"].into_iter().filter_map(|key| message.get(key));
        self.turns.withhold_calls(calls.filter_map(Value::as_array).flatten(), "id");
    }

    /// Reads a branch after the first `before` turns with `read`.
    pub(crate) fn branch(&mut self, name: &str, before: usize, read: impl FnOnce(&mut Self)) {
        let after = before.checked_sub(1).map(|turn| (0, turn));
        let way = BranchStart { name: Some(name.to_owned()), after, ..BranchStart::default() };
        let way = self.turns.branch(way);
        self.turns.on(way);
        read(self);
        self.turns.on(0);
    }

    /// Adds files that came with the conversation, and that no message refers to, to the first question.
    pub(crate) fn attach(&mut self, blocks: Vec<Block>) {
        self.turns.attach_to_question(blocks);
    }

    /// Returns the number of turns.
    pub(crate) fn turn_count(&self) -> usize {
        self.turns.end().map_or(0, |(_, turn)| turn + 1)
    }

    /// Adds the turns to a conversation; returns `None` if there are none.
    pub(super) fn finish(mut self, mut read: Conversation) -> (Option<Conversation>, Tally) {
        self.tally.add_all(OF_PRIVATE, self.turns.private_result_count());
        self.turns.fill(&mut read);
        if let Some(model) = self.model {
            for who in read.participants.iter_mut().filter(|who| who.kind == Kind::Assistant) {
                who.model = Some(model.clone());
            }
        }
        ((!read.turns.is_empty()).then_some(read), self.tally)
    }
}

/// Returns usage data with only a model.
pub(super) fn usage_of(model: Option<String>) -> Option<Box<Usage>> {
    model.map(|model| Box::new(Usage { model: Some(model), ..Usage::default() }))
}

/// The data of a message besides its speaker.
#[derive(Default)]
pub(super) struct MessageData {
    pub(super) blocks: Vec<Block>,
    pub(super) time: Option<Time>,
    pub(super) rest: Map,
}

impl MessageData {
    pub(super) fn turn(self) -> Turn {
        Turn { blocks: self.blocks, time: self.time, unpublished: self.rest, ..Turn::default() }
    }
}
