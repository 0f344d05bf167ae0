//! Reads files of events as conversations.

use super::folder::session_folder;
use super::{LISTS, is_instance, sdk, v0};
use crate::shared::access::visibility;
use crate::shared::agents::editor::line_starts;
use crate::shared::agents::turns::Turns;
use crate::shared::json::events::each_event;
use crate::shared::json::object::{Object, text};
use crate::shared::json::records::is_document_withheld;
use crate::shared::tally::no_messages;
use crate::{File, Parsed};
use convo_base::diag::{Note, Severity};
use convo_base::json::{Map, Value};
use convo_base::model::{Conversation, turn_id};

/// The objects that an event consists of.
const PARTS: [&str; 5] = ["args", "extras", "llm_message", "action", "observation"];
/// The name of the assistant.
const OPENHANDS: &str = "OpenHands";

/// Reads the files of a session, or a single file, which may have several conversations.
pub(super) fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    let mut session = Turns::new(0, OPENHANDS);
    session.read.id = files.first().filter(|_| files.len() > 1).and_then(|file| id_of(&file.name));
    let mut instances = 0;
    let starts = files.first().map(|file| line_starts(&file.text)).unwrap_or_default();
    for (index, file) in files.iter().enumerate() {
        let mut notes = Vec::new();
        session.file = index;
        session.read.private |= files.len() == 1 && is_document_withheld(&file.text, &LISTS);
        let mut found = Vec::new();
        each_event(file, index, &LISTS, &mut notes, &mut |mut object, line, notes| {
            if object.has("history") && is_instance_of_benchmark(&object) {
                instances += 1;
                found.extend(instance(&mut object, line, index, &starts, notes));
                return;
            }
            let is_withheld = is_withheld(&object, notes);
            let start = object.start().start;
            event(&object.rest(), line, is_withheld.then_some(start), &mut session);
        });
        parsed.conversations.append(&mut found);
        parsed.notes.append(&mut notes);
    }
    if instances > 0 {
        return parsed;
    }
    let read = session.done(&starts, &mut parsed.notes);
    if read.is_none() {
        parsed.notes.push(no_messages(Severity::Hint));
    }
    parsed.conversations.extend(read);
    parsed
}

/// Returns whether an event, or a part of it, must not be published.
fn is_withheld(event: &Object<'_>, notes: &mut Vec<Note>) -> bool {
    let thoughts = event.get("thought").and_then(Value::as_array).into_iter().flatten();
    event.is_withheld(notes)
        || event.has_withheld(&PARTS)
        || thoughts.filter_map(Value::as_object).any(visibility::is_marked)
}

/// Returns an id from the folder of a session: `sessions/3f0c/events/0.json`.
fn id_of(name: &str) -> Option<String> {
    let folder = session_folder(name.rsplit_once('/')?.0);
    let own = folder.rsplit('/').next().filter(|own| !own.is_empty())?;
    Some(turn_id(own))
}

fn is_instance_of_benchmark(object: &Object<'_>) -> bool {
    let keys = ["instance_id", "test_result", "history", "instruction", "metadata"];
    let keys: Vec<(&str, &str)> =
        keys.into_iter().filter(|key| object.has(key)).map(|key| (key, "")).collect();
    is_instance(&keys)
}

/// Reads an instance of a benchmark, whose history is a list of events or of pairs of them.
fn instance(
    object: &mut Object<'_>,
    line: u32,
    file: usize,
    starts: &[usize],
    notes: &mut Vec<Note>,
) -> Option<Conversation> {
    let mut turns = Turns::new(file, OPENHANDS);
    turns.read.private = object.holds_back("private", &["history"], notes);
    let id = object.text("instance_id", notes);
    turns.read.title.clone_from(&id);
    turns.read.id = id;
    for (item, at) in object.array("history", notes).unwrap_or_default() {
        let pair = match item {
            Value::Array(pair) => object.placed(pair, &at, &[]),
            item => vec![(item, at)],
        };
        for (item, at) in pair {
            let Value::Object(map) = item else { continue };
            let start = at.start;
            let own = object.at(map, at);
            let is_withheld = is_withheld(&own, notes);
            event(&own.rest(), line, is_withheld.then_some(start), &mut turns);
        }
    }
    turns.done(starts, notes)
}

/// Reads an event of either kind. `private_at` is the place of one that must not be published.
fn event(event: &Map, line: u32, private_at: Option<usize>, turns: &mut Turns) {
    let is_sdk = event.contains_key("kind") || text(event, "id").is_some_and(|id| id.len() >= 32);
    if let Some(at) = private_at {
        let id = if is_sdk {
            text(event, "tool_call_id").map(str::to_owned)
        } else {
            v0::call_id(event)
        };
        let call: Map = id.into_iter().map(|id| ("id".to_owned(), id.into())).collect();
        turns.withhold_calls([&Value::Object(call)], "id");
        return turns.withhold(at);
    }
    match is_sdk {
        true => sdk::event(event, line, turns),
        false => v0::event(event, line, turns),
    }
}
