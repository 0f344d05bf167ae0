//! A session of `opencode.db`: rows of three tables.

use std::collections::BTreeMap;

use super::super::editor::line_starts;
use super::super::stored::{self, Row};
use super::super::{File, Parsed, visibility};
use super::message::Message;
use super::session;
use crate::diag::Lines;
use crate::json::Map;

pub(super) fn read(file: &File, index: usize, parsed: &mut Parsed) {
    let lines = Lines::new(&file.text);
    let mut info = Map::new();
    let mut messages: BTreeMap<String, Message> = BTreeMap::new();
    let notes = &mut parsed.notes;
    let mut private = false;
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
                let left_out =
                    visibility::is_marked(&data).then(|| columns.start().start);
                let message = Message {
                    file: index,
                    line,
                    id: Some(id.clone()),
                    info: data,
                    parts: Vec::new(),
                    left_out,
                };
                messages.insert(id, message);
            }
            _ => {
                let of = columns.text("message_id", notes).unwrap_or_default();
                let data = columns.object("data", notes);
                if let (Some(message), Some(part)) = (messages.get_mut(&of), data) {
                    message.parts.push(part.into());
                }
            }
        }
    });
    let all = messages.into_values().collect();
    let read = session::read(index, &info, all, &line_starts(&file.text), notes);
    parsed.conversations.extend(read.map(|mut read| {
        read.private |= private;
        read
    }));
}
