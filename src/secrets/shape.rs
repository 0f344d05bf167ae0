//! Shapes: a small subset of regular expressions, matched without backtracking.
//!
//! `sk_(live|test)_[A-Za-z0-9]{24,99}` is a literal, a choice of literals, and a run of characters with a
//! minimum and maximum length. A run takes as many characters as it can, so a shape is matched in one pass.

use std::ops::Range;

use super::classes::{self, Class};
use super::runs;

/// A shape, parsed from its pattern.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) parts: Vec<Part>,
    /// Whether the shape starts with something that occurs in no word, such as `ghp_`, so that it is
    /// recognised even directly after other text.
    is_distinctive: bool,
    /// The minimum number of bytes of all literals.
    pub(super) literal_bytes: usize,
}

/// What is next to a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Edge {
    /// The edge of a word, such as a space or a quotation mark.
    Word,
    /// A separator in a name (`_` or `-`), of which the value may be a part.
    Separator,
    /// Another letter or digit.
    Inside,
}

/// A match of a shape.
#[derive(Debug)]
pub(super) struct Span {
    pub(super) range: Range<usize>,
    /// The end of the shortest value that would match here.
    pub(super) min_end: usize,
    pub(super) before: Edge,
    pub(super) after: Edge,
}

/// A part of a shape.
#[derive(Debug)]
pub(super) enum Part {
    /// One of several literals, longer ones first.
    Literal(Vec<String>),
    /// Characters of a class.
    Run { class: Class, least: usize, most: usize },
}

impl Shape {
    /// Matches the shape at an occurrence of one of [`Shape::keywords`]. A match inside a word counts only
    /// if `inside_words` is set.
    pub(super) fn at_keyword(
        &self,
        text: &[u8],
        keyword: usize,
        inside_words: bool,
    ) -> Option<Span> {
        let (start, rest) = match self.parts.split_first() {
            Some((Part::Run { class, least, most }, rest)) => {
                let run = class.run_back(text, keyword, *most);
                if run < *least {
                    return None;
                }
                // A longer run may contain the separator before the value.
                let mut starts = keyword - run..=keyword - least;
                let first = *starts.start();
                (starts.find(|at| edge_before(text, *at) != Edge::Inside).unwrap_or(first), rest)
            }
            _ => (keyword, self.parts.as_slice()),
        };
        let before = if self.is_distinctive { Edge::Word } else { edge_before(text, start) };
        let counts = |edge: Edge| inside_words || edge != Edge::Inside;
        if !counts(before) {
            return None;
        }
        let Ending { at, min, after } = matched(rest, text, keyword)?;
        counts(after).then_some(Span { range: start..at, min_end: min, before, after })
    }

    /// Computes [`Shape::is_distinctive`].
    fn has_distinctive_prefix(&self) -> bool {
        let is_mark = |word: &String| word.len() >= 4 && word.ends_with('_');
        let begins = matches!(self.parts.first(), Some(Part::Literal(_)));
        begins && self.keywords().iter().all(is_mark)
    }

    /// Matches the shape at the start of a word.
    pub(super) fn at(&self, text: &[u8], start: usize) -> Option<Span> {
        let before = edge_before(text, start);
        if before != Edge::Word {
            return None;
        }
        let Ending { at, min, after } = matched(&self.parts, text, start)?;
        (after != Edge::Inside).then_some(Span { range: start..at, min_end: min, before, after })
    }

    /// Returns the minimum length of the literal at the start.
    pub(super) fn prefix(&self) -> Option<usize> {
        match self.parts.first() {
            Some(Part::Literal(_)) => self.keywords().iter().map(String::len).min(),
            _ => None,
        }
    }

