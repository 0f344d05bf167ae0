//! Times that stand beside names.

use super::super::line;

/// A time or two, as they stand beside names.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Stamp<'a> {
    pub(super) from: &'a str,
    pub(super) to: Option<&'a str>,
    /// What follows.
    pub(super) rest: &'a str,
    /// Whether it can be no time of day that somebody talks of.
    pub(super) is_exact: bool,
    /// Whether it is one of a recording rather than of a timetable.
    pub(super) is_recorded: bool,
}

/// Returns the time at the start of a text, or a span: `[00:05]`, `00:05 - 00:09`.
pub(super) fn stamp<'a>(text: &'a str) -> Option<Stamp<'a>> {
    if let Some(time) = line::time(text) {
        let half = match text.starts_with(|c: char| c.is_ascii_digit()) {
            true => half_of_day(time.rest),
            false => 0,
        };
        let made = |to, rest: &'a str| Stamp {
            from: time.text,
            to,
            rest,
            is_exact: time.is_exact(),
            is_recorded: time.is_recorded(),
        };
        let second = dash(time.rest).and_then(|rest| line::time(rest.trim_start()));
        return Some(match second {
            Some(second) => made(Some(second.text), second.rest),
            None if half > 0 => {
                // `9:05 AM`
                let from = &text[..text.len() - time.rest.len() + half];
                Stamp { from, ..made(None, &time.rest[half..]) }
            }
            None => made(None, time.rest),
        });
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
    let first = line::time(inside)?;
    let second = line::time(dash(first.rest)?.trim_start())?;
    let fits = second.rest.trim().is_empty() && !rest.starts_with('(');
    fits.then_some(Stamp {
        from: first.text,
        to: Some(second.text),
        rest,
        is_exact: true,
        is_recorded: true,
    })
}

/// Returns the number of bytes of ` AM` or ` p.m.` at the start of a text.
fn half_of_day(text: &str) -> usize {
    let bare = text.trim_start_matches([' ', '\u{a0}', '\u{202f}']);
    let word = |word: &&str| {
        let head = bare.get(..word.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(word))
            && bare[word.len()..]
                .trim_start_matches([' ', '\u{a0}'])
                .chars()
                .next()
                .is_none_or(|c| ":)]\n".contains(c))
    };
    let found = ["a.m.", "p.m.", "am", "pm"].into_iter().find(word);
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

/// Returns what stands behind the sign of a span.
fn dash(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let signs = ["-->", "->", "–", "—", "-", "to ", "bis "];
    signs.iter().find_map(|sign| text.strip_prefix(sign))
}
