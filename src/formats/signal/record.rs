//! `data.json`: one message per line.

use crate::shared::agents::thread::{Context, text};
use crate::shared::json::object::{Object, as_object};
use crate::shared::json::records::records;
use crate::shared::people::channel::{Message, event_block, plain, react};
use crate::shared::tally::Tally;
use crate::shared::text::dates::of_value;
use crate::{File, Probe};
use convo_base::diag::{Lines, Note, Severity};
use convo_base::json::{Map, Value};
use convo_base::model::Block;

/// Returns whether a text begins with a Signal message.
pub(super) fn is_one(probe: &Probe<'_>) -> bool {
    ["date", "sender", "body", "reactions", "attachments"]
        .iter()
        .all(|key| probe.value(key).is_some())
}

/// Reads the messages of a file.
pub(super) fn read(
    file: &File,
    index: usize,
    tally: &mut Tally,
    notes: &mut Vec<Note>,
) -> Vec<Message> {
    let lines = Lines::new(&file.text);
    let (mut broken, mut messages) = (Vec::new(), Vec::new());
    for record in records(file, index, &[], &mut broken) {
        let Some(map) = as_object(record.value, "message", &record.at, index, notes) else {
            continue;
        };
        let object = Object::new(map, &file.text, index, record.at);
        let mut context = Context { lines: &lines, tally, notes, name: &file.name };
        messages.push(message(object, &mut context));
    }
    notes.append(&mut broken);
    messages
}

/// Marks of messages that were deleted or could be viewed only once.
const GONE: [&str; 6] =
    ["deleted", "isdeleted", "iserased", "deletedforeveryone", "isviewonce", "viewonce"];

fn message(object: Object<'_>, context: &mut Context<'_>) -> Message {
    let mut message = Message::at(&object, context);
    let map = object.copy();
    message.sender = text(&map, "sender").unwrap_or_default().to_owned();
    message.time = map.get("date").and_then(of_value);
    if message.time.is_none() {
        let words = "`date` is not a valid time".to_owned();
        context.notes.push(object.note(Severity::Warning, "bad-time", "date", words));
    }
    let reactions = map.get("reactions").and_then(Value::as_array);
    for reaction in reactions.into_iter().flatten() {
        let emoji = reaction.get(1).or_else(|| reaction.get("emoji")).and_then(Value::as_str);
        react(&mut message.reactions, emoji.unwrap_or(":emoji:"), 1);
    }
    message.blocks = match object.is_set(&GONE) {
        true => vec![event_block("deleted", "")],
        false => blocks(&map, context.tally),
    };
    if message.blocks.is_empty() {
        context.tally.not_shown("message without text", "messages without text");
    }
    message
}

fn blocks(map: &Map, tally: &mut Tally) -> Vec<Block> {
    let is = |key: &str| map.get(key) == Some(&Value::Bool(true));
    if is("call") {
        let missed = if is("missed") { "no answer" } else { "" };
        return vec![event_block("call", missed)];
    }
    let mut blocks = Vec::new();
    blocks.extend(text(map, "quote").and_then(super::text::quote));
    blocks.extend(text(map, "body").and_then(plain));
    let sticker = map.get("sticker").filter(|sticker| !sticker.is_null());
    if let Some(sticker) = sticker.filter(|sticker| **sticker != "") {
        let emoji = sticker.as_str().or_else(|| sticker.get("emoji")?.as_str());
        blocks.push(event_block("sticker", emoji.unwrap_or_default()));
    }
    let files = map.get("attachments").and_then(Value::as_array);
    for file in files.into_iter().flatten() {
        let part = |key: &str, at: usize| file.get(key).or_else(|| file.get(at))?.as_str();
        let path = part("path", 1).or(file.as_str());
        let name = part("name", 0).or(path).unwrap_or_default();
        let path = path.unwrap_or_default();
        blocks.push(super::text::attachment(name, path, None, tally));
    }
    blocks
}
