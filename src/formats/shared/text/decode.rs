//! Decodes bytes to text, with a note on everything that is not plain UTF-8 with `\n` line ends.

use std::ops::Range;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::Encoding;

use convo_base::diag::{Note, Severity};

/// The file size in bytes above which a note is added.
const LARGE_FILE_BYTES: usize = 10_000_000;
/// The line length in bytes above which a note is added.
const LONG_LINE_BYTES: usize = 1_000_000;

/// The number of bytes from which the encoding of a file is detected.
const SAMPLE_BYTES: usize = 1 << 20;

/// Decodes a file. Removes byte-order marks, converts line ends to `\n`, and replaces what a page cannot
/// contain (invalid bytes, NUL) with U+FFFD. A file in an older encoding is decoded with the detected
/// encoding. Plain text is not copied.
pub(crate) fn decode(mut bytes: Vec<u8>) -> (String, Vec<Note>) {
    let mut notes = Vec::new();
    let text = match bytes.as_slice() {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes, true, &mut notes),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes, true, &mut notes),
        [0xef, 0xbb, 0xbf, ..] => {
            notes.push(Note::new(
                Severity::Hint,
                "byte-order-mark",
                Some(0..0),
                "the file starts with a byte-order mark, which was skipped",
            ));
            bytes.drain(..3);
            utf8(bytes, &mut notes)
        }
        _ => match unmarked_utf16(&bytes) {
            Some(unit) => utf16(&bytes, unit, false, &mut notes),
            None => utf8(bytes, &mut notes),
        },
    };
    let text = unify_line_ends(text, &mut notes);
    let text = replace_nul(text, &mut notes);
    remark_on_size(&text, &mut notes);
    (text, notes)
}

/// Maps each byte to the character with its number, for files with several encodings. Removes a byte-order
/// mark. [`bytes_of`] reverses this.
pub(crate) fn kept(bytes: &[u8]) -> String {
    without_mark(bytes).iter().copied().map(char::from).collect()
}

/// Removes the byte-order mark of UTF-8.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// Returns the bytes from which [`kept`] made a text.
pub(crate) fn bytes_of(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect()
}

/// Decodes bytes with the encoding of this name, or with the detected encoding if the name is unknown or
/// does not fit.
pub(crate) fn in_encoding(name: Option<&str>, bytes: &[u8]) -> String {
    let named = name.and_then(|name| Encoding::for_label(name.trim().as_bytes()));
    // Programs that ignore encodings label everything as ASCII.
    let named = named.filter(|encoding| {
        *encoding != encoding_rs::UTF_8
            && !name.is_some_and(|name| name.to_ascii_lowercase().contains("ascii"))
    });
    if let Some(encoding) = named {
        return encoding.decode_without_bom_handling(bytes).0.into_owned();
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => nearly_utf8(bytes, &mut Vec::new()),
    }
}

fn utf8(bytes: Vec<u8>, notes: &mut Vec<Note>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| nearly_utf8(error.as_bytes(), notes))
}

fn nearly_utf8(bytes: &[u8], notes: &mut Vec<Note>) -> String {
    let mut text = String::with_capacity(bytes.len());
    let mut first = None;
    let mut count = 0usize;
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            first.get_or_insert(text.len()..text.len() + 3);
            count += 1;
            text.push('\u{fffd}');
        }
    }
    let Some(first) = first else { return text };
    // A damaged file, or one that was cut within a character, is still mostly UTF-8.
    let letters = text.chars().filter(|c| !c.is_ascii()).count() - count;
    let last = std::str::from_utf8(bytes.utf8_chunks().last().map_or(&[][..], |c| c.invalid()));
    let is_cut = last.is_err_and(|error| error.error_len().is_none());
    if letters + usize::from(is_cut) < count
        && let Some(read) = older(bytes, first.start, notes)
    {
        return read;
    }
    notes.push(invalid_bytes("UTF-8", count, first));
    text
}

/// Decodes text in an encoding older than UTF-8; `first` is the first byte that is not UTF-8. Returns
/// `None` for bytes that are rare in text and common in broken files.
fn older(bytes: &[u8], first: usize, notes: &mut Vec<Note>) -> Option<String> {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(&bytes[..bytes.len().min(first + SAMPLE_BYTES)], true);
    let encoding: &Encoding = detector.guess(None, Utf8Detection::Deny);
    let (text, is_broken) = encoding.decode_without_bom_handling(bytes);
    let odd = |c: char| c == 'ÿ' || c.is_control() && !"\t\r\n\u{c}".contains(c);
    if is_broken || text.contains(odd) {
        return None;
    }
    let name = encoding.name();
    let message = format!("the file is not UTF-8; it was decoded as {name}");
    let at = text.find(|c: char| !c.is_ascii()).unwrap_or(0);
    let hint = format!("save it as UTF-8, for example with `iconv -f {name} -t UTF-8`");
    notes.push(Note::warning("not-utf-8", at..at, message).hint(hint));
    Some(text.into_owned())
}

