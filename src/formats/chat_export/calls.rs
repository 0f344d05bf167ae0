//! Tool calls as programs write them into Markdown.

use convo_base::fences::{Fence, FenceMark};
use convo_base::json::{self, Value};
use convo_base::model::{ToolCall, ToolError, ToolResult};

use super::pattern::captures;
use super::table::Calls;

/// Returns the call that starts at a line, and the line after it.
pub(super) fn at(lines: &[&str], at: usize, calls: Calls) -> Option<(ToolCall, usize)> {
    let line = lines.get(at)?.trim();
    match calls {
        Calls::OpenCode => {
            let name = captures("**Tool: …**", line)?.pop()?;
            Some(labelled(name, lines, at + 1))
        }
        Calls::Zed => {
            let title = captures("**Tool Call: …**", line)?.pop()?;
            Some(titled(title, lines, at + 1))
        }
        Calls::Extractor => {
            let name = captures("🔧 Using tool:…", line).or_else(|| captures("🔧 Tool:…", line));
            Some(with_input(name?.pop()?, lines, at + 1))
        }
        Calls::None | Calls::Cline => None,
    }
}

/// Reads the rest of a call: `**Input:**`, `**Output:**` and `**Error:**`, each with a code block below.
fn labelled(name: &str, lines: &[&str], mut next: usize) -> (ToolCall, usize) {
    let mut call = ToolCall { name: name.to_owned(), ..ToolCall::default() };
    while let Some(label) = line_at(lines, next) {
        let Some((text, behind)) = code(lines, label + 1) else { break };
        match lines[label].trim() {
            "**Input:**" => call.input = Some(value(&text)),
            "**Output:**" => call.results.push(output(text, "succeeded")),
            "**Error:**" => call.results.push(failed(text)),
            _ => break,
        }
        next = behind;
    }
    (call, next)
}

/// Reads the rest of a call of Zed, which has a title in place of a name: ``Read file `a.py` ``.
fn titled(title: &str, lines: &[&str], next: usize) -> (ToolCall, usize) {
    let (words, target) = title.split_once('`').unwrap_or((title, ""));
    let name = words.trim().to_lowercase().replace(' ', "_");
    let target = target.trim_end_matches('`');
    let input = (!target.is_empty()).then(|| target.into());
    let mut call = ToolCall { name, input, ..ToolCall::default() };
    let status =
        line_at(lines, next).and_then(|at| Some((at, lines[at].trim().strip_prefix("Status: ")?)));
    let (mut next, state) = match status {
        Some((at, "Failed")) => (at + 1, "failed"),
        Some((at, "Completed")) => (at + 1, "succeeded"),
        Some((at, _)) => (at + 1, ""),
        None => (next, ""),
    };
    while let Some((text, behind)) = code(lines, next) {
        call.results.push(if state == "failed" { failed(text) } else { output(text, state) });
        next = behind;
    }
    if call.results.is_empty() && state == "failed" {
        call.results.push(ToolResult { state: state.to_owned(), ..ToolResult::default() });
    }
    (call, next)
}

/// Reads the rest of a call of Claude Conversation Extractor: `Input: {…}` on one or more lines.
fn with_input(name: &str, lines: &[&str], next: usize) -> (ToolCall, usize) {
    let mut call = ToolCall { name: name.to_owned(), ..ToolCall::default() };
    let Some(line) = line_at(lines, next) else { return (call, next) };
    let Some(first) = lines[line].trim_start().strip_prefix("Input: ") else { return (call, next) };
    let is_next = |line: &&&str| line.trim_start().starts_with("🔧 ");
    let below = lines[line + 1..].iter().take_while(|line| !is_next(line));
    let rest = first.to_owned() + &below.copied().collect::<String>();
    let end = match rest.starts_with(['{', '[']) {
        true => json::value_at(&rest, 0).end,
        false => first.len(),
    };
    call.input = Some(value(rest[..end].trim()));
    (call, line + rest[..end].trim_end().matches('\n').count() + 1)
}

/// Reads the result of a call from the element `<details>` that GitHub Copilot CLI writes.
pub(super) fn in_details(name: &str, opening: &str, text: &str) -> ToolCall {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let summary =
        lines.iter().find_map(|line| captures("<summary>…</summary>", line.trim())?.pop());
    let is_failed = opening.contains('❌');
    let first = lines.iter().position(|line| Fence::of(line.trim_end()).is_some());
    let text = first.and_then(|first| code(&lines, first)).map(|(text, _)| text);
    let results = text.map(|text| match is_failed {
        true => failed(text),
        false => output(text, "succeeded"),
    });
    let input = summary.map(Value::from);
    ToolCall {
        name: name.to_owned(),
        input,
        results: results.into_iter().collect(),
        ..ToolCall::default()
    }
}

/// Returns the next line that is not blank.
fn line_at(lines: &[&str], from: usize) -> Option<usize> {
    let found = lines.get(from..)?.iter().position(|line| !line.trim().is_empty())?;
    Some(from + found)
}

/// Returns the text of the code block that starts at the next line, and the line after it. The text may contain
/// fences; the closing one is followed by a blank line.
fn code(lines: &[&str], from: usize) -> Option<(String, usize)> {
    let start = line_at(lines, from)?;
    let open: FenceMark = Fence::of(lines[start].trim_end())?.mark;
    let closes = |at: usize| {
        let is_fence = Fence::of(lines[at].trim_end()).is_some_and(|fence| fence.closes(open));
        is_fence
            && lines.get(at + 1).is_none_or(|line| line.trim().is_empty() || line.starts_with('<'))
    };
    let end = (start + 1..lines.len()).find(|at| closes(*at)).unwrap_or(lines.len());
    let text = lines[start + 1..end].concat();
    Some((text.strip_suffix('\n').unwrap_or(&text).to_owned(), (end + 1).min(lines.len())))
}

/// Returns a JSON value, or the text itself.
fn value(text: &str) -> Value {
    json::parse(text).map_or_else(|_| text.into(), |(value, _)| value)
}

pub(super) fn output(text: String, state: &str) -> ToolResult {
    let output = Some(Value::from(text));
    ToolResult { state: state.to_owned(), output, ..ToolResult::default() }
}

fn failed(text: String) -> ToolResult {
    let error = Some(ToolError { message: Some(text), ..ToolError::default() });
    ToolResult { state: "failed".to_owned(), error, ..ToolResult::default() }
}
