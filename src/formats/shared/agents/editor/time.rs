//! Times as written by editors.

use crate::shared::text::dates::{iso, of_value};
use convo_base::json::Value;
use convo_base::time::Time;

/// Reads a time, in UTC unless it has another time zone.
pub(crate) fn time_in_utc(value: Option<&Value>) -> Option<Time> {
    let text = value.and_then(Value::as_str);
    let read = text.and_then(|text| iso(&format!("{text}Z")));
    read.or_else(|| of_value(value?))
}

/// Returns the byte positions at which the lines of a text start.
pub(crate) fn line_starts(text: &str) -> Vec<usize> {
    let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
    std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect()
}
