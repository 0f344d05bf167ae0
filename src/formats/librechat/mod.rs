//! Conversations of LibreChat, exported as JSON.
//!
//! ```text
//! { "conversationId": …, "title": …, "options": { … }, "messagesTree": [
//!   { "messageId": …, "isCreatedByUser": true, "text": …, "children": [
//!     { "sender": "GPT-4", "content": [ { "type": "think", "think": … } ], "children": [] } ] } ] }
//! ```
//!
//! With `recursive`, the messages are a tree. Without it, `messages` is a list in which each message names
//! its parent. `exportAt` is a time of day without a date.
//!
//! [`nested`] finds the messages of a tree of any depth, and [`message`] reads one.

mod message;
mod nested;

use std::collections::HashMap;

use self::nested::Nested;
use super::probe::value_of;
use super::{About, Claim, File, Format, Parsed, Parts, Probe, Read};
use crate::shared::access::visibility::{self, Scope};
use crate::shared::agents::thread::{self, Context, assemble, moment, rest};
use crate::shared::json::object::Object;
use convo_base::diag::{Note, Severity};
use convo_base::json::{self, Step, Value};
use convo_base::model::Conversation;

pub(super) const FORMAT: Format = Format {
    name: "librechat",
    title: "LibreChat conversation",
    source_label: "LibreChat",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "A conversation of LibreChat, exported as JSON.",
        find: "In LibreChat, open the menu of a conversation: Export, type `.json`.",
        reads: "The conversation: edits and regenerated answers as branches, reasoning, tool calls with their results, sources, tokens, and the names of files.",
        leaves_out: "Account data, instructions, model options, temporary chats, input and output of third-party tools, and the files themselves, which are not in the export.",
    },
    read: Some(Read::new(claims, parse).parts(Parts::Records)),
    write: None,
};

/// The keys of the messages.
const LISTS: [&str; 2] = ["messagesTree", "messages"];
/// Keys that do not affect visibility.
const VENDORS: [&str; 6] =
    ["messagesTree", "messages", "options", "title", "isArchived", "expiredAt"];
/// Keys of a conversation that are read, or that contain account data.
const KNOWN: [&str; 16] = [
    "conversationId", "messagesTree", "messages", "options", "title", "exportAt", "branches",
    "recursive", "user", "_id", "__v", "createdAt", "updatedAt", "isTemporary", "expiredAt",
    "isArchived",
];

fn claims(probe: &Probe<'_>) -> Claim {
    let keys = probe.record(&["conversations"]);
    let listed = LISTS.iter().find_map(|list| value_of(&keys, list).filter(|v| v.starts_with('[')));
    let Some(listed) = listed else { return Claim::No };
    let message = json::keys(listed);
    let is_ours = value_of(&message, "isCreatedByUser").is_some()
        || value_of(&keys, "messagesTree").is_some();
    match is_ours && value_of(&keys, "conversationId").is_some() {
        true => Claim::Signature,
        false => Claim::No,
    }
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    for (index, file) in files.iter().enumerate() {
        let nested = nested::find(&file.text);
        // Trees may be deep, so they are parsed message by message.
        let text = nested::blanked(&file.text, &nested);
        let flat = [File { text, ..file.clone() }];
        let mut found = thread::read_with(&["conversations"], &flat, |object, context| {
            conversation(object, (&file.text, &nested), context)
        });
        found.notes.iter_mut().for_each(|note| note.file = index);
        let turns = found.conversations.iter_mut().flat_map(Conversation::all_turns_mut);
        turns.for_each(|turn| turn.place.file = index);
        parsed.conversations.append(&mut found.conversations);
        parsed.notes.append(&mut found.notes);
    }
    parsed
}

/// Reads a conversation. If its messages are a tree, they are read from the text of the file.
fn conversation(
    mut object: Object<'_>,
    (text, nested): (&str, &Nested),
    context: &mut Context<'_>,
) -> Option<Conversation> {
    let private = object.holds_back("private", &VENDORS, context.notes);
    let mut read = Conversation { private, ..Conversation::default() };
    read.private |= is_fleeting(&object);
    read.id = object.text("conversationId", context.notes).filter(|id| !id.is_empty());
    read.title = object.text("title", context.notes).filter(|title| !title.trim().is_empty());
    read.time = moment(&mut object, "createdAt", context);
    read.updated = moment(&mut object, "updatedAt", context);
    let model = object.get("options").and_then(|options| options.get("model")?.as_str());
    let model = model.map(str::to_owned);
    let Some(key) = LISTS.into_iter().find(|key| object.has(key)) else {
        let note = object.missing(Severity::Warning, "messagesTree");
        context.notes.push(note.hint("only this conversation is skipped"));
        return Some(read);
    };
    let place = object.place(&[Step::Key(key)]);
    let list = object.array(key, context.notes).unwrap_or_default();
    let mut messages = Vec::new();
    for (at, item) in list.into_iter().enumerate() {
        let Some(item) = object.element(item, format_args!("{key}.{at}"), "message", context.notes)
        else {
            continue;
        };
        read.private |= is_fleeting(&item);
        messages.push(message::read(item, None, model.as_deref(), at, context));
    }
    for at in nested.strays.iter().filter(|at| place.contains(at)) {
        let message = "a message must be an object".to_owned();
        let note = Note::error("wrong-type", *at..*at + 1, message);
        context.notes.push(note.hint("only this message is skipped"));
    }
    // The ids of the messages in the tree, by place.
    let mut ids: HashMap<usize, String> = HashMap::new();
    for (at, found) in nested.within(&place) {
        let map = match found.parse(text) {
            Ok(Value::Object(map)) => map,
            Ok(_) => continue,
            Err(error) => {
                let start = found.start();
                let note = Note::error("bad-json", start..start + 1, error.about("this message"));
                context.notes.push(note.hint("only this message is skipped"));
                continue;
            }
        };
        let is_withheld =
            visibility::holds_back(&visibility::read_access_of_map(&map, Scope::Turn));
        // The values after its replies were read before.
        let item = Object::new(map, text, object.file(), found.head());
        read.private |= is_fleeting(&item);
        let above = found.parent.and_then(|parent| ids.get(&parent).cloned());
        let mut read = message::read(item, above, model.as_deref(), at, context);
        read.is_withheld |= is_withheld;
        ids.insert(at, read.id.clone());
        messages.push(read);
    }
    assemble(&mut read, messages, None, context);
    read.unpublished = rest(object.rest(), &KNOWN);
    Some(read)
}

/// Returns whether a conversation or a message is temporary, that is, has an expiry date.
fn is_fleeting(object: &Object<'_>) -> bool {
    let says = |value: &Value| !value.is_null() && *value != false;
    ["isTemporary", "expiredAt"].iter().any(|key| object.get(key).is_some_and(says))
}
