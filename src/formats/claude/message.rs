//! A message of the export.

use std::ops::Range;

use crate::shared::access::visibility;
pub(super) use crate::shared::access::visibility::is_marked as is_marked_private;
use crate::shared::json::long_list;
use crate::shared::json::object::Object;
use convo_base::diag::{Lines, Note, Severity};
use convo_base::json::{Map, Value, type_of};
use convo_base::model::{Kind, Place};
use convo_base::time::Time;

/// The parent of the first message of a conversation.
const ROOT: &str = "00000000-0000-4000-8000-000000000000";
/// The user, whose name is not in the conversation.
pub(super) const USER: &str = "User";
/// The assistant.
pub(super) const CLAUDE: &str = "Claude";

/// A parsed message.
pub(super) struct Message {
    /// The id in the export.
    pub(super) id: Option<String>,
    /// The message before it.
    pub(super) parent: Parent,
    /// The sender; empty if unknown.
    pub(super) speaker: String,
    /// The kind of the sender.
    pub(super) kind: Kind,
    pub(super) time: Option<Time>,
    /// The model that wrote it.
    pub(super) model: Option<String>,
    /// Its plain text.
    pub(super) text: String,
    /// Its parts; a text in place of the list is one part.
    pub(super) content: Vec<Value>,
    /// Texts extracted from files.
    pub(super) attachments: Vec<Value>,
    /// Files; `files_v2` repeats those in `files`.
    pub(super) files: Vec<Value>,
    pub(super) files_again: Vec<Value>,
    /// A summary of the earlier messages.
    pub(super) compaction: Option<Value>,
    /// Whether it is marked as private.
    pub(super) is_left_out: bool,
    /// Its first byte.
    pub(super) start: Range<usize>,
    pub(super) place: Place,
    /// Other values, which are not published.
    pub(super) unpublished: Map,
    /// Its range in the file, if it must be parsed again for its contents.
    pub(super) aside: Option<Range<usize>>,
}

impl Message {
    /// Drops the contents, which are at that range of the file: the contents of many messages may not fit
    /// into memory at once.
    pub(super) fn put_aside(&mut self, at: Range<usize>) {
        self.aside = Some(at);
        self.text = String::new();
        self.unpublished = Map::new();
        self.compaction = None;
        for list in
            [&mut self.content, &mut self.attachments, &mut self.files, &mut self.files_again]
        {
            *list = Vec::new();
        }
    }

    /// Returns it with its contents, parsed from the text of its file.
    pub(super) fn whole(self, text: &str) -> Self {
        let Some(at) = self.aside.clone().filter(|_| !self.is_left_out) else {
            return self;
        };
        let Place { file, .. } = self.place;
        // Its notes were reported before.
        let mut message_notes = Vec::new();
        let Ok(Value::Object(map)) = long_list::parse(text, at.clone(), file, &mut message_notes)
        else {
            return self;
        };
        let read = message_at(Object::new(map, text, file, at), self.place, &mut message_notes);
        Self { is_left_out: self.is_left_out, ..read }
    }
}

/// The parent of a message.
pub(super) enum Parent {
    /// The message does not name a parent.
    Unknown,
    /// The message is the first one.
    Nobody,
    /// The message with this id.
    Id(String),
}

/// Keys with redundant data.
const IGNORED: [&str; 5] = ["index", "updated_at", "truncated", "input_mode", "flags"];
/// Stop reasons that are not worth showing.
const USUAL_ENDS: [&str; 2] = ["end_turn", "stop_sequence"];

/// Parses a message.
pub(super) fn message(object: Object<'_>, lines: &Lines<'_>, notes: &mut Vec<Note>) -> Message {
    let line = lines.line(object.start().start);
    let place = Place { file: object.file(), line, quoted: true };
    message_at(object, place, notes)
}

fn message_at(mut object: Object<'_>, place: Place, notes: &mut Vec<Note>) -> Message {
    let start = object.start();
    let parent = match object.take_any("parent_message_uuid") {
        Some(Value::String(id)) if id == ROOT || id.is_empty() => Parent::Nobody,
        Some(Value::String(id)) => Parent::Id(id),
        Some(_) | None => Parent::Unknown,
    };
    let sender = object.text("sender", notes).or_else(|| object.text("role", notes));
    if sender.is_none() {
        notes.push(object.missing(Severity::Warning, "sender"));
    }
    let (speaker, kind) = speaker(sender.unwrap_or_default());
    let (text, content) = words(&mut object, notes);
    let mut list = |key: &str| match object.take(key) {
        Some(Value::Array(list)) => list,
        Some(other) => {
            object.put(key, other);
            Vec::new()
        }
        None => Vec::new(),
    };
    let (attachments, files, files_again) = (list("attachments"), list("files"), list("files_v2"));
    let compaction = object.take("compaction_summary");
    let id = object.text("uuid", notes).filter(|id| !id.is_empty());
    let time = object.time("created_at", notes);
    let model = object.text("model", notes).filter(|model| !model.is_empty());
    let mut unpublished = object.rest();
    unpublished.retain(|key, value| {
        let ends =
            key == "stop_reason" && value.as_str().is_some_and(|end| USUAL_ENDS.contains(&end));
        !ends && !IGNORED.contains(&key.as_str()) && !is_blank(value)
    });
    Message {
        id,
        parent,
        speaker,
        kind,
        time,
        model,
        text,
        content,
        attachments,
        files,
        files_again,
        compaction,
        is_left_out: false,
        start,
        place,
        unpublished,
        aside: None,
    }
}

/// Returns whether a message may contain visibility settings.
pub(super) fn is_marked(message: &Map) -> bool {
    let mut keys = message.keys();
    keys.any(|key| visibility::may_set_access(key))
}

/// Returns whether a flag is set, as text or as a number.
pub(super) fn is_set(flag: &Value) -> bool {
    const NO: [&str; 7] = ["", "false", "no", "0", "off", "null", "none"];
    match flag {
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !NO.contains(&&*text.trim().to_ascii_lowercase()),
        other => !is_blank(other),
    }
}

/// Returns whether a value is empty.
pub(super) fn is_blank(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(is) => !is,
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
        Value::Number(_) => false,
    }
}

fn speaker(sender: String) -> (String, Kind) {
    match sender.as_str() {
        "human" | "user" => (USER.to_owned(), Kind::Person),
        "assistant" => (CLAUDE.to_owned(), Kind::Assistant),
        "system" => ("System".to_owned(), Kind::System),
        _ => {
            let kind = Kind::guess(&sender);
            (sender, kind)
        }
    }
}

/// Returns the flattened text, and the parts.
fn words(object: &mut Object<'_>, notes: &mut Vec<Note>) -> (String, Vec<Value>) {
    let text = object.text("text", notes).unwrap_or_default();
    let content = match object.take("content") {
        Some(Value::Array(list)) => list,
        Some(Value::String(text)) => vec![Value::String(text)],
        Some(part @ Value::Object(_)) => vec![part],
        Some(other) => {
            let found = type_of(&other);
            let message = format!("`{}content` must be an array, not {found}", object.name());
            let note = object.note(Severity::Warning, "wrong-type", "content", message);
            notes.push(note.hint("falling back to `text`"));
            Vec::new()
        }
        None => Vec::new(),
    };
    (text, content)
}
