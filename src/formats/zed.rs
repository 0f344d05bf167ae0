//! Threads of the agent in the Zed editor.
//!
//! ```text
//! {"store":"zed","table":"threads","row":{"id":"…","summary":"A bell","updated_at":"…","data":{
//!   "messages": [{"User": {"content": [{"Text": "hi"}]}},
//!                {"Agent": {"content": [{"Text": "Hello."}, {"ToolUse": {"id": "c1", …}}],
//!                           "tool_results": {"c1": {"content": {"Text": "ok"}}}}}],
//!   "model": {"provider": "…", "model": "…"}, "version": "0.3.0"}}}
//! ```
//!
//! A file may also contain a single thread. Versions before 0.3 have `role` and `segments`.

use super::probe::value_of;
use super::{About, Claim, File, Format, Parsed, Probe, Read};
use crate::shared::access::tool_access::full_name;
use crate::shared::access::visibility;
use crate::shared::agents::editor::line_starts;
use crate::shared::agents::turns::{At, Turns, Who};
use crate::shared::json::object::{Object, as_object};
use crate::shared::json::records::records;
use crate::shared::json::stored::{self, Row};
use crate::shared::tally::no_messages;
use crate::shared::text::dates::of_value;
use crate::shared::text::web_links::without_query;
use convo_base::diag::{Lines, Note, Severity};
use convo_base::json::{self, Map, Value};
use convo_base::model::{Block, Conversation, ToolCall, ToolResult, Usage};
use convo_base::text::base_name;

pub(super) const FORMAT: Format = Format {
    name: "zed",
    title: "Zed agent thread",
    source_label: "Zed",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "Threads of the agent in the Zed editor.",
        find: "The database `threads/threads.db` in Zed's data folder: `~/.local/share/zed`, \
               `~/Library/Application Support/Zed`, `%LOCALAPPDATA%\\Zed`.",
        reads: "Questions with names of mentioned files, answers, reasoning, tool calls with their results, pictures, \
                models and tokens.",
        leaves_out: "The contents of mentioned files, project snapshots, hidden messages, encrypted reasoning, and input \
                     and output of third-party tools. Zed records only the time of the last change.",
    },
    read: Some(Read::new(claims, parse)),
    write: None,
};

/// The name of the database in JSON Lines.
const STORE: &str = "zed";

fn claims(probe: &Probe<'_>) -> Claim {
    if stored::claims(probe, STORE) {
        return Claim::Signature;
    }
    let messages = probe.value("messages");
    let Some(messages) = messages.filter(|list| list.starts_with('[')) else {
        return Claim::No;
    };
    let first = json::keys(messages);
    let value = |name: &str| value_of(&first, name);
    let fields = value("User").or(value("Agent")).map(json::keys).unwrap_or_default();
    let is_tagged = fields.iter().any(|(key, value)| *key == "content" && value.starts_with('['));
    let is_old = value("segments").is_some_and(|list| list.starts_with('['))
        && value("role").is_some()
        && value("tool_uses").is_some();
    match is_tagged || is_old {
        true => Claim::Signature,
        false => Claim::No,
    }
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    for (index, file) in files.iter().enumerate() {
        let lines = Lines::new(&file.text);
        let starts = line_starts(&file.text);
        let (notes, found) = (&mut parsed.notes, &mut parsed.conversations);
        if !stored::claims(&Probe::new(&file.name, &file.text), STORE) {
            let mut broken = Vec::new();
            for record in records(file, index, &[], &mut broken) {
                let at = record.at.start..record.at.start + 1;
                let line = lines.line(at.start);
                let Some(map) = as_object(record.value, "thread", &record.at, index, notes) else {
                    continue;
                };
                let object = Object::new(map, &file.text, index, record.at);
                found.extend(thread(object, None, line, &starts, notes));
            }
            notes.append(&mut broken);
            continue;
        }
        stored::each(file, index, &lines, notes, &mut |row, notes| {
            let Row { mut columns, line, .. } = row;
            let Some(data) = columns.object("data", notes) else { return };
            let place = columns.place(&[json::Step::Key("data")]);
            let data = columns.at(data, place);
            found.extend(thread(data, Some(columns), line, &starts, notes));
        });
    }
    parsed
}

