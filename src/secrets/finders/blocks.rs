//! Private keys in blocks of lines.

use std::ops::Range;

use super::super::classes::Class;
use super::super::found::Found;
use super::super::placeholders;
use super::super::random::Random;
use super::super::rule::{Finder, Rule};
use super::super::tier::Tier;

pub(super) const ROWS: &[Rule] = &[
    Rule::found(
        "private-key",
        "private key",
        Tier::Certain,
        "RFC 7468, RFC 9580, OpenSSH PROTOCOL.key",
        &Finder {
            words: &["-----BEGIN ", "—BEGIN ", "–BEGIN ", "-----END ", "—END ", "–END "],
            find: pem,
            example: |random| {
                let (begin, end) = (label("BEGIN"), label("END"));
                let secret = format!("{begin}\n{}{end}", lines(random));
                (secret.clone(), secret)
            },
            near_miss: "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n",
        },
    ),
    Rule::found(
        "putty-key",
        "PuTTY private key",
        Tier::Certain,
        "PuTTY manual: PPK file format",
        &Finder {
            words: &["PuTTY-User-Key-File-"],
            find: putty,
            example: |random| {
                let secret = format!(
                    "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 4\n{}",
                    lines(random).trim_end()
                );
                (secret.clone(), secret)
            },
            near_miss: "PuTTY-User-Key-File-3: ssh-ed25519\nPublic-Lines: 3\n",
        },
    ),
];

/// Returns the first or last line of a private key. It is assembled so that no file contains it.
fn label(word: &str) -> String {
    format!("-----{word} RSA PRIVATE {}-----", "KEY")
}

/// Generates lines of Base64.
fn lines(random: &mut Random) -> String {
    (0..4).map(|_| random.text("A-Za-z0-9+/", 64) + "\n").collect()
}

/// The maximum size in bytes of a key.
const MOST: usize = 32 * 1024;

/// The minimum number of Base64 characters of a key; an Ed25519 key has 64.
const LEAST: usize = 40;

/// The maximum length in bytes of what precedes the lines of a key, such as the time in a log.
const MAX_PREFIX: usize = 200;

/// The maximum length in bytes of a line.
const MAX_LINE: usize = 1024;

/// The minimum length of a line of Base64, except for the last lines of a key.
const MIN_LINE: usize = 20;

/// The characters of a key.
const BASE64: Class = Class::ALPHANUMERIC.and(b"+/=");

fn pem(text: &str, place: Range<usize>) -> Option<Found> {
    let word = text.get(place.clone())?;
    let (label, after) = label_at(text, place.end)?;
    if !label.contains("PRIVATE KEY") {
        return None;
    }
    let dashes = text.get(..place.start)?.chars().rev().take(4).take_while(|c| is_dash(*c));
    let start = match word.starts_with('-') {
        true => place.start,
        false => place.start - dashes.map(char::len_utf8).sum::<usize>(),
    };
    let is_end = word.len() >= 4 && word.get(word.len() - 4..)?.eq_ignore_ascii_case("END ");
    if is_end {
        return Found::at(lines_above(text, start)?..after);
    }
    let end = match plain_block(text, after) {
        Some((end, true)) => end,
        plain => plain.map(|(end, _)| end).max(prefixed_block(text, start, after))?,
    };
    Found::at(start..end)
}

/// Returns whether a character is a dash. Typography turns `-----` into `—–`.
fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// Returns the length in bytes of the dashes at a position, at most five.
fn dashes_at(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    rest.chars().take(5).take_while(|c| is_dash(*c)).map(char::len_utf8).sum()
}

/// Parses a label such as `RSA PRIVATE KEY`. Returns it with the end of the dashes after it.
fn label_at(text: &str, at: usize) -> Option<(&str, usize)> {
    let name = Class::EMPTY.range(b'A', b'Z').range(b'0', b'9').and(b" _");
    let end = at + name.run(text.as_bytes(), at, 64);
    Some((text.get(at..end)?, end + dashes_at(text, end)))
}

/// Returns the end of the last line of a key, if that line is at `at`.
fn closing(text: &str, at: usize) -> Option<usize> {
    let dashes = dashes_at(text, at);
    let is_closing = dashes > 0 && text.get(at + dashes..)?.starts_with("END ");
    is_closing.then(|| label_at(text, at + dashes + 4)).flatten().map(|(_, end)| end)
}

