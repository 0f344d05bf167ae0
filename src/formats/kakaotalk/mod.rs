//! Chats that KakaoTalk saves, on a phone or on a computer.
//!
//! ```text
//! Ada 님과 카카오톡 대화
//! 저장한 날짜 : 2026년 3월 4일 오후 6:30
//!
//! 2026년 3월 4일 오후 6:20, Ada : Good evening
//! March 4, 2026 at 6:20 PM, Ada : Good evening
//! --------------- 2026년 3월 4일 수요일 ---------------
//! [Ada] [오후 6:20] Good evening
//! 2026-03-04 18:20:05,"Ada","Good evening"
//! ```
//!
//! Phones write the first two, Windows the next two lines, and macOS a table. [`mod@head`] reads the lines on which
//! messages begin, [`mod@table`] the table, and [`mod@body`] what a message says.

mod body;
mod head;
mod table;

use self::head::{Head, head};
use super::channel::Message;
use super::phone_chat::{Called, Members, PhoneChat, rows};
use super::thread::Tally;
use super::{About, Bundle, Claim, File, Format, Listing, Parsed, Parts, Probe, Read};
use crate::diag::Note;
use crate::model::Place;
use crate::time::Time;

pub(super) const FORMAT: Format = Format {
    name: "kakaotalk",
    title: "KakaoTalk chat",
    source_label: "KakaoTalk",
    about: About {
        what: "A chat or a group of KakaoTalk, as its app saves it.",
        find: "In a chat: ☰ › Settings › Export chat (phone), or ☰ › Chat › Save (computer). The `.txt` or the `.csv` \
               goes into the content folder, with the pictures beside it if they were saved.",
        reads: "Messages with their times and names, in Korean and in English, saved on Android, iPhone, Windows or \
                macOS, and where files, emoticons, calls and messages that were deleted stood.",
        leaves_out: "Who came and went, places, and what KakaoTalk does not save: answers and reactions. It is held \
                     back until a `[[source]]` says `visibility = \"public\"`.",
    },
    read: Some(Read {
        claims,
        parse,
        gather: Some(gather),
        history: None,
        parts: Parts::Whole,
    }),
    write: None,
};

/// The lines in which a chat shows itself.
const FIRST_LINES: usize = 200;
/// The bytes from which a table is known.
const HEAD: usize = 4096;
/// What stands around the name of a chat on the first line.
const HEADERS: [(&str, &str); 6] = [
    ("", "님과 카카오톡 대화"),
    ("", "님과의 카카오톡 대화"),
    ("", "카카오톡 대화"),
    ("KakaoTalk Chats with ", ""),
    ("", "with KakaoTalk Chats"),
    ("", "KakaoTalk Chats"),
];
/// What stands before the time at which a chat was saved.
const SAVED: [&str; 3] = ["저장한 날짜", "Date Saved", "Saved Date"];

fn claims(probe: &Probe<'_>) -> Claim {
    let (name, text) = (probe.name.to_ascii_lowercase(), probe.text);
    if super::opens_json(text) {
        return Claim::No;
    }
    let is_chat = match name.rsplit_once('.') {
        Some((_, "csv")) => table::is_one(text),
        Some((_, "txt")) => is_chat(text),
        _ => false,
    };
    if is_chat { Claim::Signature } else { Claim::No }
}

/// Returns the tables, since files of their ending are not looked at otherwise.
fn gather(listing: &Listing<'_>) -> Vec<Bundle> {
    let tables = listing.names.iter().filter(|name| {
        let is_table = name.to_ascii_lowercase().ends_with(".csv");
        is_table && (listing.head)(name, HEAD).is_some_and(|head| table::is_one(&head))
    });
    tables.map(|name| Bundle::of_one(name)).collect()
}

fn is_chat(text: &str) -> bool {
    let rows = || text.lines().take(FIRST_LINES);
    let is_titled = rows().take(4).any(|row| around(row).is_some() || is_saved(row));
    let heads = || rows().filter_map(head);
    let has_day = heads().any(|head| matches!(head, Head::Day(_)));
    let messages = heads().filter(Head::is_message).count();
    is_titled && messages > 0 || has_day && messages > 1
}

/// Returns the name of a chat from the first line of its file.
fn header(row: &str) -> Option<&str> {
    around(row).filter(|name| !name.is_empty())
}

/// Returns what stands between the words of a first line; empty for a chat without a name.
fn around(row: &str) -> Option<&str> {
    let row = row.trim_matches(['\u{feff}', ' ', '\r']);
    HEADERS.iter().find_map(|(before, after)| {
        Some(row.strip_prefix(before)?.strip_suffix(after)?.trim())
    })
}

fn is_saved(row: &str) -> bool {
    let row = row.trim_start_matches(['\u{feff}', ' ']);
    SAVED.iter().any(|words| row.starts_with(words)) && row.contains(':')
}

