//! Chats exported from WhatsApp as text.
//!
//! ```text
//! [04.03.26, 18:20:05] Ada: Good evening
//! 3/4/26, 6:20 PM - Bela: Good evening
//! and this goes on
//! ```
//!
//! Dates, times and system text depend on the region and language of the phone.

mod body;
mod copies;
mod line;
mod names;
mod owner;
mod poll;
mod title;

use std::collections::BTreeSet;

use self::line::{Head, SYSTEM_MARK, head};
use self::names::Names;
use self::owner::Owner;
use self::title::title;
use super::{About, Bundle, Claim, File, Format, Listing, Parsed, Probe, Read};
use crate::shared::people::channel::{Contacts, Message, PAUSE, assemble_log, is_contact, notices};
use crate::shared::tally::Tally;
use crate::shared::text::dates::{Order, ambiguous_dates};
use convo_base::diag::Note;
use convo_base::model::{Channel, Conversation, Kind, Place, Split};

pub(super) const FORMAT: Format = Format {
    name: "whatsapp",
    title: "WhatsApp chat",
    source_label: "WhatsApp",
    between_people: true,
    has_typed_prompts: false,
    about: About {
        what: "A chat or a group, exported from the WhatsApp app.",
        find: "In a chat: ⋮ › More › Export chat (Android), or its name › Export Chat (iPhone). \
               Put the `.txt` or the `.zip` into the content folder.",
        reads: "Messages with their times and names, in the date format of any phone; bold, \
        italic and strikethrough text, code, polls, files exported with the chat, and which \
                messages were edited.",
        leaves_out: "Phone numbers, contact cards and places; replies and reactions, which \
                     WhatsApp does not export. Withheld until a `[[source]]` sets `visibility = \
                     \"public\"`.",
    },
    read: Some(Read::new(claims, parse).gather(gather)),
    write: None,
};

/// The number of lines from which a chat is recognised.
const FIRST_LINES: usize = 60;
/// The number of bytes from which a file is recognised.
const HEAD: usize = 4096;

fn claims(probe: &Probe<'_>) -> Claim {
    let (name, text) = (probe.name, probe.text);
    if super::opens_json(text) || !name.to_ascii_lowercase().ends_with(".txt") {
        return Claim::No;
    }
    let is_named = name.contains("WhatsApp") || name.ends_with("_chat.txt");
    let lines = text.lines().take(FIRST_LINES).filter(|line| is_named || !is_log(line));
    let heads = lines.filter_map(head);
    let with_names = heads.filter(|head| head.rest.contains(": ")).count();
    match with_names {
        0 => Claim::No,
        1 if !is_named => Claim::No,
        _ => Claim::Signature,
    }
}

/// Returns the chats of iPhones, and copies of chats together with their originals.
///
/// iPhones name all files alike, so the chat name comes from the folder or the ZIP.
fn gather(listing: &Listing<'_>) -> Vec<Bundle> {
    let names = listing.names.iter().filter(|name| name.ends_with("/_chat.txt"));
    let is_chat = |name: &&&str| {
        let head = (listing.head)(name, HEAD);
        head.is_some_and(|head| claims(&Probe::new("_chat.txt", &head)) != Claim::No)
    };
    let bundles = names.filter(is_chat).map(|name| {
        let folder = name.strip_suffix("/_chat.txt").unwrap_or_default();
        let above = folder.rfind('/').map_or("", |at| &folder[..=at]);
        Bundle {
            folder: above.to_owned(),
            files: vec![(*name).to_owned()],
            shared: Vec::new(),
            aside: Vec::new(),
            private: None,
            neighbours: None,
        }
    });
    bundles.chain(copies::gather(listing)).collect()
}

/// Returns whether a line begins in the style of many log files: `[2026-03-04 18:20] Ada: Hi`.
fn is_log(line: &str) -> bool {
    let shape: String =
        line.chars().take(12).map(|c| if c.is_ascii_digit() { '9' } else { c }).collect();
    shape == "[9999-99-99 "
}

/// A message as it is in the file.
struct Entry<'a> {
    head: Head<'a>,
    /// The text after the beginning, including continuation lines.
    text: &'a str,
    line: u32,
    at: usize,
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    let Some(File { name, .. }) = files.first() else { return parsed };
    // The other files are copies, exported at other times.
    for (index, File { text, .. }) in files.iter().enumerate() {
        let mut notes = Vec::new();
        parsed.conversations.extend(chat(name, text, index, &mut notes));
        parsed.notes.extend(notes.into_iter().map(|note| note.in_file(index)));
    }
    parsed
}

