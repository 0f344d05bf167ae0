//! Chats of Open WebUI.
//!
//! ```text
//! [ { "id": …, "title": …, "chat": { "models": [ … ], "history": {
//!       "currentId": "b", "messages": {
//!         "a": { "parentId": null, "childrenIds": ["b", "c"], "role": "user", "content": … },
//!         "b": { "parentId": "a", "role": "assistant", "model": …, "content": …, "output": [ … ] } } } } } ]
//! ```
//!
//! `chat.messages` repeats the path that was shown last. If an answer has items in `output`, these are
//! read; older answers contain thoughts and tool calls as `<details>` in the text. Answers of several
//! models are separate messages after the same question.
//!
//! [`message`] reads a message, [`items`] its `output`, and [`details`] the text of an older one.

mod details;
mod items;
mod message;

use super::probe::value_of;
use super::{About, Claim, File, Format, Parsed, Parts, Probe, Read};
use crate::shared::agents::thread::{
    self, App, Context, Parent, assemble, inside, members, moment, rest, words,
};
use crate::shared::json::object::Object;
use convo_base::json::{self, Value};
use convo_base::model::Conversation;

pub(super) const FORMAT: Format = Format {
    name: "open-webui",
    title: "Open WebUI export",
    source_label: "Open WebUI",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "Chats of Open WebUI: a single chat, or all chats of an account.",
        find: "In Open WebUI: Settings, Data Controls, Export Chats. For a single chat, open its menu: Download, Export chat (.json).",
        reads: "Every chat: edits, regenerated answers and answers of several models as branches, reasoning, tool calls with their results, executed code, searches, sources, tokens, and pictures that are in the file.",
        leaves_out: "Account data, system prompts, parameters, ratings, the text of attached files and document passages, and input and output of third-party tools.",
    },
    read: Some(Read::new(claims, parse).parts(Parts::Records)),
    write: None,
};

const APP: App = App { lists: &["chats", "data"], read: chat };

/// Keys of a record that do not affect its visibility.
const OF_RECORD: [&str; 8] =
    ["chat", "history", "messages", "archived", "params", "files", "models", "title"];
/// The same for a chat.
const OF_CHAT: [&str; 7] = ["history", "messages", "params", "files", "models", "system", "title"];
/// Keys with bookkeeping.
const IGNORED: [&str; 16] = [
    "user_id", "share_id", "folder_id", "updated_at", "created_at", "meta", "pinned", "archived",
    "timestamp", "models", "chat", "history", "messages", "params", "files", "system",
];

fn claims(probe: &Probe<'_>) -> Claim {
    let keys = probe.record(APP.lists);
    let chat = value_of(&keys, "chat");
    let chat = chat.map_or(keys, json::keys);
    let Some(history) = value_of(&chat, "history") else { return Claim::No };
    let history = json::keys(history);
    let messages = value_of(&history, "messages").unwrap_or_default();
    let message = json::members(messages).next().map(|(_, message)| json::keys(message));
    let speaks = message.is_some_and(|message| {
        let has = |name: &str| message.iter().any(|(key, _)| *key == name);
        has("role") && (has("parentId") || has("childrenIds"))
    });
    let is_empty = messages.starts_with('{') && value_of(&history, "currentId").is_some();
    match speaks || is_empty {
        true => Claim::Signature,
        false => Claim::No,
    }
}

fn parse(files: &[File]) -> Parsed {
    thread::read(&APP, files)
}

fn chat(mut object: Object<'_>, context: &mut Context<'_>) -> Option<Conversation> {
    let private = object.holds_back("private", &OF_RECORD, context.notes);
    let mut read = Conversation { private, ..Conversation::default() };
    read.id = object.text("id", context.notes).filter(|id| !id.is_empty());
    read.title = title(&mut object, context);
    read.time = moment(&mut object, "created_at", context);
    read.updated = moment(&mut object, "updated_at", context);
    tags(object.get("meta").and_then(|meta| meta.get("tags")), &mut read);
    let mut chat = match object.has("chat") {
        true => inside(&mut object, "chat", context.notes),
        false => {
            let map = object.copy();
            Some(object.at(map, object.place(&[])))
        }
    };
    if let Some(chat) = &mut chat {
        read.private |= chat.holds_back("private", &OF_CHAT, context.notes);
        let own = title(chat, context);
        read.title = read.title.or(own);
        let time = moment(chat, "timestamp", context);
        read.time = read.time.or(time);
        tags(chat.get("tags"), &mut read);
    }
    let mut history = chat.as_mut().and_then(|chat| inside(chat, "history", context.notes));
    if let Some(history) = &mut history {
        read.private |= history.holds_back("private", &["messages"], context.notes);
    }
    let current = history.as_ref().and_then(|history| history.get("currentId"));
    let current = current.and_then(words);
    let listed = history.as_mut().and_then(|own| members(own, "messages", context.notes));
    let mut messages = Vec::new();
    match (&history, listed, &mut chat) {
        (Some(history), Some(listed), _) => {
            for (id, item) in listed {
                let name = format!("messages.{id}");
                let Some(item) = history.element(item, name, "message", context.notes) else {
                    continue;
                };
                messages.push(message::read(item, Some(id), context));
            }
        }
        // The path that was shown last is used as a fallback.
        (_, _, Some(chat)) => {
            let listed = chat.array("messages", context.notes).unwrap_or_default();
            for (at, item) in listed.into_iter().enumerate() {
                let name = format!("messages.{at}");
                let Some(item) = chat.element(item, name, "message", context.notes) else {
                    continue;
                };
                messages.push(message::read(item, None, context));
            }
        }
        _ => {}
    }
    // In a list of answers, a message without a parent is a root.
    messages.iter_mut().filter(|message| message.id.is_empty()).for_each(|message| {
        message.parent = Parent::Above;
    });
    assemble(&mut read, messages, current.as_deref(), context);
    read.unpublished = rest(object.rest(), &IGNORED);
    Some(read)
}

fn title(object: &mut Object<'_>, context: &mut Context<'_>) -> Option<String> {
    object.text("title", context.notes).filter(|title| !title.trim().is_empty())
}

/// Adds the tags of a chat, which are texts or objects with a name.
fn tags(list: Option<&Value>, read: &mut Conversation) {
    for tag in list.and_then(Value::as_array).into_iter().flatten() {
        let tag = tag.as_str().or_else(|| tag.get("name")?.as_str()).unwrap_or_default().trim();
        if !tag.is_empty() && !read.tags.iter().any(|known| known == tag) {
            read.tags.push(tag.to_owned());
        }
    }
}
