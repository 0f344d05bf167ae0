//! One message of a channel.

use super::OwnChannel;
use super::body;
use super::marks;
use crate::shared::agents::thread::whole;
use crate::shared::json::object::{Object, text};
use crate::shared::people::channel::{
    Members, Message, event_block, objects, or_placeholder, react,
};
use crate::shared::tally::Tally;
use convo_base::diag::{Note, Severity};
use convo_base::json::{Map, Value};
use convo_base::model::Place;

/// Types of messages with text: typed messages, replies, and commands with their responses.
const SAID: [&str; 8] = ["", "Default", "Reply", "0", "19", "20", "23", "ChatInputCommand"];

/// Types that exporters before 2026 write as numbers, with the event shown for each.
const KINDS: [(&str, &str); 17] = [
    ("8", "boosted the server"),
    ("9", "boosted the server to level 1"),
    ("10", "boosted the server to level 2"),
    ("11", "boosted the server to level 3"),
    ("12", "followed another channel"),
    ("14", "was notified that the server left Server Discovery"),
    ("15", "was notified that the server is in Server Discovery again"),
    ("21", "started a thread"),
    ("22", "was reminded to invite others"),
    ("24", "posted a message that a rule blocked"),
    ("25", "bought a role"),
    ("27", "opened the stage"),
    ("28", "closed the stage"),
    ("29", "became a speaker on the stage"),
    ("31", "changed the stage topic"),
    ("46", "closed a poll"),
    ("47", "subscribed"),
];

/// Types that exporters write by name, whose text describes an event.
const NAMED: [&str; 8] = [
    "RecipientAdd", "RecipientRemove", "Call", "ChannelNameChange", "ChannelIconChange",
    "ChannelPinnedMessage", "GuildMemberJoin", "ThreadCreated",
];

/// Reads a message.
pub(super) fn read(
    mut object: Object<'_>,
    place: Place,
    own: &OwnChannel,
    members: &mut Members,
    tally: &mut Tally,
    notes: &mut Vec<Note>,
) -> Option<Message> {
    let is_withheld = object.is_withheld(notes);
    let map = object.copy();
    if !map.contains_key("author") && !map.contains_key("content") {
        notes.push(object.missing(Severity::Warning, "author"));
        return None;
    }
    let time = object.time("timestamp", notes);
    for person in objects(&map, "mentions") {
        introduce(person, members);
    }
    let author = map.get("author").and_then(Value::as_object);
    let id = author.and_then(|author| introduce(author, members));
    let is_bot = id.as_ref().is_some_and(|id| members.is_bot(id));
    let sender = id.as_ref().map_or_else(|| "Unknown".to_owned(), |id| members.name(id));
    let reference = map.get("reference").and_then(Value::as_object);
    let message = Message {
        id: text(&map, "id").unwrap_or_default().to_owned(),
        time,
        is_edited: map.get("timestampEdited").is_some_and(Value::is_string),
        is_withheld,
        place,
        ..Message::default()
    };
    let kind = text(&map, "type").unwrap_or_default();
    let content = object.text("content", notes).unwrap_or_default();
    if !SAID.contains(&kind) {
        let event = KINDS.iter().find(|(number, _)| *number == kind).map(|(_, text)| *text);
        if event.is_none() && !NAMED.contains(&kind) {
            tally.unknown_skipped(kind);
            return None;
        }
        let words = marks::to_plain(&content, own, members);
        id.iter().for_each(|id| _ = members.name_in_text(id));
        let name = if kind == "Call" { "call" } else { "notice" };
        let text = match event {
            // The first message of a thread repeats a message of its channel.
            Some(text) if words.is_empty() => by(&sender, text),
            Some(_) => words,
            None => by(&sender, &words),
        };
        return Some(Message { blocks: vec![event_block(name, text)], ..message });
    }
    let blocks = or_placeholder(body::read(&map, own, members, tally));
    // A forwarded message is not a reply.
    let is_forwarded = map.contains_key("forwardedMessage");
    let answers = reference.filter(|_| !is_forwarded).and_then(|to| text(to, "messageId"));
    let mut reactions = Vec::new();
    for reaction in objects(&map, "reactions") {
        let emoji = reaction.get("emoji").and_then(Value::as_object);
        let count = whole(reaction.get("count")).unwrap_or(1);
        if let Some(emoji) = emoji.and_then(shown) {
            react(&mut reactions, &emoji, count);
        }
    }
    let answers = answers.map(str::to_owned);
    Some(Message { sender, is_bot, blocks, answers, reactions, ..message })
}

/// Adds a person to the members, and returns their id.
fn introduce(person: &Map, members: &mut Members) -> Option<String> {
    let names = ["nickname", "name"].map(|key| text(person, key));
    let id = text(person, "id").or(names[1])?;
    let is_bot = person.get("isBot") == Some(&Value::Bool(true));
    members.add(id, &names, is_bot);
    Some(id.to_owned())
}

/// Returns an emoji, or the name of a custom one.
fn shown(emoji: &Map) -> Option<String> {
    let name = text(emoji, "name")?;
    let is_own = text(emoji, "id").is_some_and(|id| !id.is_empty());
    Some(if is_own { format!(":{name}:") } else { name.to_owned() })
}

/// Returns an event with its actor: `Ada joined the server.`
fn by(sender: &str, words: &str) -> String {
    let mut chars = words.chars();
    match chars.next() {
        Some(first) => format!("{sender} {}{}", first.to_lowercase(), chars.as_str()),
        None => sender.to_owned(),
    }
}
