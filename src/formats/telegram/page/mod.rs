//! Chats exported as pages: `messages.html`, `messages2.html` and so on.
//!
//! ```text
//! <div class="page_header"> … <div class="text bold">The night watch </div>
//! <div class="page_body chat_page"><div class="history">
//!  <div class="message service" id="message-1"><div class="body details">5 July 2024</div></div>      a day
//!  <div class="message default clearfix" id="message2"> … <div class="body">
//!    <div class="pull_right date details" title="05.07.2024 14:03:09 UTC+02:00">14:03</div>
//!    <div class="from_name">Ada </div> <div class="text">See <strong>this</strong></div></div></div>
//!  <div class="message default clearfix joined" id="message3"> …                              the same sender
//! ```
//!
//! The offset of a time is that of the winter, all year round, so only the clock time is read. A page says neither
//! what kind of chat it is nor which account is whose. A chat is a group if three people wrote and an event says so;
//! otherwise it may be a private one.
//!
//! [`gather()`] groups the pages, [`message`] reads a message, [`media`] its media and [`text`] its text.

mod gather;
mod media;
mod message;
mod text;

pub(super) use self::gather::gather;
use self::message::Chat;
use crate::shared::people::channel::{PAUSE, assemble_log};
use crate::shared::tally::no_messages;
use crate::{File, Parsed};
use convo_base::diag::Severity;
use convo_base::model::{Channel, Split};

/// The title of every page of an export.
const TITLE: &str = "<title>Exported Data</title>";
/// What only pages of chats contain.
const OF_CHAT: [&str; 3] =
    ["page_body chat_page", "class=\"message default", "class=\"message service"];

/// Returns whether a text is a page of a chat.
pub(super) fn is_one(text: &str) -> bool {
    text.trim_start().starts_with('<')
        && text.contains(TITLE)
        && OF_CHAT.iter().any(|mark| text.contains(mark))
}

/// Reads the pages of a chat.
pub(super) fn read(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    let mut chat = Chat::default();
    for (index, file) in files.iter().enumerate() {
        chat.page(index, &file.text);
    }
    let is_group = chat.is_group();
    let Chat { title, mut read, mut contacts, tally, messages, is_account, .. } = chat;
    if !is_group {
        // It may be the name of a person.
        contacts.mention(&title);
    }
    if messages.is_empty() {
        parsed.notes.push(no_messages(Severity::Hint));
    }
    assemble_log(&mut read, messages, &mut contacts, &mut parsed.notes);
    parsed.notes.extend(tally.notes());
    if read.turns.is_empty() && read.withheld_ids.is_empty() {
        return parsed;
    }
    read.title = Some(title.clone()).filter(|title| !title.is_empty());
    read.channel = Some(Channel {
        name: title,
        is_direct: !is_group || is_account,
        split: if is_group { Split::Day } else { Split::Pause { minutes: PAUSE } },
    });
    parsed.conversations.push(read);
    parsed
}
