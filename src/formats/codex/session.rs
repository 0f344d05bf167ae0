//! The state of a session, which grows with each record.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use super::known_call::Known;
use super::picture::Picture;
use super::prompt;
use super::scope::{Role, Scope, Source, words};
use super::usage::{Costs, Meter};
use crate::shared::agents::turns::{SYSTEM, USER, agent_name};
use crate::shared::tally::Tally;
use convo_base::diag::Counted;
use convo_base::hash::Hash;
use convo_base::json::Value;
use convo_base::model::{Block, Content, Conversation, Kind, Place, Turn};
use convo_base::time::Time;

/// The name of the model.
pub(super) const CODEX: &str = "Codex";

const ROLLED_BACK: Counted = Counted::not_shown("rolled-back turn", "rolled-back turns");

/// The place of a record.
#[derive(Clone, Debug)]
pub(super) struct At {
    pub(super) time: Option<Time>,
    pub(super) file: usize,
    pub(super) line: u32,
    /// The byte range in the file.
    pub(super) range: Range<usize>,
}

/// The kind of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Part {
    Asked,
    Answer,
    Other,
}

/// A turn that may still grow.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) turn: Turn,
    /// The kind of the speaker.
    pub(super) kind: Kind,
    pub(super) part: Part,
    /// The id of what Codex calls a turn: a question with everything that follows it.
    pub(super) task: Option<Rc<str>>,
    /// Distinguishes it from rolled-back turns at the same place.
    pub(super) serial: u64,
    pub(super) model: Option<Rc<str>>,
    pub(super) effort: Option<Rc<str>>,
    pub(super) costs: Costs,
}

/// The session.
#[derive(Debug, Default)]
pub(super) struct Session {
    pub(super) read: Conversation,
    pub(super) drafts: Vec<Draft>,
    /// The places of questions among the drafts.
    pub(super) asked: Vec<usize>,
    pub(super) scope: Scope,
    /// The answer that may still grow.
    pub(super) open: Option<usize>,
    /// The last answer.
    answered: Option<usize>,
    pub(super) calls: HashMap<String, Known>,
    /// The turn of each picture.
    pictures: HashMap<Hash, (usize, u64)>,
    task: Option<Rc<str>>,
    pub(super) model: Option<Rc<str>>,
    pub(super) effort: Option<Rc<str>>,
    pub(super) meter: Meter,
    /// Token counts of answers that have not begun.
    pub(super) waiting: Costs,
    /// Text of Codex that precedes a question.
    pub(super) context: Vec<Value>,
    serials: u64,
    pub(super) cwd: Option<String>,
    /// Whether there are events that identify the user's text.
    pub(super) has_events: bool,
    /// Whether the part of the log before this one is read separately.
    pub(super) is_continued: bool,
    pub(super) tally: Tally,
    /// The number of records that are copied from another session.
    pub(super) copied: u64,
    /// The number of rolled-back turns that are in an earlier part of a long log.
    pub(super) out_of_reach: u64,
    /// The place of the first rollback without a number of turns.
    pub(super) unclear: Option<At>,
}

impl Session {
    pub(super) fn new(is_continued: bool, has_events: bool) -> Self {
        Self { is_continued, has_events, ..Self::default() }
    }

    /// Starts a Codex turn.
    pub(super) fn start_task(&mut self, id: Option<&str>) {
        if self.scope.is_answered || id.is_some() && id != self.task.as_deref() {
            self.scope = Scope::default();
        }
        self.task = id.map(Rc::from);
    }

    /// Sets the id of the turn from its settings, which may come after the question.
    pub(super) fn settle_task(&mut self, id: Option<&str>) {
        let Some(id) = id.filter(|id| Some(*id) != self.task.as_deref()) else { return };
        let task: Rc<str> = Rc::from(id);
        for at in self.asked.iter().rev().copied() {
            let is_answered = self.answered.is_some_and(|answer| at < answer);
            let Some(draft) = self.drafts.get_mut(at) else { break };
            if is_answered || draft.task.is_some() {
                break;
            }
            draft.task = Some(task.clone());
        }
        self.task = Some(task);
    }

    /// Adds a turn.
    pub(super) fn push(
        &mut self,
        at: &At,
        part: Part,
        (speaker, kind): (&str, Kind),
        blocks: Vec<Block>,
    ) -> usize {
        let turn = Turn {
            speaker: speaker.to_owned(),
            time: at.time.clone(),
            place: Place { file: at.file, line: at.line, quoted: true },
            blocks,
            ..Turn::default()
        };
        self.serials += 1;
        self.drafts.push(Draft {
            turn,
            kind,
            part,
            task: self.task.clone(),
            serial: self.serials,
            model: None,
            effort: None,
            costs: Costs::default(),
        });
        self.drafts.len() - 1
    }

