//! The events of a room, combined: applies edits and reactions to messages, and names to accounts.

use std::collections::{HashMap, HashSet};

use super::content::{content, poll};
use super::names::Names;
use crate::shared::access::visibility::{self, Field, Public};
use crate::shared::agents::thread::{Context, text};
use crate::shared::json::object::Object;
use crate::shared::people::channel::{Contacts, Message, event_block, react};
use crate::shared::tally::Tally;
use crate::shared::text::dates::of_value;
use convo_base::diag::Severity;
use convo_base::json::{Map, Step, Value};
use convo_base::model::{Block, Conversation, Kind};

/// Events about the operation of a room.
const BOOKKEEPING: [&str; 19] = [
    "m.room.create",
    "m.room.power_levels",
    "m.room.join_rules",
    "m.room.history_visibility",
    "m.room.guest_access",
    "m.room.encryption",
    "m.room.avatar",
    "m.room.canonical_alias",
    "m.room.aliases",
    "m.room.server_acl",
    "m.room.related_groups",
    "m.room.pinned_events",
    "m.room.third_party_invite",
    "m.space.parent",
    "m.space.child",
    "m.poll.response",
    "m.poll.end",
    "org.matrix.msc3381.poll.response",
    "org.matrix.msc3381.poll.end",
];

/// A room that is being read.
#[derive(Default)]
pub(super) struct Room {
    pub(super) id: Option<String>,
    names: Names,
    events: Vec<Event>,
    /// Whether it is a direct chat or needs an invitation.
    is_direct: bool,
    /// Whether it says that everybody may join.
    is_open: bool,
    /// The ids of redacted events.
    redacted: HashSet<String>,
    edits: Vec<Edit>,
    /// Reactions: the message, the emoji, and the id of the reaction.
    reactions: Vec<(String, String, String)>,
}

/// An edit of a message.
struct Edit {
    id: String,
    target: String,
    sender: String,
    /// Milliseconds since the Unix epoch.
    time: f64,
    is_withheld: bool,
    content: Map,
}

/// A visible event.
struct Event {
    message: Message,
    kind: String,
    map: Map,
}

