//! One record of a log.

use std::ops::Range;

use super::super::{Cut, File};
use super::notes::{NOT_AN_OBJECT, UNKNOWN_WITHOUT_MESSAGE, WITHOUT_CONTENT};
use crate::shared::access::visibility::{self, Scope, read_access};
use crate::shared::json::records::records;
use crate::shared::tally::{Tally, WITHHELD};
use convo_base::diag::Note;
use convo_base::json::{self, Map, Value};
use convo_base::time::Time;

/// A record.
pub(super) struct Entry {
    pub(super) what: What,
    /// Identifies it; a copy in another session has the same id.
    pub(super) id: Option<String>,
    pub(super) parent: Parent,
    pub(super) session: Option<String>,
    pub(super) time: Option<Time>,
    /// Whether it belongs to a subagent.
    pub(super) is_aside: bool,
    /// The id of that subagent.
    pub(super) agent: Option<String>,
    pub(super) file: usize,
    pub(super) line: u32,
    /// Its position in the file, in bytes.
    pub(super) start: usize,
}

/// The parent of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Parent {
    /// The record does not name a parent.
    Unsaid,
    /// The record is the first one.
    None,
    Id(String),
}

/// The contents of a record.
pub(super) enum What {
    /// Text of the user, of Claude Code in the user's role, or tool results.
    User(Box<User>),
    Assistant(Box<Answer>),
    /// A prompt that was typed while the assistant was working.
    Queued {
        prompt: Value,
        is_sent_by_program: bool,
    },
    /// A file, a folder or a plan that Claude Code added to a prompt.
    Attached(Map),
    /// A message of Claude Code.
    System {
        kind: String,
        text: String,
    },
    /// The duration of an answer, in milliseconds.
    Duration(u64),
    /// A summary of the compacted context.
    Summary(String),
    Title(TitleKind, String),
    /// The tool call that started the subagent.
    Started {
        agent: String,
        call: String,
    },
    /// Part of the chain of records, but not shown.
    Noise,
    /// A record of an unknown kind, with or without a message.
    Unknown {
        name: String,
        says: bool,
    },
}

#[derive(Default)]
pub(super) struct User {
    pub(super) content: Value,
    /// The structured result that the tool returned to Claude Code.
    pub(super) result: Value,
    /// Whether Claude Code wrote it for the model only.
    pub(super) is_hidden: bool,
    /// Whether Claude Code sent it, for example at a scheduled time.
    pub(super) is_sent_by_program: bool,
}

#[derive(Default)]
pub(super) struct Answer {
    /// The id of the message. Each block of a message has a record of its own.
    pub(super) message: Option<String>,
    pub(super) model: Option<String>,
    pub(super) content: Value,
    pub(super) usage: Value,
    /// Only in old versions.
    pub(super) cost: Option<f64>,
    pub(super) duration: Option<u64>,
    pub(super) is_error: bool,
}

/// The origin of a title, in ascending order of priority.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum TitleKind {
    Summary,
    AgentName,
    Ai,
    Custom,
}

/// Kinds of records that are not relevant to readers.
const NOISE: [&str; 30] = [
    "progress", "queue-operation", "last-prompt", "file-history-snapshot", "file-history-delta",
    "permission-mode", "mode", "pr-link", "bridge-session", "agent-color", "agent-setting", "tag",
    "task-summary", "worktree-state", "content-replacement", "attribution-snapshot",
    "speculation-accept", "context-collapse", "relocated", "started", "result", "session-kind",
    "link", "stats", "ai-title-request", "hook", "stream_event", "rate_limit_event",
    "tool_progress", "auth_status",
];

/// Returns whether this kind of record is known.
pub(super) fn is_known(kind: &str) -> bool {
    let others = [
        "user", "assistant", "system", "summary", "attachment", "custom-title", "ai-title",
        "agent-name",
    ];
    others.contains(&kind) || NOISE.contains(&kind)
}

/// The records of a file.
#[derive(Default)]
pub(super) struct Log {
    pub(super) entries: Vec<Entry>,
    /// Whether the whole log is marked as private.
    pub(super) is_private: bool,
    /// The environment: the folder, the Git branch, and the version of Claude Code.
    pub(super) machine: Map,
    /// Private records with messages.
    pub(super) withheld: Vec<Entry>,
}

