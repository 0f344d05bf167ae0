//! The result of reading a content folder.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Entry;
use crate::gate::Finding;
use crate::hash::Hash;
use crate::sources::find::reason::Reason;
use crate::sources::refs::static_files::StaticFile;

/// Everything that may be shown, newest first.
#[derive(Debug, Default)]
pub struct Archive {
    /// The conversations.
    pub entries: Vec<Arc<Entry>>,
    /// The introductions of folders.
    pub sections: Vec<Arc<Entry>>,
    /// The plain pages, in file order.
    pub pages: Vec<Arc<Entry>>,
    /// The files that are copied unchanged.
    pub copied: Vec<StaticFile>,
    /// The withheld conversations, with reasons.
    pub held_back: Vec<HeldBack>,
    /// Vetoes of single sources, which withhold all versions of a conversation.
    pub(crate) vetoes: Vec<Veto>,
    /// What the gate found in conversations that would otherwise be published.
    pub findings: Vec<Finding>,
    /// What happened to the files of the content folder.
    pub coverage: Coverage,
}

/// A conversation that is withheld entirely, because one of its versions must be.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub(crate) struct Veto {
    /// Its [`Entry::vendor_id`].
    pub(crate) id: Hash,
    /// The [`Entry::label`] of the version that caused it.
    pub(crate) label: String,
    /// The reason.
    pub(crate) reason: Reason,
}

/// A withheld conversation.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct HeldBack {
    /// Its [`Entry::id`], before ids of conversations with the same beginning are made distinct.
    pub id: Hash,
    /// Its [`Entry::label`].
    pub label: String,
    /// Why it is withheld.
    pub reason: Reason,
}

/// Counts of the files of the content folder, by what happened to them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Coverage {
    /// All files, except hidden ones with names such as `.draft` or `draft.md~`.
    pub files: u64,
    /// Files ignored by a `[[source]]`.
    pub ignored: u64,
    /// Files of unknown format that no conversation shows.
    pub unrecognised: Vec<String>,
    /// Files with conversations that were all lost to errors.
    pub broken: Vec<String>,
}

impl Coverage {
    /// Returns the number of files that conversations were read from, that belong to such files, or
    /// that conversations show.
    pub fn read(&self) -> u64 {
        let unread = self.unrecognised.len() + self.broken.len();
        self.files - self.ignored - unread as u64
    }
}
