//! The document, and the order of its messages.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use super::super::object::{Object, document, type_of};
use super::super::{File, Parsed, keys, visibility};
use super::branches::{self, Branches};
use super::message::{Message, created, message, take_ours};
use super::ours::{self, key};
use super::{
    MADE_UP_ID_PREFIX, MEDIA_TYPE, OWN_KEY, SCHEMA_URL, VERSION, audit_trail, join,
    speakers,
};
use crate::diag::{Lines, Note, Severity};
use crate::json::{self, Map, Step, Value};
use crate::model::{
    Block, Branch, Conversation, Kind, Place, REVIEWED, Turn, name_turns,
};
use crate::time::Time;

pub(super) fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    let Some(File { text, .. }) = files.first() else { return parsed };
    let notes = &mut parsed.notes;
    let objects: Vec<(Value, Range<usize>)> =
        match document(text, 0..text.len(), 0, notes) {
            Some(Value::Array(list)) => {
                list.into_iter().zip(json::elements(text, &[])).collect()
            }
            Some(value) => vec![(value, json::locate(text, &[]))],
            None => Vec::new(),
        };
    let lines = Lines::new(text);
    for (value, at) in objects {
        let Value::Object(map) = value else {
            let message =
                format!("a conversation must be an object, not {}", type_of(&value));
            notes.push(Note::error("wrong-type", at.start..at.start + 1, message));
            continue;
        };
        let object = Object::new(map, text, 0, at);
        let start = object.start();
        let told = notes.len();
        let read = conversation(object, &lines, notes);
        let is_left_out =
            notes[told..].iter().any(|note| note.code == visibility::LEFT_OUT);
        if read.turns.is_empty() {
            let message = "nobody says anything here, so there is no page for it";
            let note = Note::new(Severity::Hint, "no-turns", Some(start), message);
            notes.extend(Some(note).filter(|_| !is_left_out));
            continue;
        }
        parsed.conversations.push(read);
    }
    parsed
}

fn conversation(
    mut object: Object<'_>,
    lines: &Lines<'_>,
    notes: &mut Vec<Note>,
) -> Conversation {
    let private = holds_back(&mut object, notes)
        | audit_trail::is_deleted(object.get("auditTrail"));
    let mut read = Conversation { private, ..Default::default() };
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
                let message =
                    format!("`schemaUrl` is that of version {version} of CJSON");
                let note =
                    object.note(Severity::Warning, "unknown-version", key, message);
                notes.push(note.hint(
                    "it is read as version 0.1.0; look whether all of it is there",
                ));
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
    notes.extend(keys::misused(&ours, |key| {
        object.place(&[own[0], own[1], Step::Key(key)])
    }));
    if let Some(Value::Object(extra)) = ours.get("extra") {
        let place = |key: &str| {
            object.place(&[own[0], own[1], Step::Key("extra"), Step::Key(key)])
        };
        notes.extend(keys::misused(extra, place));
    }
    let mut messages = Vec::new();
    let elements = object.array("messages", notes).unwrap_or_default();
    for (index, (value, at)) in elements.into_iter().enumerate() {
        let line = lines.line(at.start);
        let Value::Object(map) = value else {
            let found = type_of(&value);
            let text = format!("`messages.{index}` must be an object, not {found}");
            let note = Note::error("wrong-type", at, text);
            notes.push(note.hint("the message is left out; the others are kept"));
            continue;
        };
        messages.push(message(
            object.at(map, at).named(format_args!("messages.{index}")),
            line,
            notes,
        ));
    }
    let mut branches = branches::read(
        &mut messages,
        ours.shift_remove(key::BRANCHES),
        lines,
        &object,
        notes,
    );
    same_ids(&messages, notes);
    join::join(&mut messages, notes);
    let mut left_out = messages.iter().filter(|message| message.left_out);
    if let Some(first) = left_out.next() {
        notes.push(visibility::left_out(1 + left_out.count(), first.start.clone()));
        messages.retain(|message| !message.left_out);
    }
    if let Some(text) = system {
        let line = lines.line(system_at.start);
        let place = Place { file: 0, line, quoted: true };
        read.introduce("System", Kind::System);
        let mut turn = Turn { place, ..Turn::said("System", text) };
        if let Some(Value::Object(said)) = ours.shift_remove(key::SYSTEM) {
            ours::apply_to_turn(said, &mut turn);
        }
        read.turns.push(turn);
    }
    speakers::assign(&mut messages, &mut read, model.as_deref());
    if let Some(model) = model
        && read
            .participants
            .iter()
            .all(|who| who.model.as_deref() != Some(model.as_str()))
    {
        // Nobody speaks with it, so it has no other place.
        object.put("modelId", model.into());
    }
    read.unpublished = object.rest();
    arrange(messages, &mut branches, &mut read, notes);
    // What people write there first.
    if let Some(reviewed) = ours.shift_remove(REVIEWED) {
        read.extra.insert(REVIEWED.to_owned(), reviewed);
    }
    let is_timeless = ours::apply(ours, &mut read);
    if read.time.is_none() && !is_timeless {
        read.time = read.turns.iter().find_map(|turn| turn.time.clone());
    }
    read
}

