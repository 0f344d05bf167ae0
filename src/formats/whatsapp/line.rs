//! The beginning of a message: a date and a time in the spelling of the phone that wrote it.
//!
//! ```text
//! [04.03.26, 18:20:05] Ada: Good evening
//! 3/4/26, 6:20 PM - Ada: Good evening
//! ```

use super::super::half_of_day::HalfOfDay;

/// The line on which a message begins.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Head<'a> {
    /// The numbers of the date, in the order in which they stand.
    pub(super) date: [u16; 3],
    /// Whether the first of them has four digits.
    pub(super) is_year_first: bool,
    /// Hour, minute and second.
    pub(super) clock: (u8, u8, u8),
    /// What stands behind the time and names no half of the day that is known.
    pub(super) unknown_half: Option<&'a str>,
    /// What stands behind.
    pub(super) rest: &'a str,
}

/// The mark before what a phone wrote itself.
pub(super) const PHONE: char = '\u{200e}';
/// Marks of the direction of text, which phones put before what they write themselves.
pub(super) const MARKS: [char; 3] = [PHONE, '\u{200f}', '\u{feff}'];

/// The most characters between date and time, and behind the time.
const MAX_WORDS: usize = 16;

/// Reads the head of a message; `None` for a line on which none begins.
pub(super) fn head(line: &str) -> Option<Head<'_>> {
    let line = line.trim_start_matches(MARKS);
    let (is_bracketed, line) = match line.strip_prefix('[') {
        Some(rest) => (true, rest),
        None => (false, line),
    };
    let (first, width, mut rest) = number(line, 4)?;
    rest = rest.trim_start_matches(MARKS);
    let separator = rest.chars().next().filter(|c| ['-', '/', '.'].contains(c))?;
    let mut date = [first, 0, 0];
    let mut last_width = 0;
    for part in &mut date[1..] {
        let behind = rest.trim_start_matches(MARKS).strip_prefix(separator)?;
        // Some spellings have a space behind each point.
        let behind = if separator == '.' { behind.trim_start_matches(' ') } else { behind };
        (*part, last_width, rest) = number(behind, 4)?;
    }
    let is_year_first = width == 4;
    if is_year_first == (last_width > 2) || last_width == 3 || width == 3 {
        // One of both is a year.
        if is_year_first || last_width == 3 || width == 3 {
            return None;
        }
    }
    let (between, behind) = until_digit(rest.trim_start_matches(MARKS))?;
    let (hour, _, behind) = number(behind, 2)?;
    let colon = behind.chars().next().filter(|c| [':', '.'].contains(c))?;
    let (minute, _, mut behind) = number(behind.strip_prefix(colon)?, 2)?;
    let mut second = 0;
    if let Some((found, _, after)) = behind.strip_prefix(colon).and_then(|rest| number(rest, 2)) {
        (second, behind) = (found, after);
    }
    let end = if is_bracketed { "] " } else { " - " };
    // An empty message may have lost the space behind its bracket.
    let (marker, rest) = match behind.split_once(end) {
        Some(found) => found,
        None if is_bracketed => (behind.strip_suffix(']')?, ""),
        None => return None,
    };
    if marker.chars().count() > MAX_WORDS || marker.contains([':', '\n']) {
        return None;
    }
    let half = half(marker).or_else(|| half(between));
    let has_words = |words: &&str| words.contains(char::is_alphabetic);
    let unknown_half = Some(marker.trim()).filter(|_| half.is_none()).filter(has_words);
    let hour = half.and_then(|half| half.hour(hour)).unwrap_or(hour);
    let is_time = hour < 24 && minute < 60 && second < 60;
    let clock = (hour as u8, minute as u8, second as u8);
    is_time.then_some(Head { date, is_year_first, clock, unknown_half, rest })
}

/// Words for the halves of the day, as phones of many languages write them, without points and blanks.
const HALVES: [(&[&str], HalfOfDay); 4] = [
    (
        &[
            "오전", "上午", "午前", "凌晨", "早上", "清晨", "πμ", "ص", "قظ", "पूर्वाह्न", "পূর্বাহ্ণ",
            "לפנהצ", "prijepodne",
        ],
        HalfOfDay::Am,
    ),
    (
        &[
            "오후", "下午", "午後", "中午", "傍晚", "晚上", "μμ", "م", "بظ", "अपराह्न", "অপরাহ্ণ",
            "אחהצ", "poslijepodne",
        ],
        HalfOfDay::Pm,
    ),
    // These are short enough to end other words.
    (&["a", "öö", "pg", "sa", "проб", "ap", "fm", "fh", "vm", "dop"], HalfOfDay::Am),
    (&["p", "ös", "ptg", "ch", "слоб", "ip", "em", "eh", "nm", "odp"], HalfOfDay::Pm),
];

