//! E-mail addresses and phone numbers.

use super::super::classes::Class;
use super::super::rule::Rule;
use super::super::tier::Tier;
use super::Seen;
use super::digits::CALLS;

pub(super) const ROWS: &[Rule] = &[
    Rule::swept("email-address", "e-mail address", Tier::Likely, "RFC 5321", |random| {
        let secret = format!("{}@ferry.example.org", random.text("a-z", 7));
        (format!("write to {secret}, please"), secret)
    })
    .personal(),
    Rule::swept("phone-number", "phone number", Tier::Likely, "ITU-T E.164", |random| {
        let secret = format!("+49 30 {} {}", random.text("2-9", 4), random.text("0-9", 4));
        (format!("call {secret} today"), secret)
    })
    .personal(),
];

/// Finds the e-mail address around an `@`.
pub(super) fn mail(text: &str, at: usize) -> Seen {
    let bytes = text.as_bytes();
    let local = Class::ALPHANUMERIC.and(b"._%+-").run_back(bytes, at, 65);
    let host = Class::ALPHANUMERIC.and(b".-").run(bytes, at + 1, 254);
    if local == 0 || local > 64 {
        return None;
    }
    // In `https://ada:password@harbour.example.org`, the part after the `@` is a host.
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
    // `git@github.com:…` and file names such as `logo@2x.png` are not e-mail addresses.
    let user = text.get(at - local..at)?;
    let machine = ["git", "svn", "hg", "root"].contains(&user)
        && bytes.get(at + 1 + domain.len()) == Some(&b':');
    let file = ["png", "jpg", "jpeg", "svg", "gif", "webp", "js", "ts", "css", "py", "rs", "md"];
    if !letters || !labels || machine || file.contains(&top) || user.starts_with('.') {
        return None;
    }
    let is_automatic = ["noreply", "no-reply", "donotreply"].iter().any(|none| user.contains(none));
    let tier = if is_automatic { Tier::Possible } else { Tier::Likely };
    Some(("email-address", at - local..at + 1 + domain.len(), tier))
}

/// Finds the international number that starts with a `+`.
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
    let ends = !bytes.get(end).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'+');
    // Skip `+1234567890` and `+0 -12` in a diff.
    let span = text.get(at + 1..end)?;
    let climbs = span.starts_with("1234567") || span.contains("00000");
    (plausible && ends && !climbs).then_some(("phone-number", at..end, Tier::Likely))
}

