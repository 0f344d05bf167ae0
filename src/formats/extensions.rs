//! What a file name extension says about a file.

/// Extensions of files that may be read as conversations. Other files in the content folder can only be
/// media.
pub const EXTENSIONS: &[&str] = &[
    ".convo", ".md", ".markdown", ".txt", ".json", ".jsonl", ".ndjson", ".vtt", ".srt", ".vcon",
    ".mbox", ".eml", ".traj",
];

/// Extensions of logs, which are read only if their content is unambiguous.
const LOG_EXTENSIONS: &[&str] = &[".log", ".weechatlog"];

/// Returns whether a file with this name is examined for conversations.
pub fn may_be_read(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    may_hold_conversations(name)
        || LOG_EXTENSIONS.iter().any(|extension| lower.ends_with(extension))
}

/// Returns whether a file with this name has one of the [`EXTENSIONS`].
pub fn may_hold_conversations(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    EXTENSIONS.iter().any(|extension| name.ends_with(extension))
}

/// Returns whether a file with this name contains one JSON value per line, so that it can be read piece by
/// piece.
pub fn has_lines(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with(".jsonl") || name.ends_with(".ndjson")
}
