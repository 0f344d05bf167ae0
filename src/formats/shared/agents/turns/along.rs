//! Adds messages that refer to the previous message, along the paths that were found through them.

use std::collections::HashMap;

use super::builder::Turns;
use super::message::BranchStart;
use crate::shared::agents::tree::{Path, Paths};
use convo_base::model::{Kind, Turn};

/// Reads messages of the type `M` along the paths through them.
pub(crate) trait Along<M> {
    /// Returns the turns that were read so far.
    fn turns(&mut self) -> &mut Turns;

    /// Begins a path that follows a turn: the number of its path, and its number there.
    fn begin_path(&mut self, _after: Option<(usize, usize)>) {}

    /// Adds a message to the path. Returns whether the last turn shows it, if that has any blocks.
    fn add_message(&mut self, message: M) -> bool;

    /// Ends the path.
    fn end_path(&mut self) {}
}

/// Reads the messages of the main path, and those of each branch. A hidden message is `None`; messages that
/// follow it are attached to the one before it. If a branch leaves a turn that continues after the message,
/// it is an alternative to the turn, and follows the turn before it.
pub(crate) fn walk<M>(mut messages: Vec<Option<M>>, paths: Paths, reader: &mut impl Along<M>) {
    // For each message: its number in the order of reading, and the turn in which it is shown or, if it is
    // hidden, the last turn before it.
    let mut shown: Vec<(usize, Option<(usize, usize)>)> = vec![(0, None); messages.len()];
    // The number of the last message in each turn.
    let mut ends: HashMap<(usize, usize), usize> = HashMap::new();
    let mut number = 0;
    let main = std::iter::once((Path { after: None, nodes: paths.main }, true));
    for (path, is_main) in main.chain(paths.branches.into_iter().map(|path| (path, false))) {
        let (from, turn) = path.after.and_then(|node| shown.get(node).copied()).unwrap_or_default();
        let continues = |turn| ends.get(&turn).is_some_and(|end| from < *end);
        let after = turn.and_then(|turn| match continues(turn) {
            true => reader.turns().before(turn),
            false => Some(turn),
        });
        if !is_main {
            let branch = reader.turns().branch(BranchStart { after, ..BranchStart::default() });
            reader.turns().on(branch);
        }
        reader.begin_path(after);
        for node in path.nodes {
            number += 1;
            let message = messages.get_mut(node).and_then(Option::take);
            let is_shown = message.is_some_and(|message| reader.add_message(message))
                && reader.turns().lane().opened.is_none();
            let turn = reader.turns().end();
            ends.extend(turn.filter(|_| is_shown).map(|turn| (turn, number)));
            if let Some(shown) = shown.get_mut(node) {
                *shown = (number, turn.or(after));
            }
        }
        reader.end_path();
    }
}

/// A message of a tree that is a turn of its own.
pub(crate) struct TreeMessage {
    /// The kind of the speaker.
    pub(crate) kind: Kind,
    pub(crate) turn: Turn,
    /// Alternatives to the message that were not chosen.
    pub(crate) alternatives: Vec<Turn>,
}

impl Along<TreeMessage> for Turns {
    fn turns(&mut self) -> &mut Turns {
        self
    }

    fn add_message(&mut self, message: TreeMessage) -> bool {
        let (lane, after) = (self.lane, self.end_or_start());
        self.add(&message.turn.speaker.clone(), message.kind, message.turn);
        for turn in message.alternatives {
            let branch =
                self.branch(BranchStart { after, rejoins: true, ..BranchStart::default() });
            self.on(branch);
            self.add(&turn.speaker.clone(), message.kind, turn);
        }
        self.on(lane);
        true
    }
}

/// Adds messages that are turns of their own.
pub(crate) fn along(messages: Vec<Option<TreeMessage>>, paths: Paths) -> Turns {
    let mut turns = Turns::with_separate_turns(0);
    walk(messages, paths, &mut turns);
    turns
}
