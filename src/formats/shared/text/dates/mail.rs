//! Reads dates of mails, such as `Wed, 4 Mar 2026 18:20:05 +0100`, and the variants that programs have
//! written over the years.

use super::civil;
use super::names::english_month;
use super::zones;
use convo_base::time::Time;

/// The maximum number of characters of a zone name that are reported.
const MAX_ZONE: usize = 40;

/// The result of reading a date.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct MailDate {
    pub(crate) time: Time,
    /// The name of the zone if it is unknown. The time has no zone then.
    pub(crate) unknown_zone: Option<String>,
}

/// Reads a date of RFC 5322, including its obsolete forms, or of `asctime()`. Returns `None` if it is not
/// understood or does not exist.
pub(crate) fn letter(text: &str) -> Option<MailDate> {
    let text = without_comments(text);
    // There may be spaces around colons.
    let text = text.split(':').map(str::trim).collect::<Vec<_>>().join(":");
    let (before, clock, behind) = parted(&text)?;
    let before: Vec<&str> = words(before).flat_map(|word| word.split('-')).collect();
    let mut behind: Vec<&str> = words(behind).collect();
    // The last match is the month: `mar` before a month is a French Tuesday.
    let month = before.iter().rev().find_map(|word| english_month(word))?;
    let mut numbers = before.iter().filter(|word| is_number(word));
    let day = numbers.next()?.parse().ok()?;
    let year = match numbers.next() {
        Some(year) => year_of(year)?,
        // The year is at the end, or before or after the zone.
        None => {
            let is_year = |word: &&str| word.len() == 4 && is_number(word);
            year_of(behind.remove(behind.iter().position(is_year)?))?
        }
    };
    let clock = clock_of(clock)?;
    let offset = zones::offset_of(&behind);
    let zone = behind.join(" ");
    let is_unknown = offset.is_none() && !zone.is_empty();
    let time = civil([year, month, day], clock, &offset.unwrap_or_default())?;
    let unknown_zone = is_unknown.then(|| zone.chars().take(MAX_ZONE).collect());
    Some(MailDate { time, unknown_zone })
}

/// Removes comments, which may be nested.
fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut depth = 0_usize;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '(' => {
                depth += 1;
                kept.push(' ');
            }
            ')' => depth = depth.saturating_sub(1),
            // An escaped bracket does not count.
            '\\' => _ = chars.next(),
            _ if depth == 0 => kept.push(c),
            _ => {}
        }
    }
    kept
}

/// Splits a date into the text before its clock time, the clock time, and the text after it.
fn parted(text: &str) -> Option<(&str, &str, &str)> {
    let colon = text.find(':')?;
    let start = text[..colon].trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (before, rest) = text.split_at(start);
    let is_other = |c: char| !c.is_ascii_digit() && !matches!(c, ':' | '.');
    let (clock, behind) = rest.split_at(rest.find(is_other).unwrap_or(rest.len()));
    Some((before, clock, behind))
}

/// Returns the words of a text, without quotation marks around them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | '"'));
    words.filter(|word| !word.is_empty())
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns a year, which may lack its century.
fn year_of(word: &str) -> Option<u16> {
    let year: u16 = word.parse().ok()?;
    let year = match word.len() {
        2 if year < 50 => year + 2000,
        // Programs that count from 1900 wrote `100` for the year 2000.
        2 | 3 => year + 1900,
        _ => year,
    };
    (1900..=3000).contains(&year).then_some(year)
}

