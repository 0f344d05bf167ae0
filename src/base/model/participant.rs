//! The participants of a conversation.

use std::collections::HashMap;
use std::ops::Deref;

use serde::{Deserialize, Serialize, Serializer};

use super::assistant_names::{Certainty, assistant, is_user, model};
use crate::json::Map;

/// A person or thing that speaks.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Participant {
    /// The name in the source.
    pub name: String,
    /// The kind of participant.
    pub kind: Kind,
    /// The id of the model, for an assistant.
    pub model: Option<String>,
    /// Other fields of the source.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub extra: Map,
    /// Other names known to the source, such as the name of an account. Texts may contain them, but
    /// no page says whom they belong to.
    #[serde(skip)]
    pub aliases: Vec<String>,
}

impl Participant {
    /// Creates a participant with only a name and a kind.
    pub fn new(name: impl Into<String>, kind: Kind) -> Self {
        let (extra, aliases) = (Map::new(), Vec::new());
        Self { name: name.into(), kind, model: None, extra, aliases }
    }

    /// Creates a participant whose kind and model are guessed from the name, as [`Kind::guess`] does.
    pub fn guessed(name: &str) -> Self {
        let kind = Kind::guess(name);
        let model = (kind == Kind::Assistant).then(|| model(name)).flatten();
        Self { model, ..Self::new(name, kind) }
    }
}

/// The participants in order, with fast lookup by name.
#[derive(Clone, Debug, Default)]
pub struct Participants {
    list: Vec<Participant>,
    /// Indexes by name (of the first with that name); empty while there are few participants.
    places: HashMap<String, usize>,
}

/// The maximum number of participants for a linear search, which is faster than a table.
const MAX_LINEAR_SEARCH: usize = 8;

impl Participants {
    /// Returns the participant with this name.
    pub fn named(&self, name: &str) -> Option<&Participant> {
        match self.places.is_empty() {
            true => self.list.iter().find(|who| who.name == name),
            false => self.places.get(name).map(|place| &self.list[*place]),
        }
    }

    /// Adds a participant at the end.
    pub fn push(&mut self, who: Participant) {
        self.list.push(who);
        // The first push beyond the limit also indexes all earlier participants.
        let unknown = if self.places.is_empty() { 0 } else { self.list.len() - 1 };
        if self.list.len() > MAX_LINEAR_SEARCH {
            for (place, who) in self.list.iter().enumerate().skip(unknown) {
                self.places.entry(who.name.clone()).or_insert(place);
            }
        }
    }

    /// Returns the participant with this name, to change anything but the name.
    pub fn named_mut(&mut self, name: &str) -> Option<&mut Participant> {
        match self.places.is_empty() {
            true => self.list.iter_mut().find(|who| who.name == name),
            false => self.places.get(name).map(|place| &mut self.list[*place]),
        }
    }

    /// Settles the kinds of speakers whose names both people and assistants have, such as Claude: among several
    /// people with names of their own, they are people.
    pub fn settle_guesses(&mut self) {
        let is_possible = |name: &str| assistant(name) == Some(Certainty::Possible);
        let is_named = |name: &str| !is_user(name) && !is_possible(name);
        let is_person = |who: &&Participant| who.kind == Kind::Person && is_named(&who.name);
        let is_other = |who: &Participant| {
            is_user(&who.name) || who.kind == Kind::Assistant && !is_possible(&who.name)
        };
        if self.list.iter().filter(is_person).count() < 2 || self.list.iter().any(is_other) {
            return;
        }
        for who in self.iter_mut().filter(|who| is_possible(&who.name) && who.model.is_none()) {
            who.kind = Kind::Person;
        }
    }

    /// Iterates over the participants, to change anything but their names.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, Participant> {
        self.list.iter_mut()
    }
}

impl Deref for Participants {
    type Target = [Participant];

    fn deref(&self) -> &Self::Target {
        &self.list
    }
}

impl FromIterator<Participant> for Participants {
    fn from_iter<I: IntoIterator<Item = Participant>>(list: I) -> Self {
        let mut all = Self::default();
        list.into_iter().for_each(|who| all.push(who));
        all
    }
}

impl<'a> IntoIterator for &'a Participants {
    type Item = &'a Participant;
    type IntoIter = std::slice::Iter<'a, Participant>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

impl PartialEq for Participants {
    fn eq(&self, other: &Self) -> bool {
        self.list == other.list
    }
}

impl Serialize for Participants {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.list.serialize(to)
    }
}

/// The kind of a participant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A person, or a group of people.
    Person,
    /// A generative model.
    Assistant,
    /// Instructions and announcements of the program that hosts the conversation.
    System,
    /// A tool that an assistant called.
    Tool,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Person, Self::Assistant, Self::System, Self::Tool];

    /// Returns the name of the kind in data, in class names and for [`Kind::parse`].
    pub fn word(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Assistant => "assistant",
            Self::System => "system",
            Self::Tool => "tool",
        }
    }

    /// Returns whether it takes part in the conversation, unlike instructions and tools.
    pub fn talks(self) -> bool {
        matches!(self, Self::Person | Self::Assistant)
    }

    /// Returns the kind with this name.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// Guesses the kind of a speaker from the name, for formats without kinds. Names of roles and
    /// of well-known assistants are recognised; every other name is a person's.
    pub fn guess(name: &str) -> Self {
        let name = name.trim().to_lowercase();
        match name.as_str() {
            "system" | "developer" => Self::System,
            "tool" | "function" => Self::Tool,
            name if assistant(name).is_some() => Self::Assistant,
            _ => Self::Person,
        }
    }
}
