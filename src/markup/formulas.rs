//! `\(x\)` and `\[x\]` as mathematics, as LaTeX and most models write it.
//!
//! In CommonMark they are escaped brackets, and people escape brackets too: `\[music\]`, `\(see
//! below\)`. The text between them decides.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use convo_base::commonmark::{Event, Tag, TagEnd, events};

/// A text whose formulas the parser recognises: each delimiter becomes `$$`, which has the same
/// length, so all positions stay the same; and the start of each inline formula.
pub(super) struct Delimited<'a> {
    pub(super) text: Cow<'a, str>,
    inline: BTreeSet<usize>,
}

impl Delimited<'_> {
    /// Returns the original form of an event.
    pub(super) fn meant<'e>(&self, event: Event<'e>, range: &Range<usize>) -> Event<'e> {
        match event {
            Event::DisplayMath(latex) if self.inline.contains(&range.start) => {
                Event::InlineMath(latex)
            }
            event => event,
        }
    }
}

/// Finds the formulas of a text in which `$` means mathematics.
pub(super) fn delimit(text: Cow<'_, str>, math: bool) -> Delimited<'_> {
    let inline = BTreeSet::new();
    let is_plain = !text.contains('\\') || !text.contains(r"\(") && !text.contains(r"\[");
    if !math || is_plain {
        return Delimited { text, inline };
    }
    let mut found = find(&text);
    // Formulas that the parser does not recognise stay as written.
    for _ in 0..2 {
        if found.is_empty() {
            break;
        }
        let replaced = replace(&text, &found);
        let seen: BTreeSet<usize> = events(&replaced, true)
            .filter(|(event, _)| matches!(event, Event::DisplayMath(_)))
            .map(|(_, range)| range.start)
            .collect();
        if found.iter().all(|formula| seen.contains(&formula.start)) {
            let is_inline = |formula: &&Range<usize>| text[formula.start..].starts_with(r"\(");
            let inline = found.iter().filter(is_inline).map(|formula| formula.start);
            return Delimited { inline: inline.collect(), text: replaced.into() };
        }
        found.retain(|formula| seen.contains(&formula.start));
    }
    Delimited { text, inline }
}

fn replace(text: &str, formulas: &[Range<usize>]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for Range { start, end } in formulas {
        out.push_str(&text[done..*start]);
        out.push_str("$$");
        out.push_str(&text[start + 2..end - 2]);
        out.push_str("$$");
        done = *end;
    }
    out.push_str(&text[done..]);
    out
}

/// Returns the positions of formulas with their delimiters, in order. Each is within one block and
/// contains only prose.
fn find(text: &str) -> Vec<Range<usize>> {
    let mut prose: Vec<Range<usize>> = Vec::new();
    // The borders of blocks, and everything that is not prose.
    let mut bounds: Vec<usize> = Vec::new();
    let mut in_code = false;
    for (event, range) in events(text, true) {
        in_code = match event {
            Event::Start(Tag::CodeBlock(_)) => true,
            Event::End(TagEnd::CodeBlock) => false,
            _ => in_code,
        };
        match event {
            Event::Text(_) if in_code => {}
            Event::Text(_) => prose.push(range),
            Event::SoftBreak
            | Event::HardBreak
            | Event::End(_)
            | Event::Start(Tag::Emphasis | Tag::Strong | Tag::Strikethrough) => {}
            _ => bounds.extend([range.start, range.end]),
        }
    }
    bounds.sort_unstable();
    let mut formulas = Vec::new();
    let mut open: Option<usize> = None;
    let (mut prose, mut bounds) = (prose.into_iter().peekable(), bounds.into_iter().peekable());
    for at in escapes(text) {
        // A backslash is not part of the text event after it.
        while prose.next_if(|part| part.end <= at + 1).is_some() {}
        let is_prose = prose.peek().is_some_and(|part| part.contains(&(at + 1)));
        while bounds.next_if(|bound| *bound <= at).is_some() {
            open = None;
        }
        match (open, text.as_bytes()[at + 1]) {
            _ if !is_prose => open = None,
            (_, b'(' | b'[') => open = Some(at),
            (Some(start), close) => {
                let is_display = close == b']';
                let is_pair = text[start..].starts_with(if is_display { r"\[" } else { r"\(" });
                if is_pair && is_formula(&text[start + 2..at], is_display) {
                    formulas.push(start..at + 2);
                }
                open = None;
            }
            (None, _) => {}
        }
    }
    formulas
}

/// Returns the positions of backslashes before brackets, unless another backslash escapes them.
fn escapes(text: &str) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(found) = text.get(at..).and_then(|rest| rest.find('\\')) {
            let place = at + found;
            match bytes.get(place + 1) {
                Some(b'(' | b')' | b'[' | b']') => {
                    at = place + 2;
                    return Some(place);
                }
                Some(next) if next.is_ascii() => at = place + 2,
                _ => at = place + 1,
            }
        }
        None
    })
}

