//! Logs that are one conversation together.

use serde::{Deserialize, Serialize};

/// The place of a log among several that are one conversation: a program in which turns are taken
/// back may go on in another log, and leave the one before as it is.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Segment {
    /// The id of the log, which tells it from the others.
    pub id: String,
    /// The end of what it goes on from; `None` for a log that starts its conversation.
    pub base: Option<LogEnd>,
}

/// A place in a log. What stands behind it was taken back.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct LogEnd {
    /// The id of the log.
    pub log: String,
    /// The number of the first record behind it.
    pub record: Option<u64>,
    /// The number of bytes before it.
    pub bytes: Option<u64>,
}
