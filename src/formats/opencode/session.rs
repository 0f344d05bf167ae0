//! Metadata of a session.

use super::message::Message;
use crate::shared::access::visibility;
use crate::shared::agents::turns::Turns;
use crate::shared::tally::no_messages;
use crate::shared::text::dates::of_value;
use convo_base::diag::{Note, Severity};
use convo_base::json::{self, Map, Value};
use convo_base::model::Conversation;

/// Reads a session with its messages, in order.
pub(super) fn read(
    file: usize,
    info: &Map,
    messages: Vec<Message>,
    lines: &[usize],
    notes: &mut Vec<Note>,
) -> Option<Conversation> {
    let mut session = Turns::new(file, "OpenCode");
    let text = |keys: &[&str]| {
        let mut texts = keys.iter().filter_map(|key| info.get(*key)?.as_str());
        texts.find(|text| !text.trim().is_empty()).map(str::to_owned)
    };
    let clock = |names: [&str; 2]| {
        let times = info.get("time").and_then(Value::as_object);
        let inside = times.and_then(|times| times.get(names[0]));
        inside.or_else(|| info.get(names[1])).and_then(of_value)
    };
    session.read.id = text(&["id"]);
    session.read.parent = text(&["parentID", "parent_id"]);
    session.read.title = text(&["title"]);
    session.cwd = text(&["directory"]);
    session.model = text(&["model", "modelID"]);
    session.read.time =
        clock(["created", "time_created"]).or(info.get("createdAt").and_then(of_value));
    session.read.updated =
        clock(["updated", "time_updated"]).or(info.get("updatedAt").and_then(of_value));
    let undone = undone(info);
    let is_known = |id: &str| messages.iter().any(|one| one.id.as_deref() == Some(id));
    let is_doubtful = match &undone {
        Ok(id) => id.as_ref().is_some_and(|id| !is_known(id)),
        Err(()) => true,
    };
    if is_doubtful {
        let message = "`revert` does not name a message of this session";
        let note = Note::new(Severity::Error, "wrong-type", None, message).in_file(file);
        notes.push(
            note.hint("the session is withheld, because it is unclear which messages were undone"),
        );
        session.read.private = true;
    }
    if is_archived(info) && !session.read.private {
        let message = "this session is archived, so it is withheld";
        notes.push(Note::new(Severity::Hint, "held-back", None, message).in_file(file));
        session.read.private = true;
    }
    let undone = undone.ok().flatten();
    let mut is_undone = false;
    for message in messages {
        is_undone |= undone.is_some() && message.id == undone;
        match is_undone {
            true => session.count_hidden(),
            false => message.show(&mut session),
        }
    }
    let read = session.done(lines, notes);
    if read.is_none() {
        let note = no_messages(Severity::Warning);
        notes.push(note.in_file(file));
    }
    read
}

/// Returns the id of the first message that was undone, if there is one; an error if it cannot be
/// determined.
fn undone(info: &Map) -> Result<Option<String>, ()> {
    let parsed = match info.get("revert") {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) if text.trim().is_empty() => return Ok(None),
        Some(Value::String(text)) => json::parse(text).map_err(|_| ())?.0,
        Some(other) => other.clone(),
    };
    if parsed.is_null() {
        return Ok(None);
    }
    let id = parsed.get("messageID").and_then(Value::as_str);
    id.map(|id| Some(id.to_owned())).ok_or(())
}

/// Returns whether a session is archived, which OpenCode records as a time.
fn is_archived(info: &Map) -> bool {
    let times = info.get("time").and_then(Value::as_object);
    times.is_some_and(|times| visibility::is_set_in(times, &["archived"]))
        || visibility::is_set_in(info, &["timearchived", "archivedat"])
}
