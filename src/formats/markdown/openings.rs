//! Which lines open a turn.

use std::collections::BTreeMap;
use std::ops::Range;

use super::shapes;
use super::start::Start;
use crate::shared::text::blocks::Place;
use convo_base::commonmark::verbatim_ranges;
use convo_base::diag::{Lines, Note};

/// Returns the lines that open a turn. Lines in code do not, but a block that was left open ends at such a
/// line.
pub(super) fn openings(
    text: &str,
    body: usize,
    candidates: Vec<(Start, Place)>,
    lines: &Lines<'_>,
    notes: &mut Vec<Note>,
) -> Vec<Start> {
    let mut ends = candidates
        .iter()
        .filter(|(_, place)| *place == Place::Ends)
        .map(|(start, _)| start.line.end)
        .chain([text.len()])
        .collect::<Vec<_>>()
        .into_iter();
    let mut code = code(text, body..ends.next().unwrap_or(text.len()));
    let mut found = Vec::with_capacity(candidates.len());
    for (start, place) in candidates {
        let at = start.line.start;
        let after = code.partition_point(|range| range.start <= at);
        let block = code[..after].last().filter(|range| range.contains(&at)).cloned();
        if place == Place::Ends {
            notes.extend(block.map(|block| unclosed(text, &start, &block, lines)));
            code = self::code(text, at..ends.next().unwrap_or(text.len()));
        } else if block.is_some() {
            continue;
        }
        found.push(start);
    }
    found
}

/// Removes labels that occur once inside the turns of a returning speaker: `**Note:**`.
pub(super) fn leave_labels(starts: &mut Vec<Start>) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for start in starts.iter() {
        *counts.entry(start.name.clone()).or_default() += 1;
    }
    let count = |start: &Start| counts.get(&start.name).copied().unwrap_or(0);
    let returns = |start: &Start| count(start) > 1 && !shapes::is_only_label(&start.name);
    let label = |start: &Start| count(start) == 1 && shapes::is_only_label(&start.name);
    // Whether the next speaker returns.
    let mut next = None;
    let mut after: Vec<bool> = Vec::with_capacity(starts.len());
    for start in starts.iter().rev() {
        after.push(next.unwrap_or(true));
        if !label(start) {
            next = Some(returns(start));
        }
    }
    let mut after = after.into_iter().rev();
    let mut before = false;
    starts.retain(|start| {
        let within = after.next().unwrap_or(false) && before;
        let label = label(start);
        if !label {
            before = returns(start);
        }
        !(label && within)
    });
}

/// Returns the blocks of `range` whose text is not markup.
fn code(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let blocks = verbatim_ranges(&text[range.clone()]).into_iter();
    let blocks = blocks.filter(|(_, block)| *block);
    blocks.map(|(block, _)| range.start + block.start..range.start + block.end).collect()
}

fn unclosed(text: &str, start: &Start, block: &Range<usize>, lines: &Lines<'_>) -> Note {
    let html = text[block.start..].trim_start().starts_with('<');
    let kind = if html { "an HTML block" } else { "a code fence" };
    let message =
        format!("{kind} in the previous turn is not closed; it was ended before this turn");
    let line = lines.line(block.start);
    Note::warning("unclosed-block", start.line.clone(), message)
        .hint(format!("close it; it starts at line {line}"))
        .hint(r"if this line is part of the block, write its colon as `\:`")
}
