//! Inserts texts into Markdown, so that they are shown literally.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use crate::commonmark::{Event, Tag, TagEnd, cap_quotes, events};

/// A Markdown text that other texts are inserted into.
pub struct Literals<'a> {
    markdown: &'a str,
    /// The ranges of code in it.
    code: OnceCell<Vec<Range<usize>>>,
}

impl<'a> Literals<'a> {
    /// Creates the value; code is only searched for when it is needed.
    pub fn new(markdown: &'a str) -> Self {
        Self { markdown, code: OnceCell::new() }
    }

    /// Returns the form of `text` that readers see literally at a place.
    pub fn at<'t>(&self, place: &Range<usize>, text: &'t str) -> Cow<'t, str> {
        let before = self.markdown.get(..place.start).and_then(|text| text.chars().last());
        let after = self.markdown.get(place.end..).and_then(|text| text.chars().next());
        if !may_be_markup(text, before, after) {
            return Cow::Borrowed(text);
        }
        let code = self.code.get_or_init(|| code_of(self.markdown));
        match code.iter().any(|code| code.start <= place.start && place.end <= code.end) {
            // In code, only the end mark has a meaning.
            true => Cow::Owned(text.replace('`', "'")),
            false => Cow::Owned(escaped(text)),
        }
    }
}

/// Returns whether a text may contain markup, given the characters around it.
fn may_be_markup(text: &str, before: Option<char>, after: Option<char>) -> bool {
    let inside = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    let is_label =
        matches!(before, Some('!' | ']' | '\\')) || matches!(after, Some('(' | '[' | ':'));
    inside.is_some() && is_label || escaped(inside.unwrap_or(text)) != inside.unwrap_or(text)
}

/// Escapes everything that has a meaning in Markdown.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut before: Option<char> = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let is_in_word = before.is_some_and(char::is_alphanumeric)
            && chars.peek().is_some_and(|next| next.is_alphanumeric());
        let means = match c {
            '\\' | '`' | '*' | '~' | '[' | ']' | '<' | '>' | '$' | '|' => true,
            '_' => !is_in_word,
            '&' => chars.peek().is_some_and(|next| next.is_alphanumeric() || *next == '#'),
            '#' | '-' | '+' | '=' => before.is_none(),
            _ => false,
        };
        if means {
            out.push('\\');
        }
        // A line stays a single line.
        out.push(if c == '\n' { ' ' } else { c });
        before = Some(c);
    }
    out
}

fn code_of(markdown: &str) -> Vec<Range<usize>> {
    let capped = cap_quotes(markdown, "x");
    let mut code = Vec::new();
    let mut block = None;
    for (event, range) in events(&capped, false) {
        match event {
            Event::Code(_) => code.push(range),
            Event::Start(Tag::CodeBlock(_)) => block = Some(range),
            Event::End(TagEnd::CodeBlock) => code.extend(block.take()),
            _ => {}
        }
    }
    code
}
