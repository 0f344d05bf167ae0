//! Reads conversations from the bytes of a source.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::detect::{detect, is_claimed};
use super::format::Format;
use super::parts::Parts;
use super::source::{File, Parsed};
use super::{PAGE, page, sniff};
use crate::shared::access::tool_access::{OpenServers, withhold_in};
use crate::shared::access::{hidden_tags, visibility};
use crate::shared::agents::call_states::record_refusals;
use crate::shared::agents::placeholder_titles::is_placeholder;
use crate::shared::private_links::withhold_private_links;
use crate::shared::tally;
use crate::shared::tally::no_messages;
use crate::shared::text::{decode, front};
use convo_base::diag::{Diagnostic, Lines, Note, Severity};
use convo_base::model::{Block, Conversation, Schedule, Turn};
use convo_base::text::plural;

/// Bytes of a file, or of a part of one, before they are decoded.
#[derive(Clone, Debug)]
pub struct Input {
    /// The path in messages.
    pub path: String,
    /// See [`File::name`].
    pub name: String,
    /// The bytes to read.
    pub bytes: Vec<u8>,
    /// The line of the file, from 1, at which `bytes` starts.
    pub first_line: u32,
    /// See [`File::is_continued`].
    pub is_continued: bool,
}

/// Reads a source in `format` or, if that is `None`, in the detected format of its first file. A file in an
/// unknown format gets a note on what it looks like. The input and output of tools that are not open are
/// not part of the result. Returns the format that was used.
pub fn parse(
    format: Option<&'static Format>,
    inputs: Vec<Input>,
    open: &OpenServers,
) -> (Option<&'static Format>, Vec<Conversation>, Vec<Diagnostic>) {
    let mut notes: Vec<Note> = Vec::new();
    let mut files = Vec::with_capacity(inputs.len());
    let mut origins = Vec::with_capacity(inputs.len());
    for (index, input) in inputs.into_iter().enumerate() {
        let (text, more) = match keeps_bytes(format, &input) {
            true => (decode::kept(&input.bytes), Vec::new()),
            false => decode::decode(input.bytes),
        };
        notes.extend(more.into_iter().map(|note| note.in_file(index)));
        files.push(File { name: input.name, text, is_continued: input.is_continued });
        origins.push((input.path, input.first_line));
    }
    let Some(first) = files.first() else { return Default::default() };
    let (format, doubts) = match format {
        // A format that is set for a whole export does not make conversations of account data.
        Some(format) if is_account_data(first) && !is_claimed(format, &first.name, &first.text) => {
            (None, Vec::new())
        }
        Some(format) => (Some(format), Vec::new()),
        None => detect(&first.name, &first.text),
    };
    let mut parsed = match format.and_then(|format| format.read.as_ref()) {
        Some(read) => {
            catch_unwind(AssertUnwindSafe(|| (read.parse)(&files))).unwrap_or_else(|panic| Parsed {
                conversations: Vec::new(),
                notes: vec![internal_error(panic.as_ref())],
            })
        }
        None => Parsed::default(),
    };
    if format.is_some_and(|format| is_empty_without_notes(format, &files, &parsed)) {
        parsed.notes.push(no_messages(Severity::Hint));
    }
    parsed.notes.extend(doubts);
    if let Some(format) = format {
        let is_export = format.write.is_none();
        if is_export {
            // Users cannot choose how long the files and lines of an export are.
            notes.retain(|note| !matches!(note.code, "large-file" | "long-line"));
        }
        for read in &mut parsed.conversations {
            if is_export {
                hidden_tags::strip_calls(read);
                read.title.take_if(|title| !format.between_people && is_placeholder(title));
            }
            withhold_in(format, read, open);
            for turn in read.all_turns_mut() {
                if is_export {
                    withhold_private_links(turn);
                    record_refusals(turn);
                }
                sanitize_unknown_names(turn);
                remove_invalid_media_types(turn);
            }
        }
    }
    if format.is_none() {
        // The file is not a conversation, so its encoding does not matter.
        notes.clear();
        if parsed.notes.is_empty() {
            parsed.notes.push(sniff::note(&files[0].name, files[0].text.as_bytes()));
        }
    }
    notes.append(&mut parsed.notes);
    for turn in parsed.conversations.iter_mut().flat_map(Conversation::all_turns_mut) {
        turn.place.line += origins.get(turn.place.file).map_or(0, |(_, line)| line - 1);
    }
    let lines: Vec<Lines<'_>> = files.iter().map(|file| Lines::new(&file.text)).collect();
    if files.iter().any(|file| visibility::is_document_marked(&file.text)) {
        parsed.conversations.iter_mut().for_each(|read| read.private = true);
    }
    // Lines of logs and exports may contain text that is withheld.
    let hides_excerpts = format
        .is_some_and(|format| format.between_people || format.write.is_none())
        || parsed.conversations.iter().any(|read| read.private)
        || notes.iter().any(|note| note.code == visibility::WITHHELD_TURNS);
    let notes = limit_notes(notes).into_iter().map(|note| {
        let index = note.file.min(files.len() - 1);
        let (path, first_line) = &origins[index];
        let mut note = note.locate(path, &lines[index]);
        if let Some(span) = note.at.as_mut().and_then(|at| at.span.as_mut()) {
            span.line += first_line - 1;
            if hides_excerpts {
                span.hide_excerpt();
            }
        }
        note
    });
    let notes = notes.collect();
    (format, parsed.conversations, notes)
}

