//! Conversations as convo files.

use std::collections::BTreeSet;

use super::super::plain;
use super::escape;
use crate::json::{self, Map, Value};
use crate::model::{Conversation, Kind, Participant};
use crate::time::Time;

/// Stands where nobody knows when it was.
const NO_TIME: &str = "1970-01-01";

/// The file of one conversation; several stand one after the other.
pub(super) fn write(conversations: &[Conversation]) -> String {
    conversations.iter().map(one).collect::<Vec<_>>().join("\n")
}

fn one(conversation: &Conversation) -> String {
    let conversation = &plain::flattened(conversation);
    let names: BTreeSet<&str> =
        conversation.participants.iter().map(|who| who.name.as_str()).collect();
    let mut out = String::new();
    if !conversation.preface.is_empty() {
        if conversation.preface.starts_with('\u{feff}') {
            // At the very start it would be a byte-order mark.
            out.push('\n');
        }
        out.push_str(&escape::apply(&conversation.preface, &names));
        out.push_str("\n\n");
    }
    for turn in &conversation.turns {
        out.push_str("### @");
        out.push_str(&turn.speaker);
        if turn.speaker.ends_with('#') {
            // Or the reader would take the name's own hashes for closing ones.
            out.push_str(" #");
        }
        out.push('\n');
        let text = turn.text();
        if !text.is_empty() {
            out.push_str(&escape::apply(&text, &names));
            out.push('\n');
        }
        out.push('\n');
    }
    if out.is_empty() {
        out.push('\n');
    }
    out.push_str("----\n");
    out.push_str(&json::pretty(&metadata(conversation)));
    out.push('\n');
    out
}

fn metadata(conversation: &Conversation) -> Map {
    let mut map = Map::new();
    if let Some(title) = &conversation.title {
        map.insert("title".to_owned(), title.clone().into());
    }
    // The catch-all value that the specification reserves.
    let kind = conversation.kind.clone().unwrap_or_else(|| "conversation".to_owned());
    map.insert("type".to_owned(), kind.into());
    // The specification requires one.
    let time = conversation.time.as_ref().map_or(NO_TIME, Time::as_written);
    map.insert("time".to_owned(), time.into());
    let participants: Vec<Value> =
        conversation.participants.iter().map(participant).collect();
    map.insert("participants".to_owned(), participants.into());
    if !conversation.languages.is_empty() {
        map.insert("languages".to_owned(), conversation.languages.clone().into());
    }
    if !conversation.tags.is_empty() {
        map.insert("tags".to_owned(), conversation.tags.clone().into());
    }
    if conversation.private {
        map.insert("private".to_owned(), true.into());
    }
    map.extend(conversation.extra.clone());
    if !conversation.speculative_languages.is_empty() {
        let meta = map.entry("languages_meta").or_insert_with(|| Map::new().into());
        if let Value::Object(meta) = meta {
            let tags = conversation.speculative_languages.clone();
            meta.insert("speculative".to_owned(), tags.into());
        }
    }
    map
}

fn participant(who: &Participant) -> Value {
    if who.kind == Kind::Person && who.model.is_none() && who.extra.is_empty() {
        return who.name.clone().into();
    }
    let mut map = Map::new();
    map.insert("name".to_owned(), who.name.clone().into());
    match who.kind {
        Kind::Person => {}
        Kind::Assistant => {
            map.insert("generative".to_owned(), true.into());
        }
        kind => {
            map.insert("kind".to_owned(), kind.word().into());
        }
    }
    if let Some(model) = &who.model {
        map.insert("generative:model".to_owned(), model.clone().into());
    }
    map.extend(who.extra.clone());
    map.into()
}
