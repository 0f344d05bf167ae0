//! Redirects for conversations whose URL changed during the preview, so that the open page of a renamed conversation
//! keeps working.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use crate::site::{ConversationUrl, urls};

#[derive(Default)]
pub(super) struct Redirects {
    /// The last known URL of each conversation, even if it cannot be read at the moment.
    known: Vec<ConversationUrl>,
    /// The new folder for each old folder.
    moved: BTreeMap<Arc<str>, Arc<str>>,
}

impl Redirects {
    /// Updates the redirects with the current URLs.
    pub(super) fn follow(&mut self, now: &[ConversationUrl]) {
        if self.known == now {
            return;
        }
        let moves = urls::moved(&self.known, now);
        let mut gone = std::mem::take(&mut self.known);
        self.known = now.to_vec();
        let there: HashSet<&str> = now.iter().map(|address| &*address.folder).collect();
        let moved: BTreeMap<Arc<str>, Arc<str>> =
            moves.into_iter().map(|(old, new)| (old.folder, new.folder)).collect();
        gone.retain(|old| !there.contains(&*old.folder) && !moved.contains_key(&old.folder));
        self.known.extend(gone);
        for place in self.moved.values_mut() {
            if let Some(next) = moved.get(place) {
                place.clone_from(next);
            }
        }
        self.moved.extend(moved);
    }

    /// Returns the new path for an old path of the site.
    pub(super) fn place_of(&self, path: &str) -> Option<String> {
        let mut folders = path.match_indices('/').map(|(at, _)| path.split_at(at + 1));
        folders
            .find_map(|(folder, rest)| self.moved.get(folder).map(|place| format!("{place}{rest}")))
    }
}
