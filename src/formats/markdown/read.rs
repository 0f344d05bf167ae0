//! Paragraphs as turns.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::super::blocks::{self, Head, Place};
use super::super::{File, Parsed};
use super::{claim, front, line, names, shapes, wrap};
use crate::commonmark::verbatim_ranges;
use crate::diag::{Lines, Note, Severity};
use crate::model::{self, Block, Conversation, Kind, Participant, Turn, name_turns};
use crate::text::trim_blank_lines;

/// A paragraph that stands for an event: three asterisks that do not mean emphasis.
pub(super) const ASTERISKS: &str = r"\* \* \*";
/// What stands around any other event.
pub(super) const DIRECTION: (&str, &str) = (r"*\[", r"\]*");

pub(super) fn parse(files: &[File]) -> Parsed {
    let Some(File { name, text, .. }) = files.first() else { return Parsed::default() };
    let Some(plain) = wrap::unwrapped(name, text) else {
        return parse_text(name, text, None);
    };
    let mut parsed = parse_text(name, &plain.text, Some(&plain.transcript));
    plain.restore(text, &mut parsed);
    parsed
}

/// Reads a text; `within` is the transcript that it is, if something stood around its lines.
fn parse_text(name: &str, text: &str, within: Option<&shapes::Transcript>) -> Parsed {
    let mut parsed = Parsed::default();
    let mut read = Conversation::default();
    let (front, body) = front::split(text);
    if let Some(range) = front {
        front::read(text, range, &mut read, &mut parsed.notes);
    }
    read.private |= front::is_private_at(text, body, &mut parsed.notes);
    let lines = Lines::new(text);
    let within = || {
        let sure = within.filter(|read| read.verdict == claim::Verdict::Transcript);
        sure.filter(|_| claim::bold_turns(text).is_none()).cloned()
    };
    let shaped = claim::unmarked(name, text).or_else(within);
    let is_shaped = shaped.is_some();
    let candidates = match shaped {
        Some(shaped) => {
            parsed.notes.extend(shaped.notes);
            shaped.starts
        }
        None => candidates(text, body),
    };
    let mut starts = openings(text, body, candidates, &lines, &mut parsed.notes);
    if is_shaped && !starts.is_empty() {
        let end = shapes::cut::turns(text, body, &lines, &mut starts, &mut read);
        preface(text, body..end, &mut read, &mut parsed.notes);
        parsed.notes.extend(silent(text, &read));
        unescape(&mut read);
        name_turns(&mut read.turns);
        parsed.conversations.push(read);
        return parsed;
    }
    if front::split(text)
        .0
        .is_none_or(|range| claim::Front::read(&text[range]) == claim::Front::Silent)
    {
        leave_labels(&mut starts);
    }
    for start in &mut starts {
        shapes::without_said(&mut start.name);
    }
    let first = starts.first().map_or(text.len(), |start| start.line.start);
    preface(text, body..first, &mut read, &mut parsed.notes);
    if starts.is_empty() {
        let note =
            Note::new(Severity::Error, "no-turns", None, "nobody says anything here");
        parsed.notes.push(note.hint("open a turn with a line such as `**Ada:** Hello`"));
        return parsed;
    }
    parsed.notes.extend(claim::false_speakers(text, &starts));
    let ends = starts.iter().skip(1).map(|next| next.line.start).chain([text.len()]);
    let said: Vec<OpenedTurn<'_>> = starts
        .iter()
        .zip(ends)
        .map(|(start, end)| OpenedTurn { start, first: start.first_line(text), end })
        .collect();
    let turns = Turns {
        text,
        lines: &lines,
        clock: said.iter().filter(|said| said.has_clock(text)).nth(1).is_some(),
        speaking: speaking(text, &said),
        last_speaker: "",
        introduced: BTreeSet::new(),
        read: &mut read,
    };
    turns.add_all(&said);
    parsed.notes.extend(silent(text, &read));
    unescape(&mut read);
    name_turns(&mut read.turns);
    parsed.conversations.push(read);
    parsed
}

/// Makes the note on names under `speakers` in the front matter that never speak.
fn silent(text: &str, read: &Conversation) -> Option<Note> {
    let names = shapes::listed::Listed::silent(read);
    let first = names.first()?;
    let range = front::split(text).0?;
    let line = text[range.clone()].find(first.as_str()).map_or(range.clone(), |at| {
        let at = range.start + at;
        let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        start..text[at..].find('\n').map_or(text.len(), |end| at + end)
    });
    let speaks = if names.len() == 1 { "speaks" } else { "speak" };
    let message = format!("`{}` of the `speakers` never {speaks}", names.join("`, `"));
    let note = Note::warning("doubtful-speaker", line, message);
    Some(note.hint("write the name as it stands before what is said, or take it out"))
}

