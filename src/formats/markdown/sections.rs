//! Headings between turns: each ends the turn before it, and what follows up to the next name belongs to nobody.

use super::start::Start;
use convo_base::fences::{FenceLine, Fences};
use convo_base::model::{Block, Conversation, Kind, Turn};

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
        for (line, section) in sections {
            let mut turn = Turn { place, ..Turn::from_text("", section) };
            turn.place.line += line;
            read.turns.push(turn);
        }
    }
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

fn is_heading(line: &str) -> bool {
    let bare = line.trim_start_matches(' ');
    let text = bare.trim_start_matches('#');
    let marks = bare.len() - text.len();
    // A line with a deeper indent is code.
    line.len() - bare.len() < 4 && (1..=6).contains(&marks) && text.starts_with(' ')
}
