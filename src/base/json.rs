//! Parses JSON as people write it, with trailing commas and lone surrogates, and locates values in
//! the text.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use serde::Serialize;

use crate::text::grouped;

/// An object that keeps the order of its keys.
pub type Map = serde_json::Map<String, serde_json::Value>;
/// Any JSON value; numbers keep their digits.
pub use serde_json::Value;

/// A deviation from JSON that [`parse`] accepts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Deviation {
    /// A trailing comma.
    TrailingComma,
    /// Half of a surrogate pair, replaced by U+FFFD.
    LoneSurrogate,
    /// A repeated key; the last one wins.
    RepeatedKey,
}

/// A deviation with its byte range.
pub type DeviationAt = (Deviation, Range<usize>);

/// The reason why a text cannot be parsed as JSON, and the position.
#[derive(Debug)]
pub struct SyntaxError {
    /// The message, without a position.
    message: String,
    /// The byte offset.
    pub at: usize,
    /// Whether it is rejected for its size, whatever it contains.
    pub is_too_large: bool,
}

impl SyntaxError {
    /// Returns the message about `what`, such as `this line`.
    pub fn about(&self, what: &str) -> String {
        match self.is_too_large {
            true => format!("{what} has {}", self.message),
            false => format!("{what} is not valid JSON: {}", self.message),
        }
    }
}

/// Returns the name of a value's type with an article.
pub fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// The maximum number of values in a text; each takes about a hundred bytes of memory, however
/// short it is.
const MAX_VALUES: usize = 1_000_000;

/// Parses a JSON value, and returns its deviations from JSON.
pub fn parse(text: &str) -> Result<(Value, Vec<DeviationAt>), SyntaxError> {
    if let Some(at) = end_of_values(text) {
        let most = grouped(MAX_VALUES as u64);
        let message = format!("more than {most} values, too many to read at once");
        return Err(SyntaxError { message, at, is_too_large: true });
    }
    let (repaired, mut deviations) = repair_surrogates(text);
    let value = match serde_json::from_str(&repaired) {
        Ok(value) => value,
        Err(error) => {
            let (blanked, commas) = blank_trailing_commas(&repaired);
            match serde_json::from_str(&blanked) {
                Ok(value) if !commas.is_empty() => {
                    deviations.extend(commas.into_iter().map(|at| (Deviation::TrailingComma, at)));
                    value
                }
                _ => return Err(syntax_error(text, &error)),
            }
        }
    };
    let repeated = repeated_keys(&repaired).into_iter();
    deviations.extend(repeated.map(|at| (Deviation::RepeatedKey, at)));
    Ok((value, deviations))
}

/// Returns whether a text has more values than [`parse`] accepts.
pub fn has_too_many_values(text: &str) -> bool {
    end_of_values(text).is_some()
}

/// Returns the approximate byte offset at which the last of [`MAX_VALUES`] values ends, if there are more.
fn end_of_values(text: &str) -> Option<usize> {
    // The shortest value is a digit and a comma.
    if text.len() / 2 < MAX_VALUES {
        return None;
    }
    let bytes = text.as_bytes();
    let (mut i, mut found) = (0, 0);
    while i < bytes.len() {
        match bytes[i] {
            b'"' => {
                i = string_end(bytes, i);
                continue;
            }
            b',' | b'[' | b'{' => found += 1,
            _ => {}
        }
        if found > MAX_VALUES {
            return Some(i);
        }
        i += 1;
    }
    None
}

/// Returns the ranges of repeated keys in a text that is JSON except for its commas.
fn repeated_keys(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    // The open containers: the keys of an object, or `None` for an array.
    let mut open: Vec<Option<HashSet<Cow<'_, str>>>> = Vec::new();
    let mut repeated = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        match bytes[i] {
            b'{' => open.push(Some(HashSet::new())),
            b'[' => open.push(None),
            b'}' | b']' => _ = open.pop(),
            b'"' => {
                let end = string_end(bytes, i);
                let is_key = bytes.get(skip_blank(bytes, end)) == Some(&b':');
                if let Some(Some(keys)) = open.last_mut().filter(|_| is_key)
                    && !keys.insert(unescaped(&text[i..end]))
                {
                    repeated.push(i..end);
                }
                i = end;
                continue;
            }
            _ => {}
        }
        i += 1;
    }
    repeated
}

