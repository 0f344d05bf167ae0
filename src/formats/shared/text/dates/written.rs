//! Reads dates in natural language: `Wednesday, March 4, 2026 at 6:01:00 PM UTC`, `4 Mar 2026, 18:01:00
//! GMT`.

use jiff::civil::Date;

use super::civil;
use super::half_of_day::HalfOfDay;
use super::names::month;
use super::zones;
use convo_base::time::Time;

/// Reads a date and time; returns `None` if it is ambiguous or in an unsupported language. With an unknown
/// zone, the time has no zone.
pub(crate) fn written(text: &str) -> Option<Time> {
    let text = text.to_lowercase();
    let (text, offset) = without_zone(text.trim());
    let clock = text.split(|c: char| !c.is_ascii_digit() && c != ':');
    let clock = clock.filter(|part| part.contains(':')).find(|part| part.len() > 3);
    let (clock, rest) = match clock {
        Some(clock) => (clock.to_owned(), text.replacen(clock, " ", 1)),
        None => asian_clock(text)?,
    };
    let mut parts = clock.split(':').map(str::parse::<u16>);
    let hour = parts.next()?.ok()?;
    let minute = parts.next()?.ok()?;
    let second = parts.next().and_then(Result::ok).unwrap_or_default();
    let hour = HalfOfDay::within(&rest).map_or(hour, |half| half.hour(hour));
    civil(day(&rest)?, [hour, minute, second], &offset)
}

/// Splits the zone at the end off a text, and returns its offset, which is empty for an unknown zone.
fn without_zone(text: &str) -> (&str, String) {
    let (before, zone) = text.rsplit_once(char::is_whitespace).unwrap_or(("", text));
    let is_zone = (3..=5).contains(&zone.len()) && zone.bytes().all(|b| b.is_ascii_lowercase());
    // Four digits are a year here, not an offset.
    let is_year = zone.bytes().all(|byte| byte.is_ascii_digit());
    match zones::offset_of(&[zone]).filter(|_| !is_year) {
        Some(offset) => (before, offset),
        None if is_zone => (before, String::new()),
        None => (text, String::new()),
    }
}

/// Reads a date; returns `None` if it is ambiguous or does not exist.
pub(crate) fn written_day(text: &str) -> Option<Date> {
    let [year, month, day] = day(&text.to_lowercase())?;
    Date::new(year as i16, month as i8, day as i8).ok()
}

/// Returns the year, month and day in a lower-case text.
fn day(text: &str) -> Option<[u16; 3]> {
    let numbers: Vec<u16> =
        text.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect();
    let year = *numbers.iter().find(|number| **number >= 1000)?;
    let small: Vec<u16> =
        numbers.iter().copied().filter(|number| (1..=31).contains(number)).collect();
    let named = text.split(|c: char| !c.is_alphabetic()).find_map(month);
    // With dots, as in 04.03.2026, the day comes first.
    let has_points = || text.contains('.') && !text.contains('/');
    match (named, small.as_slice()) {
        (Some(month), [day]) => Some([year, month, *day]),
        // 2026年3月4日
        (None, [month, day]) if numbers.first() == Some(&year) => Some([year, *month, *day]),
        (None, [day, month]) if numbers.last() == Some(&year) && has_points() => {
            Some([year, *month, *day])
        }
        _ => None,
    }
}

/// Returns the clock time of `18時01分00秒` or `18시 1분 0초`, and the text before it.
fn asian_clock(text: &str) -> Option<(String, String)> {
    let at = text.find(['時', '时', '시'])?;
    let before = &text[..at];
    let start = before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let numbers: Vec<&str> = text[start..]
        .split(|c: char| !c.is_ascii_digit())
        .filter(|part| !part.is_empty())
        .take(3)
        .collect();
    Some((numbers.join(":"), text[..start].to_owned()))
}

#[cfg(test)]
mod tests {
    use super::written;

    #[test]
    fn dates_are_read_in_many_languages() {
        for date in [
            "Wednesday, March 4, 2026 at 6:01:05\u{202f}PM UTC",
            "Wednesday, 4 March 2026 at 18:01:05 UTC",
            "Mittwoch, 4. März 2026 um 18:01:05 UTC",
            "mercredi 4 mars 2026 à 18:01:05 UTC",
            "miércoles, 4 de marzo de 2026, 18:01:05 UTC",
            "quarta-feira, 4 de março de 2026 às 18:01:05 UTC",
            "mercoledì 4 marzo 2026 alle ore 18:01:05 UTC",
            "woensdag 4 maart 2026 om 18:01:05 UTC",
            "środa, 4 marca 2026 18:01:05 UTC",
            "2026年3月4日水曜日 18時01分05秒 UTC",
            "2026년 3월 4일 수요일 오후 6시 1분 5초 UTC",
        ] {
            let time = written(date).map(|time| time.as_written().to_owned());
            assert_eq!(time.as_deref(), Some("2026-03-04T18:01:05Z"), "{date}");
        }
        for (date, expected) in [
            ("Jan 2, 2025, 3:04:05\u{202f}PM EST", "2025-01-02T15:04:05-05:00"),
            ("Jan 4, 2025, 12:04:05 AM GMT+05:30", "2025-01-04T00:04:05+05:30"),
            ("02.01.2025, 15:04:05 MEZ", "2025-01-02T15:04:05+01:00"),
            ("Jan 2, 2025, 3:04:05 PM XYZ", "2025-01-02T15:04:05"),
            ("4 Mar 2026, 19:20:05 GMT", "2026-03-04T19:20:05Z"),
            ("4 Mar 2026, 19:20:05 EET", "2026-03-04T19:20:05+02:00"),
            ("26 de mar. de 2026, 13:42:07 BRT", "2026-03-26T13:42:07-03:00"),
            ("Jan 4, 2025, 12:04:05 AM GMT-5", "2025-01-04T00:04:05-05:00"),
            ("4 Mar 2026, 19:20:05 +0100", "2026-03-04T19:20:05+01:00"),
            ("2026年3月4日 晚上7:20:05", "2026-03-04T19:20:05"),
            ("2026年3月4日 午後0時20分05秒", "2026-03-04T12:20:05"),
            ("4 March 2026 9:20pm", "2026-03-04T21:20:00"),
            ("9:20 4 March 2026", "2026-03-04T09:20:00"),
        ] {
            let time = written(date).map(|time| time.as_written().to_owned());
            assert_eq!(time.as_deref(), Some(expected), "{date}");
        }
        assert!(written("03/04/2026, 13:42:07 UTC").is_none());
        let midnight = written("Thursday, November 3, 2016 at 12:59:50 AM UTC").unwrap();
        assert_eq!(midnight.as_written(), "2016-11-03T00:59:50Z");
        let tuesday = written("mardi 3 novembre 2026 à 08:00:00 UTC").unwrap();
        assert_eq!(tuesday.as_written(), "2026-11-03T08:00:00Z");
        assert!(written("the day after the flood").is_none());
    }
}
