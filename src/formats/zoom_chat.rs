//! Chats that Zoom saves during a meeting: `meeting_saved_chat.txt` and `chat.txt`.
//!
//! ```text
//! ~/Documents/Zoom/2021-03-15 10.00.00 Mill meeting/meeting_saved_chat.txt
//! 09:00:00	 From Ada Alder (she/her) : Welcome everyone
//! 09:00:20	 From  Bob Birch  to  Ada Alder(Direct Message) : not for everybody
//! 2023-03-15 09:00:00 From Ada Alder to Everyone:
//! 	Welcome everyone
//! ```
//!
//! The first shape is older; in both, messages can be to one person. If lines have no date, it is in the name of the
//! folder. Chats of recordings in the cloud have lines such as `00:01:02	Ada Alder:	Hello`, with times from the start of
//! the recording: the format `markdown` reads them.

use jiff::civil::Date;

use super::{About, Bundle, Claim, File, Format, Listing, Parsed, Probe, Read};
use crate::shared::json::rows::rows;
use crate::shared::people::channel::{Message, plain};
use crate::shared::people::phone_chat::{Members, NamedPeople, PhoneChat};
use crate::shared::tally::Tally;
use crate::shared::text::verbatim::verbatim_lines;
use convo_base::diag::Note;
use convo_base::model::{Block, Place, quoted};
use convo_base::time::Time;

pub(super) const FORMAT: Format = Format {
    name: "zoom-chat",
    title: "Zoom meeting chat",
    source_label: "Zoom",
    between_people: true,
    has_typed_prompts: false,
    about: About {
        what: "The chat of a meeting, saved by Zoom.",
        find: "The folder of the meeting in `Documents/Zoom`: `meeting_saved_chat.txt` or `chat.txt`. \
               Keep the folder, because its name has the date.",
        reads: "Messages to everybody with their names and times, and what they reply to.",
        leaves_out: "Messages to one person or to a part of the people, reactions, and pronouns after names. \
                     Withheld until a `[[source]]` sets `visibility = \"public\"`.",
    },
    read: Some(Read::new(claims, parse).gather(gather)),
    write: None,
};

/// The recipients that are everybody, in lower case.
const EVERYBODY: [&str; 4] =
    ["everyone", "everyone (in meeting)", "everyone in meeting", "everyone in main session"];
/// What is written after the name of a person who gets a message alone.
const ALONE: [&str; 2] = ["(Privately)", "(Direct Message)"];

/// The names of chats, and the number of bytes from which one is recognised.
const FILES: [&str; 2] = ["meeting_saved_chat.txt", "chat.txt"];
const HEAD: usize = 4096;

/// The beginning of a message.
struct Head<'a> {
    /// The day, if the line has one.
    day: Option<Date>,
    /// `09:00:00`
    clock: &'a str,
    sender: &'a str,
    /// Whether everybody in the meeting gets it.
    is_to_everybody: bool,
    /// The text on the line.
    text: &'a str,
}

fn claims(probe: &Probe<'_>) -> Claim {
    let is_text = probe.name.to_ascii_lowercase().ends_with(".txt");
    let first = probe.text.lines().find(|line| !line.trim().is_empty());
    match is_text && first.is_some_and(|line| head(line).is_some()) {
        true => Claim::Signature,
        false => Claim::No,
    }
}

/// Returns the chats in folders of meetings, whose names have the date and the topic.
fn gather(listing: &Listing<'_>) -> Vec<Bundle> {
    let chats = listing.names.iter().filter(|path| {
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
        let is_head = |text: String| text.lines().next().is_some_and(|line| head(line).is_some());
        FILES.contains(&file)
            && meeting(folder).is_some()
            && (listing.head)(path, HEAD).is_some_and(is_head)
    });
    chats.map(|path| Bundle::of_one(path)).collect()
}

/// Returns the day and the topic in the path of a folder: `2021-03-15 10.00.00 Mill meeting`. The number of the meeting
/// is not a part of the topic.
fn meeting(folder: &str) -> Option<(Date, &str)> {
    let name = folder.rsplit('/').next()?;
    let (day, rest) = name.split_at_checked(10)?;
    let (_, topic) = rest.strip_prefix(' ')?.split_once(' ').unwrap_or_default();
    let topic = topic.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ');
    Some((day.parse().ok()?, topic))
}

