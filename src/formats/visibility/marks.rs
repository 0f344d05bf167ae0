//! Marks that vendors have for what is gone: the one way in which they are read.
//!
//! Only a clear no is a no; whatever else stands there is a yes. Of keys that are there twice each
//! counts, which is why they are read from the text.

use super::keys::plain;
use convo_base::json::{self, Map, Value};

/// Whether a JSON object has one of these marks, which are given by their small letters and digits.
/// `null` is how vendors write that nobody did that.
pub(crate) fn is_set(json: &str, marks: &[&str]) -> bool {
    let mut values = values(json, marks);
    values.any(|value| is_yes(&value))
}

/// The same as [`is_set`] for an object whose text is not at hand.
pub(crate) fn is_set_in(map: &Map, marks: &[&str]) -> bool {
    values_in(map, marks).any(is_yes)
}

/// The values of these keys of an object whose text is not at hand.
pub(super) fn values_in<'v>(map: &'v Map, marks: &'v [&str]) -> impl Iterator<Item = &'v Value> {
    let marked = map.iter().filter(|(key, _)| marks.contains(&plain(key).as_str()));
    marked.map(|(_, value)| value)
}

/// Whether a value says yes.
fn is_yes(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(is) => *is,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => {
            let text = text.trim().to_ascii_lowercase();
            !["", "false", "0", "no"].contains(&text.as_str())
        }
        Value::Array(_) | Value::Object(_) => true,
    }
}

/// The values of these keys. One that is no JSON is in doubt, and so is text.
pub(super) fn values<'v>(
    json: &'v str,
    marks: &'v [&str],
) -> impl Iterator<Item = Value> + use<'v> {
    let is_one = |key: &str| {
        let key = json::unescaped(&format!("\"{key}\"")).into_owned();
        marks.contains(&plain(&key).as_str())
    };
    json::members(json)
        .filter(move |(key, _)| is_one(key))
        .map(|(_, value)| json::parse(value).map_or_else(|_| value.into(), |(value, _)| value))
}

#[cfg(test)]
mod tests {
    use super::is_set;

    #[test]
    fn only_a_clear_no_is_a_no() {
        let of = |value: &str| format!("{{\"x\": [1], \"Delete_At\": {value}}}");
        for no in ["false", "0", "0.0", "\"\"", "\" No \"", "\"0\"", "\"false\""] {
            assert!(!is_set(&of(no), &["deleteat"]), "{no}");
        }
        for yes in ["true", "1", "-1", "1e300", "\"off\"", "[]", "{}", "\"maybe\"", "tru"] {
            assert!(is_set(&of(yes), &["deleteat"]), "{yes}");
        }
        assert!(!is_set(&of("null"), &["deleteat"]) && !is_set(&of("1"), &["x2"]));
        let twice = r#"{"gone": true, "gone": false, "go\u006ee": 0}"#;
        assert!(is_set(twice, &["gone"]) && !is_set(twice, &["go"]));
    }
}
