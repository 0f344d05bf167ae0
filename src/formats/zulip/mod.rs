//! The export of a Zulip organization: a folder of tables.
//!
//! ```text
//! realm.json             { "zerver_userprofile": […], "zerver_stream": […], "zerver_recipient": […] }
//! messages-000001.json   { "zerver_message": [ { "id": 1, "sender": 10, "recipient": 5, "subject": "eels",
//!                            "content": "Hello **all**", "date_sent": 1772647205.0 } ] }
//! ```
//!
//! Each topic of a channel is a conversation.

mod realm;
mod text;

use std::collections::HashMap;

use self::realm::Realm;
use super::{About, Bundle, Claim, File, Format, Listing, Parsed, Probe, Read};
use crate::shared::agents::thread::words as id_of;
use crate::shared::json::object::Object;
use crate::shared::people::channel::{Message, assemble, each, or_placeholder};
use crate::shared::tally::Tally;
use crate::shared::text::dates::of_value;
use convo_base::diag::{Note, Severity};
use convo_base::json;
use convo_base::model::{Channel, Conversation, Place, Split};

pub(super) const FORMAT: Format = Format {
    name: "zulip",
    title: "Zulip export",
    source_label: "Zulip",
    between_people: true,
    has_typed_prompts: false,
    about: About {
        what: "The export of a Zulip organization.",
        find: "In the settings of an organization: Data exports. Put the `.tar.gz`, or the folder \
               in it, into the content folder unchanged.",
        reads: "Every topic of every channel as a conversation: Markdown, mentions by name, \
                replies to quoted messages, reactions, edits, and uploaded files.",
        leaves_out: "Accounts, e-mail addresses, profile pictures, settings and earlier versions \
                     of edited messages. Withheld until a `[[source]]` sets `visibility = \
                     \"public\"`; private channels and direct messages also need `direct_messages \
                     = true`.",
    },
    read: Some(Read::new(claims, parse).gather(gather)),
    write: None,
};

/// The key of the messages.
const LISTS: [&str; 1] = ["zerver_message"];
/// The file with users, channels and recipients.
const REALM: &str = "realm.json";

fn claims(probe: &Probe<'_>) -> Claim {
    let keys = probe.keys();
    let Some((_, messages)) = keys.iter().find(|(key, _)| *key == LISTS[0]) else {
        return Claim::No;
    };
    let keys = json::keys(messages);
    let has = |name: &str| keys.iter().any(|(key, _)| *key == name);
    let is_message = has("sender") && has("recipient") && has("content");
    match messages.starts_with('[') && is_message {
        true => Claim::Signature,
        false => Claim::No,
    }
}

/// Returns every organization: its message files in numerical order, and its user data.
fn gather(listing: &Listing<'_>) -> Vec<Bundle> {
    let of = |name: &&&str| name.rsplit('/').next() == Some(REALM);
    let bundle = |realm: &&str| {
        let folder = realm.strip_suffix(REALM)?;
        let inside = |name: &&&str| {
            let file = name.strip_prefix(folder)?;
            let is_part = file.starts_with("messages-") && file.ends_with(".json");
            (is_part && !file.contains('/')).then_some(())
        };
        let parts: Vec<String> = listing
            .names
            .iter()
            .filter(|name| inside(name).is_some())
            .map(|name| (*name).to_owned())
            .collect();
        let is_aside = |file: &&str| {
            let names = ["attachment.json", "analytics.json", "migration_status.json"];
            names.contains(file) || file.ends_with("records.json")
        };
        let aside = listing
            .names
            .iter()
            .filter(|name| name.strip_prefix(folder).is_some_and(|file| is_aside(&file)));
        (!parts.is_empty()).then(|| Bundle {
            folder: folder.to_owned(),
            files: parts.into_iter().chain([(*realm).to_owned()]).collect(),
            shared: Vec::new(),
            aside: aside.map(|name| (*name).to_owned()).collect(),
            private: None,
            neighbours: None,
        })
    };
    listing.names.iter().filter(of).filter_map(bundle).collect()
}

/// The key of a conversation: the id of a recipient, and the topic.
type Key = (String, String);

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    let notes = &mut parsed.notes;
    let mut realm = Realm::new(files, notes);
    let mut tally = Tally::default();
    let mut order: Vec<Key> = Vec::new();
    let mut topics: HashMap<Key, Vec<Message>> = HashMap::new();
    let parts = files.iter().enumerate().filter(|(_, file)| !file.name.ends_with(REALM));
    for (index, file) in parts {
        each(file, index, &LISTS, notes, &mut |object, place, notes| {
            let found = message(object, place, &mut realm, &mut tally, notes);
            let (key, message) = found;
            let messages = topics.entry(key.clone()).or_insert_with(|| {
                order.push(key);
                Vec::new()
            });
            messages.push(message);
        });
    }
    for key in order {
        let messages = topics.remove(&key).unwrap_or_default();
        let mut read = Conversation::default();
        assemble(&mut read, messages, &mut realm.members.contacts, notes);
        if read.turns.is_empty() && read.withheld_ids.is_empty() {
            continue;
        }
        let (recipient, topic) = &key;
        let found = realm.recipient(recipient);
        let name = match (found.name.is_empty(), topic.is_empty()) {
            (true, _) => topic.clone(),
            (_, true) => found.name,
            _ => format!("{} › {topic}", found.name),
        };
        realm.members.introduce(&mut read);
        read.private = found.is_held_back;
        read.id = Some(format!("zulip-{}{recipient}-{topic}", realm.id));
        read.title = Some(name.clone()).filter(|name| !name.is_empty());
        let (is_direct, split) = (found.is_direct, Split::Whole);
        read.channel = Some(Channel { name, is_direct, split });
        parsed.conversations.push(read);
    }
    parsed.notes.extend(tally.notes());
    parsed
}

fn message(
    mut object: Object<'_>,
    place: Place,
    realm: &mut Realm,
    tally: &mut Tally,
    notes: &mut Vec<Note>,
) -> (Key, Message) {
    let is_withheld = object.is_withheld(notes);
    let map = object.copy();
    let get = |key: &str| map.get(key).and_then(id_of).unwrap_or_default();
    let (id, sender) = (get("id"), get("sender"));
    let sent = map.get("date_sent").and_then(of_value);
    if sent.is_none() {
        let message = "`date_sent` is not a valid time".to_owned();
        let note = object.note(Severity::Warning, "bad-time", "date_sent", message);
        notes.push(note.hint("it was placed after the preceding message"));
    }
    let content = object.text("content", notes).unwrap_or_default();
    let parts = text::read(&content, &mut realm.members, tally);
    let is_edited = map.get("last_edit_time").is_some_and(|time| !time.is_null())
        && map.get("edit_history").is_none_or(text::is_of_content);
    let message = Message {
        time: sent,
        sender: realm.members.name(&sender),
        is_bot: realm.members.is_bot(&sender),
        blocks: or_placeholder(parts.blocks),
        answers: parts.answers,
        reactions: realm.reactions.remove(&id).unwrap_or_default(),
        is_edited,
        is_withheld,
        place,
        id,
        ..Message::default()
    };
    ((get("recipient"), get("subject")), message)
}
