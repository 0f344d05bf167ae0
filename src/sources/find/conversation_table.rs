//! Finds what names of conversations are about.

use std::collections::{BTreeSet, HashMap};

use super::patterns::PatternTable;
use crate::config::{Config, ConversationName};
use crate::hash::Hash;

/// Many names of conversations, prepared for fast lookup.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConversationTable {
    /// The hash of the id, for each name that has one.
    ids: Vec<Option<Hash>>,
    /// The files, by the numbers of the names.
    files: PatternTable,
    /// The numbers of the names with an id and no file, by the hash of the id.
    by_id: HashMap<Hash, Vec<usize>>,
}

impl ConversationTable {
    /// Compiles names. `is_private` is as in [`PatternTable::new`]. The error is the number of a name with an invalid
    /// file pattern, and the reason.
    pub(crate) fn new(
        names: &[&ConversationName],
        config: &Config,
        is_private: bool,
    ) -> Result<Self, (usize, String)> {
        let id_of = |name: &&ConversationName| name.id.as_ref().map(|id| Hash::of(&*id.text));
        let ids: Vec<Option<Hash>> = names.iter().map(id_of).collect();
        let mut by_id: HashMap<Hash, Vec<usize>> = HashMap::new();
        for (at, (name, id)) in names.iter().zip(&ids).enumerate() {
            if let (None, Some(id)) = (&name.file, id) {
                by_id.entry(*id).or_default().push(at);
            }
        }
        let numbered = names.iter().enumerate();
        let texts = numbered.filter_map(|(at, one)| Some((at, &*one.file.as_ref()?.text)));
        let files = PatternTable::new(texts, config, is_private)?;
        Ok(Self { ids, files, by_id })
    }

    /// Returns the numbers of the names whose file matches one of these paths.
    pub(crate) fn of_files(&self, paths: impl Iterator<Item = String>) -> BTreeSet<usize> {
        paths.flat_map(|path| self.files.matches(&path).collect::<Vec<_>>()).collect()
    }

    /// Returns the numbers of the names of a conversation with any of these ids, which are hashes. `of_files` are those
    /// of its files.
    pub(crate) fn named(&self, of_files: &BTreeSet<usize>, ids: &[Hash]) -> BTreeSet<usize> {
        let has_id = |at: &&usize| {
            let wanted = self.ids.get(**at).copied().flatten();
            wanted.is_none_or(|wanted| ids.contains(&wanted))
        };
        let by_id = ids.iter().filter_map(|id| self.by_id.get(id)).flatten();
        of_files.iter().filter(has_id).chain(by_id).copied().collect()
    }
}
