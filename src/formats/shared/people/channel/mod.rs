//! Channels of messages between people, independent of the program: orders messages, places replies
//! after the messages that started their threads, and keeps phone numbers and addresses out of
//! names.
//!
//! Readers of such formats create [`Message`]s and pass them to [`assemble`].

mod contacts;
mod emoji;
mod files;
mod held;
mod markdown;
pub(crate) mod marks;
mod members;
pub(crate) mod notices;
mod order;
mod place;
mod prose;
mod records;

use std::collections::HashMap;

pub(crate) use self::contacts::{CLOSING_MARKS, Contacts, is_contact};
pub(crate) use self::emoji::{emoji, emoji_at, emoji_of_code, with_emoji};
pub(crate) use self::files::NamedFile;
pub(crate) use self::held::HeldLinks;
pub(crate) use self::markdown::{Dialect, to_markdown as markdown_of};
pub(crate) use self::members::Members;
pub(crate) use self::place::{is_place, without_places};
pub(crate) use self::prose::{Prose, Style, plain};
pub(crate) use self::records::{each, objects};
use crate::shared::access::visibility;
use crate::shared::agents::thread::Context;
use crate::shared::json::object::Object;
use convo_base::diag::Note;
use convo_base::json::Map;
use convo_base::model::{
    Block, Conversation, Kind, MessageInfo, Place, Reaction, Turn, name_turns, turn_id,
};
use convo_base::time::Time;

/// The length of a pause that splits an endless chat into conversations. Minutes.
pub(crate) const PAUSE: u32 = 6 * 60;

/// A message of a channel.
#[derive(Clone, Debug, Default)]
pub(crate) struct Message {
    /// Its id in the program; empty if it has none.
    pub(crate) id: String,
    /// Its author; empty for an event.
    pub(crate) sender: String,
    /// Whether a bot wrote it.
    pub(crate) is_bot: bool,
    /// When it was sent.
    pub(crate) time: Option<Time>,
    /// Its contents.
    pub(crate) blocks: Vec<Block>,
    /// The id of the message that it replies to.
    pub(crate) answers: Option<String>,
    /// The id of the message that started its thread.
    pub(crate) thread: Option<String>,
    /// The reactions to it.
    pub(crate) reactions: Vec<Reaction>,
    /// Whether it was edited.
    pub(crate) is_edited: bool,
    /// Additional metadata.
    pub(crate) extra: Map,
    /// Whether it is marked as not to be shown.
    pub(crate) is_withheld: bool,
    /// Its place in the source.
    pub(crate) place: Place,
}

impl Message {
    /// An empty message at the place of an object. No field of the object may have been taken
    /// before.
    pub(crate) fn at(object: &Object<'_>, context: &mut Context<'_>) -> Self {
        let place = Place {
            file: object.file(),
            line: context.lines.line(object.start().start),
            quoted: true,
        };
        let is_withheld = object.is_withheld(context.notes);
        Self { place, is_withheld, ..Self::default() }
    }

    /// An event, such as that somebody joined.
    pub(crate) fn event(name: &str, text: impl Into<String>) -> Self {
        Self { blocks: vec![event_block(name, text)], ..Self::default() }
    }
}

/// Returns the block of an event. Without a text, a default for its name is used.
pub(crate) fn event_block(name: &str, text: impl Into<String>) -> Block {
    let mut text = text.into();
    if text.is_empty() {
        let named = DEFAULT_EVENT_TEXTS.iter().find(|(known, _)| *known == name);
        text.push_str(named.map_or("", |(_, words)| *words));
    }
    Block::Event { name: name.to_owned(), text, detail: None }
}

/// The default texts of events.
const DEFAULT_EVENT_TEXTS: [(&str, &str); 6] = [
    ("call", "A call"),
    ("contact", "A contact"),
    ("deleted", "A message was deleted"),
    ("joined", "Somebody joined"),
    ("location", "A place"),
    ("sticker", "A sticker"),
];

/// Returns the contents of a message, or a placeholder if it is empty, because others may have
/// replied to it.
pub(crate) fn or_placeholder(blocks: Vec<Block>) -> Vec<Block> {
    match blocks.is_empty() {
        true => vec![event_block("empty", "An empty message")],
        false => blocks,
    }
}

/// Returns text that distinguishes a chat from others of the same name: its first two messages,
/// because many chats begin with a message that was sent to several people.
pub(crate) fn beginning(messages: &[Message]) -> String {
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

/// The maximum number of different emoji with which people react to a message; programs allow fewer.
const MAX_REACTIONS: usize = 200;

/// Adds a number of reactions with an emoji.
pub(crate) fn react(reactions: &mut Vec<Reaction>, emoji: &str, count: u64) {
    let is_full = reactions.len() >= MAX_REACTIONS;
    match reactions.iter_mut().find(|known| known.emoji == emoji) {
        Some(known) => known.count = known.count.saturating_add(count),
        None if is_full => {}
        None => reactions.push(Reaction { emoji: emoji.to_owned(), count }),
    }
}

/// Adds messages to a conversation in chronological order, with replies after the message that
/// started their thread. If an id repeats, the last message replaces the first one. `contacts`
/// provides names for people of whom only a number is known.
pub(crate) fn assemble(
    read: &mut Conversation,
    messages: Vec<Message>,
    contacts: &mut Contacts,
    notes: &mut Vec<Note>,
) {
    let messages = order::ordered(messages, order::Source::Records);
    assemble_unsorted(read, messages, contacts, notes);
}

/// Does the same for messages of a log. It keeps its order if its clock goes back by at most one hour, as at the end of
/// summer time. A reader of times without dates adds the days itself, or uses [`assemble_unsorted`].
pub(crate) fn assemble_log(
    read: &mut Conversation,
    messages: Vec<Message>,
    contacts: &mut Contacts,
    notes: &mut Vec<Note>,
) {
    let messages = order::ordered(messages, order::Source::Log);
    assemble_unsorted(read, messages, contacts, notes);
}

/// Adds messages to a conversation in the given order.
pub(crate) fn assemble_unsorted(
    read: &mut Conversation,
    messages: Vec<Message>,
    contacts: &mut Contacts,
    notes: &mut Vec<Note>,
) {
    let hidden: Vec<&Message> = messages.iter().filter(|one| one.is_withheld).collect();
    if let Some(first) = hidden.first() {
        let ids = hidden.iter().filter(|one| !one.id.is_empty());
        read.withheld_ids.extend(ids.map(|one| turn_id(&one.id)));
        let note = visibility::withheld_turns_note(hidden.len(), 0..0);
        notes.push(note.in_file(first.place.file));
    }
    for name in std::mem::take(&mut contacts.mentioned) {
        read.introduce(&name, Kind::Person);
    }
    let mut turns = Vec::with_capacity(messages.len());
    let shown = messages.into_iter().filter(|one| !one.is_withheld && !one.blocks.is_empty());
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

/// Removes references to threads without a first message, and replies of a message to itself.
/// References to other missing messages stay, because they are shown as such.
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
