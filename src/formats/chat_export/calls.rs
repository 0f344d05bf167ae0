//! Tool calls as programs write them into Markdown.

use convo_base::fences::{Fence, FenceMark, only_code};
use convo_base::json::{self, Value};
use convo_base::model::{ToolCall, ToolError, ToolResult};

use super::pattern::captures;
use super::table::{Calls, Exporter};
use crate::shared::access::tool_access::{Owner, owner};

/// Returns the call that starts at a line, and the line after it.
pub(super) fn at(lines: &[&str], at: usize, exporter: &Exporter) -> Option<(ToolCall, usize)> {
    let line = lines.get(at)?.trim();
    match exporter.calls {
        Calls::OpenCode => {
            let name = captures("**Tool: …**", line)?.pop()?;
            Some(labelled(name, lines, at + 1))
        }
        Calls::Zed => {
            let title = captures(ZED, line)?.pop()?;
            Some(titled(title, lines, at + 1, exporter))
        }
        Calls::Extractor => {
            let name = captures("🔧 Using tool:…", line).or_else(|| captures("🔧 Tool:…", line));
            Some(with_input(name?.pop()?, lines, at + 1))
        }
        Calls::None | Calls::Cline => None,
    }
}

/// The line that starts a call of Zed.
const ZED: &str = "**Tool Call: …**";

/// Reads the rest of a call: `**Input:**`, `**Output:**` and other labels, each with a code block or a paragraph
/// below.
fn labelled(name: &str, lines: &[&str], mut next: usize) -> (ToolCall, usize) {
    let mut call = ToolCall { name: name.to_owned(), ..ToolCall::default() };
    while let Some(label) = line_at(lines, next) {
        let Some(name) = captures("**…:**", lines[label].trim()) else { break };
        let (text, behind) = code(lines, label + 1).unwrap_or_else(|| paragraph(lines, label + 1));
        match name.first().copied() {
            Some("Input") => call.input = Some(value(&text)),
            Some("Error") => call.results.push(failed(text)),
            _ => call.results.push(output(text, "succeeded")),
        }
        next = behind;
    }
    (call, next)
}

/// Reads the rest of a call of Zed, which has a title in place of a name: ``Read file `a.py` ``. Output of other
/// tools than its own may be without a code block: everything up to the next call counts as output of these, as
/// nothing tells it from the answer.
fn titled(title: &str, lines: &[&str], next: usize, exporter: &Exporter) -> (ToolCall, usize) {
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
    let mut add = |text: String| {
        call.results.push(if state == "failed" { failed(text) } else { output(text, state) });
    };
    if owner(exporter.agent.unwrap_or_default(), &call.name) == Owner::Author {
        while let Some((text, behind)) = code(lines, next) {
            add(text);
            next = behind;
        }
    } else {
        let is_next = |line: &&&str| captures(ZED, line.trim()).is_some();
        let count = lines[next..].iter().take_while(|line| !is_next(line)).count();
        add(lines[next..next + count].concat().trim().to_owned());
        next += count;
    }
    (call, next)
}

/// Reads the rest of a call of Claude Conversation Extractor: `Input: {…}` on one or more lines. Other text up to
/// the next call is its input, too.
fn with_input(name: &str, lines: &[&str], next: usize) -> (ToolCall, usize) {
    let is_next = |line: &&&str| line.trim_start().starts_with("🔧 ");
    let count = lines[next..].iter().take_while(|line| !is_next(line)).count();
    let rest = lines[next..next + count].concat();
    let text = rest.trim_start();
    let text = text.strip_prefix("Input:").unwrap_or(text).trim_start();
    let mut end = text.len();
    if text.starts_with(['{', '[']) {
        let value = json::value_at(text, 0).end;
        // What the assistant says below JSON is not a part of it.
        let is_alone = text[value..].lines().next().is_none_or(|rest| rest.trim().is_empty());
        end = if is_alone { value } else { end };
    }
    let below = text[end..].lines().skip(1).count();
    let text = text[..end].trim_end();
    let input = (!text.is_empty()).then(|| value(text));
    let call = ToolCall { name: name.to_owned(), input, ..ToolCall::default() };
    (call, next + count - below)
}

/// Reads the result of a call from the element `<details>` that GitHub Copilot CLI writes.
pub(super) fn in_details(name: &str, opening: &str, text: &str) -> ToolCall {
    let summary =
        text.lines().find_map(|line| captures("<summary>…</summary>", line.trim())?.pop());
    let is_markup = |line: &&str| {
        let line = line.trim();
        matches!(line, "<details>" | "</details>") || line.starts_with("<summary>")
    };
    let text: Vec<&str> = text.lines().filter(|line| !is_markup(line)).collect();
    let text = text.join("\n");
    let text = only_code(&text).unwrap_or(text.trim()).trim_end_matches('\n').to_owned();
    let results = (!text.is_empty()).then(|| match opening.contains('❌') {
        true => failed(text),
        false => output(text, "succeeded"),
    });
    ToolCall {
        name: name.to_owned(),
        input: summary.map(Value::from),
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
        is_fence && lines.get(at + 1).is_none_or(|line| line.trim().is_empty())
    };
    let end = (start + 1..lines.len()).find(|at| closes(*at)).unwrap_or(lines.len());
    let text = lines[start + 1..end].concat();
    Some((text.strip_suffix('\n').unwrap_or(&text).to_owned(), (end + 1).min(lines.len())))
}

/// Returns the text up to the next blank line, and the line after it.
fn paragraph(lines: &[&str], from: usize) -> (String, usize) {
    let start = line_at(lines, from).unwrap_or(lines.len());
    let count = lines[start..].iter().take_while(|line| !line.trim().is_empty()).count();
    (lines[start..start + count].concat().trim_end().to_owned(), start + count)
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
