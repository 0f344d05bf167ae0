//! Determines which number of a date is the day.

use std::cmp::Ordering;
use std::ops::Range;

use convo_base::diag::Note;

use super::names::gregorian;

/// The order of the numbers of a date.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(clippy::enum_variant_names, reason = "'day first' is the established term")]
pub(crate) enum Order {
    DayFirst,
    MonthFirst,
    YearFirst,
}

impl Order {
    /// Returns the order given in a file name: `chat.dmy.txt`.
    pub(crate) fn of_file(name: &str) -> Option<Self> {
        let mut parts = name.rsplit('.').skip(1);
        match parts.next()?.to_ascii_lowercase().as_str() {
            "dmy" => Some(Self::DayFirst),
            "mdy" => Some(Self::MonthFirst),
            "ymd" => Some(Self::YearFirst),
            _ => None,
        }
    }

    /// Returns the order of a date that is unambiguous on its own.
    pub(crate) fn of_one([first, second, _]: [u16; 3]) -> Option<Self> {
        if first >= 1000 {
            return Some(Self::YearFirst);
        }
        if first == second {
            return Some(Self::DayFirst);
        }
        match (first > 12, second > 12) {
            (true, false) => Some(Self::DayFirst),
            (false, true) => Some(Self::MonthFirst),
            _ => None,
        }
    }

    /// Determines the order of successive dates; returns `None` if they are ambiguous. Time does not go
    /// back, no month is above twelve, and days change more often than months.
    pub(crate) fn of_all(dates: impl IntoIterator<Item = [u16; 3]>) -> Option<Self> {
        let all: Vec<[u16; 3]> = dates.into_iter().collect();
        let is_open = |date: &[u16; 3]| date[0] < 1000;
        let dates: Vec<[u16; 3]> = all.iter().copied().filter(is_open).collect();
        if dates.is_empty() {
            return (!all.is_empty()).then_some(Self::YearFirst);
        }
        // January 1 reads the same in both orders.
        if dates.iter().all(|date| date[0] == date[1]) {
            return Some(Self::DayFirst);
        }
        // Picks the position for the day that has less evidence against it.
        let less = |first: usize, second: usize| match first.cmp(&second) {
            Ordering::Less => Some(Self::DayFirst),
            Ordering::Greater => Some(Self::MonthFirst),
            Ordering::Equal => None,
        };
        let over_twelve = |at: usize| dates.iter().filter(|date| date[at] > 12).count();
        let pairs = || dates.windows(2).map(|pair| (pair[0], pair[1]));
        let steps_back = |day: usize, month: usize| {
            let key = |date: [u16; 3]| (date[2], date[month], date[day]);
            pairs().filter(|(before, after)| key(*after) < key(*before)).count()
        };
        let changes = |at: usize| pairs().filter(|(before, after)| before[at] != after[at]).count();
        less(over_twelve(1), over_twelve(0))
            .or_else(|| less(steps_back(0, 1), steps_back(1, 0)))
            .or_else(|| less(changes(1), changes(0)))
    }

    /// Returns the year, month and day of a date in this order. The century may be missing.
    pub(crate) fn date(self, [a, b, c]: [u16; 3]) -> [u16; 3] {
        let (year, month, day) = match self {
            Self::DayFirst => (c, b, a),
            Self::MonthFirst => (c, a, b),
            Self::YearFirst => (a, b, c),
        };
        let year = if year < 100 { 2000 + year } else { gregorian(year) };
        [year, month, day]
    }
}

/// Returns the warning that the order of dates in a file with this name is not known.
pub(crate) fn ambiguous_dates(at: Range<usize>, name: &str) -> Note {
    let message = "cannot tell whether these dates are day-first or month-first";
    let name = name.rsplit('/').next().unwrap_or(name);
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, "txt"));
    Note::warning("ambiguous-dates", at, message).hint(format!(
        "rename the file to `{stem}.dmy.{extension}` or `{stem}.mdy.{extension}`; until then only \
         unambiguous dates are used"
    ))
}

#[cfg(test)]
mod tests {
    use super::Order;

    #[test]
    fn dates_decide_their_order() {
        for (dates, expected) in [
            (&[[3, 4, 26], [25, 4, 26]][..], Some(Order::DayFirst)),
            (&[[3, 4, 26], [3, 25, 26]], Some(Order::MonthFirst)),
            (&[[3, 4, 26], [2, 5, 26]], Some(Order::DayFirst)),
            (&[[3, 4, 26], [3, 5, 26], [3, 6, 26]], Some(Order::MonthFirst)),
            (&[[1, 1, 26]], Some(Order::DayFirst)),
            (&[[2026, 3, 4]], Some(Order::YearFirst)),
            (&[[3, 4, 26]], None),
            (&[], None),
        ] {
            assert_eq!(Order::of_all(dates.iter().copied()), expected, "{dates:?}");
        }
        assert_eq!(Order::of_one([3, 4, 26]), None);
        assert_eq!(Order::of_file("chat.mdy.txt"), Some(Order::MonthFirst));
        assert_eq!(Order::DayFirst.date([4, 3, 26]), [2026, 3, 4]);
        assert_eq!(Order::MonthFirst.date([3, 4, 2569]), [2026, 3, 4]);
    }
}