    /// Returns the literals at the start of the shape, or directly after its first run.
    pub(super) fn keywords(&self) -> Vec<String> {
        let mut keywords = vec![String::new()];
        let first = usize::from(matches!(self.parts.first(), Some(Part::Run { .. })));
        for part in self.parts.iter().skip(first) {
            let Part::Literal(literals) = part else { break };
            keywords = keywords
                .iter()
                .flat_map(|begun| literals.iter().map(move |next| format!("{begun}{next}")))
                .collect();
        }
        keywords
    }

    /// Returns whether the keyword is always inside a long run ([`runs`]).
    pub(super) fn is_in_run(&self) -> bool {
        let has = |text: &String| text.bytes().all(|byte| Class::BASE64.has(byte));
        let least = |part: &Part| match part {
            Part::Literal(literals) if literals.iter().all(has) => {
                literals.iter().map(String::len).min()
            }
            Part::Run { class, least, .. } if class.is_in(Class::BASE64) => Some(*least),
            _ => None,
        };
        let lengths: Vec<usize> = self.parts.iter().map_while(least).collect();
        let first = self.keywords().iter().map(String::len).max().unwrap_or_default();
        let keyword = match self.parts.first() {
            Some(Part::Run { .. }) => lengths.first().map_or(usize::MAX, |run| run + first),
            _ => first,
        };
        let run = lengths.iter().sum::<usize>();
        run >= runs::LEAST && run >= keyword
    }

    /// Parses a pattern; `None` if it is invalid.
    pub(super) fn read(pattern: &str) -> Option<Shape> {
        let mut parts = Vec::new();
        let mut rest = pattern;
        while let Some(first) = rest.chars().next() {
            match first {
                '[' => {
                    let (class, after) = class(rest.get(1..)?)?;
                    let (counts, after) = after.strip_prefix('{')?.split_once('}')?;
                    let (least, most) = counts.split_once(',').unwrap_or((counts, counts));
                    let (least, most) = (least.parse().ok()?, most.parse().ok()?);
                    parts.push(Part::Run { class, least, most });
                    rest = after;
                }
                '(' => {
                    let (choice, after) = rest.get(1..)?.split_once(')')?;
                    let mut literals: Vec<String> = choice.split('|').map(str::to_owned).collect();
                    literals.sort_by_key(|literal| std::cmp::Reverse(literal.len()));
                    parts.push(Part::Literal(literals));
                    rest = after;
                }
                _ => {
                    let end = rest.find(['[', '(']).unwrap_or(rest.len());
                    let (literal, after) = rest.split_at(end);
                    parts.push(Part::Literal(vec![literal.to_owned()]));
                    rest = after;
                }
            }
        }
        if parts.is_empty() {
            return None;
        }
        let literal_bytes = parts.iter().map(Part::literal_bytes).sum();
        let mut shape = Shape { parts, is_distinctive: false, literal_bytes };
        shape.is_distinctive = shape.has_distinctive_prefix();
        Some(shape)
    }
}

/// Returns whether a shape may start at a position, which must not be inside a word.
fn begins(text: &[u8], start: usize) -> bool {
    classes::ends_word(text, start)
        || classes::begins_word(text, start)
        || follows_colour(text, start)
}

/// The maximum length in bytes of the numbers in a terminal colour sequence.
const MAX_COLOUR_BYTES: usize = 20;

/// Returns whether the text before a position is a terminal colour sequence, either literal (`ESC[31m`) or
/// escaped (`\u001b[31m`).
fn follows_colour(text: &[u8], start: usize) -> bool {
    let Some(before) = text.get(..start).and_then(|text| text.strip_suffix(b"m")) else {
        return false;
    };
    let is_number = |byte: &&u8| byte.is_ascii_digit() || **byte == b';';
    let numbers = before.iter().rev().take(MAX_COLOUR_BYTES).take_while(is_number).count();
    let head = before.get(..before.len() - numbers).unwrap_or_default();
    let escape = head.strip_suffix(b"[").and_then(<[u8]>::last);
    escape.is_some_and(|byte| matches!(byte, 0x1b | b'b' | b'B' | b'3' | b'e' | b'E'))
}

