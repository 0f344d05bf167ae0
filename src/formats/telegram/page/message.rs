//! A message of a page.

use super::media::media;
use super::text::markup;
use crate::shared::people::channel::{Contacts, Message, event_block, notices::each_named, react};
use crate::shared::tally::Tally;
use crate::shared::text::dates::{civil, written_day};
use crate::shared::text::html::Element;
use convo_base::diag::Lines;
use convo_base::model::{Conversation, Kind, Place, Reaction};
use convo_base::time::Time;

/// The number of senders that a group has at least.
const MEMBERS: usize = 3;
/// The sender of a message that names none.
const UNKNOWN: &str = "Unknown";
/// What events say that only groups and channels have.
const GROUP_EVENTS: [&str; 6] = [
    " created group", " created channel", " joined group by ", " converted a basic group ",
    " changed group title", " changed group photo",
];
/// Senders that may be one person or several.
const NOBODY: [&str; 3] = ["", UNKNOWN, "Deleted Account"];
/// What comes before names in events.
const BEFORE_NAMES: [&str; 8] = [
    " with members ", " by link from ", " invited ", " added ", " removed ", " from ", " by ",
    " accepted ",
];
/// What comes after the name of the actor.
const AFTER_ACTOR: [&str; 14] = [
    " created ", " joined ", " invited ", " added ", " removed ", " pinned ", " changed ",
    " scored ", " took ", " was ", " is ", " has ", " left", " started ",
];

/// A chat whose pages are being read.
#[derive(Default)]
pub(super) struct Chat {
    pub(super) title: String,
    pub(super) read: Conversation,
    pub(super) contacts: Contacts,
    pub(super) tally: Tally,
    pub(super) messages: Vec<Message>,
    /// Whether the chat is one of several of an account, whose pages link to the list of them.
    pub(super) is_account: bool,
    /// Whether an event happened that only groups and channels have.
    has_group_events: bool,
    /// The sender of the last message, if the next one may continue it.
    sender: Option<String>,
}

impl Chat {
    /// Reads the page with this number.
    pub(super) fn page(&mut self, file: usize, page: &str) {
        let root = Element::parse(page);
        let lines = Lines::new(page);
        if let Some(head) = root.find("page_header") {
            let title = head.find("text bold").map(Element::words).unwrap_or_default();
            self.title = self.contacts.title(&title);
            head.each(&mut |element| {
                self.is_account |= element.attribute("href").is_some();
                true
            });
        }
        // Every page names its first sender.
        self.sender = None;
        let mut places = Vec::new();
        root.each(&mut |element| {
            let is_message =
                element.is("message") && (element.is("default") || element.is("service"));
            if is_message {
                places.push(element);
            }
            // Others are inside if a tag was not closed.
            true
        });
        for element in places {
            let line = lines.line(element.start_in(page));
            let place = Place { file, line, quoted: true };
            match element.is("service") {
                true => self.service(element, place),
                false => self.message(element, place),
            }
        }
    }

