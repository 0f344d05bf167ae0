//! The parts of a message.

use crate::shared::agents::prompt::{Addition, LastCommand};
use convo_base::model::{Block, ToolResult};

/// The parts of a message.
#[derive(Default)]
pub(super) struct Parts {
    /// What it adds, in order.
    pub(super) additions: Vec<Addition>,
    /// The last command of the user, before and then after the message.
    pub(super) command: LastCommand,
    /// The id in the source.
    pub(super) id: Option<String>,
    /// The result of an earlier call, if the message consists of it.
    pub(super) result: Option<ToolResult>,
    /// Text that the program added for the agent.
    pub(super) hidden: Vec<String>,
}

impl Parts {
    /// Adds a block of the speaker.
    pub(super) fn push(&mut self, block: Block) {
        self.additions.push(Addition::Own(block));
    }
}
