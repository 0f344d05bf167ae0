//! Reads a message of a row.

use std::ops::Range;

use super::calls::{calls_in_text, tool_call};
use super::content::{self, PartResult};
use super::dialog::{Dialog, MessageData, usage_of};
use super::inline_calls;
use super::media::Media;
use super::role::Role;
use crate::shared::access::hidden_tags::{Author, strip_in};
use crate::shared::access::visibility::{self, Scope};
use crate::shared::tally::INJECTED;
use crate::shared::text::dates::of_value;
use convo_base::diag::{Counted, Severity};
use convo_base::json::{self, Value};
use convo_base::model::Block;

/// Returns whether the object that a text starts with, or the first one of its array, is a message: it has
/// a known role under one of two keys, and content. It must not have any of the keys `but`.
pub(crate) fn claims_message(text: &str, role: [&str; 2], but: &[&str]) -> bool {
    let keys = json::keys(text);
    let is_role = |(key, value): &(&str, &str)| {
        role.contains(key) && Role::of(value.trim_matches('"')).is_some()
    };
    const SAID: [&str; 5] =
        ["content", "value", "tool_calls", "function_call", "reasoning_content"];
    keys.iter().any(is_role)
        && keys.iter().any(|(key, _)| SAID.contains(key))
        && !keys.iter().any(|(key, _)| but.contains(key))
}

