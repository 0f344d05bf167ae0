//! Dates in the language of an account: `Wednesday, March 4, 2026 at 6:01:00 PM UTC`, `4 Mar 2026,
//! 18:01:00 GMT`.

use jiff::civil::Date;

use super::half_of_day::HALVES;
use super::zone_names;
use crate::time::Time;

/// The beginnings of the names of the months in the languages that are known.
const MONTHS: [&[&str]; 12] = [
    &["jan", "ene", "gen", "janv", "sty", "янв", "oca"],
    &["feb", "fév", "fev", "febb", "lut", "фев", "şub"],
    &["mar", "mär", "maa", "mrt", "мар"],
    &["apr", "avr", "abr", "kwi", "апр", "nis"],
    &["may", "mai", "maj", "mei", "mag", "мая", "май"],
    &["jun", "juin", "giu", "cze", "июн", "haz"],
    &["jul", "juil", "lug", "lip", "июл", "tem"],
    &["aug", "aoû", "ago", "sie", "авг", "ağu"],
    &["sep", "set", "wrz", "сен", "eyl"],
    &["oct", "okt", "out", "ott", "paź", "окт", "eki"],
    &["nov", "lis", "ноя", "kas"],
    &["dec", "déc", "dez", "dic", "gru", "дек", "ara"],
];

/// Reads a date with its time; `None` for one that is not understood for sure, such as one in a language
/// that is not known. Of a zone that is not known the time has none.
pub(super) fn read(text: &str) -> Option<Time> {
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
    let bare: String = rest.chars().filter(|c| !c.is_whitespace() && *c != '.').collect();
    let has = |words: &[&str]| {
        words.iter().any(|word| match word.is_ascii() {
            // `pm` stands alone, at the end.
            true => bare.ends_with(word),
            false => bare.contains(word),
        })
    };
    let half = HALVES.into_iter().find(|(_, words)| has(words));
    let hour = half.and_then(|(half, _)| half.hour(hour)).unwrap_or(hour);
    let (year, month, day) = day(&rest)?;
    let text = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{offset}");
    Time::parse(&text).ok().map(|(time, _)| time)
}

/// Parts the zone at the end of a text from the rest, as an offset: empty for one that is not known.
fn without_zone(text: &str) -> (&str, &str) {
    let (before, zone) = text.rsplit_once(char::is_whitespace).unwrap_or(("", text));
    let shifted = zone.strip_prefix("gmt").or_else(|| zone.strip_prefix("utc"));
    if let Some(offset) = shifted.filter(|offset| offset.len() == 6) {
        return (before, offset);
    }
    let is_zone = (3..=5).contains(&zone.len()) && zone.bytes().all(|b| b.is_ascii_lowercase());
    match zone_names::offset(zone) {
        Some(offset) => (before, offset),
        None if is_zone => (before, ""),
        None => (text, ""),
    }
}

/// Reads a day; `None` for one that is not understood for sure, or that no calendar has.
pub(super) fn read_day(text: &str) -> Option<Date> {
    let (year, month, day) = day(&text.to_lowercase())?;
    Date::new(year as i16, month as i8, day as i8).ok()
}

/// Returns the year of our era of one in a date: Thai phones count the years of the Buddha.
pub(super) fn gregorian(year: u16) -> u16 {
    if (2500..2700).contains(&year) { year - 543 } else { year }
}

fn day(text: &str) -> Option<(u16, u16, u16)> {
    let numbers: Vec<u16> =
        text.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect();
    let year = *numbers.iter().find(|number| **number >= 1000)?;
    let small: Vec<u16> =
        numbers.iter().copied().filter(|number| (1..=31).contains(number)).collect();
    let named = text.split(|c: char| !c.is_alphabetic()).find_map(month);
    // 04.03.2026: with points, the day is first.
    let has_points = || text.contains('.') && !text.contains('/');
    match (named, small.as_slice()) {
        (Some(month), [day]) => Some((year, month as u16, *day)),
        // 2026年3月4日
        (None, [month, day]) if numbers.first() == Some(&year) => Some((year, *month, *day)),
        (None, [day, month]) if numbers.last() == Some(&year) && has_points() => {
            Some((year, *month, *day))
        }
        _ => None,
    }
}

/// Returns whether a word is the name of a month, or begins with one.
pub(super) fn is_month(word: &str) -> bool {
    month(&word.to_lowercase()).is_some()
}

fn month(word: &str) -> Option<usize> {
    // `marzec` and `märz`, but no day of the week: `mardi`, `martes`, `maandag`.
    const DAYS: [&str; 4] = ["mardi", "martes", "martedì", "maandag"];
    if word.chars().count() < 3 || DAYS.contains(&word) {
        return None;
    }
    let place = MONTHS.iter().position(|names| names.iter().any(|name| word.starts_with(name)));
    place.map(|place| place + 1)
}

/// Returns the clock of `18時01分00秒` or `18시 1분 0초`, and the rest.
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
    use super::read;

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
            let time = read(date).map(|time| time.as_written().to_owned());
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
        ] {
            let time = read(date).map(|time| time.as_written().to_owned());
            assert_eq!(time.as_deref(), Some(expected), "{date}");
        }
        assert!(read("03/04/2026, 13:42:07 UTC").is_none());
        let midnight = read("Thursday, November 3, 2016 at 12:59:50 AM UTC").unwrap();
        assert_eq!(midnight.as_written(), "2016-11-03T00:59:50Z");
        let tuesday = read("mardi 3 novembre 2026 à 08:00:00 UTC").unwrap();
        assert_eq!(tuesday.as_written(), "2026-11-03T08:00:00Z");
        assert!(read("the day after the flood").is_none());
    }
}
