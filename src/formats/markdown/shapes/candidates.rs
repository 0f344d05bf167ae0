//! All lines of a text that may open turns, with their surroundings.

use std::collections::HashSet;
use std::ops::Range;

use super::super::{names, speech};
use super::shape::{Mark, Shape};
use super::{mark, stamp, words};
use crate::shared::text::rows::row;
use convo_base::commonmark::verbatim_ranges;
use convo_base::text::is_mark;

/// A line that may open a turn.
pub(crate) struct Head<'a> {
    pub(crate) mark: Mark<'a>,
    /// The name in its form for comparison: in lower case, without parts that differ from line to line.
    pub(crate) key: String,
    pub(crate) line: Range<usize>,
    /// Whether it opens a paragraph.
    pub(crate) opens: bool,
    /// Whether it is directly below a line that contains only a name.
    pub(crate) below_name: bool,
    /// Whether the line before ends within a sentence.
    pub(crate) interrupts: bool,
    /// Whether it is in code.
    pub(crate) in_code: bool,
    /// Whether it is one of the metadata rows at the top.
    pub(crate) in_rows: bool,
    pub(crate) look: NameStyle,
}

/// How a name is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NameStyle {
    /// `Ada Lovelace`, or a script without capital letters.
    Name,
    /// `ADA`
    Capitals,
    /// `ada`
    Small,
    /// `One thing`
    Phrase,
    /// A word that is not used as a name.
    Label,
}

/// The lines of a text.
pub(crate) struct Candidates<'a> {
    pub(crate) text: &'a str,
    pub(crate) body: usize,
    pub(crate) heads: Vec<Head<'a>>,
    /// The positions of headings.
    pub(crate) headings: Vec<usize>,
    /// The start of each paragraph outside code.
    pub(crate) paragraphs: Vec<usize>,
    /// The start of each non-blank line outside code.
    pub(crate) lines: Vec<usize>,
}

impl<'a> Candidates<'a> {
    pub(crate) fn of(text: &'a str, body: usize) -> Self {
        let blocks = ["```", "~~~", "<", "    ", "\t"];
        let code = match blocks.iter().any(|mark| text[body..].contains(mark)) {
            true => verbatim_ranges(&text[body..]),
            false => Vec::new(),
        };
        let code = code.into_iter().filter(|(_, block)| *block);
        let mut code = code.map(|(range, _)| body + range.start..body + range.end).peekable();
        let mut found = Self {
            text,
            body,
            heads: Vec::new(),
            headings: Vec::new(),
            paragraphs: Vec::new(),
            lines: Vec::new(),
        };
        let rows = body..rows(text, body);
        let (mut start, mut blank, mut before, mut below_name) = (body, true, "", false);
        for whole in text[body..].split_inclusive('\n') {
            let line = whole.trim_end_matches('\n').trim_end();
            while code.peek().is_some_and(|range| range.end <= start) {
                code.next();
            }
            let in_code = code.peek().is_some_and(|range| range.contains(&start));
            let mark = if line.is_empty() { None } else { mark::mark(line) };
            let below = &text[start + whole.len()..];
            let mark = mark.or_else(|| above_time(line, below));
            let mark = mark.or_else(|| above_words(line, below).filter(|_| blank));
            if !in_code && !line.is_empty() {
                if line.starts_with('#') {
                    found.headings.push(start);
                } else {
                    found.lines.push(start);
                    if blank {
                        found.paragraphs.push(start);
                    }
                }
            }
            // `pond - a water` counts only if the name is known from other lines.
            let weak = |mark: &Mark<'_>| {
                mark.shape == Shape::Dash && mark.tight || mark.shape == Shape::Bold
            };
            let headed = mark.as_ref().is_some_and(|mark| !weak(mark));
            let bare = mark.as_ref().is_some_and(|mark| {
                let rest = line.get(mark.text_start..).unwrap_or_default();
                rest.is_empty() || stamp::stamp(rest).is_some_and(|s| s.rest.trim().is_empty())
            });
            if let Some(mark) = mark {
                found.heads.push(Head {
                    key: key(mark.name),
                    look: look(mark.name),
                    line: start..start + line.len(),
                    opens: blank,
                    below_name,
                    // Messengers put a name with a time directly below the previous message.
                    interrupts: !blank
                        && breaks_off(before)
                        && !(bare
                            && (words::part(mark.name).is_some() || mark.shape == Shape::Timed)),
                    in_code,
                    in_rows: rows.contains(&start),
                    mark,
                });
            }
            if !line.is_empty() {
                before = if headed { "" } else { line };
            }
            // A time above a name is not text.
            let time = stamp::stamp(line.trim()).is_some_and(|stamp| stamp.rest.trim().is_empty());
            blank = line.is_empty() || line.starts_with('#') || is_rule(line) || blank && time;
            below_name = bare;
            start += whole.len();
        }
        found.accept_initials();
        // `A.` on its own counts if there is a question, and may be short for a name.
        let asks = |wanted: &str| found.heads.iter().any(|head| head.key == wanted);
        if !(asks("q") && asks("a")) {
            found.heads.retain(|head| head.mark.shape != Shape::Dot);
        }
        found
    }

    /// Accepts labels such as `CC` and `RE` as initials if the text has at least two other sets of initials, and rejects
    /// lines that introduce people with their initials: `Presenter: Ada Alder (AA)`.
    fn accept_initials(&mut self) {
        let others = self.heads.iter().filter(|head| head.look == NameStyle::Capitals);
        let others = others.map(|head| head.mark.name).filter(|name| is_initials(name));
        let others: HashSet<&str> = others.collect();
        if others.len() < 2 {
            return;
        }
        for at in 0..self.heads.len() {
            let head = &self.heads[at];
            if introduces_person(self.text_of(head, head.line.end)) {
                self.heads[at].look = NameStyle::Label;
            } else if head.look == NameStyle::Label && is_initials(head.mark.name) {
                self.heads[at].look = NameStyle::Capitals;
            }
        }
    }

    /// Returns whether there is text on the line of a head.
    pub(crate) fn has_words(&self, head: &Head<'_>) -> bool {
        head.line.start + head.mark.text_start < head.line.end
    }

    /// Returns the text after a head, up to `end`.
    pub(crate) fn text_of(&self, head: &Head<'_>, end: usize) -> &'a str {
        let from = head.line.start + head.mark.text_start;
        &self.text[from.min(end)..end]
    }
}

