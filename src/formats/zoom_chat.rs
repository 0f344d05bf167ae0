//! Chats that Zoom saves during a meeting: `meeting_saved_chat.txt` and `chat.txt`.
//!
//! ```text
//! ~/Documents/Zoom/2021-03-15 10.00.00 Mill meeting/meeting_saved_chat.txt
//! 09:00:00    From Ada Alder (she/her) : Welcome everyone
//! 09:00:20    From  Bob Birch  to  Ada Alder(Direct Message) : not for everybody
//! 2023-03-15 09:00:00 From Ada Alder to Everyone:
//!    Welcome everyone
//! ```
//!
//! The first shape is older; in both, messages can be to one person. If lines have no date, it is in the name of the
//! folder. Chats of recordings in the cloud have lines such as `00:01:02   Ada Alder:   Hello`, with times from the start of
//! the recording: the format `markdown` reads them.

use jiff::civil::Date;

use super::{About, Bundle, Claim, File, Format, Listing, Parsed, Probe, Read};
use crate::shared::json::rows::rows;
use crate::shared::people::channel::{Message, plain};
use crate::shared::people::phone_chat::{Members, NamedPeople, PhoneChat};
use crate::shared::tally::Tally;
use crate::shared::text::dates::time_at;
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
        find: "The folder of the meeting in `Documents/Zoom`: `meeting_saved_chat.txt`, `meeting_saved_new_chat.txt` or `chat.txt`. \
               Keep the folder, because its name has the date.",
        reads: "Messages to everyone with their names and times, and what they reply to.",
        leaves_out: "Messages to one person or to some of the participants, reactions, and pronouns after names. \
                     Withheld until a `[[source]]` sets `visibility = \"public\"`.",
    },
    read: Some(Read::new(claims, parse).gather(gather)),
    write: None,
};

/// The recipients that are everyone, in lower case.
const EVERYONE: [&str; 4] =
    ["everyone", "everyone (in meeting)", "everyone in meeting", "everyone in main session"];
/// What is written after the name of a person who gets a message alone, in lower case.
const ALONE: [&str; 4] = ["(privately)", "(direct message)", "(privat)", "(direktnachricht)"];
/// The number of characters at the beginning of a line in which a clock time makes it doubtful.
const DOUBTFUL_CHARS: usize = 24;

/// The names of chats, and the number of bytes from which one is recognised.
const FILES: [&str; 3] = ["meeting_saved_chat.txt", "meeting_saved_new_chat.txt", "chat.txt"];
const HEAD: usize = 4096;

/// The beginning of a message.
struct Head<'a> {
    /// The day, if the line has one.
    day: Option<Date>,
    /// `09:00:00`
    clock: &'a str,
    sender: &'a str,
    recipient: Recipient,
    /// The text on the line.
    text: &'a str,
}

/// Who gets a message.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Recipient {
    Everyone,
    /// One person, some people, or unknown.
    Others,
    /// The line does not say it, as in old chats whose messages are to everyone.
    Unsaid,
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
    let is_number =
        |word: &str| (9..=11).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_digit());
    let topic = match topic.rsplit_once(' ') {
        Some((topic, number)) if is_number(number) => topic,
        _ if is_number(topic) => "",
        _ => topic,
    };
    Some((day.parse().ok()?, topic))
}

/// A message as it is in the file.
struct Entry<'a> {
    head: Head<'a>,
    line: u32,
    at: usize,
    lines: Vec<&'a str>,
}

/// The day of messages whose lines have none. After midnight, it is the next one.
struct Clock {
    day: Option<Date>,
    /// The hour of the last message.
    last: Option<u16>,
}

