//! Network addresses and host names.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::super::classes::Class;
use super::super::rule::Rule;
use super::super::tier::Tier;
use super::Seen;

pub(super) const ROWS: &[Rule] = &[
    Rule::swept("ip-address", "IP address", Tier::Possible, "RFC 791, RFC 4291", |random| {
        let parts = (random.text("1-9", 1), random.text("1-9", 2), random.text("1-9", 2));
        let secret = format!("81.1{}.{}.{}", parts.0, parts.1, parts.2);
        (format!("from {secret} at noon"), secret)
    })
    .personal(),
    Rule::swept("private-address", "private address", Tier::Possible, "RFC 1918", |random| {
        let secret = format!("10.{}.{}.7", random.text("1-9", 2), random.text("1-9", 2));
        (format!("on {secret} at noon"), secret)
    })
    .personal(),
    Rule::swept(
        "internal-host",
        "internal host name",
        Tier::Possible,
        "RFC 6762, RFC 8375",
        |random| {
            let secret = format!("{}.lan", random.text("a-z", 7));
            (format!("on {secret} at noon"), secret)
        },
    )
    .personal(),
];

/// Finds the IPv4 address that starts at a digit.
pub(super) fn number(text: &str, at: usize) -> Seen {
    let bytes = text.as_bytes();
    let length = Class::DIGITS.and(b".").run(bytes, at, 17);
    let span = text.get(at..at + length)?.trim_end_matches('.');
    if span.len() < 7 || span.bytes().filter(|byte| *byte == b'.').count() != 3 {
        return None;
    }
    let address: Ipv4Addr = span.parse().ok()?;
    let end = at + span.len();
    let next = bytes.get(end);
    let before = bytes.get(at.saturating_sub(16)..at).unwrap_or_default();
    let part = matches!(before.last(), Some(b'.' | b'-'))
        || next.is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    if part || is_version(before) {
        return None;
    }
    if address.is_private() || address.is_link_local() {
        return Some(("private-address", at..end, Tier::Possible));
    }
    let [first, second, ..] = address.octets();
    let shared = first == 100 && (64..128).contains(&second);
    let is_reserved = address.is_loopback()
        || address.is_unspecified()
        || address.is_broadcast()
        || address.is_multicast()
        || address.is_documentation()
        || shared
        || first == 0
        || first >= 240
        || ["1.1.1.1", "1.0.0.1", "8.8.8.8", "8.8.4.4", "9.9.9.9", "1.2.3.4"].contains(&span);
    // Versions also have four numbers, but rarely large ones.
    let version = address.octets().iter().all(|octet| *octet < 32)
        || String::from_utf8_lossy(before).to_ascii_lowercase().contains("ersion");
    (!is_reserved && !version).then_some(("ip-address", at..end, Tier::Possible))
}

/// Words before numbers that are not addresses.
const VERSION: [&str; 7] = ["version", "ver", "v", "release", "build", "rev", "revision"];

/// Returns whether the last word before a number introduces a version: `version = "`.
fn is_version(before: &[u8]) -> bool {
    let text = String::from_utf8_lossy(before).to_ascii_lowercase();
    let text = text.trim_end_matches([' ', ':', '=', '"', '\'', '`', '.', '(', '*', '>']);
    let word = text.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    // A command option: `ssh -v`.
    let is_option = word == "v" && text.ends_with("-v");
    VERSION.contains(&word) && !is_option
}

/// Finds the IPv6 address that starts at a hexadecimal digit or a colon.
pub(super) fn six(text: &str, at: usize) -> Seen {
    let bytes = text.as_bytes();
    let length = Class::DIGITS.range(b'a', b'f').range(b'A', b'F').and(b":").run(bytes, at, 40);
    let span = text.get(at..at + length)?;
    if span.len() < 9 || span.bytes().filter(|byte| *byte == b':').count() < 3 {
        return None;
    }
    let address: Ipv6Addr = span.parse().ok()?;
    let end = at + span.len();
    if bytes.get(end).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') {
        return None;
    }
    let private = address.is_unique_local() || address.is_unicast_link_local();
    let [first, second, ..] = address.segments();
    if private {
        return Some(("private-address", at..end, Tier::Possible));
    }
    let global = first & 0xE000 == 0x2000 && !(first == 0x2001 && second == 0xDB8);
    global.then_some(("ip-address", at..end, Tier::Possible))
}

/// Last labels of names that exist only in internal networks.
const INSIDE: [&str; 7] = ["local", "internal", "corp", "lan", "intranet", "home", "localdomain"];

/// Finds the name around the dot before its last label.
pub(super) fn host(text: &str, at: usize) -> Seen {
    let bytes = text.as_bytes();
    let length = Class::ALPHANUMERIC.and(b"-_").run(bytes, at + 1, 12);
    let top = text.get(at + 1..at + 1 + length)?;
    if !INSIDE.contains(&top) {
        return None;
    }
    let end = at + 1 + length;
    let next = bytes.get(end);
    // `.local/share`, `x.local()` and `a.local.b` are not host names.
    let longer = next == Some(&b'(')
        || next == Some(&b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_alphanumeric);
    let before = Class::ALPHANUMERIC.and(b"-.").run_back(bytes, at, 200);
    let name = text.get(at - before..at)?;
    let known = ["host.docker", "gateway.docker", "kubernetes.docker", "metadata.google"];
    let first = at.checked_sub(before + 1).and_then(|before| bytes.get(before));
    let path = matches!(first, Some(b'/' | b'\\')) && !text.get(..at - before)?.ends_with("//");
    // Files, such as `.env.local` and `settings.local`.
    let file = name.starts_with('.')
        || ["settings", "config", "env", "this", "self", "compose"].contains(&name)
        || name.ends_with(".svc.cluster")
        || name.contains("..");
    if longer
        || name.len() < 2
        || path
        || file
        || known.contains(&name)
        || !name.bytes().any(|byte| byte.is_ascii_alphabetic())
    {
        return None;
    }
    Some(("internal-host", at - before..end, Tier::Possible))
}
