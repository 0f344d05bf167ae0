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
            words: &["-----BEGIN "],
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

fn pem(text: &str, place: Range<usize>) -> Option<Found> {
    let bytes = text.as_bytes();
    let name = Class::EMPTY.range(b'A', b'Z').range(b'0', b'9').and(b" _-");
    let first = place.end + name.run(bytes, place.end, 64);
    let label = text.get(place.end..first)?;
    let (label, _) = label.split_once("-----").unwrap_or((label, ""));
    if !label.contains("PRIVATE KEY") {
        return None;
    }
    let start = place.end + label.len() + 5;
    let inside = Class::BASE64.without(b"-").and(b" \t\r\n=\\\"',:.();@<>|*&#");
    let mut length = 0;
    let mut dashes = 0;
    while length < MOST {
        length += inside.run(bytes, start + length, MOST);
        // Some tools number lines like this: `     2→MIIE…`.
        if text.get(start + length..).is_some_and(|rest| rest.starts_with('→')) {
            length += '→'.len_utf8();
            continue;
        }
        dashes = Class::EMPTY.and(b"-").run(bytes, start + length, 5);
        if dashes == 0 || dashes == 5 {
            break;
        }
        length += dashes;
    }
    let marks = dashes == 5;
    let body = bytes.get(start..start + length)?;
    if base64_lines(body) < LEAST {
        return None;
    }
    let mut end = start + length;
    if marks && bytes.get(end..)?.starts_with(b"-----END ") {
        let last = end + 9 + name.run(bytes, end + 9, 80);
        let closing = text.get(end + 9..last)?;
        end += 9 + closing.find("-----").map_or(closing.len(), |at| at + 5);
    }
    let value = text.get(start..start + length)?;
    (!placeholders::is_placeholder_block(value)).then(|| Found::at(place.start..end)).flatten()
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
