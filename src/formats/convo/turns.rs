//! The conversation itself, cut at its speaker delimiters.

use std::collections::BTreeSet;
use std::ops::Range;

use super::delimiter::{Delimiter, find_all};
use super::escape;
use crate::commonmark::{Block, outline};
use crate::diag::{Lines, Note};
use crate::model::{Place, Turn};
use crate::text::trim_blank_lines;

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
    let preface = escape::undo(trim_blank_lines(&text[content.start..first]).0);
    if !preface.is_empty() {
        let start = content.start + trim_blank_lines(&text[content.start..first]).1;
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
        let (said, skipped) = trim_blank_lines(&text[start..end.max(start)]);
        let begins = start + skipped;
        line += text[counted..begins].matches('\n').count() as u32;
        counted = begins;
        if said.is_empty() {
            let message = format!("`{}` says nothing here", delimiter.name);
            notes.push(Note::warning("empty-turn", delimiter.line.clone(), message));
        }
        turns.push(Spoken {
            turn: Turn {
                place: Place { line, ..Place::default() },
                ..Turn::said(delimiter.name, escape::undo(said))
            },
            heading: delimiter.line.clone(),
        });
    }
    (preface, turns)
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
    let mut cutter =
        Cutter { text, lines: Lines::new(text), declared, found: Vec::new(), notes };
    let mut questions = Vec::new();
    let mut segment = content.start;
    let candidates =
        find_all(&text[..content.end]).skip_while(|c| c.line.start < content.start);
    for candidate in candidates {
        let known = declared.contains(candidate.name);
        if known && candidate.exact && candidate.indent <= 1 {
            let range = segment..candidate.line.end;
            cutter.answer(range, &mut questions, Some(&candidate));
            segment = candidate.line.start;
            cutter.found.push(candidate);
        } else {
            questions.push(candidate);
        }
    }
    cutter.answer(segment..content.end, &mut questions, None);
    cutter.found
}

/// Times that one segment is parsed again after a delimiter was found inside a block that
/// swallowed it. Real files need none; the bound keeps hostile ones linear.
const REPAIRS: usize = 32;

/// A text that is being cut.
struct Cutter<'a, 'b> {
    text: &'a str,
    lines: Lines<'a>,
    declared: &'b BTreeSet<&'b str>,
    found: Vec<Delimiter<'a>>,
    notes: &'b mut Vec<Note>,
}

impl<'a> Cutter<'a, '_> {
    /// Decides which of `questions`, all in `range`, are delimiters. `end` is the delimiter
    /// that ends the segment; a warning tells when a block swallowed it.
    fn answer(
        &mut self,
        range: Range<usize>,
        questions: &mut Vec<Delimiter<'a>>,
        end: Option<&Delimiter<'a>>,
    ) {
        let mut start = range.start;
        for _ in 0..=REPAIRS {
            let part = &self.text[start..range.end];
            let may_swallow =
                part.contains("```") || part.contains("~~~") || part.contains('<');
            if questions.is_empty() && (end.is_none() || !may_swallow) {
                return;
            }
            let blocks = outline(part);
            let block_at = |at: usize| {
                let index =
                    blocks.partition_point(|(_, block)| block.start <= at - start);
                let (block, range) = blocks.get(index.checked_sub(1)?)?;
                Some((*block, start + range.start..start + range.end))
            };
            let mut repaired = None;
            for (index, question) in questions.iter().enumerate() {
                match block_at(question.line.start + question.indent) {
                    Some((Block::Heading(3), heading))
                        if heading.end >= question.line.end =>
                    {
                        self.found.push(question.clone());
                    }
                    Some((Block::Verbatim, block))
                        if self.declared.contains(question.name)
                            && question.exact
                            && block.contains(&question.line.start) =>
                    {
                        self.swallowed(question, block);
                        self.found.push(question.clone());
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
                    self.swallowed(end, block);
                }
                return;
            };
            start = questions[index].line.start;
            questions.drain(..=index);
        }
        questions.clear();
    }

    fn swallowed(&mut self, delimiter: &Delimiter<'_>, block: Range<usize>) {
        let line = self.lines.line(block.start);
        let kind = if self.text[block.start..].trim_start().starts_with('<') {
            "an HTML block"
        } else {
            "a code fence"
        };
        let message = format!(
            "{kind} of the turn before would swallow this turn, so it was ended here"
        );
        self.notes.push(
            Note::warning("unclosed-block", delimiter.line.clone(), message)
                .hint(format!("close what opens in line {line}"))
                .hint(r"if this line belongs to the code, write it as `\#\#\# @…`"),
        );
    }
}
