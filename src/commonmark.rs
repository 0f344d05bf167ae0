//! The one place that knows the Markdown parser, and with which extensions it runs.
//!
//! Heading attributes stay off for good: they let content set ids and classes, and together
//! with task lists they make pulldown-cmark 0.13 panic (its issues 1109 and 1110).

use std::borrow::Cow;
use std::ops::Range;

pub(crate) use pulldown_cmark::{
    Alignment, CodeBlockKind, CowStr, Event, LinkType, Tag, TagEnd,
};
use pulldown_cmark::{Options, Parser, TextMergeWithOffset};

/// CommonMark 0.31 with tables, strikethrough, task lists, footnotes and, if wanted,
/// `$mathematics$`, each event with its byte range in `text`, which [`cap_quotes`] has seen.
pub(crate) fn events(
    text: &str,
    math: bool,
) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    let mut options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES;
    options.set(Options::ENABLE_MATH, math);
    TextMergeWithOffset::new(Parser::new_ext(text, options).into_offset_iter())
}

/// Quotes that a line may open in a text of more than [`EFFORT`].
const QUOTES: usize = 64;

/// Lines times open quotes that the parser may have to look at.
const EFFORT: usize = 4_000_000;

/// The text with the first `>` of each line that nests too deep replaced by `instead`.
///
/// For every line that continues a quote the parser looks at each quote that is open, so text
/// that opens thousands and goes on for thousands of lines would take it hours. Other text,
/// which is all text that people write, stays as it is. With `"\\>"` a line of prose shows the
/// same; with another single byte all offsets stay.
pub(crate) fn cap_quotes<'a>(text: &'a str, instead: &str) -> Cow<'a, str> {
    let deep = |line: &str| {
        line.bytes().take_while(|byte| b"> \t".contains(byte)).count() > QUOTES
    };
    if !text.contains('>') || !text.lines().any(deep) {
        return Cow::Borrowed(text);
    }
    let markers = |line: &str| {
        let prefix = line.bytes().take_while(|byte| b"> \t".contains(byte));
        prefix.filter(|byte| *byte == b'>').count()
    };
    let deepest = text.lines().map(markers).max().unwrap_or_default();
    if deepest <= QUOTES || deepest.saturating_mul(text.lines().count()) <= EFFORT {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 1024);
    for line in text.split_inclusive('\n') {
        let surplus = line.match_indices('>').nth(QUOTES).map(|(at, _)| at);
        match surplus.filter(|_| markers(line) > QUOTES) {
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

/// A block at the top level of a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Block {
    /// A heading of level 1 to 6, ATX or setext.
    Heading(u8),
    /// Fenced or indented code, or raw HTML: text that is no markup.
    Verbatim,
    /// Anything else.
    Other,
}

/// The top-level blocks of a document by plain CommonMark, each with its byte range.
pub(crate) fn outline(text: &str) -> Vec<(Block, Range<usize>)> {
    let text = cap_quotes(text, "x");
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

/// The byte ranges in which `text` is shown as it is, code of every kind and raw HTML, each
/// with whether it is a block rather than a part of a line.
pub(crate) fn verbatim_ranges(text: &str) -> Vec<(Range<usize>, bool)> {
    let text = cap_quotes(text, "x");
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
    use super::{EFFORT, cap_quotes};

    #[test]
    fn only_quotes_too_deep_and_too_long_are_touched() {
        let banner = ">".repeat(80);
        assert_eq!(cap_quotes(&banner, r"\>"), banner, "people write such lines");
        let lines = "a > b\n".repeat(EFFORT / 65);
        let deep = format!("{lines}{}> a\n", "> ".repeat(65));
        assert_eq!(
            cap_quotes(&deep, r"\>"),
            format!("{lines}{}\\> > a\n", "> ".repeat(64))
        );
        let fine = format!("{lines}{} text >\n", "> ".repeat(64));
        assert_eq!(cap_quotes(&fine, r"\>"), fine);
    }
}
