//! Splits the conversation at its speaker delimiters.

use std::collections::BTreeSet;
use std::ops::Range;

use super::delimiter::{Delimiter, find_all};
use crate::shared::text::blocks::{self, Head, Place};
use convo_base::commonmark::{Block, is_too_complex, outline};
use convo_base::diag::{Lines, Note, Severity};
use convo_base::fences::may_have_fences;
use convo_base::model::{self, Turn};
use convo_base::text::{grouped, trim_blank_lines};

/// A turn and the position of its delimiter.
pub(super) struct Spoken {
    pub(super) turn: Turn,
    /// The line of its delimiter.
    pub(super) heading: Range<usize>,
}

/// The maximum number of turns in a file; each takes about a kilobyte of memory, even if it is short.
const MAX_TURNS: usize = 300_000;

/// Returns the note for a file that has too many turns.
pub(super) fn too_many(text: &str) -> Option<Note> {
    find_all(text).nth(MAX_TURNS)?;
    let message = format!("this conversation has more than {} turns", grouped(MAX_TURNS as u64));
    let note = Note::new(Severity::Error, "too-large", None, message);
    Some(note.hint("it is skipped; split it into several files"))
}

/// Splits `content` of the file `text` into the preface and the turns, whose texts are as written:
/// [`super::escape::undo`] is for when they are complete.
pub(super) fn split(
    text: &str,
    content: Range<usize>,
    declared: &BTreeSet<&str>,
    notes: &mut Vec<Note>,
) -> (String, Vec<Spoken>) {
    let delimiters = delimiters(text, content.clone(), declared, notes);
    let first = delimiters.first().map_or(content.end, |first| first.line.start);
    let preface = trim_blank_lines(&text[content.start..first]).0.to_owned();
    if !preface.is_empty() {
        let start = content.start + trim_blank_lines(&text[content.start..first]).1;
        let end = text[start..].find('\n').map_or(first, |newline| start + newline);
        notes.push(
            Note::warning("preface", start..end, "this text has no speaker")
                .hint("it is shown above the first turn; put a `### @Name` line before it"),
        );
    }
    let mut turns = Vec::with_capacity(delimiters.len());
    // Count lines once through the text, not once for each turn.
    let (mut line, mut counted) = (1, 0);
    for (index, delimiter) in delimiters.iter().enumerate() {
        let start = (delimiter.line.end + 1).min(content.end);
        let end = delimiters.get(index + 1).map_or(content.end, |next| next.line.start);
        let (body, skipped) = trim_blank_lines(&text[start..end.max(start)]);
        let begins = start + skipped;
        line += text[counted..begins].matches('\n').count() as u32;
        counted = begins;
        if body.is_empty() {
            let message = format!("this turn of `{}` is empty", delimiter.name);
            notes.push(Note::warning("empty-turn", delimiter.line.clone(), message));
        }
        turns.push(Spoken {
            turn: Turn {
                place: model::Place { line, ..model::Place::default() },
                ..Turn::from_text(delimiter.name, body)
            },
            heading: delimiter.line.clone(),
        });
    }
    (preface, turns)
}

/// Returns the delimiters of `content`, in order.
///
/// A line that names a declared participant, indented by at most one space, is a delimiter anywhere, since
/// it cannot be in a list item or quote. The exception is a closed code fence or raw HTML block that shows
/// such a line; [`blocks`] distinguishes it from one that was left open by mistake. These lines split the
/// text into independent segments. Remaining doubts are resolved by the Markdown parser, which sees every
/// segment once.
fn delimiters<'a>(
    text: &'a str,
    content: Range<usize>,
    declared: &BTreeSet<&str>,
    notes: &mut Vec<Note>,
) -> Vec<Delimiter<'a>> {
    let mut cutter = TurnSplitter { text, lines: Lines::new(text), found: Vec::new(), notes };
    let mut questions = Vec::new();
    let mut segment = content.start;
    let candidates: Vec<Delimiter<'a>> =
        find_all(&text[..content.end]).skip_while(|c| c.line.start < content.start).collect();
    let shown = shown(text, content.clone(), declared, &candidates);
    for (candidate, shown) in candidates.into_iter().zip(shown) {
        let known = declared.contains(candidate.name) && candidate.exact;
        if known && candidate.indent <= 1 && !shown {
            let range = segment..candidate.line.end;
            cutter.answer(range, &mut questions, Some(&candidate));
            segment = candidate.line.start;
            cutter.found.push(candidate);
        } else {
            questions.push((candidate, known && !shown));
        }
    }
    cutter.answer(segment..content.end, &mut questions, None);
    cutter.found
}

