//! Paragraphs as turns.

use std::collections::BTreeSet;
use std::ops::Range;

use super::super::{File, Parsed};
use super::{front, line};
use crate::commonmark::verbatim_ranges;
use crate::diag::{Lines, Note, Severity};
use crate::model::{Block, Conversation, Kind, Place, Turn, name_turns};
use crate::text::trim_blank_lines;

/// A paragraph that stands for an event: three asterisks that do not mean emphasis.
pub(super) const ASTERISKS: &str = r"\* \* \*";

pub(super) fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    let Some(File { text, .. }) = files.first() else { return parsed };
    let mut read = Conversation::default();
    let (front, body) = front::split(text);
    if let Some(range) = front {
        front::read(text, range, &mut read, &mut parsed.notes);
    }
    let starts = openings(text, body);
    let first = starts.first().map_or(text.len(), |start| start.line.start);
    preface(text, body..first, &mut read, &mut parsed.notes);
    let lines = Lines::new(text);
    let mut last_speaker = String::new();
    for (index, start) in starts.iter().enumerate() {
        let end = starts.get(index + 1).map_or(text.len(), |next| next.line.start);
        let said = start.said..end;
        let turns = Turns { text, lines: &lines, read: &mut read };
        turns.add(start, said, &mut last_speaker);
    }
    if read.turns.is_empty() {
        let note =
            Note::new(Severity::Error, "no-turns", None, "nobody says anything here");
        parsed.notes.push(note.hint("open a turn with a line such as `**Ada:** Hello`"));
        return parsed;
    }
    name_turns(&mut read.turns);
    parsed.conversations.push(read);
    parsed
}

/// A line that opens a turn.
struct Start {
    name: String,
    line: Range<usize>,
    /// Where the text behind the name starts.
    said: usize,
}

/// The lines that open a turn: at the start of a paragraph, or anywhere if the name is one
/// that stands at the start of another, and never in code.
fn openings(text: &str, body: usize) -> Vec<Start> {
    let code: Vec<Range<usize>> = verbatim_ranges(&text[body..])
        .into_iter()
        .filter(|(_, block)| *block)
        .map(|(range, _)| body + range.start..body + range.end)
        .collect();
    let in_code = |at: usize| {
        let after = code.partition_point(|range| range.start <= at);
        code[..after].last().is_some_and(|range| range.contains(&at))
    };
    let mut found = Vec::new();
    let mut known = BTreeSet::new();
    let (mut start, mut blank_before) = (body, true);
    for line in text[body..].split_inclusive('\n') {
        let bare = line.trim_end_matches('\n');
        if let Some(opening) = line::opening(bare)
            && !opening.escaped
            && !in_code(start)
        {
            if blank_before {
                known.insert(opening.name.clone());
            }
            let said = start + opening.said;
            let line = start..start + bare.len();
            found.push((Start { name: opening.name, line, said }, blank_before));
        }
        blank_before = line.trim().is_empty() || line.starts_with('#');
        start += line.len();
    }
    found
        .into_iter()
        .filter(|(start, paragraph)| *paragraph || known.contains(&start.name))
        .map(|(start, _)| start)
        .collect()
}

/// The text before the first turn: a heading is the title, everything else a preface.
fn preface(
    text: &str,
    range: Range<usize>,
    read: &mut Conversation,
    notes: &mut Vec<Note>,
) {
    let (mut before, skipped) = trim_blank_lines(&text[range.clone()]);
    let start = range.start + skipped;
    if read.title.is_none()
        && let Some(heading) = before.strip_prefix("# ")
    {
        let (title, rest) = heading.split_once('\n').unwrap_or((heading, ""));
        read.title = Some(title.trim().to_owned()).filter(|title| !title.is_empty());
        before = trim_blank_lines(rest).0;
    }
    if before.is_empty() {
        return;
    }
    let end = text[start..].find('\n').map_or(range.end, |newline| start + newline);
    let note = Note::warning("preface", start..end, "this text belongs to no speaker");
    notes.push(note.hint("it is shown above the first turn"));
    read.preface = before.to_owned();
}