/// Reads a chat with this file name.
fn chat(name: &str, text: &str, index: usize, notes: &mut Vec<Note>) -> Option<Conversation> {
    let mut tally = Tally::default();
    let entries = entries(text, &mut tally);
    notes.extend(tally.notes());
    let dates = entries.iter().map(|entry| entry.head.date);
    let order = Order::of_file(name).or_else(|| Order::of_all(dates));
    let mut contacts = Contacts::default();
    let mut read = Conversation::default();
    let rests = entries.iter().map(|entry| entry.text);
    let names = Names::new(rests.clone());
    let owner = Owner::new(&names, rests.clone());
    let group = names.group(rests, |name| owner.is(name));
    let chat = Chat { names: &names, owner: &owner, group: group.as_deref(), order };
    let mut called = BTreeSet::new();
    let messages = chat.messages(&entries, index, &mut contacts, &mut called, notes);
    let title = title(name, group.as_deref(), &mut contacts);
    let mut doubtful = entries.iter().filter(|entry| Order::of_one(entry.head.date).is_none());
    if let Some(first) = doubtful.next().filter(|_| order.is_none()) {
        let at = first.at..first.at + text[first.at..].find('\n').unwrap_or(0);
        notes.push(ambiguous_dates(at, name));
    }
    notes.extend(unknown_half(&entries));
    assemble_log(&mut read, messages, &mut contacts, notes);
    if read.turns.is_empty() {
        return None;
    }
    if let Some(title) = title.as_ref().filter(|_| read.participants.len() < 2) {
        // The other person of a chat of two.
        read.introduce(title, Kind::Person);
    }
    let is_name = |name: &&String| !is_contact(name) && group.as_ref() != Some(*name);
    called.iter().filter(is_name).for_each(|name| read.introduce(name, Kind::Person));
    // The file name may contain a phone number.
    read.file_title.clone_from(&title);
    read.id = title.clone();
    read.channel = Some(Channel {
        name: title.clone().unwrap_or_default(),
        is_direct: false,
        split: Split::Pause { minutes: PAUSE },
    });
    read.title = title.or_else(|| read.title.take());
    Some(read)
}

/// Returns a warning if text after the times may be an unknown half of the day.
fn unknown_half(entries: &[Entry<'_>]) -> Option<Note> {
    let all = || entries.iter().filter_map(|entry| Some((entry, entry.head.unknown_half?)));
    let (first, words) = all().next()?;
    if all().any(|(entry, _)| entry.head.clock[0] > 12) {
        return None;
    }
    let at = first.at..first.at + 1;
    let message = format!("unknown text `{words}` after a time; times may be off by twelve hours");
    let note = Note::warning("ambiguous-dates", at, message);
    Some(note.hint("if it marks morning or afternoon, replace it with `AM` or `PM`"))
}

/// Splits a chat into messages. Lines above the first one are counted as unknown.
fn entries<'a>(text: &'a str, tally: &mut Tally) -> Vec<Entry<'a>> {
    let mut all: Vec<Entry<'a>> = Vec::new();
    let mut at = 0;
    // A phone writes all messages alike. Other lines may be from a log that somebody sent.
    let has_colon = text.lines().find_map(head).is_some_and(|head| head.has_colon);
    for (line, number) in text.split_inclusive('\n').zip(1..) {
        let bare = line.strip_suffix('\n').unwrap_or(line);
        match head(bare).filter(|head| head.has_colon == has_colon) {
            Some(head) => {
                let text = &text[at + (bare.len() - head.rest.len())..at + bare.len()];
                all.push(Entry { head, text, line: number, at });
            }
            None => match all.last_mut() {
                Some(last) => {
                    let start = last.text.as_ptr() as usize - text.as_ptr() as usize;
                    last.text = &text[start..at + bare.len()];
                }
                None if line::unmarked(bare).is_empty() => {}
                None => tally.unknown_skipped("line"),
            },
        }
        at += line.len();
    }
    all
}

/// What is known about a chat before its messages are read.
struct Chat<'a> {
    names: &'a Names<'a>,
    owner: &'a Owner<'a>,
    /// The name of the group.
    group: Option<&'a str>,
    order: Option<Order>,
}

impl Chat<'_> {
    fn messages(
        &self,
        entries: &[Entry<'_>],
        file: usize,
        contacts: &mut Contacts,
        called: &mut BTreeSet<String>,
        notes: &mut Vec<Note>,
    ) -> Vec<Message> {
        let mut call = |name: &str| _ = called.insert(name.trim().to_owned());
        let mut messages = Vec::with_capacity(entries.len());
        for entry in entries {
            let order = self.order.or_else(|| Order::of_one(entry.head.date));
            let time = order.and_then(|order| entry.head.time(order));
            if time.is_none() && order.is_some() {
                let at = entry.at..entry.at + 1;
                notes.push(Note::warning("bad-time", at, "this date does not exist"));
            }
            let place = Place { file, line: entry.line, quoted: false };
            let (name, text) = self.names.part(entry.text);
            let person = name.filter(|name| self.group != Some(*name));
            let person = person.and_then(|name| self.owner.sender(name));
            let is_system_text = person.is_none() || text.starts_with(SYSTEM_MARK);
            if is_system_text && body::is_encryption(text) {
                continue;
            }
            let message = match person {
                Some(name) => {
                    let body = body::body(text, contacts, &mut call);
                    Message {
                        sender: name.to_owned(),
                        blocks: body.blocks,
                        is_edited: body.is_edited,
                        ..Message::default()
                    }
                }
                None => {
                    notices::each_named(text, &mut call);
                    Message::event("notice", body::without_marks(text, contacts))
                }
            };
            // The time of day is certain even if the date is ambiguous.
            let written = time.is_none().then(|| entry.head.as_written());
            let extra = written.map(|written| ("sent".to_owned(), written.into()));
            let extra = extra.into_iter().collect();
            messages.push(Message { time, place, extra, ..message });
        }
        messages
    }
}