/// Returns what is before a shape that starts at a position.
fn edge_before(text: &[u8], start: usize) -> Edge {
    if begins(text, start) {
        return Edge::Word;
    }
    let is_separated = text.get(..start).is_some_and(|before| before.ends_with(b"_"));
    if is_separated { Edge::Separator } else { Edge::Inside }
}

/// Returns what is after a shape that ends at a position.
fn edge_after(text: &[u8], end: usize) -> Edge {
    match text.get(end) {
        Some(b'_') => Edge::Separator,
        Some(byte) if byte.is_ascii_alphanumeric() => Edge::Inside,
        _ => Edge::Word,
    }
}

/// Returns whether a byte separates the parts of a name.
fn is_separator(byte: &u8) -> bool {
    matches!(byte, b'_' | b'-')
}

/// The end of a match.
struct Ending {
    at: usize,
    /// The minimum of `at`, if the last run has its minimum length.
    min: usize,
    after: Edge,
}

/// Matches parts from a position and returns where they end.
fn matched(parts: &[Part], text: &[u8], start: usize) -> Option<Ending> {
    let (mut at, mut min) = (start, start);
    for part in parts {
        let length = part.length_at(text, at)?;
        match part {
            Part::Run { least, .. } => min = at + least,
            Part::Literal(_) if length > 0 => min = at + length,
            Part::Literal(_) => {}
        }
        at += length;
    }
    let Some(Part::Run { class, .. }) = parts.last() else {
        return Some(Ending { at, min, after: edge_after(text, at) });
    };
    let beyond = text.get(min..at)?;
    // A full stop at the end of a sentence is not part of the secret.
    let full_stops = if class.has(b'.') { dots(text, at) } else { 0 };
    if class.run(text, at + full_stops, 1) == 0 {
        at -= beyond.iter().rev().take_while(|byte| **byte == b'.').count();
        return Some(Ending { at, min, after: edge_after(text, at) });
    }
    // The run goes on beyond the maximum length, so a part of it belongs to a name.
    if text.get(at).is_some_and(is_separator) {
        return Some(Ending { at, min, after: Edge::Separator });
    }
    Some(match beyond.iter().rposition(is_separator) {
        Some(separator) => Ending { at: min + separator, min, after: Edge::Separator },
        None => Ending { at, min, after: Edge::Inside },
    })
}

/// Returns the number of dots at a position.
fn dots(text: &[u8], at: usize) -> usize {
    Class::EMPTY.and(b".").run(text, at, usize::MAX)
}

/// Parses a class in brackets, and returns it with the rest of the pattern.
fn class(pattern: &str) -> Option<(Class, &str)> {
    let (inside, after) = pattern.split_once(']')?;
    let mut class = Class::EMPTY;
    let mut rest = inside.as_bytes();
    loop {
        match rest {
            [first, b'-', last, tail @ ..] => {
                class = class.range(*first, *last);
                rest = tail;
            }
            [first, tail @ ..] => {
                class = class.and(&[*first]);
                rest = tail;
            }
            [] => return Some((class, after)),
        }
    }
}

impl Part {
    /// Returns the minimum number of bytes of a literal; 0 for a run.
    fn literal_bytes(&self) -> usize {
        match self {
            Part::Literal(literals) => literals.iter().map(String::len).min().unwrap_or_default(),
            Part::Run { .. } => 0,
        }
    }

    /// Returns how many bytes the part matches from `at`.
    fn length_at(&self, text: &[u8], at: usize) -> Option<usize> {
        match self {
            Part::Literal(literals) => {
                let rest = text.get(at..)?;
                let here = |literal: &&String| rest.starts_with(literal.as_bytes());
                literals.iter().find(here).map(String::len)
            }
            Part::Run { class, least, most } => {
                let run = class.run(text, at, *most);
                (run >= *least).then_some(run)
            }
        }
    }
}
