//! Messages as turns, with the results of tools at their calls.

use std::collections::HashMap;
use std::ops::Range;

use super::role::Role;
use crate::formats::tally::Tally;
use crate::json::{Map, Value};
use crate::model::{
    Block, Branch, Conversation, Kind, Participant, Place, ToolCall, ToolResult, Turn, Usage,
    name_turns,
};
use crate::time::Time;

/// The conversation of a row.
pub(in crate::formats) struct Dialog {
    file: usize,
    participants: Vec<Participant>,
    lane: Lane,
    /// What was said instead, with the turn that it follows.
    branches: Vec<(Option<usize>, String, Vec<Turn>)>,
    /// What is told once for the file.
    pub(in crate::formats) tally: Tally,
    /// The model of the assistant.
    pub(super) model: Option<String>,
}

/// One way through a conversation.
#[derive(Default)]
struct Lane {
    turns: Vec<Turn>,
    /// The calls without a result, by their ids.
    waiting: HashMap<String, (usize, usize)>,
    /// The calls without an id that have no result yet, in order, and how many of them have one.
    nameless: (Vec<(usize, usize)>, usize),
    /// Whether tools answered since the last turn.
    was_answered: bool,
}

impl Dialog {
    pub(in crate::formats) fn new(file: usize, tally: Tally) -> Self {
        Self {
            file,
            participants: Vec::new(),
            lane: Lane::default(),
            branches: Vec::new(),
            tally,
            model: None,
        }
    }

    fn introduce(&mut self, name: &str, kind: Kind) {
        if !self.participants.iter().any(|who| who.name == name) {
            self.participants.push(Participant::new(name, kind));
        }
    }

    /// Adds a turn of a role, or of somebody with a name.
    pub(in crate::formats) fn say(
        &mut self,
        role: Role,
        name: Option<&str>,
        turn: Turn,
        line: u32,
    ) {
        let name = name.map(str::trim).filter(|name| !name.is_empty());
        // Nobody takes the name of another role.
        let is_others = |name: &&str| {
            let others = [Role::User, Role::Assistant, Role::System];
            let mut others = others.iter().map(|role| role.speaker());
            others.any(|other| other != role.speaker() && other.eq_ignore_ascii_case(name))
        };
        let name = name.filter(|name| !is_others(name));
        let speaker = name.unwrap_or_else(|| role.speaker());
        let kind = match role {
            Role::User => Kind::Person,
            Role::System => Kind::System,
            _ => Kind::Assistant,
        };
        self.introduce(speaker, kind);
        let place = Place { file: self.file, line, quoted: true };
        let turn =
            Turn { speaker: speaker.to_owned(), place, withheld: role == Role::System, ..turn };
        let lane = &mut self.lane;
        // Who calls a tool goes on with what it said.
        let goes_on = std::mem::take(&mut lane.was_answered) && kind == Kind::Assistant;
        let last = lane.turns.last_mut().filter(|last| goes_on && last.speaker == speaker);
        let (at, first) = match last {
            Some(last) => {
                let first = last.blocks.len();
                last.blocks.extend(turn.blocks);
                last.unpublished.extend(turn.unpublished);
                match (&mut last.usage, turn.usage) {
                    (Some(usage), Some(more)) => usage.add(&more),
                    (usage @ None, more) => *usage = more,
                    _ => {}
                }
                (lane.turns.len() - 1, first)
            }
            None => {
                lane.turns.push(turn);
                (lane.turns.len() - 1, 0)
            }
        };
        for (number, block) in lane.turns[at].blocks.iter().enumerate().skip(first) {
            if let Block::Tool(call) = block
                && call.results.is_empty()
            {
                if call.id.is_empty() {
                    lane.nameless.0.push((at, number));
                } else {
                    lane.waiting.insert(call.id.clone(), (at, number));
                }
            }
        }
    }

    /// Adds somebody whose role is not known.
    pub(in crate::formats) fn say_as(
        &mut self,
        role: &str,
        turn: Turn,
        line: u32,
        at: Range<usize>,
    ) {
        self.tally.role_at(role, at);
        let kind = Kind::guess(role);
        self.introduce(role, kind);
        let place = Place { file: self.file, line, quoted: true };
        self.lane.was_answered = false;
        let speaker = role.to_owned();
        self.lane.turns.push(Turn { speaker, place, ..turn });
    }

