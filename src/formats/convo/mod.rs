//! The format CONVO-FILE-SPEC 0.1.2: Markdown with a heading for each turn, then one JSON object.
//!
//! ```text
//! ### @founder              a level-3 ATX heading at document level starts a turn
//! Hi who are you.
//!
//! ----                      four or more dashes after a blank line; the last such line
//! {                         one JSON object up to the end of the file
//!   "type": "dialog",
//!   "time": "2025-10-23T12:00:00-05:00[America/Chicago]",
//!   "participants": ["founder"]
//! }
//! ```
//!
//! A file is read in three steps: [`separator`] splits the file in two, [`metadata`] reads the object, and
//! [`turns`] splits the rest at the headings. The module `write` is the inverse.

mod delimiter;
mod escape;
mod metadata;
mod separator;
mod turns;
mod write;

use std::collections::BTreeSet;

use self::metadata::Metadata;
use super::{About, Claim, File, Format, Parsed, Probe, Read, Write};
use crate::shared::access::visibility::{self, Access};
use crate::shared::text::{footnotes, front};
use convo_base::commonmark::{Block, outline};
use convo_base::diag::{Note, Severity};
use convo_base::model::{Conversation, name_turns};
use convo_base::text::closest;

pub(super) const FORMAT: Format = Format {
    name: "convo",
    title: "CONVO-FILE-SPEC 0.1.2",
    source_label: "Convo file",
    between_people: false,
    has_typed_prompts: false,
    about: About {
        what: "Convo files as defined by CONVO-FILE-SPEC 0.1.2: Markdown that people can write, \
               with a heading for each turn and a JSON object at the end.",
        find: "A file whose name ends in `.convo`, `.convo.md` or `.convo.txt`, or \
               any text that starts with a line such as `### @ada` and has a line of dashes \
               before its object.",
        reads: "Turns and their speakers, text before the first turn, title, type, \
               time, languages, tags, participants with their models, and every other field of \
               the object, which the page shows.",
        leaves_out: "Nothing. A file whose object is not valid JSON is skipped entirely.",
    },
    read: Some(Read::new(claims, parse)),
    write: Some(Write::File("convo", |read, _| write::write(read))),
};

fn claims(probe: &Probe<'_>) -> Claim {
    let (name, text) = (probe.name, probe.text);
    let first = delimiter::find_all(text).next();
    if first.is_some() && separator::might_have_metadata(text) && opens_a_turn(text) {
        return Claim::Signature;
    }
    let name = name.to_ascii_lowercase();
    if [".convo", ".convo.md", ".convo.txt"].iter().any(|extension| name.ends_with(extension)) {
        return Claim::Name;
    }
    let Some(first) = first else { return Claim::No };
    let note = Note::warning(
        "no-metadata",
        first.line.clone(),
        "this looks like a conversation without its metadata, so it is not published",
    );
    Claim::Almost(note.hint("add a line of four dashes and a JSON object at the end"))
}

/// Returns whether a delimiter is outside code, where it is not an example, or the file ends like a convo
/// file.
fn opens_a_turn(text: &str) -> bool {
    if separator::split(text).is_ok() {
        return true;
    }
    let blocks = outline(text);
    let opens = |delimiter: delimiter::Delimiter<'_>| {
        let at = delimiter.line.start + delimiter.indent;
        let before = blocks.partition_point(|(_, block)| block.start <= at);
        let block = before.checked_sub(1).map(|block| &blocks[block]);
        matches!(block, Some((Block::Heading(3), _)))
    };
    delimiter::find_all(text).any(opens)
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    let Some(File { text, .. }) = files.first() else { return parsed };
    if let Some(conversation) = conversation(text, &mut parsed.notes)
        && parsed.notes.iter().all(|note| note.severity != Severity::Error || note.code == SILENT)
    {
        parsed.conversations.push(conversation);
    }
    parsed
}

