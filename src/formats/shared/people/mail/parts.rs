//! The MIME parts of a mail in document order: texts, files and nested mails.

use super::fields::{Fields, cleaned, divide};
use crate::shared::text::decode;
use convo_base::text::base64_decode;

/// The maximum nesting depth of parts.
const MAX_DEPTH: usize = 16;
/// The maximum number of parts of a mail.
const MAX_PARTS: usize = 1000;
/// The maximum number of bytes of a text that is shown.
const MAX_TEXT: usize = 4 << 20;

/// A part that contains no other parts.
#[derive(Debug, Default)]
pub(super) struct Leaf<'a> {
    /// Its content type, such as `text/plain`.
    pub(super) mime: String,
    /// Its content type if the part contains it as it is.
    pub(super) exact_mime: Option<String>,
    pub(super) charset: Option<String>,
    pub(super) name: Option<String>,
    /// Whether it is an attachment rather than shown inline.
    pub(super) is_attachment: bool,
    /// Whether lines that end in a space continue (flowed text), and whether that space is then
    /// removed.
    pub(super) is_flowed: bool,
    pub(super) is_space_dropped: bool,
    encoding: String,
    pub(super) body: &'a [u8],
}

/// A part of a mail.
#[derive(Debug)]
pub(super) enum Part<'a> {
    Leaf(Leaf<'a>),
    /// The parts of a `multipart` type such as `alternative`.
    Several(String, Vec<Part<'a>>),
    /// A part that is nested too deeply.
    TooDeep,
}

/// Reads the parts of a mail, and returns the number of parts that were not read.
pub(super) fn parts(mail: &[u8]) -> (Part<'_>, usize) {
    let mut left = MAX_PARTS;
    let mut lost = 0;
    (part(mail, 0, false, &mut left, &mut lost), lost)
}

fn part<'a>(
    bytes: &'a [u8],
    depth: usize,
    is_digest: bool,
    left: &mut usize,
    lost: &mut usize,
) -> Part<'a> {
    let (head, body) = divide(bytes);
    let cleaned = cleaned(head);
    let fields = Fields::read(&cleaned);
    let of_kind = |key: &str| fields.as_ref()?.of_kind(key).map(str::to_owned);
    let default = if is_digest { "message/rfc822" } else { "text/plain" };
    let says_kind = fields.as_ref().is_some_and(Fields::has_kind);
    let mime = match fields.as_ref().filter(|_| says_kind || !is_digest) {
        Some(fields) => fields.mime(),
        None => default.to_owned(),
    };
    if let Some(kind) = mime.strip_prefix("multipart/") {
        // Encrypted content is withheld, even if it is not divided into parts.
        if kind == "encrypted" {
            return Part::Several(kind.to_owned(), Vec::new());
        }
        let Some(boundary) = of_kind("boundary").filter(|found| !found.is_empty()) else {
            return Part::Leaf(Leaf { mime: "text/plain".into(), body, ..Leaf::default() });
        };
        if depth == MAX_DEPTH {
            return Part::TooDeep;
        }
        let inside = inside(body, boundary.as_bytes());
        if inside.is_empty() {
            return Part::Leaf(Leaf { mime: "text/plain".into(), body, ..Leaf::default() });
        }
        let mut all = Vec::new();
        for bytes in inside {
            if *left == 0 {
                *lost += 1;
                continue;
            }
            *left -= 1;
            all.push(part(bytes, depth + 1, kind == "digest", left, lost));
        }
        return Part::Several(kind.to_owned(), all);
    }
    let says = |key: &str, value: &str| {
        of_kind(key).is_some_and(|found| found.eq_ignore_ascii_case(value))
    };
    Part::Leaf(Leaf {
        exact_mime: fields.as_ref().and_then(Fields::exact_mime),
        charset: of_kind("charset"),
        name: fields.as_ref().and_then(Fields::file_name),
        is_attachment: fields.as_ref().is_some_and(Fields::is_attachment),
        is_flowed: says("format", "flowed"),
        is_space_dropped: says("delsp", "yes"),
        encoding: fields.as_ref().map(Fields::encoding).unwrap_or_default().to_ascii_lowercase(),
        mime,
        body,
    })
}

