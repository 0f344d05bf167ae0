//! The people of a mailbox, who may be named in any of its mails.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

use super::conversation::name;
use crate::shared::people::mail::body::{Origin, body};
use crate::shared::people::mail::fields::{Fields, Person, cleaned, divide};
use crate::shared::tally::Tally;
use crate::{Beside, Neighbours, Piece};
use convo_base::hash::Hash;
use convo_base::model::{Conversation, Kind, TextRole, TextVisitor};
use convo_base::rendered_text::{RenderedText, Words, WordsBuilder};
use convo_base::text::Languages;

/// The minimum length of a part of a name that is searched for. Characters.
const MIN_LETTERS: usize = 3;
/// The maximum length in bytes of a name that is searched for. A longer one is not written in a text.
const MAX_BYTES: usize = 1000;
/// The header fields that name people.
const FIELDS: [&[u8]; 3] = [b"from:", b"to:", b"cc:"];

/// The people of a mailbox.
#[derive(Default)]
pub(super) struct Roster {
    people: Vec<Person>,
    known: HashSet<String>,
    /// The places where they are named.
    pieces: Vec<Piece>,
    /// The fields that were already read.
    seen: HashSet<Hash>,
    /// The addresses of lists.
    lists: BTreeSet<String>,
}

impl Roster {
    /// Adds a person; returns whether the name is new.
    pub(super) fn add(&mut self, person: &Person) -> bool {
        let name = name(&person.name, "");
        let is_new = !name.is_empty() && self.known.insert(name.clone());
        if is_new {
            let address = person.address.to_ascii_lowercase();
            self.people.push(Person { name, address });
        }
        is_new
    }

    /// Adds addresses that do not belong to people.
    pub(super) fn add_lists(&mut self, addresses: &[String]) {
        self.lists.extend(addresses.iter().cloned());
    }

    /// Adds the people in the header fields of a mail that begins in a piece. `at` is the offset of
    /// the fields.
    pub(super) fn add_fields(&mut self, head: &[u8], at: u64, mail: &Piece) {
        for Range { start, end } in fields_of_people(head) {
            let field = head.get(start..end).unwrap_or_default();
            if !self.seen.insert(Hash::of_bytes(field)) {
                continue;
            }
            for person in people_of(field) {
                if self.add(&person) {
                    let (from, len) = (at + start as u64, (end - start) as u64);
                    self.pieces.push(Piece { from, len, ..mail.clone() });
                }
            }
        }
    }

    /// Returns what introduces these people in conversations of other sources; `None` if there are
    /// none.
    pub(super) fn into_neighbours(self) -> Option<Neighbours> {
        if self.people.is_empty() {
            return None;
        }
        let hash = Hash::of(&(&self.people, &self.lists));
        let finder = self.finish();
        Some(Neighbours::new(hash, move |read| finder.introduce(read)))
    }

    /// Returns a finder for these people.
    pub(super) fn finish(self) -> Finder {
        let mut owners: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        let people = self.people.iter().enumerate();
        for (owner, Person { name, .. }) in
            people.filter(|(_, person)| !self.lists.contains(&person.address))
        {
            let parts = name.split(|c: char| c.is_whitespace() || c == ',');
            // Whether a common word of another language is a name depends on the conversation.
            let is_long = |part: &&str| {
                part.chars().count() >= MIN_LETTERS
                    && !Languages::ENGLISH.is_everyday_name(&part.to_lowercase())
            };
            let is_short = |form: &&str| form.len() <= MAX_BYTES;
            for form in parts.filter(is_long).chain([name.as_str()]).filter(is_short) {
                for form in WordsBuilder::forms(form) {
                    owners.entry(form).or_default().insert(owner);
                }
            }
        }
        owners.remove("");
        let mut words = WordsBuilder::default();
        let owners = owners
            .into_iter()
            .map(|(form, owners)| {
                words.add(form);
                owners
            })
            .collect();
        let words = words.finish().ok();
        let names = self.people.into_iter().map(|person| person.name).collect();
        Finder { names, pieces: self.pieces, owners, words }
    }
}

