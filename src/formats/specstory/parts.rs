//! The parts of a message.

use convo_base::model::Block;

/// What a message consists of.
#[derive(Default)]
pub(super) struct Parts {
    /// The parts, in order.
    pub(super) blocks: Vec<Block>,
    /// The id that its program gave it.
    pub(super) id: Option<String>,
    /// What the program added for the agent.
    pub(super) hidden: Vec<String>,
}
