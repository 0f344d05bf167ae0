//! Transcripts in which names are not in bold type: `Ada: Hello`, `## Ada`, `Ada 00:01:02`.
//!
//! [`mark`] splits one line into a name, a time and the rest; [`survey`] finds all such lines of a
//! text; [`cast`] tells which names are people, from the whole of it; [`decide`] tells whether they
//! talk; [`cut`] makes turns. Each of these is linear.

pub(super) mod cut;
mod cast;
mod decide;
pub(super) mod listed;
pub(super) mod mark;
mod survey;
mod weak;
mod words;

use std::collections::HashSet;

use self::decide::Reading;
use self::listed::Listed;
use self::mark::{Mark, Shape};
use self::survey::{Look, Survey};
use super::super::blocks::{self, Head, Place};
use super::claim::{Front, Verdict};
use super::front;
use super::read::Start;
use crate::diag::Note;

/// Shapes of lines that are used together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Group {
    /// `Ada: Hello`, `Ada 00:01:02` and `Q. Hello`
    Lines,
    /// `## Ada`
    Heading,
    /// `**Ada**`
    Alone,
    /// `ADA. — Hello`
    Dash,
    /// `[Ada] Hello`
    Bracket,
    /// `ADA. Hello`
    Stop,
    /// `ADA` alone on a line.
    Capitals,
    /// `**Ada** Hello`
    Bold,
}

const GROUPS: [Group; 8] = [
    Group::Lines,
    Group::Heading,
    Group::Alone,
    Group::Dash,
    Group::Bracket,
    Group::Stop,
    Group::Capitals,
    Group::Bold,
];

impl Group {
    /// Returns whether headings, logs and sentences have the same shape.
    fn is_weak(self) -> bool {
        matches!(self, Self::Bracket | Self::Stop | Self::Capitals | Self::Bold)
    }

    /// Returns whether a line opens a turn only because its name is known from others.
    fn is_slip(self, mark: &Mark<'_>) -> bool {
        self == Self::Lines && matches!(mark.shape, Shape::Dash | Shape::Bold)
    }

    fn has(self, mark: &Mark<'_>) -> bool {
        match self {
            Self::Lines => matches!(mark.shape, Shape::Colon | Shape::Timed | Shape::Dot),
            Self::Heading => mark.shape == Shape::Heading && !mark.name.starts_with('@'),
            Self::Alone => mark.shape == Shape::Alone,
            Self::Dash => mark.shape == Shape::Dash,
            Self::Bracket => mark.shape == Shape::Bracket,
            Self::Stop => mark.shape == Shape::Stop,
            Self::Capitals => mark.shape == Shape::Capitals,
            Self::Bold => mark.shape == Shape::Bold,
        }
    }
}

/// What is known of a text besides its lines.
#[derive(Clone, Copy, Default)]
struct Hints {
    /// The front matter says that it is a transcript.
    transcript: bool,
    /// The front matter names speakers.
    settled: bool,
    /// Its name or its title says that it is an interview.
    interview: bool,
    /// Its name or its title says that it answers what readers ask.
    manual: bool,
    /// Each turn was an item of a list.
    items: bool,
}

/// A text as a transcript in one of the shapes.
#[derive(Clone)]
pub(super) struct Transcript {
    pub(super) verdict: Verdict,
    /// The lines that open turns, with the place of each.
    pub(super) starts: Vec<(Start, Place)>,
    /// The names of those who speak.
    pub(super) names: Vec<String>,
    /// An example of its shape.
    pub(super) example: String,
    /// How many of its lines are not in bold type with a colon.
    pub(super) unmarked: usize,
    /// Notes on names that are in doubt.
    pub(super) notes: Vec<Note>,
}

/// Reads a text as a transcript in the shape that fits best.
pub(super) fn read(name: &str, text: &str) -> Option<Transcript> {
    read_with(name, text, false)
}

/// Reads a text whose paragraphs were the items of a list.
pub(super) fn read_items(name: &str, text: &str) -> Option<Transcript> {
    read_with(name, text, true)
}

