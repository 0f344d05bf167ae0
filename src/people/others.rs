//! People in a conversation who are not listed, and their other names.

use std::collections::BTreeSet;

use super::email_names::names_near_emails;
use super::names::Presence;
use super::pseudonym::Pseudonym;
use super::{People, is_role};
use crate::hash::Hash;
use crate::json::Value;
use crate::model::{Conversation, Kind, TextRole, TextVisitor};
use crate::text::{LanguageDetector, Languages, is_everyday_name, normalized_name};

/// A name or an account of a person who is not listed.
#[derive(Clone, Debug)]
pub(super) struct Other {
    pub(super) name: String,
    pub(super) made_up: Pseudonym,
    pub(super) presence: Presence,
}

impl Other {
    /// Returns whether every occurrence of the name is a name and not a word.
    pub(super) fn is_sure(&self) -> bool {
        !self.presence.is_word(&self.name.to_lowercase())
    }
}

impl People {
    /// Returns the names and accounts of people in a conversation who are not listed.
    pub(super) fn others_of(&self, in_scope: &[bool], read: &mut Conversation) -> Vec<Other> {
        let key = self.key.filter(|_| self.renames_others(read));
        let Some(key) = key else { return self.aliases_of_listed(in_scope, read) };
        if read.channel.is_some() {
            self.add_names_near_emails(in_scope, read);
        }
        let absent = Presence::Absent(languages(read));
        let read = &*read;
        let mut found = self.aliases_of_listed(in_scope, read);
        let writers: BTreeSet<&str> = read.all_turns().map(|turn| turn.speaker.as_str()).collect();
        let mut speakers: BTreeSet<&str> = BTreeSet::new();
        for turn in read.all_turns() {
            let is_person = match read.participant(&turn.speaker) {
                Some(_) => false,
                None => Kind::guess(&turn.speaker) == Kind::Person,
            };
            speakers.extend(is_person.then_some(turn.speaker.as_str()));
        }
        let people = read.participants.iter().filter(|who| who.kind == Kind::Person);
        speakers.extend(people.map(|who| who.name.as_str()));
        // If a name is also an account of another person, the participant with that name has precedence.
        let (mut first, mut accounts) = (Vec::new(), std::mem::take(&mut found));
        for name in speakers {
            let who = read.participant(name);
            let aliases = who.into_iter().flat_map(|who| &who.aliases);
            let aliases = aliases.filter(|alias| self.is_unlisted(in_scope, alias));
            // A participant without a name gets no pseudonym, but may have an account.
            let is_nameless = is_role(name);
            if !is_nameless && !self.is_unlisted(in_scope, name) {
                continue;
            }
            let mut aliases = aliases.peekable();
            let own = aliases.peek().filter(|_| is_nameless);
            let made_up = match own {
                Some(alias) => Pseudonym::new(key, alias, aliases.clone().map(String::as_str)),
                None => self.made_up_of(key, in_scope, name, read),
            };
            let presence = match writers.contains(name) {
                true => Presence::Writes,
                false => absent,
            };
            let other =
                |name: &str| Other { name: name.to_owned(), made_up: made_up.clone(), presence };
            accounts.extend(aliases.map(|alias| other(alias)));
            if is_nameless {
                continue;
            }
            let extra = who.into_iter().flat_map(|who| who.extra.values());
            let extra = extra.filter_map(Value::as_str).filter(|text| is_address(text));
            accounts.extend(extra.map(other));
            first.push(other(name));
        }
        first.append(&mut accounts);
        first
    }

    /// Adds people as participants of a channel if their names appear next to e-mail addresses in it.
    fn add_names_near_emails(&self, in_scope: &[bool], read: &mut Conversation) {
        let people = read.participants.iter();
        let names = people.flat_map(|who| who.aliases.iter().chain([&who.name]));
        let channel = read.channel.iter().map(|channel| &channel.name);
        let known: BTreeSet<String> =
            names.chain(channel).map(|name| normalized_name(name)).collect();
        for name in names_near_emails(read) {
            if !known.contains(&normalized_name(&name)) && self.is_unlisted(in_scope, &name) {
                read.introduce(&name, Kind::Person);
            }
        }
    }

    /// Creates the pseudonym of a person who is not listed. Two participants who are aliases of each other
    /// are one person.
    fn made_up_of(
        &self,
        key: Hash,
        in_scope: &[bool],
        name: &str,
        read: &Conversation,
    ) -> Pseudonym {
        let is_same = |alias: &&str| {
            let other = read.participant(alias);
            other.is_some_and(|other| other.aliases.iter().any(|own| own == name))
        };
        let who = read.participant(name);
        let aliases = who.into_iter().flat_map(|who| &who.aliases).map(String::as_str);
        let names: BTreeSet<&str> = aliases.filter(is_same).chain([name]).collect();
        let mut listed = names.iter().filter_map(|name| self.listed(in_scope, name));
        match listed.find(|listed| listed.is_pseudonym) {
            Some(listed) => Pseudonym::chosen(&listed.shown),
            None => {
                Pseudonym::new(key, names.first().unwrap_or(&name).trim(), names.iter().copied())
            }
        }
    }

    /// Returns whether a name does not belong to a listed person.
    fn is_unlisted(&self, in_scope: &[bool], name: &str) -> bool {
        self.listed(in_scope, name).is_none() && !self.kept.contains(&normalized_name(name.trim()))
    }

    /// Returns the aliases, known to the source, of listed people with a pseudonym.
    fn aliases_of_listed(&self, in_scope: &[bool], read: &Conversation) -> Vec<Other> {
        let mut found = Vec::new();
        for who in read.participants.iter().filter(|who| !who.aliases.is_empty()) {
            let listed = self.listed(in_scope, &who.name);
            let Some(listed) = listed.filter(|listed| listed.is_pseudonym) else {
                continue;
            };
            let made_up = Pseudonym::chosen(&listed.shown);
            let aliases = who.aliases.iter().filter(|alias| self.is_unlisted(in_scope, alias));
            found.extend(aliases.map(|alias| Other {
                name: alias.clone(),
                made_up: made_up.clone(),
                presence: Presence::Writes,
            }));
        }
        found
    }
}

/// Returns the languages of the texts of a conversation. They are only found if somebody has a name that is a
/// common word of another language than English.
fn languages(read: &mut Conversation) -> Languages {
    let is_foreign = |word: &str| {
        let word = word.to_lowercase();
        is_everyday_name(&word) && !Languages::ENGLISH.is_everyday_name(&word)
    };
    let names = read.participants.iter().flat_map(|who| who.aliases.iter().chain([&who.name]));
    if !names.flat_map(|name| name.split_whitespace()).any(is_foreign) {
        return Languages::ENGLISH;
    }
    languages_of_texts(read)
}

/// Returns the languages of the texts of a conversation.
pub(super) fn languages_of_texts(read: &mut Conversation) -> Languages {
    let mut texts = Texts::default();
    read.visit_texts(&mut texts);
    texts.0.finish()
}

/// The texts of a conversation, without the names of its speakers.
#[derive(Default)]
struct Texts(LanguageDetector);

impl TextVisitor for Texts {
    fn text(&mut self, role: TextRole, text: &mut String) {
        if role != TextRole::Name && role.is_shown() {
            self.0.add(text);
        }
    }
}

fn is_address(text: &str) -> bool {
    text.contains('@') && text.len() < 200 && !text.contains(char::is_whitespace)
}