/// A message as it stands in the file.
struct Entry<'a> {
    sender: &'a str,
    time: Option<Time>,
    /// Its lines.
    lines: Vec<&'a str>,
    line: u32,
    at: usize,
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    let Some(File { name: file, text, .. }) = files.first() else { return parsed };
    let (mut tally, mut called) = (Tally::default(), Called::default());
    let notes = &mut parsed.notes;
    let (name, messages) = match table::is_one(text) {
        true => {
            let file = file.rsplit('/').next().unwrap_or(file);
            let messages = table::messages(text, &mut tally, &mut called, notes);
            (table::name(file), messages)
        }
        false => of_text(text, &mut tally, &mut called, notes),
    };
    let chat = PhoneChat { app: "KakaoTalk", name, members: Members::Unknown, called };
    parsed.conversations.extend(chat.conversation(messages, notes));
    parsed.notes.extend(tally.notes());
    parsed
}

/// Reads the lines of a text: the name of the chat and its messages.
fn of_text<'a>(
    text: &'a str,
    tally: &mut Tally,
    called: &mut Called,
    notes: &mut Vec<Note>,
) -> (&'a str, Vec<Message>) {
    let mut name = None;
    let mut entries: Vec<Entry<'_>> = Vec::new();
    let (mut day, mut is_ruled) = (None, false);
    // The day that stands above what follows, without a rule.
    let mut above = None;
    let (mut is_notice, mut has_preface) = (false, false);
    let mut notice = |text: &str, tally: &mut Tally| {
        called.notice(text);
        tally.leave_out("notice of KakaoTalk", "notices of KakaoTalk");
    };
    for (line, at, row) in rows(text) {
        let found = head(row);
        if let Some(found) = &found {
            is_notice = false;
            let above = above.take().filter(|_| found.is_below_a_day());
            day = above.or(day);
            let next = found.day().or_else(|| above.map(written));
            entries.last_mut().into_iter().for_each(|last| end(last, next.as_deref()));
        }
        above = head::date(row).filter(|_| found.is_none()).or(above);
        match found {
            Some(Head::Day(found)) => {
                (day, is_ruled) = (Some(found), true);
            }
            Some(Head::Message { time, sender, text }) => {
                let time = time.read(day);
                entries.push(Entry { sender, time, lines: vec![text], line, at });
            }
            Some(Head::Notice { text, .. } | Head::Told(text)) => {
                is_notice = true;
                notice(text, tally);
            }
            None if is_notice || entries.is_empty() && row.trim().is_empty() => {}
            // On phones a notice has a time before it.
            None if is_ruled && body::is_notice(row) => notice(row, tally),
            None => match entries.last_mut() {
                Some(last) => last.lines.push(row),
                None if name.is_none() && header(row).is_some() => name = header(row),
                None if is_saved(row) || head::day(row).is_some() => {}
                None if is_file_name(row) || has_preface => {}
                None => {
                    has_preface = true;
                    let message = "this stands before the first message";
                    let note = Note::warning("preface", at..at + row.len(), message);
                    notes.push(note.hint("it is not shown"));
                }
            },
        }
    }
    if let Some(first) = entries.iter().find(|entry| entry.time.is_none()) {
        let at = first.at..first.at + 1;
        let message = "nothing tells on which day this was sent";
        notes.push(Note::warning("bad-time", at, message));
    }
    let messages = entries.iter().filter_map(|entry| {
        called.person(entry.sender);
        entry.lines.iter().for_each(|row| called.mentions(row));
        let blocks = body::body(&entry.lines.join("\n"), tally)?;
        Some(Message {
            sender: entry.sender.to_owned(),
            time: entry.time.clone(),
            blocks,
            place: Place { file: 0, line: entry.line, quoted: false },
            ..Message::default()
        })
    });
    let messages = messages.collect();
    (name.unwrap_or_default(), messages)
}

fn written((year, month, day): (u16, u16, u16)) -> String {
    format!("{year:04}-{month:02}-{day:02}")
}

/// Takes the line of a day, which a phone writes above the first message of that day, from the end of the message
/// before.
fn end(entry: &mut Entry<'_>, next_day: Option<&str>) {
    let is_blank = |row: Option<&&str>| row.is_some_and(|row| row.trim().is_empty());
    while entry.lines.len() > 1 && is_blank(entry.lines.last()) {
        entry.lines.pop();
    }
    let last = entry.lines.last().copied().unwrap_or_default();
    if entry.lines.len() > 1
        && next_day.is_some()
        && head::day(last).as_deref() == next_day
    {
        entry.lines.pop();
    }
}

/// Returns whether a line is the name of the file, with which those of iPhones begin: `Talk_2026.3.4 18:30-1.txt`.
fn is_file_name(row: &str) -> bool {
    let row = row.trim_matches(['\u{feff}', ' ']);
    let begins = ["Talk_", "KakaoTalk"].iter().any(|start| row.starts_with(start));
    begins && row.ends_with(".txt")
}
