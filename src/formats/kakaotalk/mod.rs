//! Chats exported from KakaoTalk on a phone or a computer.
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
//! Phones write the first two shapes, Windows the next two, and macOS a table. [`mod@head`] parses
//! the beginnings of messages, [`mod@table`] the table, and [`mod@body`] the contents of messages.

mod body;
mod head;
mod table;

use jiff::civil::Date;

use self::head::{Head, Sent, date_of, head};
use super::{About, Bundle, Claim, File, Format, Listing, Parsed, Probe, Read};
use crate::shared::json::rows::rows;
use crate::shared::people::channel::Message;
use crate::shared::people::phone_chat::{Members, NamedPeople, PhoneChat};
use crate::shared::tally::Tally;
use convo_base::diag::Note;
use convo_base::model::Place;
use convo_base::time::Time;

pub(super) const FORMAT: Format = Format {
    name: "kakaotalk",
    title: "KakaoTalk chat",
    source_label: "KakaoTalk",
    between_people: true,
    has_typed_prompts: false,
    about: About {
        what: "A chat or a group, exported from the KakaoTalk app.",
        find: "Export the chat in its settings, on a phone or a computer. Put the `.txt` or the \
               `.csv` into the content folder, with the pictures beside it if they were saved.",
        reads: "Messages with their times and names, in Korean and English, from Android, iPhone, \
                Windows or macOS, and placeholders for files, emoticons, calls and deleted \
                messages.",
        leaves_out: "Who joined and left, places; replies and reactions, which KakaoTalk does not \
                     export. Withheld until a `[[source]]` sets `visibility = \"public\"`.",
    },
    read: Some(Read::new(claims, parse).gather(gather)),
    write: None,
};

/// The number of lines from which a chat is recognised.
const FIRST_LINES: usize = 200;
/// The number of bytes from which a table is recognised.
const HEAD: usize = 4096;
/// The text around the chat name on the first line.
const HEADERS: [(&str, &str); 6] = [
    ("", "님과 카카오톡 대화"),
    ("", "님과의 카카오톡 대화"),
    ("", "카카오톡 대화"),
    ("KakaoTalk Chats with ", ""),
    ("", "with KakaoTalk Chats"),
    ("", "KakaoTalk Chats"),
];
/// The text in front of the export time.
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

/// Returns the tables, because files with their extension are not detected otherwise.
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

/// Returns the chat name on a first line; empty for a chat without a name.
fn around(row: &str) -> Option<&str> {
    let row = row.trim_matches(['\u{feff}', ' ', '\r']);
    HEADERS
        .iter()
        .find_map(|(before, after)| Some(row.strip_prefix(before)?.strip_suffix(after)?.trim()))
}

fn is_saved(row: &str) -> bool {
    let row = row.trim_start_matches(['\u{feff}', ' ']);
    SAVED.iter().any(|words| row.starts_with(words)) && row.contains(':')
}

/// A message as it is in the file.
struct Entry<'a> {
    sender: &'a str,
    time: Option<Time>,
    /// The lines of the message.
    lines: Vec<&'a str>,
    line: u32,
    at: usize,
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    let Some(File { name: file, text, .. }) = files.first() else { return parsed };
    let (mut tally, mut called) = (Tally::default(), NamedPeople::default());
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
    called: &mut NamedPeople,
    notes: &mut Vec<Note>,
) -> (&'a str, Vec<Message>) {
    let mut reader = Reader::default();
    for (line, at, row) in rows(text) {
        match head(row) {
            Some(head) => reader.begin(head, line, at),
            None => reader.continue_with(row, at, notes),
        }
    }
    let Reader { name, entries, notices: reported, .. } = reader;
    for notice in reported {
        called.notice(notice);
        tally.not_shown("KakaoTalk notice", "KakaoTalk notices");
    }
    if let Some(first) = entries.iter().find(|entry| entry.time.is_none()) {
        let at = first.at..first.at + 1;
        let message = "cannot tell on which day this message was sent";
        notes.push(Note::warning("bad-time", at, message));
    }
    let messages = entries.into_iter().filter_map(|entry| {
        called.person(entry.sender);
        entry.lines.iter().for_each(|row| called.mentions(row));
        let blocks = body::body(&entry.lines.join("\n"), tally)?;
        Some(Message {
            sender: entry.sender.to_owned(),
            time: entry.time,
            blocks,
            place: Place { file: 0, line: entry.line, quoted: false },
            ..Message::default()
        })
    });
    let messages = messages.collect();
    (name.unwrap_or_default(), messages)
}