/// Returns whether a name consists of initials: `AA`, `WHO`.
fn is_initials(name: &str) -> bool {
    (2..=3).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Returns whether a text is a full name with initials: `Ada Alder (AA)`.
fn introduces_person(text: &str) -> bool {
    let bare = text.trim().strip_suffix(')');
    let Some((name, initials)) = bare.and_then(|bare| bare.split_once(" (")) else { return false };
    let is_name =
        name.contains(' ') && name.split(' ').all(|word| word.starts_with(char::is_uppercase));
    is_name && is_initials(initials)
}

/// Reads a name with a time on the line below it.
fn above_time<'a>(line: &'a str, below: &'a str) -> Option<Mark<'a>> {
    if line.is_empty() || line.len() > 100 {
        return None;
    }
    let next = below.split('\n').next()?.trim_end();
    let lead = next.len() - next.trim_start().len();
    let stamp = stamp::stamp(&next[lead..]).filter(|stamp| stamp.rest.is_empty())?;
    let name = mark::lone_name(line)?;
    Some(Mark {
        shape: Shape::Timed,
        name,
        aside: None,
        stamp: Some(stamp),
        text_start: line.len() + 1 + next.len(),
        marked: false,
        tight: false,
        colon: line.len(),
    })
}

/// Reads a name in capitals that opens a paragraph or is above one.
fn above_words<'a>(line: &'a str, below: &str) -> Option<Mark<'a>> {
    if line.is_empty() || line.len() > 100 {
        return None;
    }
    let mark = mark::in_capitals(line)?;
    let mut next = below.lines().take(2).filter(|line| !line.trim().is_empty());
    (!is_rule(next.next()?)).then_some(mark)
}

