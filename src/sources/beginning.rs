//! How a conversation begins, from which it has its title where it gives itself none.

use crate::markup;
use crate::model::{Block, Conversation, Kind};
use crate::text::excerpt;

/// Characters of an excerpt, as many as search engines show of a description.
pub(super) const EXCERPT_CHARS: usize = 160;
/// Characters of a title made from the first words.
const TITLE_CHARS: usize = 60;

/// The first words of a conversation, and of the answer to them.
#[derive(Default)]
pub(super) struct Beginning {
    /// What was said first.
    pub(super) opening: String,
    /// What somebody else said to that.
    pub(super) answer: String,
    first_speaker: Option<String>,
}

impl Beginning {
    /// Hears the text of a page.
    pub(super) fn hear_page(&mut self, text: &str) {
        self.opening = excerpt(text, EXCERPT_CHARS);
    }

    /// Hears what somebody says next. `is_system` tells that it is a program.
    pub(super) fn hear(&mut self, speaker: &str, is_system: bool, text: &str) {
        // What the system says first is no beginning.
        if is_system && self.first_speaker.is_none() {
            return;
        }
        // A command to the program says nothing of what follows, unless nothing does.
        if self.opening.is_empty()
            || is_command(&self.opening)
                && !is_command(text)
                && self.first_speaker.as_deref() == Some(speaker)
        {
            self.opening = excerpt(text, EXCERPT_CHARS);
        }
        let first = self.first_speaker.get_or_insert_with(|| speaker.to_owned());
        if self.answer.is_empty() && speaker != first && !is_system {
            self.answer = excerpt(text, EXCERPT_CHARS);
        }
    }

    /// Returns the title that the first words are.
    pub(super) fn title(&self) -> String {
        excerpt(&self.opening, TITLE_CHARS)
    }
}

/// Returns the title that a conversation gives itself, on one line.
pub(super) fn own_title(read: &Conversation) -> Option<String> {
    let own = read.title.as_deref().map(str::trim).filter(|title| !title.is_empty());
    own.map(|title| title.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Returns the title of a conversation: its own, or its first words.
pub fn title_of(read: &Conversation) -> String {
    if let Some(title) = own_title(read) {
        return title;
    }
    let mut beginning = Beginning::default();
    for turn in read.turns.iter().filter(|turn| !turn.withheld) {
        let kind = read.participant(&turn.speaker).map(|who| who.kind);
        for block in &turn.blocks {
            let Block::Markdown { text } = block else { continue };
            let said = markup::scan(text, true).text;
            beginning.hear(&turn.speaker, kind == Some(Kind::System), &said);
        }
        // An answer follows the first words, and all that they may be.
        if !beginning.answer.is_empty() {
            break;
        }
    }
    beginning.title()
}

/// Returns whether a text is a command such as `/model opus`, and nothing else.
fn is_command(text: &str) -> bool {
    let text = text.trim();
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-_:".contains(c);
    text.strip_prefix('/').is_some_and(|rest| {
        rest.starts_with(is_name)
            && rest.split_whitespace().count() <= 3
            && rest.split_whitespace().next().is_some_and(|word| word.chars().all(is_name))
    })
}