/// Finds the people of a mailbox in texts.
pub(super) struct Finder {
    names: Vec<String>,
    pieces: Vec<Piece>,
    /// For each word, the indices of the people whose names contain it.
    owners: Vec<BTreeSet<usize>>,
    /// `None` if there are too many words.
    words: Option<Words>,
}

impl Finder {
    fn named_in(&self, text: &str, found: &mut BTreeSet<usize>) {
        match &self.words {
            Some(words) => {
                let view = RenderedText::folded(text);
                let numbers: BTreeSet<usize> =
                    words.find(&view).map(|(number, _)| number).collect();
                let owners = numbers.iter().filter_map(|number| self.owners.get(*number));
                found.extend(owners.flatten());
            }
            // Without a search, everyone may be named.
            None => found.extend(0..self.names.len()),
        }
    }

    /// Adds every person who is named in a conversation as a participant.
    pub(super) fn introduce(&self, read: &mut Conversation) {
        let mut visitor = Named { finder: self, found: BTreeSet::new() };
        read.visit_texts(&mut visitor);
        let named: Vec<&String> =
            visitor.found.iter().filter_map(|owner| self.names.get(*owner)).collect();
        let known: HashSet<String> = read
            .participants
            .iter()
            .flat_map(|who| who.aliases.iter().chain([&who.name]))
            .cloned()
            .collect();
        for name in named.into_iter().filter(|name| !known.contains(*name)) {
            read.introduce(name, Kind::Person);
        }
    }
}

impl Beside for Finder {
    fn pieces(&self, conversation: &[Vec<u8>]) -> Vec<Piece> {
        let mut found = BTreeSet::new();
        for mail in conversation {
            let (head, rest) = divide(mail);
            let head = cleaned(head);
            let subject = Fields::read(&head).map(|fields| fields.subject());
            self.named_in(&subject.unwrap_or_default(), &mut found);
            self.named_in(&String::from_utf8_lossy(rest), &mut found);
            if String::from_utf8_lossy(mail).to_ascii_lowercase().contains("base64") {
                for block in body(mail, Origin::default(), &mut Tally::default()).blocks {
                    self.named_in(&block.to_markdown(), &mut found);
                }
            }
        }
        found.iter().filter_map(|owner| self.pieces.get(*owner).cloned()).collect()
    }
}

struct Named<'a> {
    finder: &'a Finder,
    found: BTreeSet<usize>,
}

impl TextVisitor for Named<'_> {
    fn text(&mut self, role: TextRole, text: &mut String) {
        if role.is_shown() {
            self.finder.named_in(text, &mut self.found);
        }
    }
}

/// Returns whether a text consists of header fields that name people, without a mail.
pub(super) fn is_of_people(bytes: &[u8]) -> bool {
    let all = fields_of_people(bytes);
    !bytes.is_empty() && all.iter().map(|field| field.len()).sum::<usize>() == bytes.len()
}

/// Returns the people in one or more fields.
pub(super) fn people_of(fields: &[u8]) -> Vec<Person> {
    let cleaned = cleaned(fields);
    let Some(fields) = Fields::read(&cleaned) else { return Vec::new() };
    let mut people = fields.recipients();
    people.push(fields.sender());
    people.retain(|person| *person != Person::default());
    people
}

/// Returns the ranges of the fields that name people, including their continuation lines.
fn fields_of_people(head: &[u8]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let (mut at, mut is_open) = (0, false);
    for line in head.split_inclusive(|byte| *byte == b'\n') {
        let is_more = line.starts_with(b" ") || line.starts_with(b"\t");
        let is_field = FIELDS.iter().any(|name| {
            line.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
        });
        let end = at + line.len();
        match found.last_mut() {
            Some(last) if is_more && is_open => last.end = end,
            _ if is_field => found.push(at..end),
            _ => {}
        }
        is_open = is_field || is_more && is_open;
        at = end;
    }
    found
}
