//! The members of a channel, by the ids of their program.

use std::collections::{BTreeSet, HashMap};

use super::{Contacts, is_contact};
use convo_base::model::{Conversation, Kind};

/// The maximum number of people in an export who are all searched for in every channel. In larger
/// exports, only those who take part or are mentioned there.
const MAX_ABSENT: usize = 500;

/// The people known to a program, and which of them are named in texts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Members {
    known: HashMap<String, Member>,
    /// The number of people with each name.
    counts: HashMap<String, u64>,
    named: BTreeSet<String>,
    /// Replacement names for people without one.
    pub(crate) contacts: Contacts,
}

#[derive(Clone, Debug)]
struct Member {
    name: String,
    is_bot: bool,
    /// All names of the person.
    aliases: BTreeSet<String>,
}

impl Members {
    /// Adds a person under the first non-empty name; the other names may occur in texts. If several
    /// people have the same name, the second one gets a number. The first entry for an id stays.
    pub(crate) fn add(&mut self, id: &str, names: &[Option<&str>], is_bot: bool) {
        let names = names.iter().flatten().map(|name| name.trim());
        let mut names = names.filter(|name| !name.is_empty());
        let Some(name) = names.next() else { return };
        if id.is_empty() {
            return;
        }
        let (known, contacts, counts) = (&mut self.known, &mut self.contacts, &mut self.counts);
        let member = known.entry(id.to_owned()).or_insert_with(|| {
            let mut name = contacts.name(name).into_owned();
            let count = counts.entry(name.clone()).or_default();
            *count += 1;
            if *count > 1 {
                name = format!("{name} {count}");
            }
            Member { name, is_bot, aliases: BTreeSet::new() }
        });
        let others = names.chain([name]).filter(|other| !is_contact(other));
        let others: Vec<&str> = others.filter(|other| !member.aliases.contains(*other)).collect();
        member.aliases.extend(others.into_iter().map(str::to_owned));
    }

    /// Returns whether an id is known.
    pub(crate) fn knows(&self, id: &str) -> bool {
        self.known.contains_key(id)
    }

    /// Returns whether an id is known to be a bot.
    pub(crate) fn is_bot(&self, id: &str) -> bool {
        self.known.get(id).is_some_and(|member| member.is_bot)
    }

    /// Returns the name for an id.
    pub(crate) fn name(&mut self, id: &str) -> String {
        match self.known.get(id) {
            Some(member) => member.name.clone(),
            None => self.contacts.number(id),
        }
    }

    /// Returns the name for an id, and records that it is used in a text.
    pub(crate) fn name_in_text(&mut self, id: &str) -> String {
        let name = self.name(id);
        if !self.is_bot(id) {
            self.named.insert(name.clone());
        }
        name
    }

    /// Records that a text names this person.
    pub(crate) fn called(&mut self, name: &str) {
        self.named.insert(name.to_owned());
    }

    /// Adds everyone who is named in texts to a conversation as a participant, so that pseudonyms
    /// apply to them too.
    pub(crate) fn introduce(&self, read: &mut Conversation) {
        self.named.iter().for_each(|name| read.introduce(name, Kind::Person));
        let is_in = |name: &str| self.named.contains(name) || read.participant(name).is_some();
        // People who take no part may be mentioned.
        let is_small = self.known.len() <= MAX_ABSENT;
        let mut people: Vec<&Member> = self
            .known
            .values()
            .filter(|member| !member.is_bot && (is_small || is_in(&member.name)))
            .collect();
        people.sort_unstable_by_key(|member| &member.name);
        for member in people {
            read.introduce(&member.name, Kind::Person);
            member.aliases.iter().for_each(|alias| read.also_called(&member.name, alias));
        }
    }
}
