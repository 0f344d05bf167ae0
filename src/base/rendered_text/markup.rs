//! The visible text of Markdown, without the links, strikethrough and formulas that split words.

use std::ops::Range;

use super::layer::Layer;
use crate::commonmark::{Event, Tag, TagEnd, cap_quotes, events};

/// Returns the visible text, once for each way to parse it. Empty if the text contains no markup of
/// these kinds.
pub(super) fn undone(written: &str) -> Vec<Layer> {
    let may_split = written.contains('~')
        || written.contains('$')
        || written.contains('[') && written.contains(']');
    // The replacement has the same length, so offsets do not change.
    let capped = cap_quotes(written, "x");
    let mut layers = Vec::new();
    if may_split {
        layers.push(shown(&capped, written));
    }
    if written.contains(r"\(") || written.contains(r"\[") {
        let mut formulas = capped.into_owned();
        for mark in [r"\(", r"\)", r"\[", r"\]"] {
            formulas = formulas.replace(mark, "$$");
        }
        layers.push(shown(&formulas, written));
    }
    layers
}

/// Returns the visible text of `written`, parsed in the form `parsed`.
fn shown(parsed: &str, written: &str) -> Layer {
    let mut shown = Shown { written, layer: Layer::with_capacity(written.len()), done: 0 };
    // What separates words that are not on the same line.
    let mut between = None;
    for (event, range) in events(parsed, true) {
        match event {
            Event::Text(_) | Event::Code(_) | Event::Html(_) | Event::InlineHtml(_) => {
                shown.skip(range.start, between.take());
                shown.keep(range);
            }
            Event::InlineMath(_) | Event::DisplayMath(_) => {
                shown.skip(range.start, between.take());
                shown.formula(range);
            }
            Event::SoftBreak | Event::HardBreak => between = Some(" "),
            Event::Start(
                Tag::Emphasis
                | Tag::Strong
                | Tag::Strikethrough
                | Tag::Link { .. }
                | Tag::Image { .. },
            )
            | Event::End(
                TagEnd::Emphasis
                | TagEnd::Strong
                | TagEnd::Strikethrough
                | TagEnd::Link
                | TagEnd::Image,
            )
            | Event::FootnoteReference(_) => {}
            _ => between = Some("\n"),
        }
    }
    shown.layer
}

/// The visible text so far.
struct Shown<'a> {
    written: &'a str,
    layer: Layer,
    /// The offset in `written` up to which it is complete.
    done: usize,
}

impl Shown<'_> {
    /// Removes everything before a place, or replaces it.
    fn skip(&mut self, to: usize, put: Option<&str>) {
        let below = self.done.min(to)..to;
        match put {
            Some(put) => self.layer.put(put, below),
            None if below.is_empty() => return,
            None => self.layer.omit(below, true),
        }
        self.done = to;
    }

    fn keep(&mut self, range: Range<usize>) {
        let start = range.start.max(self.done);
        self.layer.text.push_str(self.written.get(start..range.end).unwrap_or_default());
        self.done = range.end.max(self.done);
    }

    /// Keeps the letters of a formula, which are next to each other on a page.
    fn formula(&mut self, range: Range<usize>) {
        let mut chars =
            self.written.get(range.clone()).unwrap_or_default().char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let start = range.start + at;
            if c == '\\' {
                let is_command = chars.next().is_some_and(|(_, c)| c.is_ascii_alphabetic());
                while is_command && chars.next_if(|(_, c)| c.is_ascii_alphabetic()).is_some() {}
            } else if !c.is_whitespace() && !"${}^_&~".contains(c) {
                self.skip(start, None);
                self.keep(start..start + c.len_utf8());
            }
        }
        self.skip(range.end, None);
    }
}
