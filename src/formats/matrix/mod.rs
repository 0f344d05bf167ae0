//! Matrix rooms exported by Element as JSON.
//!
//! ```text
//! {"room_name": "The mill", "room_creator": "@ada:example.org", "topic": "…", "exported_by": "…", "messages": [
//!   {"type": "m.room.message", "event_id": "$1", "sender": "@ada:example.org", "origin_server_ts": 1772359200000,
//!    "content": {"msgtype": "m.text", "body": "Hello", "formatted_body": "<b>Hello</b>"}},
//!   {"type": "m.reaction", "content": {"m.relates_to": {"rel_type": "m.annotation", "event_id": "$1", "key": "👍"}}}, …]}
//! ```
//!
//! [`content`] reads the content of events, [`names`] finds the names of accounts, and [`mod@room`]
//! applies edits and reactions to their messages.

mod content;
mod names;
mod room;

use std::ops::Range;

use self::room::Room;
use super::{About, Claim, File, Format, Parsed, Probe, Read};
use crate::shared::agents::thread::{Context, each_message, read_long};
use crate::shared::json::object::Object;
use crate::shared::people::channel::assemble;
use convo_base::json;
use convo_base::model::{Channel, Conversation, Split, turn_id};

pub(super) const FORMAT: Format = Format {
    name: "matrix",
    title: "Matrix room",
    source_label: "Matrix",
    between_people: true,
    has_typed_prompts: false,
    about: About {
        what: "A Matrix room, exported by Element.",
        find: "In Element: the name of a room › Export chat, with the format JSON.",
        reads: "Messages with their times, names, formatting and edits, replies, threads, \
                reactions, polls, who joined and left, new names and topics of the room; files by \
                name; a placeholder for messages that could not be decrypted.",
        leaves_out: "Accounts, avatars, servers, places and room bookkeeping. Withheld until a \
                     `[[source]]` sets `visibility = \"public\"`; rooms of two people, and rooms \
                     that need an invitation, also need `direct_messages = true`.",
    },
    read: Some(Read::new(claims, parse)),
    write: None,
};

const MESSAGES: &str = "messages";

fn claims(probe: &Probe<'_>) -> Claim {
    let text = probe.text;
    if !text.trim_start().starts_with('{') {
        return Claim::No;
    }
    let messages = probe.value(MESSAGES).filter(|list| list.starts_with('['));
    let is_event = messages.is_some_and(|list| {
        let first = json::keys(list);
        let has = |name: &str| first.iter().any(|(key, _)| *key == name);
        has("origin_server_ts") || first.is_empty()
    });
    match probe.value("room_name").is_some() && is_event && messages.is_some() {
        true => Claim::Signature,
        false => Claim::No,
    }
}

fn parse(files: &[File]) -> Parsed {
    read_long(&[], MESSAGES, files, room)
}

fn room(
    mut object: Object<'_>,
    long: Option<Range<usize>>,
    context: &mut Context<'_>,
) -> Option<Conversation> {
    let private = object.holds_back("private", &[MESSAGES], context.notes);
    let mut read = Conversation { private, ..Conversation::default() };
    let name = object.text("room_name", context.notes).unwrap_or_default();
    let mut room = Room::default();
    let is_whole = each_message(&mut object, MESSAGES, long, context, &mut |event, context| {
        room.event(event, context);
    });
    if !is_whole {
        return None;
    }
    let (id, is_direct) = (room.id.clone(), room.is_direct());
    let (messages, mut contacts) = room.done(&mut read, context.tally);
    assemble(&mut read, messages, &mut contacts, context.notes);
    read.id = id.map(|id| {
        let id = turn_id(&id);
        format!("matrix-{id}")
    });
    read.title = (!name.is_empty()).then(|| name.clone());
    read.channel = Some(Channel { name, is_direct, split: Split::Day });
    Some(read)
}
