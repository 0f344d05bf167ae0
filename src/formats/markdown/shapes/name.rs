//! Names at the start of a line, with what follows them.

use super::stamp::{Stamp, stamp, typed_stamp};
use convo_base::text::is_direction_mark;

/// What ends a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    Colon,
    Dash,
    /// The end of the line.
    Line,
    /// Text after a time.
    Words,
}

/// A name and what follows it on its line.
pub(super) struct Named<'a> {
    pub(super) name: &'a str,
    pub(super) aside: Option<&'a str>,
    pub(super) stamp: Option<Stamp<'a>>,
    pub(super) end: End,
    pub(super) rest: &'a str,
}

/// The maximum length of a name in bytes.
pub(super) const MAX_NAME_BYTES: usize = 100;

/// The maximum length, in bytes, of the text in brackets after a name.
const MAX_ASIDE_BYTES: usize = 80;

/// Returns whether it is a symbol that may precede names.
pub(super) fn is_sign(c: char) -> bool {
    is_direction_mark(c)
        || matches!(c, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}' | '\u{fe0f}' | '\u{200d}')
        || c == ' '
}

pub(super) fn opens_name(text: &str) -> bool {
    // Digits open list items.
    text.starts_with(|c: char| c.is_alphabetic() || "*_@".contains(c))
}

/// Removes the separator between a time and the name.
pub(super) fn behind_time(text: &str) -> &str {
    let text = text.trim_start_matches([' ', '\t']);
    let rest = text.trim_start_matches(['-', '–', '—', '|', '·']);
    if rest.len() < text.len() && !rest.starts_with([' ', '\t']) { text } else { rest.trim_start() }
}

/// Reads `**Ada:**`, `__Ada__:`, `*Ada (laughs):*`, `**Ada** 00:05`.
pub(super) fn emphasis(text: &str) -> Option<Named<'_>> {
    let signs = ["***", "___", "**", "__", "*", "_"];
    let sign = signs.iter().find(|sign| text.starts_with(**sign))?;
    let inside = &text[sign.len()..];
    let close = inside.find(sign)?;
    let (inside, after) = (&inside[..close], &inside[close + sign.len()..]);
    if inside.starts_with(' ')
        || !opens_name(inside.trim_start_matches(is_sign)) && stamp(inside).is_none()
    {
        return None;
    }
    let (before, inside) = match stamp(inside) {
        Some(stamp) => (Some(stamp), behind_time(stamp.rest)),
        None => (None, inside.trim_start_matches(is_sign)),
    };
    let mut named = name(inside)?;
    named.stamp = before.or(named.stamp);
    if !named.rest.trim().is_empty() {
        return None;
    }
    match named.end {
        End::Colon | End::Dash => {
            named.rest = after;
            Some(named)
        }
        End::Line => {
            let more = tail(after)?;
            named.aside = named.aside.or(more.aside);
            named.stamp = named.stamp.or(more.stamp);
            (named.end, named.rest) = (more.end, more.rest);
            Some(named)
        }
        End::Words => None,
    }
}

/// Reads a name without markup, and what follows it.
pub(super) fn name(text: &str) -> Option<Named<'_>> {
    let mut before = ' ';
    let mut end = text.len();
    for (at, c) in text.char_indices() {
        if at > MAX_NAME_BYTES + 4 {
            return None;
        }
        let stops = match c {
            ':' | '：' | '(' | '[' | '（' | '—' => true,
            '–' | '|' | '\t' => true,
            '-' => before == ' ' && text[at + 1..].starts_with([' ', '-']),
            '0'..='9' => before == ' ' && at > 0 && stamp(&text[at..]).is_some(),
            ',' => {
                stamp(text[at + 1..].trim_start()).is_some()
                    || is_full_capitals(&text[..at]) && role(&text[at..]).is_some()
            }
            '\\' if text[at + 1..].starts_with(['[', '(']) => true,
            '\\' | '/' | '<' | '>' | '{' | '}' | '"' | '“' | '”' | '„' | '«' | '»' | '?' | '!'
            | ';' | '=' | '`' | '~' | '*' | '^' | '$' | '%' | '…' | ']' | ')' | '。' | '，'
            | '、' | '？' | '！' | '؟' | '؛' | '،' | '「' | '」' | '+' => return None,
            _ => false,
        };
        if stops {
            end = at;
            break;
        }
        before = c;
    }
    let found = text[..end].trim_end();
    let mut more = tail(&text[end..])?;
    more.name = if more.end == End::Dash { found.trim_end_matches('.').trim_end() } else { found };
    Some(more)
}

