//! Addresses of e-mail, numbers of telephones.

use super::super::classes::Class;
use super::super::rule::Rule;
use super::super::tier::Tier;
use super::Seen;

pub(super) const ROWS: &[Rule] = &[
    Rule::swept("email-address", "e-mail address", Tier::Likely, "RFC 5321", |random| {
        let secret = format!("{}@ferry.example.org", random.text("a-z", 7));
        (format!("write to {secret}, please"), secret)
    })
    .personal(),
    Rule::swept("phone-number", "phone number", Tier::Likely, "ITU-T E.164", |random| {
        let secret =
            format!("+49 30 {} {}", random.text("2-9", 4), random.text("0-9", 4));
        (format!("call {secret} today"), secret)
    })
    .personal(),
];

/// The address around an `@`.
pub(super) fn mail(text: &str, at: usize) -> Seen {
    let bytes = text.as_bytes();
    let local = Class::ALPHANUMERIC.and(b"._%+-").run_back(bytes, at, 65);
    let host = Class::ALPHANUMERIC.and(b".-").run(bytes, at + 1, 254);
    if local == 0 || local > 64 {
        return None;
    }
    // `https://ada:password@harbour.example.org` is of a machine, and the password is no name.
    let outside = |byte: &&u8| byte.is_ascii_whitespace() || b"/\"'`<>()".contains(byte);
    let before = bytes.get(at.saturating_sub(local + 65)..at - local).unwrap_or_default();
    let user = before.iter().rev().take_while(|byte| !outside(byte)).count();
    if before.get(..before.len() - user).is_some_and(|before| before.ends_with(b"://")) {
        return None;
    }
    let domain = text.get(at + 1..at + 1 + host)?.trim_end_matches(['.', '-']);
    let (name, top) = domain.rsplit_once('.')?;
    let letters = top.len() >= 2 && top.bytes().all(|byte| byte.is_ascii_alphabetic());
    let labels = name.split('.').all(|label| !label.is_empty());
    // `git@github.com:…` and pictures for two screens (`logo@2x.png`) are no addresses.
    let user = text.get(at - local..at)?;
    let machine = ["git", "svn", "hg", "root"].contains(&user)
        && bytes.get(at + 1 + domain.len()) == Some(&b':');
    let file =
        ["png", "jpg", "jpeg", "svg", "gif", "webp", "js", "ts", "css", "py", "rs", "md"];
    if !letters || !labels || machine || file.contains(&top) || user.starts_with('.') {
        return None;
    }
    let nobody =
        ["noreply", "no-reply", "donotreply"].iter().any(|none| user.contains(none));
    let tier = if nobody { Tier::Possible } else { Tier::Likely };
    Some(("email-address", at - local..at + 1 + domain.len(), tier))
}

/// The international number that begins with a `+`.
pub(super) fn phone(text: &str, at: usize) -> Seen {
    let bytes = text.as_bytes();
    let inside = Class::DIGITS.and(b" ()-./");
    let most = inside.run(bytes, at + 1, 26);
    let span = text.get(at + 1..at + 1 + most)?;
    let mut end = at + 1;
    let (mut digits, mut marks) = (0, 0);
    for (place, byte) in span.bytes().enumerate() {
        if byte.is_ascii_digit() {
            digits += 1;
            marks = 0;
            end = at + 2 + place;
        } else {
            marks += 1;
        }
        if marks > 2 || digits > 15 {
            break;
        }
    }
    let first = bytes.get(at + 1)?;
    let plausible = (9..=15).contains(&digits) && (b'1'..=b'9').contains(first);
    let ends =
        !bytes.get(end).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'+');
    // `+1234567890` and `+0 -12` of a difference are none.
    let span = text.get(at + 1..end)?;
    let climbs = span.starts_with("1234567") || span.contains("00000");
    (plausible && ends && !climbs).then_some(("phone-number", at..end, Tier::Likely))
}
