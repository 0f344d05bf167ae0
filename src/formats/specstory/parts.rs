//! The parts of a message.

use convo_base::model::{Block, ToolResult};

/// The parts of a message.
#[derive(Default)]
pub(super) struct Parts {
    /// The blocks, in order.
    pub(super) blocks: Vec<Block>,
    /// The id in the source.
    pub(super) id: Option<String>,
    /// The result of an earlier call, if the message consists of it.
    pub(super) result: Option<ToolResult>,
    /// Text that the program added for the agent.
    pub(super) hidden: Vec<String>,
}
