//! Replays the log of a chat to its final state.

use super::super::File;
use crate::shared::json::records::records;
use convo_base::diag::{Lines, Note, Severity};
use convo_base::json::{Map, Value};

/// The key of the requests.
pub(super) const REQUESTS: &str = "requests";

/// The maximum length of a path to a changed value. Paths of VS Code are less than half as long.
const MAX_PATH: usize = 64;

/// The final state of a chat.
#[derive(Default)]
pub(super) struct Chat {
    /// The whole object.
    pub(super) state: Map,
    /// The line of each request.
    pub(super) lines: Vec<u32>,
}

/// Reads a chat: a file with a single object, or all lines of a log.
pub(super) fn replay(file: &File, index: usize, notes: &mut Vec<Note>) -> Chat {
    let lines = Lines::new(&file.text);
    let mut chat = Chat::default();
    let mut reported = Vec::new();
    for record in records(file, index, &[], notes) {
        let line = lines.line(record.at.start);
        let start = record.at.start..record.at.start + 1;
        let applied = match record.value {
            Value::Object(entry) if is_entry(&entry) => chat.apply(entry, line),
            Value::Object(whole) if whole.contains_key(REQUESTS) => {
                let text = file.text.get(record.at.clone()).unwrap_or_default();
                let places =
                    convo_base::json::elements(text, &[convo_base::json::Step::Key(REQUESTS)]);
                let line = |at: &std::ops::Range<usize>| lines.line(record.at.start + at.start);
                chat.lines = places.iter().map(line).collect();
                chat.state = whole;
                true
            }
            _ => false,
        };
        if !applied {
            let text = "a change to a value that does not exist".to_owned();
            let note = Note::new(Severity::Warning, "unknown-record", Some(start), text);
            reported.push(note.in_file(index).hint("only this change is skipped"));
        }
    }
    notes.append(&mut reported);
    chat
}

fn is_entry(map: &Map) -> bool {
    map.get("kind").is_some_and(Value::is_number)
        && (map.contains_key("v") || map.contains_key("k"))
}

impl Chat {
    /// Applies the change of an entry, and returns whether that was possible.
    fn apply(&mut self, mut entry: Map, line: u32) -> bool {
        let kind = entry.get("kind").and_then(Value::as_u64);
        let value = entry.remove("v");
        let path = match entry.remove("k") {
            Some(Value::Array(path)) => path,
            None => Vec::new(),
            Some(_) => return false,
        };
        if path.len() > MAX_PATH {
            return false;
        }
        let of_requests = matches!(path.as_slice(), [Value::String(key)] if key == REQUESTS);
        match kind {
            Some(0) => {
                let Some(Value::Object(state)) = value else { return false };
                self.state = state;
                self.lines = vec![line; self.requests()];
                true
            }
            Some(1) => {
                let done = self.set(&path, value.unwrap_or_default());
                self.note_lines(of_requests, line);
                done
            }
            Some(2) => {
                let items = match value {
                    Some(Value::Array(items)) => items,
                    None | Some(Value::Null) => Vec::new(),
                    Some(_) => return false,
                };
                let from = entry.get("i").and_then(Value::as_u64);
                let from = from.and_then(|from| usize::try_from(from).ok());
                if of_requests {
                    self.lines.truncate(from.unwrap_or(usize::MAX));
                    // A log whose start is missing.
                    self.state.entry(REQUESTS).or_insert_with(|| Value::Array(Vec::new()));
                }
                let Some(Value::Array(list)) = self.at(&path) else { return false };
                list.truncate(from.unwrap_or(usize::MAX));
                list.extend(items);
                self.note_lines(of_requests, line);
                true
            }
            Some(3) => self.delete(&path),
            _ => false,
        }
    }

    fn requests(&self) -> usize {
        self.state.get(REQUESTS).and_then(Value::as_array).map_or(0, Vec::len)
    }

    /// Records the line of the requests that an entry added.
    fn note_lines(&mut self, of_requests: bool, line: u32) {
        if of_requests {
            self.lines.resize(self.requests(), line);
        }
    }

    /// Returns the value at a path.
    fn at(&mut self, path: &[Value]) -> Option<&mut Value> {
        let (first, rest) = path.split_first()?;
        let mut value = self.state.get_mut(first.as_str()?)?;
        for step in rest {
            value = match (value, step) {
                (Value::Object(map), Value::String(key)) => map.get_mut(key)?,
                (Value::Array(list), step) => list.get_mut(place(step)?)?,
                _ => return None,
            };
        }
        Some(value)
    }

    fn set(&mut self, path: &[Value], value: Value) -> bool {
        let Some((last, above)) = path.split_last() else { return false };
        if above.is_empty() {
            let Some(key) = last.as_str() else { return false };
            self.state.insert(key.to_owned(), value);
            return true;
        }
        match (self.at(above), last) {
            (Some(Value::Object(map)), Value::String(key)) => {
                map.insert(key.clone(), value);
                true
            }
            (Some(Value::Array(list)), step) => match place(step) {
                Some(at) if at < list.len() => {
                    list[at] = value;
                    true
                }
                Some(at) if at == list.len() => {
                    list.push(value);
                    true
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn delete(&mut self, path: &[Value]) -> bool {
        let Some((last, above)) = path.split_last() else { return false };
        if above.is_empty() {
            last.as_str().is_some_and(|key| self.state.shift_remove(key).is_some())
        } else {
            match (self.at(above), last) {
                // Deleting a missing value is not an error.
                (Some(Value::Object(map)), Value::String(key)) => {
                    map.shift_remove(key);
                    true
                }
                (Some(Value::Array(list)), step) => {
                    let slot = place(step).and_then(|at| list.get_mut(at));
                    slot.map(|slot| *slot = Value::Null).is_some()
                }
                _ => false,
            }
        }
    }
}

fn place(step: &Value) -> Option<usize> {
    usize::try_from(step.as_u64()?).ok()
}
