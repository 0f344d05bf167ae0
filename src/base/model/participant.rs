//! The participants of a conversation.

use std::collections::HashMap;
use std::ops::Deref;

use serde::{Deserialize, Serialize, Serializer};

use crate::json::Map;

/// Someone or something that speaks.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Participant {
    /// The name as the source writes it.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// The model's id, for an assistant.
    pub model: Option<String>,
    /// Whatever else the source says of it.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub extra: Map,
    /// Other names of somebody that the source knows, such as that of an account: texts may have them,
    /// and no page says whose they are.
    #[serde(skip)]
    pub aliases: Vec<String>,
}

impl Participant {
    /// One of whom nothing else is known.
    pub fn new(name: impl Into<String>, kind: Kind) -> Self {
        let (extra, aliases) = (Map::new(), Vec::new());
        Self { name: name.into(), kind, model: None, extra, aliases }
    }
}

/// The participants, in order, which are found by their names however many there are.
#[derive(Clone, Debug, Default)]
pub struct Participants {
    list: Vec<Participant>,
    /// Their places by name, of those of one name the first; empty while they are few.
    places: HashMap<String, usize>,
}

/// The most participants that are searched one by one, which is faster than a table.
const MAX_LINEAR_SEARCH: usize = 8;

impl Participants {
    /// Returns the participant of that name.
    pub fn named(&self, name: &str) -> Option<&Participant> {
        match self.places.is_empty() {
            true => self.list.iter().find(|who| who.name == name),
            false => self.places.get(name).map(|place| &self.list[*place]),
        }
    }

    /// Adds one behind all others.
    pub fn push(&mut self, who: Participant) {
        self.list.push(who);
        // The first that are too many bring those before them.
        let unknown = if self.places.is_empty() { 0 } else { self.list.len() - 1 };
        if self.list.len() > MAX_LINEAR_SEARCH {
            for (place, who) in self.list.iter().enumerate().skip(unknown) {
                self.places.entry(who.name.clone()).or_insert(place);
            }
        }
    }

    /// Returns the participant of that name to change it; the name must stay.
    pub fn named_mut(&mut self, name: &str) -> Option<&mut Participant> {
        match self.places.is_empty() {
            true => self.list.iter_mut().find(|who| who.name == name),
            false => self.places.get(name).map(|place| &mut self.list[*place]),
        }
    }

    /// Iterates over the participants to change them; their names must stay.
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

/// What a participant is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A human being, or a group of them.
    Person,
    /// A generative model.
    Assistant,
    /// Instructions and announcements of the program around the conversation.
    System,
    /// A program that an assistant called.
    Tool,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Person, Self::Assistant, Self::System, Self::Tool];

    /// Returns the word for it in data, in class names and in [`Kind::parse`].
    pub fn word(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Assistant => "assistant",
            Self::System => "system",
            Self::Tool => "tool",
        }
    }

    /// Returns whether it takes part in a talk, as instructions and tools do not.
    pub fn talks(self) -> bool {
        matches!(self, Self::Person | Self::Assistant)
    }

    /// Returns the kind of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// Guesses the kind of a speaker of that name, where a format says names and no kinds:
    /// the words for a role and for the best-known assistants say it, every other name is a
    /// person's.
    pub fn guess(name: &str) -> Self {
        const ASSISTANTS: [&str; 12] = [
            "assistant", "ai", "bot", "model", "chatbot", "agent", "chatgpt", "claude", "gemini",
            "copilot", "gpt", "llm",
        ];
        let name = name.trim().to_lowercase();
        match name.as_str() {
            "system" | "developer" => Self::System,
            "tool" | "function" => Self::Tool,
            name if ASSISTANTS.contains(&name) => Self::Assistant,
            _ => Self::Person,
        }
    }
}
