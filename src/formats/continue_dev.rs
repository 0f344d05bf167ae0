//! Sessions of Continue, an assistant for editors.
//!
//! ```text
//! ~/.continue/sessions/5d0c….json
//! {"sessionId": "5d0c…", "title": "…", "workspaceDirectory": "file:///…", "history": [
//!   {"message": {"role": "user", "content": "hi"}, "contextItems": […]},
//!   {"message": {"role": "assistant", "content": "", "toolCalls": […]}, "toolCallStates": […]}]}
//! ```

use super::{About, Claim, File, Format, Parsed, Probe, Read};
use crate::shared::access::visibility;
use crate::shared::agents::call_states::result_state;
use crate::shared::agents::editor::line_starts;
use crate::shared::agents::turns::{At, Turns, Who};
use crate::shared::json::object::{Object, as_object};
use crate::shared::json::records::records;
use crate::shared::tally::no_messages;
use crate::shared::text::dates::of_value;
use convo_base::diag::{Lines, Note, Severity};
use convo_base::json::{self, Map, Value};
use convo_base::model::{Block, Conversation, ToolCall, ToolError, ToolResult, Usage};

pub(super) const FORMAT: Format = Format {
    name: "continue",
    title: "Continue session",
    source_label: "Continue",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "Sessions of Continue, an assistant for VS Code, JetBrains IDEs and the terminal.",
        find: "The files in `~/.continue/sessions`, except `sessions.json`, which is only an index.",
        reads: "Questions, answers, reasoning, tool calls with their results, summaries, names of attached files, \
                pictures, models and tokens.",
        leaves_out: "The contents of attached files, rules and system prompts, raw requests, encrypted reasoning, \
                     and input and output of third-party tools. Continue does not record times.",
    },
    read: Some(Read::new(claims, parse)),
    write: None,
};

fn claims(probe: &Probe<'_>) -> Claim {
    let Some(history) = probe.value("history").filter(|list| list.starts_with('[')) else {
        return Claim::No;
    };
    let is_own = probe.value("sessionId").is_some() && probe.value("workspaceDirectory").is_some();
    let first = json::keys(history);
    let has_message = first.iter().any(|(key, value)| *key == "message" && value.starts_with('{'));
    let is_empty = history.trim_start_matches('[').trim_start().starts_with(']');
    match is_own && (has_message || is_empty) {
        true => Claim::Signature,
        false => Claim::No,
    }
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    for (index, file) in files.iter().enumerate() {
        let lines = Lines::new(&file.text);
        let starts = line_starts(&file.text);
        let mut broken = Vec::new();
        for record in records(file, index, &[], &mut broken) {
            let Some(map) =
                as_object(record.value, "session", &record.at, index, &mut parsed.notes)
            else {
                continue;
            };
            let object = Object::new(map, &file.text, index, record.at);
            let read = session(object, &lines, &starts, &mut parsed.notes);
            parsed.conversations.extend(read);
        }
        parsed.notes.append(&mut broken);
    }
    parsed
}

fn session(
    mut object: Object<'_>,
    lines: &Lines<'_>,
    starts: &[usize],
    notes: &mut Vec<Note>,
) -> Option<Conversation> {
    let file = object.file();
    let mut session = Turns::new(file, "Continue");
    session.read.private = object.holds_back("private", &["history"], notes);
    session.read.id = object.text("sessionId", notes);
    session.read.title = object.text("title", notes);
    session.read.time = object.get("dateCreated").and_then(of_value);
    session.cwd = object.text("workspaceDirectory", notes);
    session.model = object.text("chatModelTitle", notes);
    for (value, at) in object.array("history", notes).unwrap_or_default() {
        let line = lines.line(at.start);
        let Some(map) = as_object(value, "message", &at, file, notes) else { continue };
        item(&mut session, Object::new(map, object.source(), file, at), line, notes);
    }
    let read = session.done(starts, notes);
    if read.is_none() {
        let note = no_messages(Severity::Warning);
        notes.push(note.in_file(file));
    }
    read
}

