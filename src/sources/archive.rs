//! What reading a content folder gives.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::entry::Entry;
use super::reason::Reason;
use super::static_files::StaticFile;
use crate::gate::Finding;
use crate::hash::Hash;

/// Everything that may be shown, the newest first.
#[derive(Debug, Default)]
pub struct Archive {
    /// The conversations.
    pub entries: Vec<Arc<Entry>>,
    /// The introductions of folders.
    pub sections: Vec<Arc<Entry>>,
    /// The plain pages, in the order of their files.
    pub pages: Vec<Arc<Entry>>,
    /// The files that are copied as they are.
    pub copied: Vec<StaticFile>,
    /// The conversations that are not in `entries`, and why.
    pub held_back: Vec<HeldBack>,
    /// What sources say of conversations in all sources.
    pub(super) vetoes: Vec<Veto>,
    /// What the gate found in conversations that would be published otherwise.
    pub findings: Vec<Finding>,
    /// What became of the files of the content folder.
    pub coverage: Coverage,
}

/// A conversation of which no version is published, because of what is said of one of them.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub(super) struct Veto {
    /// Its [`Entry::vendor_id`].
    pub(super) id: Hash,
    /// The [`Entry::label`] of the version of which it is said.
    pub(super) label: String,
    /// Why.
    pub(super) reason: Reason,
}

/// A conversation that is not on the site.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct HeldBack {
    /// Its [`Entry::id`], as if no other one began alike.
    pub id: Hash,
    /// Its [`Entry::label`].
    pub label: String,
    /// Why it is not there.
    pub reason: Reason,
}

/// Numbers of files of the content folder, by what became of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Coverage {
    /// All files, except those that a name such as `.draft` or `draft.md~` hides.
    pub files: u64,
    /// Files that a `[[source]]` says to ignore.
    pub ignored: u64,
    /// Files of no known format that no conversation shows.
    pub unrecognised: Vec<String>,
    /// Files in which errors left no conversation.
    pub broken: Vec<String>,
}

impl Coverage {
    /// Returns the number of files from which conversations were read, that belong to such files,
    /// or that conversations show.
    pub fn read(&self) -> u64 {
        let unread = self.unrecognised.len() + self.broken.len();
        self.files - self.ignored - unread as u64
    }
}
