//! Channels of messages between people, whichever program kept them: messages in their order, with
//! answers behind what they answer, and nobody's number or address for a name.
//!
//! Readers of such formats make [`Message`]s and give them to [`assemble`].

mod contacts;
mod emoji;
mod files;
mod held;
mod markdown;
pub(super) mod marks;
mod members;
pub(super) mod notices;
mod order;
mod place;
mod prose;
mod records;

use std::collections::HashMap;

pub(super) use self::contacts::{Contacts, is_contact};
pub(super) use self::emoji::{emoji, emoji_at, emoji_of_code, with_emoji};
pub(super) use self::files::NamedFile;
pub(super) use self::held::HeldLinks;
pub(super) use self::markdown::{Dialect, to_markdown as markdown_of};
pub(super) use self::members::Members;
pub(super) use self::place::{is_place, without_places};
pub(super) use self::prose::{Prose, Style, plain};
pub(super) use self::records::{each, objects};
use super::object::Object;
use super::thread::Context;
use super::visibility;
use convo_base::diag::Note;
use convo_base::json::Map;
use convo_base::model::{
    Block, Conversation, Kind, MessageInfo, Place, Reaction, Turn, name_turns, turn_id,
};
use convo_base::time::Time;

/// A pause that parts two conversations in a chat that never ends. Minutes.
pub(super) const PAUSE: u32 = 6 * 60;

/// A message of a channel.
#[derive(Clone, Debug, Default)]
pub(super) struct Message {
    /// The id that its program gives it; empty where it has none.
    pub(super) id: String,
    /// Who wrote it; empty for something that happened.
    pub(super) sender: String,
    /// Whether a program wrote it for nobody.
    pub(super) is_bot: bool,
    /// When.
    pub(super) time: Option<Time>,
    /// What it says.
    pub(super) blocks: Vec<Block>,
    /// The id of the message that it answers.
    pub(super) answers: Option<String>,
    /// The id of the message that opened the thread in which it stands.
    pub(super) thread: Option<String>,
    /// How others reacted to it.
    pub(super) reactions: Vec<Reaction>,
    /// Whether it was changed after it was sent.
    pub(super) is_edited: bool,
    /// Whatever else is to be said of it.
    pub(super) extra: Map,
    /// Whether it says that it is not to be shown.
    pub(super) is_left_out: bool,
    /// Where it stands.
    pub(super) place: Place,
}

impl Message {
    /// A message that says nothing yet, at the place of an object, which nothing was taken from.
    pub(super) fn at(object: &Object<'_>, context: &mut Context<'_>) -> Self {
        let place = Place {
            file: object.file(),
            line: context.lines.line(object.start().start),
            quoted: true,
        };
        let is_left_out = object.is_marked() && object.is_left_out(context.notes);
        Self { place, is_left_out, ..Self::default() }
    }

    /// Something that happened, such as that somebody joined.
    pub(super) fn event(name: &str, text: impl Into<String>) -> Self {
        Self { blocks: vec![happened(name, text)], ..Self::default() }
    }
}

/// Returns what stands for something that happened. Where there is nothing to say of it, it is named.
pub(super) fn happened(name: &str, text: impl Into<String>) -> Block {
    let mut text = text.into();
    if text.is_empty() {
        let named = HAPPENED.iter().find(|(known, _)| *known == name);
        text.push_str(named.map_or("", |(_, words)| *words));
    }
    Block::Event { name: name.to_owned(), text, detail: None }
}

/// What happens in chats, by its name and for people.
const HAPPENED: [(&str, &str); 6] = [
    ("call", "A call"),
    ("contact", "A contact"),
    ("deleted", "A message was deleted"),
    ("joined", "Somebody joined"),
    ("location", "A place"),
    ("sticker", "A sticker"),
];

/// Returns what a message says, or that it says nothing: others may have answered to it.
pub(super) fn or_empty(blocks: Vec<Block>) -> Vec<Block> {
    match blocks.is_empty() {
        true => vec![happened("empty", "An empty message")],
        false => blocks,
    }
}

