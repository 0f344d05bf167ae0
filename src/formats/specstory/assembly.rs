//! Turns messages into turns. Consecutive messages of an agent become one turn, and those of subagents
//! become branches.

use std::collections::HashMap;

use super::layout::Header;
use super::parts::Parts;
use crate::shared::access::tool_access::is_open;
use crate::shared::agents::prompt::{Addition, LastCommand, add_output, in_place_of_answer};
use crate::shared::agents::turns::{BranchStart, Turns, USER};
use convo_base::json::Value;
use convo_base::model::{
    Block, Conversation, Kind, Place, ToolCall, ToolResult, Turn, Usage, turn_id,
};
use convo_base::time::Time;

pub(super) const AGENT: &str = "Agent";

/// The turns so far.
pub(super) struct Assembly {
    turns: Turns,
    /// The branches of subagents, by their origin.
    sides: HashMap<Origin, usize>,
    /// The branch of the subagent that is speaking.
    speaking: Option<usize>,
    calls: Calls,
    /// The last command of the user.
    command: LastCommand,
    /// The time of the last message, if it was a command of the user.
    command_time: Option<Time>,
}

/// Returns the prompt that Claude Code made of a command. It has the time of the command.
fn prompt_of(additions: &[Addition]) -> Option<String> {
    let texts = additions.iter().map(|addition| match addition {
        Addition::Own(Block::Markdown { text }) => Some(text.as_str()),
        _ => None,
    });
    let texts = texts.collect::<Option<Vec<_>>>()?;
    Some(texts.join("\n\n")).filter(|prompt| !prompt.trim().is_empty())
}

/// Where the conversation of a subagent starts.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Origin {
    /// At this call.
    Call(CallPlace),
    /// At one of several calls; this turn came before it.
    Behind(Option<usize>),
}

/// The place of a call: the indexes of the turn and the block.
type CallPlace = (usize, usize);

/// The calls that may have started a subagent.
#[derive(Default)]
struct Calls {
    /// Calls that wait for the subagent to finish.
    waiting: Vec<CallPlace>,
    /// Calls that run in the background.
    background: Vec<CallPlace>,
    /// Whether a subagent spoke since the last call that waits.
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
        // An agent that waits for a subagent has its answer before the next call.
        if std::mem::take(&mut self.answered) {
            self.waiting.clear();
        }
        self.waiting.push(place);
    }

    /// Returns the call that started the current subagent, if there is only one candidate.
    fn only(&mut self) -> Option<CallPlace> {
        self.answered = true;
        match (self.waiting.as_slice(), self.background.as_slice()) {
            ([only], []) | ([], [only]) => Some(*only),
            _ => None,
        }
    }
}

impl Assembly {
    pub(super) fn new(file: usize) -> Self {
        Self {
            turns: Turns::with_separate_turns(file),
            sides: HashMap::new(),
            speaking: None,
            calls: Calls::default(),
            command: LastCommand::default(),
            command_time: None,
        }
    }

    /// Returns the last command of the user, if this message follows it.
    pub(super) fn command_before(&self, header: &Header) -> LastCommand {
        let follows = !header.is_agent && !header.is_sidechain;
        if follows { self.command.clone() } else { LastCommand::default() }
    }

    /// Adds a message.
    pub(super) fn add(&mut self, header: Header, parts: Parts, place: Place, is_withheld: bool) {
        let before = self.command_before(&header);
        let time = header.time.clone();
        let command_time = self.command_time.take();
        if !is_withheld
            && !parts.command.is_known()
            && self.continues(&before)
            && command_time.is_some()
            && command_time == time
            && let Some(prompt) = prompt_of(&parts.additions)
        {
            self.turns.push(Block::expansion(prompt));
            self.command = LastCommand::default();
            return;
        }
        let speaker = match header.is_agent {
            true if header.is_by_program => "",
            true => AGENT,
            false => USER,
        };
        let turn = Turn {
            speaker: speaker.to_owned(),
            id: parts.id.map(|id| turn_id(&id)).unwrap_or_default(),
            time: header.time,
            place,
            withheld: is_withheld,
            ..Turn::default()
        };
        let mut own = turn.clone();
        if let Some(model) = header.model {
            own.usage = Some(Box::new(Usage { model: Some(model), ..Usage::default() }));
        }
        if let Some(mode) = header.mode {
            own.extra.insert("mode".to_owned(), mode.into());
        }
        if let Some(label) = header.label {
            let (name, text) = (label.to_lowercase(), label.to_owned());
            own.blocks.push(Block::Event { name, text, detail: None });
        }
        for addition in parts.additions {
            match addition {
                Addition::Own(Block::Markdown { text }) if header.is_by_program => {
                    own.blocks.extend(in_place_of_answer(&text, false));
                }
                Addition::Own(block) | Addition::Beside(block) | Addition::Event(block) => {
                    own.blocks.push(block);
                }
                Addition::Output(call) if own.blocks.is_empty() && self.continues(&before) => {
                    let last = self.turns.turn_mut().and_then(|turn| turn.blocks.last_mut());
                    let block = add_output(last, call);
                    block.into_iter().for_each(|block| self.turns.push(block));
                }
                Addition::Output(call) => {
                    let block = add_output(own.blocks.last_mut(), call);
                    own.blocks.extend(block);
                }
                Addition::Teammate(speaker, text) => {
                    let blocks = vec![Block::Markdown { text }];
                    let next = Turn { id: String::new(), ..turn.clone() };
                    self.add_message(std::mem::replace(&mut own, next), header.is_sidechain);
                    self.add_message(Turn { speaker, blocks, ..turn.clone() }, header.is_sidechain);
                }
            }
        }
        self.add_message(own, header.is_sidechain);
        match (header.is_sidechain || header.is_by_program, header.is_agent) {
            (true, _) => {}
            (false, true) => self.command = LastCommand::default(),
            (false, false) => {
                self.command_time = time.filter(|_| parts.command.is_slash_command());
                self.command = parts.command;
            }
        }
    }

