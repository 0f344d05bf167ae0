//! Mailbox parsing: mails in sequence, each after a separator line that begins with `From `. If
//! that line has no date, the header fields after it decide whether a mail begins.

use super::doubt::Doubt;

/// The role of a line in a mailbox.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// A line of a mail, or a line before all mails.
    Inside,
    /// The separator line before a mail.
    Start,
    /// A line that may be a separator; the lines after it decide.
    Doubtful,
    /// A header field that confirms that the doubtful line was a separator.
    Confirmed,
}

/// Finds where mails begin in the lines of a mailbox.
#[derive(Debug)]
pub(super) struct Starts {
    is_behind_blank: bool,
    /// Whether the current lines are the header fields of a mail.
    is_in_head: bool,
    doubt: Option<Doubt>,
}

impl Default for Starts {
    fn default() -> Self {
        Self { is_behind_blank: true, is_in_head: false, doubt: None }
    }
}

impl Starts {
    /// Returns the role of the next line.
    pub(super) fn next(&mut self, line: &[u8]) -> Step {
        let is_behind_blank = self.is_behind_blank;
        self.is_behind_blank = line.trim_ascii().is_empty();
        if self.is_behind_blank {
            self.is_in_head = false;
            self.doubt = None;
            return Step::Inside;
        }
        if let Some(doubt) = &mut self.doubt {
            match doubt.next(line) {
                Some(false) => return Step::Inside,
                Some(true) => {
                    self.doubt = None;
                    self.is_in_head = true;
                    return Step::Confirmed;
                }
                None => self.doubt = None,
            }
        }
        if is_behind_blank && is_from_line(line) {
            self.is_in_head = true;
            return Step::Start;
        }
        if line.starts_with(b"From ") && !self.is_in_head {
            self.doubt = Some(Doubt::of(line, is_behind_blank));
            return Step::Doubtful;
        }
        Step::Inside
    }
}

/// Returns whether a file begins with a separator line.
pub(super) fn is_mailbox(bytes: &[u8]) -> bool {
    let mut starts = Starts::default();
    let lines = bytes.trim_ascii_start().split_inclusive(|byte| *byte == b'\n');
    for (number, line) in lines.enumerate() {
        match starts.next(line) {
            Step::Start | Step::Confirmed => return true,
            Step::Doubtful if number == 0 => {}
            Step::Inside if starts.doubt.is_some() => {}
            Step::Doubtful | Step::Inside => return false,
        }
    }
    false
}

/// Returns whether a line is a separator: `From ada@mill.example Wed Mar  4 18:20:05 2026`.
pub(super) fn is_from_line(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"From ") else { return false };
    let rest = &rest[..rest.len().min(400)];
    let is_clock = |word: &[u8]| {
        let mut parts = word.split(|byte| *byte == b':');
        let is_number = |part: Option<&[u8]>| {
            part.is_some_and(|part| part.len() == 2 && part.iter().all(u8::is_ascii_digit))
        };
        is_number(parts.next()) && is_number(parts.next())
    };
    let is_year = |word: &[u8]| {
        word.len() == 4 && matches!(word[0], b'1' | b'2') && word.iter().all(u8::is_ascii_digit)
    };
    let words = || rest.split(u8::is_ascii_whitespace);
    words().any(is_clock) && words().any(is_year)
}

/// A mail in a file.
#[derive(Debug)]
pub(super) struct Stretch<'a> {
    /// The mail, starting at its first header field.
    pub(super) bytes: &'a [u8],
    /// The offset in bytes.
    pub(super) at: usize,
    /// The line number of that offset, from 1.
    pub(super) line: u32,
    /// Whether lines in it that begin with `From ` are escaped with a `>`.
    pub(super) is_escaped: bool,
}