fn item(session: &mut Turns, mut object: Object<'_>, line: u32, notes: &mut Vec<Note>) {
    let inside = object.get("message").and_then(Value::as_object);
    if object.is_withheld_but(&["toolCalls"], notes) {
        let calls = inside.and_then(|inside| inside.get("toolCalls")?.as_array());
        session.withhold_calls(calls.into_iter().flatten(), "id");
        return session.withhold(object.start().start);
    }
    let Some(mut message) = object.object("message", notes) else {
        notes.push(object.missing(Severity::Warning, "message"));
        return;
    };
    let text = |map: &Map, key: &str| map.get(key).and_then(Value::as_str).map(str::to_owned);
    let role = text(&message, "role").unwrap_or_default();
    let id = text(&message, "id");
    let at = At { line, quoted: true, time: None, id };
    let content = message.shift_remove("content").unwrap_or_default();
    match role.as_str() {
        "user" => {
            session.turn(Who::Person, at);
            add_content(session, content, line);
            for item in object.array("contextItems", notes).unwrap_or_default() {
                let name = item.0.get("name").and_then(Value::as_str);
                session.attach(name.unwrap_or("file"), "");
            }
        }
        "assistant" => {
            session.turn(Who::Assistant, at);
            if let Some(Value::Object(thought)) = object.take("reasoning") {
                session.think(&text(&thought, "text").unwrap_or_default());
            }
            add_content(session, content, line);
            calls(session, &message, &mut object);
            took(session, &message, &mut object);
        }
        "thinking" => {
            session.turn(Who::Assistant, at);
            match content {
                Value::String(text) => session.think(&text),
                _ => session.count_hidden(),
            }
        }
        "tool" => {
            let id = text(&message, "toolCallId").unwrap_or_default();
            // The result is already part of the call.
            if !session.is_answered(&id) {
                let output = Some(content).filter(|content| !content.is_null());
                let results = vec![ToolResult { output, ..ToolResult::default() }];
                session.add_results(ToolCall { id, results, ..ToolCall::default() }, &at);
            }
        }
        "system" => {
            session.turn(Who::System, at);
            add_content(session, content, line);
        }
        _ => {
            session.turn(Who::Program, at);
            session.unknown(&role, line);
        }
    }
    if let Some(summary) = object.take("conversationSummary").as_ref().and_then(Value::as_str) {
        session.push(Block::compaction(Some(summary.trim().to_owned())));
    }
}

fn add_content(session: &mut Turns, content: Value, line: u32) {
    let parts = match content {
        Value::Array(parts) => parts,
        Value::Null => return,
        other => vec![other],
    };
    for part in parts {
        let text = part.as_str().or_else(|| part.get("text")?.as_str());
        match part.get("type").and_then(Value::as_str).unwrap_or("text") {
            "text" => session.say(text.unwrap_or_default()),
            "imageUrl" => {
                let address = part.get("imageUrl").and_then(|image| image.get("url")?.as_str());
                session.attach("image.png", address.unwrap_or_default());
            }
            kind => session.unknown(kind, line),
        }
    }
}

/// Adds the calls of an answer with their results.
fn calls(session: &mut Turns, message: &Map, object: &mut Object<'_>) {
    let states = match (object.take("toolCallStates"), object.take("toolCallState")) {
        (Some(Value::Array(states)), _) => states,
        (_, Some(state)) => vec![state],
        _ => Vec::new(),
    };
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let own = message.get("toolCalls").and_then(Value::as_array).cloned().unwrap_or_default();
    for call in own {
        if call.as_object().is_some_and(visibility::is_marked) {
            session.withhold_calls([&call], "id");
            session.count_hidden();
            continue;
        }
        let id = text(&call, "id").unwrap_or_default();
        let state = states.iter().find(|state| text(state, "toolCallId").as_ref() == Some(&id));
        let function = call.get("function");
        let given = function.and_then(|function| function.get("arguments"));
        let parsed =
            state.and_then(|state| state.get("parsedArgs")).filter(|args| args.is_object());
        let input = parsed.cloned().or_else(|| match given?.as_str().map(json::parse) {
            Some(Ok((value, _))) => Some(value),
            _ => given.cloned(),
        });
        let name = function.and_then(|function| function.get("name")?.as_str());
        session.call(ToolCall {
            id,
            name: name.unwrap_or_default().to_owned(),
            input: input.filter(|input| !input.is_null()),
            results: state.and_then(result).into_iter().collect(),
            ..ToolCall::default()
        });
    }
}

fn result(state: &Value) -> Option<ToolResult> {
    let outputs = state.get("output").and_then(Value::as_array);
    let texts: Vec<&str> = outputs
        .into_iter()
        .flatten()
        .filter_map(|output| output.get("content")?.as_str())
        .collect();
    let output = texts.join("\n");
    let word = result_state(state.get("status").and_then(Value::as_str).unwrap_or_default());
    if word.is_empty() && output.is_empty() {
        return None;
    }
    let is_error = word == "failed" && !output.is_empty();
    let error =
        is_error.then(|| ToolError { message: Some(output.clone()), ..ToolError::default() });
    Some(ToolResult {
        state: word.to_owned(),
        output: (!is_error && !output.is_empty()).then(|| output.into()),
        error,
        ..ToolResult::default()
    })
}

/// Adds the usage of an answer. Raw requests contain everything; only the model is read from them.
fn took(session: &mut Turns, message: &Map, object: &mut Object<'_>) {
    let logs = object.take("promptLogs");
    let log = logs.as_ref().and_then(|logs| logs.as_array()?.last());
    let model = log.and_then(|log| log.get("modelTitle")?.as_str()).map(str::to_owned);
    let usage = message.get("usage");
    let count = |key: &str| usage?.get(key)?.as_u64();
    session.add_usage(&Usage {
        model: model.or_else(|| session.model.clone()),
        input_tokens: count("promptTokens"),
        output_tokens: count("completionTokens"),
        ..Usage::default()
    });
}
