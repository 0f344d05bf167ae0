//! Mailboxes: mails one after the other, each behind a line that begins with `From `.

/// Tells where mails begin in the lines of a mailbox.
#[derive(Debug)]
pub(super) struct Starts {
    is_behind_blank: bool,
}

impl Default for Starts {
    fn default() -> Self {
        Self { is_behind_blank: true }
    }
}

impl Starts {
    /// Returns whether a mail begins with the next line.
    pub(super) fn next(&mut self, line: &[u8]) -> bool {
        let is_start = self.is_behind_blank && is_from_line(line);
        self.is_behind_blank = line.trim_ascii().is_empty();
        is_start
    }
}

/// Returns whether a line is one that parts mails: `From ada@mill.example Wed Mar  4 18:20:05 2026`.
pub(super) fn is_from_line(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"From ") else { return false };
    let rest = &rest[..rest.len().min(400)];
    let is_clock = |word: &[u8]| {
        let mut parts = word.split(|byte| *byte == b':');
        let is_number = |part: Option<&[u8]>| {
            part.is_some_and(|part| {
                part.len() == 2 && part.iter().all(u8::is_ascii_digit)
            })
        };
        is_number(parts.next()) && is_number(parts.next())
    };
    let is_year = |word: &[u8]| {
        word.len() == 4
            && matches!(word[0], b'1' | b'2')
            && word.iter().all(u8::is_ascii_digit)
    };
    let words = || rest.split(u8::is_ascii_whitespace);
    words().any(is_clock) && words().any(is_year)
}

/// A mail of a file.
#[derive(Debug)]
pub(super) struct Stretch<'a> {
    /// The mail, from its first field on.
    pub(super) bytes: &'a [u8],
    /// Where it stands among the bytes.
    pub(super) at: usize,
    /// The line, from 1, at which that is.
    pub(super) line: u32,
    /// Whether lines in it that begin with `From ` have a mark before them.
    pub(super) is_escaped: bool,
}

/// Parts a file into the mails in it.
pub(super) fn mails(bytes: &[u8]) -> Vec<Stretch<'_>> {
    let start = bytes.iter().position(|byte| !byte.is_ascii_whitespace());
    let Some(start) = start else { return Vec::new() };
    let line = 1 + bytes[..start].iter().filter(|byte| **byte == b'\n').count() as u32;
    let first = bytes[start..].split_inclusive(|byte| *byte == b'\n').next();
    if !first.is_some_and(is_from_line) {
        return vec![Stretch {
            bytes: &bytes[start..],
            at: start,
            line,
            is_escaped: false,
        }];
    }
    let mut found: Vec<Stretch<'_>> = Vec::new();
    let mut starts = Starts::default();
    let (mut at, mut number) = (start, line);
    let mut open = None;
    for line in bytes[start..].split_inclusive(|byte| *byte == b'\n') {
        if starts.next(line) {
            let before = open.replace((at + line.len(), number + 1));
            found.extend(before.map(|(from, line)| stretch(bytes, from..at, line)));
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

/// Takes one mark away from lines that begin with `>From `, `>>From ` and so on.
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
    use super::{is_from_line, mails};

    #[test]
    fn lines_that_part_mails_have_a_date() {
        for line in [
            "From ada@mill.example Wed Mar  4 18:20:05 2026\n",
            "From - Wed Mar 04 18:20:05 2026",
            "From 18@xxx Wed Mar 04 18:20:05 +0000 2026\r\n",
            "From ada at mill.example  Wed Mar  4 18:20:05 2026",
            "From MAILER-DAEMON Wed Mar  4 18:20 2026",
        ] {
            assert!(is_from_line(line.as_bytes()), "{line}");
        }
        for line in
            ["From here on\n", "From 2026 on", ">From a 18:20 2026", "From: a 18:20 2026"]
        {
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
}
