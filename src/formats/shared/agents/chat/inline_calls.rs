//! Tool calls that a model writes into its text, and their results, as in the data sets of Hermes and Qwen:
//! `<tool_call>{"name": …, "arguments": …}</tool_call>`.
//!
//! Calls of third parties and of unknown tools become blocks, so that they are withheld. All others stay
//! in the text.

use super::calls::calls_in_text;
use crate::shared::access::tool_access::{Owner, is_open, owner};
use convo_base::json::{self, Value};
use convo_base::model::{Block, ToolCall};

const OPEN: &str = "<tool_call>";
const CLOSE: &str = "</tool_call>";
const OPEN_RESPONSE: &str = "<tool_response>";
const CLOSE_RESPONSE: &str = "</tool_response>";

/// The start of a call that is written as tags: `<function=read_file>`.
const FUNCTION: &str = "<function=";
/// The tag of an argument in calls without JSON.
const ARGUMENT: &str = "<arg_key>";

/// A part of a text.
pub(super) enum Piece<'t> {
    Text(&'t str),
    Calls(Vec<Block>),
}

/// Splits a text at the calls that are not open.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let (mut done, mut at) = (0, 0);
    while let Some(start) = text[at..].find(OPEN).map(|found| at + found) {
        let inside = start + OPEN.len();
        let rest = &text[inside..];
        let next = rest.find(OPEN).unwrap_or(rest.len());
        let close = rest[..next].find(CLOSE);
        let Some((calls, is_complete)) =
            closed_calls(&rest[..close.unwrap_or(next)], close.is_some())
        else {
            at = inside;
            continue;
        };
        let close = match is_complete {
            true => close,
            // The arguments may contain a tag.
            false => rest.find(CLOSE),
        };
        let end = match close {
            Some(close) => close + CLOSE.len(),
            None if is_complete => next,
            None => rest.len(),
        };
        pieces.push(Piece::Text(&text[done..start]));
        pieces.push(Piece::Calls(calls));
        done = inside + end;
        at = done;
    }
    pieces.push(Piece::Text(&text[done..]));
    pieces
}

/// Reads calls, unless all of them are open or the text does not look like a call. Returns also whether
/// their arguments were parsed.
fn closed_calls(body: &str, has_end: bool) -> Option<(Vec<Block>, bool)> {
    let body = body.trim();
    let is_closed = |name: &&str| owner("", name) != Owner::Author;
    let name = if body.starts_with(['{', '[']) {
        if let Ok((value @ (Value::Object(_) | Value::Array(_)), _)) = json::parse(body) {
            let calls = calls_in_text(value);
            let is_closed = |block: &Block| matches!(block, Block::Tool(call) if !is_open(call));
            return calls.iter().any(is_closed).then_some((calls, true));
        }
        // It may be written in Python, or broken.
        match names(body).next() {
            Some(_) => names(body).find(is_closed)?,
            None => "",
        }
    } else if let Some(rest) = body.strip_prefix(FUNCTION) {
        let name = rest.split('>').next().unwrap_or_default().trim();
        Some(name).filter(is_closed)?
    } else {
        let name = body.split(|c: char| c.is_whitespace() || c == '<').next().unwrap_or_default();
        let is_call = has_end && !name.is_empty() || body.contains(ARGUMENT);
        Some(name).filter(|name| is_call && is_closed(name))?
    };
    let (name, input) = (name.to_owned(), Some(body.into()));
    let call = ToolCall { name, input, ..ToolCall::default() };
    Some((vec![Block::Tool(Box::new(call))], false))
}

/// Returns the quoted texts that may name the tool of a call.
fn names(body: &str) -> impl Iterator<Item = &str> {
    let keys = ["name\"", "name'", "tool\"", "tool'", "function\"", "function'"];
    let found = keys.into_iter().flat_map(move |key| body.split(key).skip(1));
    found.filter_map(|rest| {
        let rest = rest.trim_start().strip_prefix(':')?.trim_start();
        let quote = rest.chars().next().filter(|c| ['"', '\''].contains(c))?;
        rest.get(1..)?.split(quote).next()
    })
}

