//! Headings between turns: each ends the turn before it, and what follows up to the next name belongs to nobody.

use super::start::Start;
use convo_base::fences::{FenceLine, Fences};
use convo_base::model::{Block, Conversation, Kind, Turn};

/// Separates headings from the turns above them. An assistant writes headings in its answers, so conversations with one
/// stay as they are; so do those in which headings name the speakers.
pub(super) fn separate(text: &str, starts: &[Start], read: &mut Conversation) {
    let is_heading = |start: &Start| text[start.line.clone()].starts_with('#');
    if !may_have(read) || starts.iter().any(is_heading) {
        return;
    }
    let turns = std::mem::take(&mut read.turns);
    for mut turn in turns {
        let sections = match turn.blocks.as_mut_slice() {
            [Block::Markdown { text }] if !turn.speaker.is_empty() => {
                let sections = cut(text);
                *text = map_headings(text, " #", |line| line[1..].to_owned());
                sections
            }
            _ => Vec::new(),
        };
        let place = turn.place;
        let is_empty = turn.text().trim().is_empty();
        if !is_empty || sections.is_empty() {
            read.turns.push(turn);
        }
        for (line, section) in sections {
            let mut turn = Turn { place, ..Turn::from_text("", section) };
            turn.place.line += line;
            read.turns.push(turn);
        }
    }
}

/// Returns whether headings may be between the turns of a conversation.
fn may_have(read: &Conversation) -> bool {
    read.participants.iter().all(|who| who.kind != Kind::Assistant)
}

/// Returns the text of a turn in which no heading is one between turns: each has a space before it.
pub(super) fn escaped(text: &str, read: &Conversation) -> String {
    match may_have(read) {
        true => map_headings(text, "#", |line| format!(" {line}")),
        false => text.to_owned(),
    }
}

/// Changes the lines outside code that begin with `start` and are headings without a space before them.
fn map_headings(text: &str, start: &str, change: impl Fn(&str) -> String) -> String {
    if !text.contains(start) {
        return text.to_owned();
    }
    let mut fences = Fences::default();
    let lines = text.split_inclusive('\n').map(|line| {
        let is_outside = fences.next(line) == FenceLine::Outside;
        match is_outside && line.starts_with(start) && is_heading(line.trim_start_matches(' ')) {
            true => change(line),
            false => line.to_owned(),
        }
    });
    lines.collect()
}

/// Removes everything from the first heading on from a text. Returns each heading with the text below it, and the number
/// of lines above it.
fn cut(text: &mut String) -> Vec<(u32, String)> {
    let mut fences = Fences::default();
    // The number of lines above each heading, and its position.
    let mut headings: Vec<(u32, usize)> = Vec::new();
    let mut at = 0;
    for (above, line) in (0..).zip(text.split_inclusive('\n')) {
        if fences.next(line) == FenceLine::Outside && is_heading(line) {
            headings.push((above, at));
        }
        at += line.len();
    }
    let ends = headings.iter().skip(1).map(|(_, at)| *at).chain([text.len()]);
    let sections = headings.iter().zip(ends);
    let sections =
        sections.map(|((above, start), end)| (*above, text[*start..end].trim_end().to_owned()));
    let sections = sections.collect();
    if let Some((_, start)) = headings.first() {
        text.truncate(text[..*start].trim_end().len());
    }
    sections
}

/// Returns whether a line is a heading between turns. One with a space before it is a part of the turn.
fn is_heading(line: &str) -> bool {
    let text = line.trim_start_matches('#');
    (1..=6).contains(&(line.len() - text.len())) && text.starts_with(' ')
}
