//! The state of reading a session.

use convo_base::json::Value;
use convo_base::model::Conversation;

/// What is known about a session while its entries are read.
#[derive(Default)]
pub(super) struct Session {
    pub(super) read: Conversation,
    /// Whether it is a session of OpenClaw.
    pub(super) is_openclaw: bool,
    /// The id of the entry at which the session ends, if an entry says so.
    pub(super) leaf: Option<String>,
    /// Calls that are private, and those in private entries.
    pub(super) private_calls: Vec<Value>,
}

impl Session {
    /// Returns the name of the assistant.
    pub(super) fn assistant(&self) -> &'static str {
        if self.is_openclaw { "OpenClaw" } else { "Pi" }
    }
}
