//! Stylesheets: comments go, and names of custom properties are found.

/// Removes comments, except those that begin with `/*!`, and empty lines from a stylesheet.
pub(super) fn without_comments(css: &str) -> String {
    let mut out = String::with_capacity(css.len());
    let mut rest = css;
    while let Some(at) = rest.find(['"', '\'', '/', '\\']) {
        let (before, found) = rest.split_at(at);
        out.push_str(before);
        let end = match found.as_bytes() {
            [b'/', b'*', ..] => {
                let end = found.find("*/").map_or(found.len(), |end| end + 2);
                if found.starts_with("/*!") {
                    out.push_str(&found[..end]);
                }
                rest = &found[end..];
                continue;
            }
            [b'/', ..] => 1,
            [b'\\', ..] => found.chars().take(2).map(char::len_utf8).sum(),
            [mark, ..] => end_of_string(found, *mark),
            [] => 0,
        };
        out.push_str(&found[..end]);
        rest = &found[end..];
    }
    out.push_str(rest);
    let lines = out.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Returns the names of the custom properties that a stylesheet declares or asks for, without the
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

/// Returns the end of a string that starts with its quotation mark. Bytes.
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
    use super::{properties, without_comments};

    #[track_caller]
    fn check(css: &str, expected: &str) {
        assert_eq!(without_comments(css), expected);
    }

    #[test]
    fn properties_are_known_by_their_names() {
        let css = ":root { --ink: #000; --a-b : 1px } p { color: var(--c, red); --x } a--b:hover {}";
        assert_eq!(properties(css), ["ink", "a-b", "c", "b"]);
    }

    #[test]
    fn comments_go_and_what_looks_like_one_stays() {
        check("/* a */\n\n  a { b: c; } /* d\n e */ f {}\n", "a { b: c; }  f {}\n");
        check("/*! Mine */\na {}", "/*! Mine */\na {}\n");
        check(r#"a { content: "/* no \" */"; }"#, "a { content: \"/* no \\\" */\"; }\n");
        check(r"a { content: '/*'; b: \'; }/* x", "a { content: '/*'; b: \\'; }\n");
        check("a { grid-area: 1 / 2; }", "a { grid-area: 1 / 2; }\n");
        check("a { b: \"ü", "a { b: \"ü\n");
    }
}
