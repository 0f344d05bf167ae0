//! Keys that identify conversations across exports, and the conversations already in the content folder.

use std::collections::HashMap;
use std::path::Path;

use super::super::inputs::Found;
use crate::config::{self, Config};
use crate::disk::Disk;
use crate::formats::Format;
use crate::hash::Hash;
use crate::model::Conversation;
use crate::sources;
use crate::time::Time;

/// Assigns keys that are the same in every export of a conversation.
#[derive(Default)]
pub(super) struct Keys {
    /// The first text of each conversation with an id, by key.
    first_texts: HashMap<String, Hash>,
    /// The texts of conversations without an id, by the hash of their beginning.
    alike: HashMap<Hash, Vec<Hash>>,
}

impl Keys {
    /// Returns the key of a conversation: from its id in the original program, or from its beginning, with a number
    /// if different conversations begin the same way.
    pub(super) fn key(&mut self, found: &Found) -> String {
        let read = &found.conversation;
        if let Some(key) = by_id(read, found.format) {
            // Sessions can have the id of another one, although they begin in another way.
            let first = Hash::of(&texts(read).first());
            return match *self.first_texts.entry(key.clone()).or_insert(first) == first {
                true => key,
                false => Hash::of(&(key, first)).short(20),
            };
        }
        let texts = texts(read);
        let format = found.format.map(|format| format.name);
        let time = read.time.as_ref().map(Time::as_written);
        let beginning = Hash::of(&(format, "beginning", texts.first(), time));
        let (text, alike) = (Hash::of(&texts), self.alike.entry(beginning).or_default());
        let number = alike.iter().position(|known| *known == text).unwrap_or_else(|| {
            alike.push(text);
            alike.len() - 1
        });
        match number {
            0 => beginning.short(20),
            number => Hash::of(&(beginning, number)).short(20),
        }
    }
}

/// Returns the key of a conversation that has an id.
fn by_id(read: &Conversation, format: Option<&Format>) -> Option<String> {
    let id = read.id.as_ref().filter(|id| !id.trim().is_empty())?;
    let format = format.map(|format| format.name);
    Some(Hash::of(&(format, "id", id)).short(20))
}

/// Returns the speakers and texts of a conversation, without instructions of programs.
fn texts(read: &Conversation) -> Vec<(&str, String)> {
    let shown = read.turns.iter().filter(|turn| !turn.withheld);
    shown.map(|turn| (turn.speaker.as_str(), turn.text())).collect()
}

/// The conversations in the content folder that `import` did not write.
#[derive(Default)]
pub(super) struct ExistingConversations {
    /// Files of conversations with an id, by key.
    by_key: HashMap<String, String>,
    /// Files of conversations without an id, by the hash of their texts.
    by_text: HashMap<Hash, String>,
}

impl ExistingConversations {
    /// Finds the conversations of a site, published or not.
    pub(super) fn find(site: &Path, config: &Config) -> Self {
        let mut all = config::defaults();
        all.content.clone_from(&config.content);
        all.source.clone_from(&config.source);
        all.open_servers.clone_from(&config.open_servers);
        let mut existing = Self::default();
        // Problems in them are reported by the next build.
        sources::each_conversation(&Disk::new(site), &all, None, &mut |found| {
            let read = &found.conversation;
            if read.imported_from.is_some() {
                return;
            }
            let file = found.source.file().as_str();
            let file = file.strip_prefix(all.content.as_str()).unwrap_or(file);
            let file = file.trim_start_matches('/').to_owned();
            match by_id(read, found.format) {
                Some(key) => existing.by_key.insert(key, file),
                None => existing.by_text.insert(Hash::of(&texts(read)), file),
            };
        });
        existing
    }

    /// Returns the file of a conversation, below the content folder.
    pub(super) fn file(&self, key: &str, read: &Conversation) -> Option<&str> {
        let by_text = || {
            let has_id = read.id.as_ref().is_some_and(|id| !id.trim().is_empty());
            self.by_text.get(&Hash::of(&texts(read))).filter(|_| !has_id)
        };
        self.by_key.get(key).or_else(by_text).map(String::as_str)
    }
}
