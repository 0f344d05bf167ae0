//! Separator lines without a date, such as `From - ` or `From 1844347792267117879@xxx`. The header
//! fields after such a line decide whether a mail begins there.

use crate::shared::people::mail::fields::is_field;

/// Header fields that mails have, in lower case.
const FIELDS: [&[u8]; 24] = [
    b"message-id", b"received", b"return-path", b"delivered-to", b"mime-version", b"content-type",
    b"content-transfer-encoding", b"in-reply-to", b"references", b"reply-to", b"x-gm-thrid",
    b"x-gmail-labels", b"x-mozilla-status", b"x-mozilla-status2", b"x-mozilla-keys",
    b"dkim-signature", b"list-id", b"from", b"sender", b"to", b"cc", b"date", b"subject",
    b"status",
];

/// The maximum number of lines examined after such a line.
const MAX_LINES: usize = 400;

/// A line that may be the separator before a mail.
#[derive(Debug)]
pub(super) struct Doubt {
    /// Whether it may be the beginning of a sentence, such as `From here on`.
    is_sentence: bool,
    /// The number of header fields still needed.
    missing: usize,
    /// The header fields that were found.
    found: [bool; FIELDS.len()],
    /// The number of lines that may still be examined.
    lines: usize,
}

impl Doubt {
    /// Starts examining a line. One header field is enough if the line cannot begin a sentence, as
    /// `From -`, and follows an empty line.
    pub(super) fn of(line: &[u8], is_behind_blank: bool) -> Self {
        let rest = line.strip_prefix(b"From ").unwrap_or(line).trim_ascii();
        let is_sentence =
            rest.contains(&b' ') || !(rest.is_empty() || rest == b"-" || rest.contains(&b'@'));
        let missing = if is_sentence || !is_behind_blank { 2 } else { 1 };
        Self { is_sentence, missing, found: [false; FIELDS.len()], lines: MAX_LINES }
    }

    /// Returns whether the next line confirms that a mail begins (`false`: undecided); `None` if
    /// none begins.
    pub(super) fn next(&mut self, line: &[u8]) -> Option<bool> {
        let is_first = self.lines == MAX_LINES;
        self.lines = self.lines.checked_sub(1)?;
        // Mails that were moved have two separator lines.
        let is_twice = !self.is_sentence && is_first && line.starts_with(b"From ");
        let is_old = line.starts_with(b">From ");
        let continues = !is_first && matches!(line.first(), Some(b' ' | b'\t'));
        if is_twice || is_old || continues {
            return Some(false);
        }
        if !is_field(line) {
            return None;
        }
        let name = line.split(|byte| *byte == b':').next()?.trim_ascii_end();
        let at = FIELDS.iter().position(|known| known.eq_ignore_ascii_case(name));
        let found = at.and_then(|at| self.found.get_mut(at));
        let is_new = found.is_some_and(|found| !std::mem::replace(found, true));
        self.missing = self.missing.saturating_sub(usize::from(is_new));
        Some(self.missing == 0)
    }
}
