//! Conversion of styled text to Markdown.

use crate::shared::text::verbatim::verbatim;
use crate::shared::text::web_links::public_url;
use convo_base::model::{Block, fenced};

/// The style of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Style {
    pub(crate) bold: bool,
    pub(crate) italic: bool,
    pub(crate) struck: bool,
    pub(crate) code: bool,
}

impl Style {
    pub(crate) const PLAIN: Self = Self { bold: false, italic: false, struck: false, code: false };
    pub(crate) const BOLD: Self = Self { bold: true, ..Self::PLAIN };
    pub(crate) const ITALIC: Self = Self { italic: true, ..Self::PLAIN };
    pub(crate) const STRUCK: Self = Self { struck: true, ..Self::PLAIN };
    pub(crate) const CODE: Self = Self { code: true, ..Self::PLAIN };

    /// Returns a style combined with another one.
    pub(crate) fn with(self, other: Self) -> Self {
        Self {
            bold: self.bold || other.bold,
            italic: self.italic || other.italic,
            struck: self.struck || other.struck,
            code: self.code || other.code,
        }
    }

    /// Returns the marks before and after text of the style, without those for code.
    fn marks(self) -> (String, String) {
        let marks = [(self.struck, "~~"), (self.bold, "**"), (self.italic, "*")];
        let own = || marks.iter().filter(|(has, _)| *has).map(|(_, mark)| *mark);
        (own().collect(), own().rev().collect())
    }
}

/// Builds Markdown from runs of text. Adjacent text of the same style is one run; line breaks are
/// kept, and empty lines separate paragraphs.
#[derive(Debug, Default)]
pub(crate) struct Prose {
    out: String,
    /// The current run, which may continue.
    run: String,
    style: Style,
    /// Line breaks that are not written yet.
    breaks: usize,
    /// Whether the last part is a block of its own.
    is_apart: bool,
}

impl Prose {
    /// Adds literal text.
    pub(crate) fn plain(&mut self, text: &str) {
        self.add(text, Style::PLAIN);
    }

    /// Adds literal text in a style.
    pub(crate) fn add(&mut self, text: &str, style: Style) {
        if style != self.style {
            self.end_run();
            self.style = style;
        }
        self.run.push_str(text);
    }

    /// Adds Markdown, such as a link, in a style.
    pub(crate) fn put(&mut self, markdown: &str, style: Style) {
        self.end_run();
        self.begin();
        let (open, close) = style.marks();
        self.push(&format!("{open}{markdown}{close}"));
    }

    /// Adds a link, or only its text if the URL is not public.
    pub(crate) fn link(&mut self, text: &str, url: &str) {
        match public_url(url) {
            Some(url) => {
                self.end_run();
                // A link on each line would repeat the URL.
                let text = text.replace(['\r', '\n'], " ");
                self.lines(&text, |words| format!("[{}](<{url}>)", verbatim(words)));
            }
            None => self.plain(text),
        }
    }

    /// Adds code: a code block if it has several lines.
    pub(crate) fn code(&mut self, code: &str) {
        match code.contains('\n') {
            true => self.fenced("", code),
            false => self.add(code, Style::CODE),
        }
    }

    /// Adds a code block.
    pub(crate) fn fenced(&mut self, language: &str, code: &str) {
        let is_word = |c: char| c.is_ascii_alphanumeric() || ['+', '-', '#', '.'].contains(&c);
        let language = if language.chars().all(is_word) { language } else { "" };
        self.apart(&fenced(language, code.trim_matches('\n')));
    }

    /// Adds a quotation.
    pub(crate) fn quote(&mut self, text: &str) {
        let mut quoted = Self::default();
        quoted.plain(text.trim());
        let quoted = quoted.finish();
        let lines: Vec<String> = quoted.lines().map(|line| format!("> {line}")).collect();
        self.apart(&lines.join("\n"));
    }

    /// Adds a list item.
    pub(crate) fn item(&mut self, text: &str) {
        self.end_run();
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let item = format!("- {}", verbatim(&words));
        match self.out.rsplit('\n').next().is_some_and(|line| line.starts_with("- ")) {
            true => {
                self.out.push('\n');
                self.out.push_str(&item);
            }
            false => self.apart(&item),
        }
    }

    /// Returns the Markdown.
    pub(crate) fn finish(mut self) -> String {
        self.end_run();
        self.out.truncate(self.out.trim_end().len());
        self.out
    }

    /// Returns the Markdown as a block, unless it is empty.
    pub(crate) fn done(self) -> Option<Block> {
        let text = self.finish();
        (!text.is_empty()).then_some(Block::Markdown { text })
    }

