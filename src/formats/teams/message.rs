//! A single message.

use super::account;
use super::content;
use crate::shared::access::visibility;
use crate::shared::json::object::{Object, text};
use crate::shared::people::channel::{
    Members, Message, NamedFile, emoji, event_block, or_placeholder, react,
};
use crate::shared::tally::Tally;
use crate::shared::text::html;
use convo_base::diag::{Note, Severity};
use convo_base::json::{self, Map, Step, Value};
use convo_base::model::{Block, Place, Reaction};

/// Marks of a deleted message.
const GONE: &[&str] = &["deletetime", "isdeleted"];

/// Reads a message; `None` for technical messages.
pub(super) fn read(
    mut object: Object<'_>,
    place: Place,
    members: &mut Members,
    tally: &mut Tally,
    notes: &mut Vec<Note>,
) -> Option<Message> {
    let is_withheld = object.is_withheld(notes);
    let map = object.copy();
    if !map.contains_key("content") && !map.contains_key("messagetype") {
        notes.push(object.missing(Severity::Warning, "content"));
        return None;
    }
    let Properties { map: properties, is_gone } = properties(&object, GONE);
    let is_set = |key: &str| {
        properties.get(key).is_some_and(|value| !value.is_null() && *value != "" && *value != 0)
    };
    let message = Message {
        id: text(&map, "id").unwrap_or_default().to_owned(),
        time: object.time("originalarrivaltime", notes),
        is_withheld,
        place,
        ..Message::default()
    };
    let from = account(text(&map, "from").unwrap_or_default());
    let content_text = object.text("content", notes).unwrap_or_default();
    let kind = text(&map, "messagetype").unwrap_or_default();
    if is_gone {
        let event = event_block("deleted", "A message was deleted");
        return Some(Message { blocks: vec![event], ..message });
    }
    let (group, detail) = kind.split_once('/').unwrap_or((kind, ""));
    let event_message = |name: &str, words: &str| {
        Some(Message { blocks: vec![event_block(name, words)], ..message.clone() })
    };
    match (group, detail) {
        ("Text" | "RichText", "" | "Html") => {}
        ("RichText", detail) if detail == "UriObject" || detail.starts_with("Media_") => {
            let is_call = detail == "Media_CallRecording";
            let file = content::file(&content_text);
            let name = if is_call { "recording.mp4" } else { file.name.as_str() };
            let file = NamedFile { name, mime: Some(file.kind), size: file.size, address: None };
            let blocks = vec![file.block(tally)];
            let sender = members.name(from);
            let reactions = reactions(&properties);
            return Some(Message { sender, blocks, reactions, ..message });
        }
        ("RichText", "Location") => return event_message("location", ""),
        ("RichText", "Contacts") => return event_message("contact", ""),
        ("Event", "Call") => return event_message("call", "A call"),
        ("ThreadActivity", detail) => {
            return event_message("notice", &activity(detail, &content_text, members));
        }
        ("Control" | "Signal" | "InviteFreeRelationshipChanged" | "PopCard", _) => {
            return None;
        }
        ("Notice", _) => return event_message("notice", html::words(&content_text).trim()),
        _ => {
            tally.unknown_skipped(kind);
            return None;
        }
    }
    let words =
        content::read(&content_text, detail == "Html" || content_text.starts_with("<p"), members);
    let content_text =
        (!words.markdown.is_empty()).then_some(Block::Markdown { text: words.markdown });
    Some(Message {
        sender: members.name(from),
        is_bot: from.starts_with("28:"),
        blocks: or_placeholder(content_text.into_iter().collect()),
        answers: words.answers,
        is_edited: is_set("edittime") || words.is_edited,
        reactions: reactions(&properties),
        ..message
    })
}

/// The properties of a message or a chat.
pub(super) struct Properties {
    map: Map,
    /// Whether they mark it as deleted, or cannot be parsed.
    pub(super) is_gone: bool,
}

/// Reads the properties of a message or a chat, which may be JSON in a string.
pub(super) fn properties(object: &Object<'_>, gone: &[&str]) -> Properties {
    let key = "properties";
    let text = match object.get(key) {
        None | Some(Value::Null) => {
            return Properties { map: Map::new(), is_gone: false };
        }
        Some(Value::String(text)) => text.as_str(),
        Some(_) => &object.source()[object.place(&[Step::Key(key)])],
    };
    match json::parse(text) {
        Ok((Value::Object(map), _)) => Properties { map, is_gone: visibility::is_set(text, gone) },
        _ => Properties { map: Map::new(), is_gone: !text.trim().is_empty() },
    }
}

fn reactions(properties: &Map) -> Vec<Reaction> {
    let mut all = Vec::new();
    let list = match properties.get("emotions") {
        Some(Value::Array(list)) => list.clone(),
        Some(Value::String(text)) => match json::parse(text) {
            Ok((Value::Array(list), _)) => list,
            _ => Vec::new(),
        },
        _ => Vec::new(),
    };
    for emotion in list.iter().filter_map(Value::as_object) {
        let count = emotion.get("users").and_then(Value::as_array).map_or(1, Vec::len);
        let Some(key) = text(emotion, "key").filter(|_| count > 0) else { continue };
        let shown = match key {
            "like" | "yes" => "👍".to_owned(),
            "laugh" => "😆".to_owned(),
            "surprised" => "😮".to_owned(),
            "sad" => "😢".to_owned(),
            "angry" => "😠".to_owned(),
            key => emoji(key),
        };
        react(&mut all, &shown, count as u64);
    }
    all
}

/// Returns the text of an event, with the names of people who joined or left.
fn activity(kind: &str, content: &str, members: &mut Members) -> String {
    let mut names: Vec<String> = Vec::new();
    for id in content::elements(content, "target") {
        if members.knows(account(&id)) {
            names.push(members.name_in_text(account(&id)));
        }
    }
    let who = match names.is_empty() {
        true => "Somebody".to_owned(),
        false => names.join(", "),
    };
    match kind {
        "AddMember" | "MemberJoined" => format!("{who} joined"),
        "DeleteMember" | "MemberLeft" => format!("{who} left"),
        "TopicUpdate" => {
            let topic = content::elements(content, "value").pop().unwrap_or_default();
            format!("The chat was renamed to {topic}")
        }
        "PictureUpdate" => "The chat picture changed".to_owned(),
        _ => "The chat settings changed".to_owned(),
    }
}
