//! Turns after names in bold type.

use std::collections::BTreeSet;
use std::ops::Range;

use super::event::{event, event_text};
use super::start::Start;
use super::{line, names};
use convo_base::diag::Lines;
use convo_base::model::{self, Conversation, Participant, Turn};
use convo_base::text::trim_blank_lines;

/// A line that opens a turn, with the text after it.
pub(super) struct OpenedTurn<'a> {
    pub(super) start: &'a Start,
    /// The rest of the line.
    pub(super) first: &'a str,
    /// Where the next turn starts.
    pub(super) end: usize,
}

impl OpenedTurn<'_> {
    /// Returns the text on the lines below.
    pub(super) fn below(&self, text: &str) -> Range<usize> {
        (self.start.line.end + 1).min(self.end)..self.end.min(text.len())
    }

    pub(super) fn has_text_below(&self, text: &str) -> bool {
        !text[self.below(text)].trim().is_empty()
    }

    /// Returns whether the rest of its line is a time without brackets or seconds, which may be part of the
    /// text.
    pub(super) fn has_clock(&self, text: &str) -> bool {
        let time = line::time(self.first).filter(|time| !time.is_exact());
        let alone = time.is_some_and(|time| time.rest.trim().is_empty());
        alone && self.start.offset.is_none() && self.has_text_below(text)
    }
}

/// Returns the names that are followed by text: on their own line, or below it if there is no time in
/// between.
pub(super) fn speaking<'a>(text: &str, opened: &[OpenedTurn<'a>]) -> BTreeSet<&'a str> {
    let speaks = |turn: &&OpenedTurn<'_>| {
        let words = match line::time(turn.first) {
            _ if line::times(turn.first).is_some() => "",
            Some(time) => time.rest,
            None => turn.first,
        };
        let below = || !names::is_pause(&turn.start.name) && turn.has_text_below(text);
        words.chars().any(char::is_alphabetic) || below()
    };
    opened.iter().filter(speaks).map(|turn| turn.start.name.as_str()).collect()
}

pub(super) struct Turns<'a> {
    pub(super) text: &'a str,
    pub(super) lines: &'a Lines<'a>,
    /// Whether times without brackets or seconds follow several names, so that they are times of a
    /// recording.
    pub(super) clock: bool,
    pub(super) speaking: BTreeSet<&'a str>,
    pub(super) last_speaker: &'a str,
    pub(super) introduced: BTreeSet<String>,
    pub(super) read: &'a mut Conversation,
}

impl<'a> Turns<'a> {
    pub(super) fn add_all(mut self, opened: &[OpenedTurn<'a>]) {
        for turn in opened {
            self.add(turn);
        }
    }

    pub(super) fn add(&mut self, turn: &OpenedTurn<'a>) {
        let name = turn.start.name.as_str();
        let below = turn.below(self.text);
        let has_text_below = turn.has_text_below(self.text);
        let pauses = names::is_pause(name) && !self.speaking.contains(name);
        let time = line::time(turn.first).filter(|time| {
            let alone = time.rest.trim().is_empty();
            time.is_exact() || alone && (pauses || self.clock && has_text_below)
        });
        // Its start time, its end time, and the rest of the line.
        let (offset, to, words) = if let Some(offset) = &turn.start.offset {
            (Some(offset.clone()), None, turn.first)
        } else if let Some((from, to)) = line::times(turn.first) {
            (Some(from.to_owned()), to, "")
        } else if let Some(time) = time {
            let rest = time.rest.strip_prefix(' ').unwrap_or(time.rest);
            (Some(time.text.to_owned()), None, rest)
        } else {
            (None, None, turn.first)
        };
        let silent = words.trim().is_empty();
        let is_event = match offset {
            Some(_) => pauses || !has_text_below && !self.speaking.contains(name),
            None => pauses,
        };
        if silent && is_event {
            self.event(turn.start, offset, to);
            if has_text_below {
                // After a pause, the previous speaker continues.
                let speaker = if self.last_speaker.is_empty() { name } else { self.last_speaker };
                self.paragraphs(below, speaker, None, None);
            }
            return;
        }
        self.last_speaker = name;
        let from = turn.start.line.end - words.len();
        self.paragraphs(from..turn.end, name, offset, to);
    }

    pub(super) fn event(&mut self, start: &Start, offset: Option<String>, to: Option<&str>) {
        let mut turn = event(&start.name, offset);
        turn.place.line = self.lines.line(start.line.start);
        if let Some(to) = to {
            turn.extra.insert("to".to_owned(), to.into());
        }
        self.read.turns.push(turn);
    }

    /// Adds the text of one speaker, divided at paragraphs that represent events.
    pub(super) fn paragraphs(
        &mut self,
        range: Range<usize>,
        speaker: &str,
        mut offset: Option<String>,
        mut to: Option<&str>,
    ) {
        if self.introduced.insert(speaker.to_owned()) {
            self.read.participants.push(Participant::guessed(speaker));
        }
        let mut start = range.start;
        let mut empty = true;
        loop {
            let rest = &self.text[start..range.end];
            // There may be many on one line, but only the first can open a paragraph.
            let opens = |at: &usize| *at == 0 || rest[..*at].ends_with("\n\n");
            let found = rest.match_indices(['*', '\\']).map(|(at, _)| at).filter(opens);
            let mut found = found.filter_map(|at| {
                let line = rest[at..].split('\n').next()?;
                Some((at, line.len(), event_text(line)?))
            });
            let found = found.next();
            let cut = found.map(|(at, ..)| at);
            let end = cut.unwrap_or(rest.len());
            let (body, skipped) = trim_blank_lines(&rest[..end]);
            if !body.is_empty() || cut.is_none() && empty {
                let line = self.lines.line(start + skipped.min(end));
                let place = model::Place { line, ..model::Place::default() };
                let mut turn =
                    Turn { offset: offset.take(), place, ..Turn::from_text(speaker, body) };
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
