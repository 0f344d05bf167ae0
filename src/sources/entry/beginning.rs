//! The beginning of a conversation: what it is called if it has no title, and its excerpt.

use super::naming::Naming;
use crate::markup;
use crate::model::{Block, Conversation, Kind};
use crate::text::readable_excerpt;

/// The length of an excerpt in characters: as much as search engines show of a description.
pub(super) const EXCERPT_CHARS: usize = 160;

/// The first words of a conversation, and the answer to them.
#[derive(Default)]
pub(crate) struct Beginning {
    /// The first text.
    pub(super) opening: String,
    /// The first answer by somebody else.
    pub(crate) answer: String,
    first_speaker: Option<String>,
    naming: Naming,
}

impl Beginning {
    /// Reads the text of a page.
    pub(crate) fn add_page(&mut self, text: &str) {
        self.opening = readable_excerpt(text, EXCERPT_CHARS);
    }

    /// Reads what a text says about the name of a conversation without a title.
    pub(super) fn add_name(&mut self, speaker: &str, kind: Kind, source: &str, math: bool) {
        self.naming.add_text(speaker, kind, source, math);
    }

    /// Reads the next text, without markup.
    pub(super) fn add_turn(&mut self, speaker: &str, kind: Kind, text: &str) {
        let is_system = kind == Kind::System;
        // A system message is not a beginning.
        if is_system && self.first_speaker.is_none() {
            return;
        }
        // A command to the program is used only if nothing follows.
        if self.opening.is_empty()
            || is_command(&self.opening)
                && !is_command(text)
                && self.first_speaker.as_deref() == Some(speaker)
        {
            self.opening = readable_excerpt(text, EXCERPT_CHARS);
        }
        let first = self.first_speaker.get_or_insert_with(|| speaker.to_owned());
        if self.answer.is_empty() && speaker != first && !is_system {
            self.answer = readable_excerpt(text, EXCERPT_CHARS);
        }
    }

    /// Returns what the conversation may be called, best first; empty if it has no text.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names = self.naming.names();
        if names.is_empty() && !self.opening.is_empty() {
            names.push(self.opening.trim_end_matches('…').to_owned());
        }
        names
    }
}

/// Returns the conversation's own title, on one line.
pub(super) fn own_title(read: &Conversation) -> Option<String> {
    let own = read.title.as_deref().map(str::trim).filter(|title| !title.is_empty());
    own.map(|title| title.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Returns the title of a conversation: its own, or what its beginning says.
pub fn title_of(read: &Conversation) -> String {
    if let Some(title) = own_title(read) {
        return title;
    }
    let mut beginning = Beginning::default();
    for turn in read.turns.iter().filter(|turn| !turn.withheld) {
        let kind = read.kind_of(turn).unwrap_or(Kind::Person);
        for block in &turn.blocks {
            let text = match block {
                Block::Markdown { text } => text,
                block => match block.expanded() {
                    Some(prompt) => prompt,
                    None => continue,
                },
            };
            let plain = markup::scan(text, true).text;
            beginning.add_name(&turn.speaker, kind, text, true);
            beginning.add_turn(&turn.speaker, kind, &plain);
        }
        if beginning.naming.is_complete() {
            break;
        }
    }
    beginning.names().into_iter().next().unwrap_or_default()
}

/// Returns whether a text is only a command, such as `/model opus`.
fn is_command(text: &str) -> bool {
    let text = text.trim();
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-_:".contains(c);
    text.strip_prefix('/').is_some_and(|rest| {
        rest.starts_with(is_name)
            && rest.split_whitespace().count() <= 3
            && rest.split_whitespace().next().is_some_and(|word| word.chars().all(is_name))
    })
}
