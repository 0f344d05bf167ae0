//! Markup around all lines of a transcript: each turn is a list item, the whole text is a quotation, the
//! lines are HTML elements, indented, numbered at the left as in court transcripts, or set in columns.
//!
//! ```text
//! - **Ada:** Hello.         > Ada: Hello.         <p><b>Ada:</b> Hello.</p>         12   Q. Hello?
//! ```
//!
//! The markup is removed line by line, and the rest is read like any other transcript. This is done only if
//! the unchanged text is not a transcript.

use std::borrow::Cow;

use super::shapes::{self, Transcript};
use super::verdict::Verdict;
use super::{bold_names, front, line};
use crate::{Parsed, sniff};
use convo_base::diag::{Lines, Note};

/// A text without the markup around its lines.
pub(super) struct Unwrapped {
    pub(super) text: String,
    /// Its transcript.
    pub(super) transcript: Transcript,
    /// The line number in the file, counted from 0, of each line.
    origins: Vec<usize>,
}

/// A kind of markup around lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wrap {
    /// `> Ada: Hello`
    Quote,
    /// `- Ada: Hello`
    List,
    /// `<p><b>Ada:</b> Hello</p>`
    Html,
    /// `12    Q. Hello?`
    Numbers,
    /// `        Q. Hello?`
    Indent,
    /// `Q    Hello?`
    Columns,
}

const WRAPS: [Wrap; 6] =
    [Wrap::Numbers, Wrap::Quote, Wrap::List, Wrap::Html, Wrap::Indent, Wrap::Columns];

/// The minimum number of numbered lines in a text that is numbered at the left.
const MIN_NUMBERED: usize = 8;
/// The maximum indentation of text that is not code, in bytes.
const MAX_INDENT: usize = 3;

/// Removes the markup around the lines of a text, if the result is or may be a transcript.
pub(super) fn unwrapped(name: &str, text: &str) -> Option<Unwrapped> {
    if sniff::is_other_chat(name, text) {
        return None;
    }
    let (_, body) = front::split(text);
    let fitting = WRAPS.iter().copied().filter(|wrap| wrap.fits(&text[body..]));
    let mut doubtful = None;
    let mut known: Option<Option<usize>> = None;
    for wrap in fitting {
        let found = wrap.strip(name, text, body);
        let Some(found) = found else { continue };
        let turns = found.transcript.starts.len();
        // The unchanged text takes precedence.
        let as_is = *known.get_or_insert_with(|| turns_as_is(name, text));
        if as_is.is_some_and(|count| !wrap.is_partial() || turns * 4 < count * 5 + 4) {
            continue;
        }
        match found.transcript.verdict {
            Verdict::Transcript => return Some(found),
            Verdict::Doubtful(_) if as_is.is_none() => {
                doubtful = doubtful.or(Some(found));
            }
            _ => {}
        }
    }
    doubtful
}

/// Returns the number of turns in the unchanged text, if it is a transcript.
fn turns_as_is(name: &str, text: &str) -> Option<usize> {
    let bold = bold_names::bold_turns(text);
    let plain = shapes::read(name, text)
        .filter(|read| read.verdict == Verdict::Transcript)
        .map(|read| read.starts.len());
    bold.max(plain)
}

impl Wrap {
    /// Returns whether the markup may surround only some lines, and other lines start with names.
    fn is_partial(self) -> bool {
        matches!(self, Self::Numbers | Self::Indent)
    }

    /// Returns whether the lines of a text have this markup.
    fn fits(self, body: &str) -> bool {
        let filled = || body.lines().filter(|line| !line.trim().is_empty());
        let all = filled().count();
        match self {
            Self::Quote => {
                let inside = filled().skip_while(|line| unquoted(line).is_none());
                let all = inside.clone().count();
                let quoted = inside.filter(|line| unquoted(line).is_some()).count();
                quoted > 1 && quoted * 20 >= all * 19
            }
            Self::List => items(body).is_some(),
            Self::Html => filled().filter(|line| opens_html(line)).nth(1).is_some(),
            Self::Numbers => {
                let numbers: Vec<usize> =
                    filled().filter_map(numbered).map(|(number, _)| number).collect();
                let follows = |pair: &&[usize]| pair[1] == pair[0] + 1 || pair[1] == 1;
                let following = numbers.windows(2).filter(follows).count();
                numbers.len() >= MIN_NUMBERED
                    && numbers.len() * 5 >= all * 4
                    && following * 10 >= (numbers.len() - 1) * 9
            }
            Self::Indent => {
                let deep = filled().filter(|line| indent(line) > MAX_INDENT).count();
                deep > 1 && deep * 2 >= all
            }
            Self::Columns => is_in_columns(body, self),
        }
    }

