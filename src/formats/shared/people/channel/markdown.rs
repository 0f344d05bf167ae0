//! The Markdown dialects of messengers: line breaks are kept, HTML is text, and special marks
//! denote people and things.

use super::prose::code;
use convo_base::model::{fenced, quoted};

/// The special features of a dialect.
pub(crate) struct Dialect<'a> {
    /// Whether rows between `|` are tables, and text between `$` is a formula.
    pub(crate) has_tables: bool,
    /// Parses a mark such as `<@7>` at the beginning of a text, which starts with one of [`SIGNS`].
    /// Returns its length in bytes and its replacement.
    pub(crate) mark: &'a mut dyn FnMut(&str) -> Option<(usize, String)>,
}

/// The first characters of marks.
const SIGNS: [char; 5] = ['<', '@', '#', ':', '|'];
/// The maximum nesting depth of quotations.
const MAX_DEPTH: usize = 6;

/// Returns a text as Markdown.
pub(crate) fn to_markdown(text: &str, dialect: &mut Dialect<'_>) -> String {
    nested(text, dialect, 0)
}

fn nested(text: &str, dialect: &mut Dialect<'_>, depth: usize) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut rest = text;
    while let Some((before, code, behind)) = block_of_code(rest) {
        lines(before, &mut out, dialect, depth);
        if !out.is_empty() {
            out.push_str("\n\n");
        }
        out.push_str(&code);
        rest = behind;
        if !rest.trim().is_empty() {
            out.push_str("\n\n");
        }
    }
    lines(rest, &mut out, dialect, depth);
    out
}

/// Splits a text into the part before its first code block, the block, and the part after it.
fn block_of_code(text: &str) -> Option<(&str, String, &str)> {
    let (before, rest) = text.split_once("```")?;
    // A code block in a quotation belongs to the quotation.
    let line = before.rsplit('\n').next().unwrap_or_default();
    if line.trim_start().starts_with('>') {
        return None;
    }
    let (code, behind) = rest.split_once("```")?;
    let (info, code) = match code.split_once('\n') {
        Some((info, code)) if !info.trim().contains(' ') => (info.trim(), code),
        _ => ("", code),
    };
    let behind = behind.trim_start_matches('`').trim_start_matches('\n');
    Some((before, fenced(info, code.trim_end_matches('\n')), behind))
}

#[derive(Clone, Copy, PartialEq)]
enum Row {
    Blank,
    Words,
    Item,
    Heading,
    Table,
}

impl Row {
    fn of(line: &str, has_tables: bool) -> Self {
        let words = line.trim();
        let is_numbered = || {
            let rest = words.trim_start_matches(|c: char| c.is_ascii_digit());
            rest.len() < words.len()
                && words.len() - rest.len() < 10
                && (rest.starts_with(". ") || rest.starts_with(") "))
        };
        let hashes = words.len() - words.trim_start_matches('#').len();
        if words.is_empty() {
            Self::Blank
        } else if words.starts_with("- ") || words.starts_with("* ") || is_numbered() {
            Self::Item
        } else if (1..=3).contains(&hashes) && words[hashes..].starts_with(' ') {
            Self::Heading
        } else if has_tables && words.starts_with('|') {
            Self::Table
        } else {
            Self::Words
        }
    }
}

fn lines(text: &str, out: &mut String, dialect: &mut Dialect<'_>, depth: usize) {
    let mut last = Row::Blank;
    let mut rest = text.trim_matches('\n');
    while !rest.is_empty() {
        if let Some((inside, behind)) = quotation(rest).filter(|_| depth < MAX_DEPTH) {
            if !out.is_empty() && !out.ends_with("\n\n") {
                out.push_str("\n\n");
            }
            out.push_str(&quoted(&nested(&inside, dialect, depth + 1)));
            rest = behind;
            last = Row::Blank;
            if !rest.trim().is_empty() {
                out.push_str("\n\n");
            }
            continue;
        }
        let (line, behind) = rest.split_once('\n').unwrap_or((rest, ""));
        rest = behind;
        let line = line.trim_end_matches(['\r', ' ', '\t']);
        let row = Row::of(line, dialect.has_tables);
        match (last, row) {
            (Row::Blank, _) => {}
            (Row::Words, Row::Words) => out.push_str("\\\n"),
            (Row::Item | Row::Table, same) if last == same => out.push('\n'),
            _ => out.push_str("\n\n"),
        }
        if row == Row::Item {
            let space = line.len() - line.trim_start().len();
            let end = line[space..].find(' ').map_or(line.len(), |at| space + at + 1);
            out.push_str(&line[..end].replace('\t', "    "));
            inline(line[end..].trim_start(), out, dialect);
        } else if row == Row::Heading {
            let words = line.trim();
            let (hashes, words) = words.split_once(' ').unwrap_or((words, ""));
            out.push_str(&format!("{hashes} "));
            inline(words.trim(), out, dialect);
        } else if row != Row::Blank {
            let words = line.trim();
            let is_rule = words.bytes().all(|byte| b"-=_*~".contains(&byte));
            if is_rule || words.starts_with(['+', '>', '=']) {
                out.push('\\');
            }
            inline(words.strip_prefix("-# ").unwrap_or(words), out, dialect);
        }
        last = row;
    }
}

