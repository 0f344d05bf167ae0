//! The builder that readers call for each record.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::calls::{Calls, Outcome};
use super::message::{At, BranchStart, Message, Who};
use super::shown::is_shown;
use super::speakers::Speakers;
use super::{SYSTEM, USER, pieces};
use crate::shared::access::hidden_tags::{Author, without_hidden};
use crate::shared::access::tool_access::is_foreign;
use crate::shared::tally::kind_name;
use convo_base::json::Value;
use convo_base::model::{Block, Conversation, Kind, Place, Turn, Usage};

/// A path through a conversation, with its turns.
#[derive(Default)]
pub(super) struct Lane {
    pub(super) way: BranchStart,
    pub(super) turns: Vec<Turn>,
    /// A turn that the next block will start.
    pub(super) opened: Option<(Turn, Kind)>,
    /// The kind of speaker of the last turn.
    kind: Option<Kind>,
    /// The places of calls: the indexes of the turn and the block.
    pub(super) calls: Calls<(usize, usize)>,
    /// Whether tools returned results since the last turn.
    pub(super) was_answered: bool,
    /// Whether the next message starts a turn, whoever it is from.
    is_ended: bool,
}

/// A conversation that is being read.
#[derive(Default)]
pub(crate) struct Turns {
    /// Everything except the turns.
    pub(crate) read: Conversation,
    /// The working folder.
    pub(crate) cwd: Option<String>,
    /// The default model.
    pub(crate) model: Option<String>,
    /// The number of the file that is being read.
    pub(crate) file: usize,
    /// The name of the assistant.
    assistant: String,
    /// Whether every message becomes a turn, except messages that continue after a tool result.
    has_turns: bool,
    /// The paths; the first one is the main path.
    pub(super) lanes: Vec<Lane>,
    /// The path that is being added to.
    pub(super) lane: usize,
    pub(super) speakers: Speakers,
    /// The ids of turns.
    ids: HashSet<String>,
    /// The paths of calls, by call id.
    pub(super) owners: HashMap<String, usize>,
    /// Results that came before their calls, with the names of their tools.
    pub(super) early: HashMap<String, Vec<(String, Outcome)>>,
    /// The ids of results that were added on their own because their call had not come yet.
    pub(super) alone: HashSet<String>,
    /// The ids of calls in private messages or turns.
    pub(super) private_calls: HashSet<String>,
    /// Whether the last message was private. The next tool results belong to its calls.
    pub(super) is_after_private: bool,
    /// The speaker of the last turn.
    last: Option<Who>,
    /// Counts of what is not shown and of unknown records.
    pub(super) hidden: u64,
    pub(super) of_private: u64,
    pub(super) withheld: (u64, usize),
    pub(super) unknown: BTreeMap<String, (u64, u32)>,
}

impl Turns {
    /// Creates a conversation with an assistant of this name.
    pub(crate) fn new(file: usize, assistant: &str) -> Self {
        Self { file, assistant: assistant.to_owned(), ..Self::default() }
    }

    /// Creates a conversation whose source consists of turns: two messages of an assistant are two turns,
    /// unless a tool returned a result between them.
    pub(crate) fn with_separate_turns(file: usize) -> Self {
        Self { has_turns: true, ..Self::new(file, "Assistant") }
    }

    /// Returns the path that is being added to. Creates the main path if necessary.
    pub(super) fn lane(&mut self) -> &mut Lane {
        if self.lanes.is_empty() {
            self.lanes.push(Lane::default());
        }
        &mut self.lanes[self.lane]
    }

    /// Starts a turn. Consecutive messages of an assistant, with nobody else in between, become one turn.
    pub(crate) fn turn(&mut self, who: Who, at: At) {
        let assistant = std::mem::take(&mut self.assistant);
        let (speaker, kind) = match who {
            Who::Person => (USER, Kind::Person),
            Who::Assistant => (assistant.as_str(), Kind::Assistant),
            Who::System => (SYSTEM, Kind::System),
            Who::Program => ("", Kind::System),
        };
        self.start(speaker, kind, at);
        self.assistant = assistant;
        self.last = Some(who);
    }

    /// Starts a turn of a named speaker.
    pub(crate) fn start(&mut self, speaker: &str, kind: Kind, at: At) {
        let At { line, quoted, time, id } = at;
        let place = Place { file: self.file, line, quoted };
        self.open(speaker, kind, Message { id, time, place, ..Message::default() }.into());
    }

