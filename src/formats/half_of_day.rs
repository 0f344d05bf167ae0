//! Clocks of twelve hours.

/// A half of the day.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum HalfOfDay {
    Am,
    Pm,
}

/// Words for the halves in small letters, without points and blanks.
pub(super) const HALVES: [(HalfOfDay, [&str; 4]); 2] = [
    (HalfOfDay::Am, ["am", "午前", "上午", "오전"]),
    (HalfOfDay::Pm, ["pm", "午後", "下午", "오후"]),
];

impl HalfOfDay {
    /// Returns the hour, from 0 to 23, of an hour of this half: 0 for 12 in the morning, 15 for 3 in the
    /// afternoon. `None` where no clock of twelve hours shows it.
    pub(super) fn hour(self, of_twelve: u16) -> Option<u16> {
        let start = if self == Self::Pm { 12 } else { 0 };
        (1..=12).contains(&of_twelve).then_some(of_twelve % 12 + start)
    }
}

#[cfg(test)]
mod tests {
    use super::HalfOfDay::{Am, Pm};

    #[test]
    fn twelve_comes_before_one() {
        assert_eq!([12, 1, 11].map(|hour| Am.hour(hour)), [Some(0), Some(1), Some(11)]);
        assert_eq!([12, 1, 11].map(|hour| Pm.hour(hour)), [Some(12), Some(13), Some(23)]);
        assert_eq!([0, 13].map(|hour| Pm.hour(hour)), [None, None]);
    }
}
