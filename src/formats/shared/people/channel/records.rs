//! The messages of a JSON file.

use crate::File;
use crate::shared::json::object::Object;
use crate::shared::json::records::records;
use convo_base::diag::{Lines, Note};
use convo_base::json::{Map, Value, type_of};
use convo_base::model::Place;

/// Calls `take` with each object of the file at `index`, and its place: the elements of a list at
/// the top or under one of `keys`, or the lines of the file. Malformed elements are reported and
/// skipped.
pub(crate) fn each(
    file: &File,
    index: usize,
    keys: &[&str],
    notes: &mut Vec<Note>,
    take: &mut dyn FnMut(Object<'_>, Place, &mut Vec<Note>),
) {
    let lines = Lines::new(&file.text);
    let mut broken = Vec::new();
    for record in records(file, index, keys, &mut broken) {
        let line = lines.line(record.at.start);
        let place = Place { file: index, line, quoted: true };
        match record.value {
            Value::Object(map) => {
                take(Object::new(map, &file.text, index, record.at), place, notes);
            }
            other => {
                let message = format!("expected an object, found {}", type_of(&other));
                let at = record.at.start..record.at.start + 1;
                let note = Note::error("wrong-type", at, message).in_file(index);
                notes.push(note.hint("only this message is skipped"));
            }
        }
    }
    notes.append(&mut broken);
}

/// Iterates over the objects of the list under a key.
pub(crate) fn objects<'a>(map: &'a Map, key: &str) -> impl Iterator<Item = &'a Map> + use<'a> {
    let list = map.get(key).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_object)
}
