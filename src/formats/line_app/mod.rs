//! Chats that LINE exports as text on a phone.
//!
//! ```text
//! [LINE] Chat history with Ada
//! Saved on: 2026/03/04 18:30
//!
//! 2026/03/04(Wed)
//! 18:20[tab]Ada[tab]Good evening
//! 18:21[tab]Bela[tab]"A message of two lines
//! is in quotation marks"
//! 18:22[tab][tab]Cleo joined the group.
//! ```
//!
//! [`day`] parses date lines, whose format depends on the phone, and [`body`] the contents of
//! messages.

mod body;
mod day;

use self::day::{DayLine, day_line, order};
use super::{About, Claim, File, Format, Parsed, Probe, Read};
use crate::shared::json::rows::rows;
use crate::shared::people::channel::Message;
use crate::shared::people::phone_chat::{Members, NamedPeople, PhoneChat};
use crate::shared::tally::Tally;
use crate::shared::text::dates::{clock, time_at};
use convo_base::diag::{Note, Severity};
use convo_base::model::Place;

pub(super) const FORMAT: Format = Format {
    name: "line",
    title: "LINE chat",
    source_label: "LINE",
    between_people: true,
    has_typed_prompts: false,
    about: About {
        what: "A chat or a group, exported from the LINE app on a phone.",
        find: "In a chat: ☰ › Other settings › Export chat history. Put the `.txt` into the \
               content folder.",
        reads: "Messages with their times and names in the date format of any phone, calls, \
                stickers, and placeholders for files, places and unsent messages.",
        leaves_out: "Who joined and left, addresses of places; files, replies and reactions, \
                     which LINE does not export. Exports of LINE on a computer are not supported, \
                     because names and messages cannot be told apart in them. Withheld until a \
                     `[[source]]` sets `visibility = \"public\"`.",
    },
    read: Some(Read::new(claims, parse)),
    write: None,
};

/// The mark at the beginning of a file and of its name.
const MARK: &str = "[LINE]";
/// The number of lines from which a chat is recognised.
const FIRST_LINES: usize = 200;
/// The maximum length of a message, which has up to 10,000 characters. Bytes.
const LONGEST_MESSAGE: usize = 40_000;
/// The maximum length of a time. Characters.
const MAX_CLOCK: usize = 12;

/// The text before and after the chat name on the first line, and whose name it is.
const HEADERS: [(&str, &str, Members); 21] = [
    ("Chat history with ", "", Members::Two),
    ("Chat history in ", "", Members::Group),
    ("Chat with ", "", Members::Two),
    ("", "とのトーク履歴", Members::Two),
    ("", "のトーク履歴", Members::Group),
    ("", "とのトーク", Members::Two),
    ("", "のトーク", Members::Group),
    ("與", "的聊天記錄", Members::Two),
    ("與", "的聊天紀錄", Members::Two),
    ("與", "的聊天", Members::Two),
    ("", "的聊天記錄", Members::Group),
    ("", "的聊天紀錄", Members::Group),
    ("与", "的聊天记录", Members::Two),
    ("与", "的聊天", Members::Two),
    ("", "的聊天记录", Members::Group),
    ("", "님과의 대화", Members::Two),
    ("", "님과의 대화 기록", Members::Two),
    ("", "의 대화", Members::Group),
    ("ประวัติการแชทกับ", "", Members::Two),
    ("ประวัติการแชทในกลุ่ม", "", Members::Group),
    ("ประวัติการแชทของ", "", Members::Unknown),
];

fn claims(probe: &Probe<'_>) -> Claim {
    let (name, text) = (probe.name, probe.text);
    if super::opens_json(text) || !name.to_ascii_lowercase().ends_with(".txt") {
        return Claim::No;
    }
    let first = text.lines().find(|row| !row.trim().is_empty()).unwrap_or_default();
    let is_named = header(first).is_some() || name.contains(MARK);
    let mut heads = text.lines().take(FIRST_LINES).filter_map(head);
    match is_named && heads.any(|head| !head.sender.is_empty()) {
        true => Claim::Signature,
        false => Claim::No,
    }
}

