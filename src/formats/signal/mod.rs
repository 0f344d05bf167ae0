//! Signal chats exported by signal-export, as Markdown with JSON lines beside it, and by sigtop, as
//! text.
//!
//! ```text
//! Ada/chat.md
//! [2026-03-01 10:00:00] Me: Hello
//! second line
//! (- Ada: 👍 -)
//! Ada/data.json
//! {"date": "2026-03-01T10:00:00", "sender": "Me", "body": "Hello", "quote": "", "sticker": null,
//!  "reactions": [["Ada", "👍"]], "attachments": []}
//! ```
//!
//! [`text`] reads the first file and [`record`] the second one, which takes precedence; [`sigtop`]
//! reads the output of that program.

mod record;
mod sigtop;
mod text;

use std::collections::BTreeMap;

use super::{About, Bundle, Claim, File, Format, Listing, Parsed, Probe, Read};
use crate::shared::people::channel::{Contacts, Message, PAUSE, assemble, beginning};
use crate::shared::tally::Tally;
use convo_base::diag::Note;
use convo_base::model::{Channel, Conversation, Kind, Split, turn_id};

pub(super) const FORMAT: Format = Format {
    name: "signal",
    title: "Signal chat",
    source_label: "Signal",
    between_people: true,
    has_typed_prompts: false,
    about: About {
        what: "Signal chats, exported by signal-export or sigtop.",
        find: "The output of signal-export: a folder for each chat with `chat.md` and \
               `data.json`; or the output of `sigtop export-messages`: a `.txt` for each chat.",
        reads: "Messages with their times and names, quotations, reactions, files, stickers and \
                calls, and which messages were deleted. If both files exist, `data.json` is read.",
        leaves_out: "Phone numbers, accounts, who reacted, delivery times, earlier versions of \
                     edited messages, and notices from Signal itself. The output of sigtop with \
                     `-f json` or `-f text-short` is not supported: the first has no names, the \
                     second loses lines. Every chat is private: it is withheld until a \
                     `[[source]]` sets `visibility = \"public\"` and `direct_messages = true`.",
    },
    read: Some(Read::new(claims, parse).gather(gather)),
    write: None,
};

/// The names of the two files of a chat.
const TEXT: &str = "chat.md";
const DATA: &str = "data.json";
/// The number of bytes from which a file is recognised.
const HEAD: usize = 4096;

fn claims(probe: &Probe<'_>) -> Claim {
    let (name, text) = (probe.name, probe.text);
    let file = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
    let is_chat = match super::opens_json(text) {
        true => record::is_one(probe),
        false => {
            // Other programs write texts with the same beginning.
            let is_named = file == TEXT || file.contains("signal");
            let is_markdown = super::page::is_markdown(&file);
            is_markdown && text::is_chat(text, is_named) || !is_markdown && sigtop::is_chat(text)
        }
    };
    if is_chat { Claim::Signature } else { Claim::No }
}

/// Returns the chats. Each has a folder with one or both files.
fn gather(listing: &Listing<'_>) -> Vec<Bundle> {
    let mut folders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for name in listing.names {
        let at = name.rfind('/').map_or(0, |at| at + 1);
        let is_chat = || {
            let head = (listing.head)(name, HEAD);
            head.is_some_and(|head| claims(&Probe::new(name, &head)) != Claim::No)
        };
        if [DATA, TEXT].contains(&&name[at..]) && is_chat() {
            folders.entry(&name[..at]).or_default().push(name);
        }
    }
    let bundles = folders.into_iter().map(|(folder, mut names)| {
        names.sort_unstable_by_key(|name| !name.ends_with(DATA));
        let mut names = names.into_iter().map(str::to_owned);
        // The folder is named after the chat.
        let above = folder.trim_end_matches('/').rfind('/').map_or("", |at| &folder[..=at]);
        let files = names.by_ref().take(1).collect();
        Bundle {
            folder: above.to_owned(),
            files,
            shared: Vec::new(),
            aside: names.collect(),
            private: None,
            neighbours: None,
        }
    });
    bundles.collect()
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    for (index, file) in files.iter().enumerate() {
        let (mut tally, mut contacts) = (Tally::default(), Contacts::default());
        let notes = &mut parsed.notes;
        // The folder is named after the chat.
        let folder = file.name.rsplit('/').nth(1).unwrap_or_default();
        let found = if super::opens_json(&file.text) {
            let messages = record::read(file, index, &mut tally, notes);
            chat(folder, folder, messages, &mut contacts, notes)
        } else if sigtop::is_chat(&file.text) {
            let mut found = sigtop::read(&file.text, index, &mut tally, notes);
            let key = format!("{}|{}", found.name, beginning(&found.messages));
            chat(&key, &found.name, found.messages, &mut found.members.contacts, notes)
        } else {
            let messages = text::read(file, index, &mut tally, notes);
            chat(folder, folder, messages, &mut contacts, notes)
        };
        parsed.conversations.extend(found);
        let reported = tally.notes().map(|note| note.in_file(index));
        parsed.notes.extend(reported);
    }
    parsed
}

/// Makes a conversation from the messages of a chat. `key` distinguishes it from all other chats.
fn chat(
    key: &str,
    called: &str,
    messages: Vec<Message>,
    contacts: &mut Contacts,
    notes: &mut Vec<Note>,
) -> Option<Conversation> {
    let mut read = Conversation::default();
    assemble(&mut read, messages, contacts, notes);
    if read.turns.is_empty() {
        return None;
    }
    let name = contacts.title(called);
    if !called.is_empty() {
        let id = turn_id(key);
        read.id = Some(format!("signal-{id}"));
        read.title = Some(name.clone());
    }
    if read.participants.len() < 2 {
        // The other person of a chat of two.
        read.introduce(&name, Kind::Person);
    }
    let title = if name.is_empty() { "Signal" } else { &name };
    read.file_title = Some(title.to_owned());
    let is_group = read.participants.len() > 2;
    read.channel = Some(Channel {
        name,
        is_direct: true,
        split: if is_group { Split::Day } else { Split::Pause { minutes: PAUSE } },
    });
    Some(read)
}
