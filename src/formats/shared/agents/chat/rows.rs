//! Reads the rows of a file, each of which is a conversation.

use std::ops::Range;

use super::dialog::Dialog;
use super::media::Media;
use super::message::message;
use super::role::Role;
use crate::shared::access::visibility::{self, Access, Scope};
use crate::shared::json::object::{Object, as_object};
use crate::shared::json::records::{Record, records};
use crate::shared::tally::{Tally, no_messages};
use crate::shared::text::dates::of_value;
use crate::{File, Parsed};
use convo_base::diag::{Note, Severity};
use convo_base::json::{Map, Step, Value};
use convo_base::model::{Conversation, Turn};

/// A row that is being read.
pub(crate) struct Row<'a> {
    /// The fields that were not taken yet.
    pub(crate) object: Object<'a>,
    /// The line at which the row starts.
    pub(crate) line: u32,
}

/// Reads the conversations of a file with `row`, which takes the fields that it knows. The remaining fields
/// are kept, and those that describe the origin of a row are shown. The keys `turns` hold its messages.
pub(crate) fn read(
    file: &File,
    index: usize,
    turns: &[&str],
    mut row: impl FnMut(&mut Row<'_>, &mut Dialog, &mut Vec<Note>),
) -> Parsed {
    let mut parsed = Parsed::default();
    let text = file.text.as_str();
    let mut tally = Tally::default();
    let mut lines = LineCount::default();
    let mut broken = Vec::new();
    let notes = &mut parsed.notes;
    for record in records(file, index, &[], &mut broken) {
        let line = lines.of(text, record.at.start);
        let Some(map) = as_object(record.value, "row", &record.at, index, notes) else {
            continue;
        };
        let mut object = Object::new(map, text, index, record.at);
        let access = object.access("private", turns, notes);
        let mut dialog = Dialog::new(index, std::mem::take(&mut tally));
        if object.get("model").is_some_and(Value::is_string) {
            dialog.model = object.text("model", notes).filter(|model| !model.is_empty());
        }
        let mut row_read = Row { object, line };
        row(&mut row_read, &mut dialog, notes);
        let start = row_read.object.start();
        let (read, more) = dialog.finish(describe(row_read.object, access, notes));
        tally = more;
        match read {
            Some(read) => parsed.conversations.push(read),
            None => {
                let message = "no messages found in this row";
                let note = Note::new(Severity::Warning, "no-turns", Some(start), message);
                notes.push(note.in_file(index).hint("only this row is skipped"));
            }
        }
    }
    notes.append(&mut broken);
    notes.extend(tally.notes().map(|note| note.in_file(index)));
    parsed
}

/// Reads a file of messages, which form one conversation.
pub(crate) fn read_one(file: &File, index: usize) -> Parsed {
    let mut parsed = Parsed::default();
    let mut dialog = Dialog::new(index, Tally::default());
    let mut lines = LineCount::default();
    let (mut media, mut read) = (Media::default(), Conversation::default());
    for Record { value, at, .. } in records(file, index, &[], &mut parsed.notes) {
        let line = lines.of(&file.text, at.start);
        if value.get("role").and_then(Value::as_str).is_some_and(is_head) {
            let model = value.get("model").and_then(Value::as_str);
            dialog.model = model.map(str::to_owned).or(dialog.model.take());
            let settings = visibility::read_access(&file.text[at], Scope::Conversation, &[]);
            let has_mark = value.as_object().is_some_and(visibility::is_marked);
            read.private |= has_mark || visibility::holds_back(&settings);
            continue;
        }
        message(value, at, &file.text, line, &mut dialog, &mut media, |content| content);
    }
    let (read, tally) = dialog.finish(read);
    if read.is_none() {
        let note = no_messages(Severity::Warning);
        parsed.notes.push(note.in_file(index));
    }
    parsed.conversations.extend(read);
    parsed.notes.extend(tally.notes().map(|note| note.in_file(index)));
    parsed
}

/// Returns whether a role, which may be in quotation marks, is that of a record about the session.
pub(crate) fn is_head(role: &str) -> bool {
    role.trim_matches('"') == "session_meta"
}

/// Counts lines up to positions that arrive in order.
#[derive(Default)]
struct LineCount {
    above: u32,
    counted: usize,
}

impl LineCount {
    /// Returns the line, from 1, of a byte position.
    fn of(&mut self, text: &str, at: usize) -> u32 {
        let more = text.get(self.counted..at).unwrap_or_default();
        self.above += more.bytes().filter(|byte| *byte == b'\n').count() as u32;
        self.counted = at.max(self.counted);
        self.above + 1
    }
}

impl Row<'_> {
    /// Takes the media that the row lists.
    pub(crate) fn media(&mut self) -> Media {
        Media::of(|key| self.object.take(key))
    }

    /// Reads the messages under a key.
    pub(crate) fn messages(
        &mut self,
        key: &str,
        dialog: &mut Dialog,
        media: &mut Media,
        reword: fn(String) -> String,
        notes: &mut Vec<Note>,
    ) {
        let list = self.object.array(key, notes).unwrap_or_default();
        self.add(list, dialog, media, reword);
    }

    fn add(
        &self,
        list: Vec<(Value, Range<usize>)>,
        dialog: &mut Dialog,
        media: &mut Media,
        reword: fn(String) -> String,
    ) {
        let text = self.object.source();
        let mut lines = LineCount { above: self.line - 1, counted: self.object.start().start };
        for (value, at) in list {
            let line = lines.of(text, at.start);
            message(value, at, text, line, dialog, media, reword);
        }
    }

    /// Reads a system prompt that is separate from the messages.
    pub(crate) fn system(&mut self, dialog: &mut Dialog) {
        if let Some(Value::String(text)) = self.object.take("system")
            && !text.trim().is_empty()
        {
            dialog.say(Role::System, None, Turn::from_text("", text), self.line);
        }
    }

    /// Reads two alternatives, one of which was preferred. Each is an answer, a message or a whole list of
    /// messages. Messages that both share are added once.
    pub(crate) fn alternatives(
        &mut self,
        [chosen, rejected]: [&str; 2],
        dialog: &mut Dialog,
        media: &mut Media,
        reword: fn(String) -> String,
    ) {
        let has_content = |key: &str| {
            let value = self.object.get(key);
            value.is_some_and(|value| value.is_string() || value.is_array() || value.is_object())
        };
        if !has_content(chosen) || !has_content(rejected) {
            return;
        }
        let mut main = self.list(chosen);
        let mut other = self.list(rejected);
        let pairs = main.iter().zip(&other);
        let shared = pairs.take_while(|((one, _), (two, _))| one == two).count();
        let own = main.split_off(shared);
        self.add(main, dialog, media, reword);
        let before = dialog.turn_count();
        self.add(own, dialog, media, reword);
        let other = other.split_off(shared);
        dialog.branch(rejected, before, |dialog| self.add(other, dialog, media, reword));
    }

    /// Takes the messages under a key, which holds one message or a list.
    fn list(&mut self, key: &str) -> Vec<(Value, Range<usize>)> {
        match self.object.get(key) {
            None => Vec::new(),
            Some(Value::Array(_)) => self.object.array(key, &mut Vec::new()).unwrap_or_default(),
            Some(_) => {
                let at = self.object.place(&[Step::Key(key)]);
                self.object.take(key).map(|value| (value, at)).into_iter().collect()
            }
        }
    }
}