    fn open(&mut self, speaker: &str, kind: Kind, turn: Turn) {
        self.is_after_private = false;
        self.lane();
        let lane = &mut self.lanes[self.lane];
        let was_answered = std::mem::take(&mut lane.was_answered);
        let is_ended = lane.is_ended || self.has_turns && !was_answered;
        let continues = kind == Kind::Assistant && !is_ended;
        let is_own = |turn: &Turn| continues && turn.speaker == speaker;
        lane.opened = lane.opened.take().filter(|(turn, _)| is_own(turn));
        let opened = lane.opened.as_mut().map(|(turn, _)| turn);
        if let Some(last) = opened.or(lane.turns.last_mut().filter(|turn| is_own(turn))) {
            last.time = last.time.take().or(turn.time);
            if last.id.is_empty() && self.ids.insert(turn.id.clone()) {
                last.id = turn.id;
            }
            return;
        }
        let withheld = turn.withheld || kind == Kind::System && !speaker.is_empty();
        let speaker = speaker.to_owned();
        lane.opened = Some((Turn { speaker, withheld, ..turn }, kind));
    }

    /// Ends the turn. The next message starts one, even if it is from the same assistant.
    pub(crate) fn end_turn(&mut self) {
        self.lane().is_ended = true;
    }

    /// Returns the speaker of the last turn.
    pub(crate) fn last(&self) -> Option<Who> {
        self.last
    }

    /// Adds a whole message.
    pub(crate) fn add(&mut self, speaker: &str, kind: Kind, message: impl Into<Turn>) {
        let mut turn: Turn = message.into();
        let blocks = std::mem::take(&mut turn.blocks);
        let usage = turn.usage.take();
        let (unpublished, extra) =
            (std::mem::take(&mut turn.unpublished), std::mem::take(&mut turn.extra));
        self.open(speaker, kind, turn);
        blocks.into_iter().for_each(|block| self.push(block));
        usage.into_iter().for_each(|usage| self.add_usage(&usage));
        if let Some(turn) = self.turn_mut() {
            turn.unpublished.extend(unpublished);
            for (key, value) in extra {
                turn.extra.entry(key).or_insert(value);
            }
        }
    }

    /// Returns the turn that is being added to.
    pub(crate) fn turn_mut(&mut self) -> Option<&mut Turn> {
        let Lane { opened, turns, .. } = self.lane();
        opened.as_mut().map(|(turn, _)| turn).or(turns.last_mut())
    }

    /// Returns the turn at a place: the numbers of the path and of the turn.
    pub(crate) fn turn_at(&self, (lane, turn): (usize, usize)) -> Option<&Turn> {
        self.lanes.get(lane)?.turns.get(turn)
    }

    /// Adds a block to the last turn. A call takes the results that came before it.
    pub(crate) fn push(&mut self, mut block: Block) {
        let lane = self.lane();
        let kind = lane.opened.as_ref().map(|(_, kind)| *kind).or(lane.kind);
        if kind.is_none() || !is_shown(&mut block, kind == Some(Kind::Assistant)) {
            return;
        }
        let mut foreign = Vec::new();
        if let Block::Tool(call) = &mut block {
            let early = match call.id.as_str() {
                "" => None,
                id => self.early.remove(id),
            };
            for (name, outcome) in early.into_iter().flatten() {
                match is_foreign(&name, &call.name) {
                    true => foreign.push(outcome.alone(&call.id, &name)),
                    false => outcome.add_to(call),
                }
            }
            if call.results.is_empty()
                && self.alone.remove(&call.id)
                && let Some(known) = self.call_mut(&call.id)
                && !is_foreign(&known.name, &call.name)
            {
                call.results = std::mem::take(&mut known.results);
                *known = std::mem::take(call);
                return;
            }
        }
        if let Some((mut turn, kind)) = self.lane().opened.take() {
            self.speakers.add(&turn.speaker, kind);
            if let Some(model) = turn.usage.as_ref().and_then(|usage| usage.model.as_ref()) {
                self.speakers.uses(&turn.speaker, model);
            }
            if !turn.id.is_empty() && !self.ids.insert(turn.id.clone()) {
                turn.id.clear();
            }
            let lane = self.lane();
            (lane.kind, lane.is_ended) = (Some(kind), false);
            lane.turns.push(turn);
        }
        if let Block::Tool(call) = &block
            && !call.id.is_empty()
        {
            self.owners.insert(call.id.clone(), self.lane);
        }
        let Lane { turns, calls, .. } = self.lane();
        let at = turns.len().saturating_sub(1);
        let Some(turn) = turns.last_mut() else { return };
        if let Block::Tool(call) = &block {
            let place = (at, turn.blocks.len());
            calls.add(&call.id, &call.name, !call.results.is_empty(), place);
        }
        turn.blocks.push(block);
        turn.blocks.append(&mut foreign);
    }