/// A line that opens a turn.
#[derive(Clone)]
pub(super) struct Start {
    pub(super) name: String,
    pub(super) line: Range<usize>,
    /// The time before, in or right behind the name.
    pub(super) offset: Option<String>,
    /// Whether that is the time of a recording for sure.
    pub(super) recorded: bool,
    /// Where the text behind the name starts.
    pub(super) said: usize,
    /// The time at which it ends.
    pub(super) to: Option<String>,
    /// What stands in brackets behind the name and is no part of it.
    pub(super) aside: Option<String>,
}

impl Start {
    /// Returns the rest of its line.
    pub(super) fn first_line<'a>(&self, text: &'a str) -> &'a str {
        &text[self.said.min(self.line.end)..self.line.end]
    }
}

/// Returns the lines that look as if they opened a turn, and where they stand: at the start of a
/// paragraph, or anywhere if they have a time, or the name is one that stands at the start of
/// another paragraph.
pub(super) fn candidates(text: &str, body: usize) -> Vec<(Start, Place)> {
    let mut found = Vec::new();
    let mut known: BTreeSet<String> = BTreeSet::new();
    let mut weak: BTreeMap<String, usize> = BTreeMap::new();
    let (mut start, mut blank_before) = (body, true);
    for line in text[body..].split_inclusive('\n') {
        let bare = line.trim_end_matches('\n');
        let may_open =
            bare.starts_with(|c: char| "*#[(\\".contains(c) || c.is_ascii_digit());
        if may_open
            && let Some(opening) = line::opening(bare)
            && !opening.escaped
        {
            let sure = blank_before || opening.offset.is_some();
            if opening.weak {
                *weak.entry(opening.name.clone()).or_default() += 1;
            } else if sure {
                known.insert(opening.name.clone());
            }
            let said = start + opening.said;
            let offset = opening.offset.map(str::to_owned);
            let line = start..start + bare.len();
            let (name, recorded) = (opening.name, opening.recorded);
            let start =
                Start { name, line, offset, recorded, said, to: None, aside: None };
            found.push((start, sure && !opening.weak));
        }
        blank_before = line.trim().is_empty() || line.starts_with('#');
        start += line.len();
    }
    let twice = weak.into_iter().filter(|(_, count)| *count > 1);
    known.extend(twice.map(|(name, _)| name));
    found.retain(|(start, sure)| *sure || known.contains(&start.name));
    let heads: Vec<Head> = found
        .iter()
        .map(|(start, _)| Head {
            start: start.line.start,
            bare: start.first_line(text).trim().is_empty(),
            wanted: false,
        })
        .collect();
    let places = blocks::places(text, body..text.len(), &heads);
    found.into_iter().map(|(start, _)| start).zip(places).collect()
}

/// Returns the lines that open a turn: never in code, but a block that was left open ends at one.
fn openings(
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

/// Takes the labels away that stand once in what somebody says who comes back: `**Note:**`.
fn leave_labels(starts: &mut Vec<Start>) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for start in starts.iter() {
        *counts.entry(start.name.clone()).or_default() += 1;
    }
    let count = |start: &Start| counts.get(&start.name).copied().unwrap_or(0);
    let returns = |start: &Start| count(start) > 1 && !shapes::is_only_label(&start.name);
    let label = |start: &Start| count(start) == 1 && shapes::is_only_label(&start.name);
    // Whether who speaks next comes back.
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

/// Returns the blocks of `range` that are no markup.
fn code(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let blocks = verbatim_ranges(&text[range.clone()]).into_iter();
    let blocks = blocks.filter(|(_, block)| *block);
    blocks.map(|(block, _)| range.start + block.start..range.start + block.end).collect()
}

fn unclosed(text: &str, start: &Start, block: &Range<usize>, lines: &Lines<'_>) -> Note {
    let html = text[block.start..].trim_start().starts_with('<');
    let kind = if html { "an HTML block" } else { "a code fence" };
    let message = format!(
        "{kind} of the turn before would swallow this turn, so it was ended here"
    );
    let line = lines.line(block.start);
    Note::warning("unclosed-block", start.line.clone(), message)
        .hint(format!("close what opens in line {line}"))
        .hint(r"if this line belongs to the code, write its colon as `\:`")
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
    if let Some((title, rest)) = heading(before) {
        if read.title.is_none() {
            read.title = Some(title.to_owned());
        }
        if read.title.as_deref().is_some_and(|known| known.trim() == title) {
            before = trim_blank_lines(rest).0;
        }
    }
    let shown = without_account(before);
    let mut at = range.start;
    for line in text[range.clone()].split_inclusive('\n') {
        if names_account(line) {
            let message = "the e-mail address of an account, which is never published";
            let line = Some(at..at + line.trim_end().len());
            notes.push(Note::new(Severity::Hint, "account-data", line, message));
        }
        at += line.len();
    }
    let before = trim_blank_lines(&shown).0;
    if before.is_empty() {
        return;
    }
    read.preface = before.to_owned();
    // Titles need no speaker.
    let (mut rest, mut titles) = (before, true);
    while titles && !rest.is_empty() {
        match heading(rest) {
            Some((_, below)) => rest = trim_blank_lines(below).0,
            None => titles = false,
        }
    }
    if titles {
        return;
    }
    let end = text[start..].find('\n').map_or(range.end, |newline| start + newline);
    let note = Note::warning("preface", start..end, "this text belongs to no speaker");
    notes.push(note.hint("it is shown above the first turn"));
}

/// Returns an introduction without the rows that say whose account a program exported it from:
/// `**User:** Ada (ada@example.org)`.
fn without_account(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !names_account(line)).collect()
}

