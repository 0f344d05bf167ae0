//! Words in the styles that people give them, as Markdown.

use crate::formats::verbatim::verbatim;

/// The style of words.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::formats) struct Style {
    pub(in crate::formats) bold: bool,
    pub(in crate::formats) italic: bool,
    pub(in crate::formats) struck: bool,
    pub(in crate::formats) code: bool,
}

impl Style {
    /// Returns a style with all of another one.
    pub(in crate::formats) fn with(self, other: Self) -> Self {
        Self {
            bold: self.bold || other.bold,
            italic: self.italic || other.italic,
            struck: self.struck || other.struck,
            code: self.code || other.code,
        }
    }
}

/// Words one after another. What has one style is one run, wherever it was parted, and each line is a
/// line.
#[derive(Debug, Default)]
pub(in crate::formats) struct Words {
    out: String,
    run: String,
    style: Style,
}

impl Words {
    /// Adds words that mean nothing but themselves.
    pub(in crate::formats) fn add(&mut self, text: &str, style: Style) {
        if style != self.style {
            self.end_run();
            self.style = style;
        }
        self.run.push_str(text);
    }

    /// Adds Markdown, such as a link, with a style around it.
    pub(in crate::formats) fn put(&mut self, markdown: &str, style: Style) {
        self.end_run();
        // With the mark before it a link would be a picture.
        if markdown.starts_with('[') && self.out.ends_with('!') {
            self.out.pop();
            self.out.push_str("\\!");
        }
        let (open, close) = marks(Style { code: false, ..style });
        self.out.push_str(&format!("{open}{markdown}{close}"));
    }

    /// Returns all of it as Markdown.
    pub(in crate::formats) fn finish(mut self) -> String {
        self.end_run();
        let mut out = self.out;
        while let Some(kept) = out.strip_suffix("\\\n").or(out.strip_suffix('\n')) {
            out.truncate(kept.len());
        }
        out.truncate(out.trim_end().len());
        out
    }

    fn end_run(&mut self) {
        let run = std::mem::take(&mut self.run);
        for (place, line) in run.split('\n').enumerate() {
            if place > 0 {
                self.end_line();
            }
            self.line(line);
        }
    }

    fn line(&mut self, line: &str) {
        let line = line.trim_end_matches('\r');
        let inside = line.trim();
        let begins = self.out.is_empty() || self.out.ends_with('\n');
        if inside.is_empty() {
            self.out.push_str(if begins { "" } else { line });
            return;
        }
        let start = line.len() - line.trim_start().len();
        let before = if begins { "" } else { &line[..start] };
        let behind = &line[start + inside.len()..];
        let words = match self.style.code {
            true => code(inside),
            false => verbatim(inside),
        };
        let (open, close) = marks(Style { code: false, ..self.style });
        self.out.push_str(&format!("{before}{open}{words}{close}{behind}"));
    }

    /// Begins another line, or another paragraph where the line is empty.
    fn end_line(&mut self) {
        let end = self.out.trim_end_matches([' ', '\t']).len();
        self.out.truncate(end);
        if self.out.is_empty() || self.out.ends_with("\n\n") {
            return;
        }
        match self.out.strip_suffix("\\\n").map(str::len) {
            Some(end) => {
                self.out.truncate(end);
                self.out.push_str("\n\n");
            }
            None => self.out.push_str("\\\n"),
        }
    }
}

/// Returns the marks before and behind words of a style.
fn marks(style: Style) -> (String, String) {
    let marks = [(style.struck, "~~"), (style.bold, "**"), (style.italic, "*")];
    let own = || marks.iter().filter(|(has, _)| *has).map(|(_, mark)| *mark);
    (own().collect(), own().rev().collect())
}

/// Returns a code span.
pub(in crate::formats) fn code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

#[cfg(test)]
mod tests {
    use super::{Style, Words};

    #[test]
    fn styles_and_lines_stay() {
        let (plain, bold) = (Style::default(), Style { bold: true, ..Style::default() });
        let mut words = Words::default();
        words.add("The ", plain);
        words.add("tide ", bold);
        words.add("is in!", plain);
        words.put("[So](<https://example.org/>)", plain);
        words.add("\n1. *one*\n\n\n    two\\", plain);
        words.add("`x`", Style { code: true, ..plain });
        words.add("\n\n", plain);
        assert_eq!(
            words.finish(),
            "The **tide** is in\\![So](<https://example.org/>)\\\n1\\. \\*one\\*\n\ntwo\\\\`` `x` ``"
        );
    }
}