/// Returns the half of the day that words name: `PM`, `p. m.`, `오후`.
fn half(words: &str) -> Option<HalfOfDay> {
    let words = letters(words);
    if words.ends_with("am") || words.ends_with("pm") {
        return Some(if words.ends_with("am") { HalfOfDay::Am } else { HalfOfDay::Pm });
    }
    let names = |(place, known): (usize, &&str)| match place {
        0 | 1 => words.ends_with(&letters(known)),
        _ => words == *known,
    };
    let mut halves = HALVES.iter().enumerate();
    let found = halves.find(|(place, (known, _))| {
        !words.is_empty() && known.iter().any(|known| names((*place, known)))
    });
    found.map(|(_, (_, half))| *half)
}

fn letters(words: &str) -> String {
    words.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect()
}

/// Parts what stands before the first digit from the rest.
fn until_digit(text: &str) -> Option<(&str, &str)> {
    let mut places = text.char_indices().take(MAX_WORDS);
    let (at, _) = places.find(|(_, c)| digit(*c).is_some())?;
    let (before, rest) = text.split_at(at);
    let is_between = before.starts_with([',', ' ', '.', '\u{a0}', '\u{202f}', '،']);
    (is_between && !before.contains(['[', ']', ':'])).then_some((before, rest))
}

/// Reads a number of at most so many digits, with the number of them and the rest.
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

/// The value of a digit: European, Arabic, Persian, Devanagari or Bengali.
fn digit(c: char) -> Option<u16> {
    const ZEROS: [char; 5] = ['0', '\u{660}', '\u{6f0}', '\u{966}', '\u{9e6}'];
    let value = |zero: char| (c as u32).checked_sub(zero as u32).filter(|value| *value < 10);
    ZEROS.into_iter().find_map(value).map(|value| value as u16)
}

#[cfg(test)]
mod tests {
    use super::head;

    #[track_caller]
    fn check(line: &str, date: [u16; 3], clock: (u8, u8, u8), rest: &str) {
        let head = head(line).unwrap_or_else(|| panic!("no head: {line}"));
        assert_eq!((head.date, head.clock, head.rest), (date, clock, rest), "{line}");
    }

    #[test]
    fn every_phone_has_its_spelling() {
        check("[04.03.26, 18:20:05] Ada: Hi", [4, 3, 26], (18, 20, 5), "Ada: Hi");
        check("\u{200e}[3/4/26, 6:20:05\u{202f}PM] Ada: Hi", [3, 4, 26], (18, 20, 5), "Ada: Hi");
        check("3/4/26, 12:20 AM - Ada: Hi", [3, 4, 26], (0, 20, 0), "Ada: Hi");
        check("2026-03-04 18.20 - Ada: Hi", [2026, 3, 4], (18, 20, 0), "Ada: Hi");
        check("4/3/26 6:20 p. m. - Ada: Hi", [4, 3, 26], (18, 20, 0), "Ada: Hi");
        check("2026. 3. 4. 오후 6:20 - Ada: Hi", [2026, 3, 4], (18, 20, 0), "Ada: Hi");
        check("4.3.2026 klo 18.20 - Ada: Hi", [4, 3, 2026], (18, 20, 0), "Ada: Hi");
        check("٤/٣/٢٠٢٦، ٦:٢٠ م - Ada: Hi", [4, 3, 2026], (18, 20, 0), "Ada: Hi");
        let marked = "٤\u{200f}/٣\u{200f}/٢٠٢٦، ٦:٢٠ م - Ada: Hi";
        check(marked, [4, 3, 2026], (18, 20, 0), "Ada: Hi");
        check("[04.03.26 ÖS 6:20:05] Ada: Hi", [4, 3, 26], (18, 20, 5), "Ada: Hi");
        check("04/03/26, 6:20 PTG - Ada: Hi", [4, 3, 26], (18, 20, 0), "Ada: Hi");
        check("4/3/26, 6:20 אחה\"צ - Ada: Hi", [4, 3, 26], (18, 20, 0), "Ada: Hi");
        check("4/3/26, 6:20 अपराह्न - Ada: Hi", [4, 3, 26], (18, 20, 0), "Ada: Hi");
    }

    #[test]
    fn other_lines_go_on() {
        for line in [
            "", "see 4/3/26", "4/3/26", "10:30 - lunch", "1.2.3 is out", "[1, 2] - x",
            "4/3/26, 25:20 - x", "1/2/345, 10:00 - x",
        ] {
            assert_eq!(head(line), None, "{line}");
        }
    }
}
