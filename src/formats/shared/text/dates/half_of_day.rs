//! The AM and PM marks of 12-hour clocks, in all languages.

use self::HalfOfDay::{Am, Pm};

/// A half of the day.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HalfOfDay {
    Am,
    Pm,
}

/// The English marks.
pub(crate) const ENGLISH_HALVES: [(&str, HalfOfDay); 4] =
    [("a.m.", Am), ("p.m.", Pm), ("am", Am), ("pm", Pm)];

/// Marks that are not part of other words, in lower case, without dots and spaces.
const MARKS: [(HalfOfDay, &[&str]); 2] = [
    (
        Am,
        &[
            "오전", "上午", "午前", "凌晨", "早上", "清晨", "قظ", "पूर्वाह्न", "পূর্বাহ্ণ", "לפנהצ",
            "prijepodne",
        ],
    ),
    (
        Pm,
        &[
            "오후", "下午", "午後", "中午", "傍晚", "晚上", "بظ", "अपराह्न", "অপরাহ্ণ", "אחהצ",
            "poslijepodne",
        ],
    ),
];

/// Marks that are short enough to be part of other words.
const SHORT_MARKS: [(HalfOfDay, &[&str]); 2] = [
    (Am, &["am", "a", "öö", "pg", "sa", "проб", "ap", "fm", "fh", "vm", "dop", "πμ", "ص"]),
    (Pm, &["pm", "p", "ös", "ptg", "ch", "слоб", "ip", "em", "eh", "nm", "odp", "μμ", "م"]),
];

impl HalfOfDay {
    /// Returns the half that the words next to a clock time mean: `PM`, `p. m.`, `오후`.
    pub(crate) fn named(words: &str) -> Option<Self> {
        let words = letters(words);
        let short = find(&SHORT_MARKS, |mark| words == mark);
        short.or_else(|| find(&MARKS, |mark| words.ends_with(&letters(mark))))
    }

    /// Returns the half that a lower-case text with other words mentions.
    pub(crate) fn within(text: &str) -> Option<Self> {
        let text: String = text.chars().filter(|c| !c.is_whitespace() && *c != '.').collect();
        let is_english = |half: &(&str, Self)| text.ends_with(half.0);
        let english = ENGLISH_HALVES.into_iter().find(is_english).map(|(_, half)| half);
        english.or_else(|| find(&MARKS, |mark| text.contains(mark)))
    }

    /// Converts an hour of this half to an hour from 0 to 23: 12 a.m. is 0, 3 p.m. is 15. In Japan, noon is
    /// written `午後0:00`, and some people write `午後13:00`.
    pub(crate) fn hour(self, hour: u16) -> u16 {
        match (self, hour) {
            (Am, 12) => 0,
            (Pm, 0..12) => hour + 12,
            _ => hour,
        }
    }
}

/// Returns the text without the English mark at its end, and the half that it means; `None` if there is no
/// mark.
pub(crate) fn half_at_end(text: &str) -> Option<(&str, HalfOfDay)> {
    ENGLISH_HALVES.into_iter().find_map(|(mark, half)| {
        let (before, end) = text.split_at_checked(text.len().checked_sub(mark.len())?)?;
        end.eq_ignore_ascii_case(mark).then(|| (before.trim_end(), half))
    })
}

fn find(marks: &[(HalfOfDay, &[&str])], is_it: impl Fn(&str) -> bool) -> Option<HalfOfDay> {
    let found = marks.iter().find(|(_, marks)| marks.iter().any(|mark| is_it(mark)));
    found.map(|(half, _)| *half)
}

fn letters(words: &str) -> String {
    words.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::HalfOfDay::{Am, Pm};
    use super::{HalfOfDay, MARKS, SHORT_MARKS, half_at_end};

    #[test]
    fn twelve_comes_before_one() {
        assert_eq!([12, 1, 11, 0, 13].map(|hour| Am.hour(hour)), [0, 1, 11, 0, 13]);
        assert_eq!([12, 1, 11, 0, 13].map(|hour| Pm.hour(hour)), [12, 13, 23, 12, 13]);
    }

    #[test]
    fn every_mark_is_known() {
        for (half, marks) in MARKS.into_iter().chain(SHORT_MARKS) {
            for mark in marks {
                assert_eq!(HalfOfDay::named(&format!(" {mark}.")), Some(half), "{mark}");
            }
        }
        assert_eq!(HalfOfDay::named("P. M."), Some(Pm));
        for words in ["", "um", "klo", "exam", "at"] {
            assert_eq!(HalfOfDay::named(words), None, "{words}");
        }
        assert_eq!(half_at_end("6:20 P.M."), Some(("6:20", Pm)));
        assert_eq!(half_at_end("6:20é"), None);
    }
}
