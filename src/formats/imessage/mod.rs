//! Messages chats exported by imessage-exporter, as text or as HTML.
//!
//! ```text
//! May 17, 2022  5:29:42 PM (Read by them after 4 seconds)      Ada, +44 7700 900123.txt
//! Me
//! Is the kettle on?
//! Tapbacks:
//! Loved by Ada
//!     May 17, 2022  5:30:02 PM                                 an answer
//!     Ada
//!     It is.
//!
//! May 17, 2022  5:40:00 PM Ada renamed the conversation to Kettle
//! ```
//!
//! A reply appears below the message it replies to, and again where it was sent. [`head`] parses
//! time lines, [`text`] text files and [`page`] HTML files; [`draft`] builds messages for both,
//! [`lines`] recognises lines with a special meaning, and [`name`] finds the title of a chat.

mod draft;
mod head;
mod lines;
mod name;
mod page;
mod text;

use self::draft::Drafts;
use super::page::{is_html, is_markdown};
use super::{About, Bundle, Claim, File, Format, Listing, Parsed, Probe, Read};
use crate::shared::people::channel::{Contacts, PAUSE, assemble, beginning};
use crate::shared::tally::Tally;
use convo_base::model::{Channel, Conversation, Kind, Split, turn_id};

pub(super) const FORMAT: Format = Format {
    name: "imessage",
    title: "iMessage chat",
    source_label: "iMessage",
    between_people: true,
    has_typed_prompts: false,
    about: About {
        what: "Chats of the Messages app on a Mac or an iPhone, exported by imessage-exporter.",
        find: "The output of `imessage-exporter -f txt` or `-f html`: a file for each chat, with \
               the folder `attachments` if files were copied.",
        reads: "Messages with their times and names, replies below the message they answer, \
                tapbacks, edits, copied files, and events such as who joined.",
        leaves_out: "Phone numbers, addresses and file names made from them, read receipts, who \
                     reacted, effects, earlier versions of edited messages, and deleted messages. \
                     Every chat is private: it is withheld until a `[[source]]` sets `visibility \
                     = \"public\"` and `direct_messages = true`.",
    },
    read: Some(Read::new(claims, parse).gather(gather)),
    write: None,
};

/// The number of bytes of a page that contain its first message, after the style sheet.
const PAGE_HEAD: usize = 64 << 10;

fn claims(probe: &Probe<'_>) -> Claim {
    let (name, text) = (probe.name, probe.text);
    let is_markdown = is_markdown(name);
    let is_chat = match text.trim_start().starts_with('<') {
        true => page::is_one(text),
        false => !is_markdown && !super::opens_json(text) && text::is_one(text),
    };
    if is_chat { Claim::Signature } else { Claim::No }
}

/// Returns the pages among files. Text files are detected individually.
fn gather(listing: &Listing<'_>) -> Vec<Bundle> {
    let is_chat = |name: &&&str| {
        let head = || (listing.head)(name, PAGE_HEAD).unwrap_or_default();
        is_html(name) && page::is_one(&head())
    };
    let names = listing.names.iter().filter(is_chat);
    names.map(|name| Bundle::of_one(name)).collect()
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    for (index, file) in files.iter().enumerate() {
        let mut drafts = Drafts::new(index);
        let mut tally = Tally::default();
        match file.text.trim_start().starts_with('<') {
            true => page::read(&file.text, &mut drafts, &mut tally),
            false => text::read(&file.text, &mut drafts, &mut tally, &mut parsed.notes),
        }
        let mut contacts = Contacts::default();
        let called = std::mem::take(&mut drafts.called);
        let messages = drafts.messages(&mut contacts);
        let first = beginning(&messages);
        let mut read = Conversation::default();
        assemble(&mut read, messages, &mut contacts, &mut parsed.notes);
        parsed.notes.extend(tally.notes().map(|note| note.in_file(index)));
        if read.turns.is_empty() {
            continue;
        }
        for name in called {
            read.introduce(&contacts.name(&name), Kind::Person);
        }
        let name = name::of_file(&file.name, &mut contacts);
        name.people.iter().for_each(|person| read.introduce(person, Kind::Person));
        // The file name is a person's name or a phone number.
        let key = format!("{}|{first}", name.title);
        read.id = Some(format!("imessage-{}", turn_id(&key)));
        read.title = (!name.title.is_empty()).then(|| name.title.clone());
        read.file_title = Some(read.title.clone().unwrap_or_else(|| "iMessage".to_owned()));
        let is_group = read.participants.len() > 2;
        read.channel = Some(Channel {
            name: name.title,
            is_direct: true,
            split: if is_group { Split::Day } else { Split::Pause { minutes: PAUSE } },
        });
        parsed.conversations.push(read);
    }
    parsed
}
