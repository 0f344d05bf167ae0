//! The outline of a long conversation: what each of its parts begins with and asks.

use serde::{Deserialize, Serialize};

use crate::text::readable_excerpt;

/// The length of a prompt in the outline, in characters.
pub const OUTLINE_CHARS: usize = 80;
/// The maximum number of prompts per part that the outline records.
const MAX_PROMPTS: usize = 20;

/// A part of a long conversation in its outline.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct PartOutline {
    /// The first words.
    opening: String,
    /// The first prompts.
    pub prompts: Vec<Prompt>,
    /// The number of all prompts.
    pub count: usize,
}

/// A prompt of a person.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Prompt {
    /// The id of the turn.
    pub turn: String,
    /// Its first words.
    pub text: String,
}

impl PartOutline {
    /// Adds a turn and its text. `is_prompt` means that it is of a person.
    pub(crate) fn add(&mut self, turn: &str, text: &str, is_prompt: bool) {
        let text = text.trim();
        self.count += usize::from(is_prompt && !text.is_empty());
        let is_recorded = is_prompt && self.prompts.len() < MAX_PROMPTS;
        if text.is_empty() || !self.opening.is_empty() && !is_recorded {
            return;
        }
        let text = readable_excerpt(text, OUTLINE_CHARS);
        if self.opening.is_empty() {
            self.opening.clone_from(&text);
        }
        if is_recorded && !text.is_empty() {
            self.prompts.push(Prompt { turn: turn.to_owned(), text });
        }
    }

    /// Removes the prompts, because an assistant is not prompted.
    pub(super) fn clear_prompts(&mut self) {
        self.prompts = Vec::new();
        self.count = 0;
    }

    /// Returns what the part is about: its first prompt, else its first words.
    pub fn title(&self) -> &str {
        self.prompts.first().map_or(&self.opening, |prompt| &prompt.text)
    }
}
