//! Conversations of versions before 0.32: prompts and responses.

use std::collections::HashMap;

use super::super::File;
use super::ASSISTANT;
use crate::shared::agents::editor::{line_starts, time_in_utc};
use crate::shared::agents::turns::{At, Turns, Who};
use crate::shared::json::stored::{self, Row};
use crate::shared::tally::no_messages;
use crate::shared::text::web_links::public_url;
use convo_base::diag::{Lines, Note, Severity};
use convo_base::json::{self, Map, Value};
use convo_base::model::{Block, Conversation, ToolCall, ToolError, ToolResult, Usage, fenced};

/// Rows of a table, by the response that they belong to.
type Beside = HashMap<String, Vec<Map>>;

pub(super) fn read(file: &File, index: usize, notes: &mut Vec<Note>) -> Option<Conversation> {
    let lines = Lines::new(&file.text);
    let mut session = Turns::new(index, ASSISTANT);
    let mut responses: Vec<(u32, Map, Option<usize>)> = Vec::new();
    let (mut calls, mut results) = (Beside::new(), Beside::new());
    let (mut fragments, mut attached) = (Beside::new(), Beside::new());
    let (mut texts, mut files) = (HashMap::new(), HashMap::new());
    stored::each(file, index, &lines, notes, &mut |row, notes| {
        let Row { table, mut columns, line } = row;
        let key = |map: &Map, name: &str| match map.get(name) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Number(number)) => number.to_string(),
            _ => String::new(),
        };
        if table == "conversations" {
            session.read.private |= columns.holds_back("private", &[], notes);
            session.read.id = columns.text("id", notes);
            session.read.title = columns.text("name", notes);
            session.model = columns.text("model", notes);
            return;
        }
        let start = columns.start().start;
        let is_withheld = columns.is_withheld(notes);
        let map = columns.rest();
        if is_withheld && table != "responses" {
            // Attachments are in other rows; results of calls follow later.
            session.withhold_calls([&Value::Object(map)], "tool_call_id");
            return session.count_hidden();
        }
        let of = key(&map, "response_id");
        let add = |to: &mut Beside, map: Map| to.entry(of).or_default().push(map);
        match table.as_str() {
            "responses" => responses.push((line, map, is_withheld.then_some(start))),
            "tool_calls" => add(&mut calls, map),
            "tool_results" => add(&mut results, map),
            "prompt_fragments" => add(&mut fragments, map),
            "prompt_attachments" => add(&mut attached, map),
            "fragments" => _ = texts.insert(key(&map, "id"), map),
            _ => _ = files.insert(key(&map, "id"), map),
        }
    });
    let mut system = String::new();
    for (line, map, withheld) in responses {
        let text = |key: &str| map.get(key).and_then(Value::as_str).unwrap_or_default();
        let id = text("id").to_owned();
        if let Some(start) = withheld {
            let calls = calls.remove(&id).unwrap_or_default();
            let calls: Vec<Value> = calls.into_iter().map(Value::Object).collect();
            session.withhold_calls(&calls, "tool_call_id");
            session.withhold(start);
            continue;
        }
        let at = At { line, quoted: true, time: time_in_utc(map.get("datetime_utc")), id: None };
        let own = text("system");
        if !own.trim().is_empty() && own != system {
            own.clone_into(&mut system);
            session.turn(Who::System, at.clone());
            session.say(own);
        }
        for result in results.remove(&id).unwrap_or_default() {
            add_result(&mut session, &result, &at);
        }
        let handed = fragments.remove(&id).unwrap_or_default();
        let names = attached.remove(&id).unwrap_or_default();
        if !text("prompt").trim().is_empty() || !handed.is_empty() || !names.is_empty() {
            session.turn(Who::Person, At { id: Some(format!("{id}-prompt")), ..at.clone() });
            for fragment in &handed {
                let number = fragment.get("fragment_id").map(Value::to_string);
                fragment_of(&mut session, texts.get(&number.unwrap_or_default()));
            }
            session.say(text("prompt"));
            for name in &names {
                let id = name.get("attachment_id").and_then(Value::as_str).unwrap_or_default();
                attach(&mut session, files.get(id));
            }
        }
        session.turn(Who::Assistant, At { id: Some(id.clone()), ..at });
        session.think(text("reasoning"));
        session.say(text("response"));
        for call in calls.remove(&id).unwrap_or_default() {
            session.call(call_of(&call));
        }
        session.add_usage(&usage(&map, session.model.as_deref()));
    }
    let read = session.done(&line_starts(&file.text), notes);
    if read.is_none() {
        let note = no_messages(Severity::Warning);
        notes.push(note.in_file(index));
    }
    read
}

