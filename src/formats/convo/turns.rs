//! The conversation itself, cut at its speaker delimiters.

use std::collections::BTreeSet;
use std::ops::Range;

use super::delimiter::{Delimiter, find_all};
use super::escape;
use crate::commonmark::{Block, outline};
use crate::diag::Note;
use crate::model::{self, Turn};

/// A turn and where its delimiter stands.
pub(super) struct Spoken {
    pub(super) turn: Turn,
    /// The line of its delimiter.
    pub(super) heading: Range<usize>,
}

/// Cuts `content` of the file `text`: the preface and the turns.
pub(super) fn split(
    text: &str,
    content: Range<usize>,
    declared: &BTreeSet<&str>,
    notes: &mut Vec<Note>,
) -> (String, Vec<Spoken>) {
    let delimiters = delimiters(text, content.clone(), declared, notes);
    let first = delimiters.first().map_or(content.end, |first| first.line.start);
    let preface = escape::undo(trim(&text[content.start..first]).0);
    if !preface.is_empty() {
        let start = content.start + trim(&text[content.start..first]).1;
        let end = text[start..].find('\n').map_or(first, |newline| start + newline);
        notes.push(
            Note::warning("preface", start..end, "this text belongs to no speaker").hint(
                "it is shown above the first turn; put a `### @Name` line before it",
            ),
        );
    }
    let mut turns = Vec::with_capacity(delimiters.len());
    // Lines are counted once through the text, not once for each turn.
    let (mut line, mut counted) = (1, 0);
    for (index, delimiter) in delimiters.iter().enumerate() {
        let start = (delimiter.line.end + 1).min(content.end);
        let end = delimiters.get(index + 1).map_or(content.end, |next| next.line.start);
        let (said, skipped) = trim(&text[start..end.max(start)]);
        let begins = start + skipped;
        line += text[counted..begins].matches('\n').count() as u32;
        counted = begins;
        if said.is_empty() {
            let message = format!("`{}` says nothing here", delimiter.name);
            notes.push(Note::warning("empty-turn", delimiter.line.clone(), message));
        }
        turns.push(Spoken {
            turn: Turn {
                id: String::new(),
                speaker: delimiter.name.to_owned(),
                time: None,
                blocks: vec![model::Block::Markdown { text: escape::undo(said) }],
                line,
            },
            heading: delimiter.line.clone(),
        });
    }
    (preface, turns)
}

/// `text` without blank lines around it, and how many bytes were cut off before it. The
/// indentation of the first line stays: it may open a code block.
fn trim(text: &str) -> (&str, usize) {
    let first = text.find(|c: char| !c.is_whitespace()).unwrap_or(text.len());
    let start = text[..first].rfind('\n').map_or(0, |newline| newline + 1);
    let trimmed = text[start..].trim_end();
    if trimmed.is_empty() { ("", text.len()) } else { (trimmed, start) }
}

/// The delimiters of `content`, in order.
///
/// A line that names a declared participant, indented by at most one space, always is one: no
/// list item or quote can hold it, and a code fence or HTML block that does hold it was left
/// open by mistake. Such lines therefore cut the text into segments that do not influence
/// each other, and whatever remains in question is asked of the Markdown parser, which so
/// sees every segment once.
fn delimiters<'a>(
    text: &'a str,
    content: Range<usize>,
    declared: &BTreeSet<&str>,
    notes: &mut Vec<Note>,
) -> Vec<Delimiter<'a>> {
    let mut found = Vec::new();
    let mut questions = Vec::new();
    let mut segment = content.start;
    let candidates =
        find_all(&text[..content.end]).skip_while(|c| c.line.start < content.start);
    for candidate in candidates {
        let known = declared.contains(candidate.name);
        if known && candidate.exact && candidate.indent <= 1 {
            let range = segment..candidate.line.end;
            answer(
                text,
                range,
                &mut questions,
                Some(&candidate),
                declared,
                &mut found,
                notes,
            );
            segment = candidate.line.start;
            found.push(candidate);
        } else {
            questions.push(candidate);
        }
    }
    answer(text, segment..content.end, &mut questions, None, declared, &mut found, notes);
    found
}

/// Times that one segment is parsed again after a delimiter was found inside a block that
/// swallowed it. Real files need none; the bound keeps hostile ones linear.
const REPAIRS: usize = 32;

/// Decides which of `questions`, all in `range`, are delimiters. `end` is the delimiter that
/// ends the segment; a warning tells when a block swallowed it.
fn answer<'a>(
    text: &'a str,
    range: Range<usize>,
    questions: &mut Vec<Delimiter<'a>>,
    end: Option<&Delimiter<'a>>,
    declared: &BTreeSet<&str>,
    found: &mut Vec<Delimiter<'a>>,
    notes: &mut Vec<Note>,
) {
    let mut start = range.start;
    for _ in 0..=REPAIRS {
        let part = &text[start..range.end];
        let may_swallow =
            part.contains("```") || part.contains("~~~") || part.contains('<');
        if questions.is_empty() && (end.is_none() || !may_swallow) {
            return;
        }
        let blocks = outline(part);
        let block_at = |at: usize| {
            let index = blocks.partition_point(|(_, block)| block.start <= at - start);
            let (block, range) = blocks.get(index.checked_sub(1)?)?;
            Some((*block, start + range.start..start + range.end))
        };
        let mut repaired = None;
        for (index, question) in questions.iter().enumerate() {
            match block_at(question.line.start + question.indent) {
                Some((Block::Heading(3), heading))
                    if heading.end >= question.line.end =>
                {
                    found.push(question.clone());
                }
                Some((Block::Verbatim, block))
                    if declared.contains(question.name)
                        && question.exact
                        && block.contains(&question.line.start) =>
                {
                    swallowed(text, question, block, notes);
                    found.push(question.clone());
                    repaired = Some(index);
                    break;
                }
                _ => {}
            }
        }
        let Some(index) = repaired else {
            questions.clear();
            if let Some(end) = end
                && let Some((Block::Verbatim, block)) =
                    block_at(end.line.start + end.indent)
            {
                swallowed(text, end, block, notes);
            }
            return;
        };
        start = questions[index].line.start;
        questions.drain(..=index);
    }
    questions.clear();
}

fn swallowed(
    text: &str,
    delimiter: &Delimiter<'_>,
    block: Range<usize>,
    notes: &mut Vec<Note>,
) {
    let line = text[..block.start].matches('\n').count() + 1;
    let kind = if text[block.start..].trim_start().starts_with('<') {
        "an HTML block"
    } else {
        "a code fence"
    };
    notes.push(
        Note::warning(
            "unclosed-block",
            delimiter.line.clone(),
            format!(
                "{kind} of the turn before would swallow this turn, so it was ended here"
            ),
        )
        .hint(format!("close what opens in line {line}"))
        .hint(r"if this line belongs to the code, write it as `\#\#\# @…`"),
    );
}
