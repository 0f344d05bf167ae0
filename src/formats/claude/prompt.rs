//! Text that Claude's apps add to prompts: preferences, styles and reminders.

use std::borrow::Cow;
use std::ops::Range;

/// The names of the tags around it, letters only.
const TAGS: [&str; 4] = ["userpreferences", "userstyle", "userexamples", "systemreminder"];
/// The maximum length of a tag name, including the characters between its letters, in bytes.
const MAX_NAME: usize = 24;

/// A tag in a text.
struct Tag {
    name: usize,
    range: Range<usize>,
    closes: bool,
    starts_line: bool,
}

/// Returns a text without such additions. An unclosed tag extends to the end of the text if it starts a
/// line; otherwise the user mentions the tag.
pub(super) fn without_settings(text: &str) -> Cow<'_, str> {
    let tags = tags(text);
    if tags.is_empty() {
        return text.into();
    }
    let mut cuts: Vec<Range<usize>> = Vec::new();
    for name in 0..TAGS.len() {
        cut(tags.iter().filter(|tag| tag.name == name), text.len(), &mut cuts);
    }
    cuts.sort_by_key(|cut| cut.start);
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for cut in cuts {
        out.push_str(&text[done..cut.start.max(done)]);
        done = done.max(cut.end);
    }
    out.push_str(&text[done..]);
    match done {
        0 => text.into(),
        _ => out.trim().to_owned().into(),
    }
}

/// Finds the contents of tags of one name; such tags may be nested.
fn cut<'a>(tags: impl Iterator<Item = &'a Tag>, end: usize, cuts: &mut Vec<Range<usize>>) {
    let mut depth = 0_usize;
    let mut start = 0;
    let mut first_of_line = None;
    let mut last_close = None;
    for tag in tags {
        match (tag.closes, depth) {
            (true, 0) => {}
            (true, 1) => {
                cuts.push(start..tag.range.end);
                (depth, first_of_line, last_close) = (0, None, None);
            }
            (true, _) => {
                depth -= 1;
                last_close = Some(tag.range.end);
            }
            (false, _) => {
                if depth == 0 {
                    start = tag.range.start;
                }
                depth += 1;
                let of_line = tag.starts_line.then_some(tag.range.start);
                first_of_line = first_of_line.or(of_line);
            }
        }
    }
    if depth > 0 {
        cuts.extend(last_close.map(|end| start..end));
        cuts.extend(first_of_line.map(|start| start..end));
    }
}

fn tags(text: &str) -> Vec<Tag> {
    let mut tags = Vec::new();
    let mut done = 0;
    // Whether the line of byte `done` contains only tags before it.
    let mut is_line_blank = true;
    for (at, _) in text.match_indices('<') {
        if at < done {
            continue;
        }
        let rest = &text[at + 1..];
        let closes = rest.starts_with('/');
        let inside = &rest[usize::from(closes)..];
        let limit = inside.floor_char_boundary(MAX_NAME.min(inside.len()));
        let is_name = |c: char| c.is_ascii_alphabetic() || "-_".contains(c);
        let length = inside[..limit].find(|c| !is_name(c)).unwrap_or(limit);
        let letters = inside[..length].chars().filter(char::is_ascii_alphabetic);
        let name: String = letters.map(|c| c.to_ascii_lowercase()).collect();
        let Some(name) = TAGS.iter().position(|known| *known == name) else { continue };
        let name_end = at + 1 + usize::from(closes) + length;
        // Anything between the name and the end of the tag is ignored; the end may be missing.
        let end = text[name_end..].find(['>', '<']).map_or(text.len(), |end| {
            let end = name_end + end;
            end + usize::from(text[end..].starts_with('>'))
        });
        let before = &text[done..at];
        let line = before.rfind('\n').map(|at| at + 1);
        let is_blank = before[line.unwrap_or(0)..].chars().all(|c| c.is_whitespace() || c == '>');
        let starts_line = is_blank && (line.is_some() || is_line_blank);
        is_line_blank = starts_line;
        tags.push(Tag { name, range: at..end, closes, starts_line });
        done = end;
    }
    tags
}

#[cfg(test)]
mod tests {
    use super::without_settings;

    #[test]
    fn text_that_the_program_adds_is_removed() {
        for (text, expected) in [
            ("Hello.\n<userPreferences>x</userPreferences>", "Hello."),
            ("<USERSTYLE a=\"b\">x</userStyle>Hello.", "Hello."),
            (
                "a <system-reminder>x<system-reminder>y</system-reminder>z</system-reminder> b",
                "a  b",
            ),
            ("a <system-reminder>x<system-reminder>y</system-reminder> b", "a  b"),
            ("a\n <userStyle>x", "a"),
            ("a\n<userStyle>x\n<userPreferences>y</userStyle>z", "a"),
            ("What is <userStyle> for?", "What is <userStyle> for?"),
            ("What is </userStyle> for?", "What is </userStyle> for?"),
            ("What is <userStyle> for?\n<userStyle>x", "What is <userStyle> for?"),
            ("<userStyles>x</userStyles>", "<userStyles>x</userStyles>"),
            ("a < b", "a < b"),
        ] {
            assert_eq!(without_settings(text), expected, "{text}");
        }
    }
}
