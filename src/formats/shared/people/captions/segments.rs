//! Lists of segments in JSON, the output of speech recognition.

use serde_json::Value;

use super::cue::Cue;
use super::turns::conversation;
use super::{meeting, unrolled};
use crate::shared::access::visibility;
use crate::shared::json::object::{Object, document, lines_of};
use crate::{File, Parsed};
use convo_base::diag::{Note, Severity};
use convo_base::json::{self, Map, type_of};
use convo_base::model::{MEDIA, Place};

/// Reads a file with a list of segments under a key. `cues` converts one segment.
pub(crate) fn read(
    files: &[File],
    key: &'static str,
    cues: fn(&Map) -> Option<Vec<Cue>>,
) -> Parsed {
    let mut parsed = Parsed::default();
    let Some(File { name, text, .. }) = files.first() else { return parsed };
    let notes = &mut parsed.notes;
    let Some(value) = document(text, 0..text.len(), 0, notes) else { return parsed };
    let at = json::locate(text, &[]);
    let Value::Object(map) = value else { return parsed };
    let mut object = Object::new(map, text, 0, at.clone());
    let access = object.access("private", &[key], notes);
    let Some(list) = object.array(key, notes) else { return parsed };
    let lines = lines_of(text, list.iter().map(|(_, at)| at.start));
    let (mut all, mut marked) = (Vec::new(), Vec::new());
    for ((value, at), line) in list.into_iter().zip(lines) {
        let place = Place { line, quoted: true, ..Place::default() };
        if value.as_object().is_some_and(visibility::is_marked) {
            marked.push(at);
            continue;
        }
        match value.as_object().and_then(cues) {
            Some(cues) => all.extend(cues.into_iter().map(|cue| Cue { place, ..cue })),
            None => {
                let message =
                    format!("expected a segment with text, found {} without text", type_of(&value));
                let note = Note::warning("bad-cue", at, message);
                notes.push(note.hint("the other segments are kept"));
            }
        }
    }
    if let Some(first) = marked.first() {
        notes.push(visibility::withheld_turns_note(marked.len(), first.clone()));
    }
    let mut read = conversation(unrolled(all, false));
    access.apply(&mut read);
    let result = object.object("result", notes);
    let result = result.as_ref().and_then(|result| result.get("language")?.as_str());
    let language = object.get("language").and_then(Value::as_str).or(result);
    // Some programs write `english`, which is not a language tag.
    let language = language.filter(|tag| (2..=3).contains(&tag.len())).map(str::to_owned);
    read.languages.extend(language);
    let recording = object.get(MEDIA).filter(|name| name.is_string()).cloned();
    read.extra.extend(recording.map(|name| (MEDIA.to_owned(), name)));
    read.title = object.get("title").and_then(Value::as_str).map(str::to_owned);
    meeting::complete(&mut read, name);
    if read.turns.is_empty() {
        let at = Some(at.start..at.start + 1);
        notes.push(Note::new(Severity::Hint, "no-turns", at, "no speech found in this transcript"));
    } else {
        parsed.conversations.push(read);
    }
    parsed
}

/// Returns the time under a key, which is in seconds. Milliseconds.
pub(crate) fn seconds(map: &Map, key: &str) -> Option<u64> {
    let value = map.get(key)?;
    let seconds = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())?;
    // A year has 31,536,000 seconds.
    let fits = (0.0..1e9).contains(&seconds);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it fits")]
    fits.then(|| (seconds * 1000.0).round() as u64)
}

/// Returns the name under a key; some programs write a number.
pub(crate) fn name(map: &Map, key: &str) -> Option<String> {
    let name = match map.get(key)? {
        Value::String(name) => name.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    let is_number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    let name = if is_number { format!("{} {name}", super::SOMEBODY) } else { name };
    (!name.is_empty()).then_some(name)
}