impl Clock {
    fn time(&mut self, head: &Head<'_>) -> Option<Time> {
        let mut parts = head.clock.split(':').filter_map(|part| part.parse::<u16>().ok());
        let time = [parts.next()?, parts.next()?, parts.next()?];
        if let Some(day) = head.day {
            return time_at(day, time);
        }
        let hour = time[0];
        let is_next = self.last.is_some_and(|last| hour + 12 < last);
        let day = if is_next { self.day?.tomorrow().ok()? } else { self.day? };
        let time = time_at(day, time)?;
        (self.day, self.last) = (Some(day), Some(hour));
        Some(time)
    }
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    let Some(File { name, text, .. }) = files.first() else { return parsed };
    let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
    let (day, topic) = meeting(folder).map_or((None, ""), |(day, topic)| (Some(day), topic));
    let (mut tally, mut called) = (Tally::default(), NamedPeople::default());
    let entries = entries(text, &mut tally, &mut parsed.notes);
    let names_recipients = entries.iter().any(|entry| entry.head.recipient == Recipient::Everyone);
    let mut messages = Vec::with_capacity(entries.len());
    let mut clock = Clock { day, last: None };
    // The last message that is not to everyone.
    let mut aside: Option<(Option<Date>, u32)> = None;
    for Entry { head, line, at, lines } in entries {
        let time = clock.time(&head);
        if time.is_none() && clock.day.is_some() {
            let message = format!("`{}` is not a valid time", head.clock);
            let at = at..at + head.clock.len();
            parsed.notes.push(Note::warning("bad-time", at, message));
        }
        let text = lines.join("\n");
        let text = text.trim();
        called.person(person(head.sender));
        let is_to_everyone = match head.recipient {
            Recipient::Everyone => true,
            Recipient::Others => false,
            Recipient::Unsaid => !names_recipients,
        };
        let is_pasted = aside.is_some_and(|aside| is_pasted(&head, aside));
        if !is_to_everyone && !is_pasted {
            aside = Some((head.day, seconds(head.clock)));
        } else if !is_pasted {
            aside = None;
        }
        if !is_to_everyone || is_pasted {
            tally.not_shown("message that is not to everyone", "messages that are not to everyone");
            continue;
        }
        if is_reaction(text) {
            tally.not_shown("reaction", "reactions");
            continue;
        }
        called.mentions(text);
        messages.push(Message {
            sender: person(head.sender).to_owned(),
            time,
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

/// Returns whether a line may be a part of the text of the private message above it: messages are in the order
/// of their times, and all of them have a day, or none.
fn is_pasted(head: &Head<'_>, (day, time): (Option<Date>, u32)) -> bool {
    const NOON: u32 = 12 * 60 * 60;
    let own = seconds(head.clock);
    match (day, head.day) {
        (Some(day), Some(own_day)) => (own_day, own) < (day, time),
        // After midnight, the clock starts again.
        (None, None) => own < time && own + NOON >= time,
        _ => true,
    }
}

/// Returns the time since midnight.
fn seconds(clock: &str) -> u32 {
    let parts = clock.split(':').filter_map(|part| part.parse::<u32>().ok());
    parts.fold(0, |sum, part| sum * 60 + part)
}

/// Divides a text into messages. A line that may begin a message but cannot be read is not shown, and neither is what
/// follows it: it may be to one person.
fn entries<'a>(text: &'a str, tally: &mut Tally, notes: &mut Vec<Note>) -> Vec<Entry<'a>> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    let (mut is_lost, mut has_preface) = (false, false);
    for (line, at, row) in rows(text) {
        let row = row.trim_end_matches('\r').trim_start_matches('\u{feff}');
        if let Some(head) = head(row) {
            is_lost = false;
            entries.push(Entry { lines: vec![head.text], head, line, at });
        } else if is_doubtful(row) {
            is_lost = true;
            tally.unknown_skipped("line");
        } else if is_lost {
        } else if let Some(last) = entries.last_mut() {
            last.lines.push(row.strip_prefix('\t').unwrap_or(row));
        } else if !row.trim().is_empty() && !has_preface {
            has_preface = true;
            let message = "text before the first message";
            let note = Note::warning("preface", at..at + row.len(), message);
            notes.push(note.hint("it is not shown"));
        }
    }
    entries
}

/// Reads the line on which a message begins.
fn head(row: &str) -> Option<Head<'_>> {
    let whole = row;
    let (day, row) = match row.get(..10).and_then(|day| day.parse::<Date>().ok()) {
        Some(day) => (Some(day), row[10..].strip_prefix(' ')?),
        None => (None, row),
    };
    let (clock, rest) = clock(row)?;
    let rest = rest.trim_start().strip_prefix("From ")?;
    let below = rest.trim_end().strip_suffix(':').map(|people| (people, ""));
    let (people, text) = rest.split_once(" : ").or(below)?;
    let (sender, recipient) = match last_to(people) {
        // With another `to`, nobody can say where the recipient begins.
        Some((sender, to))
            if EVERYONE.contains(&to.to_lowercase().as_str()) && last_to(sender).is_none() =>
        {
            (sender, Recipient::Everyone)
        }
        Some((sender, _)) => (sender, Recipient::Others),
        None => (people.trim(), Recipient::Unsaid),
    };
    // The name of the sender may contain a colon: `From  Bob : B  to  Ada : hello`.
    let is_cut = recipient == Recipient::Unsaid
        && text.split_once("  to  ").is_some_and(|(_, rest)| rest.contains(" : "));
    let recipient = match is_cut || is_alone(whole) || has_break(whole) {
        true => Recipient::Others,
        false => recipient,
    };
    (!sender.is_empty()).then_some(Head { day, clock, sender, recipient, text })
}

/// Divides people at the last word `to`, whatever blanks are around it.
fn last_to(people: &str) -> Option<(&str, &str)> {
    let lower = people.to_ascii_lowercase();
    let is_word = |at: &usize| {
        people[..*at].ends_with(char::is_whitespace)
            && (people[at + 2..].is_empty() || people[at + 2..].starts_with(char::is_whitespace))
    };
    let at = lower.rmatch_indices("to").map(|(at, _)| at).find(is_word)?;
    Some((people[..at].trim(), people[at + 2..].trim()))
}

/// Returns whether a line may begin a message, although it cannot be read, or may be to one person.
fn is_doubtful(row: &str) -> bool {
    let begin: Vec<char> = row.chars().take(DOUBTFUL_CHARS).collect();
    let is_clock = |part: &[char]| {
        part.iter().zip("0:00:00".chars()).all(|(c, shape)| match shape {
            '0' => c.is_ascii_digit(),
            shape => *c == shape,
        })
    };
    begin.windows(7).any(is_clock) || has_break(row) || is_alone(row)
}

/// Returns whether a line contains a character that some programs read as the end of a line.
fn has_break(row: &str) -> bool {
    row.contains(['\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'])
}

/// Returns whether a line says that one person gets the message.
fn is_alone(row: &str) -> bool {
    let row = row.to_lowercase();
    ALONE.iter().any(|mark| row.contains(mark))
}

/// Returns the time at the beginning of a line, and the rest.
fn clock(row: &str) -> Option<(&str, &str)> {
    let end = row.find([' ', '\t'])?;
    let (clock, rest) = row.split_at(end);
    let mut parts = clock.split(':');
    let is_part =
        |part: &str| (1..=2).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
    let is_clock = parts.by_ref().take(3).filter(|part| is_part(part)).count() == 3;
    (is_clock && parts.next().is_none()).then_some((clock, rest))
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