    /// Returns whether the output of a command belongs to the last turn.
    fn continues(&mut self, command: &LastCommand) -> bool {
        self.turns.on(0);
        command.is_known() && self.turns.turn_mut().is_some_and(|turn| turn.speaker == USER)
    }

    fn add_message(&mut self, mut turn: Turn, is_sidechain: bool) {
        if turn.blocks.is_empty() {
            return;
        }
        // Notices have no speaker.
        let is_event = |block: &Block| matches!(block, Block::Event { .. });
        if turn.speaker == USER && turn.blocks.iter().all(is_event) {
            turn.speaker.clear();
        }
        if is_sidechain { self.add_aside(turn) } else { self.add_turn(turn) }
    }

    /// Returns whether the last block of the agent is a call.
    pub(super) fn ends_with_call(&mut self) -> bool {
        let last = self.turns.turn_mut().filter(|turn| turn.speaker == AGENT);
        matches!(last.and_then(|turn| turn.blocks.last()), Some(Block::Tool(_)))
    }

    /// Adds a result to the call before it. If it may belong to several calls, it becomes a block of its own,
    /// which is shown only if all of them are open.
    pub(super) fn answer(&mut self, result: ToolResult) {
        let blocks =
            self.turns.turn_mut().into_iter().flat_map(|turn| turn.blocks.iter_mut().rev());
        let mut calls: Vec<&mut ToolCall> = blocks
            .map_while(|block| match block {
                Block::Tool(call) => Some(&mut **call),
                _ => None,
            })
            .collect();
        let is_open = calls.iter().all(|call| is_open(call));
        let name = calls.first().map(|call| call.name.clone()).filter(|_| is_open);
        calls.retain(|call| call.results.is_empty());
        if let [call] = calls.as_mut_slice() {
            call.results.push(result);
            return;
        }
        let name = name.unwrap_or_default();
        let call = ToolCall { name, results: vec![result], ..ToolCall::default() };
        self.turns.push(Block::Tool(Box::new(call)));
    }

    fn push_turn(&mut self, turn: Turn) {
        let kind = match turn.speaker.as_str() {
            USER => Kind::Person,
            "" => Kind::System,
            _ => Kind::Assistant,
        };
        self.turns.add(&turn.speaker.clone(), kind, turn);
    }

    fn add_turn(&mut self, turn: Turn) {
        self.speaking = None;
        self.turns.on(0);
        let before = self.turns.end();
        let first = self.turns.turn_mut().map_or(0, |turn| turn.blocks.len());
        self.turns.continue_turn();
        self.push_turn(turn);
        let Some((_, at)) = self.turns.end() else { return };
        let first = if self.turns.end() == before { first } else { 0 };
        let blocks = self.turns.turn_mut().into_iter().flat_map(|turn| &turn.blocks);
        for (number, block) in blocks.enumerate().skip(first) {
            if let Block::Tool(call) = block {
                self.calls.add((at, number), call);
            }
        }
    }

    fn add_aside(&mut self, turn: Turn) {
        self.turns.on(0);
        let origin = match self.calls.only() {
            Some(place) => Origin::Call(place),
            None => Origin::Behind(self.turns.end().map(|(_, turn)| turn)),
        };
        let side = match self.sides.get(&origin) {
            Some(side) => *side,
            None => {
                let way = self.start(origin);
                let side = self.turns.branch(way);
                self.sides.insert(origin, side);
                side
            }
        };
        self.turns.on(side);
        if self.speaking.replace(side) == Some(side) {
            self.turns.continue_turn();
        }
        self.push_turn(turn);
    }

    /// Gives the call that started a subagent an id, and returns where the branch starts.
    fn start(&mut self, origin: Origin) -> BranchStart {
        let (turn, block) = match origin {
            Origin::Call(place) => place,
            Origin::Behind(turn) => {
                let after = turn.map(|turn| (0, turn));
                return BranchStart {
                    name: Some("sidechain".to_owned()),
                    after,
                    ..BranchStart::default()
                };
            }
        };
        let after = Some((0, turn));
        let id = format!("subagent-{}", self.sides.len() + 1);
        let Some(call) = self.turns.call_at((turn, block)) else {
            return BranchStart { after, ..BranchStart::default() };
        };
        call.id.clone_from(&id);
        let name = call.input.as_ref().and_then(Value::as_str).map(str::to_owned);
        let is_short = |name: &String| name.chars().count() <= 120 && !name.contains('\n');
        BranchStart { name: name.filter(is_short), after, call: Some(id), rejoins: false }
    }

    /// Adds the turns to a conversation.
    pub(super) fn finish(self, read: &mut Conversation) {
        self.turns.fill(read);
        read.time =
            read.time.take().or_else(|| read.turns.iter().find_map(|turn| turn.time.clone()));
    }
}
