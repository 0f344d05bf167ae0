//! Logs of IRC channels, as written by WeeChat, irssi, ZNC, energymech, HexChat, mIRC, Textual and
//! eggdrop.
//!
//! ```text
//! 2026-03-01 10:00:05 → @ada → hello                                        WeeChat, parted by tabs
//! --- Log opened Sun Mar 01 10:00:00 2026                                    irssi
//! 10:00 <@ada> hello
//! [10:00:05] <ada> hello                                                     ZNC, the day in the name of the file
//! Mar 01 10:00:05 <ada> hello                                                HexChat
//! 2026-03-01T10:00:05  <ada> hello                                           bots
//! === ada is now known as adah                                               irclogs.ubuntu.com
//! ```
//!
//! [`mod@line`] parses a line, [`mod@event`] events that the client wrote, [`nicks`] recognises nicks
//! and services, [`day`] finds the date of each time, [`presence`] folds joins and parts,
//! [`renames`] tracks nicks of the same person, and [`gather`] finds the files of a channel.

mod day;
mod event;
mod gather;
mod line;
mod nicks;
mod presence;
mod renames;

use std::collections::{BTreeSet, HashSet};

use self::day::Days;
use self::event::Event;
use self::line::{Line, What, line};
use self::nicks::is_service;
use self::presence::Presence;
use self::renames::Renames;
use super::{About, Claim, File, Format, Parsed, Probe, Read};
use crate::shared::json::rows::rows;
use crate::shared::people::channel::{Contacts, Message, Prose, Style, assemble_log, plain};
use crate::shared::tally::Tally;
use convo_base::diag::{Counted, Note};
use convo_base::model::{Channel, Conversation, Kind, Place, Split};

pub(super) const FORMAT: Format = Format {
    name: "irc",
    title: "IRC log",
    source_label: "IRC",
    between_people: true,
    has_typed_prompts: false,
    about: About {
        what: "Logs of IRC channels, written by WeeChat, irssi, ZNC, energymech, HexChat, mIRC, \
               Textual, eggdrop or a bot.",
        find: "`~/.local/share/weechat/logs`, `~/irclogs`, `~/.znc/moddata/log` or \
               `~/.config/hexchat/logs`. A daily log needs its date in its file name or in its \
               folder names, such as `2026/03/01/#mill.txt`; the files of a channel are one \
               conversation.",
        reads: "Messages, actions, notices, topics, and who joined, left or was kicked, each with \
                its time.",
        leaves_out: "Hosts, modes, notices of services such as NickServ, messages to a single \
                     person, to a service or to the operators, topics of other channels, unknown \
                     lines, reasons for leaving, and colours. Withheld until a `[[source]]` sets \
                     `visibility = \"public\"`; logs that are not known to be of a channel also \
                     need `direct_messages = true`.",
    },
    read: Some(Read::new(claims, parse).gather(gather::gather)),
    write: None,
};

/// Messages to or from a single person or service, or to the operators.
const PRIVATE: Counted = Counted::not_shown("private message", "private messages");
/// Topics and notices of other channels than the one of the log.
const OF_OTHERS: Counted =
    Counted::not_shown("topic or notice of another channel", "topics or notices of other channels");
/// The number of lines from which a log is recognised.
const FIRST_LINES: usize = 60;

fn claims(probe: &Probe<'_>) -> Claim {
    let (name, text) = (probe.name, probe.text);
    let name = name.to_ascii_lowercase();
    let is_other = [".md", ".markdown", ".vtt", ".srt"].iter().any(|end| name.ends_with(end));
    if is_other || super::opens_json(text) {
        return Claim::No;
    }
    let rows = text.lines().take(FIRST_LINES).filter(|row| !row.trim().is_empty());
    // Other programs write a heading above lines of the same shape.
    let first = rows.clone().next().unwrap_or_default();
    let is_headed = day::marker(first).is_none() && !is_known(first);
    let (mut all, mut fitting, mut marked) = (0, 0, 0);
    for row in rows {
        all += 1;
        if day::marker(row).is_some() {
            marked += 1;
        } else if is_known(row) {
            fitting += 1;
        }
    }
    let is_log = fitting >= 2 || fitting == 1 && marked >= 1;
    match is_log && !is_headed && (fitting + marked) * 2 > all {
        true => Claim::Signature,
        false => Claim::No,
    }
}

