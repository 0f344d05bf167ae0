//! Date lines: `2026/03/04(Wed)`, `2026.03.04 Wednesday`, `2026/3/4（三）`, `Wed, 3/4/2026`, `พ.
//! 4/3/2569`, `R8/03/04(水)`.

use jiff::civil::{Date, Weekday};

use crate::shared::text::dates::{Order, era, gregorian, weekday, written_day};

/// The maximum length of a line. Characters.
const MAX_CHARS: usize = 32;

/// A date line.
#[derive(Clone, Debug)]
pub(super) struct DayLine {
    /// The date as written.
    pub(super) written: String,
    /// The date if read day-first and month-first; both are equal if the year comes first.
    day_first: Option<Date>,
    month_first: Option<Date>,
    weekday: Option<Weekday>,
    /// The numbers of a date whose year comes last.
    numbers: Option<[u16; 3]>,
}

impl DayLine {
    /// Returns whether it is ambiguous even with `order`.
    pub(super) fn is_doubtful(&self, order: Option<Order>) -> bool {
        self.day_first.or(self.month_first).is_some() && self.read(order).is_none()
    }

    /// Returns its date; `None` if it is ambiguous or does not exist.
    pub(super) fn read(&self, order: Option<Order>) -> Option<Date> {
        match order.or_else(|| self.order()) {
            Some(Order::DayFirst) => self.day_first,
            Some(Order::MonthFirst) => self.month_first,
            _ => self.day_first.filter(|_| self.day_first == self.month_first),
        }
    }

    /// Returns the order of its numbers, if they or the day of the week determine it.
    fn order(&self) -> Option<Order> {
        if self.day_first == self.month_first {
            return None;
        }
        let fits = |date: Option<Date>| {
            date.is_some_and(|date| self.weekday.is_none_or(|weekday| date.weekday() == weekday))
        };
        match (fits(self.day_first), fits(self.month_first)) {
            (true, false) => Some(Order::DayFirst),
            (false, true) => Some(Order::MonthFirst),
            _ => None,
        }
    }
}

/// Returns the order of the numbers: from the first date line that determines it, otherwise from
/// all of them together.
pub(super) fn order(days: impl Iterator<Item = DayLine> + Clone) -> Option<Order> {
    let reported = days.clone().find_map(|day| day.order());
    reported.or_else(|| Order::of_all(days.filter_map(|day| day.numbers)))
}

/// Parses a line that consists of a date and at most a day of the week.
pub(super) fn day_line(row: &str) -> Option<DayLine> {
    let row = row.trim_matches(['\u{feff}', ' ', '\r']);
    if row.chars().count() > MAX_CHARS {
        return None;
    }
    let is_digit = |c: char| c.is_ascii_digit();
    let (start, end) = (row.find(is_digit)?, row.rfind(is_digit)? + 1);
    let written = &row[start..end];
    let (before, behind) = (&row[..start], &row[end..]);
    let era = era(before);
    let before = match era {
        Some(_) => "",
        None if before.is_empty() => "",
        None => {
            let known = before.strip_suffix(' ').filter(|name| weekday(name).is_some());
            before.strip_suffix(", ").or(known)?
        }
    };
    if written.contains('年') {
        return in_words(row, written);
    }
    // Vowel signs of some scripts are not alphabetic characters.
    let is_word = |words: &str| {
        words.chars().all(|c| !c.is_ascii() || c.is_ascii_alphabetic() || " ().".contains(c))
    };
    if !is_word(before) || !is_word(behind) || !before.is_empty() && !behind.is_empty() {
        return in_words(row, written);
    }
    let separator = written.chars().find(|c| !is_digit(*c))?;
    let parts: Vec<&str> = written.split(separator).collect();
    let [first, second, third] = parts[..] else { return None };
    let is_short = |part: &str| (1..=2).contains(&part.len());
    let date = |year: &str, month: &str, day: &str| {
        let year = gregorian(year.parse().ok()?);
        let year = era.map_or(year, |first| first - 1 + year);
        Date::new(i16::try_from(year).ok()?, month.parse().ok()?, day.parse().ok()?).ok()
    };
    let (day_first, month_first) = match (first.len(), third.len()) {
        (1..=2, 1..=2) if era.is_some() => {
            let date = date(first, second, third);
            (date, date)
        }
        (4, _) if is_short(second) && is_short(third) => {
            let date = date(first, second, third);
            (date, date)
        }
        (_, 4) if is_short(first) && is_short(second) => {
            (date(third, second, first), date(third, first, second))
        }
        _ => return None,
    };
    // With the name of a day it is a date line, even if the date does not exist.
    let is_named = !before.is_empty() || !behind.trim().is_empty();
    let is_day = day_first.or(month_first).is_some() || is_named;
    if !['/', '.', '-'].contains(&separator) || !is_day {
        return None;
    }
    let weekday = weekday(before);
    let number = |part: &str| part.parse().unwrap_or_default();
    let numbers = (third.len() == 4).then(|| [number(first), number(second), number(third)]);
    Some(DayLine { written: written.to_owned(), day_first, month_first, weekday, numbers })
}

/// Parses `2026年3月4日(水)`, `Wednesday, March 4, 2026`.
fn in_words(row: &str, written: &str) -> Option<DayLine> {
    let lower = row.to_lowercase();
    let is_named = written.contains('年') || weekday(&lower).is_some() && lower.contains("day");
    let date = is_named.then(|| written_day(row)).flatten();
    date?;
    let written = row.to_owned();
    Some(DayLine { written, day_first: date, month_first: date, weekday: None, numbers: None })
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::{Order, day_line, order};

    #[test]
    fn days_are_read_in_the_spelling_of_every_phone() {
        for row in [
            "2026/03/04(Wed)",
            "2026/3/4（三）",
            "2026/03/04(水)",
            "2026.03.04 Wednesday",
            "2026/3/4周三",
            "\u{feff}2026/03/04",
            "Wed, 3/4/2026",
            "Wed, 04/03/2026",
            "Wed 04/03/2026",
            "พ. 4/3/2569",
            "2026/03/04 จันทร์",
            "R8/03/04(水)",
            "2026年3月4日(水)",
            "Wednesday, March 4, 2026",
        ] {
            let day = day_line(row).unwrap_or_else(|| panic!("no day: {row}"));
            assert_eq!(day.read(None), Some(date(2026, 3, 4)), "{row}");
        }
    }

    #[test]
    fn impossible_days_are_not_dates() {
        let day = day_line("2026/02/30(Mon)").expect("a day");
        assert_eq!(day.read(None), None);
        assert!(!day.is_doubtful(None));
    }

    #[test]
    fn other_lines_are_not_days() {
        for row in [
            "", "2026", "see 2026/03/04", "2026/13/04", "1.2.3", "2026/03/04 18:20",
            "Wed, 3/4/2026 or so",
        ] {
            assert!(day_line(row).is_none(), "{row}");
        }
    }

    #[test]
    fn one_day_decides_the_order_of_all() {
        let day = |row: &str| day_line(row).expect("a day");
        let doubtful = day("3/4/2026");
        assert_eq!(doubtful.read(None), None);
        let order = order([doubtful.clone(), day("25/4/2026")].into_iter());
        assert_eq!(order, Some(Order::DayFirst));
        assert_eq!(doubtful.read(order), Some(date(2026, 4, 3)));
    }

    #[test]
    fn consecutive_days_decide_the_order() {
        let day = |row: &str| day_line(row).expect("a day");
        let days = ["3/4/2026", "3/5/2026", "3/6/2026"].map(day);
        assert_eq!(order(days.into_iter()), Some(Order::MonthFirst));
    }
}
