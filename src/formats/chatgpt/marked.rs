//! What people write beside the keys of ChatGPT to say who may read something.

use super::super::visibility::{self, Scope, hear_map};
use super::message::{Message, object};
use crate::json::Map;

/// Keys of a message that ChatGPT writes, none of which says who may read it.
const KEYS: [&str; 11] = [
    "id",
    "author",
    "create_time",
    "update_time",
    "content",
    "status",
    "end_turn",
    "weight",
    "metadata",
    "recipient",
    "channel",
];
/// Objects in a message that are full of the keys of ChatGPT.
const INSIDE: [&str; 3] = ["metadata", "content", "author"];
/// What the keys there have in them that people write. ChatGPT has none of these.
const WORDS: [&str; 5] =
    ["private", "visibility", "confidential", "unlisted", "unpublished"];

/// Returns whether a person marked a message as private.
pub(super) fn is_left_out(message: Message<'_>) -> bool {
    let is_inside = |key: &&str| {
        let Some(map) = object(message.map(), key) else { return false };
        let is_word = |key: &String| {
            let key = key.to_lowercase();
            WORDS.iter().any(|word| key.contains(word))
        };
        let own: Map = map
            .iter()
            .filter(|(key, _)| is_word(key))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        holds_back(&own)
    };
    is_marked(message.map(), &KEYS) || INSIDE.iter().any(is_inside)
}

/// Returns whether what stands in an object beside `known` keys marks it as private.
pub(super) fn is_marked(map: &Map, known: &[&str]) -> bool {
    holds_back(&own_marks(map, known))
}

fn holds_back(own: &Map) -> bool {
    !own.is_empty() && visibility::holds_back(&hear_map(own, Scope::Turn))
}

/// Returns what people may have written beside the keys of ChatGPT.
pub(super) fn own_marks(map: &Map, known: &[&str]) -> Map {
    let own = map.iter().filter(|(key, value)| {
        !known.contains(&key.as_str()) && (!value.is_null() || *key == "private")
    });
    own.map(|(key, value)| (key.clone(), value.clone())).collect()
}