/// Returns the text of a quoted string, with its escapes decoded.
pub fn unescaped(quoted: &str) -> Cow<'_, str> {
    if quoted.contains('\\')
        && let Ok(text) = serde_json::from_str(quoted)
    {
        return Cow::Owned(text);
    }
    Cow::Borrowed(quoted.trim_matches('"'))
}

fn syntax_error(text: &str, error: &serde_json::Error) -> SyntaxError {
    let line_start = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum::<usize>();
    // serde_json counts columns in bytes from 1, and reports 0 at a line end.
    let mut at = (line_start + error.column().saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default().to_owned();
    SyntaxError { message, at, is_too_large: false }
}

/// Replaces every lone surrogate escape, such as `\ud83d`, by `\ufffd`, which has the same length,
/// so that offsets do not change.
fn repair_surrogates(text: &str) -> (Cow<'_, str>, Vec<DeviationAt>) {
    let unit = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let mut repaired = Cow::Borrowed(text);
    let mut deviations = Vec::new();
    let mut at = 0;
    while let Some(found) = text[at..].find('\\') {
        at += found;
        match unit(at) {
            Some(0xd800..0xdc00) if matches!(unit(at + 6), Some(0xdc00..0xe000)) => {
                at += 12;
            }
            Some(0xd800..0xe000) => {
                repaired.to_mut().replace_range(at..at + 6, "\\ufffd");
                deviations.push((Deviation::LoneSurrogate, at..at + 6));
                at += 6;
            }
            // The character after a backslash is never itself the start of an escape.
            _ => at += 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8),
        }
    }
    (repaired, deviations)
}

fn blank_trailing_commas(text: &str) -> (String, Vec<Range<usize>>) {
    let mut blanked = text.to_owned();
    let mut commas = Vec::new();
    let bytes = text.as_bytes();
    let (mut i, mut comma) = (0, None);
    while i < bytes.len() {
        match bytes[i] {
            b'"' => {
                comma = None;
                i = string_end(bytes, i);
                continue;
            }
            b',' => comma = Some(i),
            b'}' | b']' => {
                if let Some(at) = comma.take() {
                    blanked.replace_range(at..at + 1, " ");
                    commas.push(at..at + 1);
                }
            }
            b' ' | b'\t' | b'\n' | b'\r' => {}
            _ => comma = None,
        }
        i += 1;
    }
    (blanked, commas)
}

/// Returns the index after the string that starts at `start`.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut i = start + 1;
    while let Some(rest) = bytes.get(i..)
        && let Some(found) = memchr::memchr2(b'"', b'\\', rest)
    {
        i += found;
        if bytes[i] == b'"' {
            return i + 1;
        }
        i += 2;
    }
    bytes.len()
}

/// A step into a value.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// The value of a key; the last one wins, as in [`parse`].
    Key(&'a str),
    /// An element of an array.
    Index(usize),
}

