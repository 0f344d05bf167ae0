//! Agent transcripts: messages and tool calls, one message per line.

use super::super::File;
use super::{calls, query};
use crate::shared::access::visibility;
use crate::shared::agents::editor::line_starts;
use crate::shared::agents::turns::{At, Turns, Who};
use crate::shared::json::object::{Object, as_object};
use crate::shared::json::records::records;
use crate::shared::tally::no_messages;
use convo_base::diag::{Lines, Note, Severity};
use convo_base::json::Value;
use convo_base::model::{Conversation, ToolCall, ToolResult};

pub(super) fn read(file: &File, index: usize, notes: &mut Vec<Note>) -> Option<Conversation> {
    let lines = Lines::new(&file.text);
    let mut session = Turns::new(index, "Cursor");
    session.read.id = id_of(&file.name);
    let mut broken = Vec::new();
    for record in records(file, index, &[], &mut broken) {
        let line = lines.line(record.at.start);
        if let Some(map) = as_object(record.value, "message", &record.at, index, notes) {
            message(&mut session, Object::new(map, &file.text, index, record.at), line, notes);
        }
    }
    notes.append(&mut broken);
    let read = session.done(&line_starts(&file.text), notes);
    if read.is_none() {
        notes.push(silent(index));
    }
    read
}

/// Returns the note on a conversation without messages.
pub(super) fn silent(file: usize) -> Note {
    no_messages(Severity::Warning).in_file(file)
}

/// Returns the id of a conversation, which is the name of its file.
fn id_of(name: &str) -> Option<String> {
    let stem = name.rsplit('/').next()?.split('.').next()?;
    let lengths = stem.split('-').map(str::len);
    let is_one =
        lengths.eq([8, 4, 4, 4, 12]) && stem.chars().all(|c| c == '-' || c.is_ascii_hexdigit());
    is_one.then(|| stem.to_owned())
}

fn message(session: &mut Turns, mut object: Object<'_>, line: u32, notes: &mut Vec<Note>) {
    let inside = object.get("message").and_then(Value::as_object);
    if object.is_withheld_but(&["content"], notes) {
        let parts = inside.and_then(|inside| inside.get("content")?.as_array());
        session.withhold_calls(parts.into_iter().flatten(), "id");
        return session.withhold(object.start().start);
    }
    let at = At { line, quoted: true, ..At::default() };
    let kind = object.text("type", notes);
    if let Some(kind) = kind {
        session.turn(Who::Program, at);
        match object.take("error").or_else(|| object.take("message")) {
            Some(Value::String(error)) if kind == "error" => {
                session.event("error", &error);
            }
            _ => session.unknown(&kind, line),
        }
        return;
    }
    let Some(role) = object.text("role", notes) else {
        notes.push(object.missing(Severity::Warning, "role"));
        return;
    };
    let who = match role.as_str() {
        "user" => Who::Person,
        "assistant" => Who::Assistant,
        "system" => Who::System,
        _ => Who::Program,
    };
    let content = match object.object("message", notes) {
        Some(mut message) => message.shift_remove("content"),
        None => None,
    };
    let parts = match content {
        Some(Value::Array(parts)) => parts,
        Some(Value::Null) | None => Vec::new(),
        Some(text) => vec![text],
    };
    let is_result = |part: &Value| part.get("type").is_some_and(|kind| kind == "tool_result");
    if !parts.is_empty() && parts.iter().all(is_result) {
        // Tool results belong to their calls.
        return parts.into_iter().for_each(|part| result(session, part, &at));
    }
    session.turn(who, at.clone());
    if who == Who::Program {
        return session.unknown(&role, line);
    }
    for part in parts {
        if part.as_object().is_some_and(visibility::is_marked) {
            session.withhold_calls([&part], "id");
            session.count_hidden();
            continue;
        }
        match is_result(&part) {
            true => result(session, part, &at),
            false => add(session, who, part, line),
        }
    }
}

fn add(session: &mut Turns, who: Who, part: Value, line: u32) {
    let kind = part.get("type").and_then(Value::as_str).unwrap_or("text").to_owned();
    let text = |key: &str| part.as_str().or_else(|| part.get(key)?.as_str());
    match kind.as_str() {
        "text" if who == Who::Person => {
            let (prompt, is_more) = query::user_text(text("text").unwrap_or_default());
            session.say(&prompt);
            if is_more {
                session.count_hidden();
            }
        }
        "text" => session.say(&query::without_redacted(text("text").unwrap_or_default())),
        "thinking" | "reasoning" => {
            let thought = text("thinking").or_else(|| text("text")).unwrap_or_default();
            session.think(&query::without_redacted(thought));
        }
        "redacted_thinking" => session.count_hidden(),
        "tool_use" => session.call(calls::of_part(&part)),
        "image" => {
            let data = part.get("source").and_then(|source| {
                let kind = source.get("media_type")?.as_str()?;
                Some(format!("data:{kind};base64,{}", source.get("data")?.as_str()?))
            });
            session.attach("image.png", &data.unwrap_or_default());
        }
        _ => session.unknown(&kind, line),
    }
}

fn result(session: &mut Turns, part: Value, at: &At) {
    if part.as_object().is_some_and(visibility::is_marked) {
        return session.count_hidden();
    }
    let id = part.get("tool_use_id").and_then(Value::as_str).unwrap_or_default().to_owned();
    let failed = part.get("is_error").and_then(Value::as_bool) == Some(true);
    let state = if failed { "failed" } else { "" }.to_owned();
    let output = calls::output(part.get("content"));
    let results = vec![ToolResult { state, output, ..ToolResult::default() }];
    session.add_results(ToolCall { id, results, ..ToolCall::default() }, at);
}
