//! The parts of a turn: text, thoughts and calls.

use convo_base::fences::{FenceLine, Fences};
use convo_base::model::ToolCall;
use convo_base::text::trim_blank_lines;

use super::calls;
use super::layout::is_rule;
use super::pattern::is_any;
use super::table::{Bounds, Calls, Exporter};

/// A part of a turn.
#[derive(Debug)]
pub(super) enum Piece {
    Text(String),
    Thought(String),
    Call(Box<ToolCall>),
}

/// The tags of thoughts.
const THOUGHTS: [(&str, &str); 2] = [("<think>", "</think>"), ("<thinking>", "</thinking>")];
/// The line above a thought in exports of OpenCode.
const THINKING: &str = "_Thinking:_";

/// Returns the text of a turn without what the program adds around it.
pub(super) fn own_text(text: &str, exporter: &Exporter) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    if exporter.is_quoted {
        for line in &mut lines {
            let inside = line.strip_prefix('>');
            *line = inside.map_or(*line, |inside| inside.strip_prefix(' ').unwrap_or(inside));
        }
    }
    if !exporter.added.is_empty() {
        let mut fences = Fences::default();
        lines.retain(|line| {
            fences.next(line) != FenceLine::Outside || !is_any(exporter.added, line.trim())
        });
    }
    let is_ruled = exporter.bounds != Bounds::Anywhere;
    let is_added = |line: &&str| {
        let line = line.trim();
        line.is_empty() || is_any(exporter.added_around, line)
    };
    let start = lines.iter().take_while(|line| is_added(line)).count();
    let mut lines = lines.split_off(start);
    while lines.last().is_some_and(|line| is_added(line) || is_ruled && is_rule(line)) {
        lines.pop();
    }
    trim_blank_lines(&lines.join("\n")).0.to_owned()
}

/// Splits the text of a turn of the assistant.
pub(super) fn pieces(text: &str, exporter: &Exporter) -> Vec<Piece> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut pieces = Vec::new();
    let (mut own, mut fences) = (String::new(), Fences::default());
    // Tags that are not closed are looked for once.
    let mut endless = [false; THOUGHTS.len()];
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let is_outside = matches!(fences.next(line), FenceLine::Outside);
        let found = is_outside.then(|| special(&lines, at, exporter, &mut endless)).flatten();
        match found {
            Some(Special { piece, behind, next }) => {
                pieces.push(Piece::Text(std::mem::take(&mut own)));
                pieces.push(piece);
                own.push_str(behind);
                at = next;
                fences = Fences::default();
            }
            None => {
                own.push_str(line);
                at += 1;
            }
        }
    }
    pieces.push(Piece::Text(own));
    pieces.retain(|piece| !matches!(piece, Piece::Text(text) if text.trim().is_empty()));
    pieces
}

/// A thought or a call.
struct Special<'a> {
    piece: Piece,
    /// The text behind it on its last line.
    behind: &'a str,
    /// The line after it.
    next: usize,
}

/// Returns the thought or call that starts at a line.
fn special<'a>(
    lines: &[&'a str],
    at: usize,
    exporter: &Exporter,
    endless: &mut [bool; THOUGHTS.len()],
) -> Option<Special<'a>> {
    let line = lines.get(at)?.trim();
    for ((open, close), endless) in THOUGHTS.into_iter().zip(endless) {
        if *endless || !line.starts_with(open) {
            continue;
        }
        let Some(last) = lines[at..].iter().position(|line| line.contains(close)) else {
            *endless = true;
            continue;
        };
        let last = at + last;
        let (end, behind) = lines[last].split_once(close)?;
        let text = lines[at..last].concat() + end;
        let text = text.trim_start().strip_prefix(open)?.trim().to_owned();
        return Some(Special { piece: Piece::Thought(text), behind, next: last + 1 });
    }
    if exporter.calls == Calls::OpenCode && line == THINKING {
        let is_blank = |line: &&&str| line.trim().is_empty();
        let from = at + 1 + lines[at + 1..].iter().take_while(is_blank).count();
        let length = lines[from..].iter().take_while(|line| !is_blank(line)).count();
        let text = lines[from..from + length].concat();
        let piece = Piece::Thought(text.trim().to_owned());
        return Some(Special { piece, behind: "", next: from + length });
    }
    let (call, next) = calls::at(lines, at, exporter)?;
    Some(Special { piece: Piece::Call(Box::new(call)), behind: "", next })
}
