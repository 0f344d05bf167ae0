//! The Markdown parser and its extensions. No other module uses the parser crate.
//!
//! Heading attributes must stay off: they let content set ids and classes, and together with task
//! lists they make pulldown-cmark 0.13 panic (its issues 1109 and 1110).

mod cjk_emphasis;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;

pub use pulldown_cmark::{
    Alignment, BlockQuoteKind, CodeBlockKind, CowStr, Event, LinkType, Tag, TagEnd,
};
use pulldown_cmark::{Options, Parser, TextMergeWithOffset};

use crate::semaphore::{Permit, Semaphore};

/// The maximum number of lines and marks in a text that is parsed as Markdown. The parser needs 100
/// to 200 bytes for each; no page written by a person has a tenth of this.
const MAX_MARKS: usize = 1_000_000;

/// Bounds the lines and marks that are parsed at the same time.
static PARSE_BUDGET: Semaphore = Semaphore::new(2 * MAX_MARKS);
/// The maximum size of texts that are too short to count, in bytes.
const SHORT_TEXT_BYTES: usize = 64 << 10;

/// Counts the lines and marks of a text. A line counts twice: it ends one piece and starts another.
fn marks(text: &str) -> usize {
    static WEIGHTS: [u8; 256] = {
        let mut weights = [0; 256];
        let marks = b"*_`[]!<>&\\|~$#";
        let mut place = 0;
        while place < marks.len() {
            weights[marks[place] as usize] = 1;
            place += 1;
        }
        weights[b'\n' as usize] = 2;
        weights
    };
    text.bytes().map(|byte| usize::from(WEIGHTS[usize::from(byte)])).sum()
}

/// Returns whether a text has too many lines and marks to be parsed as Markdown. Such a text is
/// treated as one block of code everywhere.
pub fn is_too_complex(text: &str) -> bool {
    text.len() > MAX_MARKS / 2 && marks(text) > MAX_MARKS
}

/// Decodes a character reference such as `&eacute;`; `None` if it is not one.
pub fn character_reference(reference: &str) -> Option<String> {
    let text: String = Parser::new(reference)
        .filter_map(|event| match event {
            Event::Text(text) => Some(text.into_string()),
            _ => None,
        })
        .collect();
    (!text.is_empty() && text != reference).then_some(text)
}

/// Parses CommonMark 0.31 with tables, strikethrough, task lists, footnotes, alerts and optionally
/// `$mathematics$`. Returns each event with its byte range in `text`, which must have passed
/// [`cap_quotes`].
///
/// A thread must not parse another long text while it iterates over the events of one.
pub fn events(text: &str, math: bool) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    let (mut code, mut changed, mut markdown) = (None, None, None);
    if is_too_complex(text) {
        code = Some(as_code(text));
    } else if let Some(text) = cjk_emphasis::protected(text) {
        let restored = |(event, range)| (cjk_emphasis::restored(event), range);
        changed = Some(parsed(&text, math).map(restored).collect::<Vec<_>>());
    } else {
        markdown = Some(parsed(text, math));
    }
    let whole = code.into_iter().flatten().chain(changed.into_iter().flatten());
    whole.chain(markdown.into_iter().flatten())
}

fn as_code(text: &str) -> [(Event<'_>, Range<usize>); 3] {
    let all = 0..text.len();
    [
        (Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)), all.clone()),
        (Event::Text(text.into()), all.clone()),
        (Event::End(TagEnd::CodeBlock), all),
    ]
}

fn permit(text: &str) -> Option<Permit> {
    (text.len() > SHORT_TEXT_BYTES).then(|| PARSE_BUDGET.acquire(marks(text)))
}

fn parsed(text: &str, math: bool) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    let permit = permit(text);
    let mut options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_GFM;
    options.set(Options::ENABLE_MATH, math);
    let events = TextMergeWithOffset::new(Parser::new_ext(text, options).into_offset_iter());
    let mut is_in_cell = false;
    events.inspect(move |_| _ = &permit).map(move |(event, range)| match event {
        Event::Start(Tag::TableCell) | Event::End(TagEnd::TableCell) => {
            is_in_cell = matches!(event, Event::Start(_));
            (event, range)
        }
        Event::InlineHtml(tag) if is_in_cell && is_break(&tag) => (Event::HardBreak, range),
        event => (event, range),
    })
}

