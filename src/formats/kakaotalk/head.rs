//! The lines that begin a message or a day.

use jiff::civil::Date;

use super::body::is_notice;
use crate::shared::text::dates::{HalfOfDay, clock, month, time_at, written, written_day};
use convo_base::time::Time;

/// What begins on a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Head<'a> {
    /// A date.
    Day(Date),
    /// A message.
    Message { time: Sent, sender: &'a str, text: &'a str },
    /// A notice of KakaoTalk itself.
    Notice { time: Sent, text: &'a str },
}

impl Head<'_> {
    pub(super) fn is_message(&self) -> bool {
        matches!(self, Self::Message { .. })
    }

    /// Returns its time.
    pub(super) fn time(&self) -> Option<&Sent> {
        match self {
            Self::Day(_) => None,
            Self::Message { time, .. } | Self::Notice { time, .. } => Some(time),
        }
    }
}

/// When a message was sent: a complete time, or hour and minute of the preceding date.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Sent {
    At(Time),
    Clock((u16, u16)),
}

impl Sent {
    /// Returns the time; `None` if there is no date for it.
    pub(super) fn read(self, day: Option<Date>) -> Option<Time> {
        match self {
            Self::At(time) => Some(time),
            Self::Clock((hour, minute)) => time_at(day?, [hour, minute, 0]),
        }
    }
}

/// Returns the date of a time.
pub(super) fn date_of(time: &Time) -> Date {
    let (year, month, day) = time.date();
    Date::constant(year, month, day)
}

/// The maximum length of a time and of a name.
const MAX_TIME: usize = 40;
const MAX_NAME: usize = 120;
/// The minimum number of hyphens around a date.
const MIN_RULES: usize = 6;

/// Parses the beginning of a line; `None` for a line that continues the text above.
pub(super) fn head(row: &str) -> Option<Head<'_>> {
    let row = row.trim_start_matches('\u{feff}');
    if row.starts_with('-') {
        return day_between_rules(row);
    }
    if row.starts_with('[') {
        return message_of_windows(row);
    }
    if row.starts_with(['오', '午']) {
        return message_of_day(row);
    }
    // The time may contain commas.
    let mut commas = row.match_indices(", ").map(|(at, _)| at);
    let at = commas.by_ref().take(4).take_while(|at| *at <= 2 * MAX_TIME).find_map(|at| {
        let time = stamp(&row[..at])?;
        Some((time, &row[at + 2..]))
    });
    let Some((time, rest)) = at else {
        // iPhones write a colon in front of notices.
        let (before, text) = row.split_once(": ")?;
        return Some(Head::Notice { time: Sent::At(stamp(before)?), text });
    };
    message_or_notice(Sent::At(time), rest)
}

/// Parses the text after a time; `None` if the time was typed by a person.
fn message_or_notice(time: Sent, rest: &str) -> Option<Head<'_>> {
    match parse_row(rest) {
        Some((sender, text)) => Some(Head::Message { time, sender, text }),
        None => is_notice(rest).then_some(Head::Notice { time, text: rest }),
    }
}

/// Splits sender and text: `Ada : Good evening`.
fn parse_row(text: &str) -> Option<(&str, &str)> {
    let found = text.split_once(" : ");
    let (sender, text) = found.or_else(|| Some((text.strip_suffix(" :")?, "")))?;
    is_name(sender).then_some((sender.trim(), text))
}

/// Parses `오후 6:20, Ada : Good evening`, which comes after a date line.
fn message_of_day(row: &str) -> Option<Head<'_>> {
    let (time, rest) = row.split_once(", ")?;
    let clock = clock(time).filter(|_| time.len() <= MAX_TIME)?;
    message_or_notice(Sent::Clock(clock), rest)
}

/// Returns the date of a line that consists of a date or a time with a date.
pub(super) fn day(row: &str) -> Option<Date> {
    date(row).or_else(|| stamp(row.trim()).map(|time| date_of(&time)))
}

/// Parses a date with a day of the week: `2026년 3월 4일 수요일`, `Wednesday, March 4, 2026`.
pub(super) fn date(row: &str) -> Option<Date> {
    let row = row.trim();
    let is_short = row.chars().count() <= MAX_TIME && row.split_whitespace().count() <= 7;
    let names_day = || row.ends_with("요일") || row.to_lowercase().contains("day");
    (is_short && names_day()).then(|| written_day(row)).flatten()
}

