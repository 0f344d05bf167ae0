//! Chats of GitHub Copilot in VS Code.
//!
//! ```text
//! {"version": 3, "sessionId": …, "creationDate": …, "customTitle": …, "requests": [
//!   {"requestId": …, "message": {"text": "Hello"}, "response": [{"value": "Hi."}, {"kind": "thinking", …}], …}]}
//! ```
//!
//! Newer versions write a log instead of that object: `{"kind": 0, "v": {…}}` is the whole object, and each
//! further line changes a part of it. [`replay`] reconstructs the object from the log, [`request`] reads
//! one of its requests, [`response`] reads the parts of an answer, and [`tool`] reads tool calls.

mod read;
mod replay;
mod request;
mod response;
mod tool;

use super::probe::value_of;
use super::{About, Claim, Format, Probe, Read};
use convo_base::json;

pub(super) const FORMAT: Format = Format {
    name: "vscode-copilot",
    title: "GitHub Copilot chat in VS Code",
    source_label: "GitHub Copilot",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "Chats of GitHub Copilot in VS Code, as stored by the editor or written by `Chat: Export Chat…`.",
        find: "`workspaceStorage/*/chatSessions/*.json` and `*.jsonl` in the folder `User` of VS Code: `~/.config/Code/User`, `~/Library/Application Support/Code/User` or `%APPDATA%\\Code\\User`.",
        reads: "Prompts, answers, reasoning, tool calls with their results, commands with their output and exit codes, to-do lists, errors, and the token usage of each answer.",
        leaves_out: "Account names and pictures, undone requests, instructions and files that the editor adds, and the text of edits; a hint counts the edits.",
    },
    read: Some(Read::new(claims, read::parse)),
    write: None,
};

/// The number of lines that are examined; the first ones may be broken.
const CLAIMED_LINES: usize = 8;

fn claims(probe: &Probe<'_>) -> Claim {
    let text = probe.text;
    if !super::opens_json(text) {
        return Claim::No;
    }
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    match is_chat(text) || lines.by_ref().take(CLAIMED_LINES).any(is_entry) {
        true => Claim::Signature,
        false => Claim::No,
    }
}

/// Returns whether an object, possibly truncated, is a chat.
fn is_chat(text: &str) -> bool {
    let keys = json::keys(text);
    if text.trim_start().starts_with('[') {
        return false;
    }
    let has = |key: &str| keys.iter().any(|(known, _)| *known == key);
    let requests = value_of(&keys, "requests");
    let Some(requests) = requests.filter(|requests| requests.starts_with('[')) else {
        return false;
    };
    let says_who = has("responderUsername") || has("sessionId") && has("creationDate");
    says_who || is_request(requests)
}

/// Returns whether the first element of a list, possibly truncated, is a request.
fn is_request(list: &str) -> bool {
    let keys = json::keys(list);
    let has = |key: &str| keys.iter().any(|(known, _)| *known == key);
    has("message") && has("response") && (has("requestId") || has("timestamp"))
}

/// Returns whether a line belongs to a log: it has a kind, and changes a chat.
fn is_entry(line: &str) -> bool {
    let keys = json::keys(line);
    let value = |key: &str| {
        let found = keys.iter().find(|(known, _)| *known == key);
        found.map(|(_, value)| *value)
    };
    match (value("kind"), value("v"), value("k")) {
        (Some("0"), Some(whole), None) => is_chat(whole),
        (Some("2"), Some(list), Some(path)) => {
            let path: String = path.chars().filter(|c| !c.is_whitespace()).collect();
            path == "[\"requests\"]" && is_request(list)
        }
        _ => false,
    }
}
