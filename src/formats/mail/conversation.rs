//! Conversion of a thread to a conversation.

use std::collections::{HashMap, HashSet};

use super::head::Head;
use super::mbox::{Stretch, unescaped};
use super::subject::base;
use crate::shared::people::channel::{Contacts, Message, assemble, is_contact, or_placeholder};
use crate::shared::people::mail::body::{Body, Origin, body};
use crate::shared::people::mail::fields::{Fields, Person, cleaned, divide};
use crate::shared::tally::Tally;
use crate::shared::text::verbatim::verbatim;
use convo_base::diag::Note;
use convo_base::hash::Hash;
use convo_base::json::Value;
use convo_base::model::{Block, Channel, Conversation, Kind, Place, SERIES, Split};
use convo_base::time::Time;

/// A mail in a file.
pub(super) struct Mail<'a> {
    /// The index of the file.
    pub(super) file: usize,
    /// The offset in the text of the file.
    pub(super) at: usize,
    pub(super) stretch: Stretch<'a>,
    pub(super) head: Head,
}

/// A mail with its fields read.
struct Read {
    id: Hash,
    /// Distinguishes mails that have the same id.
    print: Hash,
    ancestors: Vec<Hash>,
    sender: Person,
    subject: String,
    time: Option<Time>,
    /// The name and the addresses of the list that sent it.
    list: Option<(String, Vec<String>)>,
    recipients: Vec<Person>,
    is_of_program: bool,
    body: Body,
    place: Place,
}

/// Where notes and counts of a source are collected.
pub(super) struct Report<'a> {
    pub(super) notes: &'a mut Vec<Note>,
    pub(super) tally: &'a mut Tally,
}

