//! Reads database rows that are stored as lines: `{"store": "zed", "table": "threads", "row": {…}}`.
//!
//! This is not a format itself; each program has its own tables.

use super::object::Object;
use super::records::records;
use crate::shared::access::visibility;
use crate::{File, Probe};
use convo_base::diag::{Lines, Note, Severity};
use convo_base::json::{self, Map, Step, Value};
use convo_base::text::{bytes, plural};

/// A row of a table.
pub(crate) struct Row<'a> {
    pub(crate) table: String,
    /// The columns, including those that may restrict access.
    pub(crate) columns: Object<'a>,
    /// The line of the file, from 1.
    pub(crate) line: u32,
}

/// Returns whether a text contains rows from the database of a program.
pub(crate) fn claims(probe: &Probe<'_>, store: &str) -> bool {
    let is_row = probe.value("table").is_some_and(|table| table.starts_with('"'))
        && probe.value("row").is_some_and(|row| row.starts_with('{'));
    is_row && probe.value("store").is_some_and(|own| own.trim_matches('"') == store)
}

/// Reads each row of a file. An invalid row is skipped with a note.
pub(crate) fn each<'a>(
    file: &'a File,
    index: usize,
    lines: &Lines<'_>,
    notes: &mut Vec<Note>,
    take: &mut dyn FnMut(Row<'a>, &mut Vec<Note>),
) {
    let mut broken = Vec::new();
    for record in records(file, index, &[], &mut broken) {
        let line = lines.line(record.at.start);
        let at = record.at.start..record.at.start + 1;
        let mut map = match record.value {
            Value::Object(map) => map,
            _ => Map::new(),
        };
        let (Some(Value::String(table)), Some(Value::Object(columns))) =
            (map.shift_remove("table"), map.shift_remove("row"))
        else {
            let note = Note::error("wrong-type", at, "this is not a database row");
            notes.push(note.in_file(index).hint("only this row is skipped"));
            continue;
        };
        if let Some(Value::Object(omitted)) = map.shift_remove("omitted") {
            for (column, length) in omitted {
                let length = bytes(length.as_u64().unwrap_or_default());
                let message = format!(
                    "column `{column}` of a row in `{table}` is not text, or is too long: {length}"
                );
                let note = Note::new(Severity::Warning, "too-large", Some(at.clone()), message);
                notes.push(note.in_file(index).hint("the rest of the row is read"));
            }
        }
        if let Some(beyond) = map.get("beyond").and_then(Value::as_u64) {
            let rows = plural(beyond, "more row", "more rows");
            let message = format!("not read: {rows} of this conversation, which has too many");
            let note = Note::new(Severity::Warning, "too-large", Some(at), message);
            notes.push(note.in_file(index).hint("the earlier rows are read"));
            continue;
        }
        let whole = file.text.get(record.at.clone()).unwrap_or_default();
        let own = json::locate(whole, &[Step::Key("row")]);
        let own = record.at.start + own.start..record.at.start + own.end;
        let columns = Object::new(columns, &file.text, index, own)
            .in_marked(visibility::has_own_mark(&map, &[]));
        take(Row { table, columns, line }, notes);
    }
    notes.append(&mut broken);
}
