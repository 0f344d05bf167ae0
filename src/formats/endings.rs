//! What the ending of a file's name says of it.

/// The endings of files that may be read as conversations. Other files in the content folder can
/// only be media.
pub const ENDINGS: &[&str] = &[
    ".convo", ".md", ".markdown", ".txt", ".json", ".jsonl", ".ndjson", ".vtt", ".srt", ".vcon",
    ".mbox", ".eml",
];

/// Endings of logs, which are read where what is in them leaves no doubt.
const LOG_ENDINGS: &[&str] = &[".log", ".weechatlog"];

/// Returns whether a file of that name is looked at for conversations.
pub fn is_looked_at(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    may_hold_conversations(name) || LOG_ENDINGS.iter().any(|ending| lower.ends_with(ending))
}

/// Returns whether a file of that name has one of the [`ENDINGS`].
pub fn may_hold_conversations(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Returns whether a file of that name holds a JSON value in each line, so that it need not be read
/// as a whole.
pub fn has_lines(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with(".jsonl") || name.ends_with(".ndjson")
}
