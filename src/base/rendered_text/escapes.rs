//! Decodes escapes: character references, backslashes of Markdown and JSON, percent-encoding of
//! URLs, quoted-printable of mail.

use std::collections::HashMap;

use super::layer::Layer;
use super::terminal::sequence_len;
use super::{has_ascii_form, is_blank, is_number_dash};
use crate::commonmark;

/// The maximum length of a character reference, in bytes.
const MAX_REFERENCE_BYTES: usize = 34;

/// Elements that can mark a part of a word.
const TAGS: [&str; 24] = [
    "a", "b", "big", "bdi", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd", "mark",
    "q", "s", "samp", "small", "span", "strong", "sub", "sup", "u", "wbr",
];

/// Returns a text without escapes and invisible characters and, if `leaves_marks_out`, without
/// emphasis marks.
pub(super) fn decoded(written: &str, leaves_marks_out: bool) -> Layer {
    let mut layer = Layer::with_capacity(written.len());
    let mut named = HashMap::new();
    let mut done = 0;
    while let Some(rest) = written.get(done..).filter(|rest| !rest.is_empty()) {
        let plain = rest.bytes().position(|byte| is_special(byte, leaves_marks_out));
        let plain = plain.unwrap_or(rest.len());
        if plain > 0 {
            layer.text.push_str(rest.get(..plain).unwrap_or_default());
            done += plain;
            continue;
        }
        let mark = rest.chars().next().unwrap_or_default();
        let sequence = sequence_len(rest);
        let (len, undone) = match mark {
            _ if sequence > 0 => (sequence, Decoded::Omitted { is_break: true }),
            '\\' => backslash(rest),
            '&' => reference(rest, &mut named),
            '%' => percent(rest),
            '=' => quoted_printable(rest),
            '*' | '`' => (1, Decoded::Omitted { is_break: true }),
            '<' => tag(rest),
            c if is_invisible(c) => (c.len_utf8(), Decoded::Omitted { is_break: c == '\u{200b}' }),
            c => (c.len_utf8(), Decoded::Nothing),
        };
        let below = done..done + len;
        match undone {
            Decoded::Nothing => {
                layer.text.push_str(rest.get(..len).unwrap_or_default());
            }
            Decoded::Omitted { is_break } => layer.omit(below, is_break),
            Decoded::Char(c) if is_invisible(c) => {
                layer.omit(below, c == '\u{200b}');
            }
            Decoded::Char(c) => layer.put(c.encode_utf8(&mut [0; 4]), below),
            Decoded::Text(text) => layer.put(&text, below),
        }
        done += len;
    }
    layer
}

/// Returns whether an escape encodes an ASCII character that can be part of a secret, or an
/// invisible character follows one. Percent escapes that browsers need in URLs, such as `%2F`, do
/// not count.
pub(super) fn hides_ascii(written: &str) -> bool {
    let mut named = HashMap::new();
    let bytes = written.as_bytes();
    let mut done = 0;
    let may_begin = |byte: &u8| SPECIAL[usize::from(*byte)];
    while let Some(found) = bytes.get(done..).and_then(|rest| rest.iter().position(may_begin)) {
        let at = done + found;
        let rest = written.get(at..).unwrap_or_default();
        let mark = rest.chars().next().unwrap_or_default();
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        let sequence = sequence_len(rest);
        let (len, undone) = match mark {
            _ if sequence > 0 => (sequence, Decoded::Omitted { is_break: true }),
            '\\' => backslash(rest),
            '&' => reference(rest, &mut named),
            '%' => percent(rest),
            _ => (mark.len_utf8(), Decoded::Nothing),
        };
        let hides = match undone {
            // An escaped reference, which a page shows literally. In URLs, the rest of it is escaped too.
            Decoded::Char('&') if mark == '%' => true,
            Decoded::Char('&') => begins_reference(rest.get(len..).unwrap_or_default(), &mut named),
            // An escaped backslash, which escapes a mark once it is decoded.
            Decoded::Char('\\') => {
                rest.get(len..).is_some_and(|rest| rest.starts_with(SECRET_MARKS))
            }
            Decoded::Char(c) if mark == '%' => {
                let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
                c.is_ascii_alphanumeric()
                    || matches!(c, '@' | '_' | '+' | '(' | ')')
                    || c == ' ' && is_digit(before) && is_digit(bytes.get(at + len))
                    || is_invisible(c)
            }
            Decoded::Char(c) => hides_secrets(c),
            Decoded::Omitted { .. } if sequence > 0 => true,
            _ if joins_digits(before, rest) => return true,
            _ => is_invisible(mark),
        };
        let is_behind = || before.is_some_and(u8::is_ascii_graphic);
        if hides && (mark.is_ascii() || is_behind()) {
            return true;
        }
        done = at + len.max(1);
    }
    false
}

