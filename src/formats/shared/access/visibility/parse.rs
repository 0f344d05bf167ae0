//! JSON parsing that keeps repeated access settings.

use super::keys::may_set_access;
use convo_base::json::{self, Deviation, DeviationAt, SyntaxError, Value};

/// Parses one JSON value like [`json::parse`]. Repeated keys that are access settings are all kept,
/// because each of them counts.
pub(crate) fn parse(text: &str) -> Result<(Value, Vec<DeviationAt>), SyntaxError> {
    let (value, deviations) = json::parse(text)?;
    let repeated = deviations.iter().filter(|(what, _)| *what == Deviation::RepeatedKey);
    let places = repeated.map(|(_, at)| at.clone());
    let mut places: Vec<_> =
        places.filter(|at| may_set_access(&json::unescaped(&text[at.clone()]))).collect();
    if places.is_empty() {
        return Ok((value, deviations));
    }
    places.sort_by_key(|at| at.start);
    let mut renamed = String::with_capacity(text.len() + places.len() * 8);
    let mut from = 0;
    for (number, at) in places.into_iter().enumerate() {
        // Before the closing quotation mark.
        let end = at.end.saturating_sub(1).max(from);
        renamed.push_str(&text[from..end]);
        renamed.push_str(&suffix(number));
        from = end;
    }
    renamed.push_str(&text[from..]);
    Ok((json::parse(&renamed).map_or(value, |(value, _)| value), deviations))
}

/// Returns a unique suffix for each number. Its characters are neither letters nor digits, so the
/// normalised key stays the same.
fn suffix(number: usize) -> String {
    let bit = |bit: u32| if number >> bit & 1 == 1 { '\u{e001}' } else { '\u{e000}' };
    let bits = usize::BITS - number.leading_zeros();
    (0..=bits).map(bit).collect()
}

#[cfg(test)]
mod tests {
    use super::super::settings::{Scope, read_access_of_map};
    use super::super::values::Verdict;
    use super::parse;

    #[test]
    fn every_access_word_is_respected() {
        for (json, is_held) in [
            (r#"{"private": true, "x": 1, "private": false}"#, true),
            (r#"{"private": false, "private": true, "private": false}"#, true),
            (r#"{"metadata": {"private": true}, "metadata": {"a": 1}}"#, true),
            (r#"{"visibility": "private", "visibility": "public",}"#, true),
            (r#"{"x": 1, "x": 2, "private": false, "private": false}"#, false),
        ] {
            let (value, _) = parse(json).expect("JSON");
            let map = value.as_object().expect("an object");
            let settings = read_access_of_map(map, Scope::Turn);
            let held = settings.iter().any(|setting| setting.verdict != Verdict::Public);
            assert_eq!(held, is_held, "{json}");
        }
        let many = format!("{{{}\"private\": true}}", "\"private\": false,".repeat(5000));
        let (value, _) = parse(&many).expect("JSON");
        assert_eq!(value.as_object().map(|map| map.len()), Some(5001));
    }
}
