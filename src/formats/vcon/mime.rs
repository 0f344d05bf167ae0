//! The MIME parts of an e-mail: its text and its attachments.

use crate::shared::text::attachment_kind::kind_of;
use crate::shared::text::html;
use convo_base::model::{Attachment, Content};
use convo_base::text::{base64_decode, base64_encode};

/// A part of an e-mail.
pub(super) enum Part {
    /// Literal text.
    Plain(String),
    /// Markdown.
    Text(String),
    File(Attachment),
}

/// The maximum nesting depth of parts.
const LEVELS: usize = 8;

/// Returns the parts of a body with this content type. Of several alternatives, the plain text is
/// used.
pub(super) fn parts(kind: &str, body: &str) -> Vec<Part> {
    let mut found = Vec::new();
    read(kind, "", "", body, LEVELS, &mut found);
    found
}

/// Reads a part with this content type, transfer encoding and disposition.
fn read(
    kind: &str,
    encoding: &str,
    disposition: &str,
    body: &str,
    levels: usize,
    found: &mut Vec<Part>,
) {
    let essence = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let name = parameter(disposition, "filename").or_else(|| parameter(kind, "name"));
    let boundary = parameter(kind, "boundary").filter(|_| essence.starts_with("multipart/"));
    if let Some(boundary) = boundary.filter(|_| levels > 0) {
        let inner = split(body, &boundary);
        let is_plain =
            |part: &&Entity<'_>| part.kind.to_ascii_lowercase().starts_with("text/plain");
        let only = (essence == "multipart/alternative")
            .then(|| inner.iter().find(is_plain).or(inner.last()))
            .flatten();
        let chosen: Vec<&Entity<'_>> = match only {
            Some(only) => vec![only],
            None => inner.iter().collect(),
        };
        for part in chosen {
            read(&part.kind, &part.encoding, &part.disposition, part.body, levels - 1, found);
        }
        return;
    }
    if essence == "message/rfc822" && levels > 0 {
        let part = entity(body);
        let kind = if part.kind.is_empty() { "text/plain" } else { &part.kind };
        return read(kind, &part.encoding, &part.disposition, part.body, levels - 1, found);
    }
    let bytes = decoded(encoding, body);
    // A multipart body without a boundary is one text.
    let is_text =
        ["text/", "multipart/"].iter().any(|kind| essence.starts_with(kind)) || essence.is_empty();
    if is_text && name.is_none() {
        let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
        return found.push(match essence.as_str() {
            "text/html" => Part::Text(html::to_markdown(&text)),
            "text/markdown" => Part::Text(text),
            _ => Part::Plain(text),
        });
    }
    let name = name.map(|name| word(&name)).unwrap_or_else(|| "file".to_owned());
    let kind = kind_of(&name, Some(&essence));
    found.push(Part::File(Attachment {
        mime: Some(essence).filter(|mime| mime.contains('/')),
        size: Some(bytes.len() as u64),
        content: Content::Base64(base64_encode(&bytes)),
        ..Attachment::new(name, kind)
    }));
}

/// A part with its header fields.
struct Entity<'b> {
    kind: String,
    encoding: String,
    disposition: String,
    body: &'b str,
}

/// Splits a body at its boundary.
fn split<'b>(body: &'b str, boundary: &str) -> Vec<Entity<'b>> {
    let mark = format!("--{boundary}");
    // Text before the first boundary is not shown.
    let parts = body.split(mark.as_str()).skip(1);
    let parts = parts.take_while(|part| !part.starts_with("--"));
    parts.map(|part| entity(part.trim_start_matches(['\r', '\n']))).collect()
}

fn entity(part: &str) -> Entity<'_> {
    let (head, body) = match part.find("\r\n\r\n") {
        Some(end) => (&part[..end], &part[end + 4..]),
        None => part.split_once("\n\n").unwrap_or((part, "")),
    };
    // Rows that begin with white space continue the preceding one.
    let head = head.replace("\r\n", "\n").replace("\n\t", " ").replace("\n ", " ");
    let field = |name: &str| {
        let row = head.lines().find_map(|row| {
            let (key, value) = row.split_once(':')?;
            key.trim().eq_ignore_ascii_case(name).then_some(value)
        });
        row.unwrap_or_default().trim().to_owned()
    };
    Entity {
        kind: field("content-type"),
        encoding: field("content-transfer-encoding"),
        disposition: field("content-disposition"),
        body,
    }
}

/// Returns a parameter of a header field, with or without quotation marks.
fn parameter(field: &str, name: &str) -> Option<String> {
    let mut parameters = field.split(';').skip(1);
    parameters.find_map(|parameter| {
        let (key, value) = parameter.split_once('=')?;
        let value = value.trim().trim_matches('"');
        (key.trim().eq_ignore_ascii_case(name) && !value.is_empty()).then(|| value.to_owned())
    })
}

fn decoded(encoding: &str, body: &str) -> Vec<u8> {
    match encoding.trim().to_ascii_lowercase().as_str() {
        "base64" => base64_decode(body).unwrap_or_else(|| body.as_bytes().to_vec()),
        "quoted-printable" => unquoted(body),
        _ => body.as_bytes().to_vec(),
    }
}

/// Decodes `=C3=A9`, and removes `=` at line ends.
fn unquoted(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let rest = &text.as_bytes()[at + 1..];
        let code = rest.get(..2).and_then(|code| std::str::from_utf8(code).ok());
        let code = code.and_then(|code| u8::from_str_radix(code, 16).ok());
        match (byte, code) {
            (b'=', Some(code)) => {
                out.push(code);
                at += 3;
            }
            (b'=', None) if rest.starts_with(b"\r\n") => at += 3,
            (b'=', None) if rest.starts_with(b"\n") => at += 2,
            (byte, _) => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    out
}

/// Decodes a word such as `=?UTF-8?b?c2NyZWVuc2hvdA==?=`.
fn word(text: &str) -> String {
    let inside = text.strip_prefix("=?").and_then(|rest| rest.strip_suffix("?="));
    let decoded = inside.and_then(|inside| {
        let mut parts = inside.splitn(3, '?').skip(1);
        let (encoding, encoded) = (parts.next()?, parts.next()?);
        match encoding {
            "b" | "B" => base64_decode(encoded),
            "q" | "Q" => Some(unquoted(&encoded.replace('_', " "))),
            _ => None,
        }
    });
    decoded.map_or_else(|| text.to_owned(), |bytes| String::from_utf8_lossy(&bytes).into_owned())
}
