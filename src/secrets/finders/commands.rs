//! Passwords in command lines, and passwords stated in prose.

use std::ops::Range;

use super::super::classes::{self, Class};
use super::super::found::Found;
use super::super::rule::{Finder, Rule};
use super::super::tier::Tier;
use super::strength::{self, Strength};

pub(super) const ROWS: &[Rule] = &[
    Rule::found(
        "command-password",
        "password in a command",
        Tier::Likely,
        "manuals of sshpass, mysql, redis-cli, docker login and curl",
        &Finder {
            words: &["sshpass ", "mysql", "mariadb", "redis-cli ", "docker login ", "curl "],
            find: command,
            example: |random| {
                let secret = format!("{}{}", random.text("A-Za-z", 8), random.text("2-9", 4));
                let text = match random.of(&["sshpass", "mysql", "curl"]) {
                    "sshpass" => format!("sshpass -p {secret} ssh ferry@harbour"),
                    "mysql" => format!("mysql -u ferry -p{secret} boats"),
                    _ => format!("curl -sSu ferry:{secret} harbour.example.org"),
                };
                (text, secret)
            },
            near_miss: "mysql -u ferry -p boats",
        },
    ),
    Rule::found(
        "stated-password",
        "password",
        Tier::Likely,
        "none: what people write next to passwords",
        &Finder {
            words: &[
                "password is", "password was", "passphrase is", "passwort ist", "pwd is", "pw is",
                "pw:", "pw=", "pw\":", "pass=", "pass:", "pass\":", "passwd ",
            ],
            find: stated,
            example: |random| {
                let secret = format!("{}{}", random.text("A-Za-z", 8), random.text("2-9", 4));
                let before = random.of(&["the password is ", "pw: ", "pass=", "passwd "]);
                (format!("{before}{secret}"), secret)
            },
            near_miss: "the password is required",
        },
    ),
];

/// The maximum number of bytes of a command to read.
const MAX_COMMAND_BYTES: usize = 300;

fn command(text: &str, place: Range<usize>) -> Option<Found> {
    let bytes = text.as_bytes();
    if !classes::begins_word(bytes, place.start) {
        return None;
    }
    let word = text.get(place.clone())?.to_ascii_lowercase();
    let end = super::line_end(text, place.end, MAX_COMMAND_BYTES);
    let line = text.get(place.end..end)?;
    let mut at = place.end;
    let mut is_next = false;
    for part in line.split_inclusive([' ', '\t']) {
        let start = at;
        at += part.len();
        let part = part.trim_end();
        if part.is_empty() {
            continue;
        }
        // The next command starts here.
        if matches!(part, "|" | "&&" | ";" | "||") {
            return None;
        }
        let given = match std::mem::take(&mut is_next) {
            true => Some(0),
            false => option(word.trim_end(), part).and_then(|option| match option {
                Password::Within(at) => Some(at),
                Password::Next => {
                    is_next = true;
                    None
                }
            }),
        };
        let Some(given) = given else { continue };
        let word_range = argument(text, start + given);
        let (mut begin, mut value) = (word_range.start, text.get(word_range)?);
        if word.starts_with("curl") {
            let (user, password) = value.split_once(':')?;
            begin += user.len() + 1;
            value = password;
        }
        return match strength::of(value) {
            Strength::None => None,
            Strength::Weak | Strength::Strong => Found::at(begin..begin + value.len()),
        };
    }
    None
}

/// The maximum length in bytes of a password.
const MAX_PASSWORD_BYTES: usize = 256;

