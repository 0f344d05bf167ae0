//! Checks metadata keys that mean the same in every format.

use std::ops::Range;

use convo_base::diag::Note;
use convo_base::json::{Map, Value, type_of};
use convo_base::model::{
    ALIASES, FEATURED, INDEX, PINNED, REVIEWED, SERIES, SERIES_ORDER, TRANSLATION_OF, WEIGHT,
};

/// The type of the value that a key must have.
#[derive(Clone, Copy)]
enum ValueShape {
    Text,
    Texts,
    Flag,
    Object,
    /// A string or a list of strings.
    Names,
    Number,
}

/// Keys that have an effect if their value has this type.
const KEYS: [(&str, ValueShape); 18] = [
    ("title", ValueShape::Text),
    ("type", ValueShape::Text),
    ("summary", ValueShape::Text),
    ("description", ValueShape::Text),
    ("abstract", ValueShape::Text),
    (TRANSLATION_OF, ValueShape::Text),
    ("tags", ValueShape::Texts),
    ("languages", ValueShape::Texts),
    (ALIASES, ValueShape::Names),
    (INDEX, ValueShape::Flag),
    (REVIEWED, ValueShape::Flag),
    ("search", ValueShape::Flag),
    ("languages_meta", ValueShape::Object),
    (SERIES, ValueShape::Names),
    (SERIES_ORDER, ValueShape::Number),
    (WEIGHT, ValueShape::Number),
    (PINNED, ValueShape::Flag),
    (FEATURED, ValueShape::Flag),
];

/// Returns a warning for each known key that was not used because its value has the wrong type. `place`
/// returns the position of a key's value.
pub(crate) fn misused(rest: &Map, mut place: impl FnMut(&str) -> Range<usize>) -> Vec<Note> {
    let wrong = |(key, shape): &(&'static str, ValueShape)| {
        let value = rest.get(*key).filter(|value| !shape.fits(value))?;
        let found = match value {
            Value::Array(list) if matches!(shape, ValueShape::Texts | ValueShape::Names) => {
                let other = list.iter().find(|item| !item.is_string());
                format!("a list with {}", other.map_or("nothing in it", type_of))
            }
            value => type_of(value).to_owned(),
        };
        let message = format!("`{key}` must be {}, not {found}", shape.words());
        let note = Note::warning("wrong-type", place(key), message);
        Some(note.hint(shape.hint(value)))
    };
    KEYS.iter().filter_map(wrong).collect()
}

impl ValueShape {
    fn fits(self, value: &Value) -> bool {
        match self {
            _ if value.is_null() => true,
            Self::Text => value.is_string(),
            Self::Texts => value.as_array().is_some_and(|list| list.iter().all(Value::is_string)),
            Self::Flag => value.is_boolean(),
            Self::Object => value.is_object(),
            Self::Names => value.is_string() || Self::Texts.fits(value),
            Self::Number => value.as_i64().is_some(),
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Text => "a string",
            Self::Texts => "a list of strings",
            Self::Flag => "true or false",
            Self::Object => "an object",
            Self::Names => "a string or a list of strings",
            Self::Number => "a whole number",
        }
    }

    fn hint(self, value: &Value) -> String {
        match (self, value) {
            (Self::Texts, Value::String(text)) if text.chars().count() < 40 => {
                format!("write it as `[{value}]`")
            }
            (Self::Text, Value::Array(list))
                if list.len() == 1 && list[0].to_string().len() < 40 =>
            {
                format!("write it as `{}`", list[0])
            }
            (Self::Flag, Value::String(_)) => "write `true` or `false` without quotes".to_owned(),
            _ => "this value has no effect".to_owned(),
        }
    }
}
