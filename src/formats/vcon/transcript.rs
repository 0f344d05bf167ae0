//! Transcripts of recordings, in the layouts of several programs.

use std::collections::HashMap;

use super::parties::Parties;
use crate::shared::agents::thread::{
    self, Blocks, Context, Message, Parent, arguments, first, text,
};
use crate::shared::text::dates;
use convo_base::json::{Map, Value};
use convo_base::model::{Kind, Place, Turn};
use convo_base::time::Time;

/// A piece of a transcript.
struct Piece {
    who: (String, Kind),
    text: String,
    time: Option<Time>,
    /// Seconds from the start of the recording.
    offset: Option<f64>,
}

/// Reads the transcript of a recording that began at `start`. Consecutive pieces of a speaker are
/// one turn. `place` is the place of the dialog.
pub(super) fn read(
    map: &Map,
    parties: &Parties,
    start: Option<&Time>,
    place: Place,
    context: &mut Context<'_>,
) -> Vec<Message> {
    let body = map.get("body").or_else(|| map.get("transcript"));
    // It may be JSON in a string.
    let body = arguments(body).unwrap_or_default();
    let mut unknown = HashMap::new();
    let mut pieces: Vec<Piece> = Vec::new();
    match pieces_of(&body) {
        Some(list) => {
            for piece in list.iter().filter_map(Value::as_object) {
                let Some(piece) = self::piece(piece, parties, &mut unknown) else {
                    continue;
                };
                match pieces.last_mut().filter(|last| last.who == piece.who) {
                    Some(last) => {
                        last.text.push(' ');
                        last.text.push_str(&piece.text);
                    }
                    None => pieces.push(piece),
                }
            }
        }
        None => {
            let text = body.as_str().or_else(|| first(body.as_object()?, &["text", "transcript"]));
            pieces.extend(text.map(|text| Piece {
                who: (String::new(), Kind::System),
                text: text.trim().to_owned(),
                time: None,
                offset: None,
            }));
        }
    }
    if pieces.is_empty() && !body.is_null() {
        context
            .tally
            .not_shown("transcript in an unknown layout", "transcripts in an unknown layout");
    }
    let made = pieces.into_iter().map(|piece| {
        let mut blocks = Blocks::default();
        blocks.push_text(&piece.text, false);
        let turn = Turn {
            speaker: piece.who.0,
            time: piece.time.or_else(|| later(start, piece.offset)),
            offset: piece.offset.map(|seconds| dates::of_recording(1000 * seconds as u64)),
            blocks: blocks.done(),
            place: Place { quoted: true, ..place },
            ..Turn::default()
        };
        Message {
            id: String::new(),
            parent: Parent::Above,
            kind: piece.who.1,
            turn,
            alternatives: Vec::new(),
            is_withheld: false,
            start: 0..0,
            contents: (),
        }
    });
    made.collect()
}

/// Returns the list of pieces, which each program puts in a different place.
fn pieces_of(body: &Value) -> Option<&Vec<Value>> {
    match body {
        Value::Array(list) => Some(list),
        Value::Object(map) => {
            let keys =
                ["conversation", "segments", "utterances", "transcript", "turns", "messages"];
            keys.iter().find_map(|key| map.get(*key)?.as_array())
        }
        _ => None,
    }
}

fn piece(map: &Map, parties: &Parties, unknown: &mut HashMap<String, usize>) -> Option<Piece> {
    let own_text = first(map, &["message", "text", "transcript", "content", "body"])?.trim();
    let place = match map.get("parties").or_else(|| map.get("party")) {
        Some(Value::Array(list)) => list.first().and_then(Value::as_u64),
        other => other.and_then(Value::as_u64),
    };
    let speaker = map.get("speaker").and_then(thread::words);
    let speaker = speaker.or_else(|| first(map, &["role", "name"]).map(str::to_owned));
    let who = match (place, speaker) {
        (Some(place), _) => parties.at(place as usize),
        (None, Some(name)) => parties.named(&name, unknown),
        (None, None) => (String::new(), Kind::System),
    };
    let start = map.get("start").or_else(|| map.get("startTime"));
    let offset = start.and_then(Value::as_f64).filter(|offset| (0.0..1e7).contains(offset));
    let time = text(map, "start").and_then(dates::iso);
    Some(Piece { who, text: own_text.to_owned(), time, offset })
}

/// Returns the time a number of seconds after a start.
fn later(start: Option<&Time>, offset: Option<f64>) -> Option<Time> {
    let start = start?.instant().as_second();
    Time::from_unix(start.checked_add(offset? as i64)?)
}