    /// Returns whether it is certainly a group or a channel. Saved messages have many senders too.
    pub(super) fn is_group(&self) -> bool {
        let mut names: Vec<&str> = self.messages.iter().map(|one| one.sender.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let senders = names.iter().filter(|name| !NOBODY.contains(name)).count();
        self.has_group_events && senders >= MEMBERS && self.title != "Saved Messages"
    }

    fn message(&mut self, element: &Element<'_>, place: Place) {
        let mut message = Message { id: id(element), place, ..Message::default() };
        let Some(body) = element.child("body") else {
            return self.tally.not_shown("message without text", "messages without text");
        };
        message.time = body.child("date").and_then(time);
        if let Some(name) = body.child("from_name") {
            self.sender = Some(self.contacts.name(without_bot(&name.words())).into_owned());
        }
        // Without a sender, nobody can say whose words they are.
        message.sender = self.sender.clone().unwrap_or_else(|| UNKNOWN.to_owned());
        message.reactions = body.find("reactions").map(reactions).unwrap_or_default();
        let forwarded = body.elements().find(|inner| inner.is("forwarded body"));
        if let Some(origin) = forwarded {
            let text = match origin.child("from_name").map(own_words) {
                Some(name) if !name.is_empty() => {
                    let name = self.contacts.name(without_bot(&name)).into_owned();
                    self.read.introduce(&name, Kind::Person);
                    format!("Forwarded from {name}")
                }
                _ => "Forwarded".to_owned(),
            };
            message.blocks.push(event_block("forwarded", text));
        }
        let inside = forwarded.unwrap_or(body);
        let reply = inside.child("reply_to").or(body.child("reply_to"));
        message.answers = reply.and_then(|reply| {
            let link = reply.elements().find_map(|link| link.attribute("href"))?;
            Some(link.rsplit_once("go_to_message")?.1.to_owned())
        });
        if let Some(media_wrap) = inside.child("media_wrap") {
            media(media_wrap, &mut message, &mut self.contacts, &mut self.tally);
        }
        if let Some(text) = inside.child("text") {
            message.blocks.extend(markup(text, &mut self.contacts));
        }
        if message.blocks.is_empty() {
            self.tally.not_shown("message without text", "messages without text");
        }
        self.messages.push(message);
    }

    /// Reads an event, or the day of the next messages, which they repeat.
    fn service(&mut self, element: &Element<'_>, place: Place) {
        self.sender = None;
        let text = element.child("body").unwrap_or(element).words();
        let id = id(element);
        if text.is_empty() || id.starts_with('-') && written_day(&text).is_some() && text.len() < 20
        {
            return;
        }
        let own = without_quoted(&text);
        self.has_group_events |= GROUP_EVENTS.iter().any(|event| own.contains(event));
        let text = self.contacts.without_numbers(&text);
        let contacts = &mut self.contacts;
        each_named(&text, &mut |name| contacts.mention(name));
        each_name_in(&own, &mut |name| contacts.mention(name));
        let blocks = vec![event_block("notice", text)];
        self.messages.push(Message { id, blocks, place, ..Message::default() });
    }
}

/// Returns the text of an event without the titles and words in `«…»`.
fn without_quoted(text: &str) -> String {
    let mut parts = text.split('«');
    let mut own = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        own.push_str(part.rsplit_once('»').map_or("", |(_, rest)| rest));
    }
    own
}

/// Calls a function with what may be names in the text of an event.
fn each_name_in(text: &str, take: &mut dyn FnMut(&str)) {
    let actor = AFTER_ACTOR.iter().filter_map(|verb| text.find(verb)).min();
    actor.iter().for_each(|end| take(&text[..*end]));
    for before in BEFORE_NAMES {
        let Some((_, rest)) = text.split_once(before) else { continue };
        let ends = [" to the ", " from the ", " in ", " by "].iter();
        let end = ends.filter_map(|end| rest.find(end)).min();
        let names = &rest[..end.unwrap_or(rest.len())];
        for name in names.split(", ").flat_map(|part| part.split(" and ")) {
            if name.split(' ').count() <= MAX_NAME_WORDS {
                take(name);
            }
        }
    }
}

/// The maximum number of words of a name in an event.
const MAX_NAME_WORDS: usize = 5;

/// Returns the id of a message, as links to it have it.
fn id(element: &Element<'_>) -> String {
    let id = element.attribute("id").unwrap_or_default();
    id.strip_prefix("message").unwrap_or(&id).to_owned()
}

/// Reads `05.07.2024 14:03:09 UTC+02:00` without the offset.
fn time(date: &Element<'_>) -> Option<Time> {
    let title = date.attribute("title")?;
    let numbers: Vec<u16> = title
        .split(|c: char| !c.is_ascii_digit())
        .take(6)
        .filter_map(|part| part.parse().ok())
        .collect();
    match numbers.as_slice() {
        [day, month, year, hour, minute, second] => {
            civil([*year, *month, *day], [*hour, *minute, *second], "")
        }
        _ => None,
    }
}

/// Returns a name without the bot through which a message was sent.
fn without_bot(name: &str) -> &str {
    match name.rsplit_once(" via @") {
        Some((name, bot)) if !bot.contains(' ') => name,
        _ => name,
    }
}

/// Returns the text of an element without that of the elements inside.
fn own_words(element: &Element<'_>) -> String {
    element.own_text().split_whitespace().collect::<Vec<_>>().join(" ")
}

fn reactions(list: &Element<'_>) -> Vec<Reaction> {
    let mut all = Vec::new();
    for reaction in list.elements().filter(|reaction| reaction.is("reaction")) {
        let emoji = reaction.child("emoji").map(Element::words).unwrap_or_default();
        let emoji = if emoji.is_empty() { ":emoji:" } else { &emoji };
        let counted = reaction.child("count").and_then(|count| count.words().parse().ok());
        let named = || reaction.child("userpics").map_or(1, |list| list.elements().count() as u64);
        react(&mut all, emoji, counted.unwrap_or_else(named));
    }
    all
}