fn read_with(name: &str, text: &str, items: bool) -> Option<Transcript> {
    let (front, body) = front::split(text);
    let survey = Survey::of(text, body);
    if survey.heads.is_empty() {
        return None;
    }
    let listed = Listed::of(text);
    let front = front.map_or(Front::Silent, |front| Front::read(&text[front]));
    let hints = Hints {
        transcript: front == Front::Transcript,
        settled: listed.settled,
        items,
        ..named(name, &text[body..])
    };
    let groups = GROUPS.iter().copied().filter(|group| {
        survey.heads.iter().any(|head| {
            group.has(&head.mark) && (head.look != Look::Label || listed.has(&head.key))
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
    readings
        .sort_by_key(|reading| (rank(reading), reading.group.is_weak(), first(reading)));
    let reading = readings.into_iter().next()?;
    Some(transcript(&survey, reading))
}

fn transcript(survey: &Survey<'_>, reading: Reading) -> Transcript {
    let text = survey.text;
    let opening: Vec<&survey::Head<'_>> =
        reading.opening.iter().map(|index| &survey.heads[*index]).collect();
    let heads: Vec<Head> = opening
        .iter()
        .map(|head| Head {
            start: head.line.start,
            bare: head.line.start + head.mark.said >= head.line.end,
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
            said: head.line.start + head.mark.said,
            to: head.mark.stamp.and_then(|stamp| stamp.to).map(str::to_owned),
            aside: aside.map(mark::in_brackets),
        }
    });
    let starts: Vec<(Start, Place)> = starts.zip(places).collect();
    let names = reading.names(survey);
    let example =
        opening.first().map(|head| example(reading.group, head)).unwrap_or_default();
    let old = |head: &&&survey::Head<'_>| {
        let line = &text[head.line.clone()];
        super::line::opening(line).is_some_and(|found| !found.escaped)
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

/// Returns the shape with the name that stands there first.
fn example(group: Group, head: &survey::Head<'_>) -> String {
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

/// The most names that a note lists.
const MAX_NAMES: usize = 12;

/// Returns the line of the front matter that says who speaks.
pub(super) fn speakers_line(names: &[String]) -> String {
    let plain = |name: &String| {
        let odd =
            name.contains([',', ':', '[', ']', '{', '}', '#', '"', '\'', '&', '*', '@']);
        if odd {
            crate::json::Value::from(name.as_str()).to_string()
        } else {
            name.clone()
        }
    };
    let names: Vec<String> = names.iter().take(MAX_NAMES).map(plain).collect();
    format!("speakers: [{}]", names.join(", "))
}

/// Tells which names were decided upon although little speaks for it.
fn notes(survey: &Survey<'_>, reading: &Reading, names: &[String]) -> Vec<Note> {
    let mut notes = Vec::new();
    let cast = &reading.cast;
    let unsure =
        cast.unsure.iter().map(|index| (*index, "be a word of who spoke before"));
    let taken = cast.taken.iter().filter(|index| !cast.misspelt.contains(index));
    let taken = taken.map(|index| (*index, "speak"));
    for (index, how) in unsure.chain(taken) {
        let head = &survey.heads[index];
        let name = head.mark.name;
        let message = format!(
            "`{name}` stands before what is said once: it may speak, or be a word of who \
             spoke before; it was taken to {how}"
        );
        let note = Note::warning("doubtful-speaker", head.line.clone(), message);
        let all: Vec<String> = names.iter().cloned().chain([name.to_owned()]).collect();
        let line = speakers_line(&all);
        notes.push(
            note.hint(format!("if it speaks, write into the front matter: `{line}`"))
                .hint(r"if not, keep it from opening a turn with a backslash: `\:`"),
        );
    }
    for index in &reading.cast.misspelt {
        let head = &survey.heads[*index];
        let name = head.mark.name;
        let shown = reading.cast.of(head).and_then(|key| reading.cast.shown.get(key));
        let Some(shown) = shown else { continue };
        let message =
            format!("`{name}` speaks once and was taken for `{shown}`, with a slip");
        let note = Note::warning("doubtful-speaker", head.line.clone(), message);
        let all: Vec<String> = names.iter().cloned().chain([name.to_owned()]).collect();
        let line = speakers_line(&all);
        notes.push(
            note.hint("if it is a slip, mend it")
                .hint(format!("if both speak, write into the front matter: `{line}`")),
        );
    }
    notes.extend(slips(survey, reading));
    notes
}

/// Tells of the first line that opens a turn as no other does, for want of a colon.
fn slips(survey: &Survey<'_>, reading: &Reading) -> Option<Note> {
    let heads = reading.opening.iter().map(|index| &survey.heads[*index]);
    let mut slips = heads.filter(|head| reading.group.is_slip(&head.mark));
    let head = slips.next()?;
    let name = head.mark.name;
    let (shown, escaped) = match head.mark.shape {
        Shape::Bold => (format!("**{name}** …"), format!("**{name}**{SPACE}…")),
        _ => (format!("{name} - …"), format!(r"{name} \- …")),
    };
    let more = match slips.count() {
        0 => String::new(),
        1 => "; so was another line".to_owned(),
        more => format!("; so were {more} other lines"),
    };
    let message = format!(
        "`{shown}` has no colon; it was taken for a turn, since `{name}` speaks{more}"
    );
    let note = Note::warning("doubtful-speaker", head.line.clone(), message);
    let note = note.hint(format!("if it is one, write `{name}: …`"));
    Some(note.hint(format!("if not, write `{escaped}`")))
}

/// The hints of the name of a file and of what stands at its top.
fn named(name: &str, body: &str) -> Hints {
    let top = body.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let top = &top[..top.floor_char_boundary(200)];
    let title = if mark::mark(top).is_some_and(|mark| mark.shape == Shape::Colon) {
        ""
    } else {
        top
    };
    let words = format!("{name} {title}").to_lowercase();
    let has = |list: &[&str]| list.iter().any(|word| words.contains(word));
    Hints {
        interview: has(&[
            "interview",
            "transcript",
            "deposition",
            "testimony",
            "conversation with",
            "talk with",
            "entretien",
            "gespräch",
            "entrevista",
            "intervista",
            "интервью",
            "采访",
            "访谈",
            "訪談",
            "インタビュー",
            "인터뷰",
            "مقابلة",
            "ראיון",
            "συνέντευξη",
            "साक्षात्कार",
        ]),
        manual: has(&[
            "faq",
            "frequently asked",
            "troubleshoot",
            "quiz",
            "exam",
            "flashcard",
        ]),
        ..Hints::default()
    }
}

/// Returns whether a name is the part of a person or of a program in a talk: "User", "Claude".
pub(super) fn is_part(name: &str) -> bool {
    words::part(name).is_some()
}

/// Returns the key and the value of a row of metadata.
pub(super) fn row(line: &str) -> Option<(&str, &str)> {
    survey::row(line)
}

/// Names of those who speak, as they are compared.
pub(super) fn keys<'a>(names: impl Iterator<Item = &'a str>) -> HashSet<String> {
    names.map(survey::key).collect()
}

/// Returns whether a name labels what follows and is no part that somebody has.
pub(super) fn is_only_label(name: &str) -> bool {
    super::names::is_label(name)
        && !super::names::is_pause(name)
        && !super::names::is_question(name)
        && !words::is_somebody(name)
        && words::part(name).is_none()
}

/// Takes away what pages of assistants put behind names: `Gemini said`.
pub(super) fn without_said(name: &mut String) {
    if words::part(name).is_some()
        && let Some(bare) = name.strip_suffix(" said")
    {
        *name = bare.to_owned();
    }
}

/// Stands for the space behind a name in bold type that opens no turn.
const SPACE: &str = "&#32;";

/// Keeps a line that starts with the name of one who speaks from opening a turn.
pub(super) fn escaped(line: &str, known: &HashSet<String>) -> Option<String> {
    if let Some(at) = behind_bold(line, known) {
        return Some(format!("{}{SPACE}{}", &line[..at], &line[at + 1..]));
    }
    let at = colon(line, known)?;
    Some(format!("{}\\{}", &line[..at], &line[at..]))
}

/// Takes away what kept lines from opening turns.
pub(super) fn unescaped(text: &str, known: &HashSet<String>) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match bare(line, known) {
            Some(line) => out.push_str(&line),
            None => out.push_str(line),
        }
    }
    out
}

/// Returns a line without what keeps it from opening a turn.
fn bare(line: &str, known: &HashSet<String>) -> Option<String> {
    if let Some((before, after)) = line.split_once(SPACE) {
        let bare = format!("{before} {after}");
        if behind_bold(&bare, known) == Some(before.len()) {
            return Some(bare);
        }
    }
    [":", ".", "-", "—", "–"].iter().find_map(|sign| {
        let (before, after) = line.split_once(&*format!("\\{sign}"))?;
        let bare = format!("{before}{sign}{after}");
        (colon(bare.trim_end(), known) == Some(before.len())).then_some(bare)
    })
}

/// Where the space stands behind the name in bold type of one who speaks. Bytes.
fn behind_bold(line: &str, known: &HashSet<String>) -> Option<usize> {
    let mark = mark::mark(line.trim_end_matches('\n'))?;
    let fits = mark.shape == Shape::Bold && known.contains(&survey::key(mark.name));
    fits.then_some(mark.colon)
}

/// Where the colon stands behind the name of one who speaks, or what stands for one. Bytes.
fn colon(line: &str, known: &HashSet<String>) -> Option<usize> {
    let mark = mark::mark(line.trim_end_matches('\n'))?;
    let fits = known.contains(&survey::key(mark.name));
    match mark.shape {
        Shape::Colon => line[..mark.said].rfind(':').filter(|_| fits),
        Shape::Dot => fits.then_some(mark.colon),
        Shape::Dash if mark.tight => fits.then_some(mark.colon + 1),
        Shape::Dash => line[..mark.said].rfind(['—', '–']).filter(|_| fits),
        _ => None,
    }
}