/// A message as it is in the file.
struct Entry<'a> {
    head: Head<'a>,
    line: u32,
    lines: Vec<&'a str>,
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    let Some(File { name, text, .. }) = files.first() else { return parsed };
    let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
    let (day, topic) = meeting(folder).map_or((None, ""), |(day, topic)| (Some(day), topic));
    let mut tally = Tally::default();
    let mut entries: Vec<Entry<'_>> = Vec::new();
    let mut has_preface = false;
    for (line, at, row) in rows(text) {
        let row = row.trim_end_matches('\r').trim_start_matches('\u{feff}');
        match (head(row), entries.last_mut()) {
            (Some(head), _) => entries.push(Entry { lines: vec![head.text], head, line }),
            (None, Some(last)) => last.lines.push(row.strip_prefix('\t').unwrap_or(row)),
            (None, None) if row.trim().is_empty() || has_preface => {}
            (None, None) => {
                has_preface = true;
                let message = "text before the first message";
                let note = Note::warning("preface", at..at + row.len(), message);
                parsed.notes.push(note.hint("it is not shown"));
            }
        }
    }
    let mut called = NamedPeople::default();
    let mut messages = Vec::with_capacity(entries.len());
    for Entry { head, line, lines } in entries {
        let text = lines.join("\n");
        let text = text.trim();
        called.person(person(head.sender));
        if !head.is_to_everybody {
            tally.not_shown("direct message", "direct messages");
            continue;
        }
        if is_reaction(text) {
            tally.not_shown("reaction", "reactions");
            continue;
        }
        called.mentions(text);
        let day = head.day.or(day).map(|day| format!("{day}T{}", head.clock));
        messages.push(Message {
            sender: person(head.sender).to_owned(),
            time: day.and_then(|time| Time::parse(&time).ok()).map(|(time, _)| time),
            blocks: blocks(text),
            place: Place { file: 0, line, quoted: false },
            ..Message::default()
        });
    }
    let chat = PhoneChat { app: "Zoom", name: topic, members: Members::Group, called };
    parsed.conversations.extend(chat.conversation(messages, &mut parsed.notes));
    parsed.notes.extend(tally.notes());
    parsed
}

/// Reads the line on which a message begins.
fn head(row: &str) -> Option<Head<'_>> {
    let (day, row) = match row.get(..10).and_then(|day| day.parse::<Date>().ok()) {
        Some(day) => (Some(day), row[10..].strip_prefix(' ')?),
        None => (None, row),
    };
    let (clock, rest) = clock(row)?;
    let rest = rest.trim_start().strip_prefix("From ")?;
    let (people, text) = match rest.trim_end().strip_suffix(':') {
        // The text is below; otherwise, the colon ends it.
        Some(people) if !people.contains(" : ") => (people, ""),
        _ => rest.split_once(" : ")?,
    };
    let (sender, recipient) = match people.split_once(" to ") {
        Some((sender, recipient)) => (sender.trim(), Some(recipient.trim())),
        None => (people.trim(), None),
    };
    let is_alone = ALONE.iter().any(|mark| people.trim_end().ends_with(mark));
    let is_known = |recipient: &str| EVERYBODY.contains(&recipient.to_lowercase().as_str());
    let is_to_everybody = !is_alone && recipient.is_none_or(is_known);
    (!sender.is_empty()).then_some(Head { day, clock, sender, is_to_everybody, text })
}

/// Returns the time at the beginning of a line, and the rest.
fn clock(row: &str) -> Option<(&str, &str)> {
    let (clock, rest) = row.split_at_checked(8)?;
    let is_part = |(at, byte): (usize, u8)| match at % 3 {
        2 => byte == b':',
        _ => byte.is_ascii_digit(),
    };
    let is_clock = clock.bytes().enumerate().all(is_part) && rest.starts_with([' ', '\t']);
    is_clock.then_some((clock, rest))
}

/// Returns a name without pronouns: `Ada Alder (she/her)`.
fn person(name: &str) -> &str {
    let name = name.trim();
    let Some((bare, aside)) = name.strip_suffix(')').and_then(|name| name.rsplit_once('(')) else {
        return name;
    };
    let is_word =
        |word: &str| !word.is_empty() && word.chars().all(|c| c.is_alphabetic() || c == ' ');
    match aside.contains('/') && aside.split('/').all(|word| is_word(word.trim())) {
        true if !bare.trim().is_empty() => bare.trim(),
        _ => name,
    }
}

fn is_reaction(text: &str) -> bool {
    text.starts_with("Reacted to \"")
        || text.starts_with("Removed a ") && text.contains(" reaction from \"")
}

/// Returns the blocks of a message, which may quote the message that it replies to.
fn blocks(text: &str) -> Vec<Block> {
    let reply = text.strip_prefix("Replying to \"").and_then(|rest| rest.split_once("\"\n"));
    match reply {
        Some((quotation, own)) => {
            let text = quoted(&verbatim_lines(quotation)).trim_end().to_owned();
            [Block::Markdown { text }].into_iter().chain(plain(own.trim())).collect()
        }
        None => plain(text).into_iter().collect(),
    }
}
