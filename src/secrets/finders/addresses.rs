//! Passwords in URLs and connection strings.

use std::ops::Range;

use super::super::classes::Class;
use super::super::found::Found;
use super::super::placeholders;
use super::super::rule::{Finder, Rule};
use super::super::tier::Tier;
use super::strength::{self, Strength};

pub(super) const ROWS: &[Rule] = &[
    Rule::found(
        "address-password",
        "password in a URL",
        Tier::Likely,
        "RFC 3986: User information",
        &Finder {
            words: &["://"],
            find: address,
            example: |random| {
                let secret = format!("{}{}", random.text("A-Za-z", 8), random.text("2-9", 4));
                (format!("postgres://ferry:{secret}@db.harbour.example.org/boats"), secret)
            },
            near_miss: "postgres://ferry@db.harbour.example.org:5432/boats",
        },
    ),
    Rule::found(
        "connection-string-password",
        "password in a connection string",
        Tier::Likely,
        "Microsoft Learn: Connection string syntax",
        &Finder {
            words: &["password=", "pwd="],
            find: connection,
            example: |random| {
                let secret = format!("{}{}", random.text("A-Za-z", 8), random.text("2-9", 4));
                (format!("Server=db.example.org;User Id=ferry;Password={secret};"), secret)
            },
            near_miss: "Server=db.example.org;User Id=ferry;Password={0};",
        },
    ),
];

fn address(text: &str, place: Range<usize>) -> Option<Found> {
    let bytes = text.as_bytes();
    let scheme = Class::ALPHANUMERIC.and(b"+.-").run_back(bytes, place.start, 24);
    if scheme < 2 {
        return None;
    }
    // A password may contain any character except those that end the authority; an `@` is common.
    let outside = b" \t\r\n\"'`<>()[]{}|\\^/,;";
    let rest = bytes.get(place.end..)?;
    let rest = rest.get(..rest.len().min(320)).unwrap_or(rest);
    let length = rest.iter().position(|byte| outside.contains(byte)).unwrap_or(rest.len());
    let authority = rest.get(..length)?;
    let host = authority.iter().rposition(|byte| *byte == b'@')?;
    let colon = authority.get(..host)?.iter().position(|byte| *byte == b':')?;
    let value = place.end + colon + 1..place.end + host;
    let password = text.get(value.clone())?;
    let plain = text.get(place.end + host + 1..place.end + length)?.to_ascii_lowercase();
    let user = text.get(place.end..place.end + colon)?;
    if password.len() < 3 || placeholders::is_placeholder(password) {
        return None;
    }
    let template = password.starts_with(['$', '%', '*', '{', ':'])
        || ["user", "username", "pass", "password", "pw", "pwd"].contains(&password)
        || password.eq_ignore_ascii_case(user) && password.len() < 12
        || password == "x-oauth-basic"
        || !password.bytes().all(|byte| byte.is_ascii_graphic());
    if template || !plain.bytes().next()?.is_ascii_alphanumeric() {
        return None;
    }
    let near = ["localhost", "127.0.0.1", "0.0.0.0", "host", "db:", "example."];
    let own = near.iter().any(|name| plain.starts_with(name)) || plain == "db";
    match strength::of(password) {
        Strength::Strong | Strength::Weak if !own => Found::at(value),
        Strength::None if own => None,
        _ => Found::with(value, Tier::Possible),
    }
}

/// Keys that appear next to the password in a connection string.
const BESIDE: [&str; 10] = [
    "server=", "data source=", "user id=", "uid=", "host=", "database=", "jdbc:", "user=",
    "initial catalog=", "username=",
];

fn connection(text: &str, place: Range<usize>) -> Option<Found> {
    let bytes = text.as_bytes();
    if !matches!(bytes.get(..place.start)?, [.., b';' | b'&' | b'?' | b' ']) {
        return None;
    }
    let before = place.start.saturating_sub(200);
    let before = String::from_utf8_lossy(bytes.get(before..place.start)?).to_ascii_lowercase();
    let line = before.rsplit('\n').next()?;
    let beside = BESIDE.iter().any(|key| line.contains(key));
    if !beside {
        return None;
    }
    let rest = bytes.get(place.end..)?;
    let ends = |byte: &u8| {
        matches!(byte, b';' | b'&' | b'"' | b'\'' | b'`' | b'<' | b'\\')
            || byte.is_ascii_whitespace()
    };
    let length = rest.iter().take(200).position(ends).unwrap_or(rest.len().min(200));
    let value = place.end..place.end + length;
    match strength::of(text.get(value.clone())?) {
        Strength::None => None,
        Strength::Weak => Found::with(value, Tier::Possible),
        Strength::Strong => Found::at(value),
    }
}
