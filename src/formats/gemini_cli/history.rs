//! Checkpoints: input and output of the model, without times.

use super::super::{File, stem};
use super::message::Lane;
use super::{GEMINI, prompt};
use crate::shared::agents::turns::{Message, USER};
use crate::shared::json::object::{Object, as_object};
use crate::shared::json::records::records;
use crate::shared::tally::{INJECTED, Tally};
use convo_base::diag::{Lines, Note};
use convo_base::json;
use convo_base::model::{Block, Conversation, Kind, Place};
use convo_base::text::percent_decode;

/// Returns whether JSON text is a list of messages, or contains one.
pub(super) fn is_one(text: &str) -> bool {
    text.starts_with('[') || json::keys(text).iter().any(|(key, _)| *key == "history")
}

/// Reads a checkpoint.
pub(super) fn read(
    file: &File,
    index: usize,
    tally: &mut Tally,
    notes: &mut Vec<Note>,
) -> Option<Conversation> {
    let lines = Lines::new(&file.text);
    let mut read = Conversation::default();
    let mut lane = Lane::default();
    let mut reported = Vec::new();
    for record in records(file, index, &["history"], notes) {
        let at = record.at;
        let Some(map) = as_object(record.value, "message", &at, index, &mut reported) else {
            continue;
        };
        let place = Place { file: index, line: lines.line(at.start), quoted: true };
        add(Object::new(map, &file.text, index, at), place, &mut lane, tally, &mut reported);
    }
    if !file.text.trim_start().starts_with('[') {
        let whole = Object::new(json::Map::new(), &file.text, index, 0..file.text.len());
        let mut whole = whole;
        read.private = whole.holds_back("private", &["history"], &mut reported);
    }
    if let Some(first) = lane.marked.first() {
        let note = crate::shared::access::visibility::withheld_turns_note(
            lane.marked.len(),
            first.clone(),
        );
        reported.push(note.in_file(index));
    }
    notes.append(&mut reported);
    // The name under which the user saved it.
    let name = file.name.rsplit('/').next().unwrap_or_default();
    let tag = stem(name).strip_prefix("checkpoint-").filter(|tag| !tag.is_empty());
    read.title = tag.map(|tag| String::from_utf8_lossy(percent_decode(tag).as_ref()).into_owned());
    lane.finish(&mut read, tally);
    (!read.turns.is_empty()).then_some(read)
}

fn add(
    object: Object<'_>,
    place: Place,
    lane: &mut Lane,
    tally: &mut Tally,
    notes: &mut Vec<Note>,
) {
    if object.is_withheld(notes) {
        lane.marked.push(object.start());
        return;
    }
    let mut object = object;
    let role = object.text("role", notes).unwrap_or_default();
    let parts = object.take("parts").unwrap_or_default();
    let mut blocks = Vec::new();
    let results = lane.parts(&parts, &mut blocks, tally);
    let words: String = blocks.iter().filter_map(words).collect();
    if prompt::is_setup(&words) {
        tally.add(INJECTED);
    } else {
        let (speaker, kind) = match role.as_str() {
            "user" => (USER, Kind::Person),
            "system" => ("System", Kind::System),
            _ => (GEMINI, Kind::Assistant),
        };
        if kind == Kind::Person {
            blocks = asked(blocks);
        }
        lane.turns.add(speaker, kind, Message { blocks, place, ..Message::default() });
    }
    lane.answer(results);
}

fn words(block: &Block) -> Option<&str> {
    match block {
        Block::Markdown { text } => Some(text),
        _ => None,
    }
}

/// Separates the user's text from the files below it.
fn asked(blocks: Vec<Block>) -> Vec<Block> {
    let text: String = blocks.iter().filter_map(words).collect();
    let (text, files) = prompt::split_prompt(&text);
    let rest = blocks.into_iter().filter(|block| words(block).is_none());
    std::iter::once(Block::Markdown { text }).chain(files).chain(rest).collect()
}