/// Returns the byte range of the value at the path `steps` in `text`, which must be accepted by
/// [`parse`]. If there is none, returns the range of its nearest parent.
pub fn locate(text: &str, steps: &[Step<'_>]) -> Range<usize> {
    let bytes = text.as_bytes();
    let mut range = value_range(bytes, 0);
    for step in steps {
        let is_object = match bytes.get(range.start) {
            Some(b'{') => true,
            Some(b'[') => false,
            // Only arrays and objects contain values.
            _ => break,
        };
        let mut found = None;
        let mut i = range.start + 1;
        let mut index = 0;
        while i < range.end {
            i = skip_blank(bytes, i);
            if matches!(bytes.get(i), None | Some(b'}' | b']')) {
                break;
            }
            let key = is_object.then(|| {
                let key = value_range(bytes, i);
                i = skip_blank(bytes, key.end);
                i += usize::from(bytes.get(i) == Some(&b':'));
                key
            });
            let value = value_range(bytes, i);
            i = skip_blank(bytes, value.end);
            i += usize::from(matches!(bytes.get(i), Some(b',' | b':')));
            let fits = match (step, key) {
                (Step::Key(name), Some(key)) => {
                    serde_json::from_str::<String>(&text[key]).is_ok_and(|key| key == *name)
                }
                (Step::Index(wanted), None) => *wanted == index,
                _ => false,
            };
            if fits {
                found = Some(value);
            }
            index += 1;
        }
        match found {
            Some(value) => range = value,
            None => break,
        }
    }
    range
}

/// Returns the byte ranges of all elements of the array at the path `steps`, in one pass. The text
/// is only scanned, so invalid separators count as elements.
pub fn elements(text: &str, steps: &[Step<'_>]) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let array = locate(text, steps);
    let mut elements = Vec::new();
    let mut i = array.start + 1;
    while bytes.get(array.start) == Some(&b'[') && i < array.end {
        i = skip_blank(bytes, i);
        if matches!(bytes.get(i), None | Some(b']')) {
            break;
        }
        let element = value_range(bytes, i);
        i = skip_blank(bytes, element.end);
        i += usize::from(matches!(bytes.get(i), Some(b',' | b':' | b'}')));
        elements.push(element);
    }
    elements
}

/// Returns the keys of the object at the start of `text`, or of the first object of the array
/// there, each with the text of its value. The text is only scanned, so this works for a truncated
/// text too.
pub fn keys(text: &str) -> Vec<(&str, &str)> {
    members(text).collect()
}

/// Iterates over the results of [`keys`], for large objects.
pub fn members(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let bytes = text.as_bytes();
    let mut i = skip_blank(bytes, 0);
    if bytes.get(i) == Some(&b'[') {
        i = skip_blank(bytes, i + 1);
    }
    let mut continues = bytes.get(i) == Some(&b'{');
    i += 1;
    std::iter::from_fn(move || {
        i = skip_blank(bytes, i);
        if !continues || bytes.get(i) != Some(&b'"') {
            return None;
        }
        let key = value_range(bytes, i);
        i = skip_blank(bytes, key.end);
        if bytes.get(i) != Some(&b':') || key.len() < 2 {
            continues = false;
            return None;
        }
        let value = value_range(bytes, i + 1);
        i = skip_blank(bytes, value.end);
        continues = bytes.get(i) == Some(&b',');
        i += 1;
        Some((&text[key.start + 1..key.end - 1], &text[value]))
    })
}

/// Returns the byte range of the value that starts at or after the byte `at` of `text`. A value
/// without an end extends to the end of the text. Empty if there is no value.
pub fn value_at(text: &str, at: usize) -> Range<usize> {
    value_range(text.as_bytes(), at)
}

fn skip_blank(bytes: &[u8], mut i: usize) -> usize {
    while matches!(bytes.get(i), Some(b' ' | b'\t' | b'\n' | b'\r')) {
        i += 1;
    }
    i
}

/// Returns the range of the value that starts at or after `i`, without recursion.
fn value_range(bytes: &[u8], i: usize) -> Range<usize> {
    let start = skip_blank(bytes, i).min(bytes.len());
    let mut i = start;
    let mut depth = 0usize;
    while i < bytes.len() {
        match bytes[i] {
            b'"' => i = string_end(bytes, i),
            b'{' | b'[' => {
                depth += 1;
                i += 1;
            }
            b'}' | b']' if depth > 0 => {
                depth -= 1;
                i += 1;
            }
            b',' | b':' | b'}' | b']' | b' ' | b'\t' | b'\n' | b'\r' if depth == 0 => {
                break;
            }
            _ => {
                i += 1;
                continue;
            }
        }
        if depth == 0 {
            break;
        }
    }
    start..i
}

/// Converts any serializable value.
pub fn value<T: Serialize + ?Sized>(value: &T) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

/// Formats a value as indented JSON.
pub fn pretty<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// Formats a value as JSON that is safe inside a `<script>` element: without `<`, `>`, `&` and the
/// line separators of JavaScript.
pub fn for_script<T: Serialize + ?Sized>(value: &T) -> String {
    let json = serde_json::to_string(value).unwrap_or_default();
    let mut safe = String::with_capacity(json.len());
    let mut rest = json.as_str();
    while let Some(at) = rest.find(['<', '>', '&', '\u{2028}', '\u{2029}']) {
        let (before, from) = rest.split_at(at);
        safe.push_str(before);
        let c = from.chars().next().unwrap_or_default();
        safe.push_str(&format!("\\u{:04x}", u32::from(c)));
        rest = &from[c.len_utf8()..];
    }
    safe.push_str(rest);
    safe
}

#[cfg(test)]
mod tests {
    use super::{Deviation, Step, elements, for_script, locate, parse};

    /// Such texts once caused an infinite loop.
    #[test]
    fn places_are_searched_for_in_invalid_json() {
        let steps = [Step::Index(0), Step::Key("a")];
        for text in ["\"a:b\"", "\"a:b", "[a:b]", "{\"a\" b:c}", "[1茶 2]", "{:::}"] {
            for steps in [&steps[..1], &steps[1..], &steps[..]] {
                assert!(text.get(locate(text, steps)).is_some(), "{text}");
                let places = elements(text, steps).into_iter();
                assert!(places.chain(elements(text, &[])).all(|at| text.get(at).is_some()));
            }
        }
    }

    #[test]
    fn a_value_is_found_by_its_path() {
        let text = r#" { "a,}": [1, "x]", {"b": true}], "c" : null } "#;
        let at = |steps: &[Step<'_>]| &text[locate(text, steps)];
        assert_eq!(at(&[Step::Key("c")]), "null");
        assert_eq!(at(&[Step::Key("a,}"), Step::Index(1)]), r#""x]""#);
        assert_eq!(at(&[Step::Key("a,}"), Step::Index(2), Step::Key("b")]), "true");
        assert_eq!(at(&[Step::Key("missing")]), text.trim());
        let array: Vec<_> =
            elements(text, &[Step::Key("a,}")]).into_iter().map(|at| &text[at]).collect();
        assert_eq!(array, ["1", "\"x]\"", "{\"b\": true}"]);
        assert!(elements(text, &[Step::Key("c")]).is_empty());
    }

    #[test]
    fn a_trailing_comma_is_forgiven_and_named() {
        let text = r#"{"a": [1, 2,], "b": ",}",}"#;
        let (value, deviations) = parse(text).unwrap();
        assert_eq!(value, serde_json::json!({"a": [1, 2], "b": ",}"}));
        let places: Vec<_> = deviations.iter().map(|(_, at)| at.start).collect();
        assert_eq!(places, [11, 24]);
        assert_eq!(parse("{\"a\": 1,,}").unwrap_err().at, 8);
    }

    #[test]
    fn half_a_surrogate_pair_is_repaired() {
        let (value, deviations) = parse(r#"["\ud83d", "\ud83d\ude00", "\\ud83d"]"#).unwrap();
        assert_eq!(value, serde_json::json!(["\u{fffd}", "😀", "\\ud83d"]));
        assert_eq!(deviations, [(Deviation::LoneSurrogate, 2..8)]);
    }

    #[test]
    fn deep_nesting_is_an_error_and_not_an_overflow() {
        assert!(parse(&"[".repeat(100_000)).is_err());
    }

    #[test]
    fn no_script_can_be_closed_by_a_value() {
        assert_eq!(for_script("</script>&\u{2028}"), r#""\u003c/script\u003e\u0026\u2028""#);
    }
}
