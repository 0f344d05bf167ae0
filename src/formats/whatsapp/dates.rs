//! Which number of a date is the day.

use super::line::Head;
use crate::formats::written_date::gregorian;
use crate::time::Time;

/// The order of the numbers of dates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    Dmy,
    Mdy,
    Ymd,
}

/// Returns the order that the name of a file says: `chat.dmy.txt`.
pub(super) fn named(file: &str) -> Option<Order> {
    let mut parts = file.rsplit('.').skip(1);
    match parts.next()?.to_ascii_lowercase().as_str() {
        "dmy" => Some(Order::Dmy),
        "mdy" => Some(Order::Mdy),
        "ymd" => Some(Order::Ymd),
        _ => None,
    }
}

/// Finds the order of the dates of a chat; `None` where nothing tells. Time does not go back, a month
/// has no number above twelve, and days change faster than months.
pub(super) fn order(heads: &[Head<'_>]) -> Option<Order> {
    let is_open = |head: &&Head<'_>| !head.is_year_first;
    let dates: Vec<[u16; 3]> = heads.iter().filter(is_open).map(|head| head.date).collect();
    if dates.is_empty() {
        return (!heads.is_empty()).then_some(Order::Ymd);
    }
    // The first of January is read alike in both.
    if dates.iter().all(|date| date[0] == date[1]) {
        return Some(Order::Dmy);
    }
    let over_twelve = |at: usize| dates.iter().filter(|date| date[at] > 12).count();
    match over_twelve(0).cmp(&over_twelve(1)) {
        std::cmp::Ordering::Greater => return Some(Order::Dmy),
        std::cmp::Ordering::Less => return Some(Order::Mdy),
        std::cmp::Ordering::Equal => {}
    }
    let pairs = || dates.windows(2).map(|pair| (pair[0], pair[1]));
    let steps_back = |day: usize, month: usize| {
        let key = |date: [u16; 3]| (date[2], date[month], date[day]);
        pairs().filter(|(before, after)| key(*after) < key(*before)).count()
    };
    let changes = |at: usize| pairs().filter(|(before, after)| before[at] != after[at]).count();
    let tells = |first: usize, second: usize| match first.cmp(&second) {
        std::cmp::Ordering::Less => Some(Order::Dmy),
        std::cmp::Ordering::Greater => Some(Order::Mdy),
        std::cmp::Ordering::Equal => None,
    };
    tells(steps_back(0, 1), steps_back(1, 0)).or_else(|| tells(changes(1), changes(0)))
}

/// Returns the order of one date that can be read in one way only, whatever the others are.
pub(super) fn certain(head: &Head<'_>) -> Option<Order> {
    let [first, second, _] = head.date;
    if head.is_year_first {
        return Some(Order::Ymd);
    }
    if first == second {
        return Some(Order::Dmy);
    }
    match (first > 12, second > 12) {
        (true, false) => Some(Order::Dmy),
        (false, true) => Some(Order::Mdy),
        _ => None,
    }
}

/// Returns the date and the clock of a message as its phone wrote the numbers.
pub(super) fn as_written(head: &Head<'_>) -> String {
    let [first, second, third] = head.date;
    let (hour, minute, seconds) = head.clock;
    let seconds = if seconds > 0 { format!(":{seconds:02}") } else { String::new() };
    format!("{first}/{second}/{third:02} {hour:02}:{minute:02}{seconds}")
}

/// Returns the time of a message; `None` for a day that no calendar has.
pub(super) fn time(head: &Head<'_>, order: Order) -> Option<Time> {
    let [a, b, c] = head.date;
    let order = if head.is_year_first { Order::Ymd } else { order };
    let (year, month, day) = match order {
        Order::Dmy => (c, b, a),
        Order::Mdy => (c, a, b),
        Order::Ymd => (a, b, c),
    };
    let year = match year {
        0..100 => 2000 + year,
        _ => gregorian(year),
    };
    let (hour, minute, second) = head.clock;
    let text = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}");
    Time::parse(&text).ok().map(|(time, _)| time)
}