/// Parses `2026년 3월 4일 오후 6:20`, `2026. 3. 4. 18:20`, `March 4, 2026 at 6:20 PM`.
fn stamp(text: &str) -> Option<Time> {
    let is_begin = |c: char| c.is_ascii_digit() || c.is_ascii_uppercase();
    if !text.starts_with(is_begin) || text.chars().count() > MAX_TIME {
        return None;
    }
    // Any words besides months and halves of the day belong to a sentence.
    let known = |word: &str| {
        let word = word.trim_end_matches([',', '.']);
        word.chars().any(|c| c.is_ascii_digit())
            || word == "at"
            || HalfOfDay::named(word).is_some()
            || month(word).is_some()
    };
    let colon = text.rfind(':')?;
    let minute = text[colon + 1..].bytes().take_while(u8::is_ascii_digit).count();
    if minute != 2 || !text.split_whitespace().all(known) {
        return None;
    }
    written(text)
}

/// Parses `--------------- 2026년 3월 4일 수요일 ---------------`.
fn day_between_rules(row: &str) -> Option<Head<'_>> {
    let row = row.trim();
    let inside = row.trim_matches('-');
    let is_ruled = row.len() - inside.len() >= MIN_RULES;
    is_ruled.then(|| date(inside)).flatten().map(Head::Day)
}

/// Parses `[Ada] [오후 6:20] Good evening`. A name may contain brackets.
fn message_of_windows(row: &str) -> Option<Head<'_>> {
    let mut places = row.match_indices("] [").map(|(at, _)| at).take(4);
    places.find_map(|at| {
        let (time, text) = row[at + 3..].split_once(']')?;
        let sender = row[1..at].trim();
        let clock = clock(time)?;
        let text = text.strip_prefix(' ').unwrap_or(text);
        is_name(sender).then_some(Head::Message { time: Sent::Clock(clock), sender, text })
    })
}

fn is_name(name: &str) -> bool {
    !name.trim().is_empty() && name.chars().count() <= MAX_NAME
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::{Head, Sent, day, head};

    #[track_caller]
    fn message_of(row: &str) -> (String, String, String) {
        let Some(Head::Message { time, sender, text }) = head(row) else {
            panic!("no message: {row}")
        };
        let time = time.read(Some(date(2026, 3, 4))).expect("a time");
        (time.as_written().to_owned(), sender.to_owned(), text.to_owned())
    }

    #[test]
    fn every_program_has_its_spelling() {
        let expected = ("2026-03-04T18:20:00".into(), "Ada".into(), "Hi, a : b".into());
        for row in [
            "2026년 3월 4일 오후 6:20, Ada : Hi, a : b",
            "2026. 3. 4. 오후 6:20, Ada : Hi, a : b",
            "2026. 3. 4. 18:20, Ada : Hi, a : b",
            "March 4, 2026, 6:20 PM, Ada : Hi, a : b",
            "March 4, 2026 at 6:20\u{202f}p.m., Ada : Hi, a : b",
            "Mar 4, 2026 at 18:20, Ada : Hi, a : b",
            "[Ada] [오후 6:20] Hi, a : b",
            "[Ada] [6:20 PM] Hi, a : b",
            "[Ada] [傍晚6:20] Hi, a : b",
            "오후 6:20, Ada : Hi, a : b",
        ] {
            assert_eq!(message_of(row), expected, "{row}");
        }
        assert_eq!(message_of("[[3] Ada] [오후 6:20] ").1, "[3] Ada");
    }

    #[test]
    fn days_and_notices_are_not_messages() {
        let ruled = "--------------- 2026년 3월 4일 수요일 ---------------";
        assert_eq!(head(ruled), Some(Head::Day(date(2026, 3, 4))));
        let ruled = "--------------- Wednesday, March 4, 2026 ---------------";
        assert_eq!(head(ruled), Some(Head::Day(date(2026, 3, 4))));
        for notice in [
            "2026년 3월 4일 오후 6:20, Ada님이 들어왔습니다.",
            "Mar 4, 2026 at 18:20: Ada invited Bela .",
            "Mar 4, 2026 at 18:20, Ada left.",
        ] {
            assert!(matches!(head(notice), Some(Head::Notice { .. })), "{notice}");
        }
        let below = head("오후 6:20, Ada님이 나갔습니다.");
        assert!(matches!(below, Some(Head::Notice { time: Sent::Clock(_), .. })));
        for row in ["2026년 3월 4일 오후 6:20", "2026년 3월 4일 수요일", "Wednesday, March 4, 2026"]
        {
            assert_eq!(day(row), Some(date(2026, 3, 4)), "{row}");
        }
    }

    #[test]
    fn other_lines_go_on() {
        for row in [
            "",
            "------",
            "--- no ---",
            "[x] [y] z",
            "At 6:20, Ada : came",
            "In March 4, 2026 was Friday at 6:20, Ada : x",
            "1, 2 : 3",
            "오후 6:20, then",
        ] {
            assert_eq!(head(row), None, "{row}");
            assert_eq!(day(row), None, "{row}");
        }
    }

    #[test]
    fn impossible_hours_are_not_times() {
        assert_eq!(Sent::Clock((6, 20)).read(None), None);
    }
}
