//! The export of a Skype account or a personal Teams account: one file for all chats.
//!
//! ```text
//! { "userId": "8:wren", "exportDate": "2026-03-07T12:00", "conversations": [
//!   { "id": "19:abc@thread.v2", "displayName": null, "threadProperties": { "topic": "Quay" },
//!     "MessageList": [ { "id": "1772647205000", "displayName": "Wren", "from": "8:wren",
//!       "originalarrivaltime": "2026-03-04T18:00:05.000Z", "messagetype": "RichText/Html",
//!       "content": "<p>Hello</p>" } ] } ] }
//! ```
//!
//! The newest message comes first.

mod content;
mod message;

use super::{About, Claim, File, Format, Parsed, Probe, Read};
use crate::shared::access::visibility::{self, Field, Public};
use crate::shared::json::long_list::each_element;
use crate::shared::json::object::{Object, text};
use crate::shared::json::records::{Record, records_without};
use crate::shared::people::channel::{Members, Message, assemble};
use crate::shared::tally::EMPTY;
use crate::shared::tally::Tally;
use convo_base::diag::{Lines, Note};
use convo_base::json::{self, Map, Step, Value};
use convo_base::model::{Channel, Conversation, Kind, Place, Split};

pub(super) const FORMAT: Format = Format {
    name: "teams",
    title: "Skype or Teams export",
    source_label: "Teams",
    between_people: true,
    has_typed_prompts: false,
    about: About {
        what: "The export of a Skype account, or of a personal Teams account.",
        find: "At secure.skype.com/en/data-export, or in the privacy settings of a Microsoft \
               account. Put the file `messages.json` of the archive into the content folder.",
        reads: "Every chat: formatted text, quotations, mentions, reactions, edits, calls, and \
                who joined. Each day is a conversation unless `split` of the `[[source]]` says \
                otherwise.",
        leaves_out: "Accounts, contacts, places, deleted messages, and files, which are stored at \
                     Microsoft and listed by name. Withheld until a `[[source]]` sets `visibility \
                     = \"public\"`; chats of two people, and chats without a name, also need \
                     `direct_messages = true`.",
    },
    read: Some(Read::new(claims, parse)),
    write: None,
};

/// The key of the chats.
const LISTS: [&str; 1] = ["conversations"];
/// The key of the messages of a chat.
const MESSAGES: &str = "MessageList";

fn claims(probe: &Probe<'_>) -> Claim {
    let keys = probe.keys();
    let Some((_, chats)) = keys.iter().find(|(key, _)| *key == LISTS[0]) else {
        return Claim::No;
    };
    let has = |name: &str| keys.iter().any(|(key, _)| *key == name);
    let chat = json::keys(chats);
    let list = chat.iter().find(|(key, _)| *key == MESSAGES).map(|(_, list)| *list);
    let message = list.map(json::keys).unwrap_or_default();
    let is_message =
        ["messagetype", "from"].iter().all(|name| message.iter().any(|(key, _)| key == name));
    match list.is_some() && (is_message || has("exportDate") || has("userId")) {
        true => Claim::Signature,
        false => Claim::No,
    }
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    for (index, file) in files.iter().enumerate() {
        let lines = Lines::new(&file.text);
        let (mut tally, mut broken) = (Tally::default(), Vec::new());
        for record in records_without(Some(MESSAGES), file, index, &LISTS, &mut broken) {
            let Record { value: Value::Object(map), at, long } = record else { continue };
            let mut object = Object::new(map, &file.text, index, at);
            let mut list = Vec::new();
            let listed = each_element(
                &mut object,
                MESSAGES,
                long,
                &mut parsed.notes,
                &mut |_, (value, at), _| list.push((value, at)),
            );
            if let Err(note) = listed {
                parsed.notes.push(note);
                continue;
            }
            let read = chat(object, list, &lines, &mut tally, &mut parsed.notes);
            parsed.conversations.extend(read);
        }
        parsed.notes.append(&mut broken);
        parsed.notes.extend(tally.notes().map(|note| note.in_file(index)));
    }
    parsed
}

