//! Converts a message to a turn.

use super::extension_data;
use super::message::Message;
use convo_base::json::{Map, Value};
use convo_base::model::{Block, Turn};
use convo_base::time::Time;

/// Returns the turn, including the unpublished values of its blocks and the values under convo-site's key.
pub(super) fn finish(message: Message) -> Turn {
    let Message { mut turn, passthrough, ours, .. } = message;
    // The times of blocks are compared with this one.
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
    extension_data::apply_to_turn(ours, &mut turn);
    turn
}
