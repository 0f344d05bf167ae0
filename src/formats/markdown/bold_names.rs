//! Decides whether names in bold type are speakers, and so whether the text is a transcript.
//!
//! `**Usage:**` in a manual and `**Ada:**` in a conversation look the same. The criteria, the most reliable
//! first:
//!
//! 1. The front matter says what the file is, or the names have times of a recording. If it lists the
//!    speakers, other names count only as far as [`named`](super::named) allows.
//! 2. Most of the names are words that label things ([`names::is_label`]): not a transcript.
//! 3. Names return after others spoke, without a heading in between. Names that return in every section, or
//!    always in the same order, may belong to a form that is filled in repeatedly.
//! 4. The text after the names sounds spoken ([`speech::is_spoken`]).
//!
//! If doubt remains, nothing is published, and a note tells the author how to resolve it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::candidates::candidates;
use super::front_hint::FrontHint;
use super::start::Start;
use super::verdict::Verdict;
use super::{front, given, line, names, shapes, speech};
use crate::shared::text::blocks::Place;
use convo_base::diag::Note;

/// Returns the lines with names in bold type.
pub(super) fn marked(text: &str) -> Vec<Start> {
    if !text.contains("**") {
        return Vec::new();
    }
    let (_, body) = front::split(text);
    let starts = candidates(text, body).into_iter();
    starts.filter(|(_, place)| *place != Place::Inside).map(|(start, _)| start).collect()
}

/// Returns the number of turns with names in bold type, if they make the text a transcript.
pub(super) fn bold_turns(text: &str) -> Option<usize> {
    let starts = marked(text);
    let (front, body) = front::split(text);
    let is_talk = verdict(text, front, body, &starts) == Verdict::Transcript;
    is_talk.then_some(starts.len())
}

