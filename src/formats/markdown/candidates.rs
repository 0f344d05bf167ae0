//! Lines with names in bold type that look as if they open turns.

use std::collections::{BTreeMap, BTreeSet};

use super::shapes::listed::Listed;
use super::start::Start;
use super::{line, named};
use crate::shared::text::blocks::{self, Head, Place};

/// Returns the lines that look as if they open turns, and their places: at the start of a paragraph, or
/// anywhere if they have a time or the name also occurs at the start of a paragraph. If the front matter
/// lists one of the names as a speaker, it decides about the others.
pub(super) fn candidates(text: &str, body: usize) -> Vec<(Start, Place)> {
    let mut found = Vec::new();
    let mut known: BTreeSet<String> = BTreeSet::new();
    let mut weak: BTreeMap<String, usize> = BTreeMap::new();
    let (mut start, mut blank_before) = (body, true);
    for line in text[body..].split_inclusive('\n') {
        let bare = line.trim_end_matches('\n');
        let may_open = bare.starts_with(|c: char| "*#[(\\".contains(c) || c.is_ascii_digit());
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
            let text_start = start + opening.text_start;
            let offset = opening.offset.map(str::to_owned);
            let line = start..start + bare.len();
            let (name, recorded) = (opening.name, opening.recorded);
            let start = Start { name, line, offset, recorded, text_start, to: None, aside: None };
            found.push((start, sure && !opening.weak));
        }
        blank_before = line.trim().is_empty() || line.starts_with('#');
        start += line.len();
    }
    let twice = weak.into_iter().filter(|(_, count)| *count > 1);
    known.extend(twice.map(|(name, _)| name));
    found.retain(|(start, sure)| *sure || known.contains(&start.name));
    let found: Vec<Start> = found.into_iter().map(|(start, _)| start).collect();
    if !found.is_empty()
        && let Some(speakers) = Listed::speakers(text)
    {
        let openings = placed(text, body, named::openings(text, &speakers, &found));
        // Names in code are not speakers.
        let speaks = |(start, place): &(Start, Place)| {
            *place != Place::Inside && named::is_one(&speakers, start)
        };
        if openings.iter().any(speaks) {
            return openings;
        }
    }
    placed(text, body, found)
}

/// Returns the lines that open turns, each with its place.
fn placed(text: &str, body: usize, starts: Vec<Start>) -> Vec<(Start, Place)> {
    let heads: Vec<Head> = starts
        .iter()
        .map(|start| Head {
            start: start.line.start,
            bare: start.first_line(text).trim().is_empty(),
            wanted: false,
        })
        .collect();
    let places = blocks::places(text, body..text.len(), &heads);
    starts.into_iter().zip(places).collect()
}
