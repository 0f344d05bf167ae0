//! Minifies style sheets, and finds the custom properties in them.

/// Removes what browsers ignore from a style sheet: comments, except those that start with `/*!`,
/// spaces beside punctuation, and the semicolon before a brace.
pub(super) fn minify(css: &str) -> String {
    let mut out = Minified::default();
    let mut rest = css;
    while let Some(at) = rest.find(['"', '\'', '/', '\\']) {
        let (before, found) = rest.split_at(at);
        out.add_code(before);
        let end = match found.as_bytes() {
            [b'/', b'*', ..] => {
                let end = found.find("*/").map_or(found.len(), |end| end + 2);
                if found.starts_with("/*!") {
                    out.add_as_it_is(&found[..end]);
                }
                end
            }
            [b'/', ..] => {
                out.add_code("/");
                1
            }
            bytes => {
                let end = match bytes {
                    [b'\\', ..] => found.chars().take(2).map(char::len_utf8).sum(),
                    [mark, ..] => end_of_string(found, *mark),
                    [] => 0,
                };
                out.add_as_it_is(&found[..end]);
                end
            }
        };
        rest = &found[end..];
    }
    out.add_code(rest);
    if !out.css.is_empty() {
        out.css.push('\n');
    }
    out.css
}

/// A minified style sheet, built from parts.
#[derive(Default)]
struct Minified {
    css: String,
    /// A pending space, which is written if the next part needs it.
    blank: Option<char>,
    /// Whether the last character is code: not escaped and not part of a string or a comment.
    ends_in_code: bool,
}

impl Minified {
    /// Adds code: text without escapes, strings or comments.
    fn add_code(&mut self, code: &str) {
        for c in code.chars() {
            if c.is_ascii_whitespace() {
                let is_line = c == '\n' || self.blank == Some('\n');
                self.blank = Some(if is_line { '\n' } else { ' ' });
                continue;
            }
            self.end_blank(Some(c));
            if c == '}' && self.last_in_code() == Some(';') {
                self.css.pop();
            }
            self.css.push(c);
            self.ends_in_code = true;
        }
    }

    fn add_as_it_is(&mut self, text: &str) {
        self.end_blank(None);
        self.css.push_str(text);
        self.ends_in_code = false;
    }

    /// Writes the pending space, if it is significant before the next character.
    fn end_blank(&mut self, next: Option<char>) {
        let Some(blank) = self.blank.take() else { return };
        let is_insignificant = match self.last_in_code() {
            _ if self.css.is_empty() => true,
            Some('{' | ';' | ',') => true,
            // The value of a custom property can be a space.
            Some(':') => !matches!(next, Some(';' | '}')),
            Some('}') => blank == ' ' || next == Some('}'),
            _ => matches!(next, Some('{' | '}' | ';' | ',')),
        };
        if !is_insignificant {
            self.css.push(blank);
        }
    }

    fn last_in_code(&self) -> Option<char> {
        self.css.chars().next_back().filter(|_| self.ends_in_code)
    }
}

/// Returns the names of the custom properties that a style sheet declares or uses, without the
/// `--`.
pub(super) fn properties(css: &str) -> Vec<String> {
    let after = css.split("--").skip(1);
    let is_name = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let names = after.filter_map(|rest| {
        let end = rest.find(|c| !is_name(c))?;
        let next = rest[end..].trim_start().chars().next()?;
        [':', ')', ','].contains(&next).then(|| rest[..end].to_owned())
    });
    names.filter(|name| !name.is_empty()).collect()
}

/// Returns the end of a string that starts with a quotation mark, in bytes.
pub(super) fn end_of_string(text: &str, mark: u8) -> usize {
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            _ if byte == mark => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::{minify, properties};

    #[track_caller]
    fn check(css: &str, expected: &str) {
        assert_eq!(minify(css), expected);
    }

    #[test]
    fn properties_are_known_by_their_names() {
        let css =
            ":root { --ink: #000; --a-b : 1px } p { color: var(--c, red); --x } a--b:hover {}";
        assert_eq!(properties(css), ["ink", "a-b", "c", "b"]);
    }

    #[test]
    fn comments_are_removed_and_similar_text_is_kept() {
        check("/* a */\n\n  a { b: c; } /* d\n e */ f {}\n", "a{b:c}f{}\n");
        check("/*! Mine */\na {}", "/*! Mine */\na{}\n");
        check(r#"a { content: "/* no \" */"; }"#, "a{content:\"/* no \\\" */\"}\n");
        check(r"a { content: '/*'; b: \'; }/* x", "a{content:'/*';b:\\'}\n");
        check("a { grid-area: 1 / 2; }", "a{grid-area:1 / 2}\n");
        check("a { b: \"ü", "a{b:\"ü\n");
        check(" \n/* a */ ", "");
    }

    #[test]
    fn insignificant_spaces_are_removed() {
        check(
            "@media x {\n  a { b: c; }\n}\nd,\ne > f { g: h }\n",
            "@media x{a{b:c}}\nd,e > f{g:h}\n",
        );
        check("a :hover , b { c: calc(1px + 2px) }", "a :hover,b{c:calc(1px + 2px)}\n");
        check("a { --none: ; --other: }", "a{--none: ;--other: }\n");
        check("@charset \"utf-8\" ;\n@import 'a b' ;", "@charset \"utf-8\";@import 'a b';\n");
        check(r".a\; .b\{ c { d: '; ' }", ".a\\; .b\\{ c{d:'; '}\n");
        check("a { b: c;; }", "a{b:c;}\n");
    }
}