/// The field in which the join rules of a room say who can read it.
const JOIN_FIELDS: [Field<'_>; 1] = [Field::always(&["joinrule"], Public::Words(&["public"]))];
/// The field in which an invitation says whether the room is a direct chat.
const MEMBER_FIELDS: [Field<'_>; 1] = [Field::optional(&["isdirect"], Public::False)];

impl Room {
    /// Returns whether it is restricted, or does not say who may read it.
    pub(super) fn is_direct(&self) -> bool {
        self.is_direct || !self.is_open
    }

    /// Adds an event.
    pub(super) fn event(&mut self, object: Object<'_>, context: &mut Context<'_>) {
        let mut message = Message::at(&object, context);
        let map = object.copy();
        let kind = text(&map, "type").unwrap_or_default().to_owned();
        if let Some(id) = text(&map, "room_id") {
            self.id.get_or_insert_with(|| id.to_owned());
        }
        let empty = Map::new();
        let content = map.get("content").and_then(Value::as_object).unwrap_or(&empty);
        message.is_withheld |= visibility::is_marked(content);
        if kind == "m.room.member" {
            let account = text(&map, "state_key").or(text(&map, "sender"));
            let name = text(content, "displayname");
            self.names.record(account.unwrap_or_default(), name.unwrap_or_default());
        }
        match kind.as_str() {
            "m.room.member" => {
                let at = object.place(&[Step::Key("content")]);
                let content = &object.source()[at];
                self.is_direct |= !visibility::is_public(content, &MEMBER_FIELDS);
            }
            "m.room.join_rules" => {
                let at = object.place(&[Step::Key("content")]);
                let is_open = visibility::is_public(&object.source()[at], &JOIN_FIELDS);
                self.is_direct |= !is_open;
                self.is_open |= is_open;
            }
            _ => {}
        }
        if kind == "m.room.redaction" {
            let targets = [text(&map, "redacts"), text(content, "redacts")];
            self.redacted.extend(targets.into_iter().flatten().map(str::to_owned));
            context.tally.not_shown("message deletion", "message deletions");
            return;
        }
        let id = text(&map, "event_id").unwrap_or_default().to_owned();
        let relation = content.get("m.relates_to").and_then(Value::as_object);
        let target = relation.and_then(|of| text(of, "event_id")).map(str::to_owned);
        match (relation.and_then(|of| text(of, "rel_type")), target) {
            (Some("m.replace"), Some(target)) => {
                let new = content.get("m.new_content").and_then(Value::as_object);
                let time = map.get("origin_server_ts").and_then(Value::as_f64);
                if let Some(new) = new.filter(|_| !is_redacted(&map)) {
                    self.edits.push(Edit {
                        id,
                        target,
                        sender: text(&map, "sender").unwrap_or_default().to_owned(),
                        time: time.unwrap_or(f64::MIN),
                        is_withheld: message.is_withheld,
                        content: new.clone(),
                    });
                }
                return;
            }
            (Some("m.annotation"), Some(target)) => {
                let key = relation.and_then(|of| text(of, "key")).unwrap_or(":emoji:");
                // The key of a picture is its address on a server.
                let key = if key.starts_with("mxc:") { ":emoji:" } else { key };
                if !message.is_withheld && !is_redacted(&map) {
                    self.reactions.push((target, key.to_owned(), id));
                }
                return;
            }
            (Some("m.thread"), target) => message.thread = target,
            _ => {}
        }
        if BOOKKEEPING.contains(&kind.as_str()) {
            context.tally.not_shown("room bookkeeping event", "room bookkeeping events");
            return;
        }
        let answers =
            relation.and_then(|of| text(of.get("m.in_reply_to")?.as_object()?, "event_id"));
        let is_fallback =
            relation.and_then(|of| of.get("is_falling_back")) == Some(&Value::Bool(true));
        message.answers = answers.filter(|_| !is_fallback).map(str::to_owned);
        message.id = id;
        message.time = map.get("origin_server_ts").and_then(of_value);
        if message.time.is_none() {
            let key = "origin_server_ts";
            let words = format!("`{}{key}` is not a valid time", object.name());
            context.notes.push(object.note(Severity::Warning, "bad-time", key, words));
        }
        self.events.push(Event { message, kind, map });
    }

    /// Returns the messages, with names.
    pub(super) fn done(
        mut self,
        read: &mut Conversation,
        tally: &mut Tally,
    ) -> (Vec<Message>, Contacts) {
        self.names.settle();
        let mut contacts = Contacts::default();
        let mut reactions: HashMap<String, Vec<String>> = HashMap::new();
        for (target, key, id) in self.reactions {
            if !self.redacted.contains(&id) {
                reactions.entry(target).or_default().push(key);
            }
        }
        // The newest edit by the author counts.
        self.edits.sort_by(|a, b| a.time.total_cmp(&b.time));
        let mut edits: HashMap<(String, String), Edit> = HashMap::new();
        for edit in self.edits {
            if !self.redacted.contains(&edit.id) {
                edits.insert((edit.target.clone(), edit.sender.clone()), edit);
            }
        }
        let mut messages = Vec::with_capacity(self.events.len());
        for Event { mut message, kind, map } in self.events {
            let account = text(&map, "sender").unwrap_or_default();
            let sender = contacts.name(self.names.of(account)).into_owned();
            let empty = Map::new();
            let content_map = map.get("content").and_then(Value::as_object).unwrap_or(&empty);
            let edit = edits.get(&(message.id.clone(), account.to_owned()));
            message.is_withheld |= edit.is_some_and(|edit| edit.is_withheld);
            let edit = edit.map(|edit| &edit.content);
            let is_gone = self.redacted.contains(&message.id)
                || is_redacted(&map)
                || kind == "m.room.message" && content_map.is_empty();
            for key in reactions.remove(&message.id).unwrap_or_default() {
                react(&mut message.reactions, &key, 1);
            }
            let alone = |block: Block| (String::new(), vec![block]);
            let (sender, blocks) = match kind.as_str() {
                _ if is_gone && !kind.starts_with("m.room.member") => {
                    (sender, vec![event_block("deleted", "")])
                }
                "m.room.message" | "m.sticker" => {
                    message.is_edited = edit.is_some();
                    message.is_bot = text(content_map, "msgtype") == Some("m.notice");
                    (sender, content(edit.unwrap_or(content_map), &self.names, tally))
                }
                "m.room.encrypted" => (
                    sender,
                    vec![event_block("undecrypted", "A message that could not be decrypted")],
                ),
                "m.poll.start" | "org.matrix.msc3381.poll.start" => {
                    (sender, poll(content_map, &self.names).into_iter().collect())
                }
                "m.room.name" => {
                    read.introduce(&sender, Kind::Person);
                    let name = text(content_map, "name").unwrap_or_default();
                    alone(event_block("renamed", format!("{sender} named the room “{name}”")))
                }
                "m.room.topic" => {
                    read.introduce(&sender, Kind::Person);
                    let topic = self.names.in_text(text(content_map, "topic").unwrap_or_default());
                    alone(event_block("topic", format!("{sender} set the topic: {topic}")))
                }
                "m.room.member" => {
                    let account = text(&map, "state_key").unwrap_or(account);
                    let who = contacts.name(self.names.of(account)).into_owned();
                    let Some((kind, words)) = membership(content_map, &map) else {
                        tally.not_shown("name or picture change", "name or picture changes");
                        continue;
                    };
                    read.introduce(&who, Kind::Person);
                    alone(event_block(kind, format!("{who} {words}")))
                }
                kind if kind.starts_with("m.call.") || kind.contains("call.") => {
                    if !kind.ends_with("invite") && !kind.ends_with("hangup") {
                        tally.not_shown("call signal", "call signals");
                        continue;
                    }
                    let what = if kind.ends_with("invite") { "started" } else { "ended" };
                    (sender, vec![event_block("call", what)])
                }
                other => {
                    tally.unknown_skipped(other);
                    continue;
                }
            };
            messages.push(Message { sender, blocks, ..message });
        }
        self.names.introduce(read);
        (messages, contacts)
    }
}

/// Returns whether an event is marked as redacted.
fn is_redacted(map: &Map) -> bool {
    let unsigned = map.get("unsigned").and_then(Value::as_object);
    [Some(map), unsigned].into_iter().flatten().any(|own| {
        own.contains_key("redacted_because")
            || visibility::is_set_in(own, &["redactedby", "redacted", "isredacted"])
    })
}

/// Returns the event kind and text of a membership change; `None` if nobody came or left.
fn membership(content: &Map, map: &Map) -> Option<(&'static str, &'static str)> {
    let before = ["prev_content"].iter().find_map(|key| map.get("unsigned")?.get(*key));
    let before = before.and_then(|of| of.get("membership")?.as_str()).unwrap_or_default();
    let is_own = map.get("sender") == map.get("state_key");
    Some(match text(content, "membership")? {
        "join" if before == "join" => return None,
        "join" => ("joined", "joined"),
        "leave" if is_own => ("left", "left"),
        "leave" => ("left", "was removed"),
        "ban" => ("left", "was banned"),
        "invite" => ("joined", "was invited"),
        "knock" => ("joined", "asked to join"),
        _ => return None,
    })
}
