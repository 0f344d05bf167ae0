//! Reads the document and its messages.

use std::ops::Range;

use super::super::{File, Parsed};
use super::branches;
use super::extension_data::{self, key};
use super::message::{created, message, take_ours};
use super::order::{arrange, same_ids};
use super::schema::{MADE_UP_ID_PREFIX, MEDIA_TYPE, OWN_KEY, SCHEMA_URL, VERSION};
use super::{audit_trail, join, speakers};
use crate::shared::access::visibility::{self, Access};
use crate::shared::json::object::{Object, as_object, document};
use crate::shared::text::keys;
use convo_base::diag::{Lines, Note, Severity};
use convo_base::json::{self, Map, Step, Value};
use convo_base::model::{AUTHOR_KEYS, Conversation, Kind, Place, REVIEWED, Turn};

pub(super) fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    let Some(File { text, .. }) = files.first() else { return parsed };
    let notes = &mut parsed.notes;
    let objects: Vec<(Value, Range<usize>)> = match document(text, 0..text.len(), 0, notes) {
        Some(Value::Array(list)) => list.into_iter().zip(json::elements(text, &[])).collect(),
        Some(value) => vec![(value, json::locate(text, &[]))],
        None => Vec::new(),
    };
    let lines = Lines::new(text);
    for (value, at) in objects {
        let Some(map) = as_object(value, "conversation", &at, 0, notes) else { continue };
        let object = Object::new(map, text, 0, at);
        let start = object.start();
        let reported = notes.len();
        let read = conversation(object, &lines, notes);
        let is_withheld =
            notes[reported..].iter().any(|note| note.code == visibility::WITHHELD_TURNS);
        if read.turns.is_empty() {
            let message = "no messages found in this conversation, so it gets no page";
            let note = Note::new(Severity::Hint, "no-turns", Some(start), message);
            notes.extend(Some(note).filter(|_| !is_withheld));
            continue;
        }
        parsed.conversations.push(read);
    }
    parsed
}