    /// Adds a question of the user.
    pub(super) fn ask(&mut self, at: &At, source: Source, text: String, pictures: Vec<Picture>) {
        let is_silent = text.trim().is_empty();
        if is_silent && pictures.is_empty() {
            return;
        }
        let key = if is_silent { format!("{} pictures", pictures.len()) } else { text.clone() };
        if !self.scope.is_new(Role::Question, source, &key) {
            if let Some(turn) = self.scope.turn_of(&key) {
                self.add_pictures(turn, pictures);
            }
            return;
        }
        if let Some(turn) = self.other_wording(source, &text) {
            return self.add_pictures(turn, pictures);
        }
        if self.scope.is_answered {
            self.scope = Scope::default();
            self.scope.is_new(Role::Question, source, &key);
        }
        self.open = None;
        let blocks = if is_silent { Vec::new() } else { vec![Block::Markdown { text }] };
        let turn = self.push(at, Part::Asked, (USER, Kind::Person), blocks);
        self.asked.push(turn);
        self.scope.ask(&key, source, turn);
        let context = std::mem::take(&mut self.context);
        if let Some(draft) = self.drafts.get_mut(turn).filter(|_| !context.is_empty()) {
            draft.turn.unpublished.insert("context".to_owned(), context.into());
        }
        self.add_pictures(turn, pictures);
    }

    /// Returns the turn of the same question in a different wording: the typed text is contained in the
    /// model input. The typed text is shown.
    fn other_wording(&mut self, source: Source, text: &str) -> Option<usize> {
        let alone = self.scope.alone.as_ref()?;
        let typed = words(text);
        if self.scope.is_answered || typed.is_empty() || alone.words.is_empty() {
            return None;
        }
        let turn = alone.turn;
        match (alone.source == Source::Response, source == Source::Response) {
            (true, false) if alone.words.contains(&typed) => {
                let blocks = &mut self.drafts.get_mut(turn)?.turn.blocks;
                if let Some(Block::Markdown { text: shown }) = blocks.first_mut() {
                    text.clone_into(shown);
                }
            }
            (false, true) if typed.contains(&alone.words) => {}
            _ => return None,
        }
        self.scope.alone = None;
        Some(turn)
    }

    /// Adds pictures to a turn, each once per session.
    pub(super) fn add_pictures(&mut self, turn: usize, pictures: Vec<Picture>) {
        if pictures.is_empty() {
            return;
        }
        let Some(draft) = self.drafts.get(turn) else { return };
        let is_picture = |block: &&Block| matches!(block, Block::Attachment(_));
        let is_asked = draft.part == Part::Asked;
        // A picture of which only the name is known may already exist, or follow later.
        let (known, mut place) = match is_asked {
            true => (draft.turn.blocks.iter().filter(is_picture).count(), 0),
            false => (0, draft.turn.blocks.len()),
        };
        for (number, picture) in pictures.into_iter().enumerate() {
            let seen = self.pictures.get(&picture.key);
            let is_seen = seen.is_some_and(|(turn, serial)| {
                self.drafts.get(*turn).is_some_and(|draft| draft.serial == *serial)
            });
            if is_seen || !picture.is_there() && number < known {
                continue;
            }
            let Some(draft) = self.drafts.get_mut(turn) else { return };
            self.pictures.insert(picture.key, (turn, draft.serial));
            let blocks = &mut draft.turn.blocks;
            while picture.is_there()
                && blocks.get(place).is_some_and(|known| !is_missing_picture(known))
            {
                place += 1;
            }
            match blocks.get_mut(place) {
                Some(Block::Attachment(known)) if picture.is_there() => {
                    known.mime = picture.attachment.mime;
                    known.content = picture.attachment.content;
                }
                _ => blocks.push(Block::Attachment(Box::new(picture.attachment))),
            }
        }
    }

    /// Returns the place of the answer that may grow, and starts one if needed.
    pub(super) fn answer(&mut self, at: &At) -> usize {
        self.scope.is_answered = true;
        if let Some(open) = self.open {
            return open;
        }
        let turn = self.push(at, Part::Answer, (CODEX, Kind::Assistant), Vec::new());
        (self.open, self.answered) = (Some(turn), Some(turn));
        let waiting = std::mem::take(&mut self.waiting);
        if let Some(draft) = self.drafts.get_mut(turn) {
            draft.costs = waiting;
            draft.model = self.model.clone();
            draft.effort = self.effort.clone();
        }
        turn
    }

    /// Returns the blocks of the answer that may grow.
    pub(super) fn blocks(&mut self, at: &At) -> Option<&mut Vec<Block>> {
        let turn = self.answer(at);
        self.drafts.get_mut(turn).map(|draft| &mut draft.turn.blocks)
    }

    /// Adds text of the model.
    pub(super) fn say(&mut self, at: &At, source: Source, text: &str) {
        let text = prompt::answer(text);
        if text.is_empty() || !self.scope.is_new(Role::Answer, source, &text) {
            return;
        }
        if let Some(blocks) = self.blocks(at) {
            blocks.push(Block::Markdown { text });
        }
    }

