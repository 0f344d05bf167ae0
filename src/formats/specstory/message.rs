//! Splits a message into parts: text, thoughts and tool calls.

use std::ops::Range;

use super::assembly::AGENT;
use super::layout::line_at;
use super::parts::Parts;
use super::{plain_call, tool};
use crate::shared::access::hidden_tags::{Author, take_hidden};
use crate::shared::agents::prompt::LastCommand;
use crate::shared::text::blocks;
use convo_base::fences::{FenceLine, Fences};
use convo_base::model::Block;
use convo_base::text::trim_blank_lines;

/// How to read a message.
#[derive(Clone, Copy)]
pub(super) struct Manner {
    pub(super) is_agent: bool,
    /// Whether HTML is escaped in tool output, as editor extensions do.
    pub(super) is_escaped: bool,
    /// Whether the agent called a tool in its last message.
    pub(super) follows_call: bool,
}

/// Returns the parts of the message `text[body]`. `tools` are the `<tool-use>` elements in it, and `command` is
/// the command that the user gave before it.
pub(super) fn parts(
    text: &str,
    body: Range<usize>,
    tools: &[Range<usize>],
    manner: Manner,
    command: LastCommand,
) -> Parts {
    let mut parts = Parts { command, ..Parts::default() };
    let mut start = body.start;
    if let Some((id, end)) = message_id(&text[body.clone()]) {
        parts.id = Some(id);
        start += end;
    }
    let whole = body.end.max(start);
    let end = start + without_rule(&text[start..whole]).len();
    if manner.follows_call && manner.is_agent {
        parts.result = tool::read_result(text[start..end].trim_start(), manner.is_escaped);
        if parts.result.is_some() {
            return parts;
        }
    }
    let mut reader = Reader { text, manner, parts: &mut parts, text_start: start };
    if !manner.is_agent {
        reader.flush_text(end);
        return parts;
    }
    let mut tools = tools.iter().peekable();
    let mut fences = Fences::default();
    let mut at = start;
    // The position before which no thought ends.
    let mut endless = start;
    let mut calls = plain_call::Finder::default();
    while at < end
        && let Some(line) = line_at(text, at)
    {
        if let Some(found) = tools.next_if(|tool| tool.start == at) {
            reader.flush_text(at);
            let call = tool::read(&text[found.clone()], manner.is_escaped);
            reader.parts.push(Block::Tool(Box::new(call)));
            (at, fences) = (found.end, Fences::default());
            reader.text_start = at;
            continue;
        }
        let next = at + line.len();
        let until = |tool: &&Range<usize>| tool.start.clamp(next.min(end), end);
        let limit = tools.peek().map_or(end, until);
        let is_code = fences.next(line) != FenceLine::Outside;
        let inside = &text[at..limit];
        let opens = !is_code && inside.starts_with("<think>") && limit > endless;
        let thought = if opens { thought(inside) } else { None };
        if opens && thought.is_none() {
            endless = limit;
        }
        if let Some((text, length)) = thought {
            reader.flush_text(at);
            reader.think(text);
            at += length;
            reader.text_start = at;
            continue;
        }
        if !is_code
            && let Some(length) = calls.length(&text[at..tools.peek().map_or(whole, until)], at)
        {
            reader.flush_text(at);
            let call = tool::read_plain(&text[at..at + length], manner.is_escaped);
            reader.parts.push(Block::Tool(Box::new(call)));
            at += length;
            reader.text_start = at;
        } else {
            at = next;
        }
    }
    reader.flush_text(end);
    parts
}

struct Reader<'a> {
    text: &'a str,
    manner: Manner,
    parts: &'a mut Parts,
    /// The start of the text that was not taken yet.
    text_start: usize,
}

impl Reader<'_> {
    /// Takes the text up to a byte.
    fn flush_text(&mut self, end: usize) {
        let part = self.text.get(self.text_start..end).unwrap_or_default();
        let mut part = trim_blank_lines(part).0;
        // Agents of older files have breaks between their messages.
        if self.manner.is_escaped || self.manner.is_agent && part.starts_with("---\n\n") {
            part = without_rules(part);
        }
        // A thematic break between two tool calls is only a separator.
        if part.is_empty() || part.lines().all(|line| ["", "---"].contains(&line.trim())) {
            return;
        }
        match self.manner.is_agent {
            true => {
                let part = take_hidden(part, Author::Writer, &mut self.parts.hidden);
                if !part.trim().is_empty() {
                    self.parts.push(Block::Markdown { text: part.into_owned() });
                }
            }
            false => {
                for piece in self.parts.command.pieces(part, &mut self.parts.hidden) {
                    let additions = self.parts.command.additions(piece, AGENT);
                    self.parts.additions.extend(additions);
                }
            }
        }
    }

    fn think(&mut self, thought: &str) {
        let thought = take_hidden(thought, Author::Writer, &mut self.parts.hidden);
        let text = trim_blank_lines(&thought).0;
        if !text.is_empty() {
            let text = blocks::closed(text).into_owned();
            self.parts.push(Block::Thinking { text });
        }
    }
}

/// Returns the id in a comment at the start of a message, and where the comment ends.
fn message_id(body: &str) -> Option<(String, usize)> {
    let start = body.len() - body.trim_start().len();
    let inside = body[start..].strip_prefix("<!-- message-id:")?;
    let length = inside.find("-->").filter(|length| *length < 200)?;
    let end = body.len() - inside.len() + length + "-->".len();
    Some((inside[..length].trim().to_owned(), end))
}

/// Returns a body without the `---` that separates it from the next message.
fn without_rule(body: &str) -> &str {
    let body = body.trim_end();
    match body.strip_suffix("---") {
        Some(rest) if rest.is_empty() || rest.ends_with('\n') => rest.trim_end(),
        _ => body,
    }
}

/// Returns a text without thematic breaks at its start and end, which editor extensions use to separate
/// text from tool calls.
fn without_rules(body: &str) -> &str {
    let mut body = without_rule(body);
    while let Some(below) = body.strip_prefix("---\n").filter(|below| !below.trim().is_empty()) {
        body = trim_blank_lines(below).0;
    }
    body
}

/// Returns the thought at the start of a text, and the length of its element.
fn thought(text: &str) -> Option<(&str, usize)> {
    let rest = text.strip_prefix("<think>")?;
    let length = rest.find("</think>")?;
    let inside = rest[..length].trim();
    let inside = inside.strip_prefix("<details>").unwrap_or(inside).trim_start();
    let inside =
        match inside.strip_prefix("<summary>").and_then(|inside| inside.split_once("</summary>")) {
            Some((_, inside)) => inside,
            None => inside,
        };
    let inside = inside.strip_suffix("</details>").unwrap_or(inside);
    Some((inside, text.len() - rest.len() + length + "</think>".len()))
}
