//! SubRip captions, each with a number and a timing line.
//!
//! ```text
//! 1
//! 00:00:01,000 --> 00:00:03,500
//! Ada: Good evening.
//! ```

use super::{About, Claim, File, Format, Parsed, Probe, Read};
use crate::shared::people::captions::{add_cues, captions, front_matter, meeting, unrolled};
use crate::shared::text::front;
use convo_base::diag::{Note, Severity};

pub(super) const FORMAT: Format = Format {
    name: "srt",
    title: "SubRip captions",
    source_label: "SubRip",
    between_people: true,
    has_typed_prompts: false,
    about: About {
        what: "SubRip captions of videos and recordings, which most programs can write.",
        find: "Files that end in `.srt`.",
        reads: "The text, when each part is said in the recording, and the speakers, if cues \
                start with a name and a colon. Consecutive cues of one speaker are one turn.",
        leaves_out: "Positions, colours and other styles.",
    },
    read: Some(Read::new(claims, parse)),
    write: None,
};

/// The number of lines in which the first timing line must occur.
const FIRST_LINES: usize = 10;

fn claims(probe: &Probe<'_>) -> Claim {
    let (name, text) = (probe.name, probe.text);
    let name = name.to_ascii_lowercase();
    let text = &text[front::split(text).1..];
    if name.ends_with(".vtt") || text.trim_start().starts_with("WEBVTT") {
        return Claim::No;
    }
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let opens = |line: &str| {
        crate::shared::text::dates::timing(line)
            .is_some_and(|(from, to)| from.is_some() && to.is_some())
    };
    let first = lines.next().unwrap_or_default();
    let is_number = !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit());
    let is_timed = opens(first) || is_number && lines.next().is_some_and(opens);
    let is_named = name.ends_with(".srt");
    match is_timed {
        true => Claim::Signature,
        false if is_named && text.lines().take(FIRST_LINES).any(|line| line.contains("-->")) => {
            Claim::Name
        }
        false => Claim::No,
    }
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    let Some(File { name, text, .. }) = files.first() else { return parsed };
    let notes = &mut parsed.notes;
    let (read, from) = front_matter(text, notes);
    let file = captions(text, from, false, notes);
    let access = file.access(0..0, notes);
    let mut read = add_cues(unrolled(file.cues, file.is_timed), read);
    access.apply(&mut read);
    meeting::complete(&mut read, name);
    if read.turns.is_empty() {
        let at = 0..text.find('\n').unwrap_or(text.len());
        let message = "no cue with text found";
        parsed.notes.push(Note::new(Severity::Hint, "no-turns", Some(at), message));
    } else {
        parsed.conversations.push(read);
    }
    parsed
}
