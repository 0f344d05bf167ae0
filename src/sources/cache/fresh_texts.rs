//! The texts of conversations that this build has just read, for the pages that show them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::hash::Hash;
use crate::model::Conversation;
use crate::sources::find::source::{Part, Source};

/// The conversations of a part of a source.
pub(crate) type Texts = Arc<[Arc<Conversation>]>;

/// The maximum total size of the sources whose texts are kept. In memory they take about twice as much. Bytes.
const MAX_BYTES: usize = 64 << 20;

/// Texts of a limited total size, so that most are not parsed a second time for their pages.
pub struct FreshTexts {
    max_bytes: usize,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    /// By the hash of the part, which different sources may share.
    texts: HashMap<Hash, Vec<(Arc<Source>, Part, Texts)>>,
    /// The total size of the parts. Bytes.
    bytes: usize,
}

impl Default for FreshTexts {
    fn default() -> Self {
        Self { max_bytes: MAX_BYTES, kept: Mutex::default() }
    }
}

impl FreshTexts {
    /// Creates a store that keeps nothing, for commands that make no pages.
    pub fn none() -> Self {
        Self { max_bytes: 0, ..Self::default() }
    }

    /// Keeps the conversations of a part, unless the store is full.
    pub(crate) fn keep(&self, source: &Arc<Source>, part: Part, texts: Vec<Arc<Conversation>>) {
        let size = part.size();
        let mut kept = self.kept();
        if kept.bytes + size > self.max_bytes {
            return;
        }
        kept.bytes += size;
        kept.texts.entry(part.hash).or_default().push((source.clone(), part, texts.into()));
    }

    /// Returns the conversations of a part, and forgets them.
    pub(crate) fn take(&self, source: &Source, part: &Part) -> Option<Texts> {
        let mut kept = self.kept();
        let same = kept.texts.get_mut(&part.hash)?;
        let place = same.iter().position(|(of, known, _)| known == part && **of == *source)?;
        let (.., texts) = same.swap_remove(place);
        kept.bytes -= part.size();
        Some(texts)
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
