//! Podcast transcripts in JSON, as Podcasting 2.0 has them.
//!
//! ```text
//! {"version": "1.0.0", "segments": [
//!   {"speaker": "Ada", "startTime": 0.5, "endTime": 0.75, "body": "Good"}, …]}
//! ```
//!
//! A segment is often one word.

use super::captions::{Cue, segments};
use super::{About, Claim, File, Format, Parsed, Parts, Probe, Read};
use crate::json::{self, Map};

pub(super) const FORMAT: Format = Format {
    name: "podcast-transcript",
    title: "Podcast transcripts (JSON)",
    source_label: "Podcast transcript",
    about: About {
        what: "The transcript of an episode, as Podcasting 2.0 has it in JSON.",
        find: "The file that `<podcast:transcript>` in the feed of a podcast leads to.",
        reads: "Speakers, words, and when in the episode they are said. Segments of one speaker \
                are one turn.",
        leaves_out: "Transcripts in HTML; those in WebVTT and SubRip are formats of their own.",
    },
    read: Some(Read { claims, parse, gather: None, history: None, parts: Parts::Whole }),
    write: None,
};

fn claims(probe: &Probe<'_>) -> Claim {
    let keys = probe.keys();
    let segments =
        keys.iter().find(|(key, _)| *key == "segments").map(|(_, value)| *value);
    let is_one = segments.is_some_and(|segments| {
        let first = json::keys(segments.trim_start_matches('[').trim_start());
        let has = |name: &str| first.iter().any(|(key, _)| *key == name);
        has("startTime") && has("body")
    });
    if is_one { Claim::Signature } else { Claim::No }
}

fn parse(files: &[File]) -> Parsed {
    segments::read(files, "segments", cues)
}

fn cues(segment: &Map) -> Option<Vec<Cue>> {
    let text = segment.get("body")?.as_str()?.to_owned();
    Some(vec![Cue {
        start: segments::seconds(segment, "startTime"),
        end: segments::seconds(segment, "endTime"),
        voice: segments::name(segment, "speaker"),
        text,
        ..Cue::default()
    }])
}