    /// Adds a thought of the model.
    pub(super) fn think(&mut self, at: &At, source: Source, text: String) {
        let is_empty = text.trim().is_empty();
        if is_empty || !self.scope.is_new(Role::Thought, source, &text) {
            return;
        }
        let Some(blocks) = self.blocks(at) else { return };
        match blocks.last_mut() {
            Some(Block::Thinking { text: before }) => {
                before.push_str("\n\n");
                before.push_str(text.trim());
            }
            _ => blocks.push(Block::Thinking { text: text.trim().to_owned() }),
        }
    }

    /// Adds a message from another agent.
    pub(super) fn add_agent_message(
        &mut self,
        at: &At,
        source: Source,
        author: &str,
        text: String,
    ) {
        if text.trim().is_empty() || !self.scope.is_new(Role::AgentMessage, source, &text) {
            return;
        }
        self.open = None;
        let blocks = vec![Block::Markdown { text }];
        let turn =
            self.push(at, Part::Asked, (&agent_name(author, CODEX), Kind::Assistant), blocks);
        self.asked.push(turn);
    }

    /// Adds instructions of Codex.
    pub(super) fn instruct(&mut self, at: &At, text: String) {
        let blocks = vec![Block::Markdown { text }];
        self.push(at, Part::Other, (SYSTEM, Kind::System), blocks);
    }

    /// Adds an event.
    pub(super) fn add_event(&mut self, at: &At, name: &str, text: &str, detail: Option<String>) {
        let (name, text) = (name.to_owned(), text.to_owned());
        self.push_aside(at, Block::Event { name, text, detail });
    }

    /// Adds a block to the answer that may grow; without an answer, it has no speaker.
    pub(super) fn push_aside(&mut self, at: &At, block: Block) {
        match self.open.and_then(|open| self.drafts.get_mut(open)) {
            Some(draft) => draft.turn.blocks.push(block),
            None => _ = self.push(at, Part::Other, ("", Kind::System), vec![block]),
        }
    }

    /// Adds a compaction of the context, which up to three records report.
    pub(super) fn compact(&mut self, at: &At, summary: Option<String>) {
        let last = match self.open {
            Some(open) => self.drafts.get_mut(open),
            None => self.drafts.last_mut(),
        };
        let block = last.and_then(|draft| draft.turn.blocks.last_mut());
        match block.filter(|block| block.is_compaction()) {
            Some(Block::Event { detail, .. }) => *detail = detail.take().or(summary),
            _ => self.push_aside(at, Block::compaction(summary)),
        }
    }

    /// Rolls back this number of questions, with everything that follows them.
    pub(super) fn roll_back(&mut self, count: u64) {
        let mut left = count;
        let mut place = None;
        let mut task: Option<Rc<str>> = None;
        while let Some(at) = self.asked.last().copied() {
            let of = self.drafts.get(at).and_then(|draft| draft.task.clone());
            // A question asked while the model was working belongs to the same turn.
            if place.is_none() || of.is_none() || of != task {
                if left == 0 {
                    break;
                }
                left -= 1;
            }
            (place, task) = (Some(at), of);
            self.asked.pop();
        }
        if left > 0 && self.is_continued {
            self.out_of_reach = self.out_of_reach.saturating_add(left);
            place = Some(0);
        }
        if let Some(place) = place {
            self.cut_off(place);
        }
        self.tally.add_all(ROLLED_BACK, count);
        self.open = None;
        self.scope = Scope::default();
        self.waiting = Costs::default();
        self.context.clear();
    }

    /// Handles a rollback without a number of questions.
    pub(super) fn roll_back_unclear(&mut self, at: &At) {
        self.unclear.get_or_insert_with(|| at.clone());
        self.roll_back(0);
    }

    /// Removes the turns from a place on.
    pub(super) fn cut_off(&mut self, place: usize) {
        self.drafts.truncate(place);
        while self.asked.last().is_some_and(|at| *at >= place) {
            self.asked.pop();
        }
        self.open = self.open.filter(|open| *open < place);
        self.answered = self.answered.filter(|answer| *answer < place);
    }

    /// Counts a record of an unknown kind. The first one of a kind is replaced by a placeholder.
    pub(super) fn unknown(&mut self, at: &At, kind: &str) {
        self.tally.unknown_at(kind, at.file, at.range.start..at.range.start);
        if self.scope.is_first_unknown(kind) {
            self.push_aside(at, Block::Unknown { name: kind.to_owned(), value: Value::Null });
        }
    }
}

/// Returns whether a block is a picture of which only the name is known.
fn is_missing_picture(block: &Block) -> bool {
    matches!(block, Block::Attachment(known) if known.content == Content::Missing)
}
