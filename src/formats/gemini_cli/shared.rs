//! Markdown written by `/chat share`.
//!
//! ```text
//! ## USER 🧑‍💻
//!
//! What is in the shed?
//!
//! ---
//!
//! ## MODEL ✨
//!
//! **Tool Command**:
//! ```

use std::ops::Range;

use super::super::File;
use super::message::Lane;
use super::{GEMINI, prompt};
use crate::shared::agents::turns::{Message, USER};
use crate::shared::tally::{INJECTED, Tally};
use convo_base::diag::Lines;
use convo_base::json::{self, Value};
use convo_base::model::{Block, Conversation, Kind, Place};

/// The lines that open messages.
const HEADS: [(&str, bool); 2] = [("## USER 🧑‍💻", true), ("## MODEL ✨", false)];

/// The separator between messages.
const RULE: &str = "---";

/// The text before calls and results.
const CALL: &str = "**Tool Command**:\n```json\n";
const ANSWER: &str = "**Tool Response**:\n```json\n";

/// Returns whether a text has this format: it begins with such a line, and continues after it.
pub(super) fn is_one(text: &str) -> bool {
    let text = text.trim_start();
    let is_head = |line: &str| HEADS.iter().any(|(head, _)| line.trim_end() == *head);
    let first = text.lines().next().is_some_and(is_head);
    first && (heads(text).len() > 1 || text.contains(CALL))
}

/// A message: whether the user wrote it, where its heading starts, and the text below the heading.
struct Spoken {
    is_user: bool,
    at: usize,
    body: Range<usize>,
}

/// Finds the messages. A line that opens one is at the start, or after a rule.
fn heads(text: &str) -> Vec<Spoken> {
    let mut found: Vec<Spoken> = Vec::new();
    let (mut at, mut rule) = (0, Some(0));
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let bare = line.trim_end();
        let head = HEADS.iter().find(|(head, _)| bare == *head);
        if let (Some((_, is_user)), Some(rule)) = (head, rule) {
            if let Some(last) = found.last_mut() {
                last.body.end = rule;
            }
            found.push(Spoken { is_user: *is_user, at: start, body: at..text.len() });
        }
        rule = match bare {
            "" => rule,
            RULE => Some(start),
            _ => None,
        };
    }
    found
}

/// Reads a conversation.
pub(super) fn read(file: &File, index: usize, tally: &mut Tally) -> Option<Conversation> {
    let text = file.text.as_str();
    let lines = Lines::new(text);
    let mut lane = Lane::default();
    for Spoken { is_user, at, body } in heads(text) {
        let place = Place { file: index, line: lines.line(at), quoted: false };
        let body = text.get(body).unwrap_or_default().trim();
        if prompt::is_setup(body) {
            tally.add(INJECTED);
            continue;
        }
        let (speaker, kind) = match is_user {
            true => (USER, Kind::Person),
            false => (GEMINI, Kind::Assistant),
        };
        let (mut blocks, mut results) = (Vec::new(), Vec::new());
        let mut rest = body;
        while let Some((from, is_call, length)) = next_tool(rest) {
            let inside = rest.get(from + length..).unwrap_or_default();
            // Lines of JSON do not start with a fence.
            let Some((code, behind)) = inside.split_once("\n```") else { break };
            let Ok((value, _)) = json::parse(code) else { break };
            words(rest.get(..from).unwrap_or_default(), is_user, &mut blocks);
            let key = if is_call { "functionCall" } else { "functionResponse" };
            let part = Value::from(json::Map::from_iter([(key.to_owned(), value)]));
            results.extend(lane.parts(&part, &mut blocks, tally));
            rest = behind;
        }
        words(rest, is_user, &mut blocks);
        lane.turns.add(speaker, kind, Message { blocks, place, ..Message::default() });
        lane.answer(results);
    }
    let mut read = Conversation::default();
    lane.finish(&mut read, tally);
    (!read.turns.is_empty()).then_some(read)
}

/// Finds the next call or result: its position, whether it is a call, and the length of its opening text.
fn next_tool(text: &str) -> Option<(usize, bool, usize)> {
    text.match_indices("**Tool ").find_map(|(at, _)| {
        let rest = text.get(at..)?;
        let mut starts = [(CALL, true), (ANSWER, false)].into_iter();
        let (start, is_call) = starts.find(|(start, _)| rest.starts_with(start))?;
        Some((at, is_call, start.len()))
    })
}

fn words(text: &str, is_user: bool, blocks: &mut Vec<Block>) {
    let text = text.trim();
    let (text, files) =
        if is_user { prompt::split_prompt(text) } else { (text.to_owned(), Vec::new()) };
    let is_some = !text.trim().is_empty();
    blocks.extend(is_some.then_some(Block::Markdown { text }));
    blocks.extend(files);
}
