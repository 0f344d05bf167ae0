//! Turns the builder's result into a conversation, with notes on what is not shown.

use std::collections::HashMap;

use super::builder::Turns;
use super::message::BranchStart;
use crate::shared::access::hidden_tags::{Author, strip_in};
use crate::shared::access::{home, visibility};
use crate::shared::tally::{BOOKKEEPING, OF_PRIVATE, UNKNOWN};
use convo_base::diag::Note;
use convo_base::model::{Block, Branch, Conversation, Turn, name_turns, turn_id};

impl Turns {
    /// Returns the number of the turn of each call on the main path, by call id.
    pub(crate) fn places(&self) -> HashMap<String, usize> {
        let calls = self.lanes.first().into_iter().flat_map(|lane| lane.calls.ids());
        calls.map(|(id, (turn, _))| (id.to_owned(), *turn)).collect()
    }

    /// Returns the blocks of the last turn of the main path.
    pub(crate) fn blocks(self) -> Vec<Block> {
        let main = self.lanes.into_iter().next();
        let last = main.and_then(|mut lane| lane.turns.pop());
        last.map(|turn| turn.blocks).unwrap_or_default()
    }

    /// Adds the turns, branches and speakers to a conversation, and removes hidden text from its title.
    pub(crate) fn fill(mut self, read: &mut Conversation) {
        if let Some(title) = &mut read.title {
            strip_in(title, Author::Writer);
        }
        read.title = read.title.take().filter(|title| !title.trim().is_empty());
        std::mem::take(&mut self.speakers).fill(read);
        let calls = self.lanes.iter().enumerate().flat_map(|(number, lane)| {
            lane.calls.ids().map(move |(id, (turn, _))| (id.to_owned(), (number, *turn)))
        });
        let calls: HashMap<String, (usize, usize)> = calls.collect();
        let (ways, turns): (Vec<BranchStart>, _) =
            self.lanes.into_iter().map(|lane| (lane.way, lane.turns)).unzip();
        join(read, turns, ways.into_iter().enumerate().skip(1), &calls);
    }

    /// Returns the conversation if it has any turns, with notes on what is not shown. `starts` are the byte
    /// offsets of lines.
    pub(crate) fn done(mut self, starts: &[usize], notes: &mut Vec<Note>) -> Option<Conversation> {
        self.note(starts, notes);
        let cwd = self.cwd.take();
        let mut read = std::mem::take(&mut self.read);
        self.fill(&mut read);
        let is_visible = |turn: &Turn| !turn.withheld && !turn.speaker.is_empty();
        if !read.turns.iter().any(is_visible) {
            return None;
        }
        read.time = read.time.or_else(|| read.turns.iter().find_map(|turn| turn.time.clone()));
        home::hide_with(&mut read, cwd.as_deref());
        Some(read)
    }

    fn note(&mut self, starts: &[usize], notes: &mut Vec<Note>) {
        let file = self.file;
        if self.hidden > 0 {
            notes.push(Note::counted(BOOKKEEPING, "", self.hidden, None).in_file(file));
        }
        if self.of_private > 0 {
            notes.push(Note::counted(OF_PRIVATE, "", self.of_private, None).in_file(file));
        }
        if self.withheld.0 > 0 {
            let count = usize::try_from(self.withheld.0).unwrap_or(usize::MAX);
            let at = self.withheld.1..self.withheld.1;
            notes.push(visibility::withheld_turns_note(count, at).in_file(file));
        }
        for (kind, (count, line)) in std::mem::take(&mut self.unknown) {
            let at = starts.get((line as usize).saturating_sub(1)).map(|at| *at..*at);
            notes.push(Note::counted(UNKNOWN, &kind, count, at).in_file(file));
        }
    }
}

/// Adds paths to a conversation: the first one is the main path, and those in `beside` are branches. Paths
/// without turns are skipped. `calls` are the places of calls: the numbers of the path and the turn.
fn join(
    read: &mut Conversation,
    mut turns: Vec<Vec<Turn>>,
    beside: impl IntoIterator<Item = (usize, BranchStart)>,
    calls: &HashMap<String, (usize, usize)>,
) {
    name_turns(turns.iter_mut().flatten());
    let (mut branches, mut marks) = (Vec::new(), Vec::new());
    for (number, way) in beside {
        if turns.get(number).is_none_or(Vec::is_empty) {
            continue;
        }
        let BranchStart { name, after, call, rejoins } = way;
        let after = after.or_else(|| calls.get(call.as_ref()?).copied());
        let after = after.and_then(|(way, turn)| Some(turns.get(way)?.get(turn)?.id.clone()));
        let mut branch = Branch { name, after, rejoins, ..Branch::default() };
        match (branch.after.is_some(), call) {
            (true, call) => branch.started_by = call,
            (false, Some(call)) => {
                let mark = subagent_mark(&call, branch.name.as_deref());
                branch.after = Some(mark.id.clone());
                marks.push(mark);
            }
            (false, None) => {}
        }
        branches.push((number, branch));
    }
    for (number, branch) in branches {
        let turns = turns.get_mut(number).map(std::mem::take).unwrap_or_default();
        read.branches.push(Branch { turns, ..branch });
    }
    read.turns = turns.into_iter().next().unwrap_or_default();
    read.turns.append(&mut marks);
}

/// Returns the last turn for a subagent whose call is unknown.
pub(crate) fn subagent_mark(id: &str, name: Option<&str>) -> Turn {
    let text = name.map_or_else(|| "Subagent".to_owned(), |name| format!("Subagent: {name}"));
    let event = Block::Event { name: "subagent".to_owned(), text, detail: None };
    Turn { id: turn_id(&format!("{id}/subagent")), blocks: vec![event], ..Turn::default() }
}
