//! Conversations with the agent of Cursor.
//!
//! ```text
//! agent-transcripts/5d0c…/5d0c….jsonl      messages and tool calls, without times and results
//! {"role":"user","message":{"content":[{"type":"text","text":"<user_query>\nhi\n</user_query>"}]}}
//! state.vscdb                              everything; each bubble is a row
//! {"store":"cursor","table":"cursorDiskKV","row":{"key":"composerData:5d0c…","value":{…}}}
//! ```
//!
//! [`transcript`] reads the first, [`bubbles`] the second, [`tabs`] the storage of older versions, and
//! [`export`] the Markdown that the editor exports. [`query`] separates the user's text from the context
//! that the editor adds.

mod bubbles;
mod calls;
mod export;
mod query;
mod tabs;
mod transcript;

use super::probe::value_of;
use super::{About, Claim, File, Format, Parsed, Probe, Read};
use crate::shared::json::stored;
use convo_base::json;

pub(super) const FORMAT: Format = Format {
    name: "cursor",
    title: "Cursor conversation",
    source_label: "Cursor",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "Conversations with the agent of the Cursor editor.",
        find: "All conversations: `User/globalStorage/state.vscdb` in Cursor's settings folder (`~/.config/Cursor`, \
               `~/Library/Application Support/Cursor`, `%APPDATA%\\Cursor`); conversations from 2024 are in \
               `User/workspaceStorage/…/state.vscdb`. Agent transcripts: \
               `~/.cursor/projects/…/agent-transcripts`. One conversation: \"Export Chat\" in its menu.",
        reads: "From `state.vscdb`: questions, answers, reasoning, tool calls with their results, edits, models, tokens and \
                times. Transcripts and exports have only messages and tool calls. Of each conversation, the version \
                that Cursor shows.",
        leaves_out: "Messages that were replaced by an edit or another answer, files and rules that the editor sends \
                     to the model, encrypted thoughts, input and output of third-party tools, and `store.db` in `~/.cursor/chats`.",
    },
    read: Some(Read::new(claims, parse)),
    write: None,
};

/// The name of the database in JSON Lines.
const STORE: &str = "cursor";

fn claims(probe: &Probe<'_>) -> Claim {
    let text = probe.text;
    if stored::claims(probe, STORE) || export::is_one(text) {
        return Claim::Signature;
    }
    // Errors are on separate lines.
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let mut lines = lines.skip_while(|line| is_error(line));
    let Some(line) = lines.next().filter(|line| line.trim_start().starts_with('{')) else {
        return Claim::No;
    };
    let keys = json::keys(line);
    let value = |name: &str| value_of(&keys, name);
    let speaks = value("role").is_some_and(|role| ["\"user\"", "\"assistant\""].contains(&role));
    let is_foreign =
        ["type", "uuid", "sessionId", "content"].iter().any(|key| value(key).is_some());
    let message = value("message").map(json::keys).unwrap_or_default();
    let has_parts =
        message.iter().any(|(key, value)| *key == "content" && value.starts_with(['[', '"']));
    match speaks && !is_foreign && has_parts {
        true => Claim::Signature,
        false => Claim::No,
    }
}

fn is_error(line: &str) -> bool {
    let keys = json::keys(line);
    let has = |name: &str| keys.iter().any(|(key, _)| *key == name);
    has("error") && keys.iter().any(|(key, value)| *key == "type" && *value == "\"error\"")
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    for (index, file) in files.iter().enumerate() {
        let notes = &mut parsed.notes;
        let found = match stored::claims(&Probe::new(&file.name, &file.text), STORE) {
            false if export::is_one(&file.text) => {
                export::read(file, index, notes).into_iter().collect()
            }
            false => transcript::read(file, index, notes).into_iter().collect(),
            true if tabs::are_in(&file.text) => tabs::read(file, index, notes),
            true => bubbles::read(file, index, notes).into_iter().collect(),
        };
        parsed.conversations.extend(found);
    }
    parsed
}
