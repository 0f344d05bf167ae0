//! Turns of transcripts without bold names: which text and which time belong to which speaker.

use std::collections::BTreeSet;
use std::ops::Range;

use super::super::event::event;
use super::super::names;
use super::super::start::Start;
use super::stamp::{self, Stamp};
use convo_base::diag::Lines;
use convo_base::fences::{FenceLine, Fences};
use convo_base::json::Value;
use convo_base::model::{self, Conversation, Participant, Turn};
use convo_base::text::trim_blank_lines;

/// Cuts a text into turns and returns where its introduction ends. A time on a line of its own belongs to
/// the text below it.
pub(crate) fn turns(
    text: &str,
    body: usize,
    lines: &Lines<'_>,
    starts: &mut [Start],
    read: &mut Conversation,
) -> usize {
    let mut ends: Vec<usize> = starts.iter().skip(1).map(|next| next.line.start).collect();
    ends.push(text.len());
    // A time above a name.
    let mut introduction = starts.first().map_or(text.len(), |first| first.line.start);
    for index in 0..starts.len() {
        let from = match index.checked_sub(1).and_then(|before| starts.get(before)) {
            Some(before) => before.text_start.max(before.line.start),
            None => body,
        };
        let Some(start) = starts.get_mut(index) else { break };
        let to = start.line.start;
        if start.offset.is_none()
            && let Some((at, stamp)) = last_time(&text[from.min(to)..to])
        {
            start.offset = Some(stamp.from.to_owned());
            start.to = stamp.to.map(str::to_owned);
            let at = from.min(to) + at;
            match index.checked_sub(1) {
                Some(before) => ends[before] = at,
                None => introduction = at,
            }
        }
    }
    let clock = |(start, end): &(&Start, &usize)| {
        let behind = first_time(text, start, **end);
        start.offset.is_none() && behind.is_some_and(|(stamp, _)| !stamp.is_exact)
    };
    let clock = starts.iter().zip(&ends).filter(clock).nth(1).is_some();
    let is_timed = starts.iter().filter(|start| start.offset.is_some()).count() * 2 > starts.len();
    let mut cutter = Cutter {
        text,
        lines,
        clock,
        is_timed,
        introduced: BTreeSet::new(),
        last: String::new(),
        read,
    };
    for (start, end) in starts.iter().zip(ends) {
        cutter.add(start, end);
    }
    introduction
}

/// Returns the time on the last non-blank line of a text, if there is nothing else on the line, and its
/// position.
fn last_time(text: &str) -> Option<(usize, Stamp<'_>)> {
    let trimmed = text.trim_end();
    let at = trimmed.rfind('\n').map_or(0, |newline| newline + 1);
    // The rest of a name's line belongs to the name.
    let alone =
        at > 0 || text.starts_with('\n') || text[..at].is_empty() && text.len() > trimmed.len();
    let stamp = stamp::stamp(trimmed[at..].trim())?;
    (alone && stamp.rest.trim().is_empty() && (stamp.is_exact || stamp.is_recorded))
        .then_some((at, stamp))
}

/// Returns the time directly after a name or on the line below it, and where the text starts.
fn first_time<'a>(text: &'a str, start: &Start, end: usize) -> Option<(Stamp<'a>, usize)> {
    let body = &text[start.text_start.min(end)..end];
    let (line, skipped) = trim_blank_lines(body);
    let line = line.lines().next()?;
    let lead = line.len() - line.trim_start().len();
    let stamp = stamp::stamp(&line[lead..])?;
    let at = start.text_start + skipped + line.len() - stamp.rest.len();
    let alone = stamp.rest.trim().is_empty();
    let continues = !text[at.min(end)..end].trim().is_empty();
    (stamp.is_exact || alone && continues).then_some((stamp, at))
}

struct Cutter<'a> {
    text: &'a str,
    lines: &'a Lines<'a>,
    /// Whether times without brackets or seconds follow several names, so that they are times of a
    /// recording.
    clock: bool,
    /// Whether most turns have times, so that a line with only a time is not text.
    is_timed: bool,
    introduced: BTreeSet<String>,
    /// The last speaker.
    last: String,
    read: &'a mut Conversation,
}

