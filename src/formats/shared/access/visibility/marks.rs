//! Deletion marks and other boolean marks, which are read the same way in all formats.
//!
//! Only a clear no counts as no; any other value counts as yes. If a key is repeated, each value
//! counts, so the marks are read from the source text.

use super::keys::plain;
use convo_base::json::{self, Map, Value};

/// Returns whether a JSON object has one of these marks, given as normalised keys. `null` means
/// that it is not set.
pub(crate) fn is_set(json: &str, marks: &[&str]) -> bool {
    let mut values = values(json, marks);
    values.any(|value| is_yes(&value))
}

/// The same as [`is_set`] for an object without source text.
pub(crate) fn is_set_in(map: &Map, marks: &[&str]) -> bool {
    values_in(map, marks).any(is_yes)
}

/// Returns the values of these keys in an object without source text.
pub(super) fn values_in<'v>(map: &'v Map, marks: &'v [&str]) -> impl Iterator<Item = &'v Value> {
    let marked = map.iter().filter(|(key, _)| marks.contains(&plain(key).as_str()));
    marked.map(|(_, value)| value)
}

/// Returns whether a value means yes.
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

/// Returns the values of these keys. A malformed value counts as text, and so as yes.
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
