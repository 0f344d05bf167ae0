//! Records as turns.

use std::collections::{HashMap, HashSet};

use super::super::hidden_tags::{Author, strip_in, without_hidden};
use super::entry::{Entry, User, What};
use super::files::Outputs;
use super::tools::Tasks;
use crate::tally::Tally;
use convo_base::hash::Hash;
use convo_base::json::Value;
use convo_base::model::{Block, Conversation, Kind, Place, Turn, Usage, turn_id};
use convo_base::time::Time;

/// The names of those who speak in a lane.
#[derive(Clone, Copy)]
pub(super) struct Voices<'v> {
    /// Who asks, and what that is.
    pub(super) asking: (&'v str, Kind),
    pub(super) answering: &'v str,
}

/// The name of the assistant, which is the head of its subagents.
pub(super) const ASSISTANT: &str = "Claude";

/// Those who speak in a session.
pub(super) const SESSION: Voices<'static> =
    Voices { asking: ("User", Kind::Person), answering: ASSISTANT };
/// Those who speak to and as a subagent without a name.
pub(super) const SUBAGENT: Voices<'static> =
    Voices { asking: (ASSISTANT, Kind::Assistant), answering: "Subagent" };

/// A path: turns one after the other.
#[derive(Default)]
pub(super) struct Lane {
    pub(super) turns: Vec<Turn>,
    /// Whether the last turn may still grow.
    pub(super) is_open: bool,
    /// About how long the last turn is. Bytes.
    pub(super) size: usize,
    /// The message to which its last block belongs.
    pub(super) message: Option<String>,
    /// The command that a person gave last.
    pub(super) command: String,
}

/// The place of a tool call.
#[derive(Clone, Copy)]
pub(super) struct CallPlace {
    pub(super) lane: usize,
    pub(super) turn: usize,
    pub(super) block: usize,
}

/// What is known of how subagents were started: the calls.
#[derive(Default)]
pub(super) struct Starts {
    /// By the id of the subagent.
    pub(super) agents: HashMap<String, String>,
    /// By the id of the workflow.
    pub(super) runs: HashMap<String, String>,
    /// By what the subagent was told, those that were not taken yet.
    pub(super) prompts: HashMap<Hash, Vec<String>>,
    /// What each call says that the subagent is to do.
    pub(super) descriptions: HashMap<String, String>,
    /// The name that each call gives it, as a member of a team.
    pub(super) names: HashMap<String, String>,
}

/// A conversation that is being read.
pub(super) struct Talk<'a> {
    pub(super) read: Conversation,
    pub(super) lanes: Vec<Lane>,
    pub(super) calls: HashMap<String, CallPlace>,
    pub(super) starts: Starts,
    pub(super) tally: &'a mut Tally,
    pub(super) outputs: &'a Outputs<'a>,
    /// What each request took, and the turn that it is a part of.
    pub(super) usage: Vec<(usize, usize, Usage)>,
    pub(super) usage_by_message: HashMap<String, usize>,
    /// Blocks of messages that were said, of which some logs have copies.
    pub(super) said: HashSet<Hash>,
    pub(super) images: HashSet<Hash>,
    pub(super) tasks: Tasks,
    /// The turns that the record started which is being read.
    pub(super) started: usize,
}

/// Where a record stands, for the turns that it starts.
pub(super) struct Origin {
    pub(super) id: Option<String>,
    pub(super) time: Option<Time>,
    pub(super) place: Place,
    /// Where it starts in the file. Bytes.
    pub(super) start: usize,
}

impl<'a> Talk<'a> {
    pub(super) fn new(tally: &'a mut Tally, outputs: &'a Outputs<'a>) -> Self {
        Self {
            read: Conversation::default(),
            lanes: Vec::new(),
            calls: HashMap::new(),
            starts: Starts::default(),
            tally,
            outputs,
            usage: Vec::new(),
            usage_by_message: HashMap::new(),
            said: HashSet::new(),
            images: HashSet::new(),
            tasks: Tasks::new(),
            started: 0,
        }
    }