/// Reads a thread; `columns` contains the other columns of its row.
fn thread(
    mut data: Object<'_>,
    columns: Option<Object<'_>>,
    line: u32,
    starts: &[usize],
    notes: &mut Vec<Note>,
) -> Option<Conversation> {
    let file = data.file();
    let mut session = Turns::new(file, "Zed");
    session.read.private = data.holds_back("private", &["messages"], notes);
    let mut title = ["title", "summary"].iter().find_map(|key| data.text(key, notes));
    session.read.updated = data.get("updated_at").and_then(of_value);
    if let Some(mut columns) = columns {
        session.read.private |= columns.holds_back("private", &["data"], notes);
        session.read.id = columns.text("id", notes);
        title = columns.text("summary", notes).or(title);
        session.read.time = columns.get("created_at").and_then(of_value);
        session.read.updated =
            columns.get("updated_at").and_then(of_value).or(session.read.updated.take());
    }
    // If the start of a thread is unknown, the time of the last change is used.
    session.read.time = session.read.time.take().or_else(|| session.read.updated.clone());
    session.read.title = title;
    session.model =
        data.get("model").and_then(|model| model.get("model")?.as_str()).map(str::to_owned);
    let usage = match data.take("request_token_usage") {
        Some(Value::Object(usage)) => usage,
        _ => Map::new(),
    };
    let messages = match data.take("messages") {
        Some(Value::Array(messages)) => messages,
        _ => Vec::new(),
    };
    let mut asked: Option<String> = None;
    for message in messages {
        let at = At { line, quoted: true, ..At::default() };
        match message {
            Value::Object(map) if is_marked(&map) => session.count_hidden(),
            Value::Object(map) if map.contains_key("role") => old(&mut session, map, at),
            Value::Object(map) => {
                for (kind, inner) in map {
                    message_of(&mut session, &kind, inner, at.clone(), &mut asked);
                }
                if let Some(usage) = asked.as_ref().and_then(|id| usage.get(id))
                    && session.last() == Some(Who::Assistant)
                {
                    session.add_usage(&tokens(usage));
                    asked = None;
                }
            }
            // The thread continued after it was stopped.
            Value::String(word) if word == "Resume" => {}
            Value::String(word) => {
                session.turn(Who::Program, at);
                session.unknown(&word, line);
            }
            _ => session.count_hidden(),
        }
    }
    let read = session.done(starts, notes);
    if read.is_none() {
        let note = no_messages(Severity::Warning);
        notes.push(note.in_file(file));
    }
    read
}

/// Returns whether a message is marked as private, in its wrapper or inside.
fn is_marked(message: &Map) -> bool {
    let mut inside = message.values().filter_map(Value::as_object);
    visibility::is_marked(message)
        || inside.any(|inner| {
            // Results by the ids of their calls.
            let results = inner.get("tool_results").and_then(Value::as_object);
            let mut results =
                results.into_iter().flat_map(Map::values).filter_map(Value::as_object);
            visibility::is_marked(inner) || results.any(visibility::is_marked)
        })
}

fn tokens(usage: &Value) -> Usage {
    let count = |key: &str| usage.get(key).and_then(Value::as_u64);
    let some = |key: &str| count(key).filter(|count| *count > 0);
    Usage {
        input_tokens: count("input_tokens"),
        output_tokens: count("output_tokens"),
        cache_read_tokens: some("cache_read_input_tokens"),
        cache_write_tokens: some("cache_creation_input_tokens"),
        ..Usage::default()
    }
}

fn message_of(session: &mut Turns, kind: &str, inner: Value, at: At, asked: &mut Option<String>) {
    let line = at.line;
    let text = |key: &str| inner.get(key).and_then(Value::as_str).map(str::to_owned);
    let who = match kind {
        "User" => Who::Person,
        "Agent" => Who::Assistant,
        _ => {
            session.turn(Who::Program, at);
            return session.unknown(kind, line);
        }
    };
    let id = text("id").filter(|_| who == Who::Person);
    if who == Who::Person {
        asked.clone_from(&id);
    }
    session.turn(who, At { id, ..at.clone() });
    let parts = inner.get("content").and_then(Value::as_array).cloned().unwrap_or_default();
    let mut prose = String::new();
    for part in parts {
        let Value::Object(part) = part else {
            prose.push_str(part.as_str().unwrap_or_default());
            continue;
        };
        for (kind, value) in part {
            // Mentions are part of a sentence.
            if let Some(words) = mention(&kind, &value) {
                prose.push_str(&words);
                continue;
            }
            session.say(&std::mem::take(&mut prose));
            add(session, &kind, value, line);
        }
    }
    session.say(&prose);
    if who == Who::Assistant {
        let model = session.model.clone();
        session.add_usage(&Usage { model, ..Usage::default() });
    }
    let Some(results) = inner.get("tool_results").and_then(Value::as_object) else {
        return;
    };
    for (id, result) in results {
        let failed = result.get("is_error").and_then(Value::as_bool) == Some(true);
        let state = if failed { "failed" } else { "succeeded" }.to_owned();
        let output = output(result.get("content"));
        let results = vec![ToolResult { state, output, ..ToolResult::default() }];
        let name = result.get("tool_name").and_then(Value::as_str).unwrap_or_default();
        let (id, name) = (id.clone(), name.to_owned());
        session.add_results(ToolCall { id, name, results, ..ToolCall::default() }, &at);
    }
}