/// Returns whether a tag is `<br>`, the only way to break a line in a cell of a table.
fn is_break(tag: &str) -> bool {
    let name = tag.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
    name.is_some_and(|name| name.trim_end_matches(['/', ' ']).eq_ignore_ascii_case("br"))
}

/// Parses Markdown without losing text. A list, quote or heading without content becomes a
/// paragraph with its source, and so does a text without any visible content. `2016.` is a year and
/// does not start a list.
pub fn lossless_events(text: &str, math: bool) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    LosslessEvents {
        text,
        events: events(text, math),
        ready: VecDeque::new(),
        held: Vec::new(),
        block: 0,
        depth: 0,
        block_shows: false,
        text_shows: false,
        done: false,
    }
}

type Placed<'a> = (Event<'a>, Range<usize>);

struct LosslessEvents<'a, I> {
    text: &'a str,
    events: I,
    /// Events to return next.
    ready: VecDeque<Placed<'a>>,
    /// Events that wait until something is visible.
    held: Vec<Placed<'a>>,
    /// The index in `held` at which the open top-level block starts.
    block: usize,
    depth: usize,
    block_shows: bool,
    text_shows: bool,
    done: bool,
}

impl<'a, I: Iterator<Item = Placed<'a>>> Iterator for LosslessEvents<'a, I> {
    type Item = Placed<'a>;

    fn next(&mut self) -> Option<Placed<'a>> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            match self.events.next() {
                Some(event) => self.take(event),
                None if self.done => return None,
                None => self.finish(),
            }
        }
    }
}

impl<'a, I> LosslessEvents<'a, I> {
    fn take(&mut self, event: Placed<'a>) {
        if self.depth == 0 {
            self.block = self.held.len();
            self.block_shows = false;
        }
        let ends = matches!(event.0, Event::End(_));
        self.depth += usize::from(matches!(event.0, Event::Start(_)));
        self.depth -= usize::from(ends);
        if !self.block_shows && shows(&event.0) {
            (self.block_shows, self.text_shows) = (true, true);
            self.release();
        }
        if self.block_shows {
            return self.ready.push_back(event);
        }
        self.held.push(event);
        if self.depth > 0 {
            return;
        }
        let is_bare = matches!(
            self.held[self.block].0,
            Event::Start(Tag::List(_) | Tag::BlockQuote(_) | Tag::Heading { .. })
        );
        if is_bare {
            let range = self.held[self.block].1.clone();
            self.held.truncate(self.block);
            self.release();
            self.push_verbatim(range);
        } else if self.text_shows {
            self.release();
        }
    }

    /// Returns the held events next.
    fn release(&mut self) {
        if self.ready.is_empty() {
            // Without copying them: a line of marks alone may have a million events.
            let ready = Vec::from(std::mem::take(&mut self.ready));
            self.ready = std::mem::replace(&mut self.held, ready).into();
        } else {
            self.ready.extend(self.held.drain(..));
        }
    }

    fn finish(&mut self) {
        self.done = true;
        if !self.text_shows && !self.text.trim().is_empty() {
            self.held.clear();
            self.push_verbatim(0..self.text.len());
        }
        self.release();
    }

    fn push_verbatim(&mut self, range: Range<usize>) {
        self.text_shows = true;
        let text = Event::Text(self.text[range.clone()].trim().into());
        self.ready.push_back((Event::Start(Tag::Paragraph), range.clone()));
        self.ready.push_back((text, range.clone()));
        self.ready.push_back((Event::End(TagEnd::Paragraph), range));
    }
}

/// Returns whether an event has visible (or audible) content.
fn shows(event: &Event<'_>) -> bool {
    match event {
        Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => !text.trim().is_empty(),
        Event::Start(Tag::Image { .. })
        | Event::Code(_)
        | Event::InlineMath(_)
        | Event::DisplayMath(_)
        | Event::FootnoteReference(_)
        | Event::TaskListMarker(_) => true,
        _ => false,
    }
}

/// The maximum quote depth of a line in a text that exceeds [`MAX_QUOTE_WORK`].
const MAX_QUOTES: usize = 64;

/// The maximum product of lines and open quotes that the parser may have to check.
const MAX_QUOTE_WORK: usize = 4_000_000;

