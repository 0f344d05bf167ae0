//! Detection of private content in a file of any format.

use super::parse::{access_of, decoded, read};
use crate::shared::access::visibility;
use convo_base::json::Value;
use convo_base::model::Conversation;

/// Returns whether a file, or a conversation or message in it, is marked as private or scheduled.
pub fn is_marked_private(name: &str, bytes: &[u8]) -> bool {
    let text = decoded(bytes);
    let (private, schedule) = access_of(name, &text);
    if private || !schedule.is_empty() {
        return true;
    }
    let is_closed = |read: &Conversation| {
        let is_direct = read.channel.as_ref().is_some_and(|channel| channel.is_direct);
        read.private || !read.schedule.is_empty() || is_direct
    };
    let (conversations, notes) = read(name, bytes);
    conversations.iter().any(is_closed)
        || notes.iter().any(|note| note.code == visibility::WITHHELD_TURNS)
        || marks_something(&text)
}

/// Returns whether an object in a JSON document, or in JSON lines, is marked as private. Some files
/// of an export cannot be read on their own.
fn marks_something(text: &str) -> bool {
    if let Ok((document, _)) = visibility::parse(text) {
        return is_marked(&document);
    }
    let lines = text.lines().filter_map(|line| visibility::parse(line).ok());
    lines.into_iter().any(|(line, _)| is_marked(&line))
}

fn is_marked(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(is_marked),
        Value::Object(map) => visibility::has_own_mark(map, &[]) || map.values().any(is_marked),
        _ => false,
    }
}
