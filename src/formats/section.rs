//! The format of `_index.md`, which describes a folder of conversations and makes it a collection.
//!
//! ```text
//! ---
//! title: Letters about bells
//! order: oldest
//! ---
//!
//! Markdown shown above the list.
//! ```
//!
//! It is read as a conversation without turns, so that all rules for conversations apply to it: privacy,
//! pseudonyms, secrets and images.

use super::{About, Claim, File, Format, Parsed, Read};
use crate::shared::text::front;
use convo_base::diag::{Lines, Note};
use convo_base::json::Value;
use convo_base::model::{Conversation, NUMBERED, ORDER, Order, Place};
use convo_base::text::closest;

/// The name of the file.
pub const FILE: &str = "_index.md";

/// The format. It is used for files with this name only.
pub(super) const FORMAT: Format = Format {
    name: FILE,
    title: "Folder description",
    source_label: "",
    between_people: false,
    has_typed_prompts: false,
    about: About { what: "", find: "", reads: "", leaves_out: "" },
    read: Some(Read::new(|_| Claim::No, parse)),
    write: None,
};

/// The other keys that have an effect.
const KEYS: [&str; 5] = ["summary", "description", "abstract", "series", "weight"];

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    let Some(File { text, .. }) = files.first() else { return parsed };
    let mut read = Conversation::default();
    let (range, body) = front::split(text);
    if let Some(range) = range.clone() {
        front::read(text, range.clone(), &mut read, &mut parsed.notes);
        let place = |key: &str| front::row_of(text, &range, key);
        let keys = read.extra.iter().map(|(key, value)| (key.as_str(), value));
        parsed.notes.extend(keys.filter_map(|(key, value)| {
            let note = wrong(key, value)?;
            Some(Note { range: Some(place(key)), ..note })
        }));
    }
    front::access_at(text, body, &mut parsed.notes).apply(&mut read);
    let body = text[body..].trim_start();
    let (heading, rest) = body.split_once('\n').unwrap_or((body, ""));
    let body = match heading.strip_prefix("# ").filter(|_| read.title.is_none()) {
        Some(title) => {
            read.title = Some(title.trim().trim_end_matches('#').trim().to_owned());
            rest.trim_start()
        }
        None => body,
    };
    let line = Lines::new(text).span(text.len() - body.len()..text.len()).line;
    read.page = Some(Place { line, ..Place::default() });
    body.trim_end().clone_into(&mut read.preface);
    parsed.conversations.push(read);
    parsed
}

/// Makes the note for a key that has no effect.
fn wrong(key: &str, value: &Value) -> Option<Note> {
    let message = match (key, value) {
        (ORDER, Value::String(order)) if Order::parse(order).is_some() => return None,
        (ORDER, Value::Array(files)) if files.iter().all(Value::is_string) => {
            return None;
        }
        (ORDER, _) => {
            let message = format!("unknown `{ORDER}`");
            let words = Order::WORDS.map(|(word, _)| format!("`{word}`")).join(", ");
            let note = Note::warning("bad-value", 0..0, message);
            return Some(note.hint(format!("use one of {words}, or a list of files")));
        }
        (NUMBERED, Value::Bool(_)) => return None,
        (NUMBERED, _) => {
            let message = format!("`{NUMBERED}` must be true or false");
            return Some(Note::warning("wrong-type", 0..0, message));
        }
        (key, value)
            if KEYS.contains(&key)
                || crate::shared::access::visibility::is_schedule(key, value)
                || crate::shared::access::visibility::is_about(key) =>
        {
            return None;
        }
        (key, _) => format!("`{key}` has no effect in `{FILE}`"),
    };
    let note = Note::warning("unknown-key", 0..0, message);
    let known = KEYS.into_iter().chain([ORDER, NUMBERED, "title", "languages"]);
    Some(match (key, closest(key, known)) {
        ("sort_by", _) => note.hint(format!("did you mean `{ORDER}`?")),
        (_, Some(near)) => note.hint(format!("did you mean `{near}`?")),
        _ => note,
    })
}