    /// Adds the result of a tool: to the call of its id, to the first call without one, or by
    /// itself.
    pub(in crate::formats) fn result(
        &mut self,
        id: Option<&str>,
        name: Option<&str>,
        output: Value,
        line: u32,
    ) {
        let lane = &mut self.lane;
        let place = match id.and_then(|id| lane.waiting.remove(id)) {
            Some(place) => Some(place),
            None => {
                let place = lane.nameless.0.get(lane.nameless.1).copied();
                lane.nameless.1 += usize::from(place.is_some());
                place
            }
        };
        let output = Some(output).filter(|output| !output.is_null());
        let result = ToolResult { output, ..ToolResult::default() };
        let call = place.and_then(|(turn, block)| lane.turns.get_mut(turn)?.blocks.get_mut(block));
        if let Some(Block::Tool(call)) = call {
            call.results.push(result);
            lane.was_answered = true;
            return;
        }
        let call = ToolCall {
            id: id.unwrap_or_default().to_owned(),
            name: name.unwrap_or_default().to_owned(),
            results: vec![result],
            ..ToolCall::default()
        };
        lane.was_answered = true;
        let turn = Turn { blocks: vec![Block::Tool(Box::new(call))], ..Turn::default() };
        self.say(Role::Tool, None, turn, line);
        self.lane.was_answered = true;
    }

    /// Adds the result of a tool to the call of its id, and whether it failed.
    pub(super) fn result_of(&mut self, id: &str, output: Value, failed: bool, line: u32) {
        let place = self.lane.waiting.get(id).copied();
        self.result(Some(id).filter(|id| !id.is_empty()), None, output, line);
        let call =
            place.and_then(|(turn, block)| self.lane.turns.get_mut(turn)?.blocks.get_mut(block));
        if let Some(Block::Tool(call)) = call.filter(|_| failed)
            && let Some(result) = call.results.last_mut()
        {
            result.state = "failed".to_owned();
        }
    }

    /// Reads another way on behind the first `before` turns with `read`.
    pub(in crate::formats) fn beside(
        &mut self,
        name: &str,
        before: usize,
        read: impl FnOnce(&mut Self),
    ) {
        let main = std::mem::take(&mut self.lane);
        read(self);
        let branch = std::mem::replace(&mut self.lane, main);
        if !branch.turns.is_empty() {
            self.branches.push((before.checked_sub(1), name.to_owned(), branch.turns));
        }
    }

    /// Adds what came with the conversation and stands nowhere in it, to the first question.
    pub(in crate::formats) fn attach(&mut self, blocks: Vec<Block>) {
        let turns = &mut self.lane.turns;
        let asked = turns.iter().position(|turn| !turn.withheld);
        if let Some(turn) = asked.and_then(|at| turns.get_mut(at)) {
            turn.blocks.extend(blocks);
        }
    }

    /// Returns how many turns there are.
    pub(in crate::formats) fn turn_count(&self) -> usize {
        self.lane.turns.len()
    }

    /// Puts the turns into a conversation, if there are any.
    pub(super) fn finish(self, mut read: Conversation) -> (Option<Conversation>, Tally) {
        let (mut turns, mut branches) = (self.lane.turns, self.branches);
        let beside = branches.iter_mut().flat_map(|(_, _, turns)| turns);
        name_turns(turns.iter_mut().chain(beside));
        for (after, name, said) in branches {
            let after = after.and_then(|at| turns.get(at)).map(|turn| turn.id.clone());
            let (name, turns) = (Some(name), said);
            read.branches.push(Branch { name, after, turns, ..Branch::default() });
        }
        read.turns = turns;
        read.participants = self.participants.into_iter().collect();
        if let Some(model) = self.model {
            for who in read.participants.iter_mut().filter(|who| who.kind == Kind::Assistant) {
                who.model = Some(model.clone());
            }
        }
        ((!read.turns.is_empty()).then_some(read), self.tally)
    }
}

/// A turn of which a model is known.
pub(super) fn usage_of(model: Option<String>) -> Option<Box<Usage>> {
    model.map(|model| Box::new(Usage { model: Some(model), ..Usage::default() }))
}

/// What a message says beside its blocks.
#[derive(Default)]
pub(super) struct Said {
    pub(super) blocks: Vec<Block>,
    pub(super) time: Option<Time>,
    pub(super) rest: Map,
}

impl Said {
    pub(super) fn turn(self) -> Turn {
        Turn { blocks: self.blocks, time: self.time, unpublished: self.rest, ..Turn::default() }
    }
}
