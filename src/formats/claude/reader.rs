//! The turns of a conversation read so far.

use std::collections::HashMap;

use super::artifacts::{self, Artifacts};
use super::citations::Sources;
use super::tools::Tool;
use crate::shared::agents::turns::Calls;
use crate::shared::tally::Tally;
use convo_base::model::Turn;

/// The turns of a conversation, path by path. Later paths can refer to calls and files of earlier ones.
pub(super) struct Reader<'a> {
    pub(super) tally: &'a mut Tally,
    /// The number of the path that is being read, counted from 0.
    pub(super) path: usize,
    /// The turn that this path follows.
    pub(super) start: Option<At>,
    /// The turns of this path.
    pub(super) turns: Vec<Turn>,
    /// The turn of each message, by its place in the list.
    pub(super) places: HashMap<usize, At>,
    /// The calls of this path.
    pub(super) calls: Calls<Call>,
    pub(super) artifacts: Artifacts,
    /// Titles of pages that were found, by URL.
    pub(super) titles: HashMap<String, String>,
    /// The sources of the turn that is being read.
    pub(super) sources: Sources,
}

/// The number of a path, and the index of a turn in it.
pub(super) type At = (usize, usize);

/// A call that is waiting for its result.
#[derive(Clone, Copy)]
pub(super) struct Call {
    /// Its block.
    pub(super) at: artifacts::At,
    pub(super) tool: Tool,
    pub(super) is_private: bool,
}
