//! Chats exported from Telegram Desktop, as JSON or HTML.
//!
//! ```text
//! result.json, one chat
//! {"name": "The night watch", "type": "private_supergroup", "id": 1, "messages": [
//!   {"id": 1, "type": "service", "date_unixtime": "…", "actor": "Ada", "action": "create_group", "title": …},
//!   {"id": 2, "type": "message", "date_unixtime": "…", "from": "Ada", "from_id": "user1", "text": ["See ", {"type":
//!    "bold", "text": "this"}], "text_entities": […], "reply_to_message_id": 1, "reactions": […]}, …]}
//! result.json, an account
//! {"about": …, "personal_information": …, "contacts": …, "chats": {"about": …, "list": [a chat, …]},
//!  "left_chats": {"list": […]}}
//! ```
//!
//! [`message`] reads a message, [`text`] its text, [`media`] its media, and [`service`] events of
//! the chat. [`page`] reads pages.

mod claim;
mod links;
mod media;
mod message;
mod names;
mod page;
mod service;
mod text;

use std::ops::Range;

use super::page::is_html;
use super::{About, Claim, File, Format, Parsed, Parts, Probe, Read};
use crate::shared::access::visibility::{Field, Public};
use crate::shared::agents::thread::{Context, each_message, read_long, words};
use crate::shared::json::object::Object;
use crate::shared::people::channel::{Contacts, PAUSE, assemble};
use convo_base::json;
use convo_base::model::{Channel, Conversation, Kind, Split, turn_id};

pub(super) const FORMAT: Format = Format {
    name: "telegram",
    title: "Telegram export",
    source_label: "Telegram",
    between_people: true,
    has_typed_prompts: false,
    about: About {
        what: "A Telegram chat, group or channel, or a whole account, exported by Telegram \
               Desktop.",
        find: "In Telegram Desktop: in a chat ⋮ › Export chat history, or Settings › Advanced › \
               Export Telegram data. Put the folder with `result.json` or `messages.html` into \
               the content folder. JSON has more detail; if both are present, only the JSON is read.",
        reads: "Messages with their times, names, replies, reactions and edits; formatted text, \
                code, links, polls, forwarded messages and exported files; who joined, left and \
                called.",
        leaves_out: "Contacts, sessions, phone numbers, account names, places, payments and \
                     cards. Withheld until a `[[source]]` sets `visibility = \"public\"`; private \
                     chats, and everything in an account export that is not public on Telegram, \
                     also need `direct_messages = true`. So do HTML exports unless three people \
                     wrote and an event of a group is shown, because HTML does not name the kind \
                     of a chat.",
    },
    read: Some(Read::new(claims, parse).gather(page::gather).parts(Parts::Choose(parts))),
    write: None,
};

/// The keys that list the chats of an account.
const LISTS: [&str; 2] = ["chats.list", "left_chats.list"];
const MESSAGES: &str = "messages";

fn claims(probe: &Probe<'_>) -> Claim {
    match is_html(probe.name) && page::is_one(probe.text) {
        true => Claim::Signature,
        false => claim::claims(probe),
    }
}

/// Pages are read as a whole, because one chat consists of all of them.
fn parts(names: &[&str]) -> Parts {
    match names.iter().any(|name| is_html(name)) {
        true => Parts::Whole,
        false => Parts::Records,
    }
}

fn parse(files: &[File]) -> Parsed {
    if files.first().is_some_and(|file| is_html(&file.name)) {
        return page::read(files);
    }
    let is_one = |file: &File| {
        let has = |name: &str| json::members(&file.text).any(|(key, _)| key == name);
        let lists = LISTS.map(|list| list.split('.').next().unwrap_or(list));
        !file.is_continued && has(MESSAGES) && !lists.into_iter().any(has)
    };
    // Exporting a single group is a deliberate choice, whoever may read it in Telegram.
    let is_account = !files.iter().all(is_one);
    read_long(&LISTS, MESSAGES, files, |object, long, context| {
        chat(object, long, is_account, context)
    })
}

/// Returns whether a chat also needs `direct_messages` to be published: private chats always do,
/// and in an account export everything that is not public in Telegram.
fn is_direct(object: &Object<'_>, is_account: bool) -> bool {
    let public = ["public_supergroup", "public_channel"];
    let groups = ["private_group", "private_supergroup", "private_channel"];
    let open = if is_account { &public[..] } else { &[&public[..], &groups].concat() };
    !object.is_public(&[Field::always(&["type"], Public::Words(open))])
}

/// Reads a chat, which may be one of several of an account.
fn chat(
    mut object: Object<'_>,
    long: Option<Range<usize>>,
    is_account: bool,
    context: &mut Context<'_>,
) -> Option<Conversation> {
    if !object.has(MESSAGES) {
        context
            .tally
            .not_shown("account section without messages", "account sections without messages");
        return None;
    }
    let private = object.holds_back("private", &[MESSAGES], context.notes);
    let mut read = Conversation { private, ..Conversation::default() };
    let mut contacts = Contacts::default();
    let is_direct = is_direct(&object, is_account);
    let kind = object.text("type", context.notes).unwrap_or_default();
    let of_two = ["personal_chat", "bot_chat", "saved_messages"].contains(&kind.as_str());
    let name = match kind.as_str() {
        "saved_messages" => Some("Saved messages".to_owned()),
        "replies" => Some("Replies".to_owned()),
        _ => object.text("name", context.notes),
    };
    let name = name.map(|name| contacts.title(&name)).unwrap_or_default();
    if kind == "personal_chat" {
        read.introduce(&name, Kind::Person);
    }
    let chat = message::Chat { name: &name, bot: (kind == "bot_chat").then_some(&*name) };
    let mut messages = Vec::new();
    let is_whole = each_message(&mut object, MESSAGES, long, context, &mut |item, context| {
        messages.push(chat.message(item, &mut read, &mut contacts, context));
    });
    if !is_whole {
        return None;
    }
    assemble(&mut read, messages, &mut contacts, context.notes);
    // The id of a private chat is that of the other account.
    read.id = object.take("id").as_ref().and_then(words).map(|id| {
        let id = turn_id(&id);
        format!("telegram-{id}")
    });
    read.title = (!name.is_empty()).then(|| name.clone());
    read.channel = Some(Channel {
        name,
        is_direct,
        split: if of_two { Split::Pause { minutes: PAUSE } } else { Split::Day },
    });
    Some(read)
}
