//! The date of a time of day: from its line, from a line above it, or from the file path.

use jiff::ToSpan;
use jiff::civil::Date;

use super::line::Line;
use crate::shared::text::dates::{day_in_path, english_month, time_at};
use convo_base::time::Time;

/// A line that sets the date of the lines below it.
pub(super) struct Marker {
    /// `None` at the end of a log.
    day: Option<Date>,
}

/// The text before such a date.
const OPENINGS: [&str; 5] = [
    "--- Log opened ", "--- Day changed ", "**** BEGIN LOGGING AT ", "Session Start: ",
    "[00:00] --- ",
];
const CLOSINGS: [&str; 5] = [
    "--- Log closed ", "**** ENDING LOGGING AT ", "Session Close: ", "Session Ident: ",
    "Session Time: ",
];

/// Returns the date marker on a line, if it is one.
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
    let at = words.iter().position(|word| word.len() == 3 && english_month(word).is_some())?;
    let day = words.get(at + 1)?.parse().ok()?;
    let year = words[at + 1..]
        .iter()
        .find_map(|word| word.parse::<i16>().ok().filter(|year| *year > 1980))?;
    Date::new(year, english_month(words[at])? as i8, day).ok()
}

/// Tracks the date of each line of a file.
pub(super) struct Days {
    day: Option<Date>,
    /// The time of day of the preceding line.
    clock: [u16; 3],
}

impl Days {
    pub(super) fn of(name: &str) -> Self {
        Self { day: day_in_path(name).map(|(day, _)| day), clock: [0; 3] }
    }

    pub(super) fn mark(&mut self, marker: Marker) {
        self.day = marker.day.or(self.day);
        self.clock = [0; 3];
    }

    /// Returns the time of a line, if its date is known.
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
            None if line.clock[0] + 12 < self.clock[0] => {
                self.day = self.day.and_then(|day| day.checked_add(1.day()).ok());
            }
            None => {}
        }
        self.clock = line.clock;
        self.now()
    }

    /// Returns the time of the preceding line, or the start of the day if there is none.
    pub(super) fn now(&self) -> Option<Time> {
        time_at(self.day?, self.clock)
    }
}