/// Reads a single file, and returns its conversations and the diagnostics.
pub fn read(file: &str, bytes: &[u8]) -> (Vec<Conversation>, Vec<Diagnostic>) {
    let name = file.rsplit('/').next().unwrap_or(file).to_owned();
    let input = Input {
        path: file.to_owned(),
        name,
        bytes: bytes.to_vec(),
        first_line: 1,
        is_continued: false,
    };
    let (_, conversations, notes) = parse(None, vec![input], &OpenServers::default());
    (conversations, notes)
}

/// Returns what the top of a text says about access: whether it is private, and when it may be published.
pub fn access_of(name: &str, text: &str) -> (bool, Schedule) {
    let mut access = (false, Schedule::default());
    if !page::is_markdown(name) && front::split(text).0.is_none() {
        return access;
    }
    let input = Input {
        path: name.to_owned(),
        name: name.to_owned(),
        bytes: text.as_bytes().to_vec(),
        first_line: 1,
        is_continued: false,
    };
    let (_, read, _) = parse(Some(PAGE), vec![input], &OpenServers::default());
    for read in read {
        access.0 |= read.private;
        access.1.add(&read.schedule);
    }
    access
}

/// Decodes bytes as [`parse`] does.
pub fn decoded(bytes: &[u8]) -> String {
    decode::decode(bytes.to_vec()).0
}

/// Decodes bytes in any encoding; returns `None` if they are not text.
pub fn text_of(bytes: &[u8]) -> Option<Cow<'_, str>> {
    if !bytes.contains(&0)
        && let Ok(text) = std::str::from_utf8(bytes)
        && !text.contains(['\r', '\u{feff}'])
    {
        return Some(Cow::Borrowed(text));
    }
    let text = decoded(bytes);
    let is_odd = |c: &char| *c == '\u{fffd}' || c.is_control() && !c.is_whitespace();
    let odd = text.chars().filter(is_odd).count();
    (odd * 10 <= text.chars().count()).then_some(Cow::Owned(text))
}

/// Returns whether the bytes of a file are kept as is, because its encoding varies within the file.
fn keeps_bytes(format: Option<&Format>, input: &Input) -> bool {
    match format {
        Some(format) => format.read.as_ref().is_some_and(|read| read.is_in_bytes.is_some()),
        None => super::is_in_bytes(&input.name, &input.bytes),
    }
}

/// Replaces the names of unknown blocks that are not plain words, since they could contain anything.
fn sanitize_unknown_names(turn: &mut Turn) {
    for block in &mut turn.blocks {
        if let Block::Unknown { name, .. } = block
            && tally::kind_name(name) != name
        {
            *name = tally::kind_name(name).to_owned();
        }
    }
}

/// Removes media types that are other text. Types are not text, so what they contain is not searched for
/// markup.
fn remove_invalid_media_types(turn: &mut Turn) {
    for block in &mut turn.blocks {
        if let Block::Attachment(file) = block {
            file.mime.take_if(|mime| !is_media_type(mime));
        }
    }
}

/// The maximum length of a media type in bytes.
const MAX_MEDIA_TYPE: usize = 255;

/// Returns whether a text has the form of a media type or of its first part, with the characters of
/// RFC 6838.
fn is_media_type(text: &str) -> bool {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || "!#$&-^_.+/".contains(c);
    let is_of_parameter = |c: char| is_of_name(c) || "=, \"".contains(c);
    let mut parts = text.split(';');
    text.len() <= MAX_MEDIA_TYPE
        && parts.next().is_some_and(|kind| kind.chars().all(is_of_name))
        && parts.all(|parameter| parameter.chars().all(is_of_parameter))
}

/// Returns whether a whole source produced neither conversations nor notes.
fn is_empty_without_notes(format: &Format, files: &[File], parsed: &Parsed) -> bool {
    let is_read_at_once = format
        .read
        .as_ref()
        .is_some_and(|read| matches!(read.parts, Parts::Whole | Parts::Records));
    is_read_at_once
        && files.iter().all(|file| !file.is_continued)
        && parsed.notes.is_empty()
        && parsed.conversations.iter().all(|read| {
            read.turns.is_empty() && read.preface.is_empty() && read.withheld_ids.is_empty()
        })
}

/// Returns whether a file is a standard part of an export that is about the account.
fn is_account_data(file: &File) -> bool {
    let len = file.text.floor_char_boundary(sniff::SNIFF_BYTES);
    !file.is_continued && sniff::is_account_data(&file.name, &file.text[..len])
}

/// The maximum number of notes of one code that are listed individually.
const MAX_NOTES_PER_CODE: usize = 10_000;

/// Keeps the first notes of each code, and adds a note on how many more there are.
fn limit_notes(mut notes: Vec<Note>) -> Vec<Note> {
    if notes.len() <= MAX_NOTES_PER_CODE {
        return notes;
    }
    let mut counts: BTreeMap<(&str, Severity), u64> = BTreeMap::new();
    notes.retain(|note| {
        let count = counts.entry((note.code, note.severity)).or_default();
        *count += 1;
        *count <= MAX_NOTES_PER_CODE as u64
    });
    for ((code, severity), count) in counts {
        if let Some(more) = count.checked_sub(MAX_NOTES_PER_CODE as u64).filter(|more| *more > 0) {
            let message = format!(
                "{} with the code `{code}` (not listed)",
                plural(more, "more note", "more notes")
            );
            notes.push(Note::new(severity, "more-notes", None, message));
        }
    }
    notes
}

/// Turns a panic into a note. It is a bug in convo-site, which costs one conversation and not the whole
/// site.
fn internal_error(panic: &(dyn std::any::Any + Send)) -> Note {
    let what = panic_message(panic);
    Note::new(Severity::Error, "internal", None, format!("the reader failed: {what}"))
        .hint("this is a bug in convo-site; the rest of the site is still built")
}

/// Returns the message of a panic.
pub fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned())
}
