//! Writes conversations as convo files.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::{escape, turns};
use crate::shared::text::{blocks, plain};
use convo_base::json::{self, Map, Value};
use convo_base::model::{Conversation, Kind, Participant, Turn};
use convo_base::time::Time;

/// Replaces an unknown time.
const NO_TIME: &str = "1970-01-01";

/// Keys that make a file invalid if their value has the wrong type.
const RESERVED: [&str; 6] = ["title", "type", "time", "participants", "languages", "private"];

/// Returns the file of one conversation.
pub(super) fn write(conversation: &Conversation) -> String {
    let conversation = &plain::flattened(conversation);
    let names: BTreeSet<&str> =
        conversation.participants.iter().map(|who| who.name.as_str()).collect();
    let mut out = content(conversation, &names, false);
    if !reads_as(&out, conversation, &names) {
        out = content(conversation, &names, true);
    }
    if out.is_empty() {
        out.push('\n');
    }
    out.push_str("----\n");
    out.push_str(&json::pretty(&metadata(conversation)));
    out.push('\n');
    out
}

/// Returns the turns. If `close` is set, closes code fences that turns leave open. Few conversations need
/// that, since the heading of the next turn also ends a fence, unless a fence of another turn seems to
/// close it.
fn content(conversation: &Conversation, names: &BTreeSet<&str>, close: bool) -> String {
    let mut out = String::new();
    if !conversation.preface.is_empty() {
        if conversation.preface.starts_with('\u{feff}') {
            // At the very start, this character would be a byte-order mark.
            out.push('\n');
        }
        let preface = whole(&conversation.preface, close);
        out.push_str(&escape::apply(&preface, names));
        out.push_str("\n\n");
    }
    for turn in &conversation.turns {
        out.push_str("### @");
        out.push_str(&turn.speaker);
        if turn.speaker.ends_with('#') {
            // Otherwise the hashes at the end of the name would be read as closing hashes.
            out.push_str(" #");
        }
        out.push('\n');
        let text = turn.text();
        if !text.is_empty() {
            out.push_str(&escape::apply(&whole(&text, close), names));
            out.push('\n');
        }
        out.push('\n');
    }
    out
}

/// Returns the text, with open blocks closed if `close` is set.
fn whole(text: &str, close: bool) -> Cow<'_, str> {
    if close { blocks::closed(text) } else { text.into() }
}

/// Returns whether the written text is read back with the same speakers and texts.
fn reads_as(content: &str, conversation: &Conversation, names: &BTreeSet<&str>) -> bool {
    let (preface, turns) = turns::split(content, 0..content.len(), names, &mut Vec::new());
    let is_meant = |(spoken, meant): (&turns::Spoken, &Turn)| {
        spoken.turn.speaker == meant.speaker && escape::undo(&spoken.turn.text()) == meant.text()
    };
    turns.len() == conversation.turns.len()
        && escape::undo(&preface) == conversation.preface
        && turns.iter().zip(&conversation.turns).all(is_meant)
}

fn metadata(conversation: &Conversation) -> Map {
    let mut map = Map::new();
    if let Some(title) = &conversation.title {
        map.insert("title".to_owned(), title.clone().into());
    }
    // The catch-all value that the specification reserves.
    let kind = conversation.kind.clone().unwrap_or_else(|| "conversation".to_owned());
    map.insert("type".to_owned(), kind.into());
    // The specification requires a time with a day.
    let written = |time: &Time| match time.without_day() {
        Some(_) => time.first_day(),
        None => time.as_written().to_owned(),
    };
    let time = conversation.time.as_ref().map_or(NO_TIME.to_owned(), written);
    map.insert("time".to_owned(), time.into());
    let participants: Vec<Value> = conversation.participants.iter().map(participant).collect();
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
    // Values that were invalid for a key of the specification would be invalid here too.
    let free = |key: &str| !RESERVED.contains(&key) && !map.contains_key(key);
    let extra: Map = conversation.extra.clone().into_iter().filter(|(key, _)| free(key)).collect();
    map.extend(extra);
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
