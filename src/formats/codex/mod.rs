//! Sessions of Codex CLI ("rollouts"): logs of records, one JSON object per line.
//!
//! ```text
//! {"timestamp": "…", "type": "session_meta", "payload": {"id": "…", "cwd": "…", …}}
//! {"timestamp": "…", "type": "response_item", "payload": {"type": "message", "role": "user", …}}
//! {"timestamp": "…", "type": "event_msg", "payload": {"type": "user_message", …}}
//! ```
//!
//! The same content is recorded up to three times: as input or output of the model (`response_item`), as
//! displayed by Codex (`event_msg`), and in paginated sessions as completed items (`item_completed`). The
//! first logs had bare items without `payload`.
//!
//! [`mod@line`] reads one line in any of these forms. [`origin`] finds records copied from another session.
//! [`read`] passes each record to [`message`], [`call`] or [`event`], which add it to the [`session`];
//! [`scope`] detects repetitions. [`prompt`] separates the user's text from the text that Codex added.
//! [`mod@search`], [`output`] and [`picture`] read searches, and the output of tools.

mod call;
mod event;
mod finish;
mod item;
mod known_call;
mod line;
mod message;
mod origin;
mod output;
mod picture;
mod prompt;
mod read;
mod scope;
mod search;
mod session;
mod stream;
mod usage;

use super::{About, Claim, File, Format, Parsed, Parts, Probe, Read};
use convo_base::json;

pub(super) const FORMAT: Format = Format {
    name: "codex",
    title: "Codex session",
    source_label: "Codex",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "Session logs of Codex, called rollouts, and output of `codex exec --json`.",
        find: "The folders `~/.codex/sessions` and `~/.codex/archived_sessions`.",
        reads: "Prompts, answers, reasoning summaries, commands with their exit codes, patches as diffs, plans, searches, pictures, and the token usage of each answer.",
        leaves_out: "System instructions, `AGENTS.md`, the environment, encrypted reasoning, and turns that were rolled back.",
    },
    read: Some(
        Read::new(claims, parse).parts(Parts::Lines(line::cut)).bytes_before(line::bytes_before),
    ),
    write: None,
};

/// The number of lines that are examined; the first ones may be broken.
const CLAIMED_LINES: usize = 8;

fn claims(probe: &Probe<'_>) -> Claim {
    let text = probe.text;
    if stream::is_one(text) {
        return Claim::Signature;
    }
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let mut is_header = false;
    for (number, line) in lines.take(CLAIMED_LINES).enumerate() {
        let keys = json::keys(line);
        let value = |key: &str| {
            let found = keys.iter().find(|(known, _)| *known == key);
            found.map(|(_, value)| *value)
        };
        let word = |key: &str| value(key).map_or("", |value| value.trim_matches('"'));
        if let Some(payload) = value("payload").filter(|text| text.starts_with('{')) {
            if line::KINDS.contains(&word("type")) || is_meta(payload) {
                return Claim::Signature;
            }
            continue;
        }
        let is_state = word("record_type") == "state";
        let is_item = ["message", "reasoning", "function_call"].contains(&word("type"))
            && value("timestamp").is_none_or(|_| value("id").is_some());
        if is_header && (is_state || is_item) {
            return Claim::Signature;
        }
        is_header |= number == 0
            && value("id").is_some()
            && value("timestamp").is_some()
            && value("instructions").is_some()
            && value("type").is_none();
    }
    let is_named = probe.name.rsplit('/').next().is_some_and(|name| name.starts_with("rollout-"));
    if is_header && is_named { Claim::Shape } else { Claim::No }
}

fn parse(files: &[File]) -> Parsed {
    match files.first() {
        Some(file) if stream::is_one(&file.text) => stream::parse(files),
        _ => read::parse(files),
    }
}

/// Returns whether an object, possibly truncated, identifies a session, as the first line does.
fn is_meta(payload: &str) -> bool {
    let keys = json::keys(payload);
    let has = |key: &str| keys.iter().any(|(known, _)| *known == key);
    has("id") && has("cwd") && (has("cli_version") || has("originator"))
}