fn conversation(mut object: Object<'_>, lines: &Lines<'_>, notes: &mut Vec<Note>) -> Conversation {
    let access = access(&mut object, notes);
    let private = audit_trail::is_deleted(object.get("auditTrail"));
    let mut read = Conversation { private, ..Default::default() };
    access.apply(&mut read);
    for key in ["id", "schemaUrl"] {
        if !object.has(key) {
            notes.push(object.missing(Severity::Warning, key));
        }
    }
    read.id = object.text("id", notes).filter(|id| !id.starts_with(MADE_UP_ID_PREFIX));
    for (key, usual) in [("schemaUrl", SCHEMA_URL), ("mediaType", MEDIA_TYPE)] {
        if let Some(value) = object.text(key, notes).filter(|value| value != usual) {
            object.put(key, value.as_str().into());
            if key == "schemaUrl"
                && let Some(version) = other_version(&value)
            {
                let message = format!("`schemaUrl` is for CJSON version {version}");
                let note = object.note(Severity::Warning, "unknown-version", key, message);
                notes.push(note.hint("it is read as version 0.1.0; check that nothing is missing"));
            }
        }
    }
    read.title = object.text("conversationTitle", notes).filter(|t| !t.trim().is_empty());
    read.parent = object.text("parentId", notes);
    let model = object.text("modelId", notes);
    let system_at = object.place(&[Step::Key("systemMessage")]);
    let system = object.text("systemMessage", notes).filter(|text| !text.is_empty());
    read.time = created(&mut object, notes);
    for key in ["metadata", "toolOverrides"] {
        let fits = match object.get(key) {
            Some(Value::Object(_)) => key == "metadata",
            Some(Value::Array(_)) => key == "toolOverrides",
            other => other.is_none_or(Value::is_null),
        };
        if !fits {
            let expected = if key == "metadata" { "an object" } else { "an array" };
            let message = format!("`{key}` must be {expected}");
            notes.push(object.note(Severity::Warning, "wrong-type", key, message));
        }
    }
    let mut ours = take_ours(&mut object, notes);
    let own = [Step::Key("extensions"), Step::Key(OWN_KEY)];
    notes.extend(keys::misused(&ours, |key| object.place(&[own[0], own[1], Step::Key(key)])));
    if let Some(Value::Object(extra)) = ours.get("extra") {
        let place = |key: &str| object.place(&[own[0], own[1], Step::Key("extra"), Step::Key(key)]);
        notes.extend(keys::misused(extra, place));
    }
    let mut messages = Vec::new();
    let elements = object.array("messages", notes).unwrap_or_default();
    for (index, element) in elements.into_iter().enumerate() {
        let line = lines.line(element.1.start);
        let path = format_args!("messages.{index}");
        let Some(element) = object.element(element, path, "message", notes) else { continue };
        messages.push(message(element, line, notes));
    }
    let mut branches =
        branches::read(&mut messages, ours.shift_remove(key::BRANCHES), lines, &object, notes);
    same_ids(&messages, notes);
    join::join(&mut messages, notes);
    let mut withheld = messages.iter().filter(|message| message.withheld);
    if let Some(first) = withheld.next() {
        notes.push(visibility::withheld_turns_note(1 + withheld.count(), first.start.clone()));
        messages.retain(|message| !message.withheld);
    }
    if let Some(text) = system {
        let line = lines.line(system_at.start);
        let place = Place { file: 0, line, quoted: true };
        read.introduce("System", Kind::System);
        let mut turn = Turn { place, ..Turn::from_text("System", text) };
        if let Some(Value::Object(instruction)) = ours.shift_remove(key::SYSTEM) {
            extension_data::apply_to_turn(instruction, &mut turn);
        }
        read.turns.push(turn);
    }
    speakers::assign(&mut messages, &mut read, model.as_deref());
    if let Some(model) = model
        && read.participants.iter().all(|who| who.model.as_deref() != Some(model.as_str()))
    {
        // No participant uses this model, so it is kept here.
        object.put("modelId", model.into());
    }
    let reviewed = object.get(REVIEWED).filter(|value| value.is_boolean()).cloned();
    read.extra.extend(reviewed.map(|value| (REVIEWED.to_owned(), value)));
    read.unpublished = object.rest();
    arrange(messages, &mut branches, &mut read, notes);
    // Keys that authors write come first.
    let mut own = Map::new();
    for key in AUTHOR_KEYS {
        own.extend(ours.shift_remove(key).map(|value| (key.to_owned(), value)));
    }
    let is_timeless = extension_data::apply(ours, &mut read);
    read.extra.extend(own);
    if read.time.is_none() && !is_timeless {
        read.time = read.turns.iter().find_map(|turn| turn.time.clone());
    }
    read
}

/// Returns whether and when the conversation may be published. Ignores values below convo-site's key that
/// the author did not write.
fn access(object: &mut Object<'_>, notes: &mut Vec<Note>) -> Access {
    let Some(settings) = extension_data::extension_access(object.get("extensions")) else {
        return object.access("isPrivate", &["messages"], notes);
    };
    let place = object.place(&[Step::Key("extensions")]);
    notes.extend(visibility::notes(&settings, |_| place.clone()));
    let mut access = Access::of(&settings);
    access.add(object.access("isPrivate", &["messages", "extensions"], notes));
    access
}

/// Returns the version in a schema URL if it is not the supported one: `…/7/conversation/…` or
/// `…/cjson-0.2.0.schema.json`.
fn other_version(schema: &str) -> Option<&str> {
    let path = schema.split(['?', '#']).next().unwrap_or_default();
    let path = path
        .split_once("://")
        .map_or(path, |(_, rest)| rest.split_once('/').map_or("", |(_host, path)| path));
    let numbers = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_digit())
            && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    };
    let full = path.rsplit('/').find_map(|part| {
        let parts = part.strip_prefix("cjson-")?.split('-');
        let ending = |part: &'_ str| part.find(".schema").unwrap_or(part.len());
        parts.map(|part| &part[..ending(part)]).find(|part| numbers(part))
    });
    let major = path.split('/').map(|part| part.trim_start_matches('v'));
    let mut major = major.filter(|part| numbers(part));
    full.filter(|version| *version != VERSION)
        .or_else(|| major.find(|part| *part != "0" && *part != VERSION))
}
