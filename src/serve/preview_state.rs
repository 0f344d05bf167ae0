//! The state of the preview, shared by all requests.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use tokio::sync::watch as channel;

use super::author::Author;
use super::moves::Redirects;
#[cfg(feature = "local-search")]
use super::search::LocalSearch;
use crate::cache::Cache;
use crate::diag::Diagnostic;
use crate::outputs::Output;
use crate::pipeline::Build;

/// The size of the cache of rendered pages, in bytes.
const MADE_PAGES_BYTES: usize = 32 << 20;

/// The current site, and what belongs to it.
pub(super) struct PreviewState {
    build: Mutex<Option<Numbered>>,
    /// Redirects for moved conversations.
    moves: Mutex<Redirects>,
    /// Rendered pages by key.
    made: Cache<Arc<[u8]>>,
    /// The search, which is opened on first use.
    #[cfg(feature = "local-search")]
    pub(super) local_search: LocalSearch,
    /// The last `Message` to open pages, as JSON.
    messages: channel::Sender<Arc<str>>,
    /// The author, if pages can be changed.
    pub(super) author: Option<Author>,
}

/// A build and its number; the first is 1.
#[derive(Clone)]
pub(super) struct Numbered {
    pub(super) number: u64,
    pub(super) build: Arc<Build>,
}

/// An error to show on a page.
#[derive(Serialize)]
pub(super) struct Problem<'a> {
    pub(super) place: String,
    pub(super) code: &'a str,
    pub(super) message: &'a str,
    pub(super) hints: &'a [String],
}

impl<'a> Problem<'a> {
    pub(super) fn of(note: &'a Diagnostic) -> Self {
        let place = note.at.as_ref().map(ToString::to_string).unwrap_or_default();
        Self { place, code: note.code, message: &note.message, hints: &note.hints }
    }
}

impl PreviewState {
    /// Creates the state before the first build of the site whose cache is in `folder`.
    pub(super) fn new(folder: &Path, private: bool, author: Option<Author>) -> Self {
        #[cfg(not(feature = "local-search"))]
        let _ = (folder, private);
        Self {
            build: Mutex::default(),
            moves: Mutex::default(),
            made: Cache::bounded(MADE_PAGES_BYTES),
            #[cfg(feature = "local-search")]
            local_search: LocalSearch::new(folder, private),
            messages: channel::Sender::new(Arc::default()),
            author,
        }
    }

    /// Returns the current build.
    pub(super) fn build(&self) -> Option<Numbered> {
        self.build.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the current build.
    pub(super) fn show(&self, build: Numbered) {
        *self.build.lock().unwrap_or_else(PoisonError::into_inner) = Some(build);
    }

    /// Sends a message to all open pages.
    pub(super) fn broadcast(&self, message: Arc<str>) {
        self.messages.send_replace(message);
    }

    /// Subscribes to messages.
    pub(super) fn listen(&self) -> channel::Receiver<Arc<str>> {
        self.messages.subscribe()
    }

    pub(super) fn moves(&self) -> MutexGuard<'_, Redirects> {
        self.moves.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the bytes of an output, from the cache if possible.
    pub(super) fn bytes(&self, output: &Output) -> Result<Arc<[u8]>, Box<Diagnostic>> {
        if let Some(bytes) = self.made.get(output.key) {
            return Ok(bytes);
        }
        let bytes: Arc<[u8]> = output.make()?.into();
        if !self.made.put(output.key, bytes.clone()) {
            // The cache is full; drop unused pages.
            self.made.sweep();
            self.made.put(output.key, bytes.clone());
        }
        Ok(bytes)
    }
}