/// Returns whether the conversation must not be published. What stands under our own key and is no
/// word of its author's is not heard.
fn holds_back(object: &mut Object<'_>, notes: &mut Vec<Note>) -> bool {
    let Some(said) = ours::hear(object.get("extensions")) else {
        return object.holds_back("isPrivate", &["messages"], notes);
    };
    let place = object.place(&[Step::Key("extensions")]);
    notes.extend(visibility::notes(&said, |_| place.clone()));
    visibility::holds_back(&said)
        | object.holds_back("isPrivate", &["messages", "extensions"], notes)
}

/// Returns the version that a schema's address names, if it is not the one that is known:
/// `…/7/conversation/…` or `…/cjson-0.2.0.schema.json`.
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

fn same_ids(messages: &[Message], notes: &mut Vec<Note>) {
    let mut seen = HashMap::new();
    for message in messages {
        let Some(id) = message.turn.unpublished.get("id").and_then(Value::as_str) else {
            continue;
        };
        if seen.insert(id.to_owned(), ()).is_some() {
            let text = format!("the message id `{id}` is there twice");
            let note = Note::warning("duplicate-id", message.start.clone(), text);
            notes.push(note.hint("both messages are kept"));
        }
    }
}

/// Puts the messages in their order. Those of one position are alternatives of one another, and
/// those of branches that CJSON does not know go to these.
fn arrange(
    mut messages: Vec<Message>,
    own: &mut Branches,
    read: &mut Conversation,
    notes: &mut Vec<Note>,
) {
    own.take(&mut messages);
    let all_placed = messages.iter().all(|message| message.index.is_some());
    let mut positions: Vec<(i64, Vec<Message>)> = Vec::new();
    let mut by_index: BTreeMap<i64, usize> = BTreeMap::new();
    for message in messages {
        match message.index {
            Some(index) => match by_index.get(&index) {
                Some(place) => positions[*place].1.push(message),
                None => {
                    by_index.insert(index, positions.len());
                    positions.push((index, vec![message]));
                }
            },
            None => positions.push((0, vec![message])),
        }
    }
    if all_placed {
        positions.sort_by_key(|(index, _)| *index);
    }
    let mut others = Vec::new();
    for (_, mut messages) in positions {
        let preferred: Vec<usize> =
            (0..messages.len()).filter(|at| messages[*at].preferred).collect();
        if preferred.len() > 1 {
            let text = "two messages of one position are preferred; the first one is shown first";
            notes.push(Note::warning(
                "two-preferred",
                messages[preferred[1]].start.clone(),
                text,
            ));
        }
        // Whoever asked again wanted the newer answer.
        let chosen = preferred.first().copied().unwrap_or(messages.len() - 1);
        let main = messages.remove(chosen);
        let after = read.turns.len().checked_sub(1);
        read.turns.push(finish(main));
        others.extend(messages.into_iter().map(|message| (after, finish(message))));
    }
    let mut seen = HashSet::new();
    let (main, rest) = (&mut read.turns, &mut others);
    let rest = rest.iter_mut().map(|(_, turn)| turn).chain(own.turns_mut());
    let mut all: Vec<&mut Turn> = main.iter_mut().chain(rest).collect();
    for turn in &mut all {
        // A copy of a message is another one.
        if !turn.id.is_empty() && !seen.insert(turn.id.clone()) {
            turn.id.clear();
        }
    }
    name_turns(all);
    for (after, turn) in others {
        let after = after.map(|at| read.turns[at].id.clone());
        read.branches.push(Branch {
            after,
            rejoins: true,
            turns: vec![turn],
            ..Branch::default()
        });
    }
    own.put_into(&mut read.branches);
}

/// Returns the turn with the passthrough values of its blocks, and the values under our own key.
pub(super) fn finish(message: Message) -> Turn {
    let Message { mut turn, passthrough, ours, .. } = message;
    // With these the times of blocks are compared.
    if let Some(Value::String(time)) = ours.get("time") {
        turn.time = Time::parse(time).ok().map(|(time, _)| time).or(turn.time);
    }
    let time = turn.time.as_ref().map(Time::as_written);
    let passthrough: Vec<Value> = passthrough
        .into_iter()
        .map(|mut map: Map| {
            if map.get("createdAt").and_then(Value::as_str) == time {
                map.shift_remove("createdAt");
            }
            map.into()
        })
        .collect();
    if passthrough.iter().any(|map| map.as_object().is_some_and(|map| !map.is_empty())) {
        turn.unpublished.insert("contentBlocks".to_owned(), passthrough.into());
    }
    if turn.blocks.is_empty() {
        turn.blocks.push(Block::Markdown { text: String::new() });
    }
    ours::apply_to_turn(ours, &mut turn);
    turn
}
