//! Reads texts as transcripts, in the shape that fits best.

use super::super::front_hint::FrontHint;
use super::super::start::Start;
use super::super::verdict::Verdict;
use super::super::{front, line};
use super::candidates::{self, Candidates, NameStyle};
use super::decide::Reading;
use super::group::{GROUPS, Group};
use super::hints::{Hints, named};
use super::listed::Listed;
use super::name::in_brackets;
use super::notes::notes;
use super::shape::Shape;
use crate::shared::text::blocks::{self, Head, Place};
use convo_base::diag::Note;

/// A text as a transcript in one of the shapes.
#[derive(Clone)]
pub(in crate::markdown) struct Transcript {
    pub(in crate::markdown) verdict: Verdict,
    /// The lines that open turns, each with its place.
    pub(in crate::markdown) starts: Vec<(Start, Place)>,
    /// The names of the speakers.
    pub(in crate::markdown) names: Vec<String>,
    /// An example line in its shape.
    pub(in crate::markdown) example: String,
    /// The number of its lines that are not in bold type with a colon.
    pub(in crate::markdown) unmarked: usize,
    /// Notes on doubtful names.
    pub(in crate::markdown) notes: Vec<Note>,
}

/// Reads a text as a transcript in the shape that fits best.
pub(in crate::markdown) fn read(name: &str, text: &str) -> Option<Transcript> {
    read_with(name, text, false)
}

/// Reads a text whose paragraphs were list items.
pub(in crate::markdown) fn read_items(name: &str, text: &str) -> Option<Transcript> {
    read_with(name, text, true)
}

fn read_with(name: &str, text: &str, items: bool) -> Option<Transcript> {
    let (front, body) = front::split(text);
    let survey = Candidates::of(text, body);
    if survey.heads.is_empty() {
        return None;
    }
    let listed = Listed::of(text);
    let front = front.map_or(FrontHint::Silent, |front| FrontHint::read(&text[front]));
    let hints = Hints {
        transcript: front == FrontHint::Transcript,
        settled: listed.settled,
        items,
        ..named(name, &text[body..])
    };
    let groups = GROUPS.iter().copied().filter(|group| {
        survey.heads.iter().any(|head| {
            group.has(&head.mark) && (head.look != NameStyle::Label || listed.has(&head.key))
        })
    });
    let readings = groups.map(|group| Reading::of(&survey, &listed, group, hints));
    let first = |reading: &Reading| {
        let first = reading.opening.first().map(|index| survey.heads[*index].line.start);
        first.unwrap_or(text.len())
    };
    let rank = |reading: &Reading| match reading.verdict {
        Verdict::Transcript => 0,
        Verdict::Doubtful(_) => 1,
        Verdict::Other => 2,
    };
    let mut readings: Vec<Reading> = readings.collect();
    readings.sort_by_key(|reading| (rank(reading), reading.group.is_weak(), first(reading)));
    let reading = readings.into_iter().next()?;
    Some(transcript(&survey, reading))
}

fn transcript(survey: &Candidates<'_>, reading: Reading) -> Transcript {
    let text = survey.text;
    let opening: Vec<&candidates::Head<'_>> =
        reading.opening.iter().map(|index| &survey.heads[*index]).collect();
    let heads: Vec<Head> = opening
        .iter()
        .map(|head| Head {
            start: head.line.start,
            bare: head.line.start + head.mark.text_start >= head.line.end,
            wanted: false,
        })
        .collect();
    let places = blocks::places(text, survey.body..text.len(), &heads);
    let cast = &reading.cast;
    let starts = opening.iter().map(|head| {
        let key = cast.of(head);
        let shown = key.and_then(|key| cast.shown.get(key)).cloned();
        let aside = head.mark.aside.filter(|_| !cast.with_aside.contains(&head.key));
        Start {
            name: shown.unwrap_or_else(|| head.mark.name.to_owned()),
            line: head.line.clone(),
            offset: head.mark.stamp.map(|stamp| stamp.from.to_owned()),
            recorded: head.mark.stamp.is_some_and(|stamp| stamp.is_recorded),
            text_start: head.line.start + head.mark.text_start,
            to: head.mark.stamp.and_then(|stamp| stamp.to).map(str::to_owned),
            aside: aside.map(in_brackets),
        }
    });
    let starts: Vec<(Start, Place)> = starts.zip(places).collect();
    let names = reading.names(survey);
    let example = opening.first().map(|head| example(reading.group, head)).unwrap_or_default();
    let old = |head: &&&candidates::Head<'_>| {
        let line = &text[head.line.clone()];
        line::opening(line).is_some_and(|found| !found.escaped)
    };
    let marked = opening.iter().filter(old).count();
    let notes = notes(survey, &reading, &names);
    Transcript {
        verdict: reading.verdict,
        unmarked: opening.len() - marked,
        starts,
        names,
        example,
        notes,
    }
}

/// Returns an example line in this shape, with the first name of the text.
fn example(group: Group, head: &candidates::Head<'_>) -> String {
    let name = head.mark.name;
    match group {
        Group::Lines if head.mark.shape == Shape::Timed => format!("{name} 00:00"),
        Group::Lines if head.mark.shape == Shape::Dot => format!("{name}. …"),
        Group::Lines => format!("{name}: …"),
        Group::Heading => format!("## {name}"),
        Group::Alone => format!("**{name}**"),
        Group::Dash => format!("{name}. — …"),
        Group::Bracket => format!("[{name}] …"),
        Group::Stop => format!("{name}. …"),
        Group::Capitals => name.to_owned(),
        Group::Bold => format!("**{name}** …"),
    }
}
