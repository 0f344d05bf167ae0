//! The time line of a message: `May 17, 2022  5:29:42 PM`, followed by a receipt or an event.

use crate::shared::text::dates::{HalfOfDay, civil, english_month};
use convo_base::time::Time;

/// A time line.
#[derive(Debug)]
pub(super) struct Head<'a> {
    pub(super) time: Option<Time>,
    /// The time as written.
    pub(super) stamp: &'a str,
    /// The text after it, unless that is a receipt.
    pub(super) rest: &'a str,
}

/// Parses a time line.
pub(super) fn head(line: &str) -> Option<Head<'_>> {
    let month = english_month(line)?;
    let (day, rest) = number(line.get(3..)?.strip_prefix(' ')?)?;
    let (year, rest) = number(rest.strip_prefix(", ")?)?;
    // An hour with one digit has two spaces before it.
    let (hour, rest) = number(rest.strip_prefix(' ')?.trim_start_matches(' '))?;
    let (minute, rest) = number(rest.strip_prefix(':')?)?;
    let (second, rest) = number(rest.strip_prefix(':')?)?;
    let hour = match rest.get(..3)? {
        " AM" if (1..=12).contains(&hour) => HalfOfDay::Am.hour(hour),
        " PM" if (1..=12).contains(&hour) => HalfOfDay::Pm.hour(hour),
        _ => return None,
    };
    let rest = &rest[3..];
    let stamp = &line[..line.len() - rest.len()];
    let rest = match rest.strip_prefix(' ') {
        Some(rest) => rest.trim(),
        None if rest.is_empty() => rest,
        None => return None,
    };
    let is_receipt = rest.starts_with("(Read by ") && rest.ends_with(')');
    let time = civil([year, month, day], [hour, minute, second], "");
    Some(Head { time, stamp, rest: if is_receipt { "" } else { rest } })
}

/// Reads a number of up to four digits.
fn number(text: &str) -> Option<(u16, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    (digits.len() <= 4).then_some(())?;
    Some((digits.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::head;

    #[test]
    fn times_have_words_behind_them() {
        for (line, time, rest) in [
            ("May 17, 2022  5:29:42 PM", "2022-05-17T17:29:42", ""),
            ("May 01, 2022 12:00:00 AM", "2022-05-01T00:00:00", ""),
            (
                "Dec 31, 2022 10:29:42 AM (Read by you after 1 hour, 4 seconds)",
                "2022-12-31T10:29:42",
                "",
            ),
            ("Jul 17, 2022  5:04:50 PM You left.", "2022-07-17T17:04:50", "You left."),
        ] {
            let found = head(line).unwrap();
            assert_eq!(found.time.unwrap().as_written(), time, "{line}");
            assert_eq!(found.rest, rest, "{line}");
        }
        for line in ["May 17, 2022", "May 17, 2022  25:29:42 PM", "May we?", "17 May 2022"] {
            assert!(head(line).is_none(), "{line}");
        }
    }
}
