//! Reads times of day.

use super::half_of_day::HalfOfDay;

/// Reads an hour, from 0 to 23, and a minute if they are the whole text: `18:20`, `6:20 PM`, `6:20 p.m.`,
/// `오후 6:20`, `下午06:20`.
pub(crate) fn clock(text: &str) -> Option<(u16, u16)> {
    let is_digit = |c: char| c.is_ascii_digit();
    let (start, end) = (text.find(is_digit)?, text.rfind(is_digit)? + 1);
    let (hour, minute) = text[start..end].split_once(':')?;
    if !(1..=2).contains(&hour.len()) || minute.len() != 2 {
        return None;
    }
    let (hour, minute): (u16, u16) = (hour.parse().ok()?, minute.parse().ok()?);
    let words = text[..start].chars().chain(text[end..].chars());
    let words: String = words.filter(|c| !c.is_whitespace() && *c != '.').collect();
    let hour = match words.is_empty() {
        true => hour,
        false => HalfOfDay::named(&words)?.hour(hour),
    };
    (hour < 24 && minute < 60).then_some((hour, minute))
}

/// Returns whether a word is a time of day in digits: `15:04`, `3:04:05`.
pub(crate) fn is_clock(word: &str) -> bool {
    let parts = word.split(':').count();
    let is_number = |part: &str| {
        (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    (2..=3).contains(&parts) && word.split(':').all(is_number)
}

#[cfg(test)]
mod tests {
    use super::clock;

    #[test]
    fn times_are_read_in_many_spellings() {
        for text in [
            "18:20", "6:20 PM", "6:20p.m.", "6:20\u{202f}pm", "오후 6:20", "下午06:20", "午後6:20",
            "午後18:20", "傍晚6:20", "6:20 μ.μ.", "6:20 ÖS", "6:20 م",
        ] {
            assert_eq!(clock(text), Some((18, 20)), "{text}");
        }
        for (text, expected) in
            [("午後0:05", (12, 5)), ("오전 12:05", (0, 5)), ("0:05", (0, 5)), ("上午00:05", (0, 5))]
        {
            assert_eq!(clock(text), Some(expected), "{text}");
        }
        for text in ["", "24:00", "6:60 PM", "6:5", "at 6:20", "6:20:05", "123:20", "6 PM"] {
            assert_eq!(clock(text), None, "{text}");
        }
    }
}
