//! The front matter.

use std::ops::Range;

use saphyr::{LoadableYamlNode, Scalar, Yaml};

use crate::diag::Note;
use crate::json::{Map, Value};
use crate::model::Conversation;
use crate::time::Time;

/// Longer front matter is no front matter. Bytes.
const LONGEST: usize = 64 << 10;

/// The byte range of the YAML, if there is any, and where the rest starts.
pub(super) fn split(text: &str) -> (Option<Range<usize>>, usize) {
    let Some(first) = text.split_inclusive('\n').next() else { return (None, 0) };
    if first.trim_end() != "---" {
        return (None, 0);
    }
    let mut start = first.len();
    for line in text[first.len()..].split_inclusive('\n') {
        if matches!(line.trim_end(), "---" | "...") {
            return (Some(first.len()..start), start + line.len());
        }
        start += line.len();
        if start > LONGEST {
            break;
        }
    }
    (None, 0)
}

/// Takes what the front matter says into the conversation.
pub(super) fn read(
    text: &str,
    range: Range<usize>,
    read: &mut Conversation,
    notes: &mut Vec<Note>,
) {
    let yaml = &text[range.clone()];
    let mut map = match Yaml::load_from_str(yaml)
        .map(|found| found.into_iter().next().map(value))
    {
        Ok(Some(Value::Object(map))) => map,
        Ok(None | Some(Value::Null)) => Map::new(),
        Ok(Some(other)) => [("front matter".to_owned(), other)].into_iter().collect(),
        Err(error) => {
            let before: usize = yaml
                .split_inclusive('\n')
                .take(error.marker().line().saturating_sub(1))
                .map(str::len)
                .sum();
            let at =
                (range.start + before).min(range.end.saturating_sub(1)).max(range.start);
            let message = format!("the front matter is not valid YAML: {}", error.info());
            match plain_rows(yaml) {
                Some(map) => {
                    let note = Note::warning("bad-yaml", at..at, message);
                    notes.push(
                        note.hint("it was read line by line; quote what holds a colon"),
                    );
                    map
                }
                None => {
                    // Whoever wrote `private: true` into it must not be betrayed by a slip.
                    let note = Note::error("bad-yaml", at..at, message);
                    notes.push(
                        note.hint(
                            "until it is mended it counts as private: it may say so",
                        ),
                    );
                    read.private = true;
                    return;
                }
            }
        }
    };
    let word = |value: Value| match value {
        Value::String(text) => Some(text),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    };
    let words = |value: Option<Value>| -> Vec<String> {
        match value {
            Some(Value::Array(list)) => list.into_iter().filter_map(word).collect(),
            Some(value) => word(value).into_iter().collect(),
            None => Vec::new(),
        }
    };
    read.title =
        map.shift_remove("title").and_then(word).filter(|title| !title.trim().is_empty());
    for key in ["date", "time", "published"] {
        let Some(text) = map.get(key).cloned().and_then(word) else { continue };
        match Time::parse(&text) {
            Ok((time, _)) => {
                map.shift_remove(key);
                read.time = Some(time);
                break;
            }
            Err(error) => {
                let message = format!("`{key}` is no time: {error}");
                let note = Note::warning("bad-time", range.start..range.start, message);
                notes.push(note.hint("write a date such as `2025-10-23`"));
            }
        }
    }
    read.kind = map.shift_remove("type").and_then(word);
    read.tags = words(map.shift_remove("tags"));
    read.languages =
        words(map.shift_remove("languages").or_else(|| map.shift_remove("language")));
    read.private = match map.shift_remove("private") {
        None | Some(Value::Null | Value::Bool(false)) => false,
        Some(Value::Bool(true)) => true,
        Some(other) => {
            let message = format!("`private` must be true or false, not `{other}`");
            let note = Note::error("wrong-type", range.start..range.start, message);
            notes.push(note.hint("to be safe it counts as `true`"));
            true
        }
    };
    read.extra = map;
}

/// Rows of `key: text` and nothing else, as people write them who do not think of YAML.
fn plain_rows(yaml: &str) -> Option<Map> {
    let mut map = Map::new();
    for line in yaml.lines().filter(|line| !line.trim().is_empty()) {
        let (key, text) = line.split_once(':')?;
        let named = !key.is_empty()
            && key.chars().all(|c| c.is_alphanumeric() || "_-".contains(c));
        if !named || !(text.is_empty() || text.starts_with(' ')) {
            return None;
        }
        let text = text.trim();
        let value = match text.to_ascii_lowercase().as_str() {
            "true" | "yes" => true.into(),
            "false" | "no" => false.into(),
            _ => Value::from(text),
        };
        // What is private once is private.
        if map.get(key) != Some(&Value::Bool(true)) {
            map.insert(key.to_owned(), value);
        }
    }
    Some(map)
}

fn value(yaml: Yaml<'_>) -> Value {
    match yaml {
        Yaml::Value(scalar) => match scalar {
            Scalar::Null => Value::Null,
            Scalar::Boolean(flag) => flag.into(),
            Scalar::Integer(number) => number.into(),
            Scalar::FloatingPoint(number) => number.into_inner().into(),
            Scalar::String(text) => text.into_owned().into(),
        },
        Yaml::Sequence(list) => list.into_iter().map(value).collect::<Vec<_>>().into(),
        Yaml::Mapping(map) => map
            .into_iter()
            .map(|(key, item)| {
                let key = match value(key) {
                    Value::String(key) => key,
                    other => other.to_string(),
                };
                (key, value(item))
            })
            .collect::<Map>()
            .into(),
        Yaml::Tagged(_, inner) => value(*inner),
        Yaml::Representation(text, ..) => text.into_owned().into(),
        Yaml::Alias(_) | Yaml::BadValue => Value::Null,
    }
}