/// Reads the records of a file.
pub(super) fn log(files: &[File], index: usize, tally: &mut Tally, notes: &mut Vec<Note>) -> Log {
    let mut log = Log::default();
    let Some(file) = files.get(index) else { return log };
    let (mut line, mut counted) = (1, 0);
    // In a document that is a single object, the keys beside the records.
    let is_document = json::keys(&file.text).iter().any(|(key, _)| *key == LINES);
    let about = |json: &str| read_access(json, Scope::Conversation, &[LINES]);
    log.is_private = is_document && visibility::holds_back(&about(&file.text));
    for record in records(file, index, &[LINES], notes) {
        let between = &file.text.as_bytes()[counted..record.at.start];
        line += between.iter().filter(|byte| **byte == b'\n').count() as u32;
        counted = record.at.start;
        let Value::Object(map) = record.value else {
            tally.add_at(NOT_AN_OBJECT, index, start(&record.at));
            continue;
        };
        if map.contains_key("message") {
            if visibility::is_marked(&map) {
                tally.add_at(WITHHELD, index, start(&record.at));
                log.withheld.push(entry(map, index, line, record.at.start));
                continue;
            }
        } else {
            let is_about = map.get("type").is_some_and(|kind| kind == "summary");
            let is_marked = match is_about {
                true => visibility::holds_back(&about(&file.text[record.at.clone()])),
                false => visibility::is_marked(&map),
            };
            if is_marked {
                log.is_private = true;
                continue;
            }
        }
        for key in ["cwd", "gitBranch", "version"] {
            if let (Some(value), false) = (map.get(key), log.machine.contains_key(key)) {
                log.machine.insert(key.to_owned(), value.clone());
            }
        }
        let entry = entry(map, index, line, record.at.start);
        match &entry.what {
            What::Unknown { name, says: true } => {
                tally.unknown_at(name, index, start(&record.at));
            }
            What::Unknown { .. } => tally.add_at(UNKNOWN_WITHOUT_MESSAGE, index, start(&record.at)),
            _ => {}
        }
        let says = matches!(entry.what, What::User(_) | What::Assistant(_));
        if says && !entry.has_message() {
            tally.add_at(WITHOUT_CONTENT, index, start(&record.at));
        }
        log.entries.push(entry);
    }
    log
}

fn start(record: &Range<usize>) -> Range<usize> {
    record.start..record.start + 1
}

/// The key of the records in a document that is a single object.
const LINES: &str = "loglines";

fn entry(mut map: Map, file: usize, line: u32, start: usize) -> Entry {
    let kind = take_text(&mut map, "type").unwrap_or_default();
    let original = map.get("forkedFrom").and_then(|from| from.get("messageUuid"));
    let original = original.and_then(Value::as_str).map(str::to_owned);
    let parent = match map.shift_remove("parentUuid") {
        None => Parent::Unsaid,
        Some(Value::String(id)) => Parent::Id(id),
        Some(_) => match take_text(&mut map, "logicalParentUuid") {
            Some(id) => Parent::Id(id),
            None => Parent::None,
        },
    };
    let time = take_text(&mut map, "timestamp");
    let id = take_text(&mut map, "uuid");
    // In stream output, the call that started the subagent is the only name that it has.
    let caller = take_text(&mut map, "parent_tool_use_id");
    Entry {
        parent,
        id: match original {
            Some(original) => Some(original),
            None => id,
        },
        session: take_text(&mut map, "sessionId").or(take_text(&mut map, "session_id")),
        time: time.and_then(|time| Some(Time::parse(&time).ok()?.0)),
        is_aside: is(&map, "isSidechain") || caller.is_some(),
        agent: take_text(&mut map, "agentId").or(caller),
        what: what(&kind, map),
        file,
        line,
        start,
    }
}

fn take_text(map: &mut Map, key: &str) -> Option<String> {
    match map.shift_remove(key) {
        Some(Value::String(text)) if !text.is_empty() => Some(text),
        _ => None,
    }
}

/// Returns whether a flag of a record is set, as a boolean or as text.
fn is(map: &Map, key: &str) -> bool {
    match map.get(key) {
        Some(Value::Bool(value)) => *value,
        Some(Value::String(word)) => is_yes(word),
        Some(value) => value.as_i64() == Some(1),
        None => false,
    }
}

fn is_yes(word: &str) -> bool {
    word.trim().eq_ignore_ascii_case("true") || word.trim() == "1"
}