    /// Removes the markup.
    fn strip(self, name: &str, text: &str, body: usize) -> Option<Unwrapped> {
        let mut out = Output::new(&text[..body]);
        let columns = is_in_columns(&text[body..], self);
        let dotted = |line| if columns { dotted(line) } else { Cow::Borrowed(line) };
        match self {
            Self::Quote => {
                for line in text[body..].lines() {
                    out.line(unquoted(line).unwrap_or(line));
                }
            }
            Self::List => {
                let width = items(&text[body..])?;
                let mut within = false;
                for line in text[body..].lines() {
                    match item(line).filter(|(at, _)| *at <= width.outer) {
                        Some((_, inner)) => {
                            out.gap();
                            out.line(inner);
                            within = true;
                        }
                        None if within => {
                            out.line(&line[indent(line).min(width.inner)..]);
                        }
                        None => out.line(line),
                    }
                }
            }
            Self::Html => text[body..].lines().for_each(|line| out.html(line)),
            Self::Numbers => {
                for line in text[body..].lines() {
                    let inner = numbered(line).map_or(line, |(_, inner)| inner);
                    out.line(&dotted(inner.trim_start()));
                }
            }
            Self::Indent | Self::Columns => {
                text[body..].lines().for_each(|line| out.line(&dotted(line.trim())));
            }
        }
        let hint = if self == Self::Numbers || columns { "deposition" } else { name };
        let transcript = match self {
            Self::List => shapes::read_items(hint, &out.text)?,
            _ => shapes::read(hint, &out.text)?,
        };
        let turns = transcript.starts.len();
        // A list in which some items are not turns is an ordinary list.
        let enough = match self {
            Self::List => turns * 10 >= out.items * 9 && transcript.names.len() > 1,
            _ => transcript.names.len() > 1,
        };
        (enough && turns > 1).then_some(Unwrapped {
            text: out.text,
            transcript,
            origins: out.origins,
        })
    }
}

/// The text without markup.
struct Output {
    text: String,
    origins: Vec<usize>,
    /// The number of lines read.
    read: usize,
    /// The number of list items.
    items: usize,
    /// Whether an HTML paragraph has just ended or begun.
    is_apart: bool,
}

impl Output {
    fn new(front: &str) -> Self {
        let read = front.matches('\n').count();
        Self {
            text: front.to_owned(),
            origins: (0..read).collect(),
            read,
            items: 0,
            is_apart: false,
        }
    }

    /// Adds a line for the next input line, and advances to the one after it.
    fn line(&mut self, line: &str) {
        self.more(line);
        self.read += 1;
    }

    /// Adds a line for the next input line without advancing.
    fn more(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
        self.origins.push(self.read);
    }

    /// Adds a blank line before the paragraph, at the start of an item.
    fn gap(&mut self) {
        self.items += 1;
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.more("");
        }
    }

    /// Adds a line of HTML. Paragraphs are separated, and bold names become Markdown.
    fn html(&mut self, line: &str) {
        let mut rest = line;
        let mut first = true;
        while let Some((piece, after, apart)) = piece(rest) {
            rest = after;
            let piece = piece.trim();
            if !piece.is_empty() {
                let gap = std::mem::take(&mut self.is_apart);
                if gap && !self.text.is_empty() && !self.text.ends_with("\n\n") {
                    self.more("");
                }
                match bold_element(piece) {
                    Some((bold, behind)) => self.more(&format!("**{bold}**{behind}")),
                    None => self.more(piece),
                }
                first = false;
            }
            self.is_apart |= apart;
        }
        if first {
            self.more("");
        }
        self.read += 1;
    }
}

/// Cuts a line of HTML at the next start or end of a paragraph, or line break. Returns the text before it,
/// the text after it, and whether the text after it is a paragraph.
fn piece(line: &str) -> Option<(&str, &str, bool)> {
    if line.is_empty() {
        return None;
    }
    let mut from = 0;
    while let Some(at) = line[from..].find('<').map(|at| from + at) {
        let inside = &line[at + 1..];
        let name = inside.trim_start_matches('/');
        let length = name.find(|c: char| !c.is_ascii_alphanumeric());
        let name = name[..length.unwrap_or(name.len())].to_ascii_lowercase();
        let block = ["p", "div", "li", "ul", "ol", "section", "article", "body"].contains(&&*name);
        if block || name == "br" {
            let Some(end) = inside.find('>') else { break };
            return Some((&line[..at], &inside[end + 1..], block));
        }
        from = at + 1;
    }
    Some((line, "", false))
}

/// Returns whether an HTML paragraph or bold text opens a line.
fn opens_html(line: &str) -> bool {
    let line = line.trim_start();
    let start = line[..line.floor_char_boundary(8)].to_ascii_lowercase();
    ["<p>", "<p ", "<b>", "<strong>", "<div>", "<div "].iter().any(|tag| start.starts_with(tag))
}

/// Returns the bold text that opens a line of HTML, and the text after it.
fn bold_element(line: &str) -> Option<(&str, &str)> {
    let mut rest = line.trim_start();
    // Elements that open the paragraph.
    for _ in 0..3 {
        let inside = rest.strip_prefix('<')?;
        let length = inside.find(|c: char| !c.is_ascii_alphanumeric())?;
        let name = inside[..length].to_ascii_lowercase();
        let (_, after) = inside.split_once('>')?;
        match &*name {
            "b" | "strong" => {
                let end = after.find("</")?;
                let (_, behind) = after[end..].split_once('>')?;
                let bold = after[..end].trim();
                let fits = !bold.is_empty()
                    && bold.len() <= line::MAX_NAME_BYTES
                    && !bold.contains(['<', '*']);
                return fits.then_some((bold, behind));
            }
            "p" | "div" | "li" | "span" | "blockquote" => rest = after.trim_start(),
            _ => return None,
        }
    }
    None
}

