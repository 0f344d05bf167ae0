//! Transcripts of Whisper and related programs, as JSON.
//!
//! ```text
//! {"text": …, "language": "en", "segments": [{"start": 0.0, "end": 2.1, "text": " Good evening."}, …]}
//! {"segments": [{…, "speaker": "SPEAKER_00", "words": [{"word": "Good", "speaker": …}, …]}, …]}
//! {"result": {"language": "en"}, "transcription": [{"offsets": {"from": 0, "to": 2100}, "text": …}, …]}
//! ```
//!
//! The first line is from OpenAI's program, the second from WhisperX, the third from whisper.cpp.

use serde_json::Value;

use super::{About, Claim, File, Format, Parsed, Probe, Read};
use crate::shared::people::captions::{Cue, segments};
use convo_base::json::{self, Map};

pub(super) const FORMAT: Format = Format {
    name: "whisper",
    title: "Whisper transcripts",
    source_label: "Whisper",
    between_people: true,
    has_typed_prompts: false,
    about: About {
        what: "The JSON output of Whisper, WhisperX, whisper.cpp, and of programs that write the \
               same layout.",
        find: "The file that `whisper --output_format json`, `whisperx` or `whisper-cli -oj` \
               writes beside the recording.",
        reads: "The text, when each part is said in the recording, the language, and the speakers \
                of WhisperX and whisper.cpp. `[people]` can give `SPEAKER_00` a name.",
        leaves_out: "Confidence values and settings.",
    },
    read: Some(Read::new(claims, parse)),
    write: None,
};

fn claims(probe: &Probe<'_>) -> Claim {
    let text = probe.text;
    match list_key(text) {
        Some(_) => Claim::Signature,
        None => Claim::No,
    }
}

/// Returns the key of the segments.
fn list_key(text: &str) -> Option<&'static str> {
    let keys = json::keys(text);
    let first = |name: &str| {
        let (_, list) = keys.iter().find(|(key, _)| *key == name)?;
        Some(json::keys(list.strip_prefix('[')?.trim_start()))
    };
    let has = |keys: &[(&str, &str)], all: &[&str]| {
        all.iter().all(|name| keys.iter().any(|(key, _)| key == name))
    };
    if first("segments").is_some_and(|first| has(&first, &["start", "end", "text"])) {
        return Some("segments");
    }
    let is_cpp = |first: Vec<(&str, &str)>| has(&first, &["offsets", "text"]);
    first("transcription").is_some_and(is_cpp).then_some("transcription")
}

fn parse(files: &[File]) -> Parsed {
    match files.first().and_then(|file| list_key(&file.text)) {
        Some("transcription") => segments::read(files, "transcription", cpp_cues),
        _ => segments::read(files, "segments", cues),
    }
}

fn cpp_cues(segment: &Map) -> Option<Vec<Cue>> {
    let text = segment.get("text")?.as_str()?.to_owned();
    let offsets = segment.get("offsets").and_then(Value::as_object);
    let offset = |key: &str| offsets?.get(key)?.as_u64();
    let voice = segments::name(segment, "speaker");
    Some(vec![Cue { start: offset("from"), end: offset("to"), voice, text, ..Cue::default() }])
}

fn cues(segment: &Map) -> Option<Vec<Cue>> {
    let text = segment.get("text")?.as_str()?;
    let whole = Cue {
        start: segments::seconds(segment, "start"),
        end: segments::seconds(segment, "end"),
        voice: segments::name(segment, "speaker"),
        text: text.to_owned(),
        ..Cue::default()
    };
    let words = segment.get("words").and_then(Value::as_array);
    let cues = words.map(|words| cues_of_words(words, &whole)).unwrap_or_default();
    // The words replace the segment only if they contain its whole text.
    let joined: String = cues.iter().flat_map(|cue| cue.text.split_whitespace()).collect();
    let is_whole = joined == text.split_whitespace().collect::<String>();
    Some(if cues.len() > 1 && is_whole { cues } else { vec![first_voice(whole, &cues)] })
}

/// Gives a segment without a speaker the first speaker of its words.
fn first_voice(whole: Cue, cues: &[Cue]) -> Cue {
    let voice = whole.voice.clone().or_else(|| cues.iter().find_map(|cue| cue.voice.clone()));
    Cue { voice, ..whole }
}

/// Splits a segment where the speaker changes.
fn cues_of_words(words: &[Value], whole: &Cue) -> Vec<Cue> {
    let mut cues: Vec<Cue> = Vec::new();
    for word in words.iter().filter_map(Value::as_object) {
        let Some(text) = word.get("word").and_then(Value::as_str) else { continue };
        // WhisperX gives numbers neither a time nor a speaker.
        let before = cues.last().and_then(|cue| cue.voice.clone());
        let voice = segments::name(word, "speaker").or(before).or_else(|| whole.voice.clone());
        let (start, end) = (segments::seconds(word, "start"), segments::seconds(word, "end"));
        match cues.last_mut().filter(|cue| cue.voice == voice) {
            Some(cue) => {
                cue.text.push(' ');
                cue.text.push_str(text.trim());
                cue.end = end.or(cue.end);
            }
            None => {
                let start = start.or(if cues.is_empty() { whole.start } else { None });
                let text = text.trim().to_owned();
                cues.push(Cue { start, end, voice, text, ..Cue::default() });
            }
        }
    }
    cues
}
