//! The parts of a message.

use convo_base::model::Block;

/// The parts of a message.
#[derive(Default)]
pub(super) struct Parts {
    /// The blocks, in order.
    pub(super) blocks: Vec<Block>,
    /// The id in the source.
    pub(super) id: Option<String>,
    /// Text that the program added for the agent.
    pub(super) hidden: Vec<String>,
}