/// Reads what follows a name.
fn tail(text: &str) -> Option<Named<'_>> {
    let mut found = Named { name: "", aside: None, stamp: None, end: End::Line, rest: "" };
    let mut rest = text;
    let mut brackets = 0;
    for _ in 0..4 {
        rest = rest.trim_start_matches([' ', '\t', '\u{a0}', '\u{202f}', '\u{3000}']);
        let joined = rest.trim_start_matches(['-', '–', '—', '|', '@', '·', ',']).trim_start();
        let at = if joined.len() < rest.len() { joined } else { rest };
        if found.stamp.is_none()
            && let Some(stamp) = stamp(at).or_else(|| typed_stamp(at))
        {
            found.stamp = Some(stamp);
            rest = stamp.rest;
            continue;
        }
        if found.aside.is_none()
            && let Some(close) = closing(rest)
        {
            let end = rest.find(close)? + close.len_utf8();
            if end > MAX_ASIDE_BYTES {
                return None;
            }
            found.aside = Some(&rest[..end]);
            brackets = text.len() - rest.len();
            rest = &rest[end..];
            continue;
        }
        if let Some(end) = role(rest) {
            let at = text.len() - rest.len();
            let from = if found.aside.is_some() { brackets } else { at };
            found.aside = Some(&text[from..at + end]);
            rest = &rest[end..];
        }
        break;
    }
    found.rest = rest;
    if let Some(after) = rest.strip_prefix([':', '：']) {
        found.end = End::Colon;
        found.rest = after;
        return Some(found);
    }
    let undotted = rest.strip_prefix('.').unwrap_or(rest).trim_start();
    let dashes = ["—", "–", "--"];
    if let Some(after) = dashes.iter().find_map(|dash| undotted.strip_prefix(dash)) {
        found.end = End::Dash;
        found.rest = after;
        return (!after.trim().is_empty() && found.stamp.is_none()).then_some(found);
    }
    if rest.trim().is_empty() {
        return Some(found);
    }
    let sure = found.stamp.is_some_and(|stamp| stamp.is_exact && stamp.is_recorded);
    found.end = End::Words;
    (sure && found.aside.is_none()).then_some(found)
}

/// Returns whether it is a name of two or more words in capitals.
fn is_full_capitals(name: &str) -> bool {
    name.contains(' ') && name.chars().any(char::is_alphabetic) && is_capitals(name)
}

pub(super) fn is_capitals(text: &str) -> bool {
    text.chars().all(|c| !c.is_lowercase())
}

/// Returns where the role ends that news transcripts add after a name: `, CNN HOST:`.
fn role(text: &str) -> Option<usize> {
    let inside = text.strip_prefix(", ")?;
    let head = &inside[..inside.floor_char_boundary(MAX_ASIDE_BYTES)];
    let end = head.find(':')?;
    let role = &head[..end];
    let letters = role.chars().filter(|c| c.is_alphabetic()).count();
    let fits = letters > 2 && is_capitals(role) && !role.contains(['.', '?', '!', ';']);
    fits.then_some(end + 2)
}

/// Returns the text after a name in brackets, for display: `(CNN HOST)` for `, CNN HOST`.
pub(super) fn in_brackets(aside: &str) -> String {
    match aside.split_once(", ") {
        Some(("", role)) => format!("({role})"),
        Some((before, role)) if before.ends_with([')', ']']) => {
            let inside = before.trim_matches(['(', ')', '[', ']']);
            format!("({inside}, {role})")
        }
        _ => aside.to_owned(),
    }
}

fn closing(text: &str) -> Option<char> {
    Some(match text.chars().next()? {
        '(' => ')',
        '[' => ']',
        '（' => '）',
        _ => return None,
    })
}
