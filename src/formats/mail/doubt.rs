//! Lines that begin with `From ` and have no date: `From - `, `From 1844347792267117879@xxx`. Whether a mail begins
//! behind one is told by the fields there.

use super::fields::is_field;

/// Fields that mails have, in small letters.
const FIELDS: [&[u8]; 24] = [
    b"message-id", b"received", b"return-path", b"delivered-to", b"mime-version", b"content-type",
    b"content-transfer-encoding", b"in-reply-to", b"references", b"reply-to", b"x-gm-thrid",
    b"x-gmail-labels", b"x-mozilla-status", b"x-mozilla-status2", b"x-mozilla-keys",
    b"dkim-signature", b"list-id", b"from", b"sender", b"to", b"cc", b"date", b"subject",
    b"status",
];

/// The most lines that are looked at behind such a line.
const MAX_LINES: usize = 400;

/// A line of which it is not known yet whether it is the one before a mail.
#[derive(Debug)]
pub(super) struct Doubt {
    /// Whether it may be the beginning of a sentence, as `From here on`.
    is_sentence: bool,
    /// How many of the fields are to be found still.
    missing: usize,
    /// The fields that were found.
    found: [bool; FIELDS.len()],
    /// The lines that may be looked at still.
    lines: usize,
}

impl Doubt {
    /// The doubt about a line. One field is enough where it begins no sentence, as `From -`, and an empty line
    /// is before it.
    pub(super) fn of(line: &[u8], is_behind_blank: bool) -> Self {
        let rest = line.strip_prefix(b"From ").unwrap_or(line).trim_ascii();
        let is_sentence =
            rest.contains(&b' ') || !(rest.is_empty() || rest == b"-" || rest.contains(&b'@'));
        let missing = if is_sentence || !is_behind_blank { 2 } else { 1 };
        Self { is_sentence, missing, found: [false; FIELDS.len()], lines: MAX_LINES }
    }

    /// Returns whether the next line confirms that a mail begins; `None` if there is none.
    pub(super) fn next(&mut self, line: &[u8]) -> Option<bool> {
        let is_first = self.lines == MAX_LINES;
        self.lines = self.lines.checked_sub(1)?;
        // Mails that were moved once have two such lines.
        let is_twice = !self.is_sentence && is_first && line.starts_with(b"From ");
        let is_old = line.starts_with(b">From ");
        let goes_on = !is_first && matches!(line.first(), Some(b' ' | b'\t'));
        if is_twice || is_old || goes_on {
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
