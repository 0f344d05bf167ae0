//! Sessions of Pi, and of OpenClaw, which is built on it: trees of entries, one JSON object per line.
//!
//! ```text
//! ~/.pi/agent/sessions/--home-ada-mill--/2026-06-29T10-39-00-200Z_<id>.jsonl
//! {"type": "session", "version": 3, "id": …, "timestamp": "…", "cwd": "/home/ada/mill"}
//! {"type": "message", "id": "a2", "parentId": "a1", "timestamp": "…", "message": {"role": "user", "content": …}}
//! {"type": "message", "id": "a3", "parentId": "a2", …, "message": {"role": "assistant", "content": [{"type": "toolCall", …}], …}}
//! {"type": "message", "id": "a4", "parentId": "a3", …, "message": {"role": "toolResult", "toolCallId": …, "content": […]}}
//! ```
//!
//! Every entry names the one before it; those of version 1 do not. The session ends at the last entry, or where a
//! `leaf` entry of OpenClaw points. Other ends are branches.
//!
//! [`read`] reads the entries; [`entry`] says what each adds to the [`session`]. [`prompt`] finds what a person wrote in a
//! message that OpenClaw received from a chat app.

mod entry;
mod prompt;
mod read;
mod session;

use super::{About, Claim, File, Format, Parsed, Probe, Read};
use crate::shared::agents::thread::{self, ListApp};
use convo_base::json;

pub(super) const FORMAT: Format = Format {
    name: "pi",
    title: "Pi or OpenClaw session",
    source_label: "Pi",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "Session logs of the coding agent Pi, and of OpenClaw.",
        find: "`~/.pi/agent/sessions/*/*.jsonl`, or `~/.openclaw/agents/*/sessions/*.jsonl`.",
        reads: "Prompts, answers, reasoning, tool calls with their results, edits as diffs, commands typed with `!`, pictures, branches, compaction and branch summaries, tokens, costs, and models.",
        leaves_out: "System instructions, data of extensions, who wrote a message in a chat app, messages that OpenClaw sends to the agent, commands typed with `!!`, and input and output of tools that are not built in. Sessions of OpenClaw with messages that are or may be from group chats are withheld.",
    },
    read: Some(Read::new(claims, parse)),
    write: None,
};

const APP: ListApp = ListApp { read: read::read, record: "entry" };

/// The number of lines that are examined; the first ones may be broken.
const CLAIMED_LINES: usize = 8;

/// Kinds of entries.
const KINDS: [&str; 10] = [
    "message", "model_change", "thinking_level_change", "compaction", "branch_summary", "custom",
    "custom_message", "label", "session_info", "leaf",
];

fn claims(probe: &Probe<'_>) -> Claim {
    let text = probe.text;
    if !super::opens_json(text) {
        return Claim::No;
    }
    let lines = text.lines().filter(|line| !line.trim().is_empty()).take(CLAIMED_LINES);
    let is_ours = lines.clone().filter(|line| is_entry(line)).count();
    match is_ours > 0 && is_ours * 2 > lines.count() {
        true => Claim::Signature,
        false => Claim::No,
    }
}

/// Returns whether a line is the head of a session, or an entry that names the one before it.
fn is_entry(line: &str) -> bool {
    let keys = json::keys(line);
    let value = |key: &str| keys.iter().find(|(known, _)| *known == key).map(|(_, value)| *value);
    let kind = value("type").unwrap_or_default().trim_matches('"');
    let is_text = |key: &str| value(key).is_some_and(|value| value.starts_with('"'));
    match kind {
        "session" => is_text("id") && is_text("timestamp") && is_text("cwd"),
        kind => {
            KINDS.contains(&kind)
                && is_text("id")
                && is_text("timestamp")
                && value("parentId").is_some()
        }
    }
}

fn parse(files: &[File]) -> Parsed {
    thread::read_lists(&APP, files)
}
