//! A session of `opencode.db`: rows of three tables.

use std::collections::BTreeMap;

use super::super::{File, Parsed};
use super::message::Message;
use super::session;
use crate::shared::access::visibility;
use crate::shared::agents::editor::line_starts;
use crate::shared::json::stored::{self, Row};
use convo_base::diag::{Lines, Note, Severity};
use convo_base::json::Map;
use convo_base::text::plural;

pub(super) fn read(file: &File, index: usize, parsed: &mut Parsed) {
    let lines = Lines::new(&file.text);
    let mut info = Map::new();
    let mut messages: BTreeMap<String, Message> = BTreeMap::new();
    let notes = &mut parsed.notes;
    let mut private = false;
    let mut lost = Vec::new();
    stored::each(file, index, &lines, notes, &mut |row, notes| {
        let Row { table, mut columns, line } = row;
        match table.as_str() {
            "session" => {
                private |= columns.holds_back("private", &[], notes);
                info = columns.rest();
            }
            "message" => {
                let Some(id) = columns.text("id", notes) else { return };
                let mut data = columns.object("data", notes).unwrap_or_default();
                if let Some(time) = columns.take("time_created") {
                    data.entry("time_created").or_insert(time);
                }
                let is_withheld = columns.is_withheld(notes) || visibility::is_marked(&data);
                let withheld = is_withheld.then(|| columns.start().start);
                let message = Message {
                    file: index,
                    line,
                    id: Some(id.clone()),
                    info: data,
                    parts: Vec::new(),
                    withheld,
                };
                messages.insert(id, message);
            }
            _ => {
                let of = columns.text("message_id", notes).unwrap_or_default();
                let is_withheld = columns.is_withheld(notes);
                let Some(mut part) = columns.object("data", notes) else { return };
                if is_withheld {
                    part.insert("private".to_owned(), true.into());
                }
                match messages.get_mut(&of) {
                    Some(message) => message.parts.push(part.into()),
                    None => lost.push(columns.start()),
                }
            }
        }
    });
    if let Some(first) = lost.first() {
        let parts = plural(lost.len() as u64, "part", "parts");
        let message = format!("not shown: {parts} of messages that are missing from the database");
        let note = Note::new(Severity::Warning, "stray-rows", Some(first.clone()), message);
        notes.push(note.in_file(index));
    }
    let all = messages.into_values().collect();
    let read = session::read(index, &info, all, &line_starts(&file.text), notes);
    parsed.conversations.extend(read.map(|mut read| {
        read.private |= private;
        read
    }));
}