/// Returns the end of a key whose first line ends at `start`, and whether it has a last line.
fn plain_block(text: &str, start: usize) -> Option<(usize, bool)> {
    let bytes = text.as_bytes();
    let inside = Class::BASE64.without(b"-").and(b" \t\r\n=\\\"',:.();@<>|*&#");
    let mut end = start;
    while end - start < MOST {
        end += inside.run(bytes, end, MOST);
        // Some tools number lines like this: `     2→MIIE…`.
        if text.get(end..).is_some_and(|rest| rest.starts_with('→')) {
            end += '→'.len_utf8();
            continue;
        }
        let hyphens = Class::EMPTY.and(b"-").run(bytes, end, 5);
        if hyphens == 0 || hyphens == 5 {
            break;
        }
        end += hyphens;
    }
    let value = text.get(start..end)?;
    if base64_lines(value.as_bytes()) < LEAST || placeholders::is_placeholder_block(value) {
        return None;
    }
    let closing = closing(text, end);
    Some((closing.unwrap_or(end), closing.is_some()))
}

/// Returns the end of a key each of whose lines has the same prefix, as in a log. Its first line starts
/// at `start` and ends at `first_end`.
fn prefixed_block(text: &str, start: usize, first_end: usize) -> Option<usize> {
    let prefix = text.get(line_start(text, start, MAX_PREFIX)?..start)?;
    let (first, mut at) = line_at(text, first_end);
    if prefix.trim().is_empty() || !trimmed(text.get(first)?).is_empty() {
        return None;
    }
    let mut end = first_end;
    let mut characters = 0;
    while at < text.len() && at - first_end < MOST {
        let (line, next) = line_at(text, at);
        let whole = text.get(line.clone())?;
        let Some(rest) = without_prefix(whole, prefix) else { break };
        let rest_start = line.end - rest.len();
        let indent = rest.len() - rest.trim_start().len();
        if let Some(closing) = closing(text, rest_start + indent) {
            end = closing;
            break;
        }
        let body = trimmed(rest);
        let is_base64 = is_base64(body);
        if !is_base64 && !["Proc-Type:", "DEK-Info:"].iter().any(|key| body.starts_with(key)) {
            break;
        }
        if is_base64 && body.len() >= MIN_LINE {
            characters += body.len();
        }
        end = rest_start + rest.trim_end_matches(is_decoration).len();
        at = next;
    }
    let value = text.get(first_end..end)?;
    (characters >= LEAST && !placeholders::is_placeholder_block(value)).then_some(end)
}

/// The minimum number of Base64 characters of a key that starts below an omission (`...`).
const MIN_BELOW_OMISSION: usize = 160;

/// Returns the start of the lines of a key above its last line, which starts at `last`.
fn lines_above(text: &str, last: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    // Without line ends.
    let run = BASE64.run_back(bytes, last, MOST);
    if run >= LEAST {
        let value = text.get(last - run..last)?;
        return (!placeholders::is_placeholder_block(value)).then_some(last - run);
    }
    let mut at = line_start(text, last, MAX_PREFIX)?;
    let prefix = text.get(at..last)?;
    let mut start = last;
    let (mut lines, mut characters) = (0, 0);
    let mut is_cut = false;
    while last - at < MOST {
        let Some(line) = line_before(text, at) else { break };
        let whole = text.get(line.clone())?;
        let Some(rest) = without_prefix(whole, prefix) else { break };
        let body = trimmed(rest);
        let is_long = body.len() >= MIN_LINE;
        if body.is_empty() || !is_base64(body) || lines >= 2 && !is_long {
            let has_words = rest.contains(char::is_alphanumeric);
            is_cut = !has_words && !rest.trim().is_empty();
            break;
        }
        if is_long {
            characters += body.len();
        }
        lines += 1;
        start = line.end - rest.trim_start_matches(is_decoration).len();
        at = line.start;
    }
    let least = if is_cut { MIN_BELOW_OMISSION } else { LEAST };
    let value = text.get(start..last)?;
    (characters >= least && !placeholders::is_placeholder_block(value)).then_some(start)
}

/// Returns whether a text consists of the characters of a key.
fn is_base64(text: &str) -> bool {
    BASE64.run(text.as_bytes(), 0, text.len()) == text.len()
}

/// Returns whether a character around a line of a key is not part of it, such as a quotation mark.
fn is_decoration(c: char) -> bool {
    c.is_whitespace() || "\"'`,;\\|*>{}[]()".contains(c)
}

/// Returns a line without what is around the part of a key.
fn trimmed(line: &str) -> &str {
    line.trim_matches(is_decoration)
}

