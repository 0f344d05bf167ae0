//! The site as the preview shows it now, shared by all requests.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use tokio::sync::watch as channel;

use super::moves::Moves;
#[cfg(feature = "local-search")]
use super::search::LocalSearch;
use crate::cache::Cache;
use crate::diag::Diagnostic;
use crate::outputs::Output;
use crate::pipeline::Build;

/// Memory for pages that were made. Bytes.
const MADE_PAGES_BYTES: usize = 32 << 20;

/// The site as it is now.
pub(super) struct PreviewState {
    build: Mutex<Option<Numbered>>,
    /// Where conversations stood since the start.
    moves: Mutex<Moves>,
    /// Pages that were made, by their keys.
    made: Cache<Arc<[u8]>>,
    /// What finds turns, once somebody asked for it.
    #[cfg(feature = "local-search")]
    pub(super) local_search: LocalSearch,
    /// The last `Message`, as JSON, for every page that is open.
    told: channel::Sender<Arc<str>>,
}

/// A build with its number, from 1.
#[derive(Clone)]
pub(super) struct Numbered {
    pub(super) number: u64,
    pub(super) build: Arc<Build>,
}

/// An error as a page shows it.
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
    pub(super) fn new(folder: &Path, private: bool) -> Self {
        #[cfg(not(feature = "local-search"))]
        let _ = (folder, private);
        Self {
            build: Mutex::default(),
            moves: Mutex::default(),
            made: Cache::bounded(MADE_PAGES_BYTES),
            #[cfg(feature = "local-search")]
            local_search: LocalSearch::new(folder, private),
            told: channel::Sender::new(Arc::default()),
        }
    }

    /// Returns the build that is shown.
    pub(super) fn build(&self) -> Option<Numbered> {
        self.build.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Shows another build.
    pub(super) fn show(&self, build: Numbered) {
        *self.build.lock().unwrap_or_else(PoisonError::into_inner) = Some(build);
    }

    /// Tells every open page a message.
    pub(super) fn tell(&self, message: Arc<str>) {
        self.told.send_replace(message);
    }

    /// Returns what hears the messages from now on.
    pub(super) fn listen(&self) -> channel::Receiver<Arc<str>> {
        self.told.subscribe()
    }

    pub(super) fn moves(&self) -> MutexGuard<'_, Moves> {
        self.moves.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the bytes of an output, made now or a while ago.
    pub(super) fn bytes(&self, output: &Output) -> Result<Arc<[u8]>, Box<Diagnostic>> {
        if let Some(bytes) = self.made.get(output.key) {
            return Ok(bytes);
        }
        let bytes: Arc<[u8]> = output.make()?.into();
        if !self.made.put(output.key, bytes.clone()) {
            // All are unused from now on, and make room.
            self.made.sweep();
            self.made.put(output.key, bytes.clone());
        }
        Ok(bytes)
    }
}
