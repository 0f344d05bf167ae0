//! Credentials in pasted requests: headers, cookies, `curl -u`.

use std::ops::Range;

use super::super::classes::Class;
use super::super::found::Found;
use super::super::placeholders;
use super::super::rule::{Finder, Rule};
use super::super::tier::Tier;
use super::strength::{self, Strength};

pub(super) const ROWS: &[Rule] = &[
    Rule::found(
        "authorization-header",
        "authorization header",
        Tier::Likely,
        "RFC 9110: Authorization; RFC 6750; RFC 7617",
        &Finder {
            words: &["bearer ", "basic ", "authorization: token "],
            find: authorization,
            example: |random| {
                let secret = random.text("A-Za-z0-9_-", 40);
                (format!("curl -H 'Authorization: Bearer {secret}' harbour.example.org"), secret)
            },
            near_miss: "curl -H 'Authorization: Bearer $TOKEN' harbour.example.org",
        },
    ),
    Rule::found(
        "key-header",
        "key in a header",
        Tier::Likely,
        "IANA: Field names; custom headers of services",
        &Finder {
            words: &[
                "x-api-key", "x-auth-token", "x-access-token", "private-token", "x-api-token",
                "x-auth-key", "apikey:", "api-key:", "x-csrf-token", "x-goog-api-key",
                "authorization:",
            ],
            find: key_header,
            example: |random| {
                let secret = random.text("A-Za-z0-9", 36);
                (format!("curl -H 'X-Api-Key: {secret}' harbour.example.org"), secret)
            },
            near_miss: "curl -H 'X-Api-Key: <your key>' harbour.example.org",
        },
    ),
    Rule::found(
        "cookie-header",
        "session cookie",
        Tier::Likely,
        "RFC 6265: Cookie, Set-Cookie",
        &Finder {
            words: &["cookie:", "cookie\": \"", "cookie': '"],
            find: cookie,
            example: |random| {
                let secret = random.text("A-Za-z0-9", 32);
                (format!("Cookie: theme=dark; session_id={secret}"), secret)
            },
            near_miss: "Cookie: theme=dark; language=en",
        },
    ),
    Rule::found(
        "curl-user",
        "password in a request",
        Tier::Likely,
        "curl manual: --user",
        &Finder {
            words: &[" -u ", " --user ", " -u\"", " -u'", " --proxy-user "],
            find: curl,
            example: |random| {
                let secret = format!("{}{}", random.text("A-Za-z", 8), random.text("2-9", 4));
                (format!("curl -u ferry:{secret} harbour.example.org"), secret)
            },
            near_miss: "curl -u ferry harbour.example.org",
        },
    ),
];

/// Returns the range of an unquoted value from `start`.
fn value_at(text: &str, start: usize) -> Option<Range<usize>> {
    let class = Class::ALPHANUMERIC.and(b"+/=_-.~:%|!");
    let length = class.run(text.as_bytes(), start, 4096);
    let value = text.get(start..start + length)?;
    let value = value.trim_end_matches(['.', ':']);
    Some(start..start + value.len())
}

fn authorization(text: &str, place: Range<usize>) -> Option<Found> {
    let value = value_at(text, place.end)?;
    let secret = text.get(value.clone())?;
    let before = text.as_bytes().get(place.start.saturating_sub(24)..place.start)?;
    let before = String::from_utf8_lossy(before).to_ascii_lowercase();
    let header = before.contains("authorization") || before.contains("auth");
    if text.as_bytes().get(place.start)?.eq_ignore_ascii_case(&b'b') && place.len() == 6 {
        // Basic authentication: a user name, a colon and a password in Base64.
        if !header || secret.len() < 8 {
            return None;
        }
        let decoded = String::from_utf8(convo_base::text::base64_decode(secret)?).ok()?;
        let (user, password) = decoded.split_once(':')?;
        if placeholders::is_placeholder(password) || password.len() < 3 {
            return None;
        }
        let usual = password == user || strength::of(password) == Strength::None;
        return if usual { Found::with(value, Tier::Possible) } else { Found::at(value) };
    }
    if secret.len() < 16 || strength::of(secret) != Strength::Strong {
        return None;
    }
    if header { Found::at(value) } else { Found::with(value, Tier::Possible) }
}

fn key_header(text: &str, place: Range<usize>) -> Option<Found> {
    let gap = Class::EMPTY.and(b": =\t\"'\\`");
    let start = place.end + gap.run(text.as_bytes(), place.end, 8);
    let colon = text.get(place.start..start)?;
    if !colon.contains([':', '=']) {
        return None;
    }
    let value = value_at(text, start)?;
    let secret = text.get(value.clone())?;
    let strong = secret.len() >= 16 && strength::of(secret) == Strength::Strong;
    strong.then(|| Found::at(value)).flatten()
}

/// Parts of the names of cookies that identify a session or user.
const NAMES: [&str; 10] =
    ["sess", "auth", "token", "sid", "jwt", "login", "remember", "csrf", "xsrf", "secure"];

fn cookie(text: &str, place: Range<usize>) -> Option<Found> {
    let end = super::line_end(text, place.end, 4096);
    let line = text.get(place.end..end)?;
    let closed = line.find(['"', '\'', '`']).filter(|at| *at > 2).unwrap_or(line.len());
    let line = line.get(..closed)?;
    let mut first = None;
    let mut last = 0;
    let mut at = place.end;
    for pair in line.split_inclusive(';') {
        if let Some((name, value)) = pair.trim_end_matches([';', ' ']).split_once('=') {
            let name = name.trim().to_ascii_lowercase();
            let start = at + pair.find('=')? + 1;
            let value = value.split_whitespace().next().unwrap_or_default();
            let strong = value.len() >= 12 && strength::of(value) == Strength::Strong;
            if strong && NAMES.iter().any(|word| name.contains(word)) {
                first.get_or_insert(start);
                last = start + value.len();
            }
        }
        at += pair.len();
    }
    Found::at(first?..last)
}

fn curl(text: &str, place: Range<usize>) -> Option<Found> {
    let bytes = text.as_bytes();
    let before = bytes.get(place.start.saturating_sub(400)..place.start)?;
    if !before.windows(4).any(|four| four == b"curl") {
        return None;
    }
    let start = place.end + Class::EMPTY.and(b"\"' ").run(bytes, place.end, 2);
    let rest = bytes.get(start..)?;
    let outside = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`\\<>|".contains(byte);
    let length = rest.iter().take(300).position(outside).unwrap_or(rest.len().min(300));
    let given = text.get(start..start + length)?;
    let (user, password) = given.split_once(':')?;
    if password.len() < 3 || placeholders::is_placeholder(password) || user == password {
        return None;
    }
    let value = start + user.len() + 1..start + length;
    match strength::of(password) {
        // Anything in this position is a password.
        Strength::Strong | Strength::Weak => Found::at(value),
        Strength::None if password.starts_with(['$', '%', '{']) => None,
        _ => Found::with(value, Tier::Possible),
    }
}
