//! The text format of sigtop: a message is a block of fields, and its text follows after an empty
//! line.
//!
//! ```text
//! Conversation: Ada (+44 7700 900123)
//!
//! From: Ada (+44 7700 900123)
//! Type: incoming
//! Sent: Sun, 1 Mar 2026 10:00:00 +0000
//! Reaction: 👍 from Bela (+44 7700 900124)
//!
//! > From: You
//! > Sent: Sun, 1 Mar 2026 09:59:00 +0000
//! >
//! > Is it in?
//!
//! It is.
//! ```
//!
//! All versions of an edited message are included, newest first, with `|` before each line.

use std::collections::HashMap;

use crate::shared::people::channel::{Members, Message, event_block, or_placeholder, plain, react};
use crate::shared::tally::Tally;
use crate::shared::text::dates::letter;
use convo_base::diag::Note;
use convo_base::model::{Block, Place};

/// The fields at the beginning of a message, in order.
const FROM: &str = "From: ";
const TYPE: &str = "Type: ";
const SENT: &str = "Sent: ";
/// The field of an attachment.
const ATTACHMENT: &str = "Attachment: ";
/// The field at the beginning of a file.
const CONVERSATION: &str = "Conversation: ";
/// The number of lines from which a chat is recognised.
const FIRST_LINES: usize = 60;
/// The owner of the account, as other exporters name them.
const OWNER: &str = "Me";
/// Someone without a known name.
const UNKNOWN: &str = "Unknown";
/// Notices that Signal itself adds to a chat.
const NOTICES: [&str; 14] = [
    "keychange",
    "profile-change",
    "verified-change",
    "timer-notification",
    "universal-timer-notification",
    "group-v1-migration",
    "group-v2-change",
    "change-number-notification",
    "delivery-issue",
    "chat-session-refreshed",
    "contact-removed-notification",
    "conversation-merge",
    "title-transition-notification",
    "message-request-response-event",
];

/// Returns whether a text is a chat.
pub(super) fn is_chat(text: &str) -> bool {
    let mut rows = text.lines().take(FIRST_LINES).filter(|row| !row.trim().is_empty());
    let is_headed = rows.next().is_some_and(|row| row.starts_with(CONVERSATION));
    is_headed
        && rows.clone().any(|row| row.starts_with(TYPE))
        && rows.any(|row| row.strip_prefix(SENT).and_then(letter).is_some())
}

/// The contents of a file.
pub(super) struct Found {
    /// The name of the chat.
    pub(super) name: String,
    pub(super) messages: Vec<Message>,
    pub(super) members: Members,
}

/// A message as it is in the file.
struct Entry<'a> {
    line: u32,
    at: usize,
    fields: Vec<(&'a str, &'a str)>,
    rows: Vec<&'a str>,
}

/// Reads the messages of a file.
pub(super) fn read(text: &str, index: usize, tally: &mut Tally, notes: &mut Vec<Note>) -> Found {
    let mut members = Members::default();
    let head = text.lines().find_map(|row| row.trim_start().strip_prefix(CONVERSATION));
    let name = known(head.unwrap_or_default(), &mut members);
    let entries = entries(text, tally);
    // Quoted messages are identified by author and time.
    let mut ids: HashMap<(&str, &str), String> = HashMap::new();
    let mut counts: HashMap<&str, u32> = HashMap::new();
    let mut messages = Vec::with_capacity(entries.len());
    for entry in &entries {
        let field = |key: &str| {
            let found = entry.fields.iter().find(|(known, _)| *known == key);
            found.map_or("", |(_, value)| *value)
        };
        let (from, sent) = (field(FROM), field(SENT));
        let time = letter(sent).map(|date| date.time);
        if time.is_none() {
            let at = entry.at..entry.at + 1;
            let note = Note::warning("bad-time", at, "cannot tell when this message was sent");
            notes.push(note.in_file(index));
        }
        let count = counts.entry(sent).or_default();
        *count += 1;
        let id = format!("sigtop {sent} {count}");
        ids.entry((from, sent)).or_insert_with(|| id.clone());
        let place = Place { file: index, line: entry.line, quoted: false };
        let sender = if from.is_empty() { String::new() } else { known(from, &mut members) };
        let message = Message { id, sender, time, place, ..Message::default() };
        messages.push(match field(TYPE) {
            "incoming" | "outgoing" | "unknown" => {
                message_text(entry, message, &ids, &mut members, tally)
            }
            kind => match notice(kind, tally) {
                Some(block) => Message { blocks: vec![block], ..message },
                None => continue,
            },
        });
    }
    Found { name, messages, members }
}

/// Returns the block for a Signal notice; `None` if it is not shown.
fn notice(kind: &str, tally: &mut Tally) -> Option<Block> {
    if NOTICES.contains(&kind) {
        tally.not_shown("Signal notice", "Signal notices");
        return None;
    }
    Some(match kind {
        "call-history" => event_block("call", ""),
        "joined-signal-notification" => event_block("joined", ""),
        kind => {
            tally.unknown_skipped(kind);
            return None;
        }
    })
}

