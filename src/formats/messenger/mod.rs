//! Messenger and Instagram chats from account downloads, as JSON.
//!
//! ```text
//! …/messages/inbox/soup_1/message_1.json, message_2.json, …: the newest first, letters as bytes in Latin-1
//! {"participants": [{"name": "Ada"}], "messages": [{"sender_name": "Ada", "timestamp_ms": 1772359260000,
//!  "content": "Gr\u00c3\u00bc\u00c3\u009fe", "reactions": [{"reaction": …, "actor": …}], "photos": [{"uri": …}]}, …],
//!  "title": "Soup", "thread_path": "inbox/soup_1"}
//! Soup_1.json, of chats that are encrypted from end to end
//! {"participants": ["Ada"], "threadName": "Soup_1", "messages": [{"senderName": "Ada", "text": …, "timestamp": …,
//!  "isUnsent": false, "media": [{"uri": …}], "reactions": […]}, …]}
//! ```

mod files;
mod latin;
mod message;

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::{About, Bundle, Claim, File, Format, Listing, Parsed, Probe, Read};
use crate::shared::agents::thread::{each_message, read_long};
use crate::shared::json::object::Object;
use crate::shared::people::channel::{Contacts, Message, PAUSE, assemble};
use convo_base::diag::Note;
use convo_base::json::{self, Value};
use convo_base::model::{Channel, Conversation, Kind, Split, turn_id};

pub(super) const FORMAT: Format = Format {
    name: "messenger",
    title: "Messenger or Instagram chat",
    source_label: "Messenger",
    between_people: true,
    has_typed_prompts: false,
    about: About {
        what: "Messenger and Instagram chats, including encrypted ones, from an account download.",
        find: "In the Accounts Centre: Your information and permissions, Export your information, \
               with messages, as JSON. Put a folder from `messages/inbox` with its \
               `message_1.json` into the content folder; for encrypted chats, a file from \
               Download secure storage data.",
        reads: "Messages with their times and names, reactions, photos, videos, audio and files, \
                shared links, calls, and which messages were unsent. The files of a chat are one \
                conversation.",
        leaves_out: "IP addresses, and who reacted. Every chat is private: it is withheld until a \
                     `[[source]]` sets `visibility = \"public\"` and `direct_messages = true`.",
    },
    read: Some(Read::new(claims, parse).gather(gather)),
    write: None,
};

const MESSAGES: &str = "messages";
/// The number of bytes from which a file is recognised.
const HEAD: usize = 64 << 10;

fn claims(probe: &Probe<'_>) -> Claim {
    let text = probe.text;
    if !text.trim_start().starts_with('{') {
        return Claim::No;
    }
    let Some(messages) = probe.value(MESSAGES).filter(|list| list.starts_with('[')) else {
        return Claim::No;
    };
    let first = json::keys(messages);
    let has = |name: &str| first.iter().any(|(key, _)| *key == name);
    let is_message = has("sender_name") && has("timestamp_ms")
        || has("senderName") && has("timestamp") && probe.value("threadName").is_some();
    let is_empty = messages[1..].trim_start().starts_with(']')
        && probe.value("participants").is_some()
        && (probe.value("thread_path").is_some() || probe.value("threadName").is_some());
    match is_message || is_empty {
        true => Claim::Signature,
        false => Claim::No,
    }
}

/// Returns the chats that consist of several files, newest messages first.
fn gather(listing: &Listing<'_>) -> Vec<Bundle> {
    let mut folders: BTreeMap<&str, Vec<(u32, &str)>> = BTreeMap::new();
    for name in listing.names {
        let at = name.rfind('/').map_or(0, |at| at + 1);
        let number =
            name[at..].strip_prefix("message_").and_then(|rest| rest.strip_suffix(".json"));
        if let Some(number) = number.and_then(|number| number.parse().ok()) {
            folders.entry(&name[..at]).or_default().push((number, name));
        }
    }
    let is_chat = |name: &str| {
        (listing.head)(name, HEAD).is_some_and(|head| claims(&Probe::new(name, &head)) != Claim::No)
    };
    let several = folders.into_iter().filter(|(_, files)| files.len() > 1);
    let bundles = several.filter_map(|(folder, mut files)| {
        files.sort_unstable();
        let files = files.into_iter().map(|(_, name)| name.to_owned());
        let files: Vec<String> = files.filter(|name| is_chat(name)).collect();
        let (folder, aside) = (folder.to_owned(), Vec::new());
        (files.len() > 1).then_some(Bundle {
            folder,
            files,
            shared: Vec::new(),
            aside,
            private: None,
            neighbours: None,
        })
    });
    bundles.collect()
}

/// What is known about a chat.
#[derive(Default)]
struct Chat {
    read: Conversation,
    contacts: Contacts,
    /// The messages, newest first.
    messages: Vec<Message>,
    /// The path relative to the folder of messages.
    path: String,
    title: String,
}

fn parse(files: &[File]) -> Parsed {
    let chat = RefCell::new(Chat::default());
    let mut parsed = read_long(&[], MESSAGES, files, |mut object, long, context| {
        let mut chat = chat.borrow_mut();
        chat.open(&mut object, context.notes);
        each_message(&mut object, MESSAGES, long, context, &mut |item, context| {
            let message = chat.message(item, context);
            chat.messages.push(message);
        });
        None
    });
    parsed.conversations.extend(chat.into_inner().done(&mut parsed.notes));
    parsed
}

impl Chat {
    /// Reads what a file says about the chat.
    fn open(&mut self, object: &mut Object<'_>, notes: &mut Vec<Note>) {
        self.read.private |= object.holds_back("private", &[MESSAGES], notes);
        let mut text = |key: &str| {
            let found = object.text(key, notes).unwrap_or_default();
            latin::undone(found.trim()).into_owned()
        };
        let (path, title, name) = (text("thread_path"), text("title"), text("threadName"));
        if !path.is_empty() {
            self.path = path;
        }
        if !title.is_empty() {
            self.title = title;
        } else if !name.is_empty() {
            // A number follows the name.
            let number = name
                .rsplit_once('_')
                .filter(|(_, number)| number.bytes().all(|b| b.is_ascii_digit()));
            self.title = number.map_or(name.as_str(), |(name, _)| name).to_owned();
            self.path = name;
        }
        let list = object.get("participants").and_then(Value::as_array);
        for who in list.into_iter().flatten() {
            let name = who.as_str().or_else(|| who.get("name")?.as_str()).unwrap_or_default();
            let name = latin::undone(name);
            let name = self.contacts.name(&name).into_owned();
            self.read.introduce(&name, Kind::Person);
        }
    }

    fn done(mut self, notes: &mut Vec<Note>) -> Option<Conversation> {
        self.messages.reverse();
        let mut read = self.read;
        let is_group = read.participants.len() > 2;
        assemble(&mut read, self.messages, &mut self.contacts, notes);
        if read.turns.is_empty() {
            return None;
        }
        let name = self.contacts.title(&self.title);
        let id = if self.path.is_empty() { &name } else { &self.path };
        let id = turn_id(id);
        read.id = Some(format!("messenger-{id}"));
        read.title = (!name.is_empty()).then(|| name.clone());
        // File and folder names contain names of people.
        read.file_title = Some(read.title.clone().unwrap_or_else(|| "Messenger".to_owned()));
        read.channel = Some(Channel {
            name,
            is_direct: true,
            split: if is_group { Split::Day } else { Split::Pause { minutes: PAUSE } },
        });
        Some(read)
    }
}
