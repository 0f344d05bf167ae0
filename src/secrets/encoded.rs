//! Finds secrets under one level of encoding: Base64, hexadecimal digits, percent-encoding, and the escapes
//! of JSON and programming languages.

use std::ops::Range;

use super::classes::Class;
use super::engine;
use super::matches::Match;
use super::rule_set::RuleSet;
use super::tier::Tier;

/// Adds the matches found after decoding. A match covers the whole encoded run. `runs` are the long runs of
/// the text.
pub(super) fn search(text: &str, runs: &[Range<usize>], wanted: &RuleSet, found: &mut Vec<Match>) {
    for run in runs {
        let Some(encoded) = text.get(run.clone()) else { continue };
        for decoded in [base64(encoded), hexadecimal(encoded)].into_iter().flatten() {
            found.extend(inside(text, run, &decoded, wanted));
        }
    }
    escaped(text, wanted, found);
}

/// Finds a secret in the decoded text of a run.
fn inside(text: &str, run: &Range<usize>, decoded: &str, wanted: &RuleSet) -> Option<Match> {
    let inside = engine::search_inside(decoded, wanted);
    let sure = inside.iter().filter(|inside| {
        inside.tier == Tier::Certain
            || inside.tier == Tier::Likely && inside.rule.id == "json-web-token"
    });
    let best = sure.max_by_key(|inside| inside.tier)?;
    let padding = Class::EMPTY.and(b"=").run(text.as_bytes(), run.end, 2);
    Some(Match { range: run.start..run.end + padding, ..best.clone() })
}

/// Decodes a run of Base64, if it is valid.
fn base64(run: &str) -> Option<String> {
    let begin = run.get(..run.len().min(64) / 4 * 4)?;
    let begin = convo_base::text::base64_decode(begin)?;
    let control = |byte: &u8| *byte < 9 || (14..32).contains(byte) || *byte == 127;
    if begin.iter().any(control) {
        return None;
    }
    // A single character at the end does not encode a byte.
    let whole = run.len() - usize::from(run.len() % 4 == 1);
    String::from_utf8(convo_base::text::base64_decode(run.get(..whole)?)?).ok()
}

/// Decodes a run of hexadecimal digits, if it encodes ASCII.
fn hexadecimal(run: &str) -> Option<String> {
    let (pairs, []) = run.as_bytes().as_chunks::<2>() else { return None };
    let mut decoded = String::with_capacity(pairs.len());
    for [high, low] in pairs {
        let byte = digit(high)? << 4 | digit(low)?;
        (0x20..0x7F).contains(&byte).then(|| decoded.push(char::from(byte)))?;
    }
    Some(decoded)
}

fn digit(byte: &u8) -> Option<u8> {
    char::from(*byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

/// The maximum length in bytes of a URL to decode.
const MOST: usize = 4096;

fn escaped(text: &str, wanted: &RuleSet, found: &mut Vec<Match>) {
    let bytes = text.as_bytes();
    let outside = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'<' | b'>');
    let mut at = 0;
    while let Some(next) =
        bytes.get(at..).and_then(|rest| memchr::memchr2(b'%', b'\\', rest)).map(|place| at + place)
    {
        at = next + 1;
        if escape(bytes, next).is_none() {
            continue;
        }
        let before = bytes.get(next.saturating_sub(MOST)..next).unwrap_or_default();
        let start = next - before.iter().rev().take_while(|byte| !outside(byte)).count();
        let rest = bytes.get(next..).unwrap_or_default();
        let end = next + rest.iter().take(MOST).take_while(|byte| !outside(byte)).count();
        let (decoded, places) = unescaped(bytes, start..end);
        for inside in engine::search_inside(&decoded, wanted) {
            let first = places.get(inside.range.start).copied();
            let last = places.get(inside.range.end).copied();
            if let (Some(first), Some(last)) = (first, last)
                && inside.tier >= Tier::Likely
                && last - first > inside.range.len()
                && text.get(first..last).is_some()
            {
                found.push(Match { range: first..last, ..inside });
            }
        }
        at = end.max(at);
    }
}

/// Returns the character of an escape and the length of the escape: `%3D`, `\/`, `\x3d`, `\075`, `\u003d`,
/// `\u{3d}`, `\U0000003d`.
fn escape(bytes: &[u8], at: usize) -> Option<(u8, usize)> {
    let rest = bytes.get(at..)?;
    let (digits, radix, length) = match rest {
        [b'\\', b'/', ..] => return Some((b'/', 2)),
        [b'%', ..] => (rest.get(1..3)?, 16, 3),
        [b'\\', b'x' | b'u', b'{', ..] => {
            let end = rest.iter().take(12).position(|byte| *byte == b'}')?;
            (rest.get(3..end)?, 16, end + 1)
        }
        [b'\\', b'x', ..] => (rest.get(2..4)?, 16, 4),
        [b'\\', b'u', ..] => (rest.get(2..6)?, 16, 6),
        [b'\\', b'U', ..] => (rest.get(2..10)?, 16, 10),
        [b'\\', b'0'..=b'1', ..] => (rest.get(1..4)?, 8, 4),
        _ => return None,
    };
    let byte = u8::from_str_radix(str::from_utf8(digits).ok()?, radix).ok()?;
    (0x20..0x7F).contains(&byte).then_some((byte, length))
}

/// Returns part of a text without escapes, and the position in the original text for each of its bytes and
/// its end. Characters outside ASCII become `?`.
fn unescaped(bytes: &[u8], stretch: Range<usize>) -> (String, Vec<usize>) {
    let mut decoded = String::new();
    let mut places = Vec::new();
    let mut at = stretch.start;
    while at < stretch.end {
        let (byte, length) =
            escape(bytes, at).or_else(|| bytes.get(at).map(|byte| (*byte, 1))).unwrap_or((b'?', 1));
        decoded.push(if byte.is_ascii() { char::from(byte) } else { '?' });
        places.push(at);
        at += length;
    }
    places.push(at.min(bytes.len()));
    (decoded, places)
}
