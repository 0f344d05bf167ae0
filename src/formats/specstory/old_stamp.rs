//! Reads the localised times in titles of sessions before April 2025.

use crate::shared::text::dates::{Order, written};
use convo_base::time::Time;

/// Reads `2/19/2025, 9:30:45 AM`, `25/02/2025, 02:58:00` or `2025/4/9 10:26:00`. With an upper-case AM or
/// PM, the month comes first; otherwise the day does.
pub(super) fn read(stamp: &str) -> Option<Time> {
    let (date, clock) = stamp.split_once([',', ' '])?;
    let mark = date.chars().find(|c| !c.is_ascii_digit())?;
    let numbers = numbers(date, mark)?;
    let order =
        Order::of_one(numbers).unwrap_or(match clock.ends_with("AM") || clock.ends_with("PM") {
            true => Order::MonthFirst,
            false => Order::DayFirst,
        });
    let [year, month, day] = order.date(numbers);
    written(&format!("{day}.{month}.{year} {clock}"))
}

/// Splits a text into three numbers.
fn numbers(text: &str, mark: char) -> Option<[u16; 3]> {
    let mut parts = text.split(mark).map(str::parse);
    let mut next = || parts.next()?.ok();
    let found = [next()?, next()?, next()?];
    parts.next().is_none().then_some(found)
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn stamps_of_every_language() {
        for (stamp, expected) in [
            ("2/19/2025, 9:30:45 AM", "2025-02-19T09:30:45"),
            ("3/4/2025, 12:00:01 PM", "2025-03-04T12:00:01"),
            ("3/4/2025, 12:00:01\u{202f}AM", "2025-03-04T00:00:01"),
            ("25/02/2025, 02:58:00", "2025-02-25T02:58:00"),
            ("04/03/2025, 02:58:00", "2025-03-04T02:58:00"),
            ("04/03/2025, 2:58:00 pm", "2025-03-04T14:58:00"),
            ("25.2.2025, 02:58:00", "2025-02-25T02:58:00"),
            ("2025/4/9 10:26:00", "2025-04-09T10:26:00"),
        ] {
            let time = read(stamp).map(|time| time.as_written().to_owned());
            assert_eq!(time.as_deref(), Some(expected), "{stamp}");
        }
        for stamp in ["", "of 2025", "1/2/3/4 1:2:3", "31/31/2025, 1:02:03", "1, 2"] {
            assert!(read(stamp).is_none(), "{stamp}");
        }
    }
}
