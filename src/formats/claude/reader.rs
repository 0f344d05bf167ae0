//! The turns of a conversation as far as they are read.

use std::collections::HashMap;

use super::super::turns::Calls;
use super::artifacts::{self, Artifacts};
use super::citations::Sources;
use super::tools::Tool;
use crate::tally::Tally;
use convo_base::model::Turn;

/// The turns of a conversation, path by path: what was called and written on the way is known to
/// what follows.
pub(super) struct Reader<'a> {
    pub(super) tally: &'a mut Tally,
    /// The number of the path that is being read, from 0.
    pub(super) path: usize,
    /// The turn that this path follows.
    pub(super) start: Option<At>,
    /// The turns of this path.
    pub(super) turns: Vec<Turn>,
    /// Where each message went, by its place in the list.
    pub(super) places: HashMap<usize, At>,
    /// The calls of this path.
    pub(super) calls: Calls<Call>,
    pub(super) artifacts: Artifacts,
    /// Titles of pages that were found, by their addresses.
    pub(super) titles: HashMap<String, String>,
    /// What the turn that is being read is based on.
    pub(super) sources: Sources,
}

/// A turn, by the number of its path and its place there.
pub(super) type At = (usize, usize);

/// A call that a result may belong to.
#[derive(Clone, Copy)]
pub(super) struct Call {
    /// Its block.
    pub(super) at: artifacts::At,
    pub(super) tool: Tool,
    pub(super) is_private: bool,
}
