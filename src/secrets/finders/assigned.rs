//! Secrets that are assigned to a name: `.env` lines, JSON and YAML fields, variables in source code.

use std::ops::Range;

use super::super::classes::Class;
use super::super::found::Found;
use super::super::random::Random;
use super::super::rule::{Finder, Rule};
use super::super::tier::Tier;
use super::super::{entropy, placeholders};
use super::strength::{self, Strength};

pub(super) const ROWS: &[Rule] = &[
    Rule::found(
        "environment-secret",
        "secret in an environment file",
        Tier::Likely,
        "The Twelve-Factor App: Config",
        &Finder {
            words: WORDS,
            find: environment,
            example: |random| {
                let secret = password(random);
                let name = random.of(&["HARBOUR_SECRET", "TEAPOT_TOKEN", "DB_PASSWORD"]);
                (format!("{name}={secret}"), secret)
            },
            near_miss: "DB_PASSWORD=${DB_PASSWORD}",
        },
    ),
    Rule::found(
        "password-field",
        "password",
        Tier::Likely,
        "RFC 8259, YAML 1.2: members of objects",
        &Finder {
            words: &["password", "passwd", "passphrase", "pwd", "passwort", "contraseña"],
            find: field,
            example: |random| {
                let secret = password(random);
                (format!("{{\"password\": \"{secret}\"}}"), secret)
            },
            near_miss: "{\"password\": \"string\"}",
        },
    ),
    Rule::found(
        "generic-secret",
        "secret",
        Tier::Possible,
        "none: a random-looking value after a keyword",
        &Finder {
            words: WORDS,
            find: generic,
            example: |random| {
                let secret = random.text("A-Za-z0-9", 32);
                (format!("const sessionSecret = '{secret}';"), secret)
            },
            near_miss: "const sessionSecret = makeSessionSecret();",
        },
    ),
];

/// Words at the end of names of secrets.
const WORDS: &[&str] = &[
    "password", "passwd", "passphrase", "_pass", "_pwd", "secret", "token", "apikey", "api_key",
    "api-key", "access_key", "accesskey", "secret_key", "private_key", "credential", "_key",
    "_auth", "_pat",
];

/// Generates an example password.
fn password(random: &mut Random) -> String {
    let (begin, end) = (random.text("a-z", 5), random.text("A-Z", 5));
    format!("{begin}{}{end}{}", random.text("2-9", 3), random.text("2-9", 2))
}

/// A name and the value assigned to it.
struct Given<'t> {
    name: &'t str,
    operator: u8,
    quoted: bool,
    value: Range<usize>,
}

fn environment(text: &str, place: Range<usize>) -> Option<Found> {
    let given = given(text, place)?;
    if given.operator != b'=' || !given.name.contains('_') && given.name.len() < 5 {
        return None;
    }
    if given.name.bytes().any(|byte| byte.is_ascii_lowercase()) {
        return None;
    }
    judged(text, given.value)
}

fn field(text: &str, place: Range<usize>) -> Option<Found> {
    let given = given(text, place)?;
    if given.operator != b'=' && given.operator != b':' && given.operator != b'>' {
        return None;
    }
    let found = judged(text, given.value)?;
    // An unquoted value may be a variable name or part of a sentence.
    let bare = !given.quoted && given.operator == b':';
    if bare { Found::with(found.range, Tier::Possible) } else { Some(found) }
}

fn generic(text: &str, place: Range<usize>) -> Option<Found> {
    let given = given(text, place)?;
    let value = text.get(given.value.clone())?;
    let strong = value.len() >= 16 && strength::of(value) == Strength::Strong;
    strong.then(|| Found::at(given.value)).flatten()
}

fn judged(text: &str, value: Range<usize>) -> Option<Found> {
    match strength::of(text.get(value.clone())?) {
        Strength::None => None,
        Strength::Weak => Found::with(value, Tier::Possible),
        Strength::Strong => Found::with(value, Tier::Likely),
    }
}

/// The minimum length in bytes of a value that is a secret even if its name says that it is fake.
const MIN_OUTWEIGHING: usize = 32;

/// Returns whether a value is so long and random that its name does not matter.
fn outweighs_name(value: &str) -> bool {
    value.len() >= MIN_OUTWEIGHING
        && strength::of(value) == Strength::Strong
        && entropy::is_generated(value)
}

/// Parses the text around a keyword: a name that ends with it, an operator and a value.
fn given(text: &str, place: Range<usize>) -> Option<Given<'_>> {
    let bytes = text.as_bytes();
    let name_class = Class::ALPHANUMERIC.and(b"_-");
    let end = place.end + name_class.run(bytes, place.end, 16);
    let tail = text.get(place.end..end)?.to_ascii_lowercase();
    let tail = tail.trim_matches(['_', '-']);
    if !tail.is_empty() && !["key", "value", "hash", "1", "2", "token", "data"].contains(&tail) {
        return None;
    }
    let begin = place.start - name_class.run_back(bytes, place.start, 48);
    let name = text.get(begin..end)?;
    let blank = Class::EMPTY.and(b" \t");
    let quote = Class::EMPTY.and(b"\"'`\\]");
    let mut at = end + quote.run(bytes, end, 3);
    at += blank.run(bytes, at, 24);
    let operator = match bytes.get(at)? {
        b'=' if bytes.get(at + 1) == Some(&b'=') => return None,
        b'!' => return None,
        byte @ (b'=' | b':') => {
            at += Class::EMPTY.and(b"=:>").run(bytes, at, 2);
            *byte
        }
        // `<password>…</password>`
        b'>' if begin > 0 && bytes.get(begin - 1) == Some(&b'<') => {
            at += 1;
            b'>'
        }
        // `--password …`
        _ if name.starts_with("--") && at > end => b'=',
        _ => return None,
    };
    at += blank.run(bytes, at, 24);
    // `let token: String = …`
    let kind = Class::ALPHANUMERIC.and(b"_&<>?[]").run(bytes, at, 24);
    if operator == b':' && kind > 0 {
        let after = at + kind;
        let equals = after + blank.run(bytes, after, 4);
        if bytes.get(equals) == Some(&b'=') && bytes.get(equals + 1) != Some(&b'=') {
            at = equals + 1 + blank.run(bytes, equals + 1, 4);
        }
    }
    let slashes = Class::EMPTY.and(b"\\").run(bytes, at, 3);
    let opening = bytes.get(at + slashes).copied()?;
    let quoted = matches!(opening, b'"' | b'\'' | b'`');
    let start = if quoted { at + slashes + 1 } else { at };
    let rest = bytes.get(start..)?;
    let ends = |byte: &u8| match byte {
        b'\n' | b'\r' | b'<' => true,
        byte if quoted => *byte == opening || *byte == b'\\' && slashes > 0,
        byte => byte.is_ascii_whitespace() || b"\"'`,;)}]|&\\".contains(byte),
    };
    let length = rest.iter().take(257).position(ends);
    let length = length.or_else(|| (rest.len() <= 256).then_some(rest.len()))?;
    if quoted && rest.get(length).is_none_or(|byte| *byte == b'\n') {
        return None;
    }
    // The end of a sentence, and marks of Markdown around the assignment, are not part of the value.
    let is_around = |byte: &&u8| !quoted && b".:*~".contains(byte);
    let around = rest.get(..length)?.iter().rev().take_while(is_around).count();
    let value = start..start + length - around;
    let given = text.get(value.clone())?;
    if placeholders::is_named_fake(name.as_bytes()) && !outweighs_name(given) {
        return None;
    }
    Some(Given { name, operator, quoted, value })
}
