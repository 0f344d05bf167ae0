//! A conversation: its messages in order, and its branches.

use std::ops::Range;

use super::message::{CLAUDE, message};
use super::reader::Reader;
use crate::shared::access::visibility;
use crate::shared::agents::thread::{Context, arrange, each_message, rest};
use crate::shared::agents::tree::newest_leaf;
use crate::shared::agents::turns::walk;
use crate::shared::json::object::Object;
use convo_base::diag::Severity;
use convo_base::json::Value;
use convo_base::model::Conversation;

/// The key of the messages.
pub(super) const MESSAGES: &str = "chat_messages";
/// Keys of a conversation that do not affect its visibility.
const VENDORS: [&str; 7] =
    ["chat_messages", "account", "settings", "project", "summary", "name", "title"];
/// Keys with account data or redundant data.
const IGNORED: [&str; 9] = [
    "account", "settings", "platform", "session_id", "organization", "organization_uuid",
    "conversation_id", "current_leaf_message_uuid", "workspace_id",
];

/// Marks of temporary conversations.
const FLEETING: [&str; 2] = ["istemporary", "isincognito"];

/// Reads a conversation. If there are too many messages for the object, `long` is their place.
pub(super) fn read(
    mut object: Object<'_>,
    long: Option<Range<usize>>,
    context: &mut Context<'_>,
) -> Option<Conversation> {
    let private = object.holds_back("private", &VENDORS, context.notes) || is_fleeting(&object);
    let mut read = Conversation { private, ..Default::default() };
    let mut first = |keys: [&str; 2], object: &mut Object<'_>| {
        let mut texts = keys.iter().filter_map(|key| object.text(key, context.notes));
        texts.find(|text| !text.trim().is_empty())
    };
    read.id = first(["uuid", "id"], &mut object);
    if !object.has(MESSAGES) {
        let note = object.missing(Severity::Warning, MESSAGES);
        context.notes.push(note.hint("only this conversation is skipped"));
        // A private conversation withholds its other versions, even if it has no messages.
        return Some(read).filter(|read| read.private);
    }
    read.title = first(["name", "title"], &mut object);
    read.time = object.time("created_at", context.notes);
    read.updated = object.time("updated_at", context.notes);
    let model = object.text("model", context.notes).filter(|model| !model.is_empty());
    let leaf = object.get("current_leaf_message_uuid").and_then(Value::as_str).map(str::to_owned);
    let mut messages = Vec::new();
    let is_long = long.is_some();
    let is_whole = each_message(&mut object, MESSAGES, long, context, &mut |item, context| {
        messages.push(message(item, is_long, context));
    });
    if !is_whole {
        return Some(read).filter(|read| read.private);
    }
    let (messages, paths) = arrange(
        &mut read,
        messages,
        |nodes, messages| {
            let time = |at: usize| messages[at].turn.time.as_ref().map(|time| time.instant());
            let known = leaf.as_deref().filter(|leaf| nodes.iter().any(|node| node.id == *leaf));
            known.or_else(|| newest_leaf(nodes, time)).map(str::to_owned)
        },
        context.notes,
    );
    let has_branches = !paths.branches.is_empty();
    let mut reader = Reader::new(object.source(), has_branches, context.tally);
    walk(messages, paths, &mut reader);
    reader.turns.fill(&mut read);
    for who in read.participants.iter_mut().filter(|who| who.name == CLAUDE) {
        who.model = model.clone().or(who.model.take());
    }
    read.unpublished = rest(object.rest(), &IGNORED);
    Some(read)
}

/// Returns whether a conversation is temporary, or its settings mark it as private.
fn is_fleeting(object: &Object<'_>) -> bool {
    let settings = object.get("settings").and_then(Value::as_object);
    object.is_set(&FLEETING)
        || settings.is_some_and(|settings| {
            visibility::is_set_in(settings, &FLEETING) || visibility::is_marked(settings)
        })
}
