//! Excerpts, blank lines around a text, and word counts.

/// Returns a name, or `…` if it has more than `max` characters. It is never cut, because part of a
/// secret would no longer be recognised as one.
pub fn short_name(name: &str, max: usize) -> &str {
    if name.chars().count() > max { "…" } else { name }
}

/// Returns items as a list in a sentence: `a, b and c`.
pub fn and_list(items: &[impl AsRef<str>]) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    match items.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// Returns the last part of a path of any system; empty for a root.
pub fn base_name(path: &str) -> &str {
    let path = path.trim_end_matches(['/', '\\']);
    path.rsplit(['/', '\\']).next().unwrap_or(path)
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

/// Returns the start of a plain text for readers: the [`excerpt`] of its [`readable`] text.
pub fn readable_excerpt(text: &str, max: usize) -> String {
    let mut start = String::new();
    // Any character has at most four bytes.
    for line in text.lines().map(readable_line) {
        if start.len() > (max + 1) * 4 {
            break;
        }
        push_words(&line, &mut start);
    }
    excerpt(&start, max)
}

/// Returns plain text on one line, without what only makes sense in its place: line numbers of files,
/// time stamps in brackets, and the rules and bars of tables. `search/script/markdown.js` does the same
/// on the search page.
pub fn readable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        push_words(&readable_line(line), &mut out);
    }
    out
}

fn push_words(line: &str, out: &mut String) {
    for word in line.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
}

/// Separates the cells of a table in plain text.
const BETWEEN_CELLS: &str = " · ";

/// Ends a cell of a table in plain text.
pub fn end_cell(text: &mut String) {
    if !text.is_empty() && !text.ends_with('\n') && !text.ends_with(BETWEEN_CELLS) {
        text.push_str(BETWEEN_CELLS);
    }
}

/// Ends a row of a table in plain text.
pub fn end_row(text: &mut String) {
    let kept = text.trim_end_matches(BETWEEN_CELLS).len();
    text.truncate(kept);
    text.push('\n');
}

fn readable_line(line: &str) -> String {
    let line = without_number(line);
    if is_rule(line) {
        return String::new();
    }
    let row = row(line);
    if row.chars().count() > 1 && row.starts_with(is_bar) && row.ends_with(is_bar) {
        let cells = row.split(is_bar).map(str::trim).filter(|cell| !cell.is_empty());
        return without_stamps(&cells.collect::<Vec<_>>().join(BETWEEN_CELLS));
    }
    without_stamps(line)
}

/// Returns whether a line only rules off, such as `-----` and the line below the head of a table.
pub fn is_rule(line: &str) -> bool {
    let row = row(line);
    row.chars().nth(2).is_some() && row.chars().all(is_ruling)
}

/// Returns a line without the marks of quotations and spaces around it.
fn row(line: &str) -> &str {
    line.trim_matches(|c: char| c == '>' || c.is_whitespace())
}

/// Removes the number that tools print before a line of a file, such as `12→`.
fn without_number(line: &str) -> &str {
    let start = line.trim_start_matches(' ');
    let rest = start.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = rest.len() < start.len();
    rest.strip_prefix(['→', '\t']).filter(|_| is_numbered).unwrap_or(line)
}

fn is_bar(c: char) -> bool {
    c == '|' || c == '│'
}

/// Returns whether a character can be part of a line that only rules off.
fn is_ruling(c: char) -> bool {
    "-=+*_|:".contains(c) || c.is_whitespace() || matches!(c, '\u{2500}'..='\u{257f}')
}

/// Removes time stamps in brackets, but no indices such as `x[10:20]`.
fn without_stamps(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('[') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let is_index = out.ends_with(|c: char| c.is_alphanumeric() || "_)]".contains(c));
        let len = stamp_len(rest).filter(|_| !is_index).unwrap_or(0);
        if len == 0 {
            out.push('[');
        }
        rest = &rest[len.max(1)..];
    }
    out.push_str(rest);
    out
}

/// The maximum number of characters of a time stamp in brackets.
const MAX_STAMP_CHARS: usize = 34;

/// Returns the length in bytes of the time stamp in brackets that a text starts with.
pub fn stamp_len(text: &str) -> Option<usize> {
    let (end, _) = text.char_indices().take(MAX_STAMP_CHARS).find(|(_, c)| *c == ']')?;
    let inside = text.get(1..end)?;
    let halves = ["AM", "PM", "am", "pm"];
    let time = halves.iter().find_map(|half| inside.strip_suffix(half)).unwrap_or(inside);
    let is_stamp = time.chars().all(|c| c.is_ascii_digit() || " \u{202f}:.,/\\-".contains(c));
    let has_time = time.as_bytes().windows(4).any(|four| match four {
        [hour, b':', tens, ones] => [hour, tens, ones].iter().all(|byte| byte.is_ascii_digit()),
        _ => false,
    });
    (is_stamp && has_time).then_some(end + 1)
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
            // Without branches, which could not be predicted.
            let is_letter = c.is_ascii_alphanumeric();
            count += u64::from(!inside & is_letter);
            inside = is_letter | (inside & !c.is_whitespace());
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