/// Marks of a chat that was deleted or hidden by its owner.
const GONE: &[&str] = &["isdeleted", "deletetime", "hidden", "ishidden"];

fn chat(
    mut object: Object<'_>,
    list: Vec<(Value, std::ops::Range<usize>)>,
    lines: &Lines<'_>,
    tally: &mut Tally,
    notes: &mut Vec<Note>,
) -> Option<Conversation> {
    let but = [MESSAGES, "properties", "threadProperties"];
    let private =
        object.holds_back("private", &but, notes) || message::properties(&object, GONE).is_gone;
    let mut members = Members::default();
    for (value, _) in &list {
        let from = value.get("from").and_then(Value::as_str).map(account);
        let name = value.get("displayName").and_then(Value::as_str);
        members.add(from.unwrap_or_default(), &[name], false);
    }
    // A chat of two is named after the other person.
    let id = object.get("id").and_then(Value::as_str).map(account);
    if let Some(other) = id.filter(|id| !id.starts_with("19:") && !id.starts_with("48:")) {
        let name = object.get("displayName").and_then(Value::as_str);
        members.add(other, &[name], false);
    }
    let mut messages: Vec<Message> = Vec::new();
    for (value, at) in list {
        let line = lines.line(at.start);
        let place = Place { file: object.file(), line, quoted: true };
        let Value::Object(map) = value else {
            let note = Note::error("wrong-type", at.start..at.start + 1, "not a message object");
            let note = note.in_file(object.file());
            notes.push(note.hint("only this message is skipped"));
            continue;
        };
        let own = object.at(map, at);
        messages.extend(message::read(own, place, &mut members, tally, notes));
    }
    // Of messages with the same time, the first one in the file is the newest.
    messages.reverse();
    let mut read = Conversation { private, ..Conversation::default() };
    assemble(&mut read, messages, &mut members.contacts, notes);
    if read.turns.is_empty() && read.withheld_ids.is_empty() {
        tally.add(EMPTY);
        return None;
    }
    let is_public = is_public(&object);
    let about = object.rest();
    let id = text(&about, "id").unwrap_or_default();
    let topic = about.get("threadProperties").and_then(Value::as_object);
    let topic = topic.and_then(|thread| text(thread, "topic"));
    let is_group = id.starts_with("19:") && !id.contains("unq.gbl");
    members.introduce(&mut read);
    let name = name(&about, topic, &mut members, &read);
    read.id = (!id.is_empty()).then(|| format!("teams-{id}"));
    read.title = Some(name.clone()).filter(|name| !name.is_empty());
    let is_direct = !is_group || !is_public;
    if is_direct {
        read.introduce(&name, Kind::Person);
    }
    read.channel = Some(Channel { name, is_direct, split: Split::Day });
    Some(read)
}

/// Fields in which a thread says who can read it. A chat of two has no topic.
const THREAD_FIELDS: [Field<'_>; 3] = [
    Field::always(&["topic"], Public::Name),
    Field::optional(&["isprivate", "private", "privatemeeting"], Public::False),
    Field::optional(&["channeltype"], Public::Words(&["standard", "regular", "public"])),
];

/// Returns whether the thread properties say that others can read the chat.
fn is_public(object: &Object<'_>) -> bool {
    let key = "threadProperties";
    object.get(key).is_some_and(Value::is_object)
        && visibility::is_public(&object.source()[object.place(&[Step::Key(key)])], &THREAD_FIELDS)
}

/// Returns the name of a chat: its topic, the other person, or its participants.
fn name(about: &Map, topic: Option<&str>, members: &mut Members, read: &Conversation) -> String {
    if let Some(name) = topic.or(text(about, "displayName")) {
        return members.contacts.name(name).into_owned();
    }
    let people = read.participants.iter().filter(|who| who.kind == Kind::Person);
    people.map(|who| who.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// Returns the account in a URL: `8:wren` for `…/contacts/8:wren`.
fn account(from: &str) -> &str {
    from.rsplit('/').next().unwrap_or(from)
}
