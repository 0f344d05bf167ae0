//! What reading a content folder gives.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::coverage::Coverage;
use super::entry::Entry;
use super::publication::Exclusion;
use crate::hash::Hash;

/// Everything that may be shown, the newest first.
#[derive(Debug, Default)]
pub struct Archive {
    /// The conversations.
    pub entries: Vec<Arc<Entry>>,
    /// Private conversations, which are not in `entries`.
    pub held_back: Vec<HeldBack>,
    /// Conversations that are not chosen, which are not in `entries` either, and why.
    pub excluded: Vec<(Exclusion, HeldBack)>,
    /// What became of the files of the content folder.
    pub coverage: Coverage,
}

/// A conversation that is held back: because it is private, or because it is not chosen.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct HeldBack {
    /// Its [`Entry::id`], as if no other one began alike.
    pub id: Hash,
    /// Its [`Entry::label`].
    pub label: String,
}