/// Returns what tells a chat from others of one name: its first two messages, since many begin with one
/// that was sent to all.
pub(super) fn beginning(messages: &[Message]) -> String {
    let mut words = String::new();
    for message in messages.iter().take(2) {
        words.push_str(&message.id);
        for block in &message.blocks {
            if let Block::Markdown { text } = block {
                words.push_str(text);
            }
        }
        words.push('|');
    }
    words
}

/// Counts one more reaction with an emoji.
pub(super) fn react(reactions: &mut Vec<Reaction>, emoji: &str, count: u64) {
    match reactions.iter_mut().find(|known| known.emoji == emoji) {
        Some(known) => known.count = known.count.saturating_add(count),
        None => reactions.push(Reaction { emoji: emoji.to_owned(), count }),
    }
}

/// Puts messages into a conversation, in the order of their times; those of a thread stand behind the
/// message that opened it. Of messages of one id the last one counts, at the place of the first.
/// `contacts` names those of whom only a number is known.
pub(super) fn assemble(
    read: &mut Conversation,
    messages: Vec<Message>,
    contacts: &mut Contacts,
    notes: &mut Vec<Note>,
) {
    assemble_as_it_is(read, order::ordered(messages), contacts, notes);
}

/// Puts messages into a conversation in the order in which they stand.
pub(super) fn assemble_as_it_is(
    read: &mut Conversation,
    messages: Vec<Message>,
    contacts: &mut Contacts,
    notes: &mut Vec<Note>,
) {
    let hidden: Vec<&Message> = messages.iter().filter(|one| one.is_left_out).collect();
    if let Some(first) = hidden.first() {
        let ids = hidden.iter().filter(|one| !one.id.is_empty());
        read.left_out.extend(ids.map(|one| turn_id(&one.id)));
        let note = visibility::left_out(hidden.len(), 0..0);
        notes.push(note.in_file(first.place.file));
    }
    let mut turns = Vec::with_capacity(messages.len());
    let shown = messages.into_iter().filter(|one| !one.is_left_out && !one.blocks.is_empty());
    for message in shown {
        let speaker = contacts.name(&message.sender).into_owned();
        if !speaker.is_empty() {
            let kind = if message.is_bot { Kind::Tool } else { Kind::Person };
            read.introduce(&speaker, kind);
        }
        turns.push(turn(message, speaker));
    }
    name_turns(&mut turns);
    keep_known_answers(&mut turns);
    if read.time.is_none() {
        read.time = turns.iter().find_map(|turn| turn.time.clone());
    }
    read.turns = turns;
}

fn turn(message: Message, speaker: String) -> Turn {
    let of = |id: Option<String>| id.filter(|id| !id.is_empty()).map(|id| turn_id(&id));
    let info = MessageInfo {
        answers: of(message.answers),
        thread: of(message.thread),
        reactions: message.reactions,
        is_edited: message.is_edited,
    };
    Turn {
        id: of(Some(message.id)).unwrap_or_default(),
        speaker,
        time: message.time,
        message: (info != MessageInfo::default()).then(|| Box::new(info)),
        blocks: message.blocks,
        extra: message.extra,
        place: message.place,
        ..Turn::default()
    }
}

/// Forgets that messages stand in a thread of which the first message is not there, or answer
/// themselves. That one answers a message that is not there is still to be told.
fn keep_known_answers(turns: &mut [Turn]) {
    let known: HashMap<String, usize> =
        turns.iter().enumerate().map(|(place, turn)| (turn.id.clone(), place)).collect();
    for turn in turns {
        let Some(info) = &mut turn.message else { continue };
        info.answers.take_if(|id| *id == turn.id);
        info.thread.take_if(|id| *id == turn.id || !known.contains_key(id));
        turn.message.take_if(|info| **info == MessageInfo::default());
    }
}
