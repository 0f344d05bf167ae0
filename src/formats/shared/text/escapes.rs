//! Removes terminal escape sequences from program output.

/// Removes sequences that set colours or move the cursor.
pub(crate) fn without_escapes(text: &str) -> String {
    if !text.contains(['\u{1b}', '\u{9b}']) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let kind = match c {
            '\u{9b}' => Some('['),
            '\u{1b}' => chars.next(),
            _ => {
                out.push(c);
                continue;
            }
        };
        match kind {
            // Parameters, up to a letter.
            Some('[') => while chars.next().is_some_and(|c| !('@'..='~').contains(&c)) {},
            // A title or a link, up to a bell or another escape.
            Some(']') => {
                while let Some(c) = chars.next() {
                    if c == '\u{7}' {
                        break;
                    }
                    if c == '\u{1b}' {
                        chars.next_if_eq(&'\\');
                        break;
                    }
                }
            }
            Some('(' | ')' | '#') => _ = chars.next(),
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::without_escapes;

    #[test]
    fn escapes_are_removed() {
        let text =
            "\u{1b}[1;31mred\u{1b}[0m \u{1b}]8;;https://example.org\u{7}link\u{1b}]8;;\u{1b}\\!";
        assert_eq!(without_escapes(text), "red link!");
        assert_eq!(without_escapes("\u{1b}["), "");
    }
}