fn entries<'a>(text: &'a str, tally: &mut Tally) -> Vec<Entry<'a>> {
    let rows: Vec<&str> = text.split_inclusive('\n').collect();
    let bare = |at: usize| rows.get(at).map_or("", |row| row.trim_end_matches(['\n', '\r']));
    let mut entries: Vec<Entry<'_>> = Vec::new();
    let (mut number, mut at, mut is_blank) = (0, 0, true);
    while number < rows.len() {
        let row = bare(number);
        if is_blank && opens(row, bare(number + 1), bare(number + 2)) {
            let (line, start) = (number as u32 + 1, at);
            let mut fields = Vec::new();
            // Typed text follows an empty row.
            while !bare(number).is_empty() {
                match field(bare(number)) {
                    Some(field) => fields.push(field),
                    None => tally.unknown_skipped("field"),
                }
                at += rows[number].len();
                number += 1;
            }
            entries.push(Entry { line, at: start, fields, rows: Vec::new() });
            is_blank = false;
            continue;
        }
        if let Some(entry) = entries.last_mut() {
            entry.rows.push(row);
        }
        is_blank = row.is_empty();
        at += rows[number].len();
        number += 1;
    }
    entries
}

/// Returns whether these lines begin a message.
fn opens(row: &str, next: &str, third: &str) -> bool {
    let is_time = |row: &str| row.starts_with(SENT) || row.starts_with("Received: ");
    row.starts_with(FROM) && next.starts_with(TYPE) && is_time(third)
        || row.starts_with(TYPE) && is_time(next)
}

/// Reads a field; its key includes the colon.
fn field(row: &str) -> Option<(&str, &str)> {
    const KEYS: [&str; 7] = [FROM, TYPE, SENT, "Received: ", ATTACHMENT, "Reaction: ", "Edited: "];
    KEYS.iter().find_map(|key| Some((*key, row.strip_prefix(key)?)))
}

/// Reads the contents of a message.
fn message_text<'a>(
    entry: &Entry<'a>,
    mut message: Message,
    ids: &HashMap<(&str, &str), String>,
    members: &mut Members,
    tally: &mut Tally,
) -> Message {
    let mut files: Vec<&'a str> = Vec::new();
    for (key, value) in &entry.fields {
        match *key {
            ATTACHMENT => files.push(value),
            "Reaction: " => {
                let emoji = value.split_once(" from ").map_or(*value, |(emoji, _)| emoji);
                react(&mut message.reactions, emoji, 1);
            }
            "Edited: " => message.is_edited = true,
            _ => {}
        }
    }
    let mut rows: Vec<&str> = entry.rows.clone();
    if message.is_edited {
        // The newest version is first.
        let all: Vec<&str> = entry.rows.iter().filter_map(|row| wording(row)).collect();
        let starts: Vec<usize> = (0..all.len()).filter(|at| is_version(&all, *at)).collect();
        for _ in starts.iter().skip(1) {
            tally.not_shown("earlier version of a message", "earlier versions of messages");
        }
        let newest = &all[..starts.get(1).copied().unwrap_or(all.len())];
        // The text follows the first empty row.
        let head = newest.iter().take_while(|row| !row.is_empty()).count();
        let files_of = |row: &&'a str| row.strip_prefix(ATTACHMENT);
        files.extend(newest[..head].iter().filter_map(files_of));
        rows = newest[head..].to_vec();
    }
    let is_quote = |row: &&&str| row.starts_with('>');
    let start = rows.iter().position(|row| !row.is_empty()).unwrap_or_default();
    let quoted: Vec<&str> = rows[start..]
        .iter()
        .take_while(is_quote)
        .map(|row| row[1..].strip_prefix(' ').unwrap_or(&row[1..]))
        .collect();
    // A quotation names its author; a typed `>` does not.
    let of = |key: &str| quoted.iter().take(2).find_map(|row| row.strip_prefix(key));
    if let (Some(from), Some(sent)) = (of(FROM), of(SENT)) {
        message.answers = ids.get(&(from, sent)).cloned();
        if message.answers.is_none() {
            let text = quoted.iter().skip_while(|row| field(row).is_some());
            let text = text.copied().collect::<Vec<_>>().join("\n");
            let text = if text.trim().is_empty() { known(from, members) } else { text };
            message.blocks.extend(super::text::quote(text.trim()));
        }
        rows.drain(..start + quoted.len());
    }
    message.blocks.extend(plain(rows.join("\n").trim_matches('\n')));
    for file in files {
        // `tide.jpg (image/jpeg, 2048 bytes)`.
        let (name, about) = file.rsplit_once(" (").unwrap_or((file, ""));
        let name = if name == "no filename" { "" } else { name };
        message.blocks.push(super::text::attachment(name, "", Some(about), tally));
    }
    message.blocks = or_placeholder(std::mem::take(&mut message.blocks));
    message
}

/// Returns a row of a version of an edited message, without its `|`.
fn wording(row: &str) -> Option<&str> {
    row.strip_prefix("| ").or(row.strip_prefix('|'))
}

/// Returns whether a version begins at a row: its number and its time, after an empty row.
fn is_version(rows: &[&str], at: usize) -> bool {
    let number = rows[at].strip_prefix("Version: ");
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    (at == 0 || rows[at - 1].is_empty())
        && number.is_some_and(is_number)
        && rows.get(at + 1).is_some_and(|next| next.starts_with(SENT))
}

/// Returns the name of a person or a group, which is followed by a number, an account or an id.
fn known(text: &str, members: &mut Members) -> String {
    let text = text.trim();
    if text == "You" {
        return OWNER.to_owned();
    }
    let parted = text.strip_suffix(')').and_then(|text| text.rsplit_once(" ("));
    let (name, id) = parted.unwrap_or((text, text));
    members.add(id, &[Some(name).filter(|name| *name != UNKNOWN)], false);
    members.name(id)
}
