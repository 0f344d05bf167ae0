//! Converts records to turns.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::entry::{Entry, User, What};
use super::files::Outputs;
use super::tools::Tasks;
use crate::shared::access::hidden_tags::{Author, strip_in, without_hidden};
use crate::shared::agents::prompt::LastCommand;
use crate::shared::agents::turns::{At, Turns};
use crate::shared::tally::Tally;
use convo_base::diag::Counted;
use convo_base::hash::Hash;
use convo_base::json::Value;
use convo_base::model::{Block, Kind, Usage};

/// The speakers of a path.
#[derive(Clone)]
pub(super) struct Voices {
    /// The name and kind of the speaker who asks.
    pub(super) asking: (&'static str, Kind),
    pub(super) answering: Rc<str>,
}

impl Voices {
    /// The speakers of a session.
    pub(super) fn session() -> Self {
        Self { asking: ("User", Kind::Person), answering: ASSISTANT.into() }
    }

    /// The speakers of a subagent, which may have a name.
    pub(super) fn subagent(name: Option<&str>) -> Self {
        let answering = name.unwrap_or("Subagent").into();
        Self { asking: (ASSISTANT, Kind::Assistant), answering }
    }
}

/// The name of the assistant; also the prefix of its subagents' names.
pub(super) const ASSISTANT: &str = "Claude";

/// The state of a path since the last record of another path.
#[derive(Default)]
pub(super) struct Run {
    lane: usize,
    /// The approximate size of the last turn, in bytes.
    pub(super) size: usize,
    /// The message that its last block belongs to.
    pub(super) message: Option<String>,
    /// The user's last command.
    pub(super) command: LastCommand,
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
    pub(super) turns: Turns,
    pub(super) run: Run,
    /// The last command of each path that was left.
    commands: HashMap<usize, LastCommand>,
    pub(super) starts: Starts,
    pub(super) tally: &'a mut Tally,
    pub(super) outputs: &'a Outputs<'a>,
    /// The usage of each request, and the place of the turn that it belongs to.
    pub(super) usage: Vec<((usize, usize), Usage)>,
    pub(super) usage_by_message: HashMap<String, usize>,
    /// Blocks of messages that were added, of which some logs contain copies.
    pub(super) added: HashSet<Hash>,
    pub(super) images: HashSet<Hash>,
    pub(super) tasks: Tasks,
    pub(super) voices: Voices,
    /// The current record, and its position in the file, in bytes.
    pub(super) at: At,
    pub(super) start: usize,
    /// The number of turns that the current record started.
    pub(super) started: usize,
}

impl<'a> Talk<'a> {
    pub(super) fn new(tally: &'a mut Tally, outputs: &'a Outputs<'a>) -> Self {
        Self {
            turns: Turns::new(0, ASSISTANT),
            run: Run::default(),
            commands: HashMap::new(),
            starts: Starts::default(),
            tally,
            outputs,
            usage: Vec::new(),
            usage_by_message: HashMap::new(),
            added: HashSet::new(),
            images: HashSet::new(),
            tasks: Tasks::new(),
            voices: Voices::session(),
            at: At::default(),
            start: 0,
            started: 0,
        }
    }

    /// Goes to the place of a record, on a path.
    pub(super) fn go_to(&mut self, lane: usize, entry: &Entry) {
        if self.run.lane != lane {
            let left = std::mem::take(&mut self.run);
            let known = self.commands.get(&lane).cloned();
            // What a server answers may be on another path than its command.
            let own = known.filter(|_| !left.command.gets_prompt_from_server());
            let command = own.unwrap_or_else(|| left.command.clone());
            self.commands.insert(left.lane, left.command);
            self.run = Run { lane, command, ..Run::default() };
        }
        self.turns.on(lane);
        self.turns.file = entry.file;
        let Entry { id, time, line, start, .. } = entry;
        self.at = At { line: *line, quoted: true, time: time.clone(), id: id.clone() };
        (self.start, self.started) = (*start, 0);
    }

