//! Excerpts, blank lines around a text, and word counts.

/// Returns a name, or `…` if it has more than `max` characters. It is never cut, because part of a
/// secret would no longer be recognised as one.
pub fn short_name(name: &str, max: usize) -> &str {
    if name.chars().count() > max { "…" } else { name }
}

/// Returns the start of `text` on one line, at most `max` characters, cut between words with `…`.
pub fn excerpt(text: &str, max: usize) -> String {
    let mut line = String::new();
    let mut count = 0;
    for word in text.split_whitespace() {
        let len = word.chars().count();
        let space = usize::from(count > 0);
        if count + space + len > max {
            // A long word, or text in a script without spaces, is cut inside.
            if count < max / 2 {
                if space > 0 {
                    line.push(' ');
                }
                line.extend(word.chars().take(max.saturating_sub(count + space)));
            }
            let kept = line.trim_end_matches(['.', '…', ',', ';', ':', '-', '–', '—', ' ']).len();
            line.truncate(kept);
            line.push('…');
            return line;
        }
        if space > 0 {
            line.push(' ');
        }
        line.push_str(word);
        count += space + len;
    }
    line
}

/// Trims blank lines around `text`, and returns the number of bytes removed from its start. The
/// indentation of the first line is kept: it may start a code block.
pub fn trim_blank_lines(text: &str) -> (&str, usize) {
    let first = text.find(|c: char| !c.is_whitespace()).unwrap_or(text.len());
    let start = text[..first].rfind('\n').map_or(0, |newline| newline + 1);
    let trimmed = text[start..].trim_end();
    if trimmed.is_empty() { ("", text.len()) } else { (trimmed, start) }
}

/// Counts words. In scripts without spaces, each ideograph or kana is a word.
pub fn words(text: &str) -> u64 {
    let mut count = 0;
    let mut inside = false;
    for c in text.chars() {
        if c.is_ascii() {
            count += u64::from(!inside && c.is_ascii_alphanumeric());
            inside = c.is_ascii_alphanumeric() || inside && !c.is_whitespace();
            continue;
        }
        let ideograph = matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}');
        if ideograph {
            count += 1;
            inside = false;
        } else if c.is_alphanumeric() {
            count += u64::from(!inside);
            inside = true;
        } else if c.is_whitespace() {
            inside = false;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::{excerpt, words};

    #[test]
    fn excerpts_end_between_words() {
        assert_eq!(excerpt("one two three", 20), "one two three");
        assert_eq!(excerpt("one two, three", 10), "one two…");
        assert_eq!(excerpt("今天天气怎么样我们去公园吧", 5), "今天天气怎…");
    }

    #[test]
    fn words_are_counted_in_scripts_without_spaces() {
        assert_eq!(words("It's a well-known fact"), 4);
        assert_eq!(words("今天 weather 好"), 4);
    }
}