/// Returns whether a text starts with a non-ASCII space or dash between ASCII digits, as phones
/// format numbers, or with a full-width letter or digit beside another one or an ASCII one. `before` is the
/// preceding byte.
fn joins_digits(before: Option<&u8>, text: &str) -> bool {
    let mut chars = text.chars();
    let Some(c) = chars.next() else { return false };
    let after = chars.next();
    let is_between = || {
        before.is_some_and(|byte| byte.is_ascii_digit() || *byte == b')')
            && after.is_some_and(|after| after.is_ascii_digit() || after == '(')
    };
    let is_beside = || {
        before.is_some_and(u8::is_ascii_alphanumeric)
            || after.is_some_and(|after| has_ascii_form(after) || after.is_ascii_alphanumeric())
    };
    has_ascii_form(c) && is_beside()
        || !c.is_ascii() && (is_blank(c) || is_number_dash(c)) && is_between()
}

/// Returns whether an escape for this character may hide a secret.
fn hides_secrets(c: char) -> bool {
    c.is_ascii_alphanumeric() || SECRET_MARKS.contains(&c) || is_invisible(c)
}

/// Returns whether a text continues a reference that may hide a secret, after its `&`.
fn begins_reference(text: &str, named: &mut HashMap<String, Decoded>) -> bool {
    let unescaped = text.strip_prefix('\\').unwrap_or(text);
    let end = unescaped.floor_char_boundary(MAX_REFERENCE_BYTES);
    let whole = format!("&{}", unescaped.get(..end).unwrap_or_default());
    matches!(reference(&whole, named).1, Decoded::Char(c) if hides_secrets(c))
}

/// Punctuation that occurs in secrets.
const SECRET_MARKS: [char; 13] = ['_', '-', '.', '=', '+', '~', '/', '!', '$', '@', ':', '#', '*'];

/// The decoded form of an escape.
#[derive(Clone)]
enum Decoded {
    /// Not an escape.
    Nothing,
    Omitted {
        is_break: bool,
    },
    Char(char),
    Text(String),
}

/// Returns whether an escape, a control sequence or a control character may start at an ASCII byte.
pub(super) const fn may_hide(byte: u8) -> bool {
    matches!(byte, b'\\' | b'&' | b'%' | b'[' | b'^')
        || byte.is_ascii_control() && !matches!(byte, b'\t' | b'\n' | b'\r')
}

/// [`is_special`] for each byte, where marks stay in the text.
static SPECIAL: [bool; 256] = {
    let mut all = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        all[byte] = is_special(byte as u8, false);
        byte += 1;
    }
    all
};

/// Returns whether something to decode or remove may start at a byte.
const fn is_special(byte: u8, leaves_marks_out: bool) -> bool {
    match byte {
        _ if may_hide(byte) => true,
        b'*' | b'`' | b'<' | b'=' => leaves_marks_out,
        // The first bytes of all characters in `is_invisible` and `joins_digits`.
        0xc2 | 0xcd | 0xd8 | 0xe1 | 0xe2 | 0xe3 | 0xef | 0xf0 | 0xf3 => true,
        _ => false,
    }
}

/// Returns whether a character is invisible: those of Unicode's `Default_Ignorable_Code_Point`,
/// interlinear annotation marks, and control characters.
pub(super) fn is_invisible(c: char) -> bool {
    c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}')
        || matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Decodes a backslash before punctuation, or an escape of JSON such as `\u00e9`.
fn backslash(text: &str) -> (usize, Decoded) {
    let slashes = text.bytes().take(8).take_while(|byte| *byte == b'\\').count();
    if let Some((c, len)) = text.get(slashes..).and_then(json) {
        return (slashes + len, Decoded::Char(c));
    }
    match text.chars().nth(1) {
        Some('\n') => (1, Decoded::Omitted { is_break: true }),
        // After a backslash, punctuation is literal.
        Some(mark) if mark.is_ascii_punctuation() => (2, Decoded::Char(mark)),
        _ => (1, Decoded::Nothing),
    }
}

/// Decodes `u00e9`, or a pair such as `ud83d\ude00`, and returns its length.
fn json(text: &str) -> Option<(char, usize)> {
    let unit = |text: &str| {
        let digits = text.strip_prefix('u')?.get(..4)?;
        let is_number = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_number.then(|| u16::from_str_radix(digits, 16).ok()).flatten()
    };
    let first = unit(text)?;
    let rest = text.get(5..)?;
    let slashes = rest.bytes().take(8).take_while(|byte| *byte == b'\\').count();
    let second = rest.get(slashes..).filter(|_| slashes > 0).and_then(unit);
    let mut both = char::decode_utf16([first].into_iter().chain(second));
    match both.next()? {
        Ok(c) => Some((visible(c), if c.len_utf16() == 2 { 10 + slashes } else { 5 })),
        Err(_) => None,
    }
}

/// Decodes `%20`, or several escapes that encode one character, which may be escaped themselves: `%2520`.
fn percent(text: &str) -> (usize, Decoded) {
    match hexadecimal(text, '%', escaped_percents) {
        (_, Decoded::Nothing) => hexadecimal(text, '%', |_| 0),
        found => found,
    }
}

/// The maximum number of times that a percent sign is escaped.
const MAX_ESCAPED_PERCENTS: usize = 3;