/// Returns whether a row has the shape that these programs write.
fn is_known(row: &str) -> bool {
    match line(row) {
        Some(line) => !matches!(line.what, What::Unknown | What::Likely(_)),
        None => event::untimed(row).is_some_and(|text| event::event(text) != Event::Other),
    }
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    let named = files.iter().find_map(|file| gather::channel(&file.name));
    let mut log = Log { named, ..Log::default() };
    for file in files {
        file.text.lines().for_each(|row| log.scan(row));
    }
    log.known.extend(log.speakers.iter().cloned());
    for (index, file) in files.iter().enumerate() {
        log.read(index, file, &mut parsed.notes);
    }
    let id = files.first().map(|file| gather::id(&file.name)).unwrap_or_default();
    let is_direct = log.named.is_none() && log.channel.is_none() && !log.is_joined;
    let is_of_service = files.first().is_some_and(|file| gather::is_of_service(&file.name));
    let name = log.named.or(log.channel).or_else(|| gather::bare(&files.first()?.name));
    if is_direct && is_of_service {
        let messages = std::mem::take(&mut log.messages);
        messages.iter().for_each(|_| log.tally.add(PRIVATE));
    }
    parsed.notes.extend(log.tally.notes());
    let mut contacts = Contacts::default();
    let name = name.map(|name| contacts.name(&name).into_owned()).unwrap_or_default();
    let mut read = Conversation::default();
    assemble_log(&mut read, log.messages, &mut contacts, &mut parsed.notes);
    if read.turns.is_empty() {
        return parsed;
    }
    log.others.iter().for_each(|nick| read.introduce(nick, Kind::Person));
    for (nick, other) in log.renames.pairs() {
        read.also_called(nick, other);
    }
    if is_direct {
        // The file or its folder is named after the other person.
        read.introduce(&name, Kind::Person);
        // Some programs write the network in front.
        if let Some((_, nick)) = name.rsplit_once(['_', '-']) {
            read.introduce(nick, Kind::Person);
        }
    }
    read.id = Some(format!("irc-{id}"));
    read.title = (!name.is_empty()).then(|| name.clone());
    read.file_title.clone_from(&read.title);
    read.channel = Some(Channel { name, is_direct, split: Split::Day });
    parsed.conversations.push(read);
    parsed
}

/// A log that is being read.
#[derive(Default)]
struct Log {
    messages: Vec<Message>,
    presence: Presence,
    /// The nicks that say something. Other nicks are not published.
    speakers: HashSet<String>,
    /// The nicks that say something, join or leave.
    known: HashSet<String>,
    /// The nicks that joined, left or were kicked; texts may mention them.
    others: BTreeSet<String>,
    renames: Renames,
    tally: Tally,
    /// The channel that the path names.
    named: Option<String>,
    /// The channel that somebody joined.
    channel: Option<String>,
    /// Whether anybody joined. Programs write that only in the log of a channel.
    is_joined: bool,
}

impl Log {
    /// Collects what has to be known before the messages are read: nicks, and the channel.
    fn scan(&mut self, row: &str) {
        let Some(line) = line(row) else {
            if let Some(text) = event::untimed(row) {
                self.open(text, true);
            }
            return;
        };
        self.speakers.extend(line.speaker().map(str::to_owned));
        let (text, is_shared) = match line.what {
            What::Event(text) => (text, false),
            What::Shared(text) | What::Likely(text) => (text, true),
            _ => return,
        };
        self.open(text, is_shared);
        self.known.extend(event::event(text).nicks().map(str::to_owned));
    }

    /// Records the channel of the log if an event shows it. After a mark that people can write too,
    /// a join counts only with a host.
    fn open(&mut self, text: &str, is_shared: bool) {
        let channel = match event::event(text) {
            Event::Joined { channel, .. } if !is_shared || event::has_host(text) => channel,
            _ => match event::talking(text) {
                Some(channel) => Some(channel),
                None => return,
            },
        };
        self.is_joined = true;
        if let Some(channel) = channel {
            self.channel.get_or_insert_with(|| channel.to_owned());
        }
    }

    /// Returns whether a channel is the one of the log.
    fn is_own(&self, channel: &str) -> bool {
        let mut known = [&self.named, &self.channel].into_iter().flatten();
        known.any(|own| gather::is_same(own, channel))
    }