/// Replaces the first surplus `>` of each line that nests too deeply by `instead`.
///
/// For every line that continues a quote, the parser checks every open quote, so a text with
/// thousands of quotes and lines would take hours. All other text, including everything people
/// write, is unchanged. With `"\\>"`, a line of prose looks the same; with any single byte, offsets
/// do not change.
pub fn cap_quotes<'a>(text: &'a str, instead: &str) -> Cow<'a, str> {
    let deep =
        |line: &str| line.bytes().take_while(|byte| b"> \t".contains(byte)).count() > MAX_QUOTES;
    if !text.contains('>') || !text.lines().any(deep) || is_too_complex(text) {
        return Cow::Borrowed(text);
    }
    let markers = |line: &str| {
        let prefix = line.bytes().take_while(|byte| b"> \t".contains(byte));
        prefix.filter(|byte| *byte == b'>').count()
    };
    let deepest = text.lines().map(markers).max().unwrap_or_default();
    if deepest <= MAX_QUOTES || deepest.saturating_mul(text.lines().count()) <= MAX_QUOTE_WORK {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 1024);
    for line in text.split_inclusive('\n') {
        let surplus = line.match_indices('>').nth(MAX_QUOTES).map(|(at, _)| at);
        match surplus.filter(|_| markers(line) > MAX_QUOTES) {
            Some(at) => {
                out.push_str(&line[..at]);
                out.push_str(instead);
                out.push_str(&line[at + 1..]);
            }
            None => out.push_str(line),
        }
    }
    Cow::Owned(out)
}

/// A top-level block of a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Block {
    /// A heading of level 1 to 6, ATX or setext.
    Heading(u8),
    /// Fenced or indented code, or raw HTML: text without markup.
    Verbatim,
    /// Anything else.
    Other,
}

/// Returns the top-level blocks of a document in plain CommonMark, each with its byte range. A text
/// that [`is_too_complex`] is a single block.
pub fn outline(text: &str) -> Vec<(Block, Range<usize>)> {
    if is_too_complex(text) {
        return vec![(Block::Verbatim, 0..text.len())];
    }
    let text = cap_quotes(text, "x");
    let _permit = permit(&text);
    let mut blocks = Vec::new();
    let mut depth = 0usize;
    for (event, range) in Parser::new_ext(&text, Options::empty()).into_offset_iter() {
        match event {
            Event::Start(tag) => {
                if depth == 0 {
                    let block = match tag {
                        Tag::Heading { level, .. } => Block::Heading(level as u8),
                        Tag::CodeBlock(_) | Tag::HtmlBlock => Block::Verbatim,
                        _ => Block::Other,
                    };
                    blocks.push((block, range));
                }
                depth += 1;
            }
            Event::End(_) => depth -= 1,
            _ => {}
        }
    }
    blocks
}

/// Returns the byte ranges of code and raw HTML in `text`, each with whether it is a block rather
/// than inline. Returns none for a text that [`is_too_complex`].
pub fn verbatim_ranges(text: &str) -> Vec<(Range<usize>, bool)> {
    if is_too_complex(text) {
        return Vec::new();
    }
    let text = cap_quotes(text, "x");
    let _permit = permit(&text);
    Parser::new_ext(&text, Options::empty())
        .into_offset_iter()
        .filter_map(|(event, range)| match event {
            Event::Start(Tag::CodeBlock(_) | Tag::HtmlBlock) => Some((range, true)),
            Event::Code(_) | Event::InlineHtml(_) => Some((range, false)),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{MAX_QUOTE_WORK, cap_quotes};

    #[test]
    fn only_quotes_too_deep_and_too_long_are_touched() {
        let banner = ">".repeat(80);
        assert_eq!(cap_quotes(&banner, r"\>"), banner, "people write such lines");
        let lines = "a > b\n".repeat(MAX_QUOTE_WORK / 65);
        let deep = format!("{lines}{}> a\n", "> ".repeat(65));
        assert_eq!(cap_quotes(&deep, r"\>"), format!("{lines}{}\\> > a\n", "> ".repeat(64)));
        let fine = format!("{lines}{} text >\n", "> ".repeat(64));
        assert_eq!(cap_quotes(&fine, r"\>"), fine);
    }
}
