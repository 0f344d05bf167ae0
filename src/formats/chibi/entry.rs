//! Reads one line of a log.

use std::ops::Range;

use super::super::Cut;
use crate::shared::json::object::{Object, as_object, deviation_notes, lines_of};
use crate::shared::text::dates;
use convo_base::diag::{Note, Severity};
use convo_base::json::{self, Map, Value};
use convo_base::time::Time;

/// An entry of the log.
pub(super) struct Entry {
    pub(super) kind: String,
    pub(super) from: String,
    pub(super) to: String,
    pub(super) content: String,
    pub(super) role: Option<String>,
    pub(super) call: Option<String>,
    pub(super) time: Option<Time>,
    pub(super) metadata: Map,
    /// Whether it must not be shown.
    pub(super) withheld: bool,
    /// All other fields.
    pub(super) rest: Map,
    /// All fields, for entries of an unknown type.
    pub(super) whole: Map,
    /// The byte range in the file.
    pub(super) range: Range<usize>,
    pub(super) file: usize,
    pub(super) line: u32,
}

/// Rates a cut between two lines. A long log is split before messages of people if possible, and not
/// between a call and its result.
pub(super) fn cut(before: &str, after: &str) -> Cut {
    let (before, keys) = (json::keys(before), json::keys(after));
    let has = |keys: &[(&str, &str)], key: &str, words: &[&str]| {
        let word = keys.iter().find(|(known, _)| *known == key);
        word.is_some_and(|(_, value)| words.contains(&value.trim_matches('"')))
    };
    let is = |key: &str, words: &[&str]| has(&keys, key, words);
    if is("entry_type", &["context_created", "compaction", "archival"])
        || is("entry_type", &["message"]) && !is("to", &["user"]) && !is("role", &["agent"])
    {
        Cut::Good
    } else if is("entry_type", &["tool_result"]) || has(&before, "entry_type", &["tool_call"]) {
        Cut::Bad
    } else {
        Cut::Passable
    }
}

/// Returns the entries of a file.
pub(super) fn entries(text: &str, file: usize, notes: &mut Vec<Note>) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut start = 0;
    if text.trim_start().starts_with('[')
        && let Ok((Value::Array(list), _)) = json::parse(text)
    {
        // The lines were collected in a single array.
        let places = json::elements(text, &[]);
        let lines = lines_of(text, places.iter().map(|range| range.start));
        for ((value, range), line) in list.into_iter().zip(places).zip(lines) {
            if let Some(map) = as_object(value, "entry", &range, file, notes) {
                let object = Object::new(map, text, file, range.clone());
                entries.push(entry(object, range, file, line, notes));
            }
        }
        return entries;
    }
    let reported = notes.len();
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let range = start..start + line.trim_end_matches('\n').len();
        start += line.len();
        if line.trim().is_empty() {
            continue;
        }
        let last = start == text.len() && !line.ends_with('\n');
        if let Some(map) = object(text, range.clone(), file, last, notes) {
            let object = Object::new(map, text, file, range.clone());
            entries.push(entry(object, range, file, number as u32 + 1, notes));
        }
    }
    // For a file in another format, one note is enough.
    if entries.is_empty() && notes.len() > reported + 1 {
        notes.truncate(reported + 1);
        let first = &mut notes[reported];
        first.hints =
            vec!["no line of this file is a chibi entry; is it in another format?".to_owned()];
    }
    entries
}

fn object(
    text: &str,
    range: Range<usize>,
    file: usize,
    last: bool,
    notes: &mut Vec<Note>,
) -> Option<Map> {
    let line = &text[range.clone()];
    match json::parse(line) {
        Ok((value, deviations)) => {
            let map = as_object(value, "entry", &range, file, notes)?;
            notes.extend(
                deviation_notes(deviations, text, range.start).map(|note| note.in_file(file)),
            );
            Some(map)
        }
        Err(_) if last && line.starts_with('{') && !line.ends_with('}') => {
            let message = "the last line is incomplete and was skipped";
            let note = Note::new(Severity::Hint, "half-line", Some(range), message);
            notes.push(note.in_file(file).hint("the file was still being written"));
            None
        }
        Err(error) => {
            let at = range.start + error.at;
            let message = error.about("this line");
            let note = Note::error("bad-json", at..at, message).in_file(file);
            notes.push(note.hint("only this line is skipped"));
            None
        }
    }
}

fn entry(
    mut object: Object<'_>,
    range: Range<usize>,
    file: usize,
    line: u32,
    notes: &mut Vec<Note>,
) -> Entry {
    let whole = object.copy();
    let withheld = object.is_withheld(notes);
    // Data where a text should be is shown as data.
    let data = match object.get("content") {
        Some(value @ (Value::Object(_) | Value::Array(_))) => Some(value.to_string()),
        _ => None,
    };
    let mut entry = Entry {
        kind: object.text("entry_type", notes).unwrap_or_default(),
        from: object.text("from", notes).unwrap_or_default(),
        to: object.text("to", notes).unwrap_or_default(),
        content: object.text("content", notes).unwrap_or_default(),
        role: object.text("role", notes),
        call: object.text("tool_call_id", notes),
        time: object.unix_time("timestamp", notes),
        metadata: object.object("metadata", notes).unwrap_or_default(),
        withheld,
        rest: object.rest(),
        whole,
        range,
        file,
        line,
    };
    if let Some(data) = data {
        entry.rest.shift_remove("content");
        entry.content = data;
    }
    if let Some((prefix, time)) = stamp(&entry.content) {
        entry.rest.insert("prefix".to_owned(), entry.content[..prefix].into());
        entry.content.drain(..prefix);
        entry.time = entry.time.or(Some(time));
    }
    entry
}

/// Returns the length of a prefix such as `[20260306-1234+0000] `, and the time in it.
fn stamp(content: &str) -> Option<(usize, Time)> {
    let inside = content.strip_prefix('[')?;
    let (stamp, _) = inside.split_once("] ")?;
    let time = dates::stamp(stamp).filter(|_| stamp.as_bytes().get(8) == Some(&b'-'))?;
    let (_, zone) = time.clock()?;
    zone.map(|_| (stamp.len() + 3, time))
}
