//! Reads common values from the JSON of applications.

use std::collections::HashMap;
use std::ops::Range;

use super::source::Context;
use crate::shared::json::long_list::{Element, each_element};
use crate::shared::json::object::Object;
use crate::shared::text::dates::of_value;
use convo_base::diag::{Note, Severity};
use convo_base::json::{self, Map, Step, Value};
use convo_base::time::Time;

/// Returns the non-empty string under a key.
pub(crate) fn text<'a>(map: &'a Map, key: &str) -> Option<&'a str> {
    map.get(key)?.as_str().filter(|text| !text.trim().is_empty())
}

/// Returns the string under the first of several keys that has one.
pub(crate) fn first<'a>(map: &'a Map, keys: &[&str]) -> Option<&'a str> {
    keys.iter().find_map(|key| text(map, key))
}

/// Returns a string, or the digits of a number.
pub(crate) fn words(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()).filter(|text| !text.is_empty()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Returns a non-negative whole number. A fraction is cut off.
pub(crate) fn whole(value: Option<&Value>) -> Option<u64> {
    let value = value?;
    value.as_u64().or_else(|| value.as_f64().filter(|number| *number >= 0.0).map(|n| n as u64))
}

/// Takes a time in any form: ISO 8601, a number of seconds since 1970 or of smaller units (detected by its
/// size), or a database date object. 0 means that the time is unknown.
pub(crate) fn moment(
    object: &mut Object<'_>,
    key: &str,
    context: &mut Context<'_>,
) -> Option<Time> {
    let value = object.take(key)?;
    let found = of_value(&value);
    if found.is_none() && value != 0 && value != "" {
        let message = format!("`{}{key}` is not a valid time", object.name());
        context.notes.push(object.note(Severity::Warning, "bad-time", key, message));
    }
    found
}

/// Keeps the members of an object that no reader takes and that are not empty.
pub(crate) fn rest(mut map: Map, known: &[&str]) -> Map {
    map.retain(|key, value| {
        let is_blank = match value {
            Value::Null | Value::Bool(false) => true,
            Value::String(text) => text.is_empty(),
            Value::Array(list) => list.is_empty(),
            Value::Object(map) => map.is_empty(),
            _ => false,
        };
        !is_blank && !known.contains(&key.as_str())
    });
    map
}

/// Takes the object under a key, together with its place.
pub(crate) fn inside<'a>(
    object: &mut Object<'a>,
    key: &str,
    notes: &mut Vec<Note>,
) -> Option<Object<'a>> {
    let at = object.place(&[Step::Key(key)]);
    let map = object.object(key, notes)?;
    Some(object.at(map, at).named(key))
}

/// Takes the members of the object under a key, each with the byte range of its value, in file order.
pub(crate) fn members(
    object: &mut Object<'_>,
    key: &str,
    notes: &mut Vec<Note>,
) -> Option<Vec<(String, Element)>> {
    let at = object.place(&[Step::Key(key)]);
    let map = object.object(key, notes)?;
    let source = object.source();
    let mut places: HashMap<String, Range<usize>> = HashMap::with_capacity(map.len());
    for (key, value) in json::members(source.get(at).unwrap_or_default()) {
        let start = value.as_ptr() as usize - source.as_ptr() as usize;
        let key = json::unescaped(&format!("\"{key}\"")).into_owned();
        places.insert(key, start..start + value.len());
    }
    let placed = |(key, value): (String, Value)| {
        let at = places.get(&key).cloned().unwrap_or(object.start());
        (key, (value, at))
    };
    Some(map.into_iter().map(placed).collect())
}

/// Passes the messages of a conversation to `each`. They are in the list under a key or, if that was too
/// long, at `long`. Returns whether all could be read; if not, adds a note.
pub(crate) fn each_message(
    object: &mut Object<'_>,
    key: &str,
    long: Option<Range<usize>>,
    context: &mut Context<'_>,
    each: &mut dyn FnMut(Object<'_>, &mut Context<'_>),
) -> bool {
    let mut notes = Vec::new();
    let mut number = 0;
    let done = each_element(object, key, long, &mut notes, &mut |object, item, notes| {
        context.notes.append(notes);
        let name = format!("{key}.{number}");
        number += 1;
        if let Some(item) = object.element(item, name, "message", context.notes) {
            each(item, context);
        }
    });
    context.notes.append(&mut notes);
    context.notes.extend(done.as_ref().err().cloned());
    done.is_ok()
}
