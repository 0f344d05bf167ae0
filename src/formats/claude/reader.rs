//! The turns of a conversation read so far.

use std::collections::{HashMap, HashSet};

use super::artifacts::Artifacts;
use super::citations::Sources;
use crate::shared::agents::turns::{Calls, Turns};
use crate::shared::tally::Tally;

/// The turns of a conversation, path by path. Later paths can refer to files of earlier ones.
pub(super) struct Reader<'a> {
    pub(super) turns: Turns,
    pub(super) tally: &'a mut Tally,
    /// The text of the file.
    pub(super) text: &'a str,
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
            turns: Turns::with_separate_turns(0),
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
