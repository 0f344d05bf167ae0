//! Adds messages that refer to the previous message, along the paths that were found through them.

use super::builder::Turns;
use super::message::BranchStart;
use crate::shared::agents::tree::{Path, Paths};
use convo_base::model::{Kind, Turn};

/// A message of a tree.
pub(crate) struct TreeMessage {
    /// The kind of the speaker.
    pub(crate) kind: Kind,
    pub(crate) turn: Turn,
    /// Alternatives to the message that were not chosen.
    pub(crate) alternatives: Vec<Turn>,
}

/// Adds the messages of the main path, and those of each branch. A hidden message is `None`; messages that
/// follow it are attached to the one before it.
pub(crate) fn along(mut messages: Vec<Option<TreeMessage>>, paths: Paths) -> Turns {
    let mut turns = Turns::of_turns(0);
    // For each message: the turn in which it is shown or, if it is hidden, the last turn before it.
    let mut shown: Vec<Option<(usize, usize)>> = vec![None; messages.len()];
    let main = std::iter::once((Path { after: None, nodes: paths.main }, true));
    let beside = paths.branches.into_iter().map(|path| (path, false));
    let way = |after, rejoins| BranchStart { after, rejoins, ..BranchStart::default() };
    for (path, is_main) in main.chain(beside) {
        let start = path.after.and_then(|node| shown.get(node).copied().flatten());
        let lane = if is_main { 0 } else { turns.branch(way(start, false)) };
        turns.on(lane);
        for node in path.nodes {
            let before = turns.end().or(start);
            if let Some(message) = messages.get_mut(node).and_then(Option::take) {
                turns.add(&message.turn.speaker.clone(), message.kind, message.turn);
                for turn in message.alternatives {
                    let other = turns.branch(way(before, true));
                    turns.on(other);
                    turns.add(&turn.speaker.clone(), message.kind, turn);
                }
                turns.on(lane);
            }
            if let Some(shown) = shown.get_mut(node) {
                *shown = turns.end().or(start);
            }
        }
    }
    turns
}
