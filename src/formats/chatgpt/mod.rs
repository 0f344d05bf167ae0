//! The data export of ChatGPT.
//!
//! ```text
//! export/
//!   conversations.json                  all conversations, or
//!   conversations-000.json …            a hundred in each file
//!   file-AbC…-photo.png, file_00….dat   pictures, recordings and other files, by their ids
//!   library_files.json                  the names of files that ChatGPT made
//!   user.json, chat.html, …             account data, and the conversations as HTML
//!
//! [ { "title": "…", "create_time": 1700000000.5, "current_node": "…", "mapping": {
//!       "…": { "parent": "…", "children": ["…"], "message": {
//!                "author": { "role": "user" }, "content": { "content_type": "text", … } } } } } ]
//! ```
//!
//! [`nodes`] orders the messages of a record and finds the path that was shown last. [`talk`] makes turns
//! of such a path, with the help of [`content`] for the kinds of contents and [`tools`] for the tools.
//! [`marks`] replaces citation marks by links, according to [`sources`]. [`mod@assets`] handles the other
//! files of an export.
//!
//! Custom instructions, memories, and data from connectors are never read into a conversation.

mod assets;
mod canvas;
mod code;
mod content;
mod conversation;
mod damage;
mod links;
mod marks;
mod message;
mod nodes;
mod sources;
mod talk;
mod tools;
mod unmarked;
mod writing;

use super::{About, Claim, File, Format, Parsed, Parts, Probe, Read};
use crate::shared::agents::thread::read_long;
use convo_base::json;

pub(super) const FORMAT: Format = Format {
    name: "chatgpt",
    title: "ChatGPT export",
    source_label: "ChatGPT",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "The data export of a ChatGPT account.",
        find: "In ChatGPT: Settings › Data controls › Export data; you receive a link to a ZIP file by e-mail.",
        reads: "Every conversation: edits and regenerated answers as branches, reasoning, tool calls with their results, canvas documents, searches with their sources, transcripts of voice chats, and the pictures and files in the export.",
        leaves_out: "Account data, instructions, memories, input and output of third-party tools, hidden messages, temporary chats, voice recordings, group chats, and Codex cloud tasks.",
    },
    read: Some(Read::new(claims, parse).parts(Parts::Records).assets(assets::find)),
    write: None,
};

/// The name of the assistant.
const ASSISTANT: &str = "ChatGPT";

/// The key of the list of conversations in some exports.
const LIST: &str = "conversations";
/// The key of the messages of a conversation.
const MAPPING: &str = "mapping";
/// The maximum number of records that are searched for one that identifies the export.
const MAX_SHELLS: usize = 50;

fn claims(probe: &Probe<'_>) -> Claim {
    let text = probe.text;
    let text = text.trim_start();
    let list = probe.value(LIST).filter(|list| list.starts_with('['));
    match heads(list.unwrap_or(text)).take(MAX_SHELLS).any(is_conversation) {
        true => Claim::Signature,
        false => Claim::No,
    }
}

/// Iterates over the elements of the array at the start of a text, or over the text as a single value. The
/// last element may be truncated.
fn heads(text: &str) -> impl Iterator<Item = &str> {
    let mut at = usize::from(text.starts_with('['));
    let is_list = at == 1;
    std::iter::from_fn(move || {
        let found = json::value_at(text, at);
        let element = text.get(found.clone()).filter(|element| element.starts_with('{'))?;
        at = match is_list {
            true => text[found.end..].find(',').map_or(text.len(), |comma| found.end + comma + 1),
            false => text.len(),
        };
        Some(element)
    })
}

/// Returns whether a record contains messages by id, each with an author, and no keys of DeepSeek, which
/// uses the same shape.
fn is_conversation(record: &str) -> bool {
    let keys = json::keys(record);
    let has = |key: &str| keys.iter().any(|(known, _)| *known == key);
    let Some((_, mapping)) = keys.iter().find(|(key, _)| *key == "mapping") else {
        return false;
    };
    if has("inserted_at") || !mapping.starts_with('{') {
        return false;
    }
    let is_dated = ["create_time", "current_node"].into_iter().any(has);
    let mut is_node = false;
    for (_, node) in json::keys(mapping) {
        let node = json::keys(node);
        let has = |key: &str| node.iter().any(|(known, _)| *known == key);
        let message = node.iter().find(|(key, _)| *key == "message");
        match message {
            Some((_, message)) if message.starts_with('{') => {
                let keys = json::keys(message);
                let has = |key: &str| keys.iter().any(|(known, _)| *known == key);
                return has("author") && !has("fragments") && !has("inserted_at");
            }
            Some(_) => is_node |= has("parent"),
            // A text that ends inside a long list of children has no further keys of the node.
            None => is_node |= has("parent") && has("children"),
        }
    }
    is_node && is_dated
}

fn parse(files: &[File]) -> Parsed {
    read_long(&[LIST], MAPPING, files, conversation::read)
}