    /// Adds a record to a path.
    pub(super) fn add(&mut self, lane: usize, entry: Entry) {
        self.go_to(lane, &entry);
        match entry.what {
            What::User(user) => self.user(*user),
            What::Assistant(answer) => self.answer(&answer),
            What::Queued { prompt, is_sent_by_program } => {
                self.user(User { content: prompt, is_sent_by_program, ..User::default() });
            }
            What::Attached(attached) => self.attached(&attached),
            What::System { kind, text } => match kind.as_str() {
                "compact_boundary" => self.aside(Block::compaction(None)),
                "away_summary" => {
                    let text = without_hidden(&text, Author::Program).into_owned();
                    self.event("recap", "Recap".to_owned(), Some(text));
                }
                _ => self.pieces(&text, false),
            },
            What::Duration(duration) => self.duration(duration),
            What::Summary(text) => self.summary(text),
            What::Started { agent, call } => {
                self.starts.agents.entry(agent).or_insert(call);
            }
            What::Unknown { name, says: true } => self.aside(unknown(name)),
            What::Title(..) | What::Noise | What::Unknown { .. } => {}
        }
    }

    /// Adds the usage of requests to their turns.
    pub(super) fn finish(&mut self) {
        for (turn, usage) in std::mem::take(&mut self.usage) {
            self.turns.add_usage_at(turn, &usage);
        }
    }

    /// Counts something at the current record.
    pub(super) fn count(&mut self, what: Counted) {
        self.tally.add_at(what, self.turns.file, self.start..self.start);
    }

    /// Adds a block of a speaker, which may continue the turn.
    pub(super) fn push(&mut self, speaker: &str, kind: Kind, block: Block) {
        let before = self.turns.end();
        let mut at = self.at.clone();
        if let (Some(id), 1..) = (&mut at.id, self.started) {
            *id = format!("{id}#{}", self.started);
        }
        self.turns.start(speaker, kind, at);
        self.turns.push(block);
        if self.turns.end() != before {
            self.started += 1;
            (self.run.size, self.run.message) = (0, None);
        }
    }

    /// Adds a block of a speaker as a turn.
    pub(super) fn push_alone(&mut self, speaker: &str, kind: Kind, block: Block) {
        self.turns.end_turn();
        self.push(speaker, kind, block);
        self.turns.end_turn();
    }

    /// Adds a block without a speaker.
    pub(super) fn aside(&mut self, block: Block) {
        self.push("", Kind::System, block);
    }

    pub(super) fn event(&mut self, name: &str, text: String, detail: Option<String>) {
        self.aside(Block::Event { name: name.to_owned(), text, detail });
    }

    /// Adds a block to the answer.
    pub(super) fn push_answer(&mut self, block: Block) {
        let name = self.voices.answering.clone();
        self.push(&name, Kind::Assistant, block);
    }

    /// Adds a block to the question of this record.
    pub(super) fn push_question(&mut self, block: Block) {
        let (name, kind) = self.voices.asking;
        if self.started > 0 && self.is_last(name) {
            return self.turns.push(block);
        }
        self.push_alone(name, kind, block);
    }

    /// Returns whether the last turn is of this speaker.
    pub(super) fn is_last(&mut self, speaker: &str) -> bool {
        self.turns.turn_mut().is_some_and(|turn| turn.speaker == speaker)
    }

    /// Counts a part of an unknown kind, and returns a placeholder for it.
    pub(super) fn unknown(&mut self, name: String) -> Block {
        self.tally.unknown_at(&name, self.turns.file, self.start..self.start);
        unknown(name)
    }

    fn duration(&mut self, duration: u64) {
        if let Some(turn) = self.turns.end().filter(|_| !self.is_last("")) {
            self.usage.push((turn, Usage { duration_ms: Some(duration), ..Usage::default() }));
        }
    }

    pub(super) fn summary(&mut self, mut text: String) {
        strip_in(&mut text, Author::Writer);
        let detail = Some(text);
        if let Some(turn) = self.turns.turn_mut()
            && let [block @ Block::Event { detail: None, .. }] = turn.blocks.as_mut_slice()
            && block.is_compaction()
        {
            *block = Block::compaction(detail);
            return;
        }
        self.aside(Block::compaction(detail));
    }
}

fn unknown(name: String) -> Block {
    Block::Unknown { name, value: Value::Null }
}