    /// Adds Markdown to the last turn.
    pub(crate) fn say(&mut self, text: &str) {
        let text = without_hidden(text, Author::Writer);
        let text = text.trim_matches('\n').trim_end().to_owned();
        self.push(Block::Markdown { text });
    }

    /// Adds a thought to the last turn.
    pub(crate) fn think(&mut self, text: &str) {
        let text = without_hidden(text, Author::Writer).trim().to_owned();
        self.push(Block::Thinking { text });
    }

    /// Adds an event to the last turn.
    pub(crate) fn event(&mut self, name: &str, text: &str) {
        self.push(event(name, text, None));
    }

    /// Adds an event that has no speaker.
    pub(crate) fn event_without_speaker(
        &mut self,
        name: &str,
        text: &str,
        detail: Option<String>,
        message: Message,
    ) {
        self.add("", Kind::System, Message { blocks: vec![event(name, text, detail)], ..message });
    }

    /// Adds an image or a file with a known URL or path to the last turn.
    pub(crate) fn attach(&mut self, name: &str, address: &str) {
        self.attach_to(None, name, address);
    }

    /// Adds an image or a file that the call with this id returned.
    pub(crate) fn attach_to(&mut self, call: Option<String>, name: &str, address: &str) {
        self.push(pieces::attachment(call, name, address));
    }

    /// Adds usage to the last turn.
    pub(crate) fn add_usage(&mut self, usage: &Usage) {
        self.lane();
        let Lane { opened, turns, .. } = &mut self.lanes[self.lane];
        let opened = opened.as_mut().map(|(turn, _)| turn);
        add_usage(opened.or(turns.last_mut()), usage, &mut self.speakers);
    }

    /// Adds usage to the turn at a place: the numbers of the path and of the turn.
    pub(crate) fn add_usage_at(&mut self, (lane, turn): (usize, usize), usage: &Usage) {
        let lane = self.lanes.get_mut(lane);
        add_usage(lane.and_then(|lane| lane.turns.get_mut(turn)), usage, &mut self.speakers);
    }

    /// Starts a branch and returns its number, for [`Self::on`].
    pub(crate) fn branch(&mut self, way: BranchStart) -> usize {
        self.lane();
        self.lanes.push(Lane { way, ..Lane::default() });
        self.lanes.len() - 1
    }

    /// Names a path.
    pub(crate) fn name(&mut self, lane: usize, name: Option<String>) {
        if let Some(lane) = self.lanes.get_mut(lane) {
            lane.way.name = name;
        }
    }

    /// Switches to a path; 0 is the main path. Further turns are added there.
    pub(crate) fn on(&mut self, lane: usize) {
        self.lane = lane.min(self.lanes.len().saturating_sub(1));
    }

    /// Returns the place of the last turn of the path, if there is one.
    pub(crate) fn end(&self) -> Option<(usize, usize)> {
        Some((self.lane, self.lanes.get(self.lane)?.turns.len().checked_sub(1)?))
    }

    /// Counts something that is not shown.
    pub(crate) fn count_hidden(&mut self) {
        self.hidden += 1;
    }

    /// Counts a message that is marked as private and starts at this byte.
    pub(crate) fn withhold(&mut self, at: usize) {
        if self.withheld.0 == 0 {
            self.withheld.1 = at;
        }
        self.withheld.0 += 1;
        self.is_after_private = true;
    }

    /// Adds a placeholder for something of an unknown kind.
    pub(crate) fn unknown(&mut self, kind: &str, line: u32) {
        self.unknown.entry(kind_name(kind).to_owned()).or_insert((0, line)).0 += 1;
        self.push(Block::Unknown { name: kind.to_owned(), value: Value::Null });
    }
}

fn add_usage(turn: Option<&mut Turn>, usage: &Usage, speakers: &mut Speakers) {
    let Some(turn) = turn.filter(|_| !usage.is_empty()) else { return };
    turn.usage.get_or_insert_default().add(usage);
    if let Some(model) = &usage.model {
        speakers.uses(&turn.speaker, model);
    }
}

fn event(name: &str, text: &str, detail: Option<String>) -> Block {
    let text = without_hidden(text, Author::Program).trim().to_owned();
    Block::Event { name: name.to_owned(), text, detail }
}