    /// Adds a record to a lane.
    pub(super) fn add(&mut self, lane: usize, entry: Entry, voices: Voices<'_>) {
        self.started = 0;
        let place = Place { file: entry.file, line: entry.line, quoted: true };
        let at = Origin { id: entry.id, time: entry.time, place, start: entry.start };
        match entry.what {
            What::User(user) => self.user(lane, *user, &at, voices),
            What::Assistant(answer) => self.answer(lane, *answer, &at, voices),
            What::Queued { prompt, is_sent_by_program } => {
                let user = User { content: prompt, is_sent_by_program, ..User::default() };
                self.user(lane, user, &at, voices);
            }
            What::Attached(attached) => self.attached(lane, &attached, &at),
            What::System { kind, text } => match kind.as_str() {
                "compact_boundary" => {
                    self.event(lane, "compaction", compacted(&text), None, &at);
                }
                "away_summary" => {
                    let text = without_hidden(&text, Author::Program).into_owned();
                    self.event(lane, "recap", "Recap".to_owned(), Some(text), &at);
                }
                _ => self.pieces(lane, &text, false, &at, voices),
            },
            What::Duration(duration) => self.duration(lane, duration),
            What::Summary(text) => self.summary(lane, text, &at),
            What::Started { agent, call } => {
                self.starts.agents.entry(agent).or_insert(call);
            }
            What::Unknown { name, says: true } => {
                let block = Block::Unknown { name, value: Value::Null };
                self.start(lane, "", Kind::System, block, &at);
                self.close(lane);
            }
            What::Title(..) | What::Noise | What::Unknown { .. } => {}
        }
    }

    /// Puts what requests took at their turns.
    pub(super) fn finish(&mut self) {
        for (lane, turn, usage) in std::mem::take(&mut self.usage) {
            let Some(turn) = self.lanes[lane].turns.get_mut(turn) else { continue };
            match &mut turn.usage {
                Some(known) => known.add(&usage),
                None => turn.usage = Some(Box::new(usage)),
            }
        }
    }

    pub(super) fn close(&mut self, lane: usize) {
        self.lanes[lane].is_open = false;
    }

    /// Starts a turn.
    pub(super) fn start(
        &mut self,
        lane: usize,
        speaker: &str,
        kind: Kind,
        block: Block,
        at: &Origin,
    ) {
        self.read.introduce(speaker, kind);
        let id = match (&at.id, self.started) {
            (Some(id), 0) => turn_id(id),
            (Some(id), number) => turn_id(&format!("{id}#{number}")),
            (None, _) => String::new(),
        };
        self.started += 1;
        let lane = &mut self.lanes[lane];
        lane.turns.push(Turn {
            id,
            speaker: speaker.to_owned(),
            time: at.time.clone(),
            blocks: vec![block],
            place: at.place,
            ..Turn::default()
        });
        (lane.is_open, lane.size, lane.message) = (true, 0, None);
    }

    pub(super) fn event(
        &mut self,
        lane: usize,
        name: &str,
        text: String,
        detail: Option<String>,
        at: &Origin,
    ) {
        let block = Block::Event { name: name.to_owned(), text, detail };
        self.start(lane, "", Kind::System, block, at);
        self.close(lane);
    }

    pub(super) fn unknown(&mut self, lane: usize, name: String, at: &Origin, who: (&str, Kind)) {
        self.tally.unknown_at(&name, at.place.file, at.start..at.start);
        let block = Block::Unknown { name, value: Value::Null };
        self.append(lane, block, at, who);
    }

    /// Adds to the turn of a speaker that is growing, or starts it.
    pub(super) fn append(
        &mut self,
        lane: usize,
        block: Block,
        at: &Origin,
        (name, kind): (&str, Kind),
    ) {
        let open = self.lanes[lane].is_open;
        match self.lanes[lane].turns.last_mut() {
            Some(turn) if open && turn.speaker == name => turn.blocks.push(block),
            _ => self.start(lane, name, kind, block, at),
        }
    }

    fn duration(&mut self, lane: usize, duration: u64) {
        let Some(turn) = self.lanes[lane].turns.len().checked_sub(1) else { return };
        if !self.lanes[lane].turns[turn].speaker.is_empty() {
            let usage = Usage { duration_ms: Some(duration), ..Usage::default() };
            self.usage.push((lane, turn, usage));
        }
    }

    fn summary(&mut self, lane: usize, mut text: String, at: &Origin) {
        strip_in(&mut text, Author::Writer);
        let detail = Some(text).filter(|text| !text.trim().is_empty());
        if let Some(turn) = self.lanes[lane].turns.last_mut()
            && let [Block::Event { name, detail: known @ None, .. }] = turn.blocks.as_mut_slice()
            && name == "compaction"
        {
            *known = detail;
            return;
        }
        self.event(lane, "compaction", compacted(""), detail, at);
    }
}

/// Returns the name of a member of a team, which is none of the names that others have.
pub(super) fn member(name: &str) -> String {
    const TAKEN: [&str; 6] = ["user", "human", "claude", "assistant", "subagent", "system"];
    let name = name.trim();
    match TAKEN.contains(&name.to_lowercase().as_str()) {
        true => format!("{name} (agent)"),
        false => name.to_owned(),
    }
}

fn compacted(text: &str) -> String {
    let text = if text.trim().is_empty() { "Conversation compacted" } else { text.trim() };
    text.to_owned()
}
