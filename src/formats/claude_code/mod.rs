//! Sessions of Claude Code: logs of records, one JSON object per line.
//!
//! ```text
//! ~/.claude/projects/<folder>/
//!   <session>.jsonl                         the session
//!   <session>/subagents/agent-<id>.jsonl    a subagent, with agent-<id>.meta.json
//!   <session>/subagents/workflows/<run>/…   the same, for the agents of a workflow
//!   <session>/tool-results/<call>.txt       outputs that were too long for the log; without it, they are
//!                                           not read
//!   <session>/workflows/<run>.json          the result of a workflow
//!   agent-<id>.jsonl                        a subagent of an older version
//! ```
//!
//! ```text
//! {"type": "user", "uuid": "…", "parentUuid": null, "sessionId": "…",
//!  "timestamp": "2026-03-01T12:00:00.000Z", "message": {"role": "user", "content": "Hello!"}}
//! ```
//!
//! With `--output-format stream-json`, the same messages have `session_id`, and `parent_tool_use_id` for those of a
//! subagent, but no times.
//!
//! [`gather`] finds the files of a session, and [`entry`] reads one record. [`lanes`] separates the main
//! path from its branches. [`talk`] converts records to turns, [`prompt`](crate::shared::agents::prompt) splits user messages, [`tools`]
//! contains the known tools, and [`agents`] adds subagents to the calls that started them. [`read`]
//! combines all of this. [`screen`] reads what the command `/export` saves.

mod agents;
mod answering;
mod asking;
mod attachments;
mod calls;
mod entry;
mod files;
mod gather;
mod lanes;
mod notes;
mod output;
mod parts;
mod read;
mod screen;
mod talk;
mod tools;
mod withheld;

use super::{About, Claim, File, Format, Parsed, Parts, Probe, Read};
use convo_base::json;

pub(super) const FORMAT: Format = Format {
    name: "claude-code",
    title: "Claude Code session",
    source_label: "Claude Code",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "Session logs of Claude Code, and texts that its command `/export` saves.",
        find: "The folder `~/.claude/projects` has one folder per project. If a session has a folder next to its file, copy both. Output of `claude -p --output-format stream-json` is read too. In files that `/export` saves, times are missing and long results are cut.",
        reads: "Prompts, answers, reasoning, tool calls with edits as diffs, subagents, teams and workflows, rewinds as branches, compactions, pictures, and the token usage of each answer.",
        leaves_out: "System reminders, hook output, input and output of third-party tools, progress messages, snapshots, and paths of home folders.",
    },
    read: Some(
        Read::new(claims, parse)
            .gather(gather::gather)
            .tool_outputs(files::is_output)
            .parts(Parts::Choose(parts::choose)),
    ),
    write: None,
};

/// The maximum number of lines that are examined to detect the format.
const MAX_LINES: usize = 40;

fn claims(probe: &Probe<'_>) -> Claim {
    let text = probe.text;
    let start = text.trim_start();
    if !start.starts_with('{') {
        return match screen::is_one(text) {
            true => Claim::Signature,
            false => Claim::No,
        };
    }
    let first = json::keys(start);
    if let Some((_, list)) = first.iter().find(|(key, _)| *key == "loglines") {
        // The web version exports a single object.
        return match record_certainty(list) {
            0 => Claim::No,
            _ => Claim::Signature,
        };
    }
    let lines = text.lines().filter(|line| line.trim_start().starts_with('{'));
    let lines: Vec<&str> = lines.take(MAX_LINES).collect();
    // Another program writes the same records, but without links and models.
    if lines.iter().any(|line| is_without_model(line)) && !lines.iter().any(|line| is_linked(line))
    {
        return Claim::No;
    }
    match lines.into_iter().map(record_certainty).max() {
        Some(2) => Claim::Signature,
        Some(1) => Claim::Shape,
        _ => Claim::No,
    }
}

fn parse(source: &[File]) -> Parsed {
    let is_screen =
        |file: &&File| !file.text.trim_start().starts_with('{') && screen::is_one(&file.text);
    match source.first().filter(is_screen) {
        Some(_) => screen::parse(source),
        None => read::parse(source),
    }
}

fn is_linked(line: &str) -> bool {
    let keys = json::keys(line);
    keys.iter().any(|(key, _)| ["parentUuid", "leafUuid"].contains(key))
}

/// Returns whether a line is an answer without a model.
fn is_without_model(line: &str) -> bool {
    let keys = json::keys(line);
    let value = |key: &str| keys.iter().find(|(known, _)| *known == key).map(|(_, v)| *v);
    let message = value("message").map(json::keys).unwrap_or_default();
    value("type") == Some("\"assistant\"")
        && message.iter().any(|(key, _)| *key == "content")
        && message.iter().all(|(key, _)| *key != "model")
}

/// Returns how certain it is that a line is a record: 2 if it has two keys that no other program combines,
/// 1 if it has the right shape.
fn record_certainty(line: &str) -> u8 {
    let keys = json::keys(line);
    let value = |key: &str| keys.iter().find(|(known, _)| *known == key).map(|(_, v)| *v);
    let has = |key: &str| value(key).is_some();
    let kind = value("type").map(|kind| kind.trim_matches('"')).unwrap_or_default();
    if kind.is_empty() || has("projectHash") || has("payload") {
        return 0;
    }
    let speaks = ["user", "assistant"].contains(&kind);
    let is_message = speaks
        && value("message").is_some_and(|message| {
            let inside = json::keys(message);
            inside.iter().any(|(key, _)| *key == "content")
        });
    let is_sure = has("parentUuid") && (has("sessionId") || has("uuid"))
        || has("leafUuid") && has("summary")
        || has("sessionId") && entry::is_known(kind)
        || is_message && (has("uuid") || has("cwd") || has("sessionId"))
        || has("session_id")
            && (kind == "system" && has("subtype") || is_message && has("parent_tool_use_id"));
    match is_sure {
        true => 2,
        // Other programs write such lines as well, but without the time.
        false => u8::from(is_message && has("timestamp")),
    }
}
