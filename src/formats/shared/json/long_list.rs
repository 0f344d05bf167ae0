//! Parses lists of messages that are too long for memory, one message at a time.

use std::ops::Range;

use super::object::{Object, deviation_notes};
use crate::shared::access::visibility;
use convo_base::diag::Note;
use convo_base::json::{self, Deviation, Value};
use convo_base::text::grouped;

/// The maximum number of messages of a conversation that are read this way.
pub(crate) const MAX_MESSAGES: usize = 250_000;

/// An element with its byte range in the file.
pub(crate) type Element = (Value, Range<usize>);

/// Calls `each` with the elements of the list under a key, each with its byte range in the file. The
/// elements come from the object or, if the list was too long for that, from its text at `long`.
///
/// The error is a note that the text is not valid JSON or has too many elements.
pub(crate) fn each_element(
    object: &mut Object<'_>,
    key: &str,
    long: Option<Range<usize>>,
    notes: &mut Vec<Note>,
    each: &mut dyn FnMut(&Object<'_>, Element, &mut Vec<Note>),
) -> Result<(), Note> {
    let listed = object.array(key, notes).unwrap_or_default();
    for element in listed {
        each(object, element, notes);
    }
    let Some(long) = long else { return Ok(()) };
    let (text, file) = (object.source(), object.file());
    for at in places(text, long, file, notes)? {
        let value = parse(text, at.clone(), file, notes)?;
        each(object, (value, at), notes);
    }
    Ok(())
}

/// Parses one of the elements.
pub(crate) fn parse(
    text: &str,
    at: Range<usize>,
    file: usize,
    notes: &mut Vec<Note>,
) -> Result<Value, Note> {
    let (value, deviations) = visibility::parse(&text[at.clone()])
        .map_err(|error| broken(at.start + error.at, error.about("this message")).in_file(file))?;
    let reported = deviation_notes(deviations, text, at.start);
    notes.extend(reported.map(|note| note.in_file(file)));
    Ok(value)
}

/// Returns the byte ranges of the elements of the list at `long`.
fn places(
    text: &str,
    long: Range<usize>,
    file: usize,
    notes: &mut Vec<Note>,
) -> Result<Vec<Range<usize>>, Note> {
    let list = &text[long.clone()];
    let mut places = Vec::new();
    let (mut at, mut comma) = (1, None);
    loop {
        let found = json::value_at(list, at);
        if found.is_empty() {
            break;
        }
        at = found.end;
        places.push(long.start + found.start..long.start + found.end);
        if places.len() > MAX_MESSAGES {
            return Err(too_many(long.start).in_file(file));
        }
        let rest = list[at..].trim_start();
        comma = rest.starts_with(',').then_some(list.len() - rest.len());
        match comma {
            Some(comma) => at = comma + 1,
            None => break,
        }
    }
    if list[at..].trim() != "]" {
        let at = long.start + at;
        let message = "this is not valid JSON: expected `,` or `]`".to_owned();
        return Err(broken(at, message).in_file(file));
    }
    if let Some(comma) = comma {
        let comma = (Deviation::TrailingComma, comma..comma + 1);
        let reported = deviation_notes(vec![comma], text, long.start);
        notes.extend(reported.map(|note| note.in_file(file)));
    }
    Ok(places)
}

/// Makes the note for a conversation that is not valid JSON.
pub(crate) fn broken(at: usize, message: String) -> Note {
    skipping(Note::error("bad-json", at..at, message))
}

/// Makes the note for a conversation with too many messages.
pub(crate) fn too_many(at: usize) -> Note {
    let most = grouped(MAX_MESSAGES as u64);
    let message = format!("this conversation has more than {most} messages");
    skipping(Note::error("too-large", at..at, message))
}

fn skipping(note: Note) -> Note {
    note.hint("only this conversation is skipped")
}