/// Returns the range of the argument that starts here, without its quotes.
fn argument(text: &str, start: usize) -> Range<usize> {
    let rest = text.get(start..).unwrap_or_default();
    let inside = rest.trim_start_matches('\\');
    let quote = inside.chars().next().filter(|c| matches!(c, '"' | '\''));
    let inside = inside.strip_prefix(['"', '\'']).unwrap_or(inside);
    let is_end = |c: char| match quote {
        Some(quote) => c == quote || c == '\n' || c == '\\',
        None => c.is_whitespace() || "\"'\\`<>|;".contains(c),
    };
    let start = start + (rest.len() - inside.len());
    let most = inside.char_indices().take(MAX_PASSWORD_BYTES);
    let end = most.take_while(|(_, c)| !is_end(*c)).last();
    start..start + end.map_or(0, |(at, c)| at + c.len_utf8())
}

/// The position of the password of an option.
enum Password {
    /// In the same argument, starting at this byte.
    Within(usize),
    /// In the next argument.
    Next,
}

/// Parses an option that takes a password.
fn option(command: &str, part: &str) -> Option<Password> {
    let flag = match command {
        "sshpass" | "docker login" => "-p",
        "redis-cli" => "-a",
        "curl" => {
            let flags = part.strip_prefix('-').filter(|flags| !flags.starts_with('-'));
            let long = part.strip_prefix("--user=");
            // The letters before it are switches without a value.
            let is_switch = |before: &str| before.bytes().all(|b| b"sSfLkvgiNn#".contains(&b));
            let flags = flags.and_then(|flags| flags.split_once('u'));
            let at = flags.filter(|(before, _)| is_switch(before));
            let at = at.map(|(before, _)| before.len() + 2);
            let at = at.or(long.map(|_| "--user=".len()))?;
            return match part.get(at..)? {
                // Combined with other letters; `-u` alone has its own rule.
                "" if at > 2 => Some(Password::Next),
                "" => None,
                given => given.contains(':').then_some(Password::Within(at)),
            };
        }
        // With a space after it, the program prompts for the password.
        _ => {
            return part.strip_prefix("-p").filter(|p| !p.is_empty()).map(|_| Password::Within(2));
        }
    };
    match part.strip_prefix(flag)? {
        "" => Some(Password::Next),
        _ => Some(Password::Within(flag.len())),
    }
}

fn stated(text: &str, place: Range<usize>) -> Option<Found> {
    let bytes = text.as_bytes();
    if !classes::begins_word(bytes, place.start) {
        return None;
    }
    let gap = Class::EMPTY.and(b" :=\"'`*\\");
    let start = place.end + gap.run(bytes, place.end, 5);
    // Prose, such as `password issued`.
    if start == place.end && bytes.get(place.end - 1).is_some_and(u8::is_ascii_alphanumeric) {
        return None;
    }
    let rest = bytes.get(start..)?;
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`(|<>\\".contains(byte);
    let most = rest.len().min(MAX_PASSWORD_BYTES);
    let length = rest.iter().take(most).position(ends).unwrap_or(most);
    let mut value = text.get(start..start + length)?;
    // The next setting of several.
    if let Some((first, rest)) = value.split_once([';', '&', ','])
        && rest.contains(['=', ':'])
    {
        value = first;
    }
    let value = value.trim_end_matches(['.', '*', ':', '?', ',', ';', ')', ']', '}']);
    let is_call = rest.get(length).is_some_and(|byte| matches!(byte, b'(' | b'<'));
    // Skip files, object members and e-mail addresses.
    let is_mail = value.split_once('@').is_some_and(|(_, host)| {
        host.split_once('.').is_some_and(|(_, top)| {
            top.len() > 1 && top.bytes().all(|byte| byte.is_ascii_lowercase())
        })
    });
    let is_path = is_mail || value.contains('/') || value.matches('.').count() > 1;
    if is_call || is_path {
        return None;
    }
    // A test result, such as `--- PASS: TestLamps_Lit`.
    let is_result = text.get(place.start..place.start + 4) == Some("PASS");
    if is_result || !value.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let range = start..start + value.len();
    match strength::of(value) {
        Strength::None => None,
        Strength::Weak => Found::with(range, Tier::Possible),
        Strength::Strong => Found::at(range),
    }
}