/// Returns the note on a text that was read as a transcript but may not be one.
pub(super) fn false_speakers(text: &str, starts: &[Start]) -> Option<Note> {
    let (front, body) = front::split(text);
    if verdict(text, front, body, starts) != Verdict::Other {
        return None;
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for start in starts {
        *counts.entry(&start.name).or_default() += 1;
    }
    let once = counts.values().filter(|count| **count == 1).count();
    let message = match counts.len() {
        1 => "one name in bold type was read as a speaker, but is probably not one".to_owned(),
        names => format!(
            "{names} names in bold type were read as speakers, but {once} of them speak only \
             once; some are probably not speakers"
        ),
    };
    let note = Note::warning("false-speakers", starts.first()?.line.clone(), message);
    let note = note.hint("if this is not a conversation, do not set the format `markdown` for it");
    Some(note.hint(r"to keep bold type from opening a turn, add a backslash: `**Note\:**`"))
}

/// The maximum length, in bytes, of an introduction that is accepted however short the rest of the text is.
const MAX_INTRODUCTION_BYTES: usize = 1000;

pub(super) fn verdict(
    text: &str,
    front: Option<Range<usize>>,
    body: usize,
    starts: &[Start],
) -> Verdict {
    let Some(first) = starts.first() else { return Verdict::Other };
    let opens = opens(&text[body..first.line.start]);
    let front = front.map_or(FrontHint::Silent, |front| FrontHint::read(&text[front]));
    if front == FrontHint::Conversion && opens {
        return Verdict::Transcript;
    }
    let labels = starts.iter().filter(|start| names::is_label(&start.name)).count();
    let others = || starts.iter().filter(|start| !names::is_label(&start.name));
    let timed = others().filter(|start| start.is_recorded(text)).count();
    let speakers: Vec<&Start> = others().filter(|start| !names::is_pause(&start.name)).collect();
    if timed * 4 >= starts.len() && timed > 0 {
        return Verdict::Transcript;
    }
    if starts.iter().all(|start| names::is_question(&start.name)) {
        return match front {
            FrontHint::Transcript => Verdict::Transcript,
            _ if opens => Verdict::Doubtful("manuals contain questions and answers as well"),
            _ => Verdict::Other,
        };
    }
    if labels * 2 >= starts.len() {
        return Verdict::Other;
    }
    let talk = NameUsage::of(text, starts, &speakers);
    let count = speakers.len();
    if count > 8 && talk.once * 2 > count {
        return Verdict::Other;
    }
    if front == FrontHint::Transcript {
        return Verdict::Transcript;
    }
    let above = first.line.start - body;
    if talk.headings > count || above > MAX_INTRODUCTION_BYTES && above > (text.len() - body) / 2 {
        let speaks = talk.returns > 0 && talk.spoken * 3 >= count;
        let why = "most of the text is above the first name or below headings";
        return if speaks { Verdict::Doubtful(why) } else { Verdict::Other };
    }
    if is_slight(&talk, &speakers) && explains(text, body, starts, &talk) {
        return Verdict::Doubtful("the text after the names reads like a manual");
    }
    let comes_back = talk.returns > 0 && talk.once * 2 <= count;
    let varied = !talk.rotates && talk.returns >= 4 && talk.names > 1;
    let together = talk.sections == 1 || talk.returns > 0;
    let alone = talk.names == 1 && count > 1 && talk.spoken > 0;
    // Each section has the same names, as in a form, but what follows them is spoken.
    let throughout = talk.names > 1 && count > 3 && labels == 0 && talk.spoken * 5 >= count * 4;
    // People with recognisable names take turns, however short the turns are.
    let people = talk.names > 1
        && talk.returns > 0
        && labels == 0
        && talk.headings == 0
        && opens
        && speakers.iter().all(|start| given::is_person(&start.name));
    if comes_back && (varied || talk.spoken * 10 >= count.max(10))
        || together && talk.spoken * 3 >= count && count > 1
        || alone
        || throughout
        || people
    {
        return Verdict::Transcript;
    }
    match count {
        1 if opens => Verdict::Doubtful("it has only one turn"),
        0 | 1 => Verdict::Other,
        _ if opens || talk.returns > 0 => Verdict::Doubtful(
            "the names in bold type may be labels, because the text after them reads like prose",
        ),
        _ => Verdict::Other,
    }
}

/// The maximum number of turns of a text that has hardly any.
const MAX_SLIGHT: usize = 6;

/// Returns whether there are few names and they hardly return, as with labels.
fn is_slight(talk: &NameUsage, speakers: &[&Start]) -> bool {
    let known = |start: &&Start| {
        shapes::is_part(&start.name) || names::is_part(&start.name) || start.recorded
    };
    speakers.len() <= MAX_SLIGHT && talk.returns < MAX_SLIGHT - 2 && !speakers.iter().any(known)
}

/// Returns whether the text seems to be an explanation: it links to pages beside it, or it shows commands
/// and little of it sounds spoken.
fn explains(text: &str, body: usize, starts: &[Start], talk: &NameUsage) -> bool {
    let links = text[body..].match_indices("](").any(|(at, _)| {
        let target = text[body + at + 2..].split(')').next().unwrap_or_default();
        !target.contains("://") && (target.contains(".md") || target.starts_with(['.', '#']))
    });
    let commands = text[body..].contains('`');
    links || commands && talk.returns < 2 && talk.spoken * 2 < starts.len()
}

/// The use of names in a text.
struct NameUsage {
    /// The number of names.
    names: usize,
    /// The number of names that occur once.
    once: usize,
    /// How often a name returns after another one, in the same section.
    returns: usize,
    /// Whether all names return in the same order again and again.
    rotates: bool,
    /// The number of names that are followed by something that sounds spoken.
    spoken: usize,
    /// The number of headings below the first name.
    headings: usize,
    /// The number of sections that contain names.
    sections: usize,
}

impl NameUsage {
    fn of(text: &str, starts: &[Start], speakers: &[&Start]) -> Self {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for speaker in speakers {
            *counts.entry(&speaker.name).or_default() += 1;
        }
        let count = counts.len();
        let rotates = speakers.len() > count
            && speakers.windows(count + 1).all(|some| some[0].name == some[count].name);
        let (mut returns, mut sections, mut last) = (0, 0, usize::MAX);
        let mut here: BTreeSet<&str> = BTreeSet::new();
        let mut before = "";
        let first = starts.first().map_or(0, |start| start.line.start);
        let headings = headings(text, first);
        for speaker in speakers {
            let section = headings.partition_point(|heading| *heading < speaker.line.start);
            if section != last {
                (last, before) = (section, "");
                here.clear();
                sections += 1;
            }
            let name = speaker.name.as_str();
            returns += usize::from(!here.insert(name) && before != name);
            before = name;
        }
        let ends = starts.iter().skip(1).map(|next| next.line.start).chain([text.len()]);
        let spoken = starts.iter().zip(ends).filter(|(start, end)| {
            let label = names::is_label(&start.name);
            let body = &text[start.text_start.min(*end)..*end];
            !label && (names::is_part(&start.name) || speech::is_spoken(body))
        });
        Self {
            names: count,
            once: counts.values().filter(|count| **count == 1).count(),
            returns,
            rotates,
            spoken: spoken.count(),
            headings: headings.len(),
            sections,
        }
    }
}

/// Returns the positions of headings below `from` that do not open turns.
fn headings(text: &str, from: usize) -> Vec<usize> {
    let mut found = Vec::new();
    let mut start = from;
    for line in text[from..].split_inclusive('\n') {
        let marks = line.len() - line.trim_start_matches('#').len();
        if (1..=6).contains(&marks)
            && line[marks..].starts_with(' ')
            && line::opening(line.trim_end_matches('\n')).is_none()
        {
            found.push(start);
        }
        start += line.len();
    }
    found
}

/// Returns whether `before` contains only headings and comments.
fn opens(before: &str) -> bool {
    let mut lines = before.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.all(|line| line.starts_with('#') || line.starts_with("<!--") && line.ends_with("-->"))
}
