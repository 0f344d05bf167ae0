//! What is known of a session beside its messages.

use super::super::editor::{Session, time};
use super::message::Message;
use crate::diag::{Note, Severity};
use crate::json::{Map, Value};
use crate::model::Conversation;

/// Reads a session with its messages, which are in order.
pub(super) fn read(
    file: usize,
    info: &Map,
    messages: Vec<Message>,
    lines: &[usize],
    notes: &mut Vec<Note>,
) -> Option<Conversation> {
    let mut session = Session::new(file, "OpenCode");
    let text = |keys: &[&str]| {
        let mut texts = keys.iter().filter_map(|key| info.get(*key)?.as_str());
        texts.find(|text| !text.trim().is_empty()).map(str::to_owned)
    };
    let clock = |names: [&str; 2]| {
        let times = info.get("time").and_then(Value::as_object);
        let inside = times.and_then(|times| times.get(names[0]));
        time(inside.or_else(|| info.get(names[1])))
    };
    session.read.id = text(&["id"]);
    session.read.parent = text(&["parentID", "parent_id"]);
    session.read.title = text(&["title"]).filter(|title| !is_made_up(title));
    session.cwd = text(&["directory"]);
    session.model = text(&["model", "modelID"]);
    session.read.time =
        clock(["created", "time_created"]).or(time(info.get("createdAt")));
    session.read.updated =
        clock(["updated", "time_updated"]).or(time(info.get("updatedAt")));
    let undone = info.get("revert").and_then(|revert| revert.get("messageID")?.as_str());
    let mut is_undone = false;
    for message in messages {
        is_undone |= undone.is_some() && message.id.as_deref() == undone;
        match is_undone {
            true => session.hide(),
            false => message.show(&mut session),
        }
    }
    let read = session.finish(lines, notes);
    if read.is_none() {
        let message = "nobody says anything here";
        let note = Note::new(Severity::Warning, "no-turns", None, message);
        notes.push(note.in_file(file));
    }
    read
}

/// Returns whether the program made a title up: `New session - 2026-03-04T10:00:00.000Z`.
fn is_made_up(title: &str) -> bool {
    let starts = ["New session - ", "Child session - "];
    let rest = starts.iter().find_map(|start| title.strip_prefix(start));
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}
