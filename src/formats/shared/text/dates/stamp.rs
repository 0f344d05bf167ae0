//! Reads times in file names and logs, with the separators that are allowed there.

use super::iso;
use convo_base::time::Time;

/// Reads a numeric date and clock time with any separators or none, and an optional ISO 8601 zone:
/// `20260304-182005+0100`, `2026-03-04_18-20-05Z`, `2026-03-04 18:20`.
pub(crate) fn stamp(text: &str) -> Option<Time> {
    let (year, rest) = digits(text, 4)?;
    let mark = if rest.starts_with('-') { "-" } else { "" };
    let (month, rest) = digits(rest.strip_prefix(mark)?, 2)?;
    let (day, rest) = digits(rest.strip_prefix(mark)?, 2)?;
    let rest = rest.strip_prefix(['T', '_', '-', ' '])?;
    let (hour, rest) = digits(rest, 2)?;
    let mark = [":", "-"].into_iter().find(|mark| rest.starts_with(mark)).unwrap_or_default();
    let (minute, rest) = digits(rest.strip_prefix(mark)?, 2)?;
    let second = rest.strip_prefix(mark).and_then(|rest| digits(rest, 2));
    let (second, zone) = second.unwrap_or(("00", rest));
    iso(&format!("{year}-{month}-{day}T{hour}:{minute}:{second}{zone}"))
}

/// Returns the first `count` digits of a text, and the rest.
fn digits(text: &str, count: usize) -> Option<(&str, &str)> {
    let (number, rest) = text.split_at_checked(count)?;
    number.bytes().all(|byte| byte.is_ascii_digit()).then_some((number, rest))
}

#[cfg(test)]
mod tests {
    use super::stamp;

    #[test]
    fn marks_are_those_of_names_of_files() {
        for (text, expected) in [
            ("20260304-182005Z", Some("2026-03-04T18:20:05Z")),
            ("20260304-1820+0100", Some("2026-03-04T18:20:00+01:00")),
            ("20260304-1820-0500", Some("2026-03-04T18:20:00-05:00")),
            ("2026-03-04_18-20-05Z", Some("2026-03-04T18:20:05Z")),
            ("2026-03-04T18-20-05", Some("2026-03-04T18:20:05")),
            ("2026-03-04 18:20:05.5-05:00", Some("2026-03-04T18:20:05-05:00")),
            ("2026-03-04 18:20", Some("2026-03-04T18:20:00")),
            ("2026-03-04", None),
            ("20261304-182005", None),
            ("2026-0304-182005", None),
            ("20260304-18", None),
            ("20260304-182005 or so", None),
            ("é", None),
        ] {
            assert_eq!(stamp(text).map(|time| time.machine()).as_deref(), expected, "{text}");
        }
    }
}