/// Combines two bytes into a UTF-16 unit.
type Unit = fn([u8; 2]) -> u16;

/// Detects UTF-16 without a byte-order mark. In every script, spaces and line ends have a zero byte, on the
/// side where hardly any letter has one.
fn unmarked_utf16(bytes: &[u8]) -> Option<Unit> {
    let sample = &bytes[..bytes.len().min(SAMPLE_BYTES) & !1];
    if sample.is_empty() || bytes.len() % 2 == 1 || !sample.contains(&0) {
        return None;
    }
    let zeros =
        |side: usize| sample.iter().skip(side).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    let (most, least, unit): (usize, usize, Unit) = match odd > even {
        true => (odd, even, u16::from_le_bytes),
        false => (even, odd, u16::from_be_bytes),
    };
    // UTF-8 text may contain a few NULs by accident.
    let share = if std::str::from_utf8(sample).is_ok() { 4 } else { 64 };
    let units = sample.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let is_text = |c: char| !c.is_control() || "\t\r\n".contains(c);
    let fits = most * share >= sample.len() / 2
        && least * 4 <= most
        && char::decode_utf16(units).all(|decoded| decoded.is_ok_and(is_text));
    fits.then_some(unit)
}

fn utf16(bytes: &[u8], unit: Unit, is_marked: bool, notes: &mut Vec<Note>) -> String {
    let message = match is_marked {
        true => "the file is UTF-16, not UTF-8",
        false => "the file has no byte-order mark; it was decoded as UTF-16",
    };
    notes.push(Note::warning("utf-16", 0..0, message).hint("save it as UTF-8"));
    let mut text = String::with_capacity(bytes.len());
    let mut first = None;
    let mut count = 0usize;
    let units = bytes.chunks(2).map(|pair| unit([pair[0], *pair.get(1).unwrap_or(&0)]));
    for decoded in char::decode_utf16(units) {
        let c = decoded.unwrap_or_else(|_| {
            first.get_or_insert(text.len()..text.len() + 3);
            count += 1;
            '\u{fffd}'
        });
        text.push(c);
    }
    if let Some(first) = first {
        notes.push(invalid_bytes("UTF-16", count, first));
    }
    text
}

fn invalid_bytes(encoding: &str, count: usize, first: Range<usize>) -> Note {
    let places = convo_base::text::plural(count as u64, "place", "places");
    let message = format!("invalid {encoding} in {places}, replaced by U+FFFD");
    Note::warning("invalid-encoding", first, message).hint("save the file as UTF-8")
}

fn unify_line_ends(text: String, notes: &mut Vec<Note>) -> String {
    let Some(first) = text.find('\r') else { return text };
    let pairs = text.matches("\r\n").count();
    let is_one_style =
        [text.matches('\r'), text.matches('\n')].into_iter().all(|marks| marks.count() == pairs);
    // Windows programs end every line this way, so that is not reported.
    if !is_one_style {
        notes.push(Note::new(
            Severity::Hint,
            "carriage-return",
            Some(first..first),
            "carriage returns were read as line breaks",
        ));
    }
    text.replace("\r\n", "\n").replace('\r', "\n")
}

fn replace_nul(text: String, notes: &mut Vec<Note>) -> String {
    let Some(first) = text.find('\0') else { return text };
    let count = text.matches('\0').count() as u64;
    let count = convo_base::text::plural(count, "NUL byte", "NUL bytes");
    notes.push(
        Note::warning("nul", first..first, format!("{count} replaced by U+FFFD"))
            .hint("remove them; HTML cannot contain NUL"),
    );
    text.replace('\0', "\u{fffd}")
}

fn remark_on_size(text: &str, notes: &mut Vec<Note>) {
    if text.len() > LARGE_FILE_BYTES {
        let size = convo_base::text::bytes(text.len() as u64);
        notes.push(
            Note::new(
                Severity::Warning,
                "large-file",
                None,
                format!("the file is {size}; a conversation file should be at most 10 MB"),
            )
            .hint("consider splitting it; its page will load slowly"),
        );
    }
    if text.len() > LONG_LINE_BYTES {
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            if line.len() > LONG_LINE_BYTES {
                let size = convo_base::text::bytes(line.len() as u64);
                let message = format!("this line is {size} long");
                notes.push(Note::warning("long-line", start..start, message));
            }
            start += line.len();
        }
    }
}
