//! Sessions of GitHub Copilot CLI: logs of events, one JSON object per line.
//!
//! ```text
//! {"type": "session.start", "timestamp": "…", "data": {"sessionId": …, "context": {"cwd": …}}}
//! {"type": "user.message", "timestamp": "…", "data": {"content": "List files"}}
//! {"type": "assistant.message", …, "data": {"content": "", "reasoningText": …, "toolRequests": [{"toolCallId": …, …}]}}
//! {"type": "tool.execution_complete", …, "data": {"toolCallId": …, "success": true, "result": {"content": …}}}
//! ```
//!
//! Events of a subagent contain the call that started it in `parentToolCallId`. [`read`] reads the log into
//! a [`session`], [`event`] reads one event, and [`tool`] reads tool calls.

mod event;
mod read;
mod session;
mod tool;

use std::collections::BTreeSet;

use super::{About, Claim, Format, Probe, Read};
use convo_base::json;

pub(super) const FORMAT: Format = Format {
    name: "copilot-cli",
    title: "GitHub Copilot CLI session",
    source_label: "Copilot CLI",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "Session logs of GitHub Copilot CLI.",
        find: "`~/.copilot/session-state/*/events.jsonl`.",
        reads: "Prompts, answers, reasoning, commands with their exit codes, edits as diffs, subagents, compaction summaries, and errors.",
        leaves_out: "System instructions unless `show_system = true`, hooks and their output, encrypted reasoning, and the folder of the session.",
    },
    read: Some(Read::new(claims, read::parse)),
    write: None,
};

/// The number of lines that are examined; the first ones may be broken.
const CLAIMED_LINES: usize = 8;

/// Prefixes of event types.
const FAMILIES: [&str; 4] = ["session.", "user.", "assistant.", "tool."];

fn claims(probe: &Probe<'_>) -> Claim {
    let text = probe.text;
    if !super::opens_json(text) {
        return Claim::No;
    }
    let kind = |line: &'_ str| -> Option<String> {
        let keys = json::keys(line);
        let value = |key: &str| {
            let found = keys.iter().find(|(known, _)| *known == key);
            found.map(|(_, value)| *value)
        };
        let kind = value("type").unwrap_or_default().trim_matches('"');
        let is_known = FAMILIES.iter().any(|family| kind.starts_with(family));
        let is_event = is_known && value("data").is_some_and(|data| data.starts_with('{'));
        is_event.then(|| kind.to_owned())
    };
    let lines = text.lines().filter(|line| !line.trim().is_empty()).take(CLAIMED_LINES);
    let lines: Vec<&str> = lines.collect();
    let kinds: BTreeSet<String> = lines.iter().filter_map(|line| kind(line)).collect();
    // Other programs also have events of users and tools, so most lines must be events of these families.
    let events = lines.iter().filter(|line| kind(line).is_some()).count();
    let own = ["session.start", "assistant.message"];
    let opens = kinds.len() > 1 || own.iter().any(|own| kinds.contains(*own));
    match opens && events * 2 > lines.len() {
        true => Claim::Signature,
        false => Claim::No,
    }
}
