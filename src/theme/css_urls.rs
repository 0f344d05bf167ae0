//! URLs that a style sheet loads.

use std::ops::Range;

use super::css::end_of_string;
use crate::config::LoadKind;

/// A URL in a style sheet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StyleUrl {
    /// What is loaded from it.
    pub kind: LoadKind,
    /// The URL as written, without quotation marks.
    pub address: String,
    /// Its range of bytes in the style sheet.
    pub at: Range<usize>,
}

/// Returns the URLs that a style sheet loads: in `url()`, `@import` and `image-set()`.
pub(super) fn addresses(css: &str) -> Vec<StyleUrl> {
    let mut reader = Reader::default();
    let mut at = 0;
    while let Some(found) = css.get(at..).filter(|rest| !rest.is_empty()) {
        at += reader.step(found, at);
    }
    reader.found
}

/// The state of the scanner.
#[derive(Default)]
struct Reader {
    /// The statement so far, in lower case and without the content of brackets.
    statement: String,
    /// The open functions.
    functions: Vec<String>,
    /// The open blocks, and whether each of them describes a font.
    blocks: Vec<bool>,
    found: Vec<StyleUrl>,
}

impl Reader {
    /// Reads the next token and returns its length in bytes.
    fn step(&mut self, rest: &str, at: usize) -> usize {
        let Some(first) = rest.chars().next() else { return 1 };
        match first {
            '/' if rest.starts_with("/*") => {
                return rest.find("*/").map_or(rest.len(), |end| end + 2);
            }
            '\\' => return rest.chars().take(2).map(char::len_utf8).sum(),
            '"' | '\'' => {
                let len = end_of_string(rest, rest.as_bytes()[0]);
                let inside = rest.get(1..len.max(2) - 1).unwrap_or_default();
                let set = self.functions.last().is_some_and(|name| name.ends_with("image-set"));
                if set {
                    self.add(LoadKind::Image, inside, at + 1);
                } else if self.functions.is_empty() && self.is_import() {
                    self.add(LoadKind::Style, inside, at + 1);
                    self.statement.push('!');
                }
                return len;
            }
            '(' => {
                let is_word = |c: char| c.is_ascii_alphanumeric() || c == '-';
                let start = self.statement.trim_end_matches(is_word).len();
                let name = self.statement.split_off(start);
                if name == "url" {
                    return self.url(rest, at);
                }
                self.functions.push(name);
            }
            ')' => {
                self.functions.pop();
            }
            '{' => {
                let statement = std::mem::take(&mut self.statement);
                self.blocks.push(statement.trim() == "@font-face");
                self.functions.clear();
            }
            '}' | ';' => {
                if first == '}' {
                    self.blocks.pop();
                }
                self.statement.clear();
                self.functions.clear();
            }
            _ => self.statement.extend(first.to_lowercase()),
        }
        first.len_utf8()
    }

    /// Whether the statement is an `@import` that has no URL yet.
    fn is_import(&self) -> bool {
        self.statement.trim() == "@import"
    }

    /// Reads a URL after `url(`.
    fn url(&mut self, rest: &str, at: usize) -> usize {
        let inside = rest.get(1..).unwrap_or_default();
        let space = inside.len() - inside.trim_start().len();
        let text = inside.trim_start();
        let from = 1 + space;
        let (address, start, len) = match text.as_bytes().first() {
            Some(mark @ (b'"' | b'\'')) => {
                let end = end_of_string(text, *mark);
                let address = text.get(1..end.max(2) - 1).unwrap_or_default();
                let close = text.get(end..).and_then(|rest| rest.find(')'));
                (address, from + 1, from + end + close.map_or(0, |close| close + 1))
            }
            _ => {
                let end = text.find(')').unwrap_or(text.len());
                let address = text.get(..end).unwrap_or_default().trim_end();
                (address, from, (from + end + 1).min(rest.len()))
            }
        };
        let is_font = self.blocks.last() == Some(&true);
        let kind = match self.statement.trim() {
            "@import" => Some(LoadKind::Style),
            other if other.starts_with("@namespace") => None,
            _ if is_font => Some(LoadKind::Font),
            _ => Some(LoadKind::Image),
        };
        if let Some(kind) = kind {
            self.add(kind, address, at + start);
        }
        self.statement.push('!');
        len
    }

    fn add(&mut self, kind: LoadKind, address: &str, start: usize) {
        let at = start..start + address.len();
        self.found.push(StyleUrl { kind, address: address.to_owned(), at });
    }
}

#[cfg(test)]
mod tests {
    use super::addresses;

    #[track_caller]
    fn check(css: &str, expected: &[&str]) {
        let found = addresses(css);
        for one in &found {
            assert_eq!(css[one.at.clone()], one.address);
        }
        let found: Vec<String> =
            found.iter().map(|one| format!("{:?} {}", one.kind, one.address)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn urls_are_found_with_their_purpose() {
        check(
            "@import 'a.css'; @import \"b.css\" screen; @IMPORT url( c.css );",
            &["Style a.css", "Style b.css", "Style c.css"],
        );
        check(
            "@font-face { font-family: 'x'; src: local('y'), url(a.woff2) format('woff2') }\n\
             p { background: URL(\"b(1).png\"), image-set('c.png' 1x, url(d.png) 2x) }",
            &["Font a.woff2", "Image b(1).png", "Image c.png", "Image d.png"],
        );
        check(
            "/* url(a) */ p { content: 'url(b)'; --x: curl(c); font: \\u } @namespace url(http://d);",
            &[],
        );
        check(
            "@media print { a { cursor: url(é.cur), auto } } @font-face{} b{c:url(d)}",
            &["Image é.cur", "Image d"],
        );
        for broken in ["url(", "a{b:url('", "@import '", "a{b:url(\\", "\\", "'", "/*", "}}){;("] {
            addresses(broken);
        }
    }
}
