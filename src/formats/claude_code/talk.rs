//! Converts records to turns.

use std::collections::{HashMap, HashSet};

use super::entry::{Entry, User, What};
use super::files::Outputs;
use super::tools::Tasks;
use crate::shared::access::hidden_tags::{Author, strip_in, without_hidden};
use crate::shared::tally::Tally;
use convo_base::hash::Hash;
use convo_base::json::Value;
use convo_base::model::{Block, Conversation, Kind, Place, Turn, Usage, turn_id};
use convo_base::time::Time;

/// The speakers of a lane.
#[derive(Clone, Copy)]
pub(super) struct Voices<'v> {
    /// The name and kind of the speaker who asks.
    pub(super) asking: (&'v str, Kind),
    pub(super) answering: &'v str,
}

/// The name of the assistant; also the prefix of its subagents' names.
pub(super) const ASSISTANT: &str = "Claude";

/// The speakers of a session.
pub(super) const SESSION: Voices<'static> =
    Voices { asking: ("User", Kind::Person), answering: ASSISTANT };
/// The speakers of a subagent without a name.
pub(super) const SUBAGENT: Voices<'static> =
    Voices { asking: (ASSISTANT, Kind::Assistant), answering: "Subagent" };

/// A path of successive turns.
#[derive(Default)]
pub(super) struct Lane {
    pub(super) turns: Vec<Turn>,
    /// Whether the last turn may still grow.
    pub(super) is_open: bool,
    /// The approximate size of the last turn, in bytes.
    pub(super) size: usize,
    /// The message that its last block belongs to.
    pub(super) message: Option<String>,
    /// The user's last command.
    pub(super) command: String,
}

/// The place of a tool call.
#[derive(Clone, Copy)]
pub(super) struct CallPlace {
    pub(super) lane: usize,
    pub(super) turn: usize,
    pub(super) block: usize,
}

/// The calls that started subagents.
#[derive(Default)]
pub(super) struct Starts {
    /// By the id of the subagent.
    pub(super) agents: HashMap<String, String>,
    /// By the id of the workflow.
    pub(super) runs: HashMap<String, String>,
    /// By the prompt of the subagent, calls that were not matched yet.
    pub(super) prompts: HashMap<Hash, Vec<String>>,
    /// The task description in each call.
    pub(super) descriptions: HashMap<String, String>,
    /// The team member name in each call.
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
    /// The usage of each request, and the turn that it belongs to.
    pub(super) usage: Vec<(usize, usize, Usage)>,
    pub(super) usage_by_message: HashMap<String, usize>,
    /// Blocks of messages that were added, of which some logs contain copies.
    pub(super) added: HashSet<Hash>,
    pub(super) images: HashSet<Hash>,
    pub(super) tasks: Tasks,
    /// The number of turns that the current record started.
    pub(super) started: usize,
}

/// The origin of the turns that a record starts.
pub(super) struct Origin {
    pub(super) id: Option<String>,
    pub(super) time: Option<Time>,
    pub(super) place: Place,
    /// Its position in the file, in bytes.
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
            added: HashSet::new(),
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

    /// Adds the usage of requests to their turns.
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

    /// Adds to the growing turn of a speaker, or starts it.
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

/// Returns the name of a team member, which never equals that of another speaker.
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
