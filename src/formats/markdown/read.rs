//! Converts paragraphs to turns.

use std::collections::BTreeSet;

use super::super::{File, Parsed};
use super::candidates::candidates;
use super::front_hint::FrontHint;
use super::openings::{leave_labels, openings};
use super::preface::preface;
use super::turns::{OpenedTurn, Turns, speaking};
use super::verdict::Verdict;
use super::{bold_names, claim, copied, front, line, sections, shapes, undated, wrap};
use crate::shared::tally::no_messages;
use crate::shared::text::footnotes;
use convo_base::diag::{Lines, Note, Severity};
use convo_base::model::{Block, Channel, Conversation, name_turns};

pub(super) fn parse(files: &[File]) -> Parsed {
    let Some(File { name, text, .. }) = files.first() else { return Parsed::default() };
    let mut parsed = match wrap::unwrapped(name, text) {
        None => parse_text(name, text, None),
        Some(plain) => {
            let mut parsed = parse_text(name, &plain.text, Some(&plain.transcript));
            plain.restore(text, &mut parsed);
            parsed
        }
    };
    for read in &mut parsed.conversations {
        copied::remove_thinking_time(text, read);
        footnotes::settle(read);
        undated::date(read, name);
    }
    parsed
}

/// Reads a text; `within` is its transcript if markup around its lines was removed.
fn parse_text(name: &str, text: &str, within: Option<&shapes::Transcript>) -> Parsed {
    let mut parsed = Parsed::default();
    let mut read = Conversation::default();
    let (front, body) = front::split(text);
    if let Some(range) = front {
        front::read(text, range, &mut read, &mut parsed.notes);
    }
    front::access_at(text, body, &mut parsed.notes).apply(&mut read);
    let lines = Lines::new(text);
    let within = || {
        let sure = within.filter(|read| read.verdict == Verdict::Transcript);
        sure.filter(|_| bold_names::bold_turns(text).is_none()).cloned()
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
        read.participants.settle_guesses();
        sections::separate(text, &starts, &mut read);
        unescape(&mut read);
        name_turns(&mut read.turns);
        // Text with front matter was written for a site.
        let has_clocks = body == 0 && copied::has_clocks(&read.turns);
        if has_clocks || copied::is_chat(text, read.turns.len()) {
            read.channel = Some(Channel::default());
            copied::settle(&mut read);
            read.participants.settle_guesses();
        }
        parsed.conversations.push(read);
        return parsed;
    }
    if front::split(text).0.is_none_or(|range| FrontHint::read(&text[range]) == FrontHint::Silent) {
        leave_labels(&mut starts);
    }
    for start in &mut starts {
        shapes::without_verb(&mut start.name);
    }
    let first = starts.first().map_or(text.len(), |start| start.line.start);
    preface(text, body..first, &mut read, &mut parsed.notes);
    if starts.is_empty() {
        let note = no_messages(Severity::Error);
        parsed.notes.push(note.hint("begin each turn with a line such as `**Ada:** Hello`"));
        return parsed;
    }
    parsed.notes.extend(bold_names::false_speakers(text, &starts));
    parsed.notes.extend(shapes::unmarked(text, body, &starts));
    let ends = starts.iter().skip(1).map(|next| next.line.start).chain([text.len()]);
    let opened: Vec<OpenedTurn<'_>> = starts
        .iter()
        .zip(ends)
        .map(|(start, end)| OpenedTurn { start, first: start.first_line(text), end })
        .collect();
    let turns = Turns {
        text,
        lines: &lines,
        clock: opened.iter().filter(|turn| turn.has_clock(text)).nth(1).is_some(),
        speaking: speaking(text, &opened),
        last_speaker: "",
        introduced: BTreeSet::new(),
        read: &mut read,
    };
    turns.add_all(&opened);
    parsed.notes.extend(silent(text, &read));
    read.participants.settle_guesses();
    sections::separate(text, &starts, &mut read);
    unescape(&mut read);
    name_turns(&mut read.turns);
    parsed.conversations.push(read);
    parsed
}

/// Returns the note on names under `speakers` in the front matter that never speak.
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
    let message = format!("`{}` in `speakers` never {speaks}", names.join("`, `"));
    let note = Note::warning("doubtful-speaker", line, message);
    Some(note.hint("write the name as it is written before its turns, or remove it"))
}

/// Removes the backslash that kept a line from opening a turn.
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

/// Removes the backslashes that kept lines from opening turns.
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