/// Finds a number in a national notation: `0151 23456789`, `(415) 555-2671`.
pub(super) fn national(text: &str, at: usize) -> Seen {
    let bytes = text.as_bytes();
    let before = text.get(..at).unwrap_or_default();
    let is_linked = LINKS.iter().any(|link| before.ends_with(link));
    // Skip digits of a path, an address or a fraction.
    if !is_linked
        && !is_labelled(before)
        && !is_second(before)
        && before.ends_with(['.', '-', '/', ':', '=', '#', '&', '?', ',', '$', '%'])
    {
        return None;
    }
    let inside = Class::DIGITS.and(b" ()-./");
    let span = text.get(at..at + inside.run(bytes, at, 28))?;
    let mut groups: Vec<&str> = Vec::new();
    let mut marks: Vec<&str> = Vec::new();
    let mut digits = 0;
    let mut ends: Vec<usize> = Vec::new();
    let mut rest = span.trim_start_matches('(');
    let mut place = at + span.len() - rest.len();
    loop {
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        if length == 0 || digits + length > 15 {
            break;
        }
        groups.push(&rest[..length]);
        ends.push(place + length);
        digits += length;
        let between = rest[length..].bytes().take_while(|b| !b.is_ascii_digit()).count();
        marks.push(&rest[length..length + between]);
        if between > 2 {
            break;
        }
        (place, rest) = (place + length + between, &rest[length + between..]);
    }
    // Text after a number, such as a time, is not part of it.
    let ends_at = |count: usize| {
        let follows = bytes.get(ends[count - 1]);
        !follows.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_@%".contains(byte))
    };
    let longest = |most: usize| {
        (1..=groups.len()).rev().find(|count| {
            let digits = groups[..*count].iter().map(|group| group.len()).sum::<usize>();
            let is_another = || marks[*count - 1] == "/" && groups[*count].starts_with('0');
            let is_apart =
                *count == groups.len() || marks[*count - 1].contains(' ') || is_another();
            (9..=most).contains(&digits) && is_apart && ends_at(*count)
        })
    };
    let count = match groups.as_slice() {
        [first, ..] if is_linked && (8..=15).contains(&first.len()) => Some(1),
        [first, ..] if first.starts_with('0') => {
            let is_abroad = first.starts_with("00");
            let most = if is_abroad { 15 } else { 13 };
            let zeros = first.bytes().take_while(|byte| *byte == b'0').count();
            let is_dialled = first.len() > zeros && zeros <= 2 && first.len() > 1;
            longest(most).filter(|_| is_dialled && !is_date(&groups, &marks))
        }
        [area, office, line, ..] if [area.len(), office.len(), line.len()] == [3, 3, 4] => {
            let is_bracketed = span.starts_with('(') && marks[0].starts_with(')');
            let is_dialled = |group: &str| group.starts_with(|c: char| ('2'..='9').contains(&c));
            let is_joined = [" ", "-", "."].contains(&marks[0]) && ["-", "."].contains(&marks[1]);
            let is_one = is_dialled(area) && is_dialled(office) && (is_bracketed || is_joined);
            is_one.then_some(3)
        }
        // `(11) 91234-5678`, `8 (916) 123-45-67`
        [area, ..] if span.starts_with('(') && marks[0].starts_with(')') => {
            longest(12).filter(|count| *count > 1 && area.len() <= 3)
        }
        [trunk, area, ..] if trunk.len() == 1 && marks[0].trim_start() == "(" => {
            longest(12).filter(|count| *count > 2 && area.len() == 3)
        }
        _ => None,
    };
    let count = count.filter(|count| ends_at(*count))?;
    Some(("phone-number", at..ends[count - 1], Tier::Possible))
}

/// Text before the digits of a phone number in a URL.
const LINKS: [&str; 5] = ["wa.me/", "send?phone=", "tel:", "sms:", "callto:"];

/// Returns whether a text ends with a word that introduces a phone number.
fn is_labelled(before: &str) -> bool {
    let Some(before) = before.strip_suffix(':') else { return false };
    let before = before.strip_suffix('.').unwrap_or(before);
    let word = Class::ALPHANUMERIC.run_back(before.as_bytes(), before.len(), 12);
    let word = before.get(before.len() - word..).unwrap_or_default();
    CALLS.iter().any(|label| label.eq_ignore_ascii_case(word))
}

/// Returns whether a text ends with a slash after another possible phone number.
fn is_second(before: &str) -> bool {
    let Some(before) = before.strip_suffix('/') else { return false };
    Class::DIGITS.run_back(before.as_bytes(), before.len(), 6) == 6
}

/// Returns whether groups of digits start with a date: `05.06.2026 18`.
fn is_date(groups: &[&str], marks: &[&str]) -> bool {
    let [day, month, year, ..] = groups else { return false };
    let is_joined = marks[0] == marks[1] && ["-", ".", "/"].contains(&marks[0]);
    let ends = marks.get(2).is_none_or(|mark| *mark != marks[0]);
    let is_short = day.len() <= 2 && month.len() <= 2;
    is_joined && is_short && (year.len() == 4 || year.len() == 2 && ends)
}

/// Finds a number in Arabic or Persian digits.
pub(super) fn eastern(text: &str, at: usize) -> Seen {
    let is_digit =
        |c: char| ('\u{660}'..='\u{669}').contains(&c) || ('\u{6f0}'..='\u{6f9}').contains(&c);
    let (mut end, mut digits, mut marks) = (at, 0, 0);
    for (place, c) in text.get(at..)?.char_indices() {
        match c {
            _ if is_digit(c) => {
                (digits, marks) = (digits + 1, 0);
                end = at + place + c.len_utf8();
            }
            ' ' | '-' if marks == 0 && digits > 0 => marks += 1,
            _ => break,
        }
        if digits > 15 {
            return None;
        }
    }
    (9..=15).contains(&digits).then_some(("phone-number", at..end, Tier::Possible))
}
