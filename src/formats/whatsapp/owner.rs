//! The owner of the phone, for whom it writes a word where the names of others stand: `Du: Du hast Ada
//! hinzugefügt.` The word is nobody's name, and stands in what people write.

use std::collections::HashMap;

use super::body;
use super::line::PHONE;
use super::names::Names;
use crate::channel::notices;

/// The name of the owner in a chat that has no other.
const NAME: &str = "You";

/// The words that stand for the owner of a phone in a chat.
#[derive(Default)]
pub(super) struct Owner<'a>(HashMap<&'a str, Lines>);

/// The lines of whoever is called by such a word.
#[derive(Clone, Copy, Default)]
struct Lines {
    /// Whether one of them says what the owner did.
    is_of_owner: bool,
    /// Whether somebody wrote or sent one of them.
    is_speaking: bool,
}

impl<'a> Owner<'a> {
    /// Finds such words. `rests` is what stands behind each head.
    pub(super) fn new(names: &Names<'_>, rests: impl Iterator<Item = &'a str>) -> Self {
        let mut words: HashMap<&str, Lines> = HashMap::new();
        for rest in rests {
            let (Some(name), text) = names.part(rest) else { continue };
            if !notices::is_owner(name) && !notices::may_be_owner(name) {
                continue;
            }
            let lines = words.entry(name).or_default();
            lines.is_speaking |= !text.starts_with(PHONE) || body::is_anybodys(text);
            lines.is_of_owner |= notices::is_of_owner(text);
        }
        // Whoever writes under a word that is a name elsewhere may have that name.
        words.retain(|name, lines| {
            notices::is_owner(name) || lines.is_of_owner && !lines.is_speaking
        });
        Self(words)
    }

    /// Returns whether a name is a word for the owner.
    pub(super) fn is(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Returns who sends what stands behind a name: nobody where a phone only says what its owner did.
    pub(super) fn sender<'b>(&self, name: &'b str) -> Option<&'b str> {
        match self.0.get(name) {
            None => Some(name),
            Some(lines) => lines.is_speaking.then_some(NAME),
        }
    }
}
