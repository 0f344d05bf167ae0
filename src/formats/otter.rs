//! Transcripts exported from Otter as text.
//!
//! ```text
//! Harbour meeting
//! Wed, Mar 04, 2026 6:00PM • 12:03
//!
//! SUMMARY KEYWORDS
//! tide, boot
//!
//! Ada Wren  0:00
//! Good morning.
//!
//! Unknown Speaker  1:02:03
//! Yes.
//!
//! Transcribed by https://otter.ai
//! ```
//!
//! The header above the first speaker is optional.

use super::{About, Claim, File, Format, Parsed, Probe, Read};
use crate::shared::people::captions::{Cue, add_cues, front_matter, meeting};
use crate::shared::tally::Tally;
use crate::shared::text::dates;
use convo_base::diag::{Note, Severity};
use convo_base::model::{self, Place};
use convo_base::time::Time;

pub(super) const FORMAT: Format = Format {
    name: "otter",
    title: "Otter transcript (text)",
    source_label: "Otter",
    between_people: true,
    has_typed_prompts: false,
    about: About {
        what: "The transcript of a recording, exported from Otter as text.",
        find: "In an Otter conversation: ⋯ › Export › TXT, with names and times.",
        reads: "The title, the date, speakers, text, and when each part is said in the recording.",
        leaves_out: "The keywords and the speaker list above the text. DOCX and PDF exports are \
                     not supported; SRT exports are a separate format.",
    },
    read: Some(Read::new(claims, parse)),
    write: None,
};

/// The line that ends a transcript.
const FOOTER: &str = "Transcribed by https://otter.ai";
/// The headings of lists above the transcript. Each list ends at a blank line.
const LISTS: [&str; 3] = ["SUMMARY KEYWORDS", "KEYWORDS", "SPEAKERS"];
/// The maximum length of a name. Characters.
const MAX_NAME: usize = 80;

fn claims(probe: &Probe<'_>) -> Claim {
    let (name, text) = (probe.name, probe.text);
    if super::opens_json(text) || super::page::is_markdown(name) {
        return Claim::No;
    }
    match text.contains(FOOTER) && text.lines().any(|line| head(line).is_some()) {
        true => Claim::Signature,
        false => Claim::No,
    }
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    let Some(File { name, text, .. }) = files.first() else { return parsed };
    let notes = &mut parsed.notes;
    let (mut read, from) = front_matter(text, notes);
    let first = text[..from].matches('\n').count() as u32 + 1;
    let mut cues: Vec<Cue> = Vec::new();
    let mut above: Vec<&str> = Vec::new();
    let (mut tally, mut is_blank) = (Tally::default(), true);
    for (number, row) in (first..).zip(text[from..].split_inclusive('\n')) {
        let line = row.trim();
        let was_blank = std::mem::replace(&mut is_blank, line.is_empty());
        if let Some((voice, moment)) = head(row).filter(|_| was_blank) {
            let place = Place { line: number, ..Place::default() };
            let voice = Some(voice).filter(|name| !name.is_empty()).map(str::to_owned);
            cues.push(Cue { start: Some(moment), voice, place, ..Cue::default() });
        } else if let Some(cue) = cues.last_mut() {
            let line = line.strip_suffix(FOOTER).unwrap_or(line);
            cue.text.push_str(line);
            cue.text.push('\n');
        } else {
            above.push(line);
        }
    }
    let Opening { title, time, unknown } = Opening::read(&above);
    read.title = read.title.or(title.map(str::to_owned));
    read.time = read.time.or(time);
    meeting::complete(&mut read, name);
    (0..unknown).for_each(|_| tally.unknown_skipped("line"));
    notes.extend(tally.notes());
    let read = add_cues(cues, read);
    if read.turns.is_empty() {
        let message = "no speech found in this transcript";
        notes.push(Note::new(Severity::Hint, "no-turns", None, message));
    } else {
        parsed.conversations.push(read);
    }
    parsed
}

/// The header above the transcript.
#[derive(Default)]
struct Opening<'a> {
    title: Option<&'a str>,
    /// The start of the recording.
    time: Option<Time>,
    /// The number of unknown lines.
    unknown: usize,
}

impl<'a> Opening<'a> {
    fn read(lines: &[&'a str]) -> Self {
        let mut opening = Self::default();
        let mut is_list = false;
        let mut above = None;
        for line in lines {
            is_list &= !line.is_empty();
            is_list |= LISTS.contains(line);
            if line.is_empty() || is_list {
                continue;
            }
            let time = moment_of_recording(line).filter(|_| opening.time.is_none());
            if time.is_some() {
                opening.time = time;
                // The line above the date is the title, but was counted as unknown.
                opening.title = above.take();
                opening.unknown -= usize::from(opening.title.is_some());
            } else {
                opening.unknown += 1;
                above = Some(*line);
            }
        }
        opening
    }
}

/// Parses `Wed, Mar 04, 2026 6:00PM • 12:03`: the start and the length of a recording.
fn moment_of_recording(line: &str) -> Option<Time> {
    let (date, length) = line.split_once('•')?;
    model::moment(length.trim())?;
    dates::written(date)
}

/// Parses `Ada Wren  0:00`: an optional name, two spaces and a time. Milliseconds.
fn head(line: &str) -> Option<(&str, u64)> {
    let line = line.trim();
    let at = line.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    let moment = line.get(at..).filter(|moment| !moment.contains(['.', ',']))?;
    let name = line.get(..at)?;
    let is_apart = name.is_empty() || name.ends_with("  ") || name.ends_with('\t');
    let name = name.trim();
    (is_apart && name.chars().count() <= MAX_NAME).then_some(())?;
    Some((name, model::moment(moment)?))
}

#[cfg(test)]
mod tests {
    use super::{Opening, head};

    #[test]
    fn a_line_is_a_title_only_above_a_date() {
        let read = |lines: &[&'static str]| {
            let Opening { title, time, unknown } = Opening::read(lines);
            (title, time.map(|time| time.as_written().to_owned()), unknown)
        };
        let date = "Wed, Mar 04, 2026 6:00PM • 12:03";
        let time = Some("2026-03-04T18:00:00".to_owned());
        let whole =
            ["Tide", date, "", "SUMMARY KEYWORDS", "boot, rope", "mud", "", "SPEAKERS", "Ada"];
        assert_eq!(read(&whole), (Some("Tide"), time.clone(), 0));
        assert_eq!(read(&["Own", "Tide", "", date, "Other"]), (Some("Tide"), time.clone(), 2));
        assert_eq!(read(&[date, date]), (None, time, 1));
        for lines in [["Tide", "Wed, Mar 04"], ["Tide", "12:03"], ["Tide", "Mar 04 • boot"]] {
            assert_eq!(read(&lines), (None, None, 2), "{lines:?}");
        }
    }

    #[test]
    fn names_are_separate_from_times() {
        assert_eq!(head("Ada Wren  0:00  "), Some(("Ada Wren", 0)));
        assert_eq!(head("Unknown Speaker  1:02:03\n"), Some(("Unknown Speaker", 3_723_000)));
        assert_eq!(head("0:15"), Some(("", 15_000)));
        for line in ["We meet at 10:30", "Ada Wren", "Ada  0:00.5", ""] {
            assert_eq!(head(line), None, "{line}");
        }
    }
}
