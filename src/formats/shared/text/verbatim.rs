//! Escapes plain text so that it appears unchanged when rendered as Markdown.

/// Escapes one line of plain text. URLs stay as they are, so that they become links.
pub(crate) fn verbatim(line: &str) -> String {
    let mut out = String::with_capacity(line.len() + line.len() / 16);
    let line = line.trim();
    let behind_digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    if behind_digits.len() < line.len() && behind_digits.starts_with(['.', ')']) {
        // It would otherwise start a list item.
        out.push_str(&line[..line.len() - behind_digits.len()]);
        out.push('\\');
        put(behind_digits, &mut out);
    } else {
        if line.starts_with(['-', '+', '=', ':']) {
            out.push('\\');
        }
        put(line, &mut out);
    }
    out
}

/// Escapes plain text of several lines and keeps its line breaks.
pub(crate) fn verbatim_lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    let mut is_open = false;
    for line in text.trim().lines() {
        if !out.is_empty() {
            // A backslash at the end of a line makes a hard line break.
            let continues = is_open && !line.trim().is_empty();
            out.push_str(if continues { "\\\n" } else { "\n" });
        }
        is_open = !line.trim().is_empty();
        out.push_str(&verbatim(line));
    }
    out
}

fn put(line: &str, out: &mut String) {
    for word in line.split_inclusive(' ') {
        let is_address = ["http://", "https://"].iter().any(|scheme| word.starts_with(scheme));
        for c in word.chars() {
            let has_meaning = match c {
                '<' | '>' | '\\' => true,
                '`' | '*' | '_' | '[' | ']' | '$' | '|' | '&' | '~' | '#' | '^' => !is_address,
                _ => false,
            };
            if has_meaning {
                out.push('\\');
            }
            out.push(if matches!(c, '\n' | '\r') { ' ' } else { c });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{verbatim, verbatim_lines};

    #[test]
    fn lines_stay_apart() {
        assert_eq!(verbatim_lines("# a\n- b\n\n\nc\n"), "\\# a\\\n\\- b\n\n\nc");
    }

    #[test]
    fn every_markup_character_is_escaped() {
        assert_eq!(verbatim("- *a* <b> #c"), "\\- \\*a\\* \\<b\\> \\#c");
        assert_eq!(verbatim("2026. A year"), "2026\\. A year");
        assert_eq!(
            verbatim("see https://a.example/b_c_d now_"),
            "see https://a.example/b_c_d now\\_"
        );
    }
}
