//! Words that people typed, with the marks that their program gave them, as Markdown.

use crate::formats::verbatim::verbatim;
use crate::formats::web_links::public_url;
use crate::model::Block;

/// Words as Markdown, run by run. A line stays a line, and an empty one parts paragraphs.
#[derive(Debug, Default)]
pub(in crate::formats) struct Prose {
    out: String,
    /// The ends of lines that were not written yet.
    breaks: usize,
    /// Whether what was written last stands apart from what follows.
    is_apart: bool,
}

impl Prose {
    /// Adds words as they are.
    pub(in crate::formats) fn plain(&mut self, text: &str) {
        self.marked(text, "");
    }

    /// Adds words between two marks, such as `**`.
    pub(in crate::formats) fn marked(&mut self, text: &str, mark: &str) {
        self.lines(text, |words| format!("{mark}{}{mark}", verbatim(words)));
    }

    /// Adds words that lead to an address, or the words alone where not everybody may follow it.
    pub(in crate::formats) fn link(&mut self, text: &str, url: &str) {
        match public_url(url) {
            Some(url) => {
                self.lines(text, |words| format!("[{}](<{url}>)", verbatim(words)));
            }
            None => self.plain(text),
        }
    }

    /// Adds code, which stands apart if it has lines.
    pub(in crate::formats) fn code(&mut self, code: &str) {
        match code.contains('\n') {
            true => self.fenced("", code),
            false if code.trim().is_empty() => self.plain(code),
            false => {
                let fence = "`".repeat(longest_run(code) + 1);
                let space = if code.contains('`') { " " } else { "" };
                self.begin();
                self.out.push_str(&format!("{fence}{space}{code}{space}{fence}"));
            }
        }
    }

    /// Adds code that stands apart.
    pub(in crate::formats) fn fenced(&mut self, language: &str, code: &str) {
        let is_word =
            |c: char| c.is_ascii_alphanumeric() || ['+', '-', '#', '.'].contains(&c);
        let language = if language.chars().all(is_word) { language } else { "" };
        let fence = "`".repeat(longest_run(code).max(2) + 1);
        self.apart(&format!("{fence}{language}\n{}\n{fence}", code.trim_matches('\n')));
    }

    /// Adds words of somebody else.
    pub(in crate::formats) fn quote(&mut self, text: &str) {
        let mut quoted = Self::default();
        quoted.plain(text.trim());
        let lines: Vec<String> =
            quoted.out.lines().map(|line| format!("> {line}")).collect();
        self.apart(&lines.join("\n"));
    }

    /// Adds an item of a list.
    pub(in crate::formats) fn item(&mut self, text: &str) {
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let item = format!("- {}", verbatim(&words));
        match self.out.lines().last().is_some_and(|line| line.starts_with("- ")) {
            true => {
                self.out.push('\n');
                self.out.push_str(&item);
            }
            false => self.apart(&item),
        }
    }

    /// Returns what was added, if anything was.
    pub(in crate::formats) fn done(self) -> Option<Block> {
        let text = self.out.trim_end().to_owned();
        (!text.is_empty()).then_some(Block::Markdown { text })
    }

    fn lines(&mut self, text: &str, marked: impl Fn(&str) -> String) {
        for (place, line) in text.split('\n').enumerate() {
            self.breaks += usize::from(place > 0);
            let words = line.trim();
            if words.is_empty() {
                // A space between two runs.
                if !line.is_empty() && self.breaks == 0 && !self.is_apart {
                    self.out.push(' ');
                }
                continue;
            }
            let is_within = self.breaks == 0 && !self.is_apart;
            self.begin();
            if is_within && line.starts_with(char::is_whitespace) {
                self.out.push(' ');
            }
            self.out.push_str(&marked(words));
            if line.ends_with(char::is_whitespace) {
                self.out.push(' ');
            }
        }
    }

    /// Ends the lines above.
    fn begin(&mut self) {
        let breaks = std::mem::take(&mut self.breaks);
        let is_apart = std::mem::take(&mut self.is_apart);
        self.out.truncate(match breaks > 0 || is_apart {
            true => self.out.trim_end().len(),
            false => self.out.len(),
        });
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
        self.is_apart = true;
        self.begin();
        self.out.push_str(text);
        self.is_apart = true;
    }
}

/// Returns what somebody typed without any marks, as Markdown.
pub(in crate::formats) fn plain(text: &str) -> Option<Block> {
    let mut prose = Prose::default();
    prose.plain(text);
    prose.done()
}

fn longest_run(code: &str) -> usize {
    code.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::Prose;
    use crate::model::Block;

    fn text(add: impl Fn(&mut Prose)) -> String {
        let mut prose = Prose::default();
        add(&mut prose);
        match prose.done() {
            Some(Block::Markdown { text }) => text,
            _ => String::new(),
        }
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
            it.marked("high\ntide ", "**");
            it.plain("is");
            it.plain(" ");
            it.marked("here", "*");
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
            "Run `` a`b `` or\n\n```sh\none\ntwo\n```\n\nthen\n\n> no\\\n> yes\n\n- x\n- y"
        );
        let links = text(|it| {
            it.link("the mill", "https://example.org/mill");
            it.plain(" and ");
            it.link("mine", "tg://user?id=1");
        });
        assert_eq!(links, "[the mill](<https://example.org/mill>) and mine");
    }
}
