//! The parts of a mail: texts, files and mails in it, in the order in which they stand.

use super::fields::{Fields, cleaned, divide};
use crate::decode;
use convo_base::text::base64_decode;

/// The most parts in each other.
const MAX_DEPTH: usize = 16;
/// The most parts of a mail.
const MAX_PARTS: usize = 1000;
/// The most bytes of a text that is shown.
const MAX_TEXT: usize = 4 << 20;

/// A part that holds no others.
#[derive(Debug, Default)]
pub(super) struct Leaf<'a> {
    /// Its kind: `text/plain`.
    pub(super) mime: String,
    pub(super) charset: Option<String>,
    pub(super) name: Option<String>,
    /// Whether it is handed over rather than shown.
    pub(super) is_attachment: bool,
    /// Whether its lines go on where they end in a space, and whether that space goes then.
    pub(super) is_flowed: bool,
    pub(super) is_space_dropped: bool,
    encoding: String,
    pub(super) body: &'a [u8],
}

/// A part of a mail.
#[derive(Debug)]
pub(super) enum Part<'a> {
    Leaf(Leaf<'a>),
    /// Parts under a kind such as `alternative`.
    Several(String, Vec<Part<'a>>),
    /// One in which parts are too deep.
    TooDeep,
}

/// Reads the parts of a mail, and returns how many more there are than are read.
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
        // Whatever is in it, and be it nothing that parts mark, is not for everybody.
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

/// Parts a body at its boundaries. What stands before the first one and behind the last one belongs to
/// no part.
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
    /// Returns its bytes as they were before they were written as letters.
    pub(super) fn bytes(&self) -> Vec<u8> {
        match self.encoding.as_str() {
            "base64" => base64(self.body),
            "quoted-printable" => quoted_printable(self.body),
            _ => self.body.to_vec(),
        }
    }

    /// Returns about how many bytes it has.
    pub(super) fn size(&self) -> u64 {
        let blanks = |byte: &&u8| byte.is_ascii_whitespace() || **byte == b'=';
        let count = self.body.len() - self.body.iter().filter(blanks).count();
        match self.encoding.as_str() {
            "base64" => count as u64 * 3 / 4,
            "quoted-printable" => self.bytes().len() as u64,
            _ => self.body.trim_ascii_end().len() as u64,
        }
    }

    /// Returns its text with `\n` at the ends of lines, and whether that is all of it.
    pub(super) fn text(&self) -> (String, bool) {
        let mut bytes = self.bytes();
        let is_whole = bytes.len() <= MAX_TEXT;
        if !is_whole {
            // Not within a letter of UTF-8.
            let is_start = |at: &usize| bytes[*at] & 0xc0 != 0x80;
            let end = (MAX_TEXT - 3..=MAX_TEXT).rev().find(is_start);
            bytes.truncate(end.unwrap_or(MAX_TEXT));
        }
        let text = match self.charset.as_deref() {
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

/// Decodes Base64. Lists add their lines below it as they are.
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
    // Where it is cut off, the letters of whole bytes are read.
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

/// Decodes quoted-printable, line by line: one that is broken stays as it is.
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