/// Returns a line without its quotation mark `>`.
fn unquoted(line: &str) -> Option<&str> {
    let bare = line.trim_start_matches(' ');
    let inner = bare.strip_prefix('>').filter(|_| line.len() - bare.len() <= 3)?;
    (!inner.starts_with('>')).then(|| inner.strip_prefix(' ').unwrap_or(inner))
}

/// The indentation of list items and of their contents.
struct Width {
    outer: usize,
    inner: usize,
}

/// Returns the indentation of the only list of a text, if it extends to the end.
fn items(body: &str) -> Option<Width> {
    let mut width: Option<Width> = None;
    let mut count = 0;
    let mut blank = false;
    for line in body.lines() {
        if line.trim().is_empty() {
            blank = true;
            continue;
        }
        match (&width, item(line)) {
            (None, Some((outer, content))) => {
                width = Some(Width { outer, inner: line.len() - content.len() });
                count = 1;
            }
            (None, None) => {}
            (Some(known), Some((outer, _))) if outer <= known.outer => count += 1,
            (Some(known), _) if indent(line) > known.outer || !blank => {}
            _ => return None,
        }
        blank = false;
    }
    width.filter(|_| count > 1)
}

/// Returns the indentation of a list item, and its contents.
fn item(line: &str) -> Option<(usize, &str)> {
    let bare = line.trim_start();
    let digits = bare.len() - bare.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let behind = match digits {
        0 => bare.strip_prefix(['-', '*', '+', '•'])?,
        1..=3 => bare[digits..].strip_prefix(['.', ')'])?,
        _ => return None,
    };
    let inner = behind.trim_start_matches([' ', '\t']);
    (inner.len() < behind.len() && !inner.is_empty()).then(|| (indent(line), inner))
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// Returns the text after the letter of a question or an answer, if the letter is a column of its own.
fn column(line: &str) -> Option<(&str, &str)> {
    let (letter, rest) = line.split_at_checked(1)?;
    let words = rest.trim_start_matches([' ', '\t']);
    let apart = rest.starts_with("  ") || rest.starts_with('\t');
    (["Q", "A"].contains(&letter) && apart && !words.is_empty()).then_some((letter, words))
}

/// Returns whether more than one question and answer have their letters in a column.
fn is_in_columns(body: &str, wrap: Wrap) -> bool {
    let words = |line| match wrap {
        Wrap::Numbers => numbered(line).map_or(line, |(_, words)| words),
        _ => line,
    };
    let columns = || body.lines().filter_map(|line| column(words(line).trim()));
    let asks = columns().filter(|(letter, words)| *letter == "Q" && words.ends_with('?'));
    asks.count() > 1 && columns().filter(|(letter, _)| *letter == "A").nth(1).is_some()
}

/// Adds a full stop after the letter of a question or an answer if it is missing.
fn dotted(line: &str) -> Cow<'_, str> {
    match column(line) {
        Some((letter, words)) => Cow::Owned(format!("{letter}. {words}")),
        None => Cow::Borrowed(line),
    }
}

/// Returns the number at the left of a line, and the rest.
fn numbered(line: &str) -> Option<(usize, &str)> {
    let bare = line.trim_start();
    let digits = bare.len() - bare.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if !(1..=3).contains(&digits) {
        return None;
    }
    let rest = &bare[digits..];
    let fits = rest.trim().is_empty() || rest.starts_with(['\t', ' ']);
    Some((bare[..digits].parse().ok().filter(|_| fits)?, rest))
}

impl Unwrapped {
    /// Converts the lines and notes to those of the file.
    pub(super) fn restore(&self, text: &str, parsed: &mut Parsed) {
        let origin = |line: usize| self.origins.get(line).copied().unwrap_or(line);
        for turn in parsed.conversations.iter_mut().flat_map(|read| &mut read.turns) {
            let line = usize::try_from(turn.place.line).unwrap_or(1).saturating_sub(1);
            turn.place.line = u32::try_from(origin(line) + 1).unwrap_or(u32::MAX);
        }
        let lines = Lines::new(&self.text);
        let mut starts = vec![0];
        starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
        for note in &mut parsed.notes {
            note.range = note.range.take().map(|range| {
                let line = usize::try_from(lines.line(range.start)).unwrap_or(1);
                let line = origin(line.saturating_sub(1));
                let start = starts.get(line).copied().unwrap_or(text.len());
                let end = starts.get(line + 1).map_or(text.len(), |end| end - 1);
                start..end.max(start)
            });
        }
    }

    /// Converts the place of a note to that in the file.
    pub(super) fn restored(&self, text: &str, note: Note) -> Note {
        let mut parsed = Parsed { notes: vec![note], ..Parsed::default() };
        self.restore(text, &mut parsed);
        parsed.notes.remove(0)
    }
}
