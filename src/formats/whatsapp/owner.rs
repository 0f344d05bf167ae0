//! The owner of the phone, for whom the phone writes a pronoun in place of a name: `Du: Du hast Ada
//! hinzugefügt.` The pronoun is not a name, and also occurs in typed text.

use std::collections::HashMap;

use super::body;
use super::line::SYSTEM_MARK;
use super::names::Names;
use crate::shared::people::channel::notices;

/// The name of the owner if the chat has no other one.
const NAME: &str = "You";

/// The pronouns that denote the owner of the phone in a chat.
#[derive(Default)]
pub(super) struct Owner<'a>(HashMap<&'a str, Lines>);

/// The lines under such a pronoun.
#[derive(Clone, Copy, Default)]
struct Lines {
    /// Whether one of them describes what the owner did.
    is_of_owner: bool,
    /// Whether somebody wrote or sent one of them.
    is_speaking: bool,
}

impl<'a> Owner<'a> {
    /// Finds such pronouns. `rests` are the texts after the beginning of each message.
    pub(super) fn new(names: &Names<'_>, rests: impl Iterator<Item = &'a str>) -> Self {
        let mut words: HashMap<&str, Lines> = HashMap::new();
        for rest in rests {
            let (Some(name), text) = names.part(rest) else { continue };
            if !notices::is_owner(name) && !notices::may_be_owner(name) {
                continue;
            }
            let lines = words.entry(name).or_default();
            lines.is_speaking |= !text.starts_with(SYSTEM_MARK) || body::is_sender_event(text);
            lines.is_of_owner |= notices::is_of_owner(text);
        }
        // A pronoun that is a name in another language may be the real name of its sender.
        words.retain(|name, lines| {
            notices::is_owner(name) || lines.is_of_owner && !lines.is_speaking
        });
        Self(words)
    }

    /// Returns whether a name is a pronoun for the owner.
    pub(super) fn is(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Returns the sender for a name; `None` if its lines only describe what the owner did.
    pub(super) fn sender<'b>(&self, name: &'b str) -> Option<&'b str> {
        match self.0.get(name) {
            None => Some(name),
            Some(lines) => lines.is_speaking.then_some(NAME),
        }
    }
}
