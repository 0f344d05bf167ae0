//! Sessions of Gemini CLI.
//!
//! ```text
//! ~/.gemini/tmp/<project>/
//!   chats/session-<time>-<id>.json     one object: {"sessionId": …, "projectHash": …, "messages": […]}
//!   chats/session-<time>-<id>.jsonl    since 2026: that object without messages, then one message per line
//!   chats/<session>/<id>.jsonl         a subagent of that session
//!   checkpoint-<tag>.json              {"history": [{"role": "user", "parts": […]}, …]}, or the list alone
//! ```
//!
//! In a log, a message with a known id replaces the earlier one. `{"$set": {…}}` changes the metadata of
//! the session; if it contains `messages`, it also replaces all messages. `{"$rewindTo": id}` removes a
//! message and everything after it. `/chat share` writes Markdown.
//!
//! [`log`] selects the valid messages, [`message`] reads one of them, [`tool`] reads tool calls, and
//! [`prompt`] separates the user's text. [`history`] reads checkpoints, [`shared`] reads Markdown, and
//! [`session`] adds subagents to their calls.

mod gather;
mod history;
mod log;
mod message;
mod prompt;
mod session;
mod shared;
mod stream;
mod tool;

use super::probe::value_of;
use super::{About, Claim, File, Format, Parsed, Probe, Read, opens_json};
use convo_base::json;

pub(super) const FORMAT: Format = Format {
    name: "gemini-cli",
    title: "Gemini CLI session",
    source_label: "Gemini CLI",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "Sessions of Gemini CLI, files written by its commands `/chat save` and `/chat share`, and its output with `--output-format stream-json`.",
        find: "The `chats` folders in `~/.gemini/tmp`, and the `checkpoint-*.json` files next to them.",
        reads: "Prompts, answers, reasoning, commands with their exit codes, edits as diffs, to-do lists, searches, attached files, subagents, and the token usage of each answer.",
        leaves_out: "Messages that were rewound, context that Gemini CLI and hooks add for the model, memories, and reasoning signatures.",
    },
    read: Some(Read::new(claims, parse).gather(gather::gather)),
    write: None,
};

/// The number of lines that are examined; the first ones may be broken.
const CLAIMED_LINES: usize = 8;

/// The number of messages of a list that are examined.
const CLAIMED_MESSAGES: usize = 4;

/// The name of the assistant.
const GEMINI: &str = "Gemini";

fn claims(probe: &Probe<'_>) -> Claim {
    let (name, text) = (probe.name, probe.text);
    if !opens_json(text) {
        return match shared::is_one(text) {
            true => Claim::Signature,
            false => Claim::No,
        };
    }
    if text.trim_start().starts_with('[') {
        return history_claim(text.trim_start(), name);
    }
    if is_session(probe.keys()) || stream::is_one(text) {
        return Claim::Signature;
    }
    if let Some(history) = probe.value("history") {
        return history_claim(history, name);
    }
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    match lines.by_ref().skip(1).take(CLAIMED_LINES).any(|line| is_session(&json::keys(line))) {
        true => Claim::Signature,
        false => Claim::No,
    }
}

fn parse(files: &[File]) -> Parsed {
    match files.first() {
        Some(file) if stream::is_one(&file.text) => stream::parse(files),
        _ => session::parse(files),
    }
}

/// Returns whether an object identifies a session, as whole sessions and the first lines of logs do.
fn is_session(keys: &[(&str, &str)]) -> bool {
    let has = |key: &str| keys.iter().any(|(known, _)| *known == key);
    let is_text =
        |key: &str| keys.iter().any(|(known, value)| *known == key && value.starts_with('"'));
    let is_list = keys.iter().any(|(known, value)| *known == "messages" && value.starts_with('['));
    is_text("sessionId")
        && (is_text("projectHash") && (has("startTime") || has("kind") || is_list)
            || is_list && is_text("startTime"))
}

/// Returns the claim for a list of messages with `role` and `parts`, at least one of them by the model.
fn history_claim(list: &str, name: &str) -> Claim {
    if !list.starts_with('[') {
        return Claim::No;
    }
    let (mut at, mut count, mut answers) = (1, 0, false);
    while count < CLAIMED_MESSAGES {
        let found = json::value_at(list, at);
        let Some(message) = list.get(found.clone()).filter(|text| text.starts_with('{')) else {
            break;
        };
        let keys = json::keys(message);
        let role = value_of(&keys, "role");
        let parts = keys.iter().any(|(key, value)| *key == "parts" && value.starts_with('['));
        // If the list is truncated, the last message may lack one of them.
        let is_cut = found.end == list.len();
        match role {
            Some("\"user\"") if parts || is_cut => {}
            Some("\"model\"") if parts || is_cut => answers = true,
            _ if is_cut && count > 0 => break,
            _ => return Claim::No,
        }
        count += 1;
        at = found.end;
        let rest = list.get(at..).unwrap_or_default();
        at += rest.find(',').map_or(rest.len(), |comma| comma + 1);
    }
    let is_named = name.rsplit('/').next().is_some_and(|name| name.starts_with("checkpoint-"));
    match count > 0 && (answers || is_named) {
        true => Claim::Signature,
        false => Claim::No,
    }
}
