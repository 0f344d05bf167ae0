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

    /// Returns it as a time, written as `text`.
    pub fn time(self, text: &str) -> Option<Time> {
        let part = |number: u32| i8::try_from(number % 100).ok();
        let known = |part: i8| Some(part).filter(|part| *part > 0);
        let year = i16::try_from(self.number / 10_000).ok()?;
        Time::of_date(text, year, known(part(self.number / 100)?), known(part(self.number)?))
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

#[cfg(test)]
mod tests {
    use super::PartialDate;

    #[test]
    fn a_month_and_a_year_are_published_as_such() {
        for (text, day, rss) in [
            ("1974-03", "1974-03-01", "Fri, 01 Mar 1974 00:00:00 +0000"),
            ("1974", "1974-01-01", "Tue, 01 Jan 1974 00:00:00 +0000"),
            ("1974-03-05", "1974-03-05", "Tue, 05 Mar 1974 00:00:00 +0000"),
        ] {
            let time = PartialDate::parse(text).unwrap().time(text).unwrap();
            for shown in [time.day(), time.published(), time.machine()] {
                assert_eq!(shown, text);
            }
            assert_eq!(time.first_day(), day);
            assert_eq!(time.published_instant(), format!("{day}T00:00:00Z"));
            assert_eq!(time.rfc2822(), rss);
            assert_eq!(time.clone().restated(), time);
            assert_eq!(time.place_in_year().is_some(), text.len() == 10);
        }
        for bad in ["", "74", "1974-3", "1974-13", "1974-02-30", "1974-03-05-1", "1974 "] {
            assert!(PartialDate::parse(bad).is_none(), "{bad}");
        }
    }
}