fn conversation(text: &str, notes: &mut Vec<Note>) -> Option<Conversation> {
    if text.trim().is_empty() {
        let note = Note::new(Severity::Error, "empty-file", None, "the file is empty");
        notes.push(note.hint("write a conversation into it or delete it"));
        return None;
    }
    let parts = match separator::split(text) {
        Ok(parts) => parts,
        Err(note) => {
            notes.push(note);
            return None;
        }
    };
    if let Some(note) = turns::too_many(&text[parts.content.clone()]) {
        notes.push(note);
        return None;
    }
    let metadata = Metadata::read(text, parts.metadata, notes)?;
    let (above, start) = above(text, parts.content.end, notes);
    let declared: BTreeSet<&str> =
        metadata.participants.iter().map(|(participant, _)| participant.name.as_str()).collect();
    let (preface, mut turns) = turns::split(text, start..parts.content.end, &declared, notes);
    compare_names(&metadata, &turns, notes);
    let spoken: Vec<_> = turns.drain(..).map(|turn| turn.turn).collect();
    let mut read = Conversation {
        title: metadata.title,
        kind: metadata.kind,
        time: metadata.time,
        languages: metadata.languages,
        speculative_languages: metadata.speculative_languages,
        tags: metadata.tags,
        participants: metadata.participants.into_iter().map(|(who, _)| who).collect(),
        preface,
        turns: spoken,
        extra: metadata.extra,
        ..Conversation::default()
    };
    metadata.access.apply(&mut read);
    above.apply(&mut read);
    // Ids follow the text that is shown, so that a conversation keeps them when it is written again.
    footnotes::settle(&mut read);
    // A definition that was moved may have decided what is code in the text that it left.
    escape::undo_in(&mut read);
    name_turns(&mut read.turns);
    Some(read)
}

/// Reads access from the text above the turns, and returns where the conversation starts.
fn above(text: &str, end: usize, notes: &mut Vec<Note>) -> (Access, usize) {
    // A line of dashes within a turn does not close front matter.
    let turns = delimiter::find_all(&text[..end]).next().map_or(end, |first| first.line.start);
    let (Some(range), start) = front::split(&text[..turns]) else {
        return (front::access_at(&text[..end], 0, notes), 0);
    };
    let mut front_matter = Conversation::default();
    front::read(text, range.clone(), &mut front_matter, notes);
    front::access_at(&text[..end], start, notes).apply(&mut front_matter);
    let access = Access { private: front_matter.private, schedule: front_matter.schedule };
    front_matter.extra.retain(|key, _| !visibility::is_about(key));
    let Access { private, schedule } = access;
    if front_matter == (Conversation { private, schedule, ..Default::default() }) {
        return (access, start);
    }
    if front_matter.extra.contains_key(front::NOT_A_MAP) {
        // Not front matter, but text between two lines of dashes.
        return (access, 0);
    }
    let message = "front matter above a conversation can only set its visibility";
    let note = Note::warning("front-matter", range.start..range.start, message);
    notes.push(note.hint("move the rest into the metadata object at the end of the file"));
    (access, start)
}

/// The code of the only error that leaves no doubt about what was said.
const SILENT: &str = "silent-participant";
/// The maximum number of wrong names for which a similar name is suggested.
const MAX_HINTS: usize = 100;

/// Checks that the participants are exactly the speakers.
fn compare_names(metadata: &Metadata, turns: &[turns::Spoken], notes: &mut Vec<Note>) {
    let declared: BTreeSet<&str> =
        metadata.participants.iter().map(|(who, _)| who.name.as_str()).collect();
    let speaking: BTreeSet<&str> =
        turns.iter().map(|spoken| spoken.turn.speaker.as_str()).collect();
    let mut reported = BTreeSet::new();
    for spoken in turns {
        let name = spoken.turn.speaker.as_str();
        if declared.contains(name) || !reported.insert(name) {
            continue;
        }
        let hinted = reported.len() <= MAX_HINTS;
        let silent = declared.iter().filter(|name| !speaking.contains(**name));
        let meant = silent.copied().chain(declared.iter().copied());
        let near = if hinted { closest(name, meant) } else { None };
        let note = Note::error(
            "undeclared-speaker",
            spoken.heading.clone(),
            format!("`{name}` speaks but is not listed in `participants`"),
        );
        notes.push(match near {
            Some(near) => note.hint(format!("did you mean `{near}`?")),
            None => note.hint("add this name to `participants`"),
        });
    }
    let mut silent = 0;
    for (participant, range) in &metadata.participants {
        let name = participant.name.as_str();
        if speaking.contains(name) {
            continue;
        }
        silent += 1;
        let note = Note::error(SILENT, range.clone(), format!("participant `{name}` never speaks"));
        let undeclared = speaking.iter().filter(|name| !declared.contains(**name));
        let near = (silent <= MAX_HINTS).then(|| closest(name, undeclared.copied())).flatten();
        notes.push(match near {
            Some(near) => note.hint(format!("did you mean `{near}`?")),
            None => note.hint("remove this name from `participants`, or add a turn for it"),
        });
    }
    if turns.is_empty() && metadata.participants.is_empty() {
        let note = Note::new(Severity::Error, "no-turns", None, "no turns found in this file");
        notes.push(note.hint("start a turn with a line such as `### @Ada`"));
    }
}
