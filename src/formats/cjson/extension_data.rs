//! Stores what CJSON cannot represent under convo-site's key: the differences between a conversation and
//! what is read back from its CJSON.
//!
//! A part of a turn is stored as its difference from the CJSON part, with a hash of that part. If somebody
//! edited the CJSON part by hand, the hash does not match and the edit wins, so that nothing deleted or
//! redacted comes back.

use serde::Serialize;

use super::schema::OWN_KEY;
use crate::shared::access::visibility::{self, AccessSetting, Scope};
use convo_base::hash::Hash;
use convo_base::json::{self, Map, Value};
use convo_base::model::{Block, Channel, Conversation, Kind, Participant, Turn, Usage};
use convo_base::time::Time;

/// The keys below [`OWN_KEY`] of a conversation.
pub(super) mod key {
    /// The branches that CJSON cannot represent.
    pub(in super::super) const BRANCHES: &str = "branches";
    /// Differences of the turn that is stored as the system message.
    pub(in super::super) const SYSTEM: &str = "system";
    /// Other source fields of a turn. They are not statements of the author about privacy.
    pub(in super::super) const FIELDS: &str = "fields";
    /// Values that no page shows.
    pub(in super::super) const ASIDE: &str = "aside";
}

/// Returns the differences between a conversation and the one that was read back, except for turns.
pub(super) fn differences(conversation: &Conversation, again: &Conversation) -> Map {
    let mut ours = Map::new();
    let mut put = |key: &str, value: Value| ours.insert(key.to_owned(), value);
    if conversation.id != again.id {
        put("id", conversation.id.clone().into());
    }
    if conversation.title != again.title {
        put("title", conversation.title.clone().into());
    }
    if conversation.kind != again.kind {
        put("type", conversation.kind.clone().into());
    }
    if conversation.time != again.time {
        put("time", written(&conversation.time));
    }
    if conversation.updated != again.updated {
        put("updated", written(&conversation.updated));
    }
    if conversation.languages != again.languages {
        put("languages", conversation.languages.clone().into());
    }
    if conversation.speculative_languages != again.speculative_languages {
        put("speculative_languages", conversation.speculative_languages.clone().into());
    }
    if conversation.tags != again.tags {
        put("tags", conversation.tags.clone().into());
    }
    if conversation.excluded_from_search {
        put("unfound", true.into());
    }
    if let Some(channel) = &conversation.channel {
        put("channel", json::value(channel));
    }
    if conversation.preface != again.preface {
        put("preface", conversation.preface.clone().into());
    }
    if conversation.extra != again.extra {
        put("extra", conversation.extra.clone().into());
    }
    if conversation.unpublished != again.unpublished {
        put(key::ASIDE, conversation.unpublished.clone().into());
    }
    if conversation.participants != again.participants || !ours.is_empty() {
        ours.insert("participants".to_owned(), json::value(&conversation.participants));
    }
    ours
}

/// Returns the differences between a turn and the one that was read back, except for its id.
pub(super) fn turn_differences(turn: &Turn, again: &Turn) -> Map {
    let mut ours = Map::new();
    let mut put = |key: &str, value: Value| ours.insert(key.to_owned(), value);
    if turn.speaker != again.speaker {
        put("speaker", turn.speaker.clone().into());
    }
    if turn.time != again.time {
        put("time", written(&turn.time));
    }
    if let Some(offset) = &turn.offset {
        put("offset", offset.clone().into());
    }
    if turn.pending {
        put("pending", true.into());
    }
    if turn.withheld {
        put("withheld", true.into());
    }
    if let Some(usage) = &turn.usage {
        put("usage", json::value(usage));
    }
    if let Some(message) = &turn.message {
        put("message", json::value(message));
    }
    if turn.extra != again.extra {
        put(key::FIELDS, turn.extra.clone().into());
    }
    // A different turn time changes how the times of its parts are read.
    if turn.unpublished != again.unpublished || turn.time != again.time {
        put(key::ASIDE, turn.unpublished.clone().into());
    }
    if turn.blocks != again.blocks {
        ours.insert("blocks".to_owned(), blocks(&turn.blocks, &again.blocks));
    }
    ours
}

fn written(time: &Option<Time>) -> Value {
    time.as_ref().map(Time::as_written).into()
}

/// Returns the hash of a part of a turn as it was read back.
fn hash(part: &impl Serialize) -> String {
    Hash::of(&json::value(part).to_string()).short(12)
}