/// Adds a message, which is in `source`. `reword` may convert what an assistant writes, for example from
/// HTML.
pub(crate) fn message(
    value: Value,
    at: Range<usize>,
    source: &str,
    line: u32,
    dialog: &mut Dialog,
    media: &mut Media,
    reword: fn(String) -> String,
) {
    let mut map = match value {
        Value::Object(map) => map,
        // A plain string instead of an answer object.
        Value::String(mut text) => {
            strip_in(&mut text, Author::Writer);
            let text = reword(text);
            let blocks = content::text_blocks(&text, true, media);
            let data = MessageData { blocks, ..MessageData::default() };
            dialog.say(Role::Assistant, None, data.turn(), line);
            return;
        }
        _ => {
            dialog.tally.add_at(NO_ROLE, 0, at);
            return;
        }
    };
    let source = source.get(at.clone()).unwrap_or_default();
    if visibility::has_marked_part(&map, &[])
        || visibility::holds_back(&visibility::read_access(
            source,
            Scope::Turn,
            &["content", "value"],
        ))
    {
        dialog.withhold(&map, at);
        return;
    }
    let of_metadata = map.get("metadata").and_then(|of| of.get("model")?.as_str());
    let of_metadata = of_metadata.map(str::to_owned);
    let mut take = |key: &str| map.shift_remove(key).filter(|value| !value.is_null());
    let text = |value: Option<Value>| match value {
        Some(Value::String(text)) => Some(text),
        _ => None,
    };
    let word = text(take("role").or_else(|| take("from"))).unwrap_or_default();
    if take("injected") == Some(Value::Bool(true)) {
        return dialog.tally.add(INJECTED);
    }
    let role = Role::of(word.trim());
    let is_model = role == Some(Role::Assistant);
    let content_value = take("content").or_else(|| take("value")).or_else(|| take("text"));
    let name = text(take("name"));
    let time = take("timestamp").and_then(|time| of_value(&time));
    if role == Some(Role::Tool) {
        let id = text(take("tool_call_id"));
        let inner =
            content_value.as_ref().and_then(Value::as_str).and_then(inline_calls::responder);
        let name = name.filter(|name| !name.trim().is_empty()).or(inner);
        dialog.result(id.as_deref(), name.as_deref(), output(content_value), false, line);
        return;
    }
    let mut content_value = content_value;
    if role == Some(Role::User)
        && let Some(Value::String(text)) = &mut content_value
    {
        let (results, rest) = inline_calls::take_responses(text);
        let is_any = !results.is_empty();
        for (name, value) in results {
            dialog.result(None, name.as_deref(), value.into(), false, line);
        }
        match is_any {
            true if rest.is_empty() => return,
            true => *text = rest,
            false => {}
        }
    }
    let results = content_value.as_mut().map(content::take_results).unwrap_or_default();
    let was_result = !results.is_empty();
    // In an assistant's message, calls come before their results.
    let (before, after) = match is_model {
        true => (Vec::new(), results),
        false => (results, Vec::new()),
    };
    before.into_iter().for_each(|result| add_result(result, line, dialog));
    let is_empty = |value: &Value| value.as_array().is_some_and(|parts| parts.is_empty());
    if was_result && !is_model && content_value.as_ref().is_none_or(is_empty) {
        return;
    }
    let mut blocks = Vec::new();
    if role == Some(Role::Call) {
        blocks.extend(calls_in_text(content_value.unwrap_or_default()));
    } else {
        for key in ["reasoning_content", "reasoning", "thinking"] {
            if let Some(text) = text(take(key)).filter(|text| !text.trim().is_empty()) {
                blocks.push(Block::Thinking { text });
                break;
            }
        }
        let content_value = match content_value {
            Some(Value::String(mut text)) if is_model => {
                strip_in(&mut text, Author::Writer);
                Value::String(reword(text))
            }
            content_value => content_value.unwrap_or_default(),
        };
        blocks.extend(content::blocks(content_value, is_model, media, &mut dialog.tally, &at));
        if let Some(refusal) = text(take("refusal")).filter(|text| !text.trim().is_empty()) {
            blocks.push(Block::Markdown { text: refusal });
        }
        if let Some(Value::Array(calls)) = take("tool_calls") {
            blocks.extend(calls.into_iter().filter_map(|call| tool_call(call, true)));
        }
        if let Some(call) = take("function_call") {
            blocks.extend(tool_call(call, false));
        }
    }
    let model = text(take("model")).or(of_metadata);
    // These reveal where the users were.
    for key in ["hashed_ip", "country", "header", "state"] {
        take(key);
    }
    let mut turn = MessageData { blocks, time, rest: map }.turn();
    turn.usage = usage_of(model.filter(|_| is_model));
    match role {
        Some(Role::System) => dialog.say(Role::System, None, turn, line),
        Some(role) => dialog.say(role, name.as_deref(), turn, line),
        None if word.trim().is_empty() => dialog.tally.add_at(NO_ROLE, 0, at),
        None if is_instruction(&word) => dialog.say(Role::System, None, turn, line),
        None => dialog.say_unknown_role(word.trim(), turn, line, at),
    }
    after.into_iter().for_each(|result| add_result(result, line, dialog));
}

fn add_result(result: PartResult, line: u32, dialog: &mut Dialog) {
    let PartResult { id, name, output: value, failed } = result;
    dialog.result(Some(&id), Some(&name), output(Some(value)), failed, line);
}

/// Messages that have no role, or are not objects.
const NO_ROLE: Counted =
    Counted::new(Severity::Error, "missing-key", "message has no role", "messages have no role")
        .hint("only these messages are skipped");

/// Returns whether an unknown role contains instructions for the model, or its memories.
fn is_instruction(role: &str) -> bool {
    let role = role.to_lowercase();
    ["system", "instruction", "memory", "memories"].iter().any(|word| role.contains(word))
}

/// Returns the output of a tool: a string as is, text parts as one string, and anything else as JSON.
fn output(content: Option<Value>) -> Value {
    match content {
        Some(Value::Array(parts)) => {
            let text = |part: &Value| part.get("text")?.as_str().map(str::to_owned);
            let texts: Option<Vec<String>> = parts.iter().map(text).collect();
            texts.map_or_else(|| Value::Array(parts), |texts| texts.join("\n").into())
        }
        content => content.unwrap_or_default(),
    }
}
