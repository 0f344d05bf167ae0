//! The one place that knows the Markdown parser, and with which extensions it runs.
//!
//! Heading attributes stay off for good: they let content set ids and classes, and together
//! with task lists they make pulldown-cmark 0.13 panic (its issues 1109 and 1110).

use std::ops::Range;

pub(crate) use pulldown_cmark::{
    Alignment, CodeBlockKind, CowStr, Event, LinkType, Tag, TagEnd,
};
use pulldown_cmark::{Options, Parser, TextMergeWithOffset};

/// CommonMark 0.31 with tables, strikethrough, task lists, footnotes and, if wanted,
/// `$mathematics$`, each event with its byte range in `text`.
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
    let mut blocks = Vec::new();
    let mut depth = 0usize;
    for (event, range) in Parser::new_ext(text, Options::empty()).into_offset_iter() {
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
    Parser::new_ext(text, Options::empty())
        .into_offset_iter()
        .filter_map(|(event, range)| match event {
            Event::Start(Tag::CodeBlock(_) | Tag::HtmlBlock) => Some((range, true)),
            Event::Code(_) | Event::InlineHtml(_) => Some((range, false)),
            _ => None,
        })
        .collect()
}
