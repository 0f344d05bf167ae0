//! The turns of a conversation read so far.

use std::collections::{HashMap, HashSet};

use super::artifacts::Artifacts;
use super::citations::Sources;
use super::content::is_results;
use super::message::Message;
use crate::shared::agents::turns::{Along, Calls, Turns};
use crate::shared::tally::Tally;

/// The turns of a conversation, path by path. Later paths can refer to files of earlier ones.
pub(super) struct Reader<'a> {
    pub(super) turns: Turns,
    pub(super) tally: &'a mut Tally,
    /// The text of the file.
    text: &'a str,
    /// The places of the calls of this path.
    pub(super) calls: Calls<(usize, usize)>,
    /// The places of those that are marked as private.
    pub(super) marked: HashSet<(usize, usize)>,
    pub(super) artifacts: Artifacts,
    /// Titles of pages that were found, by URL.
    pub(super) titles: HashMap<String, String>,
    /// The sources of the turn that is being read.
    pub(super) sources: Sources,
}

impl<'a> Reader<'a> {
    /// Creates a reader for a conversation with or without branches.
    pub(super) fn new(text: &'a str, has_branches: bool, tally: &'a mut Tally) -> Self {
        Self {
            turns: Turns::of_turns(0),
            tally,
            text,
            calls: Calls::default(),
            marked: HashSet::new(),
            artifacts: Artifacts::new(has_branches),
            titles: HashMap::new(),
            sources: Sources::default(),
        }
    }
}

impl Along<Message> for Reader<'_> {
    fn turns(&mut self) -> &mut Turns {
        &mut self.turns
    }

    fn begin_path(&mut self, after: Option<(usize, usize)>) {
        self.artifacts.begin(after);
        self.calls = Calls::default();
        self.marked = HashSet::new();
    }

    fn add_message(&mut self, message: Message) -> bool {
        let Message { kind, mut turn, contents, .. } = message;
        let mut parts = contents.parts(self.text, turn.place.file);
        if !(self.calls.any_open() && is_results(&parts)) {
            turn.unpublished = std::mem::take(&mut parts.unpublished);
            self.turns.add(&turn.speaker.clone(), kind, turn);
        }
        self.fill(parts, kind);
        true
    }

    fn end_path(&mut self) {
        self.artifacts.end(&mut self.turns);
    }
}
