//! A message of a chat.

use super::Chat;
use super::files::files;
use super::latin::undone;
use crate::shared::agents::thread::{Context, first, text, whole};
use crate::shared::json::object::Object;
use crate::shared::people::channel::{Message, Prose, event_block, notices, plain, react};
use crate::shared::text::dates::of_value;
use convo_base::diag::Severity;
use convo_base::json::{Map, Value};
use convo_base::model::{Block, Kind};

/// Marks of messages that were unsent or removed.
const GONE: [&str; 3] = ["isunsent", "unsent", "istakendown"];

/// Message types in exports of all years.
const KINDS: [&str; 14] = [
    "", "Generic", "Share", "Call", "Payment", "Plan", "Subscribe", "Unsubscribe", "text", "media",
    "link", "placeholder", "share", "call",
];

impl Chat {
    /// Reads a message.
    pub(super) fn message(&mut self, object: Object<'_>, context: &mut Context<'_>) -> Message {
        let mut message = Message::at(&object, context);
        let map = object.copy();
        let sender = first(&map, &["sender_name", "senderName"]).unwrap_or_default();
        let sender = undone(sender);
        message.sender = self.contacts.name(&sender).into_owned();
        let key = if map.contains_key("timestamp_ms") { "timestamp_ms" } else { "timestamp" };
        message.time = map.get(key).and_then(of_value);
        if message.time.is_none() {
            let words = format!("`{}{key}` is not a valid time", object.name());
            context.notes.push(object.note(Severity::Warning, "bad-time", key, words));
        }
        let reactions = map.get("reactions").and_then(Value::as_array);
        for reaction in reactions.into_iter().flatten().filter_map(Value::as_object) {
            let emoji = text(reaction, "reaction").unwrap_or(":emoji:");
            react(&mut message.reactions, &undone(emoji), 1);
        }
        let content = undone(first(&map, &["content", "text"]).unwrap_or_default());
        notices::each_other(&content, &message.sender, &mut |name| {
            self.read.introduce(name, Kind::Person);
        });
        message.blocks = match object.is_set(&GONE) {
            true => vec![event_block("deleted", "")],
            false => self.blocks(&map, context),
        };
        if message.blocks.is_empty() {
            context.tally.not_shown("message without text", "messages without text");
        }
        message
    }

    fn blocks(&mut self, map: &Map, context: &mut Context<'_>) -> Vec<Block> {
        let content = first(map, &["content", "text"]).unwrap_or_default();
        let content = undone(content);
        let kind = text(map, "type").unwrap_or_default();
        if !KINDS.contains(&kind) {
            context.tally.unknown_skipped(kind);
            return Vec::new();
        }
        let mut blocks = Vec::new();
        if let Some(seconds) = whole(map.get("call_duration")) {
            let length = match seconds {
                0 => String::new(),
                seconds => format!("{}:{:02} minutes", seconds / 60, seconds % 60),
            };
            return vec![event_block("call", length)];
        }
        let users = map.get("users").and_then(Value::as_array);
        for name in users.into_iter().flatten().filter_map(|who| text(who.as_object()?, "name")) {
            let name = self.contacts.name(&undone(name)).into_owned();
            self.read.introduce(&name, Kind::Person);
        }
        match kind {
            "Subscribe" => blocks.push(event_block("joined", &*content)),
            "Unsubscribe" => blocks.push(event_block("left", &*content)),
            _ => blocks.extend(plain(&content)),
        }
        blocks.extend(files(map, &self.path, context.tally));
        blocks
            .extend(map.get("share").and_then(Value::as_object).and_then(|it| share(it, &content)));
        blocks
    }
}

/// Reads shared content: its link, unless that was also typed, and its text.
fn share(share: &Map, content: &str) -> Option<Block> {
    let mut prose = Prose::default();
    if let Some(link) = text(share, "link").filter(|link| !content.contains(link)) {
        prose.link(link, link);
    }
    if let Some(words) = text(share, "share_text") {
        prose.quote(&undone(words));
    }
    prose.done()
}
