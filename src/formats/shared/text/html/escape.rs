//! Escapes text so that Markdown shows it unchanged.

/// Collapses each run of white space into one space or one line break, as browsers do.
pub(super) fn collapsed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut last = None;
    for c in text.chars() {
        let blank = c.is_whitespace() && c != '\u{a0}';
        match (blank, last) {
            (true, None) => last = Some(c),
            (true, Some(_)) if c == '\n' => last = Some(c),
            (true, Some(_)) => {}
            (false, _) => {
                out.extend(last.take().map(|c| if c == '\n' { c } else { ' ' }));
                out.push(c);
            }
        }
    }
    out.extend(last.map(|c| if c == '\n' { c } else { ' ' }));
    out
}

/// Appends a text to Markdown, with escapes. `starts_line` is whether it is at the start of a line.
pub(super) fn escape(text: &str, mut starts_line: bool, out: &mut String) {
    let mut before = ' ';
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let next = chars.peek().copied().unwrap_or(' ');
        let is_marked = match c {
            '\\' => next.is_ascii_punctuation() && !"()[]".contains(next),
            '*' | '`' => true,
            '_' => !(before.is_alphanumeric() && next.is_alphanumeric()),
            '<' => next.is_ascii_alphabetic() || "/!?".contains(next),
            '&' => next.is_ascii_alphabetic() || next == '#',
            '~' => next == '~' || before == '~',
            ']' => "([:".contains(next),
            '#' | '>' => starts_line,
            '+' | '-' | '=' => starts_line && (next == ' ' || next == c),
            '.' | ')' => next == ' ' && before.is_ascii_digit() && ends_in_number(out),
            _ => false,
        };
        if is_marked {
            out.push('\\');
        }
        out.push(c);
        starts_line = c == '\n' || starts_line && c == ' ';
        before = c;
    }
}

/// Returns whether the last line of a text is just a number.
fn ends_in_number(text: &str) -> bool {
    let digits = text.bytes().rev().take(10).take_while(u8::is_ascii_digit).count();
    let before = text.bytes().rev().nth(digits);
    digits < 10 && before.is_none_or(|byte| byte == b'\n')
}
