//! The beginning of a message: date and time in the format of the phone that wrote it.
//!
//! ```text
//! [04.03.26, 18:20:05] Ada: Good evening
//! 3/4/26, 6:20 PM - Ada: Good evening
//! 3/4/14, 6:20:05 PM: Ada: Good evening         iPhones until about 2016
//! ```

use crate::shared::text::dates::{HalfOfDay, Order, civil};
use convo_base::text::is_direction_mark;
use convo_base::time::Time;

/// The parsed beginning of a message.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Head<'a> {
    /// The numbers of the date, in the order in which they are written.
    pub(super) date: [u16; 3],
    /// Hour, minute and second.
    pub(super) clock: [u16; 3],
    /// Text after the time that is not a known half of the day.
    pub(super) unknown_half: Option<&'a str>,
    /// Whether a colon ends it, as on old iPhones.
    pub(super) has_colon: bool,
    /// The rest of the line.
    pub(super) rest: &'a str,
}

impl Head<'_> {
    /// Returns the time; `None` if the date does not exist.
    pub(super) fn time(&self, order: Order) -> Option<Time> {
        let is_year_first = Order::of_one(self.date) == Some(Order::YearFirst);
        let order = if is_year_first { Order::YearFirst } else { order };
        civil(order.date(self.date), self.clock, "")
    }

    /// Returns the date and time with the numbers as written.
    pub(super) fn as_written(&self) -> String {
        let [first, second, third] = self.date;
        let [hour, minute, seconds] = self.clock;
        let seconds = if seconds > 0 { format!(":{seconds:02}") } else { String::new() };
        format!("{first}/{second}/{third:02} {hour:02}:{minute:02}{seconds}")
    }
}

/// The mark in front of system text.
pub(super) const SYSTEM_MARK: char = '\u{200e}';

/// The maximum number of characters between date and time, and after the time.
const MAX_WORDS: usize = 16;

/// Returns a text without the white space and the direction marks around it. Marks that enclose something, such
/// as the name of a mentioned person, stay.
pub(super) fn trimmed(text: &str) -> &str {
    let is_single = |c| matches!(c, SYSTEM_MARK | '\u{200f}' | '\u{61c}' | '\u{feff}');
    text.trim_matches(|c: char| c.is_whitespace() || is_single(c))
}

/// Returns a name or a notice without the white space and all direction marks around it.
pub(super) fn unmarked(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || is_direction_mark(c))
}

/// Parses the beginning of a message; `None` if none begins on the line.
pub(super) fn head(line: &str) -> Option<Head<'_>> {
    let line = line.trim_start_matches(is_direction_mark);
    let (is_bracketed, line) = match line.strip_prefix('[') {
        Some(rest) => (true, rest),
        None => (false, line),
    };
    let (first, width, mut rest) = number(line, 4)?;
    rest = rest.trim_start_matches(is_direction_mark);
    let separator = rest.chars().next().filter(|c| ['-', '/', '.'].contains(c))?;
    let mut date = [first, 0, 0];
    let mut last_width = 0;
    for part in &mut date[1..] {
        let behind = rest.trim_start_matches(is_direction_mark).strip_prefix(separator)?;
        // Some formats have a space after each dot.
        let behind = if separator == '.' { behind.trim_start_matches(' ') } else { behind };
        (*part, last_width, rest) = number(behind, 4)?;
    }
    let is_year_first = width == 4;
    if is_year_first == (last_width > 2) || last_width == 3 || width == 3 {
        // Either the first or the last number is the year.
        if is_year_first || last_width == 3 || width == 3 {
            return None;
        }
    }
    let (between, behind) = until_digit(rest.trim_start_matches(is_direction_mark))?;
    let (hour, _, behind) = number(behind, 2)?;
    let colon = behind.chars().next().filter(|c| [':', '.'].contains(c))?;
    let (minute, _, mut behind) = number(behind.strip_prefix(colon)?, 2)?;
    let mut second = None;
    if let Some((found, _, after)) = behind.strip_prefix(colon).and_then(|rest| number(rest, 2)) {
        (second, behind) = (Some(found), after);
    }
    let end = if is_bracketed { "] " } else { " - " };
    let is_marker =
        |marker: &str| marker.chars().count() <= MAX_WORDS && !marker.contains([':', '\n']);
    let mut has_colon = false;
    // An empty message may have lost the space after its bracket.
    let (marker, rest) = match behind.split_once(end).filter(|(marker, _)| is_marker(marker)) {
        Some(found) => found,
        None if is_bracketed => (behind.strip_suffix(']').filter(|marker| is_marker(marker))?, ""),
        None => {
            // Such a phone wrote seconds.
            has_colon = second.is_some();
            let found = behind.split_once(": ").filter(|_| has_colon)?;
            let is_half = |marker: &str| marker.is_empty() || HalfOfDay::named(marker).is_some();
            Some(found).filter(|(marker, _)| is_half(marker.trim()))?
        }
    };
    let second = second.unwrap_or_default();
    let half = HalfOfDay::named(marker).or_else(|| HalfOfDay::named(between));
    let has_words = |words: &&str| words.contains(char::is_alphabetic);
    let unknown_half = Some(marker.trim()).filter(|_| half.is_none()).filter(has_words);
    let hour = half.map_or(hour, |half| half.hour(hour));
    let is_time = hour < 24 && minute < 60 && second < 60;
    is_time.then_some(Head { date, clock: [hour, minute, second], unknown_half, has_colon, rest })
}

