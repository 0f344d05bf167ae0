//! Exports of Claude.ai, and conversations in the format of its web API.
//!
//! ```text
//! conversations.json    [ { "uuid": …, "name": …, "chat_messages": [ … ] }, … ]
//! projects.json, projects/<uuid>.json     instructions and documents: not shown
//! users.json, memories.json               account data: never shown
//! ```
//!
//! A message has a flattened `text` and, since 2024, blocks in `content`: text with citations, thinking,
//! tool calls and their results. With `parent_message_uuid`, messages form a tree: edited questions and
//! regenerated answers are branches. The export does not contain files, except for the extracted text of
//! some.
//!
//! Data from connectors (mail, calendars, drives, other conversations) is not shown, and neither is the
//! summary that Claude keeps of a conversation.
//!
//! [`account`] recognises files without conversations, [`conversation`] orders the messages, [`message`]
//! reads one, and [`content`] converts its blocks to a turn with the help of [`tools`], [`artifacts`],
//! [`citations`], [`tags`] and [`files`].

mod account;
mod artifacts;
mod calls;
mod citations;
mod content;
mod conversation;
mod files;
mod message;
mod output;
mod reader;
mod tags;
mod tools;

use super::{About, Claim, File, Format, Parsed, Parts, Probe, Read};
use crate::shared::agents::thread::read_file;
use convo_base::json;

pub(super) const FORMAT: Format = Format {
    name: "claude",
    title: "Claude export",
    source_label: "Claude",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "The data export of a Claude account, and conversations saved from its website.",
        find: "In Claude: Settings, Privacy, Export data; you receive a link to a ZIP file by e-mail.",
        reads: "Every conversation, however long: branches, reasoning, tool calls with their results, artifacts with their updates, citations, and the text of attached files.",
        leaves_out: "Account data, projects, memories, summaries, and input and output of third-party tools. Attached files themselves are not in the export.",
    },
    read: Some(Read::new(claims, parse).parts(Parts::Records)),
    write: None,
};

/// Keys of the list of conversations in files of programs that save many of them.
const LISTS: [&str; 3] = ["conversations", "chats", "data"];

fn claims(probe: &Probe<'_>) -> Claim {
    let text = probe.text;
    let keys = probe.keys();
    let in_list = || {
        let list = keys.iter().find(|(key, value)| LISTS.contains(key) && value.starts_with('['));
        list.is_some_and(|(_, value)| is_conversation(&json::keys(value)))
    };
    // The first conversation of a list may have no messages.
    let beside_others = || {
        let has = |key: &str| keys.iter().any(|(known, _)| *known == key);
        let listed = text.trim_start().starts_with('[');
        listed && has("uuid") && has("created_at") && text.contains("\"chat_messages\"")
    };
    let is_ours = is_conversation(keys)
        || account::account_file(keys).is_some()
        || in_list()
        || beside_others();
    if is_ours { Claim::Signature } else { Claim::No }
}

/// Returns whether an object with these keys is a conversation, which needs two matching keys.
fn is_conversation(keys: &[(&str, &str)]) -> bool {
    let has = |key: &str| keys.iter().any(|(known, _)| *known == key);
    let Some((_, messages)) = keys.iter().find(|(key, _)| *key == "chat_messages") else {
        return false;
    };
    let first = json::keys(messages);
    // DeepSeek uses the same key for messages.
    let is_other = has("chat_session") || first.iter().any(|(key, _)| *key == "fragments");
    let says = |names: [&str; 2]| first.iter().any(|(key, _)| names.contains(key));
    let speaks = says(["sender", "role"]) && says(["text", "content"]);
    !is_other && (speaks || has("uuid") && (has("name") || has("created_at")))
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    for (index, file) in files.iter().enumerate() {
        match account::account_file(&json::keys(&file.text)) {
            Some(what) => parsed.notes.push(account::note(what, file).in_file(index)),
            None => {
                let file = (index, file);
                read_file(&LISTS, conversation::MESSAGES, file, &mut parsed, conversation::read);
            }
        }
    }
    parsed
}