/// Returns the start of the line that contains `at`; `None` if it is more than `most` bytes before. Lines
/// end as in plain text or in a JSON string.
fn line_start(text: &str, at: usize, most: usize) -> Option<usize> {
    let from = text.floor_char_boundary(at.saturating_sub(most));
    let before = text.get(from..at)?;
    let line = before.rfind('\n').map(|end| end + 1);
    let string = before.get(line.unwrap_or(0)..)?.rfind("\\n").map(|end| end + 2);
    let is_start = from == 0 || line.is_some() || string.is_some();
    is_start.then(|| from + line.unwrap_or(0) + string.unwrap_or(0))
}

/// Returns the rest of the line at a position, and the start of the next line.
fn line_at(text: &str, at: usize) -> (Range<usize>, usize) {
    let end = super::line_end(text, at, MAX_LINE);
    let line = text.get(at..end).unwrap_or_default();
    if let Some(string) = line.find("\\n") {
        let end = at + line.get(..string).map_or(string, |line| line.trim_end_matches("\\r").len());
        return (at..end, at + string + 2);
    }
    (at..end, end + usize::from(text.as_bytes().get(end) == Some(&b'\n')))
}

/// Returns the line before the one that starts at `at`.
fn line_before(text: &str, at: usize) -> Option<Range<usize>> {
    let before = text.get(..at)?;
    let line = before.strip_suffix('\n').or_else(|| before.strip_suffix("\\n"))?;
    let start = line_start(text, line.len(), MAX_LINE)?;
    Some(start..line.trim_end_matches("\\r").len())
}

/// Returns the rest of a line after a prefix. Numbers and blanks in it may differ, as in times.
fn without_prefix<'t>(line: &'t str, prefix: &str) -> Option<&'t str> {
    let (bytes, prefix) = (line.as_bytes(), prefix.as_bytes());
    let (mut at, mut known) = (0, 0);
    while let Some(byte) = prefix.get(known) {
        let class = match byte {
            b'0'..=b'9' => Class::DIGITS,
            b' ' | b'\t' => Class::EMPTY.and(b" \t"),
            _ => Class::EMPTY,
        };
        let (length, known_length) =
            (class.run(bytes, at, MAX_PREFIX), class.run(prefix, known, MAX_PREFIX));
        if known_length > 0 {
            if length == 0 {
                return None;
            }
            (at, known) = (at + length, known + known_length);
        } else if bytes.get(at) == Some(byte) {
            (at, known) = (at + 1, known + 1);
        } else {
            return None;
        }
    }
    line.get(at..)
}

fn putty(text: &str, place: Range<usize>) -> Option<Found> {
    let bytes = text.as_bytes();
    // Only a few lines precede the private ones: a comment and the public key.
    let mut most = (place.end + 2048).min(text.len());
    while !text.is_char_boundary(most) {
        most -= 1;
    }
    let head = text.get(place.end..most)?;
    let own = head.find("PuTTY-User-Key-File-").unwrap_or(head.len());
    let lines = head.get(..own)?.find("Private-Lines:")? + place.end + 14;
    let number = lines + Class::EMPTY.and(b" ").run(bytes, lines, 4);
    let digits = Class::DIGITS.run(bytes, number, 3);
    let count: usize = text.get(number..number + digits)?.parse().ok()?;
    let mut end = number + digits;
    let mut characters = 0;
    for _ in 0..count.min(200) {
        end += line_break(bytes, end);
        let line = Class::BASE64.and(b"=").run(bytes, end, 128);
        characters += line;
        end += line;
    }
    let mac = end + line_break(bytes, end);
    if bytes.get(mac..)?.starts_with(b"Private-MAC: ") {
        end = mac + 13 + Class::ALPHANUMERIC.run(bytes, mac + 13, 128);
    }
    (characters >= LEAST).then(|| Found::at(place.start..end)).flatten()
}

/// Returns the length of a line end, in plain text or in a JSON string.
fn line_break(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at..).unwrap_or_default() {
        [b'\\', b'r', b'\\', b'n', ..] => 4,
        [b'\r', b'\n', ..] | [b'\\', b'n', ..] => 2,
        [b'\n', ..] => 1,
        _ => 0,
    }
}

/// Returns the number of Base64 characters in runs that are too long to be words.
fn base64_lines(body: &[u8]) -> usize {
    let runs = body.split(|byte| !Class::BASE64.and(b"=").has(*byte));
    runs.map(<[u8]>::len).filter(|length| *length >= 20).sum()
}
