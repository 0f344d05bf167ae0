//! A record in the export: one conversation with all its branches.

use std::ops::Range;

use super::message::{seconds, time};
use super::talk::Reader;
use super::{ASSISTANT, MAPPING, nodes, tools};
use crate::shared::access::visibility;
use crate::shared::agents::thread::Context;
use crate::shared::agents::turns::walk;
use crate::shared::json::object::Object;
use convo_base::diag::Note;
use convo_base::json::Value;
use convo_base::model::{Block, Conversation};

/// Keys of a conversation written by ChatGPT, none of which affects visibility.
const KEYS: [&str; 42] = [
    "id", "conversation_id", "title", "create_time", "update_time", "mapping", "current_node",
    "default_model_slug", "model_slug", "gizmo_id", "gizmo_type", "is_archived", "is_starred",
    "is_study_mode", "is_do_not_remember", "is_read_only", "is_temporary", "is_temporary_chat",
    "is_anonymous", "voice", "pinned_time", "plugin_ids", "safe_urls", "blocked_urls",
    "moderation_results", "memory_scope", "conversation_template_id", "conversation_origin",
    "async_status", "disabled_tool_ids", "context_scopes", "atlas_mode_enabled", "owner",
    "sugar_item_id", "sugar_item_visible", "workspace_id", "snorlax", "continuation_bundle_id",
    "is_incognito", "mcp_connector_link_ids", "resource_mentions", "type",
];

/// Keys whose values are kept for programs but not published.
const UNPUBLISHED: [&str; 11] = [
    "gizmo_id", "gizmo_type", "conversation_template_id", "conversation_origin", "is_archived",
    "is_starred", "is_study_mode", "is_read_only", "pinned_time", "plugin_ids", "voice",
];

/// Marks of temporary conversations.
const FLEETING: [&str; 4] = ["istemporary", "istemporarychat", "isdonotremember", "isincognito"];

/// Reads a conversation. If there are too many messages for the object, `long` is their place.
pub(super) fn read(
    mut object: Object<'_>,
    long: Option<Range<usize>>,
    context: &mut Context<'_>,
) -> Option<Conversation> {
    let mut access_notes = Vec::new();
    let private = object.holds_back("private", &KEYS, &mut access_notes);
    let private = private || object.is_set(&FLEETING);
    let words = |keys: &[&str]| {
        let mut texts = keys.iter().filter_map(|key| object.get(key)?.as_str()).map(str::trim);
        texts.find(|text| !text.is_empty()).map(str::to_owned)
    };
    let moment = |key: &str| object.get(key).and_then(seconds).and_then(time);
    let id = words(&["conversation_id", "id"]);
    let shell = Conversation { id, private, ..Conversation::default() };
    match object.get(MAPPING) {
        Some(Value::Object(_)) => context.notes.append(&mut access_notes),
        // Deleted and shared conversations leave entries with only a title.
        None | Some(Value::Null) => return Some(shell),
        Some(_) => {
            let note = Note::error("wrong-type", object.start(), "`mapping` must be an object");
            let note = note.in_file(object.file());
            context.notes.push(note.hint("only this conversation is skipped"));
            // A private conversation withholds its other versions, even if it has no messages.
            return Some(shell).filter(|read| read.private);
        }
    }
    let kept = UNPUBLISHED.into_iter().filter_map(|key| {
        let value = object.get(key).filter(|value| {
            !value.is_null() && **value != false && !matches!(value, Value::Object(_))
        })?;
        Some((key.to_owned(), value.clone()))
    });
    let mut read = Conversation {
        title: words(&["title"]),
        time: moment("create_time"),
        updated: moment("update_time"),
        unpublished: kept.collect(),
        ..shell.clone()
    };
    // With `auto`, ChatGPT chooses the model, and each message names it.
    let model = words(&["default_model_slug", "model_slug"]).filter(|model| model != "auto");
    let current = words(&["current_node"]);
    let nodes::Mapping { messages, is_private } =
        match nodes::read(&mut object, long, context.notes) {
            Ok(mapping) => mapping,
            Err(note) => {
                context.notes.push(note.in_file(object.file()));
                return Some(shell).filter(|read| read.private);
            }
        };
    read.private |= is_private;
    let paths = nodes::paths(&messages, current.as_deref());
    let (at, line) = (object.start(), context.lines.line(object.start().start));
    let thread = read.id.clone().unwrap_or_default();
    let mut reader = Reader::new(thread, object.file(), (at.clone(), line), context.tally);
    walk(messages.into_iter().map(Some).collect(), paths, &mut reader);
    if reader.withheld > 0 {
        let note = visibility::withheld_turns_note(reader.withheld, at);
        context.notes.push(note.in_file(object.file()));
    }
    read.withheld_ids = reader.hidden;
    reader.turns.fill(&mut read);
    // A conversation of system instructions alone is empty.
    if !private && read.all_turns().all(|turn| turn.withheld) {
        return Some(shell);
    }
    for who in read.participants.iter_mut().filter(|who| who.name == ASSISTANT) {
        who.model.clone_from(&model);
    }
    spell_tools(&mut read);
    Some(read)
}

/// Replaces the technical names of tools by readable ones.
fn spell_tools(read: &mut Conversation) {
    for block in read.all_turns_mut().flat_map(|turn| &mut turn.blocks) {
        if let Block::Tool(call) = block
            && let Some(words) = tools::words_for(&call.name)
        {
            call.name = words.to_owned();
        }
    }
}
