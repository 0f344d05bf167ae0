//! The conv2md JSON format: a list of messages with their speakers.
//!
//! ```text
//! { "messages": [ { "speaker": "User", "content": "Hello!" }, … ] }
//! ```
//!
//! A message may also have a time (`timestamp`) and a code marker (`content_type`, `language`). conv2md
//! accepts these keys but does not use them.

use super::{About, Claim, File, Format, Parsed, Probe, Read, Write};
use crate::shared::access::visibility;
use crate::shared::json::object::{Object, document, lines_of};
use crate::shared::text::{keys, plain};
use convo_base::diag::{Note, Severity};
use convo_base::json::{self, Map, Step, Value, type_of};
use convo_base::model::{
    Attachment, AttachmentKind, Block, Content, Conversation, Kind, Place, Turn, name_turns,
};
use convo_base::time::Time;

pub(super) const FORMAT: Format = Format {
    name: "conv2md",
    title: "conv2md JSON",
    source_label: "conv2md",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "The JSON input of the `conv2md` command: a list of messages with their speakers.",
        find: "A JSON file with `messages`, each of which has a `speaker` and a \
               `content`.",
        reads: "Speakers, texts, times, code with its language, and other fields of \
               the document.",
        leaves_out: "Other fields of messages are not shown.",
    },
    read: Some(Read::new(claims, parse)),
    write: Some(Write::File("json", |read, _| write(read))),
};

fn claims(probe: &Probe<'_>) -> Claim {
    let name = probe.name;
    let keys = probe.keys();
    let messages = keys.iter().find(|(key, _)| *key == "messages");
    match messages {
        Some((_, value)) if names_speakers(value) => Claim::Signature,
        // No other key, and no `role`, which messages of other formats have.
        Some((_, value)) if keys.len() == 1 && !value.contains("\"role\"") => Claim::Shape,
        _ if name.to_ascii_lowercase().contains(".conv2md.") => Claim::Name,
        _ => Claim::No,
    }
}

/// Returns whether the first message has a speaker, or any message does and none has a role.
fn names_speakers(messages: &str) -> bool {
    json::keys(messages).iter().any(|(key, _)| *key == "speaker")
        || messages.contains("\"speaker\"") && !messages.contains("\"role\"")
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    let Some(File { text, .. }) = files.first() else { return parsed };
    let notes = &mut parsed.notes;
    let Some(value) = document(text, 0..text.len(), 0, notes) else { return parsed };
    let at = json::locate(text, &[]);
    let Value::Object(map) = value else {
        let message = format!("the document must be an object, not {}", type_of(&value));
        notes.push(Note::error("wrong-type", at.start..at.start + 1, message));
        return parsed;
    };
    parsed.conversations.extend(conversation(Object::new(map, text, 0, at), notes));
    parsed
}

fn conversation(mut object: Object<'_>, notes: &mut Vec<Note>) -> Option<Conversation> {
    if !object.has("messages") {
        let note = object.missing(Severity::Error, "messages");
        notes.push(note.hint("the schema requires an array of messages under this key"));
        return None;
    }
    let before = notes.len();
    let Some(list) = object.array("messages", notes) else {
        if notes.len() == before {
            let message = "`messages` must be an array, not null".to_owned();
            notes.push(object.note(Severity::Error, "wrong-type", "messages", message));
        }
        notes[before..].iter_mut().for_each(|note| note.severity = Severity::Error);
        return None;
    };
    if list.is_empty() {
        let message = "`messages` is empty".to_owned();
        let note = object.note(Severity::Error, "no-turns", "messages", message);
        notes.push(note.hint("the schema requires at least one message"));
        return None;
    }
    let access = object.access("private", &["messages"], notes);
    let title = object.text("title", notes);
    let mut read = Conversation { title, ..Default::default() };
    access.apply(&mut read);
    let mut unshown = Vec::new();
    let lines = lines_of(object.source(), list.iter().map(|(_, at)| at.start));
    for ((index, element), line) in list.into_iter().enumerate().zip(lines) {
        let path = format_args!("messages.{index}");
        let Some(message) = object.element(element, path, "message", notes) else { continue };
        if message.is_withheld(notes) {
            unshown.push(message.start());
            continue;
        }
        if let Some(turn) = message_turn(message, line, notes) {
            read.introduce(&turn.speaker, Kind::guess(&turn.speaker));
            read.turns.push(turn);
        }
    }
    let first = unshown.first().cloned();
    notes.extend(first.map(|first| visibility::withheld_turns_note(unshown.len(), first)));
    read.time = read.turns.iter().find_map(|turn| turn.time.clone());
    notes.extend(keys::misused(&object.copy(), |key| object.place(&[Step::Key(key)])));
    read.extra = object.rest();
    name_turns(&mut read.turns);
    (!read.turns.is_empty()).then_some(read)
}

fn skipping(note: Note) -> Note {
    note.hint("only this message is skipped")
}

fn message_turn(mut object: Object<'_>, line: u32, notes: &mut Vec<Note>) -> Option<Turn> {
    let mut fits = true;
    for key in ["speaker", "content"] {
        match object.get(key) {
            Some(Value::String(text)) if key == "speaker" && text.trim().is_empty() => {
                let message = "a speaker's name must not be empty".to_owned();
                let note = object.note(Severity::Error, "missing-key", key, message);
                notes.push(skipping(note));
                fits = false;
            }
            Some(Value::String(_)) => {}
            Some(other) => {
                let message =
                    format!("`{}{key}` must be a string, not {}", object.name(), type_of(other));
                let note = object.note(Severity::Error, "wrong-type", key, message);
                notes.push(skipping(note));
                fits = false;
            }
            None => {
                notes.push(skipping(object.missing(Severity::Error, key)));
                fits = false;
            }
        }
    }
    if !fits {
        return None;
    }
    let speaker = object.text("speaker", notes)?;
    let content = object.text("content", notes)?;
    let time = match object.get("timestamp") {
        Some(Value::Number(_)) => object.unix_time("timestamp", notes),
        Some(_) => object.time("timestamp", notes),
        None => None,
    };
    let block = match object.get("content_type").and_then(Value::as_str) {
        Some("code") => {
            let language = object.get("language").and_then(Value::as_str).unwrap_or_default();
            Block::Markdown { text: convo_base::model::fenced(language, &content) }
        }
        Some("image") => Block::Attachment(Box::new(Attachment {
            content: Content::Uri(content.clone()),
            ..Attachment::new(content.rsplit('/').next().unwrap_or_default(), AttachmentKind::Image)
        })),
        _ => Block::Markdown { text: content },
    };
    let place = Place { file: 0, line, quoted: true };
    Some(Turn {
        speaker,
        time,
        blocks: vec![block],
        extra: object.rest(),
        place,
        ..Turn::default()
    })
}

fn write(conversation: &Conversation) -> String {
    let messages: Vec<Value> = plain::plain_turns(conversation)
        .into_iter()
        .map(|turn| {
            let mut message = Map::new();
            message.insert("speaker".to_owned(), turn.speaker.into());
            message.insert("content".to_owned(), turn.text.into());
            if let Some(time) = turn.time {
                message.insert("timestamp".to_owned(), Time::as_written(&time).into());
            }
            message.into()
        })
        .collect();
    let mut document = Map::new();
    document.insert("messages".to_owned(), messages.into());
    json::pretty(&document) + "\n"
}
