//! Converts a log to a conversation.

use super::super::{File, Parsed};
use super::event;
use super::session::Session;
use crate::shared::access::{home, visibility};
use crate::shared::json::object::{Object, as_object};
use crate::shared::json::records::records;
use crate::shared::tally::EMPTY;
use convo_base::diag::Lines;
use convo_base::json::Value;
use convo_base::model::Place;

pub(super) fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    for (index, file) in files.iter().enumerate() {
        let lines = Lines::new(&file.text);
        let (mut session, mut reported, mut marked) = (Session::default(), Vec::new(), Vec::new());
        for record in records(file, index, &[], &mut parsed.notes) {
            let at = record.at;
            let Some(map) = as_object(record.value, "event", &at, index, &mut reported) else {
                continue;
            };
            let place = Place { file: index, line: lines.line(at.start), quoted: true };
            let is_start = map.get("type").is_some_and(|kind| kind == "session.start");
            let mut object = Object::new(map, &file.text, index, at);
            let is_held_back = match is_start {
                true => {
                    session.read.private |= object.holds_back("private", &[], &mut reported);
                    false
                }
                false => object.is_withheld_but(&["toolRequests"], &mut reported),
            };
            match is_held_back {
                true => {
                    if let Some(Value::Object(data)) = object.get("data") {
                        session.withhold(data);
                    }
                    marked.push(object.start());
                }
                false => event::read(object, place, &mut session, &mut reported),
            }
        }
        if let Some(first) = marked.first() {
            reported
                .push(visibility::withheld_turns_note(marked.len(), first.clone()).in_file(index));
        }
        let (mut read, mut tally, cwd) = session.finish();
        home::hide_with(&mut read, cwd.as_deref());
        match read.turns.is_empty() && read.branches.is_empty() {
            true => tally.add(EMPTY),
            false => parsed.conversations.push(read),
        }
        parsed.notes.append(&mut reported);
        parsed.notes.extend(tally.notes().map(|note| note.in_file(index)));
    }
    parsed
}
