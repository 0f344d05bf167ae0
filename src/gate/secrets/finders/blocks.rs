//! Private keys that are blocks of lines.

use std::ops::Range;

use super::super::classes::Class;
use super::super::engine::Found;
use super::super::example::Random;
use super::super::placeholders;
use super::super::table::{Finder, Rule, Tier};

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
                    "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 3\n{}",
                    lines(random).trim_end()
                );
                (secret.clone(), secret)
            },
            near_miss: "PuTTY-User-Key-File-3: ssh-ed25519\nPublic-Lines: 3\n",
        },
    ),
];

/// The first or last line of a private key. It stands in no file in one piece.
fn label(word: &str) -> String {
    format!("-----{word} RSA PRIVATE {}-----", "KEY")
}

/// Lines of Base64.
fn lines(random: &mut Random) -> String {
    (0..4).map(|_| random.text("A-Za-z0-9+/", 64) + "\n").collect()
}

/// The most bytes of a key.
const MOST: usize = 32 * 1024;

/// The least Base64 characters of a key; an Ed25519 key has 64.
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
    let rest = bytes.get(start..)?;
    let rest = rest.get(..rest.len().min(MOST)).unwrap_or(rest);
    let inside = Class::BASE64.and(b" \t\r\n=\\\"',:.-();@<>|*&#");
    let length = rest.iter().take_while(|byte| inside.has(**byte)).count();
    let body = rest.get(..length)?;
    let marks = body.windows(5).position(|five| five == b"-----");
    let length = marks.unwrap_or(length);
    let body = body.get(..length)?;
    if base64_lines(body) < LEAST {
        return None;
    }
    let mut end = start + length;
    if marks.is_some() && bytes.get(end..)?.starts_with(b"-----END ") {
        let last = end + 9 + name.run(bytes, end + 9, 80);
        let closing = text.get(end + 9..last)?;
        end += 9 + closing.find("-----").map_or(closing.len(), |at| at + 5);
    }
    let value = text.get(start..start + length)?;
    (!placeholders::is_placeholder_block(value))
        .then(|| Found::at(place.start..end))
        .flatten()
}

fn putty(text: &str, place: Range<usize>) -> Option<Found> {
    let bytes = text.as_bytes();
    let rest = text.get(place.end..)?;
    let mut most = rest.len().min(4096);
    while !rest.is_char_boundary(most) {
        most -= 1;
    }
    let head = rest.get(..most)?;
    let own = head.find("PuTTY-User-Key-File-").unwrap_or(head.len());
    let lines = head.get(..own)?.find("Private-Lines:")? + place.end;
    let inside = Class::BASE64.and(b" \t\r\n=\\:");
    let length = inside.run(bytes, lines, 8192);
    let body = bytes.get(lines..lines + length)?;
    (base64_lines(body) >= LEAST)
        .then(|| Found::at(place.start..lines + length))
        .flatten()
}

/// How many characters of Base64 stand in runs that are too long for words.
fn base64_lines(body: &[u8]) -> usize {
    let runs = body.split(|byte| !Class::BASE64.and(b"=").has(*byte));
    runs.map(<[u8]>::len).filter(|length| *length >= 20).sum()
}
