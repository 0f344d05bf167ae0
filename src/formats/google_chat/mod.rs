//! Google Chat in a Takeout export: a folder for each group, space and direct message.
//!
//! ```text
//! Google Chat/Groups/Space AAAA/group_info.json   { "name": "The quay", "members": [ { "name": … } ] }
//! Google Chat/Groups/Space AAAA/messages.json     { "messages": [ { "creator": { "name": …,
//!   "user_type": "Human" }, "created_date": "Wednesday, March 4, 2026 at 6:01:00 PM UTC", "text": "Hello",
//!   "topic_id": "a", "message_id": "AAAA/a/a" } ] }
//! ```
//!
//! Dates are written in the language of the account.

mod message;
mod text;

use super::probe::value_of;
use super::{About, Bundle, Claim, DETECT_BYTES, File, Format, Listing, Parsed, Probe, Read};
use crate::shared::access::visibility::{Field, Public, is_public};
use crate::shared::json::object::{Object, document, text as words};
use crate::shared::people::channel::{Contacts, Message, assemble, each, objects};
use crate::shared::tally::Tally;
use convo_base::diag::Note;
use convo_base::json::{self, Map, Value};
use convo_base::model::{Channel, Conversation, Kind, Split};
use convo_base::text::plural;

pub(super) const FORMAT: Format = Format {
    name: "google-chat",
    title: "Google Chat (Takeout)",
    source_label: "Google Chat",
    between_people: true,
    has_typed_prompts: false,
    about: About {
        what: "The groups, spaces and direct messages of Google Chat, exported by Google Takeout.",
        find: "Google Takeout: choose Google Chat. Put the ZIP, or the folder `Takeout`, into the \
               content folder unchanged.",
        reads: "Every message with its formatting, links, exported files, topics below the \
                message that started them, reactions, and which were edited or deleted. Each day \
                is a conversation unless `split` of the `[[source]]` says otherwise.",
        leaves_out: "E-mail addresses, accounts, places and calls. Withheld until a `[[source]]` \
                     sets `visibility = \"public\"`; direct messages, and groups without a name \
                     or without their `group_info.json`, also need `direct_messages = true`.",
    },
    read: Some(Read::new(claims, parse).gather(gather)),
    write: None,
};

/// The key of the messages.
const LISTS: [&str; 1] = ["messages"];
const INFO: &str = "group_info.json";
const MESSAGES: &str = "messages.json";

fn claims(probe: &Probe<'_>) -> Claim {
    let keys = probe.keys();
    let Some((_, messages)) = keys.iter().find(|(key, _)| *key == LISTS[0]) else {
        return Claim::No;
    };
    let keys = json::keys(messages);
    let value = |name: &str| value_of(&keys, name);
    let creator = value("creator").map(json::keys).unwrap_or_default();
    let is_creator = creator.iter().any(|(key, _)| *key == "user_type");
    // A deleted message has no creator.
    let is_message = value("created_date").or(value("deletion_metadata")).is_some()
        && (is_creator || value("topic_id").is_some());
    match messages.starts_with('[') && is_message {
        true => Claim::Signature,
        false => Claim::No,
    }
}

/// Returns every group with its information file.
fn gather(listing: &Listing<'_>) -> Vec<Bundle> {
    let has = |path: &String| listing.names.binary_search(&path.as_str()).is_ok();
    let bundle = |messages: &&str| {
        let folder = messages.strip_suffix(MESSAGES)?.strip_suffix('/')?;
        let (root, own) = folder.rsplit_once('/').unwrap_or(("", folder));
        let info = Some(format!("{folder}/{INFO}")).filter(has);
        if info.is_none() && !is_direct_folder(own) && !own.starts_with("Space ") {
            return None;
        }
        let head = (listing.head)(messages, DETECT_BYTES)?;
        (claims(&Probe::new(messages, &head)) == Claim::Signature).then(|| Bundle {
            folder: if root.is_empty() { String::new() } else { format!("{root}/") },
            files: [(*messages).to_owned()].into_iter().chain(info).collect(),
            shared: Vec::new(),
            aside: Vec::new(),
            private: None,
            neighbours: None,
        })
    };
    listing.names.iter().filter_map(bundle).collect()
}

fn is_direct_folder(name: &str) -> bool {
    name.starts_with("DM ")
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    let notes = &mut parsed.notes;
    let mut info = Map::new();
    let mut tally = Tally::default();
    let mut private = false;
    let mut is_named = true;
    let is_info = |file: &File| file.name.rsplit('/').next() == Some(INFO);
    for (index, file) in files.iter().enumerate().filter(|(_, file)| is_info(file)) {
        let all = 0..file.text.len();
        if let Some(Value::Object(map)) = document(&file.text, all.clone(), index, notes) {
            info = map.clone();
            is_named &= is_public(&file.text, &[Field::always(&["name"], Public::Name)]);
            let mut object = Object::new(map, &file.text, index, all);
            private |= object.holds_back("private", &[], notes);
        }
    }
    let mut messages: Vec<Message> = Vec::new();
    let mut undated: Vec<Note> = Vec::new();
    let mut is_direct = false;
    for (index, file) in files.iter().enumerate().filter(|(_, file)| !is_info(file)) {
        let folder = file.name.rsplit('/').nth(1).unwrap_or_default();
        is_direct |= is_direct_folder(folder);
        each(file, index, &LISTS, notes, &mut |object, place, notes| {
            messages.push(message::read(object, place, &mut tally, &mut undated, notes));
        });
    }
    let count = undated.len() as u64;
    notes.extend(undated.into_iter().next().map(|first| {
        let dates = plural(count, "message has", "messages have");
        first.hint(format!("{dates} no time because of this"))
    }));
    let mut read = Conversation { private, ..Conversation::default() };
    let space = messages.iter().find_map(|message| message.id.split_once('/'));
    let space = space.map(|(space, _)| space.to_owned());
    let mut contacts = Contacts::default();
    assemble(&mut read, messages, &mut contacts, notes);
    notes.extend(tally.notes());
    if read.turns.is_empty() && read.withheld_ids.is_empty() {
        return parsed;
    }
    // Members may be mentioned by name in a text.
    for who in objects(&info, "members") {
        let name = contacts.name(words(who, "name").unwrap_or_default()).into_owned();
        read.introduce(&name, Kind::Person);
    }
    let name = words(&info, "name").filter(|name| *name != "Group Chat");
    // Without a name, or without the information file, it is unknown who else could read the
    // messages.
    is_direct |= !is_named || name.is_none();
    let names = || {
        let people = read.participants.iter().filter(|who| who.kind == Kind::Person);
        people.map(|who| who.name.clone()).collect::<Vec<_>>().join(", ")
    };
    let name = name.map_or_else(names, str::to_owned);
    read.id = space.map(|space| format!("google-chat-{space}"));
    read.title = Some(name.clone()).filter(|name| !name.is_empty());
    read.channel = Some(Channel { name, is_direct, split: Split::Day });
    parsed.conversations.push(read);
    parsed
}
