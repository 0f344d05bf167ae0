//! Requests to the model: `api_conversation_history.json`, which is read if the messages on screen are
//! missing.

use super::super::File;
use super::task::{About, silent};
use crate::shared::agents::editor::line_starts;
use crate::shared::agents::task_messages::Requests;
use crate::shared::json::object::{Object, as_object};
use crate::shared::json::records::records;
use convo_base::diag::{Lines, Note};
use convo_base::model::Conversation;

pub(super) fn read(
    file: &File,
    index: usize,
    about: &About,
    notes: &mut Vec<Note>,
) -> Option<Conversation> {
    let lines = Lines::new(&file.text);
    let mut requests = Requests::new(about.session(index));
    let mut broken = Vec::new();
    for record in records(file, index, &[], &mut broken) {
        let at = record.at;
        if let Some(map) = as_object(record.value, "message", &at, index, notes) {
            let line = lines.line(at.start);
            requests.message(Object::new(map, &file.text, index, at), line, notes);
        }
    }
    notes.append(&mut broken);
    let read = requests.done().done(&line_starts(&file.text), notes);
    if read.is_none() {
        notes.push(silent(index));
    }
    read
}
