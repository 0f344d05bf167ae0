//! One message of a channel.

use super::blocks::{Body, list};
use super::events::{Kind, kind};
use super::mrkdwn;
use super::workspace::Workspace;
use crate::shared::access::visibility;
use crate::shared::agents::thread::{first, inside, text, whole};
use crate::shared::json::object::Object;
use crate::shared::people::channel::{Message, emoji, event_block, objects, or_placeholder, react};
use crate::shared::tally::Tally;
use crate::shared::text::dates::of_value;
use crate::shared::text::verbatim::verbatim;
use convo_base::diag::{Note, Severity};
use convo_base::json::{Map, Value};
use convo_base::model::{Block, Place, Reaction};

/// Reads a message; `None` for messages that were never visible in the channel.
pub(super) fn read(
    mut object: Object<'_>,
    place: Place,
    workspace: &mut Workspace,
    tally: &mut Tally,
    notes: &mut Vec<Note>,
) -> Option<Message> {
    let name = object.get("subtype").and_then(Value::as_str).unwrap_or_default().to_owned();
    let what = match object.get("type").and_then(Value::as_str) {
        None | Some("message") => kind(&name),
        Some(kind) => {
            tally.unknown_skipped(kind);
            return None;
        }
    };
    if let Kind::Changed = what {
        let inner = inside(&mut object, "message", notes)?;
        // An edit cannot contain another edit.
        let is_nested = inner.get("subtype").and_then(Value::as_str) == Some(name.as_str());
        return match is_nested {
            true => None,
            false => read(inner, place, workspace, tally, notes),
        };
    }
    // `is_public` of a file is about its URL.
    let is_withheld = object.is_withheld_but(&["files"], notes) || has_marked_file(&object);
    let map = object.copy();
    let id = match what {
        Kind::Deleted => text(&map, "deleted_ts"),
        _ => text(&map, "ts"),
    };
    let moment = id.and_then(|ts| of_value(&ts.into()));
    if moment.is_none() {
        let note = match map.contains_key("ts") {
            false => object.missing(Severity::Warning, "ts"),
            true => {
                let message = "`ts` is not a valid time".to_owned();
                object.note(Severity::Warning, "bad-time", "ts", message)
            }
        };
        notes.push(note.hint("it was placed after the preceding message"));
    }
    let thread = text(&map, "thread_ts").filter(|root| id != Some(root));
    let message = Message {
        id: id.unwrap_or_default().to_owned(),
        time: moment,
        thread: thread.map(str::to_owned),
        is_edited: map.get("edited").is_some_and(Value::is_object),
        is_withheld,
        place,
        ..Message::default()
    };
    let own_text = object.text("text", notes).unwrap_or_default();
    let own_text = own_text.as_str();
    match what {
        Kind::Bookkeeping => return None,
        Kind::Deleted => return Some(Message { is_withheld: true, ..message }),
        Kind::Event(name) => {
            let words = match name {
                "call" if own_text.trim().is_empty() => "A huddle".to_owned(),
                _ => mrkdwn::to_plain(own_text, workspace),
            };
            // A joined member is not a mention.
            let words = words.strip_prefix('@').unwrap_or(&words);
            return Some(Message { blocks: vec![event_block(name, words)], ..message });
        }
        Kind::Unknown => {
            tally.unknown_skipped(&name);
            return None;
        }
        Kind::Said | Kind::Changed => {}
    }
    let (sender, is_bot) = sender(&map, workspace);
    let blocks = match name.as_str() {
        "me_message" => {
            let words = verbatim(&mrkdwn::to_plain(own_text, workspace));
            vec![Block::Markdown { text: format!("*{words}*") }]
        }
        _ => body(&map, own_text, workspace, tally),
    };
    let blocks = or_placeholder(blocks);
    let reactions = reactions(&map);
    Some(Message { sender, is_bot, blocks, reactions, ..message })
}

fn has_marked_file(object: &Object<'_>) -> bool {
    let files = object.get("files").and_then(Value::as_array).into_iter().flatten();
    let mut fields = files.filter_map(Value::as_object).flatten();
    fields.any(|(key, value)| visibility::is_clear_mark(key, value))
}

/// Returns the author of a message, and whether that is a bot.
fn sender(map: &Map, workspace: &mut Workspace) -> (String, bool) {
    let bot = text(map, "bot_id");
    let user = text(map, "user");
    let profile = |key: &str| map.get(key).and_then(Value::as_object);
    // An app may post under any name.
    let own = text(map, "username");
    let of_bot = profile("bot_profile").and_then(|bot| text(bot, "name"));
    if let Some(id) = user {
        if let Some(profile) = profile("user_profile") {
            let names = ["display_name", "real_name", "name"].map(|key| text(profile, key));
            workspace.members.add(id, &names, false);
        } else if bot.is_some() {
            workspace.members.add(id, &[own, of_bot], true);
        }
        let is_bot = workspace.members.is_bot(id);
        let own = own.filter(|_| is_bot && bot.is_some());
        return match own {
            Some(own) => (own.to_owned(), true),
            None => (workspace.members.name(id), is_bot),
        };
    }
    let comment = profile("comment").and_then(|comment| text(comment, "user"));
    if let Some(id) = comment {
        return (workspace.members.name(id), false);
    }
    let name = own.or(of_bot).map(str::to_owned);
    let known = |workspace: &mut Workspace| match bot {
        Some(id) if workspace.members.knows(id) => workspace.members.name(id),
        _ => "Bot".to_owned(),
    };
    let name = name.unwrap_or_else(|| known(workspace));
    (mrkdwn::to_plain(&name, workspace), true)
}

/// Returns the contents of a message.
fn body(map: &Map, own_text: &str, workspace: &mut Workspace, tally: &mut Tally) -> Vec<Block> {
    let mut body = Body::default();
    body.blocks(list(map, "blocks"), workspace, tally);
    if body.is_empty() {
        let comment = map.get("comment").and_then(Value::as_object);
        let comment = comment.and_then(|comment| text(comment, "comment"));
        body.push_text(mrkdwn::to_markdown(comment.unwrap_or(own_text), workspace));
    }
    for attachment in objects(map, "attachments") {
        body.attachment(attachment, workspace, tally);
    }
    // Old exports have a single file, newer ones a list.
    let one = map.get("file").filter(|_| !map.contains_key("files"));
    let files = list(map, "files").iter().chain(one);
    for file in files.filter_map(Value::as_object) {
        body.file(file, tally);
    }
    body.done()
}

fn reactions(map: &Map) -> Vec<Reaction> {
    let mut all = Vec::new();
    for reaction in objects(map, "reactions") {
        let users = list(reaction, "users").len() as u64;
        let count = whole(reaction.get("count")).unwrap_or(users);
        if let Some(name) = first(reaction, &["name"]).filter(|_| count > 0) {
            react(&mut all, &emoji(name), count);
        }
    }
    all
}
