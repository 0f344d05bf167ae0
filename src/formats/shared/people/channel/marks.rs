//! Conversion of messenger markup to Markdown: `*bold*`, `_italic_`, `~struck~`, code, lists and
//! quotations.

use std::ops::Range;

use crate::shared::text::verbatim::verbatim;
use convo_base::model::fenced;

/// Returns a text with such markup as Markdown. Line breaks are kept.
pub(crate) fn to_markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut rest = text;
    while let Some((before, code, behind)) = block_of_code(rest) {
        lines(before, &mut out);
        if !out.is_empty() {
            out.push_str("\n\n");
        }
        out.push_str(&fenced("", code.trim_matches('\n')));
        rest = behind.trim_start_matches('\n');
        if !rest.trim().is_empty() {
            out.push_str("\n\n");
        }
    }
    lines(rest, &mut out);
    out
}

/// Splits a text into the part before its first code block, the code, and the part after it.
fn block_of_code(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("```")?;
    let (code, behind) = rest.split_once("```")?;
    Some((before, code, behind))
}

fn lines(text: &str, out: &mut String) {
    let text = text.trim_matches('\n');
    if text.trim().is_empty() {
        return;
    }
    // The kind of the preceding line decides what separates it from the next one.
    let mut last = Row::Blank;
    for line in text.lines() {
        let row = Row::of(line);
        match (last, row) {
            (Row::Blank, _) => {}
            (Row::Words, Row::Words) => out.push_str("\\\n"),
            (a, b) if a == b => out.push('\n'),
            (_, Row::Blank) => out.push_str("\n\n"),
            _ => out.push_str("\n\n"),
        }
        let words = line.trim();
        match row {
            Row::Blank => {}
            Row::Words => inline(words, out),
            Row::Item => {
                out.push_str("- ");
                inline(words[1..].trim_start(), out);
            }
            Row::Quote => {
                out.push_str("> ");
                inline(words[1..].trim_start(), out);
            }
        }
        last = row;
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Row {
    Blank,
    Words,
    Item,
    Quote,
}

impl Row {
    fn of(line: &str) -> Self {
        let line = line.trim();
        if line.is_empty() {
            Self::Blank
        } else if line.starts_with("- ") || line.starts_with("* ") {
            Self::Item
        } else if line.starts_with("> ") {
            Self::Quote
        } else {
            Self::Words
        }
    }
}

/// Adds the text of a line.
fn inline(line: &str, out: &mut String) {
    Marks::of(line).add(0..line.len(), &KINDS, out);
}

/// Adds literal text with the spaces around it.
fn plain(words: &str, out: &mut String) {
    let (start, end) = (words.len() - words.trim_start().len(), words.trim_end().len());
    if start >= end {
        out.push_str(words);
        return;
    }
    out.push_str(&words[..start]);
    out.push_str(&verbatim(&words[start..end]));
    out.push_str(&words[end..]);
}

/// The marks, and how Markdown writes them.
const KINDS: [(char, &str); 4] = [('`', "`"), ('*', "**"), ('_', "*"), ('~', "~~")];

/// The marks of a line outside of code. A mark opens at the start of a word and closes at the end of one.
struct Marks<'a> {
    line: &'a str,
    /// The positions of opening marks.
    open: Vec<(usize, char)>,
    /// The positions of closing marks, for each of the [`KINDS`].
    close: [Vec<usize>; KINDS.len()],
}

impl<'a> Marks<'a> {
    fn of(line: &'a str) -> Self {
        let mut marks = Self { line, open: Vec::new(), close: Default::default() };
        let mut chars = line.char_indices().peekable();
        let mut before = ' ';
        // Marks in code, which does not end before its mark.
        let mut in_code: Option<(usize, usize, [usize; KINDS.len()])> = None;
        while let Some((at, c)) = chars.next() {
            let after = chars.peek().map_or(' ', |(_, c)| *c);
            if let Some(kind) = KINDS.iter().position(|(mark, _)| *mark == c) {
                let closes = !before.is_whitespace() && !after.is_alphanumeric();
                let opens = !before.is_alphanumeric() && !after.is_whitespace();
                match in_code {
                    Some((start, open, close)) if kind == 0 && closes && at > start + 1 => {
                        marks.open.truncate(open);
                        for (positions, len) in marks.close.iter_mut().zip(close) {
                            positions.truncate(len);
                        }
                        marks.close[0].push(at);
                        in_code = None;
                    }
                    _ => {
                        if closes {
                            marks.close[kind].push(at);
                        }
                        if opens {
                            marks.open.push((at, c));
                        }
                        if kind == 0 && opens && in_code.is_none() {
                            let lens = std::array::from_fn(|kind| marks.close[kind].len());
                            in_code = Some((at, marks.open.len(), lens));
                        }
                    }
                }
            }
            before = c;
        }
        marks
    }

    /// Adds a part of the line, in which these marks count.
    fn add(&self, part: Range<usize>, kinds: &[(char, &str)], out: &mut String) {
        let mut done = part.start;
        let first = self.open.partition_point(|(at, _)| *at < part.start);
        for (start, mark) in self.open[first..].iter().take_while(|(at, _)| *at < part.end) {
            let Some((_, written)) = kinds.iter().find(|(kind, _)| kind == mark) else { continue };
            let end = self.end_of(*start, *mark).filter(|end| *end < part.end);
            let Some(end) = end.filter(|_| *start >= done) else { continue };
            plain(&self.line[done..*start], out);
            out.push_str(written);
            match mark {
                '`' => out.push_str(&self.line[start + 1..end]),
                mark => {
                    let others: Vec<_> =
                        kinds.iter().copied().filter(|(kind, _)| kind != mark).collect();
                    self.add(start + 1..end, &others, out);
                }
            }
            out.push_str(written);
            done = end + 1;
        }
        plain(&self.line[done..part.end], out);
    }

    /// Returns the position of the mark that closes one.
    fn end_of(&self, start: usize, mark: char) -> Option<usize> {
        let kind = KINDS.iter().position(|(kind, _)| *kind == mark)?;
        let close = &self.close[kind];
        close.get(close.partition_point(|at| *at <= start + 1)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::to_markdown;

    #[test]
    fn marks_are_those_of_markdown() {
        for (text, markdown) in [
            ("*bold* and _soft_", "**bold** and *soft*"),
            ("~old~ `let x`", "~~old~~ `let x`"),
            ("snake_case_name 2*3*4", "snake\\_case\\_name 2\\*3\\*4"),
            ("one\ntwo", "one\\\ntwo"),
            ("# no title", "\\# no title"),
            ("- a\n- b", "- a\n- b"),
            ("> so\nyes", "> so\n\nyes"),
            ("```fn main()```", "```\nfn main()\n```"),
            ("<b>", "\\<b\\>"),
            // Code first, then nesting.
            ("`a *b* c` d", "`a *b* c` d"),
            ("`a *b` c*", "`a *b` c\\*"),
            ("*a `b* c`*", "**a `b* c`**"),
            ("*a _b_*", "**a *b***"),
            ("_a *b* ~c~_", "*a **b** ~~c~~*"),
            ("*a _b* c_", "**a \\_b** c\\_"),
            ("`a *b*", "\\`a **b**"),
        ] {
            assert_eq!(to_markdown(text), markdown, "{text}");
        }
    }
}
