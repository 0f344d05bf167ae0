//! WebVTT captions of videos and recordings, and transcripts of meetings.
//!
//! ```text
//! WEBVTT - The night of the eels      the text after the dash is the title
//! Language: en
//!
//! NOTE private: true                  comments are hidden; their access settings count
//!
//! 1
//! 00:00:01.000 --> 00:00:03.500
//! <v Ada>Good <i>evening</i>.</v>     or `Ada: Good evening.`, as Zoom writes it
//! ```

use super::{About, Claim, File, Format, Parsed, Probe, Read};
use crate::shared::people::captions::{add_cues, captions, front_matter, meeting, unrolled};
use crate::shared::text::front;
use convo_base::diag::{Note, Severity};
use convo_base::model::MEDIA;

pub(super) const FORMAT: Format = Format {
    name: "webvtt",
    title: "WebVTT captions",
    source_label: "WebVTT",
    between_people: true,
    has_typed_prompts: false,
    about: About {
        what: "Captions of videos, podcasts and lectures, and the transcripts of Zoom, Teams and \
               YouTube.",
        find: "Files that end in `.vtt`.",
        reads: "Speakers, from voice tags or from names before colons, the text, and when each \
                part is said in the recording. Consecutive cues of one speaker are one turn; text \
                repeated by captions that roll or grow word by word appears once.",
        leaves_out: "Comments, styles and positions; chapter and metadata tracks.",
    },
    read: Some(Read::new(claims, parse)),
    write: None,
};

fn claims(probe: &Probe<'_>) -> Claim {
    let (name, text) = (probe.name, probe.text);
    let text = &text[front::split(text).1..];
    let behind = text.trim_start().strip_prefix("WEBVTT");
    let is_head = behind.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\n']));
    match is_head {
        true => Claim::Signature,
        false if name.to_ascii_lowercase().ends_with(".vtt") && text.contains("-->") => Claim::Name,
        false => Claim::No,
    }
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    let Some(File { name, text, .. }) = files.first() else { return parsed };
    let notes = &mut parsed.notes;
    let (read, from) = front_matter(text, notes);
    let lead = text.len() - text[from..].trim_start().len();
    let file = captions(text, from, true, notes);
    let field = |name: &str| {
        let found = file.fields.iter().find(|(key, ..)| key.eq_ignore_ascii_case(name));
        found.map(|(_, value, _)| value.as_str())
    };
    let kind = field("kind").unwrap_or_default().to_ascii_lowercase();
    if matches!(kind.as_str(), "chapters" | "metadata") {
        let message = format!("this file is a {kind} track without speech; not published");
        notes.push(Note::new(Severity::Hint, "unknown-format", Some(lead..lead + 6), message));
        return parsed;
    }
    let access = file.access(lead..lead + 6, notes);
    let mut read = add_cues(unrolled(file.cues, file.is_timed), read);
    access.apply(&mut read);
    let heading = (!file.heading.is_empty()).then_some(file.heading);
    if let Some(recording) = field(MEDIA).filter(|name| !name.is_empty()) {
        read.extra.entry(MEDIA).or_insert_with(|| recording.into());
    }
    read.title = read.title.or(heading);
    meeting::complete(&mut read, name);
    read.languages.extend(field("language").filter(|tag| !tag.is_empty()).map(str::to_owned));
    if read.turns.is_empty() {
        let at = lead..lead + text[lead..].find('\n').unwrap_or(text.len() - lead);
        let message = "no cue with text found";
        notes.push(Note::new(Severity::Hint, "no-turns", Some(at), message));
    } else {
        parsed.conversations.push(read);
    }
    parsed
}