fn names_account(line: &str) -> bool {
    const KEYS: [&str; 5] = ["user", "account", "email", "e-mail", "exported by"];
    shapes::row(line).is_some_and(|(key, value)| {
        KEYS.contains(&key.to_lowercase().as_str()) && value.contains('@')
    })
}

/// Splits a heading off a text that starts with one: `# Title`, `### Title`, or a line that is
/// underlined.
fn heading(text: &str) -> Option<(&str, &str)> {
    let (first, below) = text.split_once('\n').unwrap_or((text, ""));
    let marks = first.len() - first.trim_start_matches('#').len();
    let (title, rest) = match marks {
        1..=6 if first[marks..].starts_with(' ') => {
            (first[marks..].trim().trim_end_matches('#').trim_end(), below)
        }
        0 => {
            let (line, rest) = below.split_once('\n').unwrap_or((below, ""));
            let line = line.trim_end();
            let is_line = |sign| line.len() > 2 && line.chars().all(|c| c == sign);
            ((is_line('=') || is_line('-')).then_some(first.trim())?, rest)
        }
        _ => return None,
    };
    (!title.is_empty()).then_some((title, rest))
}

/// A line that opens a turn, with what stands behind it.
struct OpenedTurn<'a> {
    start: &'a Start,
    /// The rest of the line.
    first: &'a str,
    /// Where the next turn starts.
    end: usize,
}

impl OpenedTurn<'_> {
    /// Returns the text on the lines below.
    fn below(&self, text: &str) -> Range<usize> {
        (self.start.line.end + 1).min(self.end)..self.end.min(text.len())
    }

    fn goes_on(&self, text: &str) -> bool {
        !text[self.below(text)].trim().is_empty()
    }

    /// Returns whether the rest of its line is a time without brackets or seconds, which may be one
    /// that somebody says.
    fn has_clock(&self, text: &str) -> bool {
        let time = line::time(self.first).filter(|time| !time.is_exact());
        let alone = time.is_some_and(|time| time.rest.trim().is_empty());
        alone && self.start.offset.is_none() && self.goes_on(text)
    }
}

/// Returns the names that say something: on their own line, or below it where no time keeps them
/// apart.
fn speaking<'a>(text: &str, said: &[OpenedTurn<'a>]) -> BTreeSet<&'a str> {
    let speaks = |said: &&OpenedTurn<'_>| {
        let words = match line::time(said.first) {
            _ if line::times(said.first).is_some() => "",
            Some(time) => time.rest,
            None => said.first,
        };
        let below = || !names::is_pause(&said.start.name) && said.goes_on(text);
        words.chars().any(char::is_alphabetic) || below()
    };
    said.iter().filter(speaks).map(|said| said.start.name.as_str()).collect()
}

struct Turns<'a> {
    text: &'a str,
    lines: &'a Lines<'a>,
    /// Whether times without brackets or seconds stand behind several names, so that they are
    /// those of a recording.
    clock: bool,
    speaking: BTreeSet<&'a str>,
    last_speaker: &'a str,
    introduced: BTreeSet<String>,
    read: &'a mut Conversation,
}