/// The maximum number of consecutive letters in a formula; more are a word.
const MAX_LETTERS_TOGETHER: usize = 2;

/// Returns whether the text between delimiters is mathematics, not text with escaped brackets.
/// Display formulas must contain something that only formulas have: `\[1\]` is a note.
fn is_formula(latex: &str, is_display: bool) -> bool {
    let latex = latex.trim();
    if latex.contains('$') || latex.contains("://") {
        return false;
    }
    let command =
        |(at, _): (usize, &str)| latex[at + 1..].starts_with(|c: char| c.is_ascii_alphabetic());
    // At the start there is nothing to raise: `\[^1\]` is a note too.
    let has_inside = |signs: &[char]| latex.chars().skip(1).any(|c| signs.contains(&c));
    if latex.match_indices('\\').any(command) || has_inside(&['^', '{']) {
        return true;
    }
    let mut words = latex.split(|c: char| !c.is_alphabetic());
    let is_short = words.all(|word| word.is_ascii() && word.len() <= MAX_LETTERS_TOGETHER);
    let has_letters = latex.contains(char::is_alphabetic);
    is_short && has_letters && (!is_display || has_inside(&['=', '_', '+', '<', '>']))
}

#[cfg(test)]
mod tests {
    use super::{delimit, find};

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = find(text).into_iter().map(|formula| &text[formula]).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn formulas_are_distinguished_from_escaped_brackets() {
        check(r"So \(x\) and \( f(a, b) \) hold.", &[r"\(x\)", r"\( f(a, b) \)"]);
        check(r"\[ E = mc^2 \]", &[r"\[ E = mc^2 \]"]);
        check(
            "\\[\na_1 + b \\\\[2pt]\n\\frac{1}{2}\n\\]",
            &["\\[\na_1 + b \\\\[2pt]\n\\frac{1}{2}\n\\]"],
        );
        check(r"*\(a\)* and **\(b^2\)**", &[r"\(a\)", r"\(b^2\)"]);
        for text in [
            r"\[00:18\]",
            r"\[music\] \[1\] \[^1\] \(see below\) \(hello\) \(2016\)",
            r"\[https://a.example/b_c=d\]",
            r"\\(x\\)",
            r"`\(x\)`",
            "```\n\\(x\\)\n```",
            "    \\(x\\)",
            "\\(x\n\ny\\)",
            "- \\(x\n- y\\)",
            r"\(x `b\)` c\)",
            r"$\(x\)$",
            r"[a](\(x\))",
            r"\(\) \(  \)",
            r"\(x\]",
        ] {
            check(text, &[]);
        }
    }

    #[test]
    fn formulas_that_the_parser_misses_are_unchanged() {
        for text in [r"costs $5 and \(x\)", r"\(a}\)", r"\(x\) $"] {
            let delimited = delimit(text.into(), true);
            assert_eq!(delimited.text.len(), text.len(), "{text}");
        }
        assert_eq!(delimit(r"\(x\)".into(), false).text, r"\(x\)");
    }
}