/// Splits a file into its mails.
pub(super) fn mails(bytes: &[u8]) -> Vec<Stretch<'_>> {
    let start = bytes.iter().position(|byte| !byte.is_ascii_whitespace());
    let Some(start) = start else { return Vec::new() };
    let line = 1 + bytes[..start].iter().filter(|byte| **byte == b'\n').count() as u32;
    if !is_mailbox(bytes) {
        return vec![Stretch { bytes: &bytes[start..], at: start, line, is_escaped: false }];
    }
    let mut found: Vec<Stretch<'_>> = Vec::new();
    let mut starts = Starts::default();
    let (mut at, mut number) = (start, line);
    let mut open = None;
    // The offset of the last confirmed or possible separator, and that of its mail.
    let mut last = (at, at, number);
    for line in bytes[start..].split_inclusive(|byte| *byte == b'\n') {
        let step = starts.next(line);
        if matches!(step, Step::Start | Step::Doubtful) {
            last = (at, at + line.len(), number + 1);
        }
        if matches!(step, Step::Start | Step::Confirmed) {
            let (end, from, line) = last;
            let before = open.replace((from, line));
            found.extend(before.map(|(from, line)| stretch(bytes, from..end, line)));
        }
        at += line.len();
        number += 1;
    }
    found.extend(open.map(|(from, line)| stretch(bytes, from..at, line)));
    found
}

fn stretch(bytes: &[u8], range: std::ops::Range<usize>, line: u32) -> Stretch<'_> {
    Stretch { at: range.start, bytes: &bytes[range], line, is_escaped: true }
}

/// Unescapes lines that begin with `>From `, `>>From ` and so on by one mark.
pub(super) fn unescaped(body: Vec<u8>) -> Vec<u8> {
    let is_escaped = |line: &[u8]| {
        let marks = line.iter().take_while(|byte| **byte == b'>').count();
        marks > 0 && line[marks..].starts_with(b"From ")
    };
    let lines = || body.split_inclusive(|byte| *byte == b'\n');
    if !lines().any(is_escaped) {
        return body;
    }
    let lines = lines().map(|line| if is_escaped(line) { &line[1..] } else { line });
    lines.collect::<Vec<_>>().concat()
}

#[cfg(test)]
mod tests {
    use super::{is_from_line, is_mailbox, mails};

    #[test]
    fn lines_that_separate_mails_have_a_date() {
        for line in [
            "From ada@mill.example Wed Mar  4 18:20:05 2026\n",
            "From - Wed Mar 04 18:20:05 2026",
            "From 18@xxx Wed Mar 04 18:20:05 +0000 2026\r\n",
            "From ada at mill.example  Wed Mar  4 18:20:05 2026",
            "From MAILER-DAEMON Wed Mar  4 18:20 2026",
        ] {
            assert!(is_from_line(line.as_bytes()), "{line}");
        }
        for line in ["From here on\n", "From 2026 on", ">From a 18:20 2026", "From: a 18:20 2026"] {
            assert!(!is_from_line(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn mails_begin_behind_blank_lines() {
        let start = "From a Wed Mar  4 18:20:05 2026\n";
        let text = format!("{start}A: 1\n\nx\n{start}y\n\n{start}A: 2\n");
        let found = mails(text.as_bytes());
        let lines: Vec<u32> = found.iter().map(|mail| mail.line).collect();
        assert_eq!(lines, [2, 9]);
        assert!(found[0].bytes.ends_with(b"y\n\n"));
        assert_eq!(mails(b"\n\nA: 1\n\nx").len(), 1);
        assert!(mails(b" \n").is_empty());
    }

    #[test]
    fn fields_show_that_a_mail_begins() {
        let head = "From: Ada <ada@mill.example>\nSubject: x\n\nx\n";
        for start in ["From - \n", "From 18@xxx\r\n", "From ada\n", "From -\n\n", "From here\n"] {
            let is_one = !start.ends_with("\n\n");
            let text = format!("{start}{head}");
            assert_eq!(is_mailbox(text.as_bytes()), is_one, "{text}");
            let text = format!("From -\nFrom: a\n\nx\n\n{start}{head}");
            assert_eq!(mails(text.as_bytes()).len(), 1 + usize::from(is_one), "{text}");
            // The empty line is missing, as after parts of a mail.
            let text = format!("From -\nFrom: a\n\nx\n{start}{head}");
            assert_eq!(mails(text.as_bytes()).len(), 1 + usize::from(is_one), "{text}");
        }
        for body in [
            "From here on\nthe tide falls.\n",
            "From Brack with love\nYear: 1963\n",
            "From the list:\nSubject: eels\nthe other line\n",
            "> From -\n> From: Ada\n> Subject: x\n",
            ">From -\nFrom: Ada\nSubject: x\n",
            "From -\nthe tide\nFrom: Ada\nSubject: x\n",
        ] {
            let text = format!("From -\nFrom: a\n\nx\n\n{body}");
            assert_eq!(mails(text.as_bytes()).len(), 1, "{text}");
        }
    }
}