/// Returns for each candidate that names a declared participant whether it is in code that shows it.
///
/// Every participant has a turn. If treating a block as code would leave a participant without any turn,
/// the block was left open by mistake.
fn shown(
    text: &str,
    content: Range<usize>,
    declared: &BTreeSet<&str>,
    candidates: &[Delimiter<'_>],
) -> Vec<bool> {
    let known = |c: &&Delimiter<'_>| c.exact && declared.contains(c.name);
    let mut heads: Vec<Head> = candidates
        .iter()
        .filter(known)
        .map(|c| Head { start: c.line.start, bare: true, wanted: false })
        .collect();
    let mut places = blocks::places(text, content.clone(), &heads);
    let names = || candidates.iter().filter(known).map(|c| c.name);
    let speaking: BTreeSet<&str> = names()
        .zip(&places)
        .filter(|(_, place)| **place != Place::Inside)
        .map(|(name, _)| name)
        .chain(candidates.iter().filter(|c| !c.exact).map(|c| c.name))
        .collect();
    for (head, name) in heads.iter_mut().zip(names()) {
        head.wanted = !speaking.contains(name);
    }
    if heads.iter().any(|head| head.wanted) {
        places = blocks::places(text, content, &heads);
    }
    let mut places = places.into_iter();
    let is_shown = |c| known(&c) && places.next() == Some(Place::Inside);
    candidates.iter().map(is_shown).collect()
}

/// The maximum number of times that one segment is parsed again after a delimiter was found inside a block
/// that swallowed it. Real files need none; the limit keeps malicious ones linear.
const MAX_REPAIRS: usize = 32;

/// Splits a text into turns.
struct TurnSplitter<'a, 'b> {
    text: &'a str,
    lines: Lines<'a>,
    found: Vec<Delimiter<'a>>,
    notes: &'b mut Vec<Note>,
}

impl<'a> TurnSplitter<'a, '_> {
    /// Decides which of `questions`, all of them in `range`, are delimiters. Each one comes with a flag
    /// whether it is a delimiter inside a block too. `end` is the delimiter that ends the segment. Adds a
    /// warning if a block swallowed it.
    fn answer(
        &mut self,
        range: Range<usize>,
        questions: &mut Vec<(Delimiter<'a>, bool)>,
        end: Option<&Delimiter<'a>>,
    ) {
        let mut start = range.start;
        for _ in 0..=MAX_REPAIRS {
            let part = &self.text[start..range.end];
            let may_swallow = || part.contains('<') || may_have_fences(part);
            if questions.is_empty() && (end.is_none() || !may_swallow()) {
                return;
            }
            if is_too_complex(part) {
                // In such a text, the document level cannot be determined.
                break;
            }
            let blocks = outline(part);
            let block_at = |at: usize| {
                let index = blocks.partition_point(|(_, block)| block.start <= at - start);
                let (block, range) = blocks.get(index.checked_sub(1)?)?;
                Some((*block, start + range.start..start + range.end))
            };
            let mut repaired = None;
            for (index, (question, sure)) in questions.iter().enumerate() {
                match block_at(question.line.start + question.indent) {
                    Some((Block::Heading(3), heading)) if heading.end >= question.line.end => {
                        self.found.push(question.clone());
                    }
                    Some((Block::Verbatim, block))
                        if *sure && block.contains(&question.line.start) =>
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
                    && let Some((Block::Verbatim, block)) = block_at(end.line.start + end.indent)
                {
                    self.swallowed(end, block);
                }
                return;
            };
            start = questions[index].0.line.start;
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
        let message =
            format!("{kind} in the previous turn is not closed; it was ended before this turn");
        self.notes.push(
            Note::warning("unclosed-block", delimiter.line.clone(), message)
                .hint(format!("close it; it starts at line {line}"))
                .hint(r"if this line is part of the code, write it as `\#\#\# @…`"),
        );
    }
}