/// Splits a body at its boundaries. The text before the first and after the last boundary is
/// ignored.
fn inside<'a>(body: &'a [u8], boundary: &[u8]) -> Vec<&'a [u8]> {
    let mut found = Vec::new();
    let mut open = None;
    let mut at = 0;
    for line in body.split_inclusive(|byte| *byte == b'\n') {
        let rest = line.strip_prefix(b"--").and_then(|line| line.strip_prefix(boundary));
        let rest = rest.map(<[u8]>::trim_ascii_end);
        if let Some(rest) = rest.filter(|rest| matches!(*rest, b"" | b"--")) {
            found.extend(open.take().map(|from| &body[from..at]));
            if rest.is_empty() {
                open = Some(at + line.len());
            } else {
                return found;
            }
        }
        at += line.len();
    }
    found.extend(open.map(|from| &body[from..]));
    found
}

impl Leaf<'_> {
    /// Returns the decoded bytes.
    pub(super) fn bytes(&self) -> Vec<u8> {
        match self.encoding.as_str() {
            "base64" => base64(self.body),
            "quoted-printable" => quoted_printable(self.body),
            _ => self.body.to_vec(),
        }
    }

    /// Returns the approximate size in bytes.
    pub(super) fn size(&self) -> u64 {
        let blanks = |byte: &&u8| byte.is_ascii_whitespace() || **byte == b'=';
        let count = self.body.len() - self.body.iter().filter(blanks).count();
        match self.encoding.as_str() {
            "base64" => count as u64 * 3 / 4,
            "quoted-printable" => self.bytes().len() as u64,
            _ => self.body.trim_ascii_end().len() as u64,
        }
    }

    /// Returns the text with `\n` line ends, and whether it is complete. If `is_utf8`, the charset is only that
    /// of text in a transfer encoding.
    pub(super) fn text(&self, is_utf8: bool) -> (String, bool) {
        let mut bytes = self.bytes();
        let is_whole = bytes.len() <= MAX_TEXT;
        if !is_whole {
            // Does not cut inside a UTF-8 character.
            let is_start = |at: &usize| bytes[*at] & 0xc0 != 0x80;
            let end = (MAX_TEXT - 3..=MAX_TEXT).rev().find(is_start);
            bytes.truncate(end.unwrap_or(MAX_TEXT));
        }
        let is_encoded = matches!(self.encoding.as_str(), "base64" | "quoted-printable");
        let charset = self.charset.as_deref().filter(|_| is_encoded || !is_utf8);
        let text = match charset {
            Some(name) if name.to_ascii_lowercase().contains("utf-7") => {
                match mail_parser::decoders::charsets::map::charset_decoder(b"utf-7") {
                    Some(decode) => decode(&bytes),
                    None => decode::in_encoding(None, &bytes),
                }
            }
            name => decode::in_encoding(name, &bytes),
        };
        let text = text.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "\u{fffd}");
        (text, is_whole)
    }
}

/// Decodes Base64. Lists append their footer to it as plain lines.
fn base64(body: &[u8]) -> Vec<u8> {
    let is_code = |line: &&[u8]| {
        line.trim_ascii()
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='))
    };
    let lines = || body.split_inclusive(|byte| *byte == b'\n');
    let end: usize = lines().take_while(is_code).map(<[u8]>::len).sum();
    let is_letter = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let mut code: String = body[..end].iter().filter(is_letter).copied().map(char::from).collect();
    // In truncated input, the complete bytes are decoded.
    let mut found = base64_decode(&code).unwrap_or_else(|| {
        code.truncate(code.len() / 4 * 4);
        base64_decode(&code).unwrap_or_default()
    });
    let rest = body[end..].trim_ascii_end();
    if !rest.is_empty() {
        found.push(b'\n');
        found.extend_from_slice(rest);
    }
    found
}

/// Decodes quoted-printable line by line; malformed lines stay unchanged.
fn quoted_printable(body: &[u8]) -> Vec<u8> {
    let mut found = Vec::with_capacity(body.len());
    for line in body.split_inclusive(|byte| *byte == b'\n') {
        match mail_parser::decoders::quoted_printable::quoted_printable_decode(line) {
            Some(line) => found.extend_from_slice(&line),
            None => found.extend_from_slice(line),
        }
    }
    found
}
