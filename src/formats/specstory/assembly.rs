//! Messages as turns: what an agent says in several messages is one, and what its subagents say
//! is told beside it.

use std::collections::{HashMap, HashSet};

use super::layout::Header;
use super::parts::Parts;
use crate::json::Value;
use crate::model::{
    Block, Branch, Conversation, Kind, Place, ToolCall, Turn, Usage, name_turns, turn_id,
};

const USER: &str = "User";
const AGENT: &str = "Agent";

/// The turns so far.
#[derive(Default)]
pub(super) struct Assembly {
    turns: Vec<Turn>,
    sides: Vec<Side>,
    /// The places of `sides` by where they belong.
    by_origin: HashMap<Origin, usize>,
    /// The one that speaks, while no message of another comes.
    speaking: Option<usize>,
    calls: Calls,
    ids: HashSet<String>,
    models: Vec<String>,
}

/// The talk of a subagent.
struct Side {
    origin: Origin,
    turns: Vec<Turn>,
}

/// Where the talk of a subagent belongs.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Origin {
    /// It was started by this call.
    Call(CallPlace),
    /// It is not known by which of several; this many turns were said before it.
    Behind(usize),
}

/// The place of a call: the turn, and the block in it.
type CallPlace = (usize, usize);

/// The calls that may have started a subagent.
#[derive(Default)]
struct Calls {
    /// Those that wait for it to end.
    waiting: Vec<CallPlace>,
    /// Those that do not.
    background: Vec<CallPlace>,
    /// Whether a subagent spoke since the last one that waits.
    answered: bool,
}

impl Calls {
    fn add(&mut self, place: CallPlace, call: &ToolCall) {
        if !["task", "agent"].contains(&call.name.to_ascii_lowercase().as_str()) {
            return;
        }
        let output = call.results.iter().find_map(|result| result.output.as_ref()?.as_str());
        if output.is_some_and(|output| output.trim_start().starts_with("Async agent launched")) {
            self.background.push(place);
            return;
        }
        // Who waited for a subagent had its answer before it called another one.
        if std::mem::take(&mut self.answered) {
            self.waiting.clear();
        }
        self.waiting.push(place);
    }

    /// Returns the only one that can have started the subagent that speaks now.
    fn only(&mut self) -> Option<CallPlace> {
        self.answered = true;
        match (self.waiting.as_slice(), self.background.as_slice()) {
            ([only], []) | ([], [only]) => Some(*only),
            _ => None,
        }
    }
}

impl Assembly {
    /// Adds a message.
    pub(super) fn add(&mut self, header: Header, parts: Parts, place: Place, is_withheld: bool) {
        let speaker = if header.is_agent { AGENT } else { USER };
        let mut turn = Turn { speaker: speaker.to_owned(), place, ..Turn::default() };
        turn.time = header.time;
        turn.withheld = is_withheld;
        turn.blocks = parts.blocks;
        // What a program printed, or told, nobody said.
        let happens = |block: &Block| matches!(block, Block::Event { .. });
        if !header.is_agent && !turn.blocks.is_empty() && turn.blocks.iter().all(happens) {
            turn.speaker.clear();
        }
        if let Some(label) = header.label {
            let (name, text) = (label.to_lowercase(), label.to_owned());
            turn.blocks.insert(0, Block::Event { name, text, detail: None });
        }
        if let Some(id) = parts.id.map(|id| turn_id(&id)).filter(|id| self.ids.insert(id.clone())) {
            turn.id = id;
        }
        if let Some(model) = header.model {
            if !self.models.contains(&model) {
                self.models.push(model.clone());
            }
            turn.usage = Some(Box::new(Usage { model: Some(model), ..Usage::default() }));
        }
        if let Some(mode) = header.mode {
            turn.extra.insert("mode".to_owned(), mode.into());
        }
        match header.is_sidechain {
            true => self.add_aside(turn),
            false => self.add_turn(turn),
        }
    }