/// Takes the results at the start of a text, which some programs put into messages of the user. Returns
/// for each the name of its tool, if it is of a third party, and its output; then the rest of the text.
pub(super) fn take_responses(text: &str) -> (Vec<(Option<String>, String)>, String) {
    let mut results = Vec::new();
    let mut rest = text;
    while let Some(inside) = rest.trim_start().strip_prefix(OPEN_RESPONSE) {
        let (output, behind) = inside.split_once(CLOSE_RESPONSE).unwrap_or((inside, ""));
        results.push((name_of_response(output), output.trim().to_owned()));
        rest = behind;
    }
    let rest = if results.is_empty() { rest } else { rest.trim() };
    (results, rest.to_owned())
}

/// Returns the name of the tool that a result names in its text, if it is of a third party.
pub(super) fn responder(text: &str) -> Option<String> {
    name_of_response(text.trim_start().strip_prefix(OPEN_RESPONSE)?)
}

fn name_of_response(output: &str) -> Option<String> {
    let found = names(output).find(|name| owner("", name) != Owner::Author);
    found.map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::{Piece, pieces, take_responses};
    use convo_base::model::Block;

    /// Shows a text, with the names of the calls in place of them.
    fn shown(text: &str) -> String {
        let name = |block: Block| match block {
            Block::Tool(call) => format!("[{}]", call.name),
            other => format!("{other:?}"),
        };
        let shown = |piece: Piece<'_>| match piece {
            Piece::Text(text) => text.to_owned(),
            Piece::Calls(calls) => calls.into_iter().map(name).collect(),
        };
        pieces(text).into_iter().map(shown).collect()
    }

    #[test]
    fn calls_of_third_parties_in_a_text_are_found() {
        for (text, expected) in [
            ("", ""),
            ("Use <tool_call> tags.", "Use <tool_call> tags."),
            (
                r#"a <tool_call>{"name": "mcp__garden__water", "arguments": {}}</tool_call> b"#,
                "a [mcp__garden__water] b",
            ),
            (
                r#"a <tool_call>{"name": "mcp__garden__water", "arguments": {"#,
                "a [mcp__garden__water]",
            ),
            (
                r#"<tool_call>{'arguments': {'name': 'x'}, 'name': 'mcp__garden__water'}</tool_call>"#,
                "[mcp__garden__water]",
            ),
            (
                "<tool_call>{\"name\": \"mcp__a__b\", \"arguments\": \"<tool_call> HIDDEN\"}</tool_call>.",
                "[mcp__a__b].",
            ),
            ("<tool_call>{HIDDEN}</tool_call>.", "[]."),
            ("<tool_call>\n<function=gmail_search>\nHIDDEN</tool_call>", "[gmail_search]"),
            ("<tool_call>gmail_search\n<arg_key>q</arg_key>HIDDEN", "[gmail_search]"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
        let own = r#"<tool_call>{"name": "read_file", "arguments": {"path": "a"}}</tool_call>"#;
        let python = "<tool_call>{'name': 'read_file', 'arguments': {'name': 'a'}}</tool_call>";
        for text in [own, python] {
            assert_eq!(shown(text), text);
        }
        shown(&"<tool_call>".repeat(50_000));
        shown(&format!("{}</tool_call>", "<tool_call>{\"name\": \"x\"".repeat(20_000)));
    }

    #[test]
    fn results_at_the_start_of_a_text_are_read() {
        let text = "<tool_response>\n{\"name\": \"gmail_search\", \"content\": 1}\n</tool_response>\n\
                    <tool_response>2</tool_response>\nThanks.";
        let (results, rest) = take_responses(text);
        let names: Vec<Option<&str>> = results.iter().map(|(name, _)| name.as_deref()).collect();
        assert_eq!(
            (names.as_slice(), rest.as_str()),
            ([Some("gmail_search"), None].as_slice(), "Thanks.")
        );
        assert_eq!(take_responses(" Hi. "), (Vec::new(), " Hi. ".to_owned()));
    }
}