/// Keys that describe a row and its origin.
const SHOWN: [&str; 17] = [
    "source", "dataset", "data_source", "category", "categories", "task", "task_type", "subject",
    "topic", "domain", "label", "score", "rating", "split", "language", "license", "difficulty",
];

/// Keys that may hold the id of a row.
const IDS: [&str; 4] = ["conversation_hash", "conversation_id", "message_tree_id", "id"];

/// Adds the metadata of a row.
fn describe(mut object: Object<'_>, access: Access, notes: &mut Vec<Note>) -> Conversation {
    let mut read = Conversation::default();
    access.apply(&mut read);
    let is_text = |object: &Object<'_>, key: &str| object.get(key).is_some_and(Value::is_string);
    for key in IDS {
        if is_text(&object, key) && read.id.is_none() {
            // Short ids such as `12` occur in other data sets too.
            let is_own = |id: &str| id.len() >= 16 && id.contains(|c: char| c.is_ascii_digit());
            read.id =
                object.get(key).and_then(Value::as_str).filter(|id| is_own(id)).map(str::to_owned);
            if read.id.is_some() {
                object.take(key);
            }
        }
    }
    if is_text(&object, "title") {
        read.title = object.text("title", notes);
    }
    for key in ["created", "created_at", "created_date", "timestamp"] {
        if read.time.is_some() {
            break;
        }
        read.time = object.get(key).and_then(of_value);
        if read.time.is_some() {
            object.take(key);
        }
    }
    if let Some(tag) = object.get("lang").and_then(Value::as_str) {
        read.languages.push(tag.to_owned());
        object.take("lang");
    }
    let is_shown = |key: &str, value: &Value| {
        let is_short = match value {
            Value::String(text) => text.len() <= 200 && !text.contains('@'),
            Value::Number(_) | Value::Bool(_) => true,
            _ => false,
        };
        is_short && SHOWN.contains(&key)
    };
    let rest: Map = object.rest();
    for (key, value) in rest {
        let map = if is_shown(&key, &value) { &mut read.extra } else { &mut read.unpublished };
        map.insert(key, value);
    }
    read
}