/// Returns the text of a text part, or the name of a mention without its contents.
fn mention(kind: &str, value: &Value) -> Option<String> {
    match kind {
        "Text" => value.as_str().map(str::to_owned),
        "Mention" => {
            let uri = value.get("uri")?;
            let path = uri.as_object().and_then(|uri| {
                uri.values().find_map(|inner| {
                    let keys = ["name", "abs_path", "path", "url"];
                    keys.iter().find_map(|key| inner.get(*key)?.as_str())
                })
            });
            let path = without_query(path.or(uri.as_str()).unwrap_or("file"));
            let name = base_name(path);
            Some(format!("`@{}`", name.replace('`', "'")))
        }
        _ => None,
    }
}

fn add(session: &mut Turns, kind: &str, value: Value, line: u32) {
    match kind {
        "Thinking" => {
            let text = value.get("text").and_then(Value::as_str).or(value.as_str());
            session.think(text.unwrap_or_default());
        }
        "RedactedThinking" => session.count_hidden(),
        "ToolUse" => {
            let text = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default();
            session.call(ToolCall {
                id: text("id").to_owned(),
                name: full_name(value.as_object().unwrap_or(&Map::new()), text("name")),
                input: value.get("input").cloned().filter(|input| !input.is_null()),
                ..ToolCall::default()
            });
        }
        "Image" => {
            let data = value.get("source").and_then(Value::as_str);
            let data = data.map(|data| format!("data:image/png;base64,{data}"));
            session.attach("image.png", &data.unwrap_or_default());
        }
        _ => session.unknown(kind, line),
    }
}

/// Returns the output of a tool.
fn output(content: Option<&Value>) -> Option<Value> {
    let text = |part: &Value| {
        part.get("Text").or_else(|| part.get("text")).unwrap_or(part).as_str().map(str::to_owned)
    };
    match content? {
        Value::Null => None,
        Value::Array(parts) => {
            let texts: Vec<String> = parts.iter().filter_map(text).collect();
            Some(texts.join("\n").into())
        }
        content => Some(text(content).map_or_else(|| content.clone(), Value::from)),
    }
}

/// Reads a message of a version before 0.3.
fn old(session: &mut Turns, mut map: Map, at: At) {
    let line = at.line;
    let take = |map: &mut Map, key: &str| match map.shift_remove(key) {
        Some(Value::Array(list)) => list,
        _ => Vec::new(),
    };
    if visibility::is_set_in(&map, &["ishidden"]) {
        return session.count_hidden();
    }
    // Tool results have the user's role.
    for result in take(&mut map, "tool_results") {
        let id = result.get("tool_use_id").and_then(Value::as_str).unwrap_or_default();
        let failed = result.get("is_error").and_then(Value::as_bool) == Some(true);
        let state = if failed { "failed" } else { "succeeded" }.to_owned();
        let output = output(result.get("content"));
        session.result(id, ToolResult { state, output, ..ToolResult::default() });
    }
    let segments = take(&mut map, "segments");
    let calls = take(&mut map, "tool_uses");
    if segments.is_empty() && calls.is_empty() {
        return;
    }
    let who = match map.get("role").and_then(Value::as_str) {
        Some("user") => Who::Person,
        Some("assistant") => Who::Assistant,
        Some("system") => Who::System,
        _ => Who::Program,
    };
    session.turn(who, at);
    for segment in segments {
        let text = segment.get("text").and_then(Value::as_str).unwrap_or_default();
        match segment.get("type").and_then(Value::as_str).unwrap_or("text") {
            "text" => session.say(text),
            "thinking" => session.think(text),
            "redacted_thinking" => session.count_hidden(),
            kind => session.unknown(kind, line),
        }
    }
    calls.into_iter().for_each(|call| add(session, "ToolUse", call, line));
    if who == Who::Program {
        let (name, text) = ("message".to_owned(), String::new());
        session.push(Block::Event { name, text, detail: None });
    }
}