    fn read(&mut self, file: usize, of: &File, notes: &mut Vec<Note>) {
        let mut days = Days::of(&of.name);
        let mut undated = None;
        for (number, start, row) in rows(&of.text) {
            if row.trim().is_empty() {
                continue;
            }
            if let Some(marker) = day::marker(row) {
                days.mark(marker);
                continue;
            }
            let place = Place { file, line: number, quoted: false };
            match line(row) {
                Some(line) => {
                    let time = days.time(&line);
                    if time.is_none() {
                        undated.get_or_insert(start..start + row.len());
                    }
                    self.add(&line, Message { time, place, ..Message::default() });
                }
                None => {
                    let event = event::untimed(row).map(event::event);
                    let time = days.now();
                    let event = event.unwrap_or(Event::Other);
                    self.event(event, Message { time, place, ..Message::default() });
                }
            }
        }
        self.end_presence();
        if let Some(at) = undated {
            let note = Note::warning("bad-time", at, "cannot tell the date of these times");
            let hint = "put the date in the file name: `#channel.2026-03-01.log`";
            notes.push(note.in_file(file).hint(hint));
        }
    }

    fn add(&mut self, line: &Line<'_>, at: Message) {
        match line.what {
            What::Said { nick, text } => {
                let blocks = plain(&line::bare(text)).into_iter().collect();
                self.add_message(Message { sender: nick.to_owned(), blocks, ..at });
            }
            What::Did { nick, text } => {
                let mut prose = Prose::default();
                prose.add(&line::bare(text), Style::ITALIC);
                let blocks = prose.done().into_iter().collect();
                self.add_message(Message { sender: nick.to_owned(), blocks, ..at });
            }
            What::Notice { nick, .. } if is_service(nick) => {
                self.tally.not_shown("service notice", "service notices");
            }
            What::Notice { channel: Some(channel), .. }
                if (self.named.is_some() || self.channel.is_some()) && !self.is_own(channel) =>
            {
                self.tally.add(OF_OTHERS);
            }
            What::Notice { nick, text, .. } => {
                let blocks = plain(&line::bare(text)).into_iter().collect();
                self.add_message(Message { sender: nick.to_owned(), blocks, ..at });
            }
            What::Event(text) | What::Shared(text) | What::Likely(text) => {
                self.event(event::event(text), at);
            }
            What::Unknown => self.event(Event::Other, at),
            What::MayDo { nick, text } => match self.known.contains(nick) {
                true => self.add(&Line { what: What::Did { nick, text }, ..*line }, at),
                false => self.event(Event::Other, at),
            },
            What::Private => {
                self.tally.add(PRIVATE);
            }
        }
    }

    fn event(&mut self, event: Event<'_>, at: Message) {
        event.nicks().for_each(|nick| _ = self.others.insert(nick.to_owned()));
        let name = |nick: &str| match self.speakers.contains(nick) {
            true => nick.to_owned(),
            false => "Somebody".to_owned(),
        };
        let (kind, text) = match event {
            Event::Joined { nick, .. } => {
                let nick = self.speakers.contains(nick).then_some(nick);
                return self.add_presence(nick.map(|nick| format!("{nick} joined")), at);
            }
            Event::Left { nick } => {
                let nick = self.speakers.contains(nick).then_some(nick);
                return self.add_presence(nick.map(|nick| format!("{nick} left")), at);
            }
            Event::Renamed { from, to } => {
                self.renames.add(from, to);
                let is_known = |nick: &str| self.speakers.contains(nick);
                let text = match (is_known(from), is_known(to)) {
                    (true, _) => Some(format!("{from} changed their nick")),
                    (false, true) => Some(format!("{to} changed their nick")),
                    (false, false) => None,
                };
                return self.add_presence(text, at);
            }
            Event::Aside => {
                return self
                    .tally
                    .not_shown("mode change or similar event", "mode changes or similar events");
            }
            Event::Kicked { nick, by } => {
                ("left", format!("{} was removed by {}", name(nick), name(by)))
            }
            Event::Topic { channel: Some(channel), .. } if !self.is_own(channel) => {
                return self.tally.add(OF_OTHERS);
            }
            Event::Topic { nick, topic, .. } => {
                let topic = line::bare(topic);
                match nick {
                    Some(nick) => ("topic", format!("{} set the topic: {topic}", name(nick))),
                    None => ("topic", format!("The topic is: {topic}")),
                }
            }
            Event::Other => return self.tally.unknown_skipped("line"),
        };
        let event = Message::event(kind, text);
        self.add_message(Message { blocks: event.blocks, ..at });
    }

    /// Adds a join or a part.
    fn add_presence(&mut self, phrase: Option<String>, at: Message) {
        if let Some(done) = self.presence.add(phrase, at) {
            self.messages.push(done);
        }
    }

    fn end_presence(&mut self) {
        self.messages.extend(self.presence.end());
    }

    fn add_message(&mut self, message: Message) {
        self.end_presence();
        self.messages.push(message);
    }
}