/// Makes the conversations of a thread: the mails that a list sent, and the private mails beside
/// it.
pub(super) fn conversations(
    root: Hash,
    mails: &[&Mail<'_>],
    reported: &mut Report<'_>,
) -> Vec<Conversation> {
    let read: Vec<Read> = mails.iter().map(|mail| read(mail, reported)).collect();
    let addresses: HashSet<String> = read
        .iter()
        .filter_map(|mail| mail.list.as_ref())
        .flat_map(|(_, all)| all.clone())
        .collect();
    let is_lists = |mail: &Read| {
        mail.list.is_some()
            || mail.recipients.iter().any(|to| addresses.contains(&to.address.to_ascii_lowercase()))
    };
    let (lists, others): (Vec<Read>, Vec<Read>) = read.into_iter().partition(is_lists);
    let has_both = !lists.is_empty() && !others.is_empty();
    let id = format!("mail-{}", root.short(20));
    let aside = if has_both { format!("{id}-aside") } else { id.clone() };
    let all = [(lists, false, id), (others, true, aside)];
    let all = all.into_iter().filter(|(mails, ..)| !mails.is_empty());
    all.filter_map(|(mails, is_direct, id)| {
        conversation(mails, is_direct, id, &addresses, reported.notes)
    })
    .collect()
}

fn read(mail: &Mail<'_>, reported: &mut Report<'_>) -> Read {
    let bytes = mail.stretch.bytes;
    let cleaned = cleaned(divide(bytes).0);
    let fields = Fields::read(&cleaned);
    let of = fields.as_ref();
    let date = of.map_or(Ok(None), Fields::date);
    if matches!(date, Err(()) | Ok(None)) {
        let message = match date {
            Err(()) => "cannot parse the date of this message",
            Ok(_) => "this message has no date",
        };
        let note = Note::warning("bad-time", mail.at..mail.at + 1, message);
        let note = note.hint("it was placed after the preceding message in the file");
        reported.notes.push(note.in_file(mail.file));
    }
    let date = date.ok().flatten();
    if let Some(zone) = date.as_ref().and_then(|date| date.unknown_zone.as_ref()) {
        let message = format!("unknown time zone `{zone}`");
        let note = Note::warning("unknown-zone", mail.at..mail.at + 1, message);
        let note = note.hint("the time is shown as written, without a zone");
        reported.notes.push(note.in_file(mail.file));
    }
    let unescaped = mail.stretch.is_escaped.then(|| unescaped(bytes.to_vec()));
    let bytes = unescaped.as_deref().unwrap_or(bytes);
    let body = body(bytes, Origin::default(), reported.tally);
    reported.notes.extend(body.loss_note(mail.at).map(|note| note.in_file(mail.file)));
    Read {
        id: mail.head.id,
        print: mail.head.print,
        ancestors: mail.head.ancestors.clone(),
        sender: of.map(Fields::sender).unwrap_or_default(),
        subject: of.map(Fields::subject).unwrap_or_default(),
        time: date.map(|date| date.time),
        list: of.and_then(Fields::list),
        recipients: of.map(Fields::recipients).unwrap_or_default(),
        is_of_program: of.is_some_and(is_automated),
        body,
        place: Place { file: mail.file, line: mail.stretch.line, quoted: true },
    }
}

/// Returns whether a program wrote a mail.
fn is_automated(fields: &Fields<'_>) -> bool {
    let sender = fields.sender().address.to_ascii_lowercase();
    let local = sender.split('@').next().unwrap_or_default();
    let is_answer = fields.text("Auto-Submitted").is_some_and(|text| !text.starts_with("no"));
    is_answer
        || ["noreply", "no-reply", "donotreply", "mailer-daemon", "postmaster", "bounce"]
            .iter()
            .any(|name| local.starts_with(name))
}

fn conversation(
    mails: Vec<Read>,
    is_direct: bool,
    id: String,
    of_lists: &HashSet<String>,
    notes: &mut Vec<Note>,
) -> Option<Conversation> {
    let list = mails.iter().find_map(|mail| mail.list.as_ref());
    let (list, addresses) = list.cloned().unwrap_or_default();
    // It is in brackets, as the list name or as the part before the `@`.
    let local = addresses.first().and_then(|address| address.split('@').next());
    let list_names = format!("{list} {}", local.unwrap_or_default());
    let first = mails.iter().min_by_key(|mail| {
        let time = mail.time.as_ref().map(Time::instant);
        (time.is_none(), time)
    })?;
    let title = base(&first.subject, &list_names).to_owned();
    let known: HashSet<Hash> = mails.iter().map(|mail| mail.id).collect();
    let mut contacts = Contacts::default();
    let mut read = Conversation::default();
    let names = Names::new(&mails, &list);
    let mut shown = HashSet::new();
    let mut quoted = Vec::new();
    let mut recipients = Vec::new();
    let mut messages = Vec::with_capacity(mails.len());
    for mail in mails {
        let answers = mail.ancestors.iter().rev().find(|id| known.contains(*id));
        quoted.extend(mail.body.quoted);
        let is_person = |to: &Person| !of_lists.contains(&to.address.to_ascii_lowercase());
        recipients.extend(mail.recipients.into_iter().filter(is_person));
        let mut blocks = or_placeholder(mail.body.blocks);
        let subject = base(&mail.subject, &list_names);
        if !subject.is_empty() && subject != title {
            let text = format!("**{}**", verbatim(subject));
            blocks.insert(0, Block::Markdown { text });
        }
        let id = match shown.insert(mail.id) {
            true => mail.id,
            false => Hash::of(&(mail.id, mail.print)),
        };
        messages.push(Message {
            id: id.hex(),
            sender: names.of(&mail.sender, &list, &mut contacts),
            is_bot: mail.is_of_program,
            time: mail.time,
            blocks,
            answers: answers.map(Hash::hex),
            place: mail.place,
            ..Message::default()
        });
    }
    assemble(&mut read, messages, &mut contacts, notes);
    // Quoted people get a pseudonym too.
    for name in quoted.iter().filter(|name| !is_contact(name)) {
        read.introduce(name, Kind::Person);
    }
    names.introduce(&recipients, &list, &mut read);
    read.id = Some(id);
    read.title = (!title.is_empty()).then_some(title);
    // File names contain names of people and hosts.
    read.file_title = Some("Mail".to_owned());
    if !list.is_empty() && !is_direct {
        read.extra.insert(SERIES.to_owned(), Value::String(list.clone()));
    }
    read.channel = Some(Channel { name: list, is_direct, split: Split::Thread });
    (!read.turns.is_empty()).then_some(read)
}

/// The names of the people in a thread. A name in one mail applies to all mails of its address.
struct Names(HashMap<String, String>);

impl Names {
    fn new(mails: &[Read], list: &str) -> Self {
        let mut names = HashMap::new();
        for Person { name: own, address: of } in mails.iter().map(|mail| &mail.sender) {
            let (name, address) = (name(own, list), address(of));
            if !name.is_empty() && !address.is_empty() {
                names.entry(address).or_insert(name);
            }
        }
        Self(names)
    }

    /// Adds the recipients as participants, with all their names.
    fn introduce(mut self, people: &[Person], list: &str, read: &mut Conversation) {
        for person in people {
            let own = name(&person.name, list);
            let address = address(&person.address);
            if own.is_empty() || own == list {
                continue;
            }
            match self.0.get(&address) {
                Some(known) => read.also_called(known, &own),
                None => read.introduce(&own, Kind::Person),
            }
            if !address.is_empty() {
                self.0.entry(address).or_insert(own);
            }
        }
    }

    fn of(&self, person: &Person, list: &str, contacts: &mut Contacts) -> String {
        let address = address(&person.address);
        match (name(&person.name, list), self.0.get(&address)) {
            (name, _) if !name.is_empty() => name,
            (_, Some(name)) => name.clone(),
            _ if address.is_empty() => "Unknown".to_owned(),
            _ => contacts.number(&address),
        }
    }
}

/// Returns an address in lower case, with the obfuscation of list archives undone.
fn address(address: &str) -> String {
    let address = address.to_lowercase();
    [" at ", "(at)", "[at]", " (at) "].iter().fold(address, |text, mark| text.replace(mark, "@"))
}

/// Returns a name without its address and without the suffix that a list adds; empty if there is
/// none.
pub(super) fn name(name: &str, list: &str) -> String {
    let is_obfuscated = name.split_once(" at ").is_some_and(|(local, host)| {
        !local.contains(' ') && host.contains('.') && !host.contains(' ')
    });
    if is_obfuscated || is_contact(name) {
        return String::new();
    }
    let name = match name.rsplit_once(" via ") {
        Some((name, _)) if !list.is_empty() => name,
        _ => name,
    };
    let words: Vec<&str> = name.split(' ').filter(|word| !word.contains('@')).collect();
    words.join(" ").trim_matches(['"', '\'', ' ', ',']).to_owned()
}