/// Returns the name of a chat, and whose name it is, from the first line of its file.
fn header(row: &str) -> Option<(&str, Members)> {
    let row = row.trim_matches(['\u{feff}', ' ', '\r']);
    let marked = row.strip_prefix(MARK).map(str::trim_start);
    let words = marked.unwrap_or(row);
    let known = HEADERS.iter().find_map(|(before, after, members)| {
        let name = words.strip_prefix(before)?.strip_suffix(after)?;
        Some((name.trim_matches(['"', ' ']), *members))
    });
    let known = known.filter(|(name, _)| !name.is_empty());
    known.or_else(|| Some((marked?, Members::Unknown)))
}

/// The beginning of a message.
struct Head<'a> {
    clock: (u16, u16),
    /// Empty for system lines.
    sender: &'a str,
    text: &'a str,
}

fn head(row: &str) -> Option<Head<'_>> {
    let (time, rest) = row.split_once('\t')?;
    if time.chars().count() > MAX_CLOCK {
        return None;
    }
    let clock = clock(time)?;
    let (sender, text) = rest.split_once('\t').unwrap_or(("", rest));
    Some(Head { clock, sender: sender.trim(), text })
}

/// A line of the file.
struct Row<'a> {
    number: u32,
    at: usize,
    text: &'a str,
    head: Option<Head<'a>>,
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    let Some(File { name: file, text, .. }) = files.first() else { return parsed };
    let rows: Vec<Row<'_>> =
        rows(text).map(|(number, at, text)| Row { number, at, text, head: head(text) }).collect();
    let file = file.rsplit('/').next().unwrap_or(file);
    let file = file.strip_suffix(".txt").unwrap_or(file);
    let above = rows.iter().take_while(|row| row.head.is_none());
    let mut above = above.filter(|row| !row.text.trim().is_empty()).peekable();
    let named = above.peek().and_then(|row| header(row.text));
    above.next_if(|_| named.is_some());
    // The line with the export date.
    above.next_if(|row| row.text.contains([':', '：']) && day_line(row.text).is_none());
    if let Some(row) = above.find(|row| day_line(row.text).is_none()) {
        let message = "text before the first message";
        let note = Note::warning("preface", row.at..row.at + row.text.len(), message);
        parsed.notes.push(note.hint("it is not shown"));
    }
    let (name, members) = named.or_else(|| header(file)).unwrap_or_default();
    let (mut tally, mut called) = (Tally::default(), NamedPeople::default());
    let messages = messages(&rows, &mut tally, &mut called, &mut parsed.notes);
    let chat = PhoneChat { app: "LINE", name, members, called };
    parsed.conversations.extend(chat.conversation(messages, &mut parsed.notes));
    parsed.notes.extend(tally.notes());
    parsed
}

