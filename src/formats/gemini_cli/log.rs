//! Selects the messages of a session: the last version of each, without rewound ones.

use std::collections::HashMap;
use std::ops::Range;

use super::super::File;
use crate::shared::json::long_list::each_element;
use crate::shared::json::object::{Object, as_object, text};
use crate::shared::json::records::records_without;
use convo_base::diag::{Note, Severity};
use convo_base::json::{Map, Value};
use convo_base::model::Conversation;

/// The key of the messages.
pub(super) const MESSAGES: &str = "messages";

/// A session: its metadata, and the places of its messages.
#[derive(Default)]
pub(super) struct Log {
    /// Its metadata.
    pub(super) read: Conversation,
    /// The messages in order, each with its range in the file.
    pub(super) messages: Vec<(Option<String>, Range<usize>)>,
    /// The places of the messages by their ids.
    places: HashMap<String, usize>,
    /// The number of rewound messages.
    pub(super) taken_back: u64,
}

impl Log {
    /// Reads the file with this number.
    pub(super) fn read(file: &File, index: usize, notes: &mut Vec<Note>) -> Self {
        let mut log = Self::default();
        let mut reported = Vec::new();
        for record in records_without(Some(MESSAGES), file, index, &[], notes) {
            let Some(map) = as_object(record.value, "record", &record.at, index, &mut reported)
            else {
                continue;
            };
            log.record(map, record.at, record.long, (file, index), &mut reported);
        }
        notes.append(&mut reported);
        log
    }

    fn record(
        &mut self,
        mut map: Map,
        at: Range<usize>,
        long: Option<Range<usize>>,
        (file, index): (&File, usize),
        notes: &mut Vec<Note>,
    ) {
        let id = map.get("id").and_then(Value::as_str);
        if let Some(to) = map.get("$rewindTo").and_then(Value::as_str) {
            let from = self.places.get(to).copied().unwrap_or_default();
            self.take_back(from);
        } else if let Some(id) = id.filter(|_| map.contains_key("type")) {
            self.add(Some(id.to_owned()), at);
        } else if let Some(Value::Object(set)) = map.get_mut("$set") {
            let set = std::mem::take(set);
            let has_messages = set.get(MESSAGES).is_some_and(Value::is_array);
            let inner = convo_base::json::locate(
                file.text.get(at.clone()).unwrap_or_default(),
                &[convo_base::json::Step::Key("$set")],
            );
            let inner = at.start + inner.start..at.start + inner.end;
            if has_messages {
                self.messages.clear();
                self.places.clear();
            }
            self.about(Object::new(set, &file.text, index, inner), None, notes);
        } else if map.contains_key("sessionId") || map.contains_key(MESSAGES) || long.is_some() {
            self.about(Object::new(map, &file.text, index, at), long, notes);
        } else if map.contains_key("type") || map.contains_key("content") {
            self.add(None, at);
        } else {
            let start = at.start..at.start + 1;
            let text = "unknown kind of record".to_owned();
            let note = Note::new(Severity::Warning, "unknown-record", Some(start), text);
            notes.push(note.in_file(index).hint("only this record is skipped"));
        }
    }

    /// Reads the metadata of the session, and the places of messages inside it.
    fn about(&mut self, mut object: Object<'_>, long: Option<Range<usize>>, notes: &mut Vec<Note>) {
        self.read.private |= object.holds_back("private", &[MESSAGES], notes);
        let mut found = Vec::new();
        let done =
            each_element(&mut object, MESSAGES, long, notes, &mut |object, (value, at), notes| {
                let map = as_object(value, "message", &at, object.file(), notes);
                found.extend(map.map(|map| (text(&map, "id").map(str::to_owned), at)));
            });
        notes.extend(done.err());
        found.into_iter().for_each(|(id, at)| self.add(id, at));
        let title = object.text("summary", notes);
        let read = &mut self.read;
        read.id = object.text("sessionId", notes).or(read.id.take());
        read.title = title.filter(|title| !title.trim().is_empty()).or(read.title.take());
        read.time = object.time("startTime", notes).or(read.time.take());
        read.updated = object.time("lastUpdated", notes).or(read.updated.take());
        // Its folders, and its memory.
        for key in ["directories", "memoryScratchpad", MESSAGES] {
            object.take_any(key);
        }
        read.unpublished.extend(object.rest());
    }

    fn add(&mut self, id: Option<String>, at: Range<usize>) {
        match id.as_ref().and_then(|id| self.places.get(id)) {
            Some(place) => {
                if let Some(message) = self.messages.get_mut(*place) {
                    message.1 = at;
                }
            }
            None => {
                self.places.extend(id.clone().map(|id| (id, self.messages.len())));
                self.messages.push((id, at));
            }
        }
    }

    fn take_back(&mut self, from: usize) {
        for (id, _) in self.messages.drain(from.min(self.messages.len())..) {
            self.taken_back += 1;
            if let Some(id) = id {
                self.places.remove(&id);
            }
        }
    }
}
