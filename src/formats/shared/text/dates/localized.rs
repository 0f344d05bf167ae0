//! Reads times as browsers and editors write them in the language of their user.

use super::order::Order;
use super::written::written;
use convo_base::time::Time;

/// Reads `2/19/2025, 9:30:45 AM`, `25/02/2025, 02:58:00` or `2025/4/9 10:26:00`. `order` is that of other dates of the
/// source; if it is unknown, the month comes first with an upper-case AM or PM, and otherwise the day.
pub(crate) fn localized(stamp: &str, order: Option<Order>) -> Option<Time> {
    let (date, clock) = divided(stamp)?;
    let order = order.filter(|order| *order != Order::YearFirst || date[0] >= 1000);
    let order = order.or_else(|| Order::of_one(date));
    let order = order.unwrap_or(match clock.ends_with("AM") || clock.ends_with("PM") {
        true => Order::MonthFirst,
        false => Order::DayFirst,
    });
    let [year, month, day] = order.date(date);
    written(&format!("{day}.{month}.{year} {clock}"))
}

/// Returns the numbers of the date of such a time, for [`Order::of_all`].
pub(crate) fn numbers_of_date(stamp: &str) -> Option<[u16; 3]> {
    divided(stamp).map(|(date, _)| date)
}

/// Returns the numbers of the date, and the text after it.
fn divided(stamp: &str) -> Option<([u16; 3], &str)> {
    let (date, clock) = stamp.split_once([',', ' '])?;
    let mark = date.chars().find(|c| !c.is_ascii_digit())?;
    let mut parts = date.split(mark).map(str::parse);
    let mut next = || parts.next()?.ok();
    let found = [next()?, next()?, next()?];
    parts.next().is_none().then_some((found, clock))
}

#[cfg(test)]
mod tests {
    use super::{Order, localized};

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
            let time = localized(stamp, None).map(|time| time.as_written().to_owned());
            assert_eq!(time.as_deref(), Some(expected), "{stamp}");
        }
        let known = localized("4/3/2025, 12:00:01", Some(Order::MonthFirst));
        assert_eq!(
            known.map(|time| time.as_written().to_owned()).as_deref(),
            Some("2025-04-03T12:00:01")
        );
        for stamp in ["", "of 2025", "1/2/3/4 1:2:3", "31/31/2025, 1:02:03", "1, 2"] {
            assert!(localized(stamp, None).is_none(), "{stamp}");
        }
    }
}