impl Cutter<'_> {
    fn add(&mut self, start: &Start, end: usize) {
        let text = self.text;
        let (mut offset, mut to) = (start.offset.clone(), start.to.clone());
        let mut from = start.text_start.min(end);
        if offset.is_none()
            && let Some((stamp, at)) = first_time(text, start, end)
            && (stamp.is_exact || self.clock)
        {
            (offset, to) = (Some(stamp.from.to_owned()), stamp.to.map(str::to_owned));
            from = at.min(end);
        }
        let first = text[from..end].split('\n').next().unwrap_or_default();
        if names::is_pause(&start.name) && first.trim().is_empty() {
            self.push_event(&start.name, start.line.start, offset, to);
            if text[from..end].trim().is_empty() {
                return;
            }
            (offset, to) = (None, None);
            if !self.last.is_empty() {
                let speaker = std::mem::take(&mut self.last);
                self.say(&speaker, from..end, None, (offset, to), true);
                self.last = speaker;
                return;
            }
        }
        self.say(&start.name, from..end, start.aside.as_deref(), (offset, to), false);
        self.last.clone_from(&start.name);
    }

    fn push_event(&mut self, name: &str, at: usize, offset: Option<String>, to: Option<String>) {
        let mut turn = event(name, offset);
        turn.place.line = self.lines.line(at);
        if let Some(to) = to {
            turn.extra.insert("to".to_owned(), Value::from(to));
        }
        self.read.turns.push(turn);
    }

    /// Adds the text of one speaker, divided at times and events. `continues` is whether an event directly
    /// precedes it.
    fn say(
        &mut self,
        speaker: &str,
        range: Range<usize>,
        aside: Option<&str>,
        (mut offset, mut to): (Option<String>, Option<String>),
        continues: bool,
    ) {
        if self.introduced.insert(speaker.to_owned()) {
            self.read.participants.push(Participant::guessed(speaker));
        }
        let text = self.text;
        let (mut from, mut at, mut has_turn) = (range.start, range.start, continues);
        let mut aside = aside;
        let mut blank = false;
        let mut fences = Fences::default();
        for whole in text[range.clone()].split_inclusive('\n') {
            let line = whole.trim();
            let next = at + whole.len();
            if fences.next(whole) == FenceLine::Outside && at > range.start {
                let ends = text[next..range.end].split('\n').next();
                let last = ends.is_none_or(|line| line.trim().is_empty());
                let has_words = || !text[from..at].trim().is_empty();
                let is_between =
                    || self.is_timed && has_words() && !text[next..range.end].trim().is_empty();
                let stamp = stamp::stamp(line)
                    .filter(|stamp| stamp.is_exact || stamp.rest.trim().is_empty() && is_between());
                let brackets = line.starts_with(['[', '(', '\\']);
                let alone = |stamp: &Stamp<'_>| stamp.rest.trim().is_empty();
                if let Some(stamp) = stamp.filter(|stamp| alone(stamp) || brackets) {
                    self.push(speaker, from..at, &mut aside, &mut offset, &mut to, has_turn);
                    (offset, to) = (Some(stamp.from.to_owned()), stamp.to.map(str::to_owned));
                    from =
                        at + whole.len() - whole.trim_start().len() + line.len() - stamp.rest.len();
                    has_turn = true;
                } else if is_section(line)
                    || blank && last && is_direction(line) && (has_turn || has_words())
                {
                    self.push(speaker, from..at, &mut aside, &mut offset, &mut to, has_turn);
                    has_turn = true;
                    let name = line.trim_matches(|c| ":()[]\\*_（）".contains(c));
                    self.push_event(name, at, None, None);
                    from = next;
                }
            }
            blank = line.is_empty();
            at = next;
        }
        self.push(speaker, from..range.end, &mut aside, &mut offset, &mut to, has_turn);
    }

    fn push(
        &mut self,
        speaker: &str,
        range: Range<usize>,
        aside: &mut Option<&str>,
        offset: &mut Option<String>,
        to: &mut Option<String>,
        has_turn: bool,
    ) {
        let (words, skipped) = trim_blank_lines(&self.text[range.clone()]);
        if words.trim().is_empty() && has_turn && offset.is_none() && aside.is_none() {
            return;
        }
        let mut text = unindented(words);
        // In `**Q: Hello?**`, the whole line is in bold type.
        let first = text.find('\n').unwrap_or(text.len());
        if names::is_question(speaker)
            && text[..first].ends_with("**")
            && text[..first].matches("**").count() == 1
        {
            text.replace_range(first - 2..first, "");
        }
        if let Some(aside) = aside.take() {
            text = if text.is_empty() { aside.to_owned() } else { format!("{aside} {text}") };
        }
        let line = self.lines.line(range.start + skipped.min(range.len()));
        let place = model::Place { line, ..model::Place::default() };
        let mut turn = Turn { offset: offset.take(), place, ..Turn::from_text(speaker, text) };
        if let Some(to) = to.take() {
            turn.extra.insert("to".to_owned(), Value::from(to));
        }
        self.read.turns.push(turn);
    }
}

/// Returns whether a line opens a section of a hearing or a screenplay: `CROSS-EXAMINATION`,
/// `BY MR. WREN:`, `INT. MILL - NIGHT`, `CUT TO:`
fn is_section(line: &str) -> bool {
    let asks = line.starts_with("BY ") && line.ends_with(':');
    let scene = ["INT. ", "EXT. ", "INT/EXT. ", "INT./EXT. ", "I/E. ", "FADE "];
    let scene = scene.iter().any(|start| line.starts_with(start));
    let opens = line.ends_with("EXAMINATION") || asks || scene || line.ends_with(" TO:");
    opens && line.len() < 60 && !line.contains(char::is_lowercase)
}

/// Returns whether a paragraph is a stage direction: only text in brackets.
fn is_direction(line: &str) -> bool {
    let line = line.trim_matches(|c| "*_".contains(c)).replace('\\', "");
    let inside = [("(", ")"), ("[", "]"), ("（", "）")].iter().find_map(|(open, close)| {
        line.strip_prefix(open)?
            .strip_suffix(close)
            .filter(|text| !text.contains(['(', ')', '[', ']', '（', '）']))
    });
    inside.is_some_and(|text| {
        text.len() < 200
            && text.chars().filter(|c| c.is_alphabetic()).count() > 2
            && !text.contains("://")
            && !text.starts_with('^')
    })
}

/// Removes the common indentation of all lines, which would turn them into code.
fn unindented(text: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let filled = || text.lines().filter(|line| !line.trim().is_empty());
    let least = filled().map(indent).min().unwrap_or(0);
    let first = text.lines().next().map_or(0, indent);
    if first == 0 {
        return text.to_owned();
    }
    let cut = |line: &str| line.get(least..).unwrap_or_default().to_owned();
    let lines: Vec<String> = text.lines().map(cut).collect();
    lines.join("\n").trim_start().to_owned()
}