struct Turns<'a> {
    text: &'a str,
    lines: &'a Lines<'a>,
    read: &'a mut Conversation,
}

impl Turns<'_> {
    fn add(self, start: &Start, said: Range<usize>, last_speaker: &mut String) {
        let text = self.text;
        let (first, rest) = match text[said.clone()].split_once('\n') {
            Some((first, _)) => (first, said.start + first.len() + 1..said.end),
            None => (&text[said.clone()], said.end..said.end),
        };
        let times = line::times(first);
        let is_break = start.name.eq_ignore_ascii_case("break");
        if times.is_some() || is_break && first.trim().is_empty() {
            let (offset, to) = times.map_or((None, None), |(from, to)| (Some(from), to));
            let mut turn = event(&start.name, offset.map(str::to_owned));
            turn.place.line = self.lines.line(start.line.start);
            if let Some(to) = to {
                turn.extra.insert("to".to_owned(), to.into());
            }
            self.read.turns.push(turn);
            // Whoever spoke before goes on after it.
            if trim_blank_lines(&text[rest.clone()]).0.is_empty() {
                return;
            }
            let speaker = match last_speaker.as_str() {
                "" => start.name.clone(),
                name => name.to_owned(),
            };
            return paragraphs(text, rest, &speaker, None, self.lines, self.read);
        }
        last_speaker.clone_from(&start.name);
        let (offset, from) = match line::time(first) {
            Some((time, behind)) => {
                let behind = behind.strip_prefix(' ').unwrap_or(behind);
                (Some(time.to_owned()), said.start + first.len() - behind.len())
            }
            None => (None, said.start),
        };
        paragraphs(text, from..said.end, &start.name, offset, self.lines, self.read);
    }
}

fn event(name: &str, offset: Option<String>) -> Turn {
    let block =
        Block::Event { name: name.to_lowercase(), text: name.to_owned(), detail: None };
    Turn { offset, blocks: vec![block], ..Turn::default() }
}

/// What one speaker says, cut where a paragraph stands for an event.
fn paragraphs(
    text: &str,
    range: Range<usize>,
    speaker: &str,
    mut offset: Option<String>,
    lines: &Lines<'_>,
    read: &mut Conversation,
) {
    read.introduce(speaker, Kind::guess(speaker));
    let mut start = range.start;
    let mut empty = true;
    loop {
        let rest = &text[start..range.end];
        let cut = rest.match_indices(ASTERISKS).map(|(at, _)| at).find(|at| {
            let line =
                rest[at + ASTERISKS.len()..].split('\n').next().unwrap_or_default();
            (*at == 0 || rest[..*at].ends_with("\n\n")) && line.trim().is_empty()
        });
        let end = cut.map_or(rest.len(), |at| at);
        let (said, skipped) = trim_blank_lines(&rest[..end]);
        if !said.is_empty() || cut.is_none() && empty {
            let place =
                Place { line: lines.line(start + skipped.min(end)), ..Place::default() };
            let said = unescaped(said);
            read.turns.push(Turn {
                offset: offset.take(),
                place,
                ..Turn::said(speaker, said)
            });
        }
        let Some(at) = cut else { return };
        let mut turn = event("Break", None);
        turn.place.line = lines.line(start + at);
        read.turns.push(turn);
        start += at + ASTERISKS.len();
        empty = false;
    }
}

/// Takes the backslash away that kept a line of text from opening a turn.
fn unescaped(text: &str) -> String {
    if !text.contains("\\:**") && !text.contains("**\\:") {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match line::opening(line.trim_end_matches('\n')).filter(|found| found.escaped) {
            Some(found) => {
                out.push_str(&line[..found.colon - 1]);
                out.push_str(&line[found.colon..]);
            }
            None => out.push_str(line),
        }
    }
    out
}