/// Reads the usage of a response.
pub(super) fn usage(map: &Map, model: Option<&str>) -> Usage {
    let count = |key: &str| map.get(key).and_then(Value::as_u64);
    let text = |key: &str| map.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    Usage {
        model: text("resolved_model").or(text("model")).or(model).map(str::to_owned),
        input_tokens: count("input_tokens"),
        output_tokens: count("output_tokens"),
        duration_ms: count("duration_ms"),
        ..Usage::default()
    }
}

/// Reads a tool call.
pub(super) fn call_of(map: &Map) -> ToolCall {
    let text = |key: &str| map.get(key).and_then(Value::as_str).unwrap_or_default();
    let input = match json::parse(text("arguments")) {
        Ok((value, _)) => Some(value),
        Err(_) => Some(text("arguments").into()),
    };
    let is_given = |input: &Value| match input {
        Value::Object(map) => !map.is_empty(),
        Value::String(text) => !text.is_empty(),
        other => !other.is_null(),
    };
    ToolCall {
        id: text("tool_call_id").to_owned(),
        name: text("name").to_owned(),
        input: input.filter(is_given),
        ..ToolCall::default()
    }
}

/// Adds the result of a tool to its call, or as a block of its own.
pub(super) fn add_result(session: &mut Turns, map: &Map, at: &At) {
    let text = |key: &str| map.get(key).and_then(Value::as_str);
    let error = text("exception").filter(|text| !text.trim().is_empty());
    let result = ToolResult {
        state: if error.is_some() { "failed" } else { "succeeded" }.to_owned(),
        output: text("output").map(Value::from),
        error: error
            .map(|text| ToolError { message: Some(text.to_owned()), ..ToolError::default() }),
        ..ToolResult::default()
    };
    let call = ToolCall {
        id: text("tool_call_id").unwrap_or_default().to_owned(),
        name: text("name").unwrap_or_default().to_owned(),
        results: vec![result],
        ..ToolCall::default()
    };
    session.add_results(call, at);
}

/// Adds a fragment: a text attached to the prompt.
pub(super) fn fragment_of(session: &mut Turns, fragment: Option<&Map>) {
    let text = |key: &str| fragment?.get(key)?.as_str();
    let source = text("source").filter(|source| !source.is_empty() && *source != "-");
    let source = source.and_then(|source| match source.contains("://") {
        true => public_url(source),
        false => Some(source.to_owned()),
    });
    let detail = text("content").map(|text| fenced("", text.trim_end()));
    session.push(Block::Event {
        name: "attachment".to_owned(),
        text: source.unwrap_or_else(|| "fragment".to_owned()),
        detail,
    });
}

/// Adds the name of an attachment.
pub(super) fn attach(session: &mut Turns, file: Option<&Map>) {
    let text = |key: &str| file?.get(key)?.as_str().filter(|text| !text.is_empty());
    let kind = text("type").unwrap_or_default();
    let extension = kind.rsplit('/').next().unwrap_or_default();
    let made = format!("attachment.{extension}");
    session.attach(text("path").or(text("url")).unwrap_or(&made), "");
}
