//! The day of a clock: on its line, in a line above it, or in the path of the file.

use std::ops::Range;

use jiff::ToSpan;
use jiff::civil::Date;

use super::line::{Line, month};
use crate::time::Time;

/// A line that tells the day of those below it.
pub(super) struct Marker {
    /// `None` for the end of a log.
    day: Option<Date>,
}

/// Words before such a day.
const OPENINGS: [&str; 5] = [
    "--- Log opened ", "--- Day changed ", "**** BEGIN LOGGING AT ", "Session Start: ",
    "[00:00] --- ",
];
const CLOSINGS: [&str; 5] = [
    "--- Log closed ", "**** ENDING LOGGING AT ", "Session Close: ", "Session Ident: ",
    "Session Time: ",
];

/// Returns the marker that a line is.
pub(super) fn marker(row: &str) -> Option<Marker> {
    let row = row.trim();
    if CLOSINGS.iter().any(|words| row.starts_with(words)) {
        return Some(Marker { day: None });
    }
    let rest = OPENINGS.iter().find_map(|words| row.strip_prefix(words))?;
    Some(Marker { day: in_words(rest) })
}

/// Reads `Sun Mar 01 10:00:00 2026` and `Mon Mar 02 2026`.
fn in_words(text: &str) -> Option<Date> {
    let words: Vec<&str> = text.split_whitespace().take(6).collect();
    let at = words.iter().position(|word| month(word).is_some() && word.len() == 3)?;
    let day = words.get(at + 1)?.parse().ok()?;
    let year = words[at + 1..]
        .iter()
        .find_map(|word| word.parse::<i16>().ok().filter(|year| *year > 1980))?;
    Date::new(year, month(words[at])?, day).ok()
}

/// Returns the day in a path, with its place there: in the name of the file, or in those of its folders, as in
/// `2026/03/01/#mill.txt`.
pub(super) fn in_path(path: &str) -> Option<(Date, Range<usize>)> {
    let start = path.rfind('/').map_or(0, |at| at + 1);
    let (folders, file) = path.split_at(start);
    match in_name(file) {
        Some((day, at)) => Some((day, start + at.start..start + at.end)),
        None => in_words_of(folders, &["/", "-", "_", ".", ""]),
    }
}

/// Returns the day in the name of a file, with its place there: `2026-03-01` or `20260301`.
pub(super) fn in_name(name: &str) -> Option<(Date, Range<usize>)> {
    in_words_of(name, &["", "-", "_", "."])
}

/// Returns the first day in a text whose parts have one of the marks between them.
fn in_words_of(name: &str, marks: &[&str]) -> Option<(Date, Range<usize>)> {
    let bytes = name.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    for start in (0..bytes.len()).filter(|at| is_digit(*at)) {
        if start > 0 && is_digit(start - 1) {
            continue;
        }
        for mark in marks {
            let (month, day) = (start + 4 + mark.len(), start + 6 + 2 * mark.len());
            let part = |at: usize, len: usize| {
                let part = name.get(at..at + len)?;
                part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse::<i16>().ok())?
            };
            let is_parted = name.get(start + 4..month) == Some(*mark)
                && name.get(month + 2..day) == Some(*mark)
                && !is_digit(day + 2);
            let found = is_parted.then(|| Some((part(start, 4)?, part(month, 2)?, part(day, 2)?)));
            if let Some((y, m, d)) = found.flatten()
                && let (Ok(m), Ok(d)) = (i8::try_from(m), i8::try_from(d))
                && let Ok(date) = Date::new(y, m, d)
            {
                return Some((date, start..day + 2));
            }
        }
    }
    None
}

/// The day of each line of a file.
pub(super) struct Days {
    day: Option<Date>,
    /// The clock of the line above.
    clock: (i8, i8, i8),
}

impl Days {
    pub(super) fn of(name: &str) -> Self {
        Self { day: in_path(name).map(|(day, _)| day), clock: (0, 0, 0) }
    }

    pub(super) fn mark(&mut self, marker: Marker) {
        self.day = marker.day.or(self.day);
        self.clock = (0, 0, 0);
    }

    /// Returns the time of a line, if its day is known.
    pub(super) fn time(&mut self, line: &Line<'_>) -> Option<Time> {
        match line.date {
            Some((Some(year), month, day)) => self.day = Date::new(year, month, day).ok(),
            Some((None, month, day)) => {
                let year = self.day?.year();
                // A new year begins.
                let is_next = self.day?.month() == 12 && month == 1;
                self.day = Date::new(year + i16::from(is_next), month, day).ok();
            }
            // Midnight has passed.
            None if line.clock.0 + 12 < self.clock.0 => {
                self.day = self.day.and_then(|day| day.checked_add(1.day()).ok());
            }
            None => {}
        }
        self.clock = line.clock;
        self.now()
    }

    /// Returns the time of the line above, or the beginning of the day if there is none.
    pub(super) fn now(&self) -> Option<Time> {
        let (day, (hour, minute, second)) = (self.day?, self.clock);
        let text = format!("{day}T{hour:02}:{minute:02}:{second:02}");
        Time::parse(&text).ok().map(|(time, _)| time)
    }
}

#[cfg(test)]
mod tests {
    use super::{in_name, in_path};

    #[test]
    fn paths_have_days() {
        for (path, found) in [
            ("2026/03/01/#mill.txt", Some("2026-03-01")),
            ("libera/2026-03-01/#mill.log", Some("2026-03-01")),
            ("2025/01/01/#mill.2026-03-01.log", Some("2026-03-01")),
            ("2026/03/#mill.txt", None),
            ("2026/13/01/#mill.txt", None),
            ("#mill.txt", None),
        ] {
            let day = in_path(path).map(|(day, _)| day.to_string());
            assert_eq!(day.as_deref(), found, "{path}");
        }
    }

    #[test]
    fn names_of_files_have_days() {
        for (name, day) in [
            ("#mill.2026-03-01.log", Some("2026-03-01")),
            ("#mill_20260301.log", Some("2026-03-01")),
            ("2026_03_01.txt", Some("2026-03-01")),
            ("#mill.log", None),
            ("12345678901.log", None),
            ("2026-13-01.log", None),
            ("№2026-03-01", Some("2026-03-01")),
        ] {
            let found = in_name(name).map(|(day, _)| day.to_string());
            assert_eq!(found.as_deref(), day, "{name}");
        }
    }
}
