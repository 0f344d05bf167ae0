//! What was said, by whom, and when: the neutral form into which every format is read.
//!
//! A [`Conversation`] is made by a format and then only read. Nothing after the formats knows
//! which of them a conversation came from.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::json::Map;
use crate::time::Time;

/// One conversation, whole.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Conversation {
    /// The title that it has of its own.
    pub title: Option<String>,
    /// Its nature in one word, such as `dialog`.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// When it took place or was published.
    #[serde(serialize_with = "written_time")]
    pub time: Option<Time>,
    /// BCP 47 tags as its author declared them.
    pub languages: Vec<String>,
    /// BCP 47 tags that a program guessed: shown as such and used for nothing.
    pub speculative_languages: Vec<String>,
    /// Never published.
    pub private: bool,
    /// Who takes part, in the order in which the source names them.
    pub participants: Vec<Participant>,
    /// Text before the first turn, as Markdown.
    pub preface: String,
    /// What was said.
    pub turns: Vec<Turn>,
    /// Whatever else the source says, under the source's own keys.
    pub extra: Map,
}

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
}

/// What a participant is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
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
    /// The word for it in data, in class names and in [`Kind::parse`].
    pub fn word(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Assistant => "assistant",
            Self::System => "system",
            Self::Tool => "tool",
        }
    }

    /// The kind of that word.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Person, Self::Assistant, Self::System, Self::Tool]
            .into_iter()
            .find(|kind| kind.word() == word)
    }
}

/// What one participant said before another one spoke.
#[derive(Clone, PartialEq, Debug)]
pub struct Turn {
    /// Tells it from every other turn of the conversation for as long as it says the same; it
    /// is the `#anchor` on the page.
    pub id: String,
    /// The name of a participant.
    pub speaker: String,
    /// When it was said.
    pub time: Option<Time>,
    /// What was said.
    pub blocks: Vec<Block>,
    /// The line, from 1, at which its text starts in the source.
    pub line: u32,
}

/// A part of a turn.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Block {
    /// Prose meant as Markdown.
    Markdown {
        /// CommonMark.
        text: String,
    },
}

impl Turn {
    /// The turn as Markdown.
    pub fn text(&self) -> String {
        let parts: Vec<&str> = self
            .blocks
            .iter()
            .map(|block| match block {
                Block::Markdown { text } => text.as_str(),
            })
            .collect();
        parts.join("\n\n")
    }
}

impl Serialize for Turn {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut turn = serializer.serialize_struct("Turn", 5)?;
        turn.serialize_field("id", &self.id)?;
        turn.serialize_field("speaker", &self.speaker)?;
        turn.serialize_field("time", &self.time.as_ref().map(Time::as_written))?;
        turn.serialize_field("text", &self.text())?;
        turn.serialize_field("blocks", &self.blocks)?;
        turn.end()
    }
}

fn written_time<S: Serializer>(time: &Option<Time>, to: S) -> Result<S::Ok, S::Error> {
    time.as_ref().map(Time::as_written).serialize(to)
}

/// Gives every turn an id that other turns cannot shift: a hash of speaker and text, with the
/// occurrence where the same was said before. Turns that have an id keep it.
pub fn name_turns(turns: &mut [Turn]) {
    use std::collections::HashMap;

    use crate::hash::Hash;

    let mut seen: HashMap<String, u32> = HashMap::new();
    for turn in turns.iter_mut().filter(|turn| turn.id.is_empty()) {
        // The `t` makes it a valid and easily recognized fragment.
        let id = format!("t{}", Hash::of(&(&turn.speaker, turn.text())).short(9));
        let occurrence = seen.entry(id.clone()).or_insert(0);
        *occurrence += 1;
        turn.id = if *occurrence == 1 { id } else { format!("{id}-{occurrence}") };
    }
}