    fn end_run(&mut self) {
        let run = std::mem::take(&mut self.run);
        let style = self.style;
        let (open, close) = style.marks();
        self.lines(&run, |words| match style.code {
            true => format!("{open}{}{close}", code(words)),
            false => format!("{open}{}{close}", verbatim(words)),
        });
    }

    /// Adds lines, each converted by `marked`, with the spaces around it.
    fn lines(&mut self, text: &str, marked: impl Fn(&str) -> String) {
        for (place, line) in text.split('\n').enumerate() {
            self.breaks += usize::from(place > 0);
            let line = line.trim_end_matches('\r');
            let words = line.trim();
            let is_within = self.breaks == 0 && !self.is_apart && !self.out.is_empty();
            if words.is_empty() {
                // A space between two runs.
                self.out.push_str(if is_within { line } else { "" });
                continue;
            }
            self.begin();
            let start = line.len() - line.trim_start().len();
            self.out.push_str(if is_within { &line[..start] } else { "" });
            self.push(&marked(words));
            self.out.push_str(&line[start + words.len()..]);
        }
    }

    /// Adds Markdown to the current line.
    fn push(&mut self, markdown: &str) {
        // A preceding `!` would turn the link into a picture.
        if markdown.starts_with('[') && self.out.ends_with('!') {
            self.out.pop();
            self.out.push_str("\\!");
        }
        self.out.push_str(markdown);
    }

    /// Ends the preceding lines.
    fn begin(&mut self) {
        let breaks = std::mem::take(&mut self.breaks);
        let is_apart = std::mem::take(&mut self.is_apart);
        if breaks > 0 || is_apart {
            self.out.truncate(self.out.trim_end().len());
        }
        if self.out.is_empty() {
            return;
        }
        self.out.push_str(match breaks {
            _ if is_apart => "\n\n",
            0 => "",
            1 => "\\\n",
            _ => "\n\n",
        });
    }

    fn apart(&mut self, text: &str) {
        self.end_run();
        self.is_apart = true;
        self.begin();
        self.out.push_str(text);
        self.is_apart = true;
    }
}

/// Returns typed text without markup as Markdown.
pub(crate) fn plain(text: &str) -> Option<Block> {
    let mut prose = Prose::default();
    prose.plain(text);
    prose.done()
}

/// Returns a code span.
pub(crate) fn code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

#[cfg(test)]
mod tests {
    use super::{Prose, Style};

    fn text(add: impl Fn(&mut Prose)) -> String {
        let mut prose = Prose::default();
        add(&mut prose);
        prose.finish()
    }

    #[test]
    fn lines_stay_lines() {
        assert_eq!(text(|it| it.plain("a\nb\n\n\nc *d*\n")), "a\\\nb\n\nc \\*d\\*");
        assert_eq!(text(|it| it.plain(" \n ")), "");
    }

    #[test]
    fn runs_have_their_marks_and_spaces() {
        let bold = text(|it| {
            it.plain("The ");
            it.add("high\ntide ", Style::BOLD);
            it.plain("is");
            it.plain(" ");
            it.add("here", Style::ITALIC);
        });
        assert_eq!(bold, "The **high**\\\n**tide** is *here*");
        let code = text(|it| {
            it.plain("Run ");
            it.code("a`b");
            it.plain(" or\n");
            it.fenced("sh", "one\ntwo");
            it.plain("\nthen");
            it.quote("no\nyes");
            it.item("x");
            it.item("y");
        });
        assert_eq!(
            code,
            "Run ``a`b`` or\n\n```sh\none\ntwo\n```\n\nthen\n\n> no\\\n> yes\n\n- x\n- y"
        );
        let broken = text(|it| it.link("the\nmill", "https://example.org/mill"));
        assert_eq!(broken, "[the mill](<https://example.org/mill>)");
        let links = text(|it| {
            it.link("the mill", "https://example.org/mill");
            it.plain(" and ");
            it.link("mine", "tg://user?id=1");
        });
        assert_eq!(links, "[the mill](<https://example.org/mill>) and mine");
    }

    #[test]
    fn text_with_one_style_is_one_run() {
        let words = text(|it| {
            it.plain("The ");
            it.add("ti", Style::BOLD);
            it.add("de ", Style::BOLD);
            it.plain("is in!");
            it.put("[So](<https://example.org/>)", Style::PLAIN);
            it.plain("\n1. *one*\n\n\n    two\\");
            it.add("`x`", Style::CODE);
            it.plain("\n\n");
        });
        assert_eq!(
            words,
            "The **tide** is in\\![So](<https://example.org/>)\\\n1\\. \\*one\\*\n\ntwo\\\\`` `x` ``"
        );
    }
}
