//! Removes citation marks, and escapes text for Markdown.

use convo_base::json::Value;

/// Returns a text without the characters of marks.
pub(super) fn bare(text: &str) -> String {
    text.chars().filter(|c| !('\u{e200}'..='\u{e206}').contains(c)).collect()
}

/// Returns a value whose text contains no marks.
pub(super) fn bare_value(value: Value) -> Value {
    match value {
        Value::String(text) => bare(&text).into(),
        Value::Array(list) => list.into_iter().map(bare_value).collect(),
        Value::Object(map) => {
            map.into_iter().map(|(key, value)| (key, bare_value(value))).collect()
        }
        other => other,
    }
}

/// Returns a text as Markdown that displays it literally.
pub(super) fn escaped(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for c in words.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '$' | '|' | '&' | '~' | '#' => {
                out.push('\\');
                out.push(c);
            }
            '\n' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
