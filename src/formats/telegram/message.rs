//! A message of a chat.

use super::media::media;
use super::names::name;
use super::service::service;
use super::text::text;
use crate::shared::agents::thread::{Context, text as word, whole, words};
use crate::shared::json::object::Object;
use crate::shared::people::channel::{Contacts, Message, event_block, react};
use crate::shared::tally::Tally;
use crate::shared::text::dates::of_value;
use convo_base::json::{Map, Value};
use convo_base::model::{Conversation, Kind, Reaction};
use convo_base::time::Time;

/// Marks of messages that disappear after a while.
const PASSING: [&str; 4] = ["selfdestructperiodseconds", "ttlperiod", "ttlseconds", "selfdestruct"];

/// What is known about a chat.
pub(super) struct Chat<'a> {
    pub(super) name: &'a str,
    /// The bot of the chat, if it is one with a bot.
    pub(super) bot: Option<&'a str>,
}

impl Chat<'_> {
    /// Reads a message. People who are only named are added to `read` as participants.
    pub(super) fn message(
        &self,
        object: Object<'_>,
        read: &mut Conversation,
        contacts: &mut Contacts,
        context: &mut Context<'_>,
    ) -> Message {
        let mut message = Message::at(&object, context);
        let map = object.copy();
        message.id = map.get("id").and_then(words).unwrap_or_default();
        message.time = sent_time(&object, &map, context);
        let kind = map.get("type").and_then(Value::as_str).unwrap_or("message");
        match kind {
            "message" => {}
            "service" => {
                let block = service(&map, read, contacts, context.tally);
                return Message { blocks: block.into_iter().collect(), ..message };
            }
            "unsupported" => {
                let block =
                    event_block("unsupported", "A message of a newer type that was not exported");
                return Message { blocks: vec![block], ..message };
            }
            other => {
                context.tally.unknown_skipped(other);
                return message;
            }
        }
        message.sender = name(&map, "from", contacts).unwrap_or_else(|| self.name.to_owned());
        // Messages sent as a channel or as the group itself have no personal sender.
        let is_channel = word(&map, "from_id").is_some_and(|id| id.starts_with("channel"));
        message.is_bot = is_channel || self.bot == Some(&message.sender);
        message.is_edited = map.contains_key("edited") || map.contains_key("edited_unixtime");
        // A reply to a message in another chat has no target here.
        let is_elsewhere = map.contains_key("reply_to_peer_id");
        message.answers = map.get("reply_to_message_id").filter(|_| !is_elsewhere).and_then(words);
        message.reactions = reactions(&map, context.tally);
        message.is_withheld |= object.is_set(&PASSING);
        if map.contains_key("forwarded_from") {
            message.blocks.push(event_block("forwarded", forwarded(&map, read, contacts)));
        }
        message.blocks.extend(media(&map, contacts, context.tally));
        message.blocks.extend(text(&map, contacts, context.tally));
        if message.blocks.is_empty() {
            context.tally.not_shown("message without text", "messages without text");
        }
        message
    }
}

/// Returns when a message was sent. `date` is in the time zone of the exporting device, which the
/// export does not name.
fn sent_time(object: &Object<'_>, map: &Map, context: &mut Context<'_>) -> Option<Time> {
    let key = ["date_unixtime", "date"].into_iter().find(|key| map.contains_key(*key))?;
    let found = of_value(&map[key]);
    if found.is_none() {
        let message = format!("`{}{key}` is not a valid time", object.name());
        let severity = convo_base::diag::Severity::Warning;
        context.notes.push(object.note(severity, "bad-time", key, message));
    }
    found
}

fn forwarded(map: &Map, read: &mut Conversation, contacts: &mut Contacts) -> String {
    let id = word(map, "forwarded_from_id").unwrap_or_default();
    match name(map, "forwarded_from", contacts) {
        Some(name) => {
            // Public channels have public names.
            if !id.starts_with("channel") {
                read.introduce(&name, Kind::Person);
            }
            format!("Forwarded from {name}")
        }
        None => "Forwarded".to_owned(),
    }
}

fn reactions(map: &Map, tally: &mut Tally) -> Vec<Reaction> {
    let mut all = Vec::new();
    let list = map.get("reactions").and_then(Value::as_array);
    for reaction in list.into_iter().flatten().filter_map(Value::as_object) {
        let emoji = match word(reaction, "type") {
            Some("paid") => "⭐",
            Some(kind) if !["emoji", "custom_emoji"].contains(&kind) => {
                tally.unknown_skipped(kind);
                continue;
            }
            _ => word(reaction, "emoji").unwrap_or(":emoji:"),
        };
        react(&mut all, emoji, whole(reaction.get("count")).unwrap_or(1));
    }
    all
}
