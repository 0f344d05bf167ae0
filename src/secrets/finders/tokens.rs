//! JSON Web Tokens and Kubernetes secrets.

use std::ops::Range;

use super::super::classes::{self, Class};
use super::super::found::Found;
use super::super::placeholders;
use super::super::rule::{Finder, Rule};
use super::super::tier::Tier;

pub(super) const ROWS: &[Rule] = &[
    Rule::found(
        "json-web-token",
        "JSON Web Token",
        Tier::Likely,
        "RFC 7519, RFC 7515",
        &Finder {
            words: &["eyJ"],
            find: jwt,
            example: |random| {
                let head = encoded("{\"alg\":\"HS256\",\"typ\":\"JWT\"}");
                let body = encoded(&format!("{{\"sub\":\"{}\"}}", random.text("0-9", 12)));
                let secret = format!("{head}.{body}.{}", random.text("A-Za-z0-9_-", 43));
                (secret.clone(), secret)
            },
            near_miss: "eyJub3QiOiJhIHRva2VuIn0.eyJub3QiOiJhIHRva2VuIn0.short",
        },
    ),
    Rule::found(
        "kubernetes-secret",
        "Kubernetes secret",
        Tier::Likely,
        "Kubernetes Docs: Secrets",
        &Finder {
            words: &["kind: Secret", "\"kind\": \"Secret\"", "\"kind\":\"Secret\""],
            find: kubernetes,
            example: |random| {
                let secret =
                    encoded(&format!("{}:{}", random.text("a-z", 9), random.text("2-9", 9)));
                (format!("kind: Secret\ndata:\n  harbour: {secret}\n"), secret)
            },
            near_miss: "kind: Secret\nmetadata:\n  name: harbour\n",
        },
    ),
];

/// Encodes a text in Base64 without padding, for examples.
fn encoded(text: &str) -> String {
    convo_base::text::base64_url_encode(text.as_bytes())
}

/// The maximum length in bytes of a part of a token.
const MOST: usize = 8192;

fn jwt(text: &str, place: Range<usize>) -> Option<Found> {
    let bytes = text.as_bytes();
    // The header is decoded, so a token may also follow `_`: `backup_eyJ…`.
    let begins = classes::begins_word(bytes, place.start)
        || bytes.get(..place.start).is_some_and(|before| before.ends_with(b"_"));
    if text.get(place.clone())? != "eyJ" || !begins {
        return None;
    }
    let class = Class::ALPHANUMERIC.and(b"_-");
    let head = place.start + class.run(bytes, place.start, 1024);
    if bytes.get(head) != Some(&b'.') {
        return None;
    }
    let header = object(text.get(place.start..head)?)?;
    if !header.contains("\"alg\"") && !header.contains("\"enc\"") {
        return None;
    }
    let mut end = head;
    let mut parts = 1;
    while parts < 5 && bytes.get(end) == Some(&b'.') {
        let length = class.run(bytes, end + 1, MOST);
        if length == 0 && parts == 1 {
            return None;
        }
        end += 1 + length;
        parts += 1;
    }
    let value = text.get(place.start..end)?.trim_end_matches('.');
    let mut behind = value.split('.').skip(1);
    let (body, mark) = (behind.next()?, behind.next()?);
    if mark.len() < 16 && !header.contains("none") || placeholders::is_known(value) {
        return None;
    }
    // The body of an encrypted token is not readable.
    if !header.contains("\"enc\"") {
        let body = object(body)?;
        if body.contains("\"John Doe\"") || body.contains("1234567890") {
            return None;
        }
    }
    Found::at(place.start..place.start + value.len())
}

/// Decodes a JSON object in Base64.
fn object(part: &str) -> Option<String> {
    let text = String::from_utf8(convo_base::text::base64_decode(part)?).ok()?;
    (text.starts_with('{') && text.ends_with('}')).then_some(text)
}

fn kubernetes(text: &str, place: Range<usize>) -> Option<Found> {
    let end = (place.end + 4096).min(text.len());
    let window = text.as_bytes().get(place.end..end)?;
    let data = window.windows(5).position(|five| five == b"data:")? + place.end + 5;
    let before = text.get(place.end..data)?;
    if before.contains("kind:") || before.contains("---") {
        return None;
    }
    let mut found: Option<Range<usize>> = None;
    let mut at = data;
    let bytes = text.as_bytes();
    while at < end {
        // In a JSON string, a line ends with `\n`.
        let line = super::line_end(text, at, 2048);
        let words = text.get(at..line)?;
        let escape = words.find("\\n");
        let words = words.get(..escape.unwrap_or(words.len()))?;
        if let Some((name, value)) = words.split_once(": ")
            && name.starts_with(' ')
            && let value = value.trim()
            && value.len() >= 8
            && Class::BASE64.and(b"=").run(value.as_bytes(), 0, value.len()) == value.len()
            && convo_base::text::base64_decode(value).is_some_and(|bytes| bytes.len() >= 4)
            && !placeholders::is_placeholder(value)
        {
            let start = at + words.rfind(value)?;
            let first = found.map_or(start, |found| found.start);
            found = Some(first..start + value.len());
        } else if !words.trim().is_empty() && !words.starts_with(' ') {
            break;
        }
        at = match escape {
            Some(escape) => at + escape + 2,
            None if bytes.get(line).is_some() => line + 1,
            None => break,
        };
    }
    Found::at(found?)
}
