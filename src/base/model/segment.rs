//! Logs that together form one conversation.

use serde::{Deserialize, Serialize};

/// The position of a log among several that form one conversation. When turns are undone, some
/// programs continue in a new log and leave the old one unchanged.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Segment {
    /// The id of the log.
    pub id: String,
    /// The place that it continues from; `None` for the first log of a conversation.
    pub base: Option<LogEnd>,
}

/// A place in a log. Everything after it was undone.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct LogEnd {
    /// The id of the log.
    pub log: String,
    /// The number of the first record after it.
    pub record: Option<u64>,
    /// The number of bytes before it.
    pub bytes: Option<u64>,
}
