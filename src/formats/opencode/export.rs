//! Sessions written by `opencode export` or compatible programs: one object per session.

use super::super::{File, Parsed};
use super::message::Message;
use super::session;
use crate::shared::agents::editor::line_starts;
use crate::shared::json::object::{Object, as_object};
use crate::shared::json::records::records;
use convo_base::diag::{Lines, Note, Severity};
use convo_base::json::{Map, Value, type_of};

pub(super) fn read(file: &File, index: usize, parsed: &mut Parsed) {
    let lines = Lines::new(&file.text);
    let starts = line_starts(&file.text);
    let mut broken = Vec::new();
    for record in records(file, index, &[], &mut broken) {
        let Some(map) = as_object(record.value, "session", &record.at, index, &mut parsed.notes)
        else {
            continue;
        };
        let notes = &mut parsed.notes;
        let mut object = Object::new(map, &file.text, index, record.at);
        let mut private = object.holds_back("private", &["messages", "info"], notes);
        let own = object.array("messages", notes).unwrap_or_default();
        let info = match object.take("info") {
            Some(Value::Object(info)) => {
                let at = object.place(&[convo_base::json::Step::Key("info")]);
                private |= object.at(info.clone(), at).holds_back("private", &[], notes);
                info
            }
            _ => object.rest(),
        };
        let mut messages = Vec::new();
        for (value, at) in own {
            let line = lines.line(at.start);
            let Some(map) = as_object(value, "message", &at, index, notes) else { continue };
            let object = Object::new(map, &file.text, index, at);
            messages.push(message(object, line, notes));
        }
        let read = session::read(index, &info, messages, &starts, notes);
        parsed.conversations.extend(read.map(|mut read| {
            read.private |= private;
            read
        }));
    }
    parsed.notes.append(&mut broken);
}

fn message(mut object: Object<'_>, line: u32, notes: &mut Vec<Note>) -> Message {
    let withheld = object.is_withheld_but(&["parts"], notes).then(|| object.start().start);
    let parts = match object.take("parts") {
        Some(Value::Array(parts)) => parts,
        Some(other) => {
            let message = format!("`parts` must be an array, not {}", type_of(&other));
            notes.push(object.note(Severity::Warning, "wrong-type", "parts", message));
            Vec::new()
        }
        None => Vec::new(),
    };
    let file = object.file();
    let info: Map = match object.take("info") {
        Some(Value::Object(info)) => info,
        _ => object.rest(),
    };
    let id = info.get("id").and_then(Value::as_str).map(str::to_owned);
    Message { file, line, id, info, parts, withheld }
}
