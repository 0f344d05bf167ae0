//! Times beside names.

use super::super::line;
use crate::shared::text::dates::{ENGLISH_HALVES, english_month};

/// One or two times beside a name.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Stamp<'a> {
    pub(super) from: &'a str,
    pub(super) to: Option<&'a str>,
    /// What follows.
    pub(super) rest: &'a str,
    /// Whether it is too precise for a time of day in a sentence.
    pub(super) is_exact: bool,
    /// Whether it is a time of a recording rather than of a timetable.
    pub(super) is_recorded: bool,
}

/// Returns the time or time span at the start of a text, with or without a date before it: `[00:05]`,
/// `00:05 - 00:09`, `2026-03-04 10:05`.
pub(super) fn stamp(text: &str) -> Option<Stamp<'_>> {
    if let Some(found) = bare(text) {
        return Some(found);
    }
    // `[00:05 - 00:09]`
    let open = text.strip_prefix('\\').unwrap_or(text);
    let close = match open.as_bytes().first()? {
        b'[' => ']',
        b'(' => ')',
        _ => return None,
    };
    let (inside, rest) = open[1..].split_once(close)?;
    let inside = inside.strip_suffix('\\').unwrap_or(inside);
    let found = bare(inside)?;
    let fits = found.rest.trim().is_empty() && !rest.starts_with('(');
    let is_recorded = found.to.is_some();
    fits.then_some(Stamp { rest, is_exact: true, is_recorded, ..found })
}

/// Returns the time at the start of a text, unless it is in brackets together with something else.
fn bare<'a>(text: &'a str) -> Option<Stamp<'a>> {
    let day = day(text);
    let time = line::time(&text[day..])?;
    // The brackets of `[00:05]` belong to the time.
    let is_digit = text[day..].starts_with(|c: char| c.is_ascii_digit());
    if day > 0 && !is_digit {
        return None;
    }
    let half = if is_digit { half_of_day(time.rest) } else { 0 };
    let made = |to, rest: &'a str| Stamp {
        from: time.text,
        to,
        rest,
        is_exact: day > 0 || time.is_exact(),
        is_recorded: day == 0 && time.is_recorded(),
    };
    let second = dash(time.rest).and_then(|rest| line::time(rest.trim_start()));
    Some(match second {
        Some(second) if day == 0 => made(Some(second.text), second.rest),
        _ if half > 0 || day > 0 => {
            // `9:05 AM`
            let from = &text[..text.len() - time.rest.len() + half];
            Stamp { from, ..made(None, &time.rest[half..]) }
        }
        _ => made(None, time.rest),
    })
}

/// Returns the length in bytes of a day at the start of a text, including the separator before the time:
/// `2026-03-04, `, `03/04/2026 at `, `Today at `, `4 March 2026 `.
fn day(text: &str) -> usize {
    let head = &text[..text.floor_char_boundary(40)];
    let named = ["Today", "Yesterday", "today", "yesterday", "Heute", "Gestern"];
    let named = named.iter().find(|word| head.starts_with(**word)).map(|word| word.len());
    let Some(end) = named.or_else(|| date(head)) else { return 0 };
    let behind = &head[end..];
    let between = [", at ", " at ", " um ", " à ", ", ", " · ", " - ", " – ", "T", " "];
    let found = between.iter().find(|between| behind.starts_with(**between));
    found.map_or(0, |between| end + between.len())
}

/// Returns the length in bytes of a date at the start of a text: `2026-03-04`, `4.3.26`, `4 March 2026`,
/// `Mar 4, 2026`.
fn date(text: &str) -> Option<usize> {
    let digits =
        |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let first = digits(text);
    let sign = text[first..].chars().next()?;
    if (1..=4).contains(&first) && ['.', '/', '-'].contains(&sign) {
        let second = digits(&text[first + 1..]);
        let at = first + 1 + second;
        let third = digits(text[at..].strip_prefix(sign)?);
        let fits = (1..=2).contains(&second) && matches!(third, 1 | 2 | 4) && first != 3;
        return fits.then_some(at + 1 + third);
    }
    let month = |text: &str| {
        let word = text.len() - text.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
        (english_month(text).is_some() && (3..=9).contains(&word)).then_some(word)
    };
    let year = |text: &str| match text.trim_start_matches([',', ' ']) {
        rest if digits(rest) == 4 && !rest[4..].starts_with(':') => text.len() - rest.len() + 4,
        _ => 0,
    };
    let end = if (1..=2).contains(&first) && sign == ' ' {
        first + 1 + month(&text[first + 1..])?
    } else {
        let word = month(text)?;
        let day = digits(text[word..].strip_prefix(' ')?);
        if !(1..=2).contains(&day) {
            return None;
        }
        word + 1 + day
    };
    Some(end + year(&text[end..]))
}

/// Returns the length in bytes of ` AM` or ` p.m.` at the start of a text.
fn half_of_day(text: &str) -> usize {
    let bare = text.trim_start_matches([' ', '\u{a0}', '\u{202f}']);
    let is_it = |word: &&str| {
        let head = bare.get(..word.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(word))
            && bare[word.len()..]
                .trim_start_matches([' ', '\u{a0}'])
                .chars()
                .next()
                .is_none_or(|c| ":)]\n".contains(c))
    };
    let found = ENGLISH_HALVES.into_iter().map(|(word, _)| word).find(is_it);
    found.map_or(0, |word| text.len() - bare.len() + word.len())
}

/// Returns the time in italics, bold type or code at the start of a text: `*00:05*`.
pub(super) fn typed_stamp(text: &str) -> Option<Stamp<'_>> {
    let bare = text.trim_start_matches(['*', '_', '`']);
    let sign = &text[..text.len() - bare.len()];
    if !(1..=3).contains(&sign.len()) {
        return None;
    }
    let (inside, rest) = bare.split_once(sign)?;
    let stamp = stamp(inside).filter(|stamp| stamp.rest.trim().is_empty())?;
    Some(Stamp { rest, ..stamp })
}

/// Returns the text after the dash of a time span.
fn dash(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let signs = ["-->", "->", "–", "—", "-", "to ", "bis "];
    signs.iter().find_map(|sign| text.strip_prefix(sign))
}
