//! Podcast transcripts in the JSON and HTML formats of Podcasting 2.0.
//!
//! ```text
//! {"version": "1.0.0", "segments": [
//!   {"speaker": "Ada", "startTime": 0.5, "endTime": 0.75, "body": "Good"}, …]}
//! ```
//!
//! A segment is often a single word. [`page`] reads the HTML format.

mod page;

use super::page::is_html;
use super::{About, Bundle, Claim, File, Format, Listing, Parsed, Probe, Read};
use crate::shared::people::captions::{Cue, segments};
use convo_base::json::{self, Map};

pub(super) const FORMAT: Format = Format {
    name: "podcast-transcript",
    title: "Podcast transcripts (JSON, HTML)",
    source_label: "Podcast transcript",
    between_people: true,
    has_typed_prompts: false,
    about: About {
        what: "The transcript of a podcast episode, in the JSON or HTML format of Podcasting 2.0.",
        find: "The file that `<podcast:transcript>` in the feed of a podcast links to.",
        reads: "Speakers, text, and when each part is said in the episode. Consecutive segments \
                of one speaker are one turn.",
        leaves_out: "The rest of a page around a transcript. WebVTT and SubRip transcripts are \
                     separate formats.",
    },
    read: Some(Read::new(claims, parse).gather(gather)),
    write: None,
};

/// Returns the pages among files.
fn gather(listing: &Listing<'_>) -> Vec<Bundle> {
    let is_one = |name: &&&str| {
        let head = || (listing.head)(name, page::HEAD).unwrap_or_default();
        is_html(name) && page::is_one(&head())
    };
    listing.names.iter().filter(is_one).map(|name| Bundle::of_one(name)).collect()
}

fn claims(probe: &Probe<'_>) -> Claim {
    let (name, text) = (probe.name, probe.text);
    if text.trim_start().starts_with('<') {
        // Web pages have `<cite>` elements too, so the name and the contents must match.
        let is_one = is_html(name) && page::is_one(text);
        return if is_one { Claim::Signature } else { Claim::No };
    }
    let segments = probe.value("segments");
    let is_one = segments.is_some_and(|segments| {
        let first = json::keys(segments.trim_start_matches('[').trim_start());
        let has = |name: &str| first.iter().any(|(key, _)| *key == name);
        has("startTime") && has("body")
    });
    if is_one { Claim::Signature } else { Claim::No }
}

fn parse(files: &[File]) -> Parsed {
    if let Some(file) = files.first().filter(|file| file.text.trim_start().starts_with('<')) {
        return page::read(&file.name, &file.text);
    }
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
