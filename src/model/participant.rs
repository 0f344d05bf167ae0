//! Who takes part.

use serde::{Deserialize, Serialize};

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
}

impl Participant {
    /// One of whom nothing else is known.
    pub fn new(name: impl Into<String>, kind: Kind) -> Self {
        Self { name: name.into(), kind, model: None, extra: Map::new() }
    }
}

/// What a participant is.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize,
)]
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

    /// The word for it in data, in class names and in [`Kind::parse`].
    pub fn word(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Assistant => "assistant",
            Self::System => "system",
            Self::Tool => "tool",
        }
    }

    /// Whether it takes part in a talk, as instructions and tools do not.
    pub fn talks(self) -> bool {
        matches!(self, Self::Person | Self::Assistant)
    }

    /// The kind of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// What a speaker of that name most likely is, where a format says names and no kinds:
    /// the words for a role and for the best-known assistants say it, every other name is a
    /// person's.
    pub fn guess(name: &str) -> Self {
        const ASSISTANTS: [&str; 12] = [
            "assistant",
            "ai",
            "bot",
            "model",
            "chatbot",
            "agent",
            "chatgpt",
            "claude",
            "gemini",
            "copilot",
            "gpt",
            "llm",
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
