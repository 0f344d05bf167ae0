//! Trajectories of OpenHands, formerly OpenDevin: lists of events, or folders with a file for each event.
//!
//! ```text
//! trajectory.json, sessions/…/events/7.json: the events of versions before 1
//! [{"id": 2, "timestamp": …, "source": "agent", "message": …, "action": "run", "args": {"command": …, "thought": …}},
//!  {"id": 3, "timestamp": …, "source": "agent", "cause": 2, "observation": "run", "content": …, "extras": …}, …]
//! events/event-00002-….json: those of the SDK
//! {"id": …, "timestamp": …, "source": "agent", "thought": […], "action": {"command": …, "kind": "TerminalAction"},
//!  "tool_name": "terminal", "tool_call_id": …, "kind": "ActionEvent"}
//! output.jsonl: a line for each instance of a benchmark
//! {"instance_id": …, "history": [events, or pairs of them], "test_result": …}
//! ```
//!
//! Times are those of the clock of the machine, without a zone. `message` and `tool_call_metadata` can contain secrets
//! that the program removed from `args`, so neither is read.

mod folder;
mod read;
mod sdk;
mod v0;

use super::probe::value_of;
use super::{About, Claim, Format, Probe, Read};
use convo_base::json;

pub(super) const FORMAT: Format = Format {
    name: "openhands",
    title: "OpenHands trajectory",
    source_label: "OpenHands",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "Trajectories of OpenHands, formerly OpenDevin, and of its benchmarks.",
        find: "In OpenHands: Export conversation; or the folders of sessions in `~/.openhands`, and `output.jsonl` of an evaluation.",
        reads: "Messages, thoughts, commands with their exit codes, edits as diffs, other calls with their results, task lists and summaries.",
        leaves_out: "System prompts, tool definitions, microagents and other text added for the model, raw answers of the model, and the input and output of MCP servers.",
    },
    read: Some(Read::new(claims, read::parse).gather(folder::gather)),
    write: None,
};

/// The keys under which a file has its list of events.
const LISTS: [&str; 1] = ["trajectory"];
/// The sources of events.
const SOURCES: [&str; 4] = ["user", "agent", "environment", "hook"];

fn claims(probe: &Probe<'_>) -> Claim {
    let listed = probe.value(LISTS[0]).filter(|list| list.starts_with('['));
    let is_one = match listed {
        Some(list) => is_event(&json::keys(list)),
        None => is_event(probe.keys()) || is_instance(probe.keys()),
    };
    if is_one { Claim::Signature } else { Claim::No }
}

/// Returns whether the keys of an object are those of an event. The text of an event may be cut off.
fn is_event(keys: &[(&str, &str)]) -> bool {
    let has = |key: &str| value_of(keys, key).is_some();
    let source = value_of(keys, "source").map(|source| source.trim_matches('"'));
    let is_known = source.is_some_and(|source| SOURCES.contains(&source));
    let is_number = value_of(keys, "id").is_some_and(|id| id.parse::<u64>().is_ok());
    let is_v0 = is_number && has("message");
    let is_sdk = ["llm_message", "system_prompt", "tool_call_id", "action_id"].into_iter().any(has);
    is_known && has("id") && has("timestamp") && (is_v0 || is_sdk)
}

/// Returns whether the keys of an object are those of an instance of a benchmark.
fn is_instance(keys: &[(&str, &str)]) -> bool {
    let has = |key: &str| value_of(keys, key).is_some();
    has("instance_id")
        && has("test_result")
        && (has("history") || has("instruction") || has("metadata"))
}