fn messages(
    rows: &[Row<'_>],
    tally: &mut Tally,
    called: &mut NamedPeople,
    notes: &mut Vec<Note>,
) -> Vec<Message> {
    let days = || rows.iter().filter_map(|row| Some((row, day_line(row.text)?)));
    let date_order = order(days().map(|(_, day)| day));
    let mut doubtful = days().filter(|(_, day)| day.is_doubtful(date_order));
    if let Some((row, _)) = doubtful.next() {
        let at = row.at..row.at + row.text.len();
        let message = "cannot tell whether these dates are day-first or month-first";
        let note = Note::warning("ambiguous-dates", at, message);
        notes.push(note.hint(
            "add the day of the week to one of them, such as `Wed, ` before the \
                              date",
        ));
    }
    let mut messages = Vec::new();
    let mut day: Option<DayLine> = None;
    let mut next = 0;
    while let Some(row) = rows.get(next) {
        let start = next;
        next += 1;
        let Some(head) = &row.head else {
            let found = day_line(row.text);
            if found.is_none() && !row.text.trim().is_empty() && !messages.is_empty() {
                let at = row.at..row.at + row.text.len();
                let message = "this line does not belong to a message";
                let note = Note::warning("unknown-record", at, message);
                notes.push(note.hint("it is not shown"));
            }
            day = found.or(day);
            continue;
        };
        let end = rows[next..].iter().position(|row| row.head.is_some());
        let end = end.map_or(rows.len(), |count| next + count);
        let quoted = quoted_heads(head.text, &rows[next..], end - next);
        if quoted > 0 {
            let message = "lines of this message look like other messages";
            let at = row.at..row.at + row.text.len();
            let note = Note::new(Severity::Hint, "quoted-heads", Some(at), message);
            notes
                .push(note.hint("they are inside its quotation marks and were kept as part of it"));
        }
        let end = end + quoted;
        let full = full_text(head.text, rows, start, end);
        next = full.end;
        let date = day.as_ref().and_then(|day| day.read(date_order));
        let time = date.and_then(|date| time_at(date, [head.clock.0, head.clock.1, 0]));
        if day.is_none() && messages.is_empty() {
            let message = "cannot tell on which day this message was sent";
            notes.push(Note::warning("bad-time", row.at..row.at + 1, message));
        }
        let written = day.as_ref().filter(|_| time.is_none());
        let extra = written.map(|day| {
            let (hour, minute) = head.clock;
            ("sent".to_owned(), format!("{} {hour:02}:{minute:02}", day.written).into())
        });
        match head.sender {
            "" => called.notice(&full.text),
            sender => called.person(sender),
        }
        called.mentions(&full.text);
        let Some(blocks) = body::body(&full.text, !head.sender.is_empty(), tally) else {
            continue;
        };
        messages.push(Message {
            sender: head.sender.to_owned(),
            time,
            blocks,
            extra: extra.into_iter().collect(),
            place: Place { file: 0, line: row.number, quoted: false },
            ..Message::default()
        });
    }
    messages
}

/// The complete text of a message.
struct FullText {
    text: String,
    /// The index of the line after it.
    end: usize,
}

/// Returns the complete text of a message that begins with `first` on the line `start`. The next
/// message begins on the line `end`.
fn full_text(first: &str, rows: &[Row<'_>], start: usize, end: usize) -> FullText {
    let lines = |to: usize| {
        let more = rows[start + 1..to].iter().map(|row| row.text);
        std::iter::once(first).chain(more).collect::<Vec<_>>().join("\n")
    };
    let closed = closing(first, &rows[start + 1..end]).map(|count| start + 1 + count);
    let from = closed.map_or(start + 1, |last| last + 1);
    // A date line ends a message, unless it is inside quotation marks.
    let day = rows[from..end].iter().position(|row| day_line(row.text).is_some());
    let end = day.map_or(end, |count| from + count);
    let Some(last) = closed else { return FullText { text: lines(end), end } };
    let quoted = lines(last + 1);
    let quoted = quoted.trim_end();
    let mut text = quoted[1..quoted.len() - 1].replace("\"\"", "\"");
    // Lines after the closing mark are unexpected, but are kept.
    for row in &rows[last + 1..end] {
        text.push('\n');
        text.push_str(row.text);
    }
    FullText { text, end }
}

/// Returns the number of lines, starting at the next message beginning, that belong to the message
/// that begins with `first`, because they are inside the quotation marks that LINE puts around
/// multi-line messages. `rows` are the lines after it; the first `before` of them begin no message.
/// The search ends at a message with a quotation mark of its own, and at the maximum length of a
/// message.
fn quoted_heads(first: &str, rows: &[Row<'_>], before: usize) -> usize {
    let mut marks = first.matches('"').count();
    if !first.starts_with('"') || marks.is_multiple_of(2) {
        return 0;
    }
    let mut length = first.len();
    for (at, row) in rows.iter().enumerate() {
        let is_quoted = row.head.as_ref().is_some_and(|head| head.text.starts_with('"'));
        length += row.text.len() + 1;
        if is_quoted || length > LONGEST_MESSAGE {
            break;
        }
        marks += row.text.matches('"').count();
        if marks.is_multiple_of(2) && row.text.trim_end().ends_with('"') {
            return (at + 1).saturating_sub(before);
        }
    }
    0
}

/// Returns the index of the line that ends with the closing quotation mark of a message.
fn closing(first: &str, rows: &[Row<'_>]) -> Option<usize> {
    let mut marks = first.starts_with('"').then(|| first.matches('"').count())?;
    rows.iter().position(|row| {
        marks += row.text.matches('"').count();
        marks % 2 == 0 && row.text.trim_end().ends_with('"')
    })
}