/// Describes the blocks of a turn relative to those that were read back: by the index of an identical one,
/// or by the differences from one.
fn blocks(blocks: &[Block], again: &[Block]) -> Value {
    let Some(places) = places(blocks, again.len()) else {
        let whole = blocks.iter().map(json::value).collect::<Vec<_>>();
        return serde_json::json!({ "was": hash(&again), "all": whole });
    };
    let row = |(block, place): (&Block, usize)| {
        let other = &again[place];
        if block == other {
            return place.into();
        }
        let (new, old) = (json::value(block), json::value(other));
        let mut row = Map::new();
        row.insert("at".to_owned(), place.into());
        row.insert("was".to_owned(), hash(other).into());
        if let (Value::Object(new), Value::Object(old)) = (new, old) {
            let gone = old.keys().filter(|key| !new.contains_key(*key)).cloned();
            let gone: Vec<String> = gone.collect();
            if !gone.is_empty() {
                row.insert("unset".to_owned(), gone.into());
            }
            let set = new.into_iter().filter(|(key, value)| old.get(key) != Some(value));
            row.insert("set".to_owned(), set.collect::<Map>().into());
        }
        row.into()
    };
    blocks.iter().zip(places).map(row).collect::<Vec<Value>>().into()
}

/// Returns the index at which each block is read back; `None` if a block has none or several. Attachments
/// come after all other blocks.
fn places(blocks: &[Block], count: usize) -> Option<Vec<usize>> {
    let is_attached = |block: &&Block| matches!(block, Block::Attachment(_));
    let is_plain = |block: &Block| !matches!(block, Block::Tool(call) if call.name.is_empty());
    if count != blocks.len() || !blocks.iter().all(is_plain) {
        return None;
    }
    let mut attached = count - blocks.iter().filter(is_attached).count();
    let mut others = 0;
    let place = |block: &Block| {
        let next = if is_attached(&block) { &mut attached } else { &mut others };
        *next += 1;
        *next - 1
    };
    Some(blocks.iter().map(place).collect())
}

/// Applies stored differences to a turn, except for its speaker, which was applied before.
pub(super) fn apply_to_turn(mut ours: Map, turn: &mut Turn) {
    match ours.shift_remove("time") {
        Some(Value::Null) => turn.time = None,
        Some(Value::String(time)) => set_time(&mut turn.time, &time),
        _ => {}
    }
    let mut text = |key: &str| ours.shift_remove(key).and_then(string);
    if let Some(id) = text("id").filter(|id| is_fragment(id)) {
        turn.id = id;
    }
    turn.offset = text("offset");
    turn.pending = ours.get("pending") == Some(&Value::Bool(true));
    turn.withheld = visibility::is_set_in(&ours, &["withheld"]);
    if let Some(usage) = ours.shift_remove("usage") {
        let usage: Option<Usage> = serde_json::from_value(usage).ok();
        turn.usage = usage.filter(|usage| !usage.is_empty()).map(Box::new);
    }
    if let Some(message) = ours.shift_remove("message") {
        turn.message = serde_json::from_value(message).ok();
    }
    if let Some(Value::Object(extra)) = ours.shift_remove(key::FIELDS) {
        turn.extra = extra;
    }
    if let Some(Value::Object(aside)) = ours.shift_remove(key::ASIDE) {
        turn.unpublished = aside;
    }
    match ours.shift_remove("blocks") {
        Some(Value::Array(rows)) => turn.blocks = patched(rows, &turn.blocks),
        Some(Value::Object(mut map)) => {
            let is_same = map.get("was").and_then(Value::as_str) == Some(&hash(&turn.blocks));
            if let Some(all) = map.shift_remove("all").filter(|_| is_same)
                && let Ok(blocks) = serde_json::from_value(all)
            {
                turn.blocks = blocks;
            }
        }
        _ => {}
    }
}

/// Returns whether an id may be used in a URL.
fn is_fragment(id: &str) -> bool {
    let fits = |c: char| !c.is_whitespace() && !c.is_control() && !"\"'<>#%".contains(c);
    !id.is_empty() && id.len() <= 200 && id.chars().all(fits)
}

/// Returns blocks according to their descriptions. Blocks without a description were added by hand.
fn patched(rows: Vec<Value>, read: &[Block]) -> Vec<Block> {
    let mut rest: Vec<Option<&Block>> = read.iter().map(Some).collect();
    let mut blocks = Vec::with_capacity(rows.len());
    for row in rows {
        let at = row.as_u64().or_else(|| row.get("at")?.as_u64());
        let at = at.and_then(|at| usize::try_from(at).ok());
        let Some(block) = at.and_then(|at| rest.get_mut(at)?.take()) else { continue };
        blocks.push(change(block, &row).unwrap_or_else(|| block.clone()));
    }
    blocks.extend(rest.into_iter().flatten().cloned());
    blocks
}