/// Splits the text before the first digit from the rest.
fn until_digit(text: &str) -> Option<(&str, &str)> {
    let mut places = text.char_indices().take(MAX_WORDS);
    let (at, _) = places.find(|(_, c)| digit(*c).is_some())?;
    let (before, rest) = text.split_at(at);
    let is_between = before.starts_with([',', ' ', '.', '\u{a0}', '\u{202f}', '،']);
    (is_between && !before.contains(['[', ']', ':'])).then_some((before, rest))
}

/// Reads a number of up to a given number of digits, and returns it with its digit count and the
/// rest.
fn number(text: &str, most: usize) -> Option<(u16, usize, &str)> {
    let (mut value, mut width) = (0u16, 0);
    let mut rest = text;
    while let Some((c, found)) = rest.chars().next().and_then(|c| Some((c, digit(c)?))) {
        width += 1;
        if width > most {
            return None;
        }
        value = value * 10 + found;
        rest = &rest[c.len_utf8()..];
    }
    (width > 0).then_some((value, width, rest))
}

/// The value of a European, Arabic, Persian, Devanagari or Bengali digit.
fn digit(c: char) -> Option<u16> {
    const ZEROS: [char; 5] = ['0', '\u{660}', '\u{6f0}', '\u{966}', '\u{9e6}'];
    let value = |zero: char| (c as u32).checked_sub(zero as u32).filter(|value| *value < 10);
    ZEROS.into_iter().find_map(value).map(|value| value as u16)
}

#[cfg(test)]
mod tests {
    use super::head;

    #[track_caller]
    fn check(line: &str, date: [u16; 3], clock: (u16, u16, u16), rest: &str) {
        let head = head(line).unwrap_or_else(|| panic!("no head: {line}"));
        assert_eq!((head.date, head.clock, head.rest), (date, clock.into(), rest), "{line}");
    }

    #[test]
    fn every_phone_has_its_spelling() {
        check("[04.03.26, 18:20:05] Ada: Hi", [4, 3, 26], (18, 20, 5), "Ada: Hi");
        check("\u{200e}[3/4/26, 6:20:05\u{202f}PM] Ada: Hi", [3, 4, 26], (18, 20, 5), "Ada: Hi");
        check("3/4/26, 12:20 AM - Ada: Hi", [3, 4, 26], (0, 20, 0), "Ada: Hi");
        check("2026-03-04 18.20 - Ada: Hi", [2026, 3, 4], (18, 20, 0), "Ada: Hi");
        check("4/3/26 6:20 p. m. - Ada: Hi", [4, 3, 26], (18, 20, 0), "Ada: Hi");
        check("2026. 3. 4. 오후 6:20 - Ada: Hi", [2026, 3, 4], (18, 20, 0), "Ada: Hi");
        check("2026/3/4 午後0:20 - Ada: Hi", [2026, 3, 4], (12, 20, 0), "Ada: Hi");
        check("4.3.2026 klo 18.20 - Ada: Hi", [4, 3, 2026], (18, 20, 0), "Ada: Hi");
        check("٤/٣/٢٠٢٦، ٦:٢٠ م - Ada: Hi", [4, 3, 2026], (18, 20, 0), "Ada: Hi");
        let marked = "٤\u{200f}/٣\u{200f}/٢٠٢٦، ٦:٢٠ م - Ada: Hi";
        check(marked, [4, 3, 2026], (18, 20, 0), "Ada: Hi");
        check("[04.03.26 ÖS 6:20:05] Ada: Hi", [4, 3, 26], (18, 20, 5), "Ada: Hi");
        check("04/03/26, 6:20 PTG - Ada: Hi", [4, 3, 26], (18, 20, 0), "Ada: Hi");
        check("4/3/26, 6:20 אחה\"צ - Ada: Hi", [4, 3, 26], (18, 20, 0), "Ada: Hi");
        check("4/3/26, 6:20 अपराह्न - Ada: Hi", [4, 3, 26], (18, 20, 0), "Ada: Hi");
        check("3/24/14, 1:59:59 PM: Ada: 5 - 4", [3, 24, 14], (13, 59, 59), "Ada: 5 - 4");
        check("24/03/14 13:59:59: Ada: Hi", [24, 3, 14], (13, 59, 59), "Ada: Hi");
        check("27-06-16, 8:04:08 : Ada: Hi", [27, 6, 16], (8, 4, 8), "Ada: Hi");
    }

    #[test]
    fn other_lines_go_on() {
        for line in [
            "", "see 4/3/26", "4/3/26", "10:30 - lunch", "1.2.3 is out", "[1, 2] - x",
            "4/3/26, 25:20 - x", "1/2/345, 10:00 - x", "4/3/26, 6:20: x", "4/3/26 6:20:05 main: x",
        ] {
            assert_eq!(head(line), None, "{line}");
        }
    }
}
