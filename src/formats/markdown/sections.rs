//! Headings between turns: each ends the turn before it, and what follows up to the next name belongs to nobody.

use super::start::Start;
use convo_base::fences::{FenceLine, Fences};
use convo_base::model::{Block, Conversation, Kind, Turn};
use convo_base::text::trim_blank_lines;

/// The name of the event that a heading is.
const SECTION: &str = "section";

/// Separates headings from the turns above them. An assistant writes headings in its answers, so conversations with one
/// stay as they are; so do those in which headings name the speakers.
pub(super) fn separate(text: &str, starts: &[Start], read: &mut Conversation) {
    let is_heading = |start: &Start| text[start.line.clone()].starts_with('#');
    let has_assistant = read.participants.iter().any(|who| who.kind == Kind::Assistant);
    if has_assistant || starts.iter().any(is_heading) {
        return;
    }
    let turns = std::mem::take(&mut read.turns);
    for mut turn in turns {
        let sections = match turn.blocks.as_mut_slice() {
            [Block::Markdown { text }] if !turn.speaker.is_empty() => cut(text),
            _ => Vec::new(),
        };
        let place = turn.place;
        let is_empty = turn.text().trim().is_empty();
        if !is_empty || sections.is_empty() {
            read.turns.push(turn);
        }
        for (line, event) in sections {
            let mut turn = Turn { blocks: vec![event], place, ..Turn::default() };
            turn.place.line += line;
            read.turns.push(turn);
        }
    }
}

/// Removes everything from the first heading on from a text. Returns an event for each heading, with the number of
/// lines above it.
fn cut(text: &mut String) -> Vec<(u32, Block)> {
    let mut fences = Fences::default();
    // The number of lines above each heading, and its position.
    let mut headings: Vec<(u32, usize)> = Vec::new();
    let mut at = 0;
    for (above, line) in (0..).zip(text.split_inclusive('\n')) {
        if fences.next(line) == FenceLine::Outside && heading(line).is_some() {
            headings.push((above, at));
        }
        at += line.len();
    }
    let ends = headings.iter().skip(1).map(|(_, at)| *at).chain([text.len()]);
    let sections = headings.iter().zip(ends).filter_map(|((above, start), end)| {
        let (first, below) = text[*start..end].split_once('\n').unwrap_or((&text[*start..end], ""));
        let (name, text) = (SECTION.to_owned(), heading(first)?.to_owned());
        let below = trim_blank_lines(below).0.trim_end();
        let detail = Some(below.to_owned()).filter(|below| !below.is_empty());
        Some((*above, Block::Event { name, text, detail }))
    });
    let sections = sections.collect();
    if let Some((_, start)) = headings.first() {
        text.truncate(text[..*start].trim_end().len());
    }
    sections
}

/// Returns the text of a heading.
fn heading(line: &str) -> Option<&str> {
    let line = line.trim();
    let text = line.trim_start_matches('#');
    let is_heading = (1..=6).contains(&(line.len() - text.len())) && text.starts_with(' ');
    let text = text.trim_end_matches('#').trim();
    (is_heading && !text.is_empty()).then_some(text)
}
