//! A message of the export.

use std::ops::Range;

use crate::shared::agents::thread::{self, Context, Parent, SYSTEM, USER, rest};
use crate::shared::json::long_list;
use crate::shared::json::object::Object;
use convo_base::diag::{Note, Severity};
use convo_base::json::{Map, Value, type_of};
use convo_base::model::Kind;
use convo_base::time::Time;

/// The parent of the first message of a conversation.
const ROOT: &str = "00000000-0000-4000-8000-000000000000";
/// The assistant.
pub(super) const CLAUDE: &str = "Claude";

/// A message with its contents.
pub(super) type Message = thread::Message<Contents>;

/// The contents of a message.
pub(super) enum Contents {
    Parsed(Box<Parts>),
    /// They are in the object at this range of the file: the contents of many messages may not fit into
    /// memory at once.
    Aside(Range<usize>),
}

/// Everything that a message consists of.
#[derive(Default)]
pub(super) struct Parts {
    /// The plain text.
    pub(super) text: String,
    /// The parts; a text in place of the list is one part.
    pub(super) content: Vec<Value>,
    /// Texts extracted from files.
    pub(super) attachments: Vec<Value>,
    /// Files; `files_v2` repeats those in `files`.
    pub(super) files: Vec<Value>,
    pub(super) files_again: Vec<Value>,
    /// A summary of the earlier messages.
    pub(super) compaction: Option<Value>,
    /// Other values, which are not published.
    pub(super) unpublished: Map,
}

/// Keys with redundant data.
const IGNORED: [&str; 5] = ["index", "updated_at", "truncated", "input_mode", "flags"];
/// Stop reasons that are not worth showing.
const USUAL_ENDS: [&str; 2] = ["end_turn", "stop_sequence"];

/// Reads a message; in a long conversation its contents are put aside.
pub(super) fn message(object: Object<'_>, is_long: bool, context: &mut Context<'_>) -> Message {
    let text = |key: &str| object.get(key).and_then(Value::as_str).map(str::to_owned);
    let sender = text("sender").or_else(|| text("role")).unwrap_or_default();
    let who = match sender.as_str() {
        "human" | "user" => (USER, Kind::Person),
        "assistant" => (CLAUDE, Kind::Assistant),
        "system" => (SYSTEM, Kind::System),
        other => (other, Kind::guess(other)),
    };
    let contents = Contents::Aside(object.place(&[]));
    let mut message =
        Message::of_parts(&object, text("uuid"), who, contents, &["content"], context);
    let fields = fields(object, context.notes);
    message.parent = fields.parent;
    message.turn.time = fields.time;
    if who.1 == Kind::Assistant {
        message.made_by(fields.model.as_deref());
    }
    if !is_long {
        message.contents = Contents::Parsed(Box::new(fields.parts));
    }
    message
}

impl Contents {
    /// Returns the contents, parsed from the text of the file if they were put aside.
    pub(super) fn parts(self, text: &str, file: usize) -> Parts {
        match self {
            Self::Parsed(parts) => *parts,
            Self::Aside(at) => {
                // The notes were reported before.
                let mut reported = Vec::new();
                match long_list::parse(text, at.clone(), file, &mut reported) {
                    Ok(Value::Object(map)) => {
                        fields(Object::new(map, text, file, at), &mut reported).parts
                    }
                    _ => Parts::default(),
                }
            }
        }
    }
}

/// The values of a message.
struct Fields {
    parent: Parent,
    time: Option<Time>,
    model: Option<String>,
    parts: Parts,
}

fn fields(mut object: Object<'_>, notes: &mut Vec<Note>) -> Fields {
    let parent = match object.take_any("parent_message_uuid") {
        Some(Value::String(id)) if id == ROOT || id.is_empty() => Parent::Nobody,
        Some(Value::String(id)) => Parent::Id(id),
        Some(_) | None => Parent::Above,
    };
    if object.text("sender", notes).or_else(|| object.text("role", notes)).is_none() {
        notes.push(object.missing(Severity::Warning, "sender"));
    }
    let text = object.text("text", notes).unwrap_or_default();
    let content = match object.take("content") {
        Some(Value::Array(list)) => list,
        Some(part @ (Value::String(_) | Value::Object(_))) => vec![part],
        Some(other) => {
            let found = type_of(&other);
            let message = format!("`{}content` must be an array, not {found}", object.name());
            let note = object.note(Severity::Warning, "wrong-type", "content", message);
            notes.push(note.hint("falling back to `text`"));
            Vec::new()
        }
        None => Vec::new(),
    };
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
    _ = object.text("uuid", notes);
    let time = object.time("created_at", notes);
    let model = object.text("model", notes);
    let mut unpublished = rest(object.rest(), &IGNORED);
    let is_usual = |end: &Value| end.as_str().is_some_and(|end| USUAL_ENDS.contains(&end));
    unpublished.retain(|key, value| key != "stop_reason" || !is_usual(value));
    let parts = Parts { text, content, attachments, files, files_again, compaction, unpublished };
    Fields { parent, time, model, parts }
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
