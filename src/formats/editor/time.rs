//! Times as editors write them.

use crate::json::Value;
use crate::time::Time;

/// Returns the time that a value is: ISO 8601, or seconds or milliseconds since 1970.
pub(crate) fn time(value: Option<&Value>) -> Option<Time> {
    /// No earlier time in milliseconds is one of seconds that anybody has lived to.
    const MILLIS: i64 = 100_000_000_000;
    match value? {
        Value::String(text) => Time::parse(text).ok().map(|(time, _)| time),
        number => {
            let number = number.as_i64().or_else(|| number.as_f64().map(|number| number as i64))?;
            let seconds = if number >= MILLIS { number / 1000 } else { number };
            Time::from_unix(seconds).filter(|_| seconds > 0)
        }
    }
}

/// Reads a time that is one of UTC where it says no other zone.
pub(crate) fn time_in_utc(value: Option<&Value>) -> Option<Time> {
    let text = value.and_then(Value::as_str);
    let read = text.and_then(|text| Time::parse(&format!("{text}Z")).ok());
    read.map(|(time, _)| time).or_else(|| time(value))
}

/// Returns the bytes at which the lines of a text start.
pub(crate) fn line_starts(text: &str) -> Vec<usize> {
    let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
    std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect()
}