/// Returns the hour, minute and second of a clock time. A leap second becomes the second before it.
fn clock_of(text: &str) -> Option<[u16; 3]> {
    let whole = text.split('.').next().unwrap_or_default();
    let parts = whole.split(':').map(|part| part.parse::<u16>().ok());
    let parts: Vec<u16> = parts.collect::<Option<_>>()?;
    match parts[..] {
        [hour, minute] => Some([hour, minute, 0]),
        [hour, minute, 60] => Some([hour, minute, 59]),
        [hour, minute, second] => Some([hour, minute, second]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::letter;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let date = letter(text).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(date.time.as_written(), expected, "{text}");
        assert_eq!(date.unknown_zone, None, "{text}");
    }

    #[test]
    fn zones_have_names_and_offsets() {
        for (zone, expected) in [
            ("+0100", "+01:00"),
            ("-0330 (NST)", "-03:30"),
            ("+01:00", "+01:00"),
            ("0100", "+01:00"),
            ("-0000", "Z"),
            ("Z", "Z"),
            ("ut", "Z"),
            ("GMT", "Z"),
            ("GMT+0100", "+01:00"),
            ("UTC+01:00", "+01:00"),
            ("GMT-5", "-05:00"),
            ("GMT +0530", "+05:30"),
            ("-0800 PST", "-08:00"),
            ("CET", "+01:00"),
            ("\"CET\"", "+01:00"),
            ("MET", "+01:00"),
            ("MET DST", "+02:00"),
            ("MEST", "+02:00"),
            ("CEST", "+02:00"),
            ("WET", "Z"),
            ("WEST", "+01:00"),
            ("EET", "+02:00"),
            ("EEST", "+03:00"),
            ("BST", "+01:00"),
            ("MSK", "+03:00"),
            ("JST", "+09:00"),
            ("EST", "-05:00"),
            ("PDT", "-07:00"),
        ] {
            let expected = format!("1996-03-01T09:15:00{expected}");
            check(&format!("Fri, 1 Mar 1996 09:15:00 {zone}"), &expected);
        }
    }

    #[test]
    fn an_unknown_zone_is_reported() {
        for zone in ["IST", "A", "GMT Daylight Time", "W. Europe Standard Time", "+9900", "XYZ+1"] {
            let date = letter(&format!("Fri, 1 Mar 1996 09:15:00 {zone}")).unwrap();
            assert_eq!(date.time.as_written(), "1996-03-01T09:15:00", "{zone}");
            assert_eq!(date.unknown_zone.as_deref(), Some(zone));
        }
    }

    #[test]
    fn dates_of_all_years_are_read() {
        for (text, expected) in [
            ("Fri, 1 Mar 1996 09:15 EST", "1996-03-01T09:15:00-05:00"),
            ("1 Mar 2024 09:15 EST", "2024-03-01T09:15:00-05:00"),
            ("Tue, 31 Dec 1996 23:59:60 +0000", "1996-12-31T23:59:59Z"),
            ("Fri Mar  1 09:15:00 1996", "1996-03-01T09:15:00"),
            ("Fri Mar  1 09:15:00 MET 1996", "1996-03-01T09:15:00+01:00"),
            ("Fri Mar  1 09:15:00 1996 +0100", "1996-03-01T09:15:00+01:00"),
            ("Fri, 1 Mar 1996 09:15:00", "1996-03-01T09:15:00"),
            ("Fri, 1 Mar 1996 9:15:00 (CET)", "1996-03-01T09:15:00"),
            ("Fri, 01 Mar 96 09:15:00 GMT", "1996-03-01T09:15:00Z"),
            ("Friday, 01-Mar-96 09:15:00 GMT", "1996-03-01T09:15:00Z"),
            ("Thu, 1 Mar 101 09:15:00 +0000", "2001-03-01T09:15:00Z"),
            ("mar, 3 nov 2026 08:00:00 +0100", "2026-11-03T08:00:00+01:00"),
            ("4 March 2026 18:20:05.25 +0100", "2026-03-04T18:20:05+01:00"),
            // From the appendix of RFC 5322.
            (
                "Thu,\r\n   13\r\n  Feb\r\n 1969\r\n 23:32\r\n -0330 (Newfoundland Time)",
                "1969-02-13T23:32:00-03:30",
            ),
            ("Fri, 21 Nov 1997 09(comment):   55  :  06 -0600", "1997-11-21T09:55:06-06:00"),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn other_texts_are_not_dates() {
        for text in [
            "",
            "yesterday",
            "Wed, 31 Feb 2026 18:20:05 +0100",
            "Wed, 4 Mar 2026 24:20:05 +0100",
            "Wed, 4 Mar 2026 18:20:61 +0100",
            "Wed, 4 Mar 2026 18 +0100",
            "Wed, 4 Mar 18:20:05 +0100",
            "Wed, 4 03 2026 18:20:05 +0100",
            "Wed, 4 Mar 0026 18:20:05 +0100",
            ": (\\",
        ] {
            assert_eq!(letter(text), None, "{text}");
        }
    }
}
