//! Marks in the objects of a turn: its parts, and whatever is in them.

use super::has_own_mark;
use super::keys::{Key, plain};
use super::settings::is_held_back_by;
use convo_base::json::{self, Map, Value};

/// Returns whether an object in a turn is marked as not to be shown, at any depth. The parts that hold
/// the text of a turn follow the rule for turns; in other objects, such as a file, only clear keys
/// count. The values of the keys `but` are ignored at every depth.
pub(crate) fn has_marked_part(turn: &Map, but: &[&str]) -> bool {
    turn.iter().any(|(key, value)| {
        let holds_objects = value.is_object() || value.is_array();
        holds_objects && !but.contains(&key.as_str()) && is_marked_below(key, value, but)
    })
}

fn is_marked_below(key: &str, value: &Value, but: &[&str]) -> bool {
    let name = plain(key);
    let is = |names: &[&str]| names.contains(&name.as_str());
    !is(&GIVEN) && !is(&TURNS) && is_any_marked(value, is(&PARTS), but)
}

fn is_any_marked(value: &Value, is_part: bool, but: &[&str]) -> bool {
    match value {
        Value::Array(list) => list.iter().any(|value| is_any_marked(value, is_part, but)),
        Value::Object(map) => {
            let is_marked = match is_part {
                true => has_own_mark(map, &[]),
                false => map.iter().any(|(key, value)| is_clear_mark(key, value)),
            };
            is_marked || has_marked_part(map, but)
        }
        _ => false,
    }
}

/// Returns whether a key with a scalar value is a mark in any object.
pub(crate) fn is_clear_mark(key: &str, value: &Value) -> bool {
    Key::is_clear(key) && is_held_back_by(key, value)
}

/// Returns whether a document that is a single object is marked as private, in the object itself or in an
/// object of turns in it.
pub(crate) fn is_document_marked(text: &str) -> bool {
    let may_be_marked = || CLEAR_WORDS.iter().any(|word| text.contains(word));
    if !text.trim_start().starts_with('{') || !may_be_marked() {
        return false;
    }
    let members = json::keys(text);
    let is_marked = |members: &[(&str, &str)]| {
        members.iter().any(|(key, value)| {
            let value = json::parse(value).map_or(Value::Null, |(value, _)| value);
            is_clear_mark(key, &value)
        })
    };
    let is_single = members.last().is_some_and(|(_, value)| {
        let end = value.as_ptr() as usize - text.as_ptr() as usize + value.len();
        text.get(end..).is_some_and(|rest| rest.trim() == "}")
    });
    let of_turns = members
        .iter()
        .filter(|(key, value)| value.starts_with('{') && TURNS.contains(&plain(key).as_str()));
    let mut of_turns = of_turns.map(|(_, value)| json::keys(value));
    is_single && (is_marked(&members) || of_turns.any(|members| is_marked(&members)))
}

/// Parts of the keys that are marks in any object.
const CLEAR_WORDS: [&str; 7] =
    ["rivate", "RIVATE", "onfidential", "nlisted", "isibility", "rivacy", "RIVACY"];

/// Returns whether a map of turns by their ids, below `key` of a conversation, has a mark in place of a
/// turn. It applies to all of them.
pub(crate) fn is_marked_map(key: &str, value: &Value) -> bool {
    let map = value.as_object().filter(|_| TURNS.contains(&plain(key).as_str()));
    map.into_iter().flatten().any(|(key, value)| is_clear_mark(key, value))
}

/// Normalised keys of what a tool was given. Keys in it are content.
const GIVEN: [&str; 8] =
    ["args", "arguments", "input", "parameters", "parsedargs", "params", "rawinput", "toolinput"];

/// Normalised keys of other turns, whose marks are their own.
const TURNS: [&str; 14] = [
    "alternatives", "bubbles", "chatmessages", "chats", "children", "comments", "conversations",
    "history", "mapping", "messages", "poststream", "replies", "responses", "tabs",
];

/// Normalised keys of the parts that hold the text of a turn, in all formats.
const PARTS: [&str; 53] = [
    "action", "agent", "attachments", "canvas", "codeexecutionresult", "codeexecutions", "content",
    "contentblocks", "contentchunks", "contentitems", "displaycontent", "err", "error",
    "executablecode", "file", "filedata", "files", "findings", "fragments", "functioncall",
    "functionresponse", "image", "imageurl", "inlinedata", "invocation", "item", "mention",
    "merged", "message", "ok", "output", "outputs", "parts", "quotes", "rawcontent", "result",
    "resultdisplay", "reviewoutput", "safehtmlitem", "segments", "steps", "summary", "summarytext",
    "text", "think", "thinking", "thoughts", "toolcall", "toolcallrequest", "toolcalls",
    "toolresults", "tooluses", "versions",
];
