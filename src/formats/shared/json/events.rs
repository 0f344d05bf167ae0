//! Iterates over the events of a log: one JSON object per line, or the elements of a list.

use super::object::{Object, as_object};
use super::records::records;
use crate::File;
use convo_base::diag::{Lines, Note};

/// Passes the events of file number `index` to `each`, with their lines. They may be in a list under one of `keys`.
/// Whatever is not an object is reported and skipped.
pub(crate) fn each_event(
    file: &File,
    index: usize,
    keys: &[&str],
    notes: &mut Vec<Note>,
    each: &mut dyn FnMut(Object<'_>, u32, &mut Vec<Note>),
) {
    let lines = Lines::new(&file.text);
    let mut reported = Vec::new();
    for record in records(file, index, keys, notes) {
        let at = record.at;
        let Some(map) = as_object(record.value, "event", &at, index, &mut reported) else {
            continue;
        };
        let line = lines.line(at.start);
        each(Object::new(map, &file.text, index, at), line, &mut reported);
    }
    notes.append(&mut reported);
}
