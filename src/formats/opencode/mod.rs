//! Sessions of OpenCode, a coding agent in a terminal.
//!
//! ```text
//! opencode export ses_1 > ses_1.json                   {"info": {…}, "messages": [{"info": {…}, "parts": […]}, …]}
//! storage/session/PROJECT/ses_1.json                   versions before 2026: a file for the session,
//! storage/message/ses_1/msg_1.json                     a file for each message,
//! storage/part/msg_1/prt_1.json                        and a file for each part of a message
//! opencode.db                                          the same as rows of three tables
//! {"store":"opencode","table":"message","row":{"id":"msg_1","data":{…}}}
//! ```
//!
//! [`export`], [`storage`] and [`rows`] find the messages. [`message`] reads one message, and [`session`]
//! reads the metadata of a session.

mod export;
mod message;
mod rows;
mod session;
mod storage;

use super::probe::value_of;
use super::{About, Claim, File, Format, Parsed, Probe, Read};
use crate::shared::json::stored;
use convo_base::json;

pub(super) const FORMAT: Format = Format {
    name: "opencode",
    title: "OpenCode session",
    source_label: "OpenCode",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "Sessions of OpenCode, a coding agent in a terminal.",
        find: "`opencode.db` (before 2026: the folder `storage`) in `~/.local/share/opencode`. For a single session: \
               `opencode export`.",
        reads: "Questions, answers, reasoning, tool calls with their results and states, edits, plans, attached \
                files, errors, models, tokens, costs and times. Subagent sessions are linked to the session \
                that started them.",
        leaves_out: "Text that OpenCode adds to prompts, messages that were undone, system prompts, \
                     snapshots, share links, and input and output of third-party tools.",
    },
    read: Some(Read::new(claims, parse).gather(storage::gather)),
    write: None,
};

/// The name of the database in JSON Lines.
const STORE: &str = "opencode";

fn claims(probe: &Probe<'_>) -> Claim {
    if stored::claims(probe, STORE) {
        return Claim::Signature;
    }
    let Some(messages) = probe.value("messages").filter(|list| list.starts_with('[')) else {
        return Claim::No;
    };
    let is_session = |id: Option<&str>| id.is_some_and(|id| id.starts_with("\"ses_"));
    let info = probe.value("info").map(json::keys).unwrap_or_default();
    let own = value_of(&info, "id");
    let first = json::keys(messages);
    let has_parts = first.iter().any(|(key, _)| *key == "parts");
    let is_empty = messages.trim_start_matches('[').trim_start().starts_with(']');
    match (is_session(own) || is_session(probe.value("id"))) && (has_parts || is_empty) {
        true => Claim::Signature,
        false => Claim::No,
    }
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    if files.len() > 1 && files.iter().any(|file| storage::kind(&file.name).is_some()) {
        storage::read(files, &mut parsed);
        return parsed;
    }
    for (index, file) in files.iter().enumerate() {
        match stored::claims(&Probe::new(&file.name, &file.text), STORE) {
            true => rows::read(file, index, &mut parsed),
            false => export::read(file, index, &mut parsed),
        }
    }
    parsed
}