/// The part of a text read so far.
#[derive(Default)]
struct Reader<'a> {
    name: Option<&'a str>,
    entries: Vec<Entry<'a>>,
    /// KakaoTalk notices.
    notices: Vec<&'a str>,
    day: Option<Date>,
    /// Whether dates are between rules, as on Windows.
    is_ruled: bool,
    /// The date line since the last message beginning.
    day_above: Option<Date>,
    /// Whether the last beginning was a notice.
    is_notice: bool,
    has_preface: bool,
}

impl<'a> Reader<'a> {
    /// Reads a line on which a message, notice or day begins.
    fn begin(&mut self, head: Head<'a>, line: u32, at: usize) {
        let above = self.day_above.take();
        let (is_below, next) = match head.time() {
            Some(Sent::At(time)) => (false, Some(date_of(time))),
            Some(Sent::Clock(_)) => (above.is_some(), above),
            None => (false, None),
        };
        if is_below {
            self.day = above;
        }
        self.entries.last_mut().into_iter().for_each(|last| last.end(next));
        self.is_notice = matches!(head, Head::Notice { .. });
        match head {
            Head::Day(day) => (self.day, self.is_ruled) = (Some(day), true),
            Head::Message { time, sender, text } => {
                let time = time.read(self.day);
                self.entries.push(Entry { sender, time, lines: vec![text], line, at });
            }
            Head::Notice { text, .. } => self.notices.push(text),
        }
    }

    /// Reads a line that continues the text above.
    fn continue_with(&mut self, row: &'a str, at: usize, notes: &mut Vec<Note>) {
        self.day_above = head::date(row).or(self.day_above);
        if self.is_notice {
            return;
        }
        // On phones, notices have a time.
        if self.is_ruled && body::is_notice(row) {
            self.notices.push(row);
        } else if let Some(last) = self.entries.last_mut() {
            last.lines.push(row);
        } else if self.name.is_none() && header(row).is_some() {
            self.name = header(row);
        } else if !is_known(row) && !self.has_preface {
            self.has_preface = true;
            let message = "text before the first message";
            let note = Note::warning("preface", at..at + row.len(), message);
            notes.push(note.hint("it is not shown"));
        }
    }
}

impl Entry<'_> {
    /// Removes the date line, which phones write above the first message of a day, from the end of
    /// the preceding message.
    fn end(&mut self, next_day: Option<Date>) {
        let pop_blank = |lines: &mut Vec<&str>| {
            while lines.len() > 1 && lines.last().is_some_and(|row| row.trim().is_empty()) {
                lines.pop();
            }
        };
        pop_blank(&mut self.lines);
        let last = self.lines.last().and_then(|row| head::day(row));
        if self.lines.len() > 1 && last.is_some() && last == next_day {
            self.lines.pop();
            pop_blank(&mut self.lines);
        }
    }
}

/// Returns whether a line above the first message can be ignored.
fn is_known(row: &str) -> bool {
    row.trim().is_empty() || is_saved(row) || head::day(row).is_some() || is_file_name(row)
}

/// Returns whether a line is the file name with which exports of iPhones begin: `Talk_2026.3.4
/// 18:30-1.txt`.
fn is_file_name(row: &str) -> bool {
    let row = row.trim_matches(['\u{feff}', ' ']);
    let begins = ["Talk_", "KakaoTalk"].iter().any(|start| row.starts_with(start));
    begins && row.ends_with(".txt")
}