/// Splits off a quotation at the beginning of a text: lines that begin with `> `, or everything
/// after `>>> `.
fn quotation(text: &str) -> Option<(String, &str)> {
    if let Some(all) = text.strip_prefix(">>> ") {
        return Some((all.to_owned(), ""));
    }
    let mut inside = String::new();
    let mut rest = text;
    let own = |line: &str| {
        let words = line.trim_start().strip_prefix('>')?;
        words.strip_prefix(' ').or(words.is_empty().then_some(words)).map(str::to_owned)
    };
    while let Some(words) = own(rest.split('\n').next().unwrap_or_default()) {
        inside.push_str(&words);
        inside.push('\n');
        rest = rest.split_once('\n').map_or("", |(_, behind)| behind);
        if rest.is_empty() {
            break;
        }
    }
    (!inside.is_empty()).then_some((inside, rest))
}

/// Adds the text of a line.
fn inline(line: &str, out: &mut String, dialect: &mut Dialect<'_>) {
    let mut rest = line;
    let mut before = ' ';
    // Whether a code mark has no closing counterpart.
    let mut is_unclosed = false;
    while let Some(c) = rest.chars().next() {
        if c == '`' && !is_unclosed {
            let count = rest.len() - rest.trim_start_matches('`').len();
            let (mark, behind) = rest.split_at(count);
            match behind.split_once(mark).filter(|(inside, _)| !inside.is_empty()) {
                Some((inside, behind)) => {
                    out.push_str(&code(inside));
                    (rest, before) = (behind, '`');
                    continue;
                }
                None => is_unclosed = true,
            }
        }
        let is_address = ["http://", "https://"].iter().any(|scheme| rest.starts_with(scheme));
        if is_address && !before.is_alphanumeric() {
            let end = rest.find([' ', '<', '>', '|', ')', '\t']).unwrap_or(rest.len());
            out.push_str(&rest[..end]);
            (rest, before) = (&rest[end..], 'h');
            continue;
        }
        if SIGNS.contains(&c)
            && !(before.is_alphanumeric() && c != '<' && c != '|')
            && let Some((count, markdown)) = (dialect.mark)(rest)
            && let Some(behind) = rest.get(count..).filter(|_| count > 0)
        {
            if markdown.starts_with('[') && out.ends_with('!') {
                out.pop();
                out.push_str("\\!");
            }
            out.push_str(&markdown);
            (rest, before) = (behind, ' ');
            continue;
        }
        let has_meaning = match c {
            '<' | '&' | '^' => true,
            '$' | '|' => !dialect.has_tables,
            '`' => is_unclosed,
            '!' => rest[1..].starts_with('['),
            // Anything except a link with a URL.
            '[' => !is_link(rest),
            '#' => before == ' ',
            _ => false,
        };
        if has_meaning {
            out.push('\\');
        }
        out.push(c);
        before = c;
        rest = &rest[c.len_utf8()..];
        if c == '\\' {
            // The next character is already escaped.
            if let Some(next) = rest.chars().next() {
                out.push(next);
                before = next;
                rest = &rest[next.len_utf8()..];
            }
        }
    }
}

/// The maximum length of a link text in bytes.
const MAX_LABEL: usize = 400;

/// Returns whether a text begins with a link: `[words](https://…`.
fn is_link(text: &str) -> bool {
    let head = &text[..text.floor_char_boundary(MAX_LABEL)];
    let Some((_, behind)) = head.split_once("](") else { return false };
    let behind = behind.trim_start_matches('<');
    behind.starts_with("http://") || behind.starts_with("https://")
}

#[cfg(test)]
mod tests {
    use super::{Dialect, to_markdown};

    #[test]
    fn lines_stay_and_html_is_text() {
        for (text, markdown) in [
            ("one\ntwo\n\nthree", "one\\\ntwo\n\nthree"),
            ("<b>x</b> a & b `<b>`", "\\<b>x\\</b> a \\& b `<b>`"),
            ("> a\n> b\nc", "> a\\\n> b\n\nc"),
            (">>> a\n\nb", "> a\n> \n> b"),
            ("so:\n- a\n  - b\n1. c", "so:\n\n- a\n  - b\n1. c"),
            ("a ```rs\nlet x;\n``` b", "a\n\n```rs\nlet x;\n```\n\nb"),
            ("# T\n#no\n---", "# T\n\n\\#no\\\n\\---"),
            ("[a](https://x.example/a_b) [b]: c", "[a](https://x.example/a_b) \\[b]: c"),
            ("**b** `c", "**b** \\`c"),
            ("<@7>!", "Ada!"),
        ] {
            let mut mark = |text: &str| text.starts_with("<@7>").then(|| (4, "Ada".to_owned()));
            let mut dialect = Dialect { has_tables: false, mark: &mut mark };
            assert_eq!(to_markdown(text, &mut dialect), markdown, "{text}");
        }
    }
}