/// Applies the differences in a description to a block; returns `None` if the block was edited.
fn change(block: &Block, row: &Value) -> Option<Block> {
    if row.get("was")?.as_str()? != hash(block) {
        return None;
    }
    let Value::Object(mut map) = json::value(block) else { return None };
    for key in row.get("unset").and_then(Value::as_array).into_iter().flatten() {
        map.shift_remove(key.as_str()?);
    }
    map.extend(row.get("set")?.as_object()?.clone());
    serde_json::from_value(map.into()).ok()
}

/// Reads what `extensions` says about the access to the conversation. Ignores keys below convo-site's key
/// that are about turns, which are read separately, and values that the author did not write. Returns
/// `None` if there are no such keys.
pub(super) fn extension_access(extensions: Option<&Value>) -> Option<Vec<AccessSetting>> {
    let Some(Value::Object(extensions)) = extensions else { return None };
    let ours = extensions.get(OWN_KEY)?.as_object()?;
    let discarded = [key::BRANCHES, key::SYSTEM, key::ASIDE];
    if !discarded.iter().any(|key| ours.contains_key(*key)) {
        return None;
    }
    let mut extensions = extensions.clone();
    let detected = ours.clone().into_iter().filter(|(key, _)| !discarded.contains(&&**key));
    extensions.insert(OWN_KEY.to_owned(), detected.collect::<Map>().into());
    let map = [("extensions".to_owned(), extensions.into())].into_iter().collect();
    Some(visibility::read_access_of_map(&map, Scope::Conversation))
}

/// Applies stored differences to a conversation, except for turns. Returns whether the time is known to be
/// absent.
pub(super) fn apply(mut ours: Map, read: &mut Conversation) -> bool {
    let strings = |value: Option<Value>| -> Vec<String> {
        let list = value.and_then(|value| value.as_array().cloned()).unwrap_or_default();
        list.iter().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let mut take = |key: &str| ours.shift_remove(key);
    if let Some(id) = take("id") {
        read.id = string(id);
    }
    if let Some(title) = take("title") {
        read.title = string(title);
    }
    read.kind = take("type").and_then(string);
    let from = take("import").and_then(|mut import| import.get_mut("from")?.take().into());
    read.imported_from = from.and_then(string);
    let time = take("time");
    match &time {
        Some(Value::String(time)) => set_time(&mut read.time, time),
        Some(Value::Null) => read.time = None,
        _ => {}
    }
    if let Some(Value::String(time)) = take("updated") {
        set_time(&mut read.updated, &time);
    }
    read.languages = strings(take("languages"));
    read.speculative_languages = strings(take("speculative_languages"));
    read.tags = strings(take("tags"));
    read.excluded_from_search = take("unfound") == Some(Value::Bool(true));
    // A channel that cannot be read is treated as private.
    read.channel = take("channel").map(|found| {
        let closed = Channel { is_direct: true, ..Channel::default() };
        serde_json::from_value(found).unwrap_or(closed)
    });
    read.preface = take("preface").and_then(string).unwrap_or_default();
    if let Some(Value::Object(extra)) = take("extra") {
        read.extra = extra;
    }
    if let Some(Value::Object(aside)) = take(key::ASIDE) {
        read.unpublished = aside;
    }
    if let Some(Value::Array(list)) = take("participants") {
        read.participants = list.into_iter().filter_map(participant).collect();
        // Every speaker is a participant, even if the list does not say so.
        let speakers: Vec<String> = read.all_turns().map(|turn| turn.speaker.clone()).collect();
        speakers.iter().for_each(|name| read.introduce(name, Kind::guess(name)));
    }
    matches!(time, Some(Value::Null))
}

fn set_time(to: &mut Option<Time>, text: &str) {
    if let Ok((time, _)) = Time::parse(text) {
        *to = Some(time);
    }
}

pub(super) fn string(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

fn participant(value: Value) -> Option<Participant> {
    let Value::Object(mut map) = value else { return None };
    let mut text = |key: &str| map.shift_remove(key).and_then(string);
    let name = text("name")?;
    let kind = Kind::parse(&text("kind")?)?;
    let model = text("model");
    let extra = match map.shift_remove("extra") {
        Some(Value::Object(extra)) => extra,
        _ => Map::new(),
    };
    Some(Participant { model, extra, ..Participant::new(name, kind) })
}
