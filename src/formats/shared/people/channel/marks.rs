//! Conversion of messenger markup to Markdown: `*bold*`, `_italic_`, `~struck~`, code, lists and
//! quotations.

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
    let mut rest = line;
    while let Some(run) = Run::first(rest) {
        plain(&rest[..run.start], out);
        let inside = &rest[run.start + 1..run.end];
        match run.mark {
            '`' => out.push_str(&format!("`{inside}`")),
            mark => {
                let marks = match mark {
                    '*' => "**",
                    '_' => "*",
                    _ => "~~",
                };
                out.push_str(marks);
                plain(inside, out);
                out.push_str(marks);
            }
        }
        rest = &rest[run.end + 1..];
    }
    plain(rest, out);
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

/// Text between two marks: the positions of both.
struct Run {
    mark: char,
    start: usize,
    end: usize,
}

impl Run {
    /// Finds the first pair on a line. A mark opens at the start of a word and closes at the end of
    /// one.
    fn first(line: &str) -> Option<Self> {
        // For each mark, its possible opening position.
        let mut open: [Option<usize>; 4] = [None; 4];
        let mut before = ' ';
        let mut best: Option<Self> = None;
        let mut chars = line.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let after = chars.peek().map_or(' ', |(_, c)| *c);
            if let Some(kind) = "*_~`".find(c) {
                let may_close = !before.is_whitespace() && !after.is_alphanumeric();
                match open[kind].filter(|start| may_close && at > start + 1) {
                    Some(start) => {
                        best = Some(Self { mark: c, start, end: at });
                        break;
                    }
                    None if !before.is_alphanumeric() && !after.is_whitespace() => {
                        open[kind].get_or_insert(at);
                    }
                    None => {}
                }
            }
            before = c;
        }
        best
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
        ] {
            assert_eq!(to_markdown(text), markdown, "{text}");
        }
    }
}