fn is_hidden(map: &Map) -> bool {
    is(map, "isMeta") || is(map, "isVisibleInTranscriptOnly")
}

/// Returns the content of a message that names the call whose output it is as a result of that call. Nobody
/// sees hidden messages.
fn as_result(map: &Map, content: Value) -> Value {
    let call = map.get("sourceToolUseID").filter(|_| !is_hidden(map));
    let Some(Value::String(call)) = call else { return content };
    let is_result =
        |block: &Value| block.get("type").and_then(Value::as_str) == Some("tool_result");
    if content.as_array().is_some_and(|blocks| blocks.iter().any(is_result)) {
        return content;
    }
    let fields = [
        ("type", "tool_result".into()),
        ("tool_use_id", call.as_str().into()),
        ("content", content),
    ];
    let result = fields.map(|(key, value): (&str, Value)| (key.to_owned(), value));
    Value::Array(vec![Value::Object(Map::from_iter(result))])
}

fn what(kind: &str, mut map: Map) -> What {
    let mut message = match map.shift_remove("message") {
        Some(Value::Object(message)) => message,
        _ => Map::new(),
    };
    let content = message.shift_remove("content").unwrap_or_default();
    let title = |map: &mut Map, kind: TitleKind, key: &str| match take_text(map, key) {
        Some(title) => What::Title(kind, title),
        None => What::Noise,
    };
    match kind {
        "user" if is(&map, "isCompactSummary") => What::Summary(plain(&content)),
        "user" => What::User(Box::new(User {
            content: as_result(&map, content),
            result: map.shift_remove("toolUseResult").unwrap_or_default(),
            is_hidden: is_hidden(&map),
            is_sent_by_program: is_sent_by_program(&map),
        })),
        "assistant" => What::Assistant(Box::new(Answer {
            message: take_text(&mut message, "id"),
            model: take_text(&mut message, "model"),
            content,
            usage: message.shift_remove("usage").unwrap_or_default(),
            cost: map.get("costUSD").and_then(Value::as_f64),
            duration: map.get("durationMs").and_then(Value::as_u64),
            is_error: is(&map, "isApiErrorMessage"),
        })),
        "attachment" => match map.shift_remove("attachment") {
            Some(Value::Object(attached)) => attachment(attached),
            _ => What::Noise,
        },
        "system" => system(map),
        "custom-title" => title(&mut map, TitleKind::Custom, "customTitle"),
        "ai-title" => title(&mut map, TitleKind::Ai, "aiTitle"),
        "agent-name" => title(&mut map, TitleKind::AgentName, "agentName"),
        "summary" => match (take_text(&mut map, "summary"), content) {
            (_, content) if !plain(&content).is_empty() => What::Summary(plain(&content)),
            (Some(text), _) => match take_text(&mut map, "leafUuid") {
                // Such records are often in the log of another session.
                Some(leaf) => What::Title(TitleKind::Summary, format!("{leaf}\n{text}")),
                None => What::Noise,
            },
            _ => What::Noise,
        },
        "progress" => {
            let agent = map.get("data").and_then(|data| data.get("agentId"));
            let call = map.get("parentToolUseID");
            match (agent.and_then(Value::as_str), call.and_then(Value::as_str)) {
                (Some(agent), Some(call)) => {
                    What::Started { agent: agent.to_owned(), call: call.to_owned() }
                }
                _ => What::Noise,
            }
        }
        kind if NOISE.contains(&kind) => What::Noise,
        kind => What::Unknown { name: kind.to_owned(), says: !plain(&content).is_empty() },
    }
}

/// The values of `promptSource` of prompts that nobody typed. Known values of what somebody typed are `typed`,
/// `queued` and `suggestion_accepted`. `sdk` depends on the entry point.
const PROGRAM_SOURCES: [&str; 2] = ["hook", "system"];

/// The values of `origin.kind` and `commandMode` of messages that nobody typed. What somebody typed has `human`
/// and `prompt`.
const PROGRAM_KINDS: [&str; 2] = ["coordinator", "task-notification"];

/// The values of `entrypoint` of scripts, besides those that start with `sdk`. In the apps, such as
/// `claude-vscode` and `claude-desktop`, people type, although their prompts have the source `sdk` too.
const SCRIPTS: [&str; 2] = ["claude-code-github-action", "mcp"];

