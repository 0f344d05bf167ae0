//! Values of the JSON that applications write.

use std::collections::HashMap;
use std::ops::Range;

use super::super::dates::of_value;
use super::super::long_list::{Element, each_element};
use super::super::object::Object;
use super::source::Context;
use convo_base::diag::{Note, Severity};
use convo_base::json::{self, Map, Step, Value, type_of};
use convo_base::time::Time;

/// Returns the text under a key, if there is any.
pub(crate) fn text<'a>(map: &'a Map, key: &str) -> Option<&'a str> {
    map.get(key)?.as_str().filter(|text| !text.trim().is_empty())
}

/// Returns the text under the first of several keys that has one.
pub(crate) fn first<'a>(map: &'a Map, keys: &[&str]) -> Option<&'a str> {
    keys.iter().find_map(|key| text(map, key))
}

/// Returns a text, or the digits of a number.
pub(crate) fn words(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()).filter(|text| !text.is_empty()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Returns a whole number that is not negative, however it is written.
pub(crate) fn whole(value: Option<&Value>) -> Option<u64> {
    let value = value?;
    value.as_u64().or_else(|| value.as_f64().filter(|number| *number >= 0.0).map(|n| n as u64))
}

/// Takes a time, however it is written: ISO 8601, a number of seconds since the start of 1970 or of
/// finer units, which is known by its size, or what databases make of one. 0 stands for a time that is
/// not known.
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

/// Leaves of the members of an object what no reader takes and what says something.
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

/// Takes the object under a key, as one that knows its place.
pub(crate) fn inside<'a>(
    object: &mut Object<'a>,
    key: &str,
    notes: &mut Vec<Note>,
) -> Option<Object<'a>> {
    let at = object.place(&[Step::Key(key)]);
    let map = object.object(key, notes)?;
    Some(object.at(map, at).named(key))
}

/// Takes the members of the object under a key, each with the byte range of its value in the file, in
/// the order of the file.
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

/// Returns an element of a list of messages as an object, or notes that it is none.
pub(crate) fn element<'a>(
    object: &Object<'a>,
    (value, at): Element,
    name: impl std::fmt::Display,
    context: &mut Context<'_>,
) -> Option<Object<'a>> {
    match value {
        Value::Object(map) => Some(object.at(map, at).named(name)),
        value => {
            let found = type_of(&value);
            let text = format!("`{}{name}` must be an object, not {found}", object.name());
            let note = Note::error("wrong-type", at.start..at.start + 1, text);
            let note = note.in_file(object.file());
            context.notes.push(note.hint("only this message is skipped"));
            None
        }
    }
}

/// Hands over the messages of a conversation, which stand in the list under a key or, where that was
/// too long, at `long`. Returns whether all could be read; why not is told.
pub(crate) fn each_message(
    object: &mut Object<'_>,
    key: &str,
    long: Option<Range<usize>>,
    context: &mut Context<'_>,
    each: &mut dyn FnMut(Object<'_>, &mut Context<'_>),
) -> bool {
    let mut notes = Vec::new();
    let mut number = 0;
    let done = each_element(object, key, long, &mut notes, &mut |object, said, notes| {
        context.notes.append(notes);
        let name = format!("{key}.{number}");
        number += 1;
        if let Some(said) = element(object, said, name, context) {
            each(said, context);
        }
    });
    context.notes.append(&mut notes);
    context.notes.extend(done.as_ref().err().cloned());
    done.is_ok()
}
