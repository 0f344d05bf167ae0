//! Discord channels exported by DiscordChatExporter.
//!
//! ```text
//! { "guild": { "id": "1", "name": … }, "channel": { "id": "2", "type": "GuildTextChat", "name": … },
//!   "messages": [ { "id": "10", "type": "Default", "timestamp": …, "content": "Hello <@5>",
//!     "author": { "id": "4", "name": …, "nickname": … }, "attachments": [], "embeds": [],
//!     "reactions": [], "mentions": [], "reference": { "messageId": "9" } } ] }
//! ```
//!
//! Long channels are partitioned into files, `… [part 2].json`, each of which repeats everything
//! except the messages. [`page`] reads exports as HTML.

mod body;
mod embeds;
mod gather;
mod marks;
mod message;
mod page;

use super::page::is_html;
use super::{About, Claim, File, Format, Parsed, Probe, Read};
use crate::shared::access::visibility::{Field, Public, is_public};
use crate::shared::json::object::{Object, text};
use crate::shared::people::channel::{Members, Message, assemble, each};
use crate::shared::tally::Tally;
use convo_base::diag::Note;
use convo_base::json::{self, Map, Value};
use convo_base::model::{Channel, Conversation, Split};

pub(super) const FORMAT: Format = Format {
    name: "discord",
    title: "Discord channel",
    source_label: "Discord",
    between_people: true,
    has_typed_prompts: false,
    about: About {
        what: "A Discord channel, thread or direct message, exported to JSON or HTML by \
               DiscordChatExporter.",
        find: "In DiscordChatExporter: Export, with the format JSON, or HTML of version 2.15 or later. Put the files into the \
               content folder, with the `…_Files` folders beside them if media were downloaded. \
               The data package that Discord sends contains only your own messages, so it is not \
               supported.",
        reads: "Every message with its Markdown, mentions by name, replies, forwarded messages, \
                reactions, edits, embeds, stickers, downloaded files, and events such as who \
                joined. The parts of a channel are joined. Each day is a conversation unless \
                `split` of the `[[source]]` says otherwise.",
        leaves_out: "Ids, accounts, profile pictures and roles; files stored on Discord, whose \
                     URLs expire, are listed by name. Withheld until a `[[source]]` sets \
                     `visibility = \"public\"`; direct messages and private threads also need \
                     `direct_messages = true`, and so do HTML exports of version 2.34 or later, \
                     except of channels without a category.",
    },
    read: Some(Read::new(claims, parse).gather(gather::gather)),
    write: None,
};

/// The key of the messages.
const LISTS: [&str; 1] = ["messages"];

fn claims(probe: &Probe<'_>) -> Claim {
    if is_html(probe.name) {
        return if page::is_one(probe.text) { Claim::Signature } else { Claim::No };
    }
    let keys = probe.keys();
    let starts = |name: &str, mark: char| {
        keys.iter().any(|(key, value)| *key == name && value.starts_with(mark))
    };
    let of_channel = keys.iter().find(|(key, _)| *key == "channel");
    let of_channel = of_channel.map(|(_, own)| json::keys(own)).unwrap_or_default();
    let has = |name: &str| of_channel.iter().any(|(key, _)| *key == name);
    match starts("guild", '{') && has("id") && has("type") && starts(LISTS[0], '[') {
        true => Claim::Signature,
        false => Claim::No,
    }
}

fn parse(files: &[File]) -> Parsed {
    if files.first().is_some_and(|file| is_html(&file.name)) {
        return page::read(files);
    }
    let mut parsed = Parsed::default();
    let notes = &mut parsed.notes;
    let mut about = Map::new();
    let mut members = Members::default();
    let mut tally = Tally::default();
    let mut messages: Vec<Message> = Vec::new();
    let mut private = false;
    for (index, file) in files.iter().enumerate() {
        private |= read_settings(file, index, &mut about, notes);
        let own = own_channel(&about);
        each(file, index, &LISTS, notes, &mut |object, place, notes| {
            messages.extend(message::read(object, place, &own, &mut members, &mut tally, notes));
        });
    }
    let mut read = Conversation { private, ..Conversation::default() };
    assemble(&mut read, messages, &mut members.contacts, notes);
    notes.extend(tally.notes());
    if read.turns.is_empty() && read.withheld_ids.is_empty() {
        return parsed;
    }
    let channel = about.get("channel").and_then(Value::as_object);
    let get = |key: &str| channel.and_then(|channel| text(channel, key));
    let kind = get("type").unwrap_or_default();
    let all = files.iter().flat_map(|file| json::keys(&file.text));
    let channels = all.filter(|(key, _)| *key == "channel").map(|(_, channel)| channel);
    let mut each = channels.map(|channel| is_public(channel, &OPEN_FIELDS));
    let is_direct = !each.next().is_some_and(|first| first && each.all(|is| is));
    let name = get("name").unwrap_or_default().to_owned();
    // A direct message is named after its participants, with their accounts.
    let name = match kind.contains("Direct") {
        true => {
            let names: Vec<&str> = read.participants.iter().map(|who| who.name.as_str()).collect();
            names.join(", ")
        }
        false => name,
    };
    members.introduce(&mut read);
    read.id = get("id").map(|id| format!("discord-{id}"));
    read.title = Some(name.clone()).filter(|name| !name.is_empty());
    read.channel = Some(Channel { name, is_direct, split: Split::Day });
    parsed.conversations.push(read);
    parsed
}

/// The types of channels that everyone on a server can read. Other types are restricted or unknown.
const OPEN: [&str; 9] = [
    "GuildCategory", "GuildForum", "GuildMedia", "GuildNews", "GuildNewsThread",
    "GuildPublicThread", "GuildStageVoice", "GuildTextChat", "GuildVoiceChat",
];

/// The field in which a channel says who can read it.
const OPEN_FIELDS: [Field<'_>; 1] = [Field::always(&["type"], Public::Words(&OPEN))];

/// The current channel: its id and its name.
#[derive(Default)]
struct OwnChannel {
    id: String,
    name: String,
}

fn own_channel(about: &Map) -> OwnChannel {
    let channel = about.get("channel").and_then(Value::as_object);
    let get = |key: &str| channel.and_then(|channel| text(channel, key));
    let owned = |key: &str| get(key).unwrap_or_default().to_owned();
    OwnChannel { id: owned("id"), name: owned("name") }
}

/// Reads everything except the messages, and returns whether they must not be published.
fn read_settings(file: &File, index: usize, about: &mut Map, notes: &mut Vec<Note>) -> bool {
    let text = file.text.as_str();
    let mut map = Map::new();
    for (key, value) in json::keys(text) {
        if !LISTS.contains(&key)
            && let Ok((value, _)) = json::parse(value)
        {
            map.insert(key.to_owned(), value);
        }
    }
    if about.is_empty() {
        about.clone_from(&map);
    }
    let mut object = Object::new(map, text, index, 0..text.len());
    // Access at Discord itself is read from the type of the channel.
    object.holds_back("private", &["messages", "guild", "channel"], notes)
}