/// Returns a name in its form for comparison.
pub(crate) fn key(name: &str) -> String {
    let name = name.trim_matches(|c: char| ".@ ".contains(c));
    let words: Vec<&str> = name.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

/// Returns whether a name is capitalised like a name: `Ada Lovelace`, `ADA`.
pub(crate) fn looks_like_name(name: &str) -> bool {
    matches!(look(name), NameStyle::Name | NameStyle::Capitals)
}

fn look(name: &str) -> NameStyle {
    let describes_person = words::is_description(name) || words::part(name).is_some();
    let words: Vec<&str> = name.split_whitespace().collect();
    let letters = || name.chars().filter(|c| c.is_alphabetic());
    let long = name.chars().filter(|c| !is_mark(*c)).count() > 40;
    if letters().next().is_none() {
        return NameStyle::Label;
    }
    // A sentence with a colon.
    if long || words.len() > 5 {
        return NameStyle::Phrase;
    }
    // `BY MR. WREN:` names who asks from here on.
    if name.starts_with("BY ") {
        return NameStyle::Label;
    }
    if names::is_question(name) || names::is_pause(name) || describes_person && words.len() <= 4 {
        return match letters().all(char::is_uppercase) && letters().nth(1).is_some() {
            true => NameStyle::Capitals,
            false => NameStyle::Name,
        };
    }
    if words::is_label(name) || is_key(name) {
        return NameStyle::Label;
    }
    if letters().any(char::is_uppercase)
        && letters().all(|c| !c.is_lowercase())
        && letters().nth(1).is_some()
    {
        return NameStyle::Capitals;
    }
    let small = |word: &&str| word.starts_with(char::is_lowercase);
    let particle = |word: &&str| PARTICLES.contains(word);
    if words::opens_phrase(name) {
        return NameStyle::Phrase;
    }
    match words.as_slice() {
        [word] if small(word) => NameStyle::Small,
        [first, ..] if small(first) && !particle(first) => NameStyle::Phrase,
        [_, rest @ ..] if rest.iter().any(|word| small(word) && !particle(word)) => {
            NameStyle::Phrase
        }
        _ => NameStyle::Name,
    }
}

/// Returns whether a name is a technical key: `Description-de.UTF-8`, `max_width`, `X-Spam`.
fn is_key(name: &str) -> bool {
    let mut parts = name.split('.').peekable();
    while let Some(part) = parts.next() {
        let long = part.rsplit([' ', '-']).next().is_some_and(|last| last.chars().count() > 4);
        let joined = parts.peek().is_some_and(|next| next.starts_with(char::is_alphanumeric));
        if long && joined || part.chars().count() > 1 && joined && !part.contains(' ') {
            return true;
        }
    }
    let lines = name.chars().filter(|c| *c == '_').count();
    let speaker = || name.chars().any(|c| c.is_ascii_digit());
    lines > 0 && !speaker() || name.starts_with("X-")
}

const PARTICLES: [&str; 26] = [
    "de", "da", "do", "dos", "das", "del", "della", "di", "du", "la", "le", "van", "von", "vom",
    "der", "den", "ter", "zu", "bin", "ibn", "al", "el", "y", "and", "und", "ben",
];

/// Returns whether a line ends within a sentence, as wrapped lines do.
fn breaks_off(line: &str) -> bool {
    line.trim_end().ends_with(|c: char| c.is_alphanumeric() || ",-–".contains(c))
}

fn is_rule(line: &str) -> bool {
    let marks = line.chars().filter(|c| !c.is_whitespace());
    line.len() >= 3 && marks.clone().all(|c| "-*_=~".contains(c))
}

/// Returns where the metadata rows at the top end: a paragraph of `Key: value` lines that has at least one
/// key used only for metadata.
fn rows(text: &str, body: usize) -> usize {
    let mut at = body;
    for paragraph in text[body..].split_inclusive("\n\n").take(4) {
        let lines = || paragraph.lines().map(str::trim).filter(|line| !line.is_empty());
        let all = lines().all(|line| line.starts_with('#') || row(line).is_some());
        let keys = lines().filter_map(row).filter(|(key, value)| {
            !value.is_empty()
                && (lists_names(key, value) || ROWS.contains(&key.to_lowercase().as_str()))
        });
        let rows = lines().filter(|line| row(line).is_some()).count();
        let known = keys.count();
        // A moderator speaks again, a key does not.
        let mut seen = HashSet::new();
        let mut keys = lines().filter_map(row).map(|(key, _)| key.to_lowercase());
        let all = all && keys.all(|key| seen.insert(key));
        if known > 0 && all && (rows > 1 || known == rows) {
            return at + paragraph.len();
        }
        if !lines().all(|line| line.starts_with('#')) {
            break;
        }
        at += paragraph.len();
    }
    body
}

/// Metadata keys that do not open sentences.
const ROWS: [&str; 22] = [
    "title", "date", "time", "recorded", "location", "place", "duration", "subject", "topic",
    "source", "url", "tags", "language", "published", "episode", "transcript", "transcribed by",
    "transcriber", "datum", "titel", "private", "visibility",
];

/// Returns whether a row lists the speakers rather than being part of a turn.
pub(crate) fn lists_names(key: &str, value: &str) -> bool {
    let name = |name: &str| {
        let words = name.split_whitespace();
        words.clone().count() <= 4
            && words.take(1).all(|word| !word.starts_with(char::is_lowercase))
    };
    names::names_speakers(key)
        && !value.ends_with(['.', '?', '!', '。', '？', '！', '।', '؟', '…'])
        && value.split([',', ';', '&', '，', '、']).flat_map(|part| part.split(" and ")).all(name)
}

/// Returns whether a text reads like a written sentence.
pub(crate) fn is_prose(text: &str) -> bool {
    let first = text.trim().lines().next().unwrap_or_default().trim();
    let words = first.split_whitespace().count();
    let ends = first.trim_end_matches(['"', '”', '»', ')', ']', '*', '_', '\'', '’']);
    let opens = first.starts_with(|c: char| c.is_alphabetic() || "¿¡…\"“«—(['*".contains(c));
    opens
        && (first.len() > 100
            || ends.ends_with(['.', '?', '!', '…', '。', '？', '！', '।', '؟', ';']))
        && (words > 1 || first.chars().count() > 3)
}

/// Returns whether a text asks, answers, greets, or uses `I`.
pub(crate) fn is_sentence_like(text: &str) -> bool {
    speech::is_spoken(text)
}

/// Returns whether a text is a list, a table or a value rather than speech.
pub(crate) fn is_written(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with(['`', '|', '{', '<'])
        || ["- ", "* ", "+ ", "1. ", "http"].iter().any(|start| text.starts_with(start))
}
