//! The lines on which a message or a day begins.

use crate::formats::clock::clock;
use crate::formats::written_date;
use crate::time::Time;

/// What a line begins.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Head<'a> {
    /// A day: year, month and day.
    Day((u16, u16, u16)),
    /// A message.
    Message { time: Sent, sender: &'a str, text: &'a str },
    /// What the program itself tells.
    Notice,
}

impl Head<'_> {
    pub(super) fn is_message(&self) -> bool {
        matches!(self, Self::Message { .. })
    }
}

/// When a message was sent: all of it, or the hour and the minute of the day above.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Sent {
    At(Time),
    Clock((u16, u16)),
}

impl Sent {
    /// Returns the time; `None` for an hour of no day.
    pub(super) fn read(self, day: Option<(u16, u16, u16)>) -> Option<Time> {
        let (hour, minute) = match self {
            Self::At(time) => return Some(time),
            Self::Clock(clock) => clock,
        };
        let (year, month, day) = day?;
        let text = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:00");
        Time::parse(&text).ok().map(|(time, _)| time)
    }
}

/// The most characters of a time, and of a name.
const MAX_TIME: usize = 40;
const MAX_NAME: usize = 120;

/// Reads the head of a line; `None` for one that goes on with what stands above.
pub(super) fn head(row: &str) -> Option<Head<'_>> {
    let row = row.trim_start_matches('\u{feff}');
    if row.starts_with('-') {
        return ruled(row);
    }
    if row.starts_with('[') {
        return bracketed(row);
    }
    // The time may have commas in it.
    let mut commas = row.match_indices(", ").map(|(at, _)| at);
    let at =
        commas.by_ref().take(4).take_while(|at| *at <= 2 * MAX_TIME).find_map(|at| {
            let time = stamp(&row[..at])?;
            Some((time, &row[at + 2..]))
        });
    let (time, rest) = at?;
    let said = rest.split_once(" : ").or_else(|| Some((rest.strip_suffix(" :")?, "")));
    Some(match said {
        Some((sender, text)) if is_name(sender) => {
            Head::Message { time: Sent::At(time), sender: sender.trim(), text }
        }
        _ => Head::Notice,
    })
}

/// Returns whether a line is a day, or the first minute of one, and nothing else.
pub(super) fn is_day(row: &str) -> bool {
    let row = row.trim();
    let is_year = |word: &str| {
        let digits = word.trim_end_matches(['년', '.', ',']);
        digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    row.chars().count() <= MAX_TIME
        && row.split_whitespace().any(is_year)
        && row.split_whitespace().count() <= 7
        && (stamp(row).is_some() || is_date(row))
}

/// Returns whether a text is a date with the name of its day: `2026년 3월 4일 수요일`, `Wednesday, March 4, 2026`.
fn is_date(row: &str) -> bool {
    let names_day = row.ends_with("요일") || row.to_lowercase().contains("day");
    names_day && written_date::read_day(row).is_some()
}

/// Reads `2026년 3월 4일 오후 6:20`, `2026. 3. 4. 18:20`, `March 4, 2026 at 6:20 PM`.
fn stamp(text: &str) -> Option<Time> {
    let is_begin = |c: char| c.is_ascii_digit() || c.is_ascii_uppercase();
    if !text.starts_with(is_begin) || text.chars().count() > MAX_TIME {
        return None;
    }
    // Words besides months and halves of the day belong to a sentence.
    let known = |word: &str| {
        let word = word.trim_end_matches([',', '.']);
        word.chars().any(|c| c.is_ascii_digit())
            || ["오전", "오후", "at", "AM", "PM", "am", "pm", "a.m", "p.m"]
                .contains(&word)
            || written_date::is_month(word)
    };
    let colon = text.rfind(':')?;
    let minute = text[colon + 1..].bytes().take_while(u8::is_ascii_digit).count();
    if minute != 2 || !text.split_whitespace().all(known) {
        return None;
    }
    written_date::read(text)
}

/// Reads `--------------- 2026년 3월 4일 수요일 ---------------`.
fn ruled(row: &str) -> Option<Head<'_>> {
    let inside = row.trim().trim_matches('-');
    let rules = row.trim().len() - inside.len();
    if rules < 6 || inside.chars().count() > MAX_TIME || !is_date(inside.trim()) {
        return None;
    }
    written_date::read_day(inside).map(Head::Day)
}

/// Reads `[Ada] [오후 6:20] Good evening`. A name may have brackets.
fn bracketed(row: &str) -> Option<Head<'_>> {
    let mut places = row.match_indices("] [").map(|(at, _)| at).take(4);
    places.find_map(|at| {
        let (time, text) = row[at + 3..].split_once(']')?;
        let sender = row[1..at].trim();
        let clock = clock(time)?;
        let text = text.strip_prefix(' ').unwrap_or(text);
        is_name(sender).then_some(Head::Message {
            time: Sent::Clock(clock),
            sender,
            text,
        })
    })
}

fn is_name(name: &str) -> bool {
    !name.trim().is_empty() && name.chars().count() <= MAX_NAME
}

#[cfg(test)]
mod tests {
    use super::{Head, Sent, head, is_day};

    #[track_caller]
    fn said(row: &str) -> (String, String, String) {
        let Some(Head::Message { time, sender, text }) = head(row) else {
            panic!("no message: {row}")
        };
        let time = time.read(Some((2026, 3, 4))).expect("a time");
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
        ] {
            assert_eq!(said(row), expected, "{row}");
        }
        assert_eq!(said("[[3] Ada] [오후 6:20] ").1, "[3] Ada");
    }

    #[test]
    fn days_and_notices_are_no_messages() {
        let day = "--------------- 2026년 3월 4일 수요일 ---------------";
        assert_eq!(head(day), Some(Head::Day((2026, 3, 4))));
        let day = "--------------- Wednesday, March 4, 2026 ---------------";
        assert_eq!(head(day), Some(Head::Day((2026, 3, 4))));
        let notice = "2026년 3월 4일 오후 6:20, Ada님이 들어왔습니다.";
        assert_eq!(head(notice), Some(Head::Notice));
        assert!(is_day("2026년 3월 4일 오후 6:20") && is_day("2026년 3월 4일 수요일"));
        assert!(is_day("Wednesday, March 4, 2026"));
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
        ] {
            assert_eq!(head(row), None, "{row}");
            assert!(!is_day(row), "{row}");
        }
    }

    #[test]
    fn an_hour_of_no_day_is_no_time() {
        assert_eq!(Sent::Clock((6, 20)).read(None), None);
    }
}