/// Returns the length of what escapes the percent sign before two digits: 2 for the `25` of `%2520`.
fn escaped_percents(digits: &str) -> usize {
    let is_behind = |times: &usize| {
        let two = digits.get(2 * times..2 * times + 2);
        two.is_some_and(|two| two.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    let times = digits.as_bytes().chunks(2).take_while(|two| *two == b"25").count();
    (0..=times.min(MAX_ESCAPED_PERCENTS)).rfind(is_behind).map_or(0, |times| 2 * times)
}

/// Decodes `=20`, several escapes that encode one character, or a soft line break. Other uses are
/// not decoded, as they may be numbers.
fn quoted_printable(text: &str) -> (usize, Decoded) {
    if let Some(len) = ["=\n", "=\r\n"].into_iter().find(|end| text.starts_with(end)) {
        return (len.len(), Decoded::Omitted { is_break: false });
    }
    match hexadecimal(text, '=', |_| 0) {
        (len, Decoded::Char(c)) if c == ' ' || !c.is_ascii() => (len, Decoded::Char(c)),
        _ => (1, Decoded::Nothing),
    }
}

/// Decodes hexadecimal bytes, each after a mark and as many bytes as `skipped` returns for the text after it.
fn hexadecimal(text: &str, mark: char, skipped: fn(&str) -> usize) -> (usize, Decoded) {
    let byte = |at: usize| {
        let rest = text.get(at..)?.strip_prefix(mark)?;
        let skipped = skipped(rest);
        let digits = rest.get(skipped..skipped + 2)?;
        let is_number = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let byte = is_number.then(|| u8::from_str_radix(digits, 16).ok()).flatten()?;
        Some((byte, at + 1 + skipped + 2))
    };
    let (mut bytes, mut at) = (Vec::with_capacity(4), 0);
    while bytes.len() < 4
        && let Some((byte, end)) = byte(at)
    {
        bytes.push(byte);
        at = end;
        let text = std::str::from_utf8(&bytes).ok();
        if let Some(c) = text.and_then(|text| text.chars().next()) {
            return (at, Decoded::Char(visible(c)));
        }
    }
    (1, Decoded::Nothing)
}

/// Replaces control characters by spaces.
fn visible(c: char) -> char {
    if c.is_control() { ' ' } else { c }
}

/// Decodes `&eacute;`, `&#233;` or `&#xe9;`.
fn reference(text: &str, named: &mut HashMap<String, Decoded>) -> (usize, Decoded) {
    let bytes = text.as_bytes();
    if let Some((digits, radix, start)) = number(text) {
        let code = u32::from_str_radix(digits, radix).ok();
        let end = start + digits.len();
        let len = end + usize::from(bytes.get(end) == Some(&b';'));
        return match code.and_then(char::from_u32) {
            Some(c) => (len, Decoded::Char(visible(c))),
            None => (1, Decoded::Nothing),
        };
    }
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric();
    let rest = bytes.get(1..).unwrap_or_default();
    let name = rest.iter().take(MAX_REFERENCE_BYTES).take_while(|byte| is_name(byte));
    let len = name.count() + 2;
    let Some(whole) = text.get(..len).filter(|whole| whole.ends_with(';') && len > 3) else {
        return (1, Decoded::Nothing);
    };
    let known = named.entry(whole.to_owned()).or_insert_with(|| {
        match commonmark::character_reference(whole) {
            Some(text) => {
                let mut chars = text.chars();
                match (chars.next(), chars.next()) {
                    (Some(c), None) => Decoded::Char(c),
                    _ => Decoded::Text(text),
                }
            }
            None => Decoded::Nothing,
        }
    });
    match known {
        Decoded::Nothing => (1, Decoded::Nothing),
        known => (len, known.clone()),
    }
}

/// Returns the digits of a numeric reference, their radix and their position.
fn number(text: &str) -> Option<(&str, u32, usize)> {
    let rest = text.strip_prefix("&#")?;
    let (digits, radix) = match rest.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16),
        None => (rest, 10),
    };
    let count = digits.chars().take(8).take_while(|c| c.is_digit(radix)).count();
    let start = text.len() - digits.len();
    digits.get(..count).filter(|digits| !digits.is_empty()).map(|digits| (digits, radix, start))
}

/// Recognises a tag inside a word, such as `<b>`.
fn tag(text: &str) -> (usize, Decoded) {
    let inside = text.get(1..).unwrap_or_default();
    let name = inside.strip_prefix('/').unwrap_or(inside);
    let len = name.bytes().take(8).take_while(u8::is_ascii_alphanumeric).count();
    let rest = name.get(len..).unwrap_or_default();
    let rest = rest.trim_start_matches([' ', '/']);
    let name = name.get(..len).unwrap_or_default().to_ascii_lowercase();
    if !rest.starts_with('>') {
        return (1, Decoded::Nothing);
    }
    let len = text.len() - rest.len() + 1;
    match name.as_str() {
        "br" => (len, Decoded::Char(' ')),
        name if TAGS.contains(&name) => (len, Decoded::Omitted { is_break: true }),
        _ => (1, Decoded::Nothing),
    }
}