    fn add_turn(&mut self, turn: Turn) {
        self.speaking = None;
        let is_continued =
            turn.speaker == AGENT && self.turns.last().is_some_and(|last| last.speaker == AGENT);
        let first = match self.turns.last_mut().filter(|_| is_continued) {
            Some(last) => {
                let first = last.blocks.len();
                join(last, turn);
                first
            }
            None => {
                self.turns.push(turn);
                0
            }
        };
        let at = self.turns.len() - 1;
        for (number, block) in self.turns[at].blocks.iter().enumerate().skip(first) {
            if let Block::Tool(call) = block {
                self.calls.add((at, number), call);
            }
        }
    }

    fn add_aside(&mut self, turn: Turn) {
        let origin = match self.calls.only() {
            Some(place) => Origin::Call(place),
            None => Origin::Behind(self.turns.len()),
        };
        let new = self.sides.len();
        let index = *self.by_origin.entry(origin).or_insert(new);
        if index == new {
            self.sides.push(Side { origin, turns: Vec::new() });
        }
        let is_adjacent = self.speaking.replace(index) == Some(index);
        let turns = &mut self.sides[index].turns;
        match turns.last_mut().filter(|last| is_adjacent && last.speaker == AGENT) {
            Some(last) if turn.speaker == AGENT => join(last, turn),
            _ => turns.push(turn),
        }
    }

    /// Puts the turns into a conversation.
    pub(super) fn finish(mut self, read: &mut Conversation) {
        let origins: Vec<Origin> = self.sides.iter().map(|side| side.origin).collect();
        let origins = origins.into_iter().zip(1..);
        let names: Vec<_> = origins.map(|(origin, number)| self.start(origin, number)).collect();
        name_turns(
            self.turns.iter_mut().chain(self.sides.iter_mut().flat_map(|side| &mut side.turns)),
        );
        for (side, (name, started_by)) in self.sides.into_iter().zip(names) {
            let before = match side.origin {
                Origin::Call((turn, _)) => Some(turn),
                Origin::Behind(turns) => turns.checked_sub(1),
            };
            let after = before.and_then(|turn| self.turns.get(turn)).map(|turn| turn.id.clone());
            let turns = side.turns;
            read.branches.push(Branch { name, after, rejoins: false, started_by, turns });
        }
        read.turns = self.turns;
        let speakers: Vec<String> = read.all_turns().map(|turn| turn.speaker.clone()).collect();
        for (name, kind) in [(USER, Kind::Person), (AGENT, Kind::Assistant)] {
            if speakers.iter().any(|speaker| speaker == name) {
                read.introduce(name, kind);
            }
        }
        if let [only] = self.models.as_slice() {
            for who in read.participants.iter_mut().filter(|who| who.name == AGENT) {
                who.model.get_or_insert_with(|| only.clone());
            }
        }
        read.time =
            read.time.take().or_else(|| read.turns.iter().find_map(|turn| turn.time.clone()));
    }

    /// Gives the call that started a subagent an id, and returns what it is called and the id.
    fn start(&mut self, origin: Origin, number: usize) -> (Option<String>, Option<String>) {
        let Origin::Call((turn, block)) = origin else {
            return (Some("sidechain".to_owned()), None);
        };
        let block = self.turns.get_mut(turn).and_then(|turn| turn.blocks.get_mut(block));
        let Some(Block::Tool(call)) = block else { return (None, None) };
        call.id = format!("subagent-{number}");
        let name = call.input.as_ref().and_then(Value::as_str).map(str::to_owned);
        let is_short = |name: &String| name.chars().count() <= 120 && !name.contains('\n');
        (name.filter(is_short), Some(call.id.clone()))
    }
}

/// Adds a message of the agent to the turn that it goes on with.
fn join(turn: &mut Turn, next: Turn) {
    if turn.id.is_empty() {
        turn.id = next.id;
    }
    turn.time = turn.time.take().or(next.time);
    turn.blocks.extend(next.blocks);
    for (key, value) in next.extra {
        turn.extra.entry(key).or_insert(value);
    }
    match (&mut turn.usage, next.usage) {
        (Some(usage), Some(more)) => usage.add(&more),
        (usage @ None, more) => *usage = more,
        _ => {}
    }
}
