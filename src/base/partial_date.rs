//! A day, a month or a year, as in options and queries.

use std::cmp::Ordering;

use jiff::civil::Date;

use crate::time::Time;

/// A day, a month or a year.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PartialDate {
    /// Year, month and day as one number, with zeros for missing parts.
    number: u32,
}

impl PartialDate {
    /// What its text must be.
    pub const EXPECTED: &str = "expected a date such as 2025-10-23, 2025-10 or 2025";

    /// Parses a text such as `2025-10-23`, `2025-10` or `2025`; `None` if it is not a date of the
    /// calendar.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let mut part = |digits: usize| match parts.next() {
            Some(part) if part.len() == digits && part.bytes().all(|b| b.is_ascii_digit()) => {
                part.parse::<i16>().ok().map(Some)
            }
            Some(_) => None,
            None => Some(None),
        };
        let (year, month, day) = (part(4)??, part(2)?, part(2)?);
        let small = |part: Option<i16>| i8::try_from(part.unwrap_or(1)).ok();
        Date::new(year, small(month)?, small(day)?).ok()?;
        let number = |part: Option<i16>| u32::try_from(part.unwrap_or_default()).ok();
        let number = number(Some(year))? * 10_000 + number(month)? * 100 + number(day)?;
        parts.next().is_none().then_some(Self { number })
    }

    /// Returns year, month and day as one number, such as 20251023; 20251000 for a month, 20250000
    /// for a year.
    pub fn number(self) -> u32 {
        self.number
    }

    /// Compares the day of a time with it: any day of a month is equal to the month.
    pub fn compare(self, time: &Time) -> Ordering {
        let unit = match self.number {
            number if number % 10_000 == 0 => 10_000,
            number if number % 100 == 0 => 100,
            _ => 1,
        };
        (time.day_number() / unit).cmp(&(self.number / unit))
    }
}
