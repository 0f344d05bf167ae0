//! Keys that identify conversations across exports, and the conversations already in the content folder.

use std::collections::HashMap;
use std::path::Path;

use super::super::inputs::Found;
use crate::config::{self, Config};
use crate::disk::Disk;
use crate::formats::Format;
use crate::hash::Hash;
use crate::model::{Block, Conversation};
use crate::sources;
use crate::time::Time;

/// Assigns keys that are the same in every export of a conversation.
#[derive(Default)]
pub(super) struct Keys {
    /// The texts of conversations without an id, by the hash of their beginning.
    alike: HashMap<Hash, Vec<Hash>>,
}

impl Keys {
    /// Returns the key of a conversation: from its id in the original program, or from its beginning, with a number
    /// if different conversations begin the same way.
    pub(super) fn key(&mut self, found: &Found) -> String {
        let read = &found.conversation;
        if let Some(key) = by_id(read, found.format) {
            return key;
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

/// Returns the key of a conversation that has the id of another one, with other texts.
pub(super) fn of_namesake(key: &str, read: &Conversation) -> String {
    Hash::of(&(key, "namesake", texts(read).first())).short(20)
}

/// The texts in a conversation, branches included.
#[derive(Default)]
pub(super) struct Texts {
    /// The hash of the first one.
    first: Option<Hash>,
    /// The lengths by hash.
    lengths: HashMap<Hash, usize>,
}

impl Texts {
    pub(super) fn of(read: &Conversation) -> Self {
        let blocks = read.all_turns().filter(|turn| !turn.withheld).flat_map(|turn| &turn.blocks);
        let texts = blocks.filter_map(|block| match block {
            Block::Markdown { text } => Some(text.trim()),
            _ => None,
        });
        let mut all = Self::default();
        for text in texts {
            let hash = Hash::of(text);
            all.first.get_or_insert(hash);
            all.lengths.insert(hash, text.len());
        }
        all
    }

    /// Returns whether two conversations begin differently, and have less than half of the shorter one in common.
    pub(super) fn differ(&self, other: &Self) -> bool {
        let total = |texts: &Self| texts.lengths.values().sum::<usize>();
        let is_shared = |(text, _): &(&Hash, &usize)| other.lengths.contains_key(*text);
        let shared: usize = self.lengths.iter().filter(is_shared).map(|(_, length)| length).sum();
        self.first != other.first && shared * 2 < total(self).min(total(other))
    }
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