impl<'a> Turns<'a> {
    fn add_all(mut self, said: &[OpenedTurn<'a>]) {
        for said in said {
            self.add(said);
        }
    }

    fn add(&mut self, said: &OpenedTurn<'a>) {
        let name = said.start.name.as_str();
        let below = said.below(self.text);
        let goes_on = said.goes_on(self.text);
        let pauses = names::is_pause(name) && !self.speaking.contains(name);
        let time = line::time(said.first).filter(|time| {
            let alone = time.rest.trim().is_empty();
            time.is_exact() || alone && (pauses || self.clock && goes_on)
        });
        // Its time, the time at which it ends, and the rest of the line.
        let (offset, to, words) = if let Some(offset) = &said.start.offset {
            (Some(offset.clone()), None, said.first)
        } else if let Some((from, to)) = line::times(said.first) {
            (Some(from.to_owned()), to, "")
        } else if let Some(time) = time {
            let rest = time.rest.strip_prefix(' ').unwrap_or(time.rest);
            (Some(time.text.to_owned()), None, rest)
        } else {
            (None, None, said.first)
        };
        let silent = words.trim().is_empty();
        let happens = match offset {
            Some(_) => pauses || !goes_on && !self.speaking.contains(name),
            None => pauses,
        };
        if silent && happens {
            self.event(said.start, offset, to);
            if goes_on {
                // Whoever spoke before goes on after it.
                let speaker =
                    if self.last_speaker.is_empty() { name } else { self.last_speaker };
                self.paragraphs(below, speaker, None, None);
            }
            return;
        }
        self.last_speaker = name;
        let from = said.start.line.end - words.len();
        self.paragraphs(from..said.end, name, offset, to);
    }

    fn event(&mut self, start: &Start, offset: Option<String>, to: Option<&str>) {
        let mut turn = event(&start.name, offset);
        turn.place.line = self.lines.line(start.line.start);
        if let Some(to) = to {
            turn.extra.insert("to".to_owned(), to.into());
        }
        self.read.turns.push(turn);
    }

    /// Adds what one speaker says, divided where a paragraph stands for an event.
    fn paragraphs(
        &mut self,
        range: Range<usize>,
        speaker: &str,
        mut offset: Option<String>,
        mut to: Option<&str>,
    ) {
        if self.introduced.insert(speaker.to_owned()) {
            let who = Participant::new(speaker, Kind::guess(speaker));
            self.read.participants.push(who);
        }
        let mut start = range.start;
        let mut empty = true;
        loop {
            let rest = &self.text[start..range.end];
            // Many may stand on one line, of which only the first may open a paragraph.
            let opens = |at: &usize| *at == 0 || rest[..*at].ends_with("\n\n");
            let found = rest.match_indices(['*', '\\']).map(|(at, _)| at).filter(opens);
            let mut found = found.filter_map(|at| {
                let line = rest[at..].split('\n').next()?;
                Some((at, line.len(), happening(line)?))
            });
            let found = found.next();
            let cut = found.map(|(at, ..)| at);
            let end = cut.unwrap_or(rest.len());
            let (said, skipped) = trim_blank_lines(&rest[..end]);
            if !said.is_empty() || cut.is_none() && empty {
                let line = self.lines.line(start + skipped.min(end));
                let place = model::Place { line, ..model::Place::default() };
                let mut turn =
                    Turn { offset: offset.take(), place, ..Turn::said(speaker, said) };
                if let Some(to) = to.take() {
                    turn.extra.insert("to".to_owned(), to.into());
                }
                self.read.turns.push(turn);
            }
            let Some((at, len, what)) = found else { return };
            let mut turn = event(what, None);
            turn.place.line = self.lines.line(start + at);
            self.read.turns.push(turn);
            start += at + len;
            empty = false;
        }
    }
}

/// Returns what happens by a line that stands for an event: `\* \* \*`, `*\[A door closes.\]*`.
fn happening(line: &str) -> Option<&str> {
    let line = line.trim();
    if line == ASTERISKS {
        return Some("Break");
    }
    let what = line.strip_prefix(DIRECTION.0)?.strip_suffix(DIRECTION.1)?;
    (!what.trim().is_empty()).then_some(what)
}

/// Makes a turn of what nobody says.
pub(super) fn event(name: &str, offset: Option<String>) -> Turn {
    let block =
        Block::Event { name: name.to_lowercase(), text: name.to_owned(), detail: None };
    Turn { offset, blocks: vec![block], ..Turn::default() }
}

/// Takes the backslash away that kept a line of text from opening a turn.
fn unescaped(text: &str) -> String {
    if !text.contains("\\:") || !text.contains("**") {
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

/// Takes the backslashes away that kept lines of turns from opening turns.
fn unescape(read: &mut Conversation) {
    let known = shapes::keys(read.participants.iter().map(|who| who.name.as_str()));
    for block in read.turns.iter_mut().flat_map(|turn| &mut turn.blocks) {
        if let Block::Markdown { text } = block
            && (text.contains('\\') || text.contains("&#32;"))
        {
            *text = shapes::unescaped(&unescaped(text), &known);
        }
    }
}
