//! Conversations of Gemini in Workspace: JSON, although the file extension is `.txt`.

use super::super::{File, Parsed};
use super::activity::GEMINI;
use crate::shared::access::visibility;
use crate::shared::agents::turns::{Message, Turns, USER};
use crate::shared::json::object::{Object, as_object, document, text};
use crate::shared::tally::{EMPTY, Tally};
use crate::shared::text::dates::iso;
use convo_base::diag::Lines;
use convo_base::json::{self, Map, Value};
use convo_base::model::{Block, Conversation, Kind, Place};

/// The key of the turns.
const TURNS: &str = "conversation_turns";

/// Returns whether a text, possibly truncated, has this format: it has turns, and the first one names its
/// speaker.
pub(super) fn is_one(text: &str) -> bool {
    let keys = json::keys(text);
    let turns = keys.iter().find(|(key, _)| *key == TURNS).map(|(_, value)| *value);
    let Some(turns) = turns.filter(|turns| turns.starts_with('[')) else { return false };
    let first = json::keys(turns);
    let is_turn = |(key, _): &(&str, &str)| ["user_turn", "system_turn"].contains(key);
    let is_empty = first.is_empty() && keys.iter().any(|(key, _)| *key == "creation_time");
    first.iter().any(is_turn) || is_empty
}

/// Reads a conversation.
pub(super) fn read(file: &File, index: usize, parsed: &mut Parsed) {
    let notes = &mut parsed.notes;
    let Some(value) = document(&file.text, 0..file.text.len(), index, notes) else {
        return;
    };
    let Value::Object(map) = value else { return };
    let lines = Lines::new(&file.text);
    let mut tally = Tally::default();
    let start = file.text.len() - file.text.trim_start().len();
    let mut object = Object::new(map, &file.text, index, start..file.text.len());
    let private = object.holds_back("private", &[TURNS], notes);
    let mut read = Conversation { private, ..Conversation::default() };
    let name = file.name.rsplit('/').next().unwrap_or_default();
    let id = super::super::stem(name).strip_prefix("conversation_");
    read.id = object.text("id", notes).or_else(|| id.map(str::to_owned));
    read.title = object.text("title", notes).filter(|title| !title.trim().is_empty());
    read.time = object.time("creation_time", notes);
    read.updated = object.time("last_modification_time", notes);
    let mut turns = Turns::default();
    let mut marked = Vec::new();
    for (turn, at) in object.array(TURNS, notes).unwrap_or_default() {
        let place = Place { file: index, line: lines.line(at.start), quoted: true };
        let Some(map) = as_object(turn, "turn", &at, index, notes) else { continue };
        let turn = object.at(map, at);
        if turn.is_withheld(notes) {
            marked.push(turn.start());
            continue;
        }
        add(turn.rest(), place, &mut turns, &mut tally);
    }
    if let Some(first) = marked.first() {
        notes.push(visibility::withheld_turns_note(marked.len(), first.clone()).in_file(index));
    }
    turns.fill(&mut read);
    match read.turns.is_empty() {
        true => tally.add(EMPTY),
        false => parsed.conversations.push(read),
    }
    parsed.notes.extend(tally.notes().map(|note| note.in_file(index)));
}

fn add(mut turn: Map, place: Place, turns: &mut Turns, tally: &mut Tally) {
    let mut message = Message { place, ..Message::default() };
    let time = |turn: &Map| iso(text(turn, "turn_last_modified")?);
    if let Some(Value::Object(own)) = turn.remove("user_turn") {
        message.time = time(&own);
        let prompt = text(&own, "prompt").unwrap_or_default();
        message.blocks.push(Block::Markdown { text: prompt.to_owned() });
        turns.add(USER, Kind::Person, message);
    } else if let Some(Value::Object(own)) = turn.remove("system_turn") {
        message.time = time(&own);
        let parts = match own.get("text") {
            Some(Value::Array(list)) => list.as_slice(),
            Some(one) => std::slice::from_ref(one),
            None => &[],
        };
        for part in parts {
            let texts = ["preamble", "data"].iter().filter_map(|key| part.get(*key)?.as_str());
            for text in texts.chain(part.as_str()) {
                message.blocks.push(Block::Markdown { text: text.to_owned() });
            }
        }
        turns.add(GEMINI, Kind::Assistant, message);
    } else {
        let name = turn.keys().next().cloned().unwrap_or_else(|| "turn".to_owned());
        tally.unknown(&name);
        message.blocks.push(Block::Unknown { name, value: Value::Null });
        turns.add("", Kind::Person, message);
    }
}