/// Returns whether a prompt was not typed: a script, a hook or Claude Code sent it. An unknown value proves
/// nothing.
fn is_sent_by_program(map: &Map) -> bool {
    let word = |key: &str| map.get(key).and_then(Value::as_str);
    let origin = map.get("origin").and_then(|origin| origin.get("kind")?.as_str());
    if origin == Some("human") {
        return false;
    }
    let is_script = || {
        let entry = word("entrypoint");
        entry.is_none_or(|entry| entry.starts_with("sdk") || SCRIPTS.contains(&entry))
    };
    let source = word("promptSource");
    [origin, word("commandMode")].iter().flatten().any(|kind| PROGRAM_KINDS.contains(kind))
        || source.is_some_and(|source| PROGRAM_SOURCES.contains(&source))
        || source == Some("sdk") && is_script()
}

fn attachment(mut attached: Map) -> What {
    match attached.get("type").and_then(Value::as_str) {
        Some("queued_command") => match attached.shift_remove("prompt") {
            Some(prompt) if !is(&attached, "isMeta") => {
                let is_sent_by_program = is_sent_by_program(&attached);
                What::Queued { prompt, is_sent_by_program }
            }
            _ => What::Noise,
        },
        Some("file" | "directory" | "plan_file_reference") => What::Attached(attached),
        _ => What::Noise,
    }
}

fn system(mut map: Map) -> What {
    let kind = take_text(&mut map, "subtype").unwrap_or_default();
    if kind == "turn_duration" {
        let duration = map.get("durationMs").and_then(Value::as_u64);
        return duration.map_or(What::Noise, What::Duration);
    }
    match kind.as_str() {
        "compact_boundary" | "local_command" | "away_summary" => {
            let text = take_text(&mut map, "content").unwrap_or_default();
            What::System { kind, text }
        }
        _ => What::Noise,
    }
}

/// Returns the text of a message's content.
pub(super) fn plain(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => {
            let texts = blocks.iter().filter_map(|block| match block {
                Value::String(text) => Some(text.as_str()),
                block => block.get("text")?.as_str(),
            });
            texts.collect::<Vec<_>>().join("\n\n")
        }
        _ => String::new(),
    }
}

/// Decides where a long log is cut: before a prompt if possible, and never between a call and its result.
pub(super) fn cut(before: &str, after: &str) -> Cut {
    let (before, after) = (json::keys(before), json::keys(after));
    let kind = word(&after, "type");
    let message = |keys: &[(&str, &str)]| {
        let found = keys.iter().find(|(key, _)| *key == "message");
        found.map_or_else(String::new, |(_, message)| word(&json::keys(message), "id").to_owned())
    };
    let has = |key: &str| after.iter().any(|(known, _)| *known == key);
    let content = after.iter().find(|(key, _)| *key == "message");
    let says = |mark: &str| content.is_some_and(|(_, message)| message.contains(mark));
    let answers = says("\"tool_use_id\"");
    // The output of a command that the user ran.
    let is_answered = says("<local-command-std") || says("<bash-std");
    let is = |key: &str| is_yes(word(&after, key));
    // Records of a subagent among those of the session are between its call and the result.
    let is_of_call = !["", "null"].contains(&word(&after, "parent_tool_use_id"));
    let is_inside = is("isSidechain") && !has("agentId") || is_of_call;
    match kind {
        _ if is_inside => Cut::Bad,
        "user" if answers || has("toolUseResult") => Cut::Bad,
        "user" if is_answered || ["isMeta", "isCompactSummary"].into_iter().any(is) => Cut::Bad,
        "user" => Cut::Good,
        "assistant" => {
            let calls = word(&before, "type") == "assistant";
            let id = message(&after);
            match calls || !id.is_empty() && id == message(&before) {
                true => Cut::Bad,
                false => Cut::Passable,
            }
        }
        // Between a call and its result.
        _ => Cut::Bad,
    }
}

fn word<'a>(keys: &[(&'a str, &'a str)], key: &str) -> &'a str {
    let found = keys.iter().find(|(known, _)| *known == key);
    found.map_or("", |(_, value)| value.trim_matches('"'))
}

impl Entry {
    /// Returns whether it contains a message.
    pub(super) fn has_message(&self) -> bool {
        match &self.what {
            What::User(user) => !user.content.is_null(),
            What::Assistant(answer) => !answer.content.is_null(),
            What::Queued { .. } | What::Summary(_) => true,
            _ => false,
        }
    }
}
