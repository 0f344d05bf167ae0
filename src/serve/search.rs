//! The API `/api/search?q=QUERY&limit=N`: searches the preview, including drafts if it shows them. Responses have the
//! format of `convo-site search --json`.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::disk::{Error, State};
use crate::local_search::{Corpus, LocalIndex, SearchResults};
use crate::pipeline::Build;
use crate::text::percent_decode;

/// The number of turns in a response without `limit`.
const DEFAULT_LIMIT: usize = 20;
/// The maximum number of turns in a response.
const MAX_LIMIT: usize = 1000;

/// The search of the preview. The index is opened on the first request.
pub(super) struct LocalSearch {
    folder: PathBuf,
    private: bool,
    current: Mutex<Option<CurrentIndex>>,
}

/// The index, and the build that it was updated for.
struct CurrentIndex {
    index: LocalIndex,
    build: Arc<Build>,
    /// The folder of the index if it is temporary, as dropping it would delete the folder.
    temporary_state: Option<State>,
}

impl LocalSearch {
    pub(super) fn new(folder: &Path, private: bool) -> Self {
        Self { folder: folder.to_owned(), private, current: Mutex::default() }
    }

    fn find(&self, build: &Arc<Build>, text: &str, limit: usize) -> Result<SearchResults, Error> {
        // One request at a time: the first one updates the index for all.
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let corpus = Corpus::of(build);
        let is_current = current.as_ref().is_some_and(|current| Arc::ptr_eq(&current.build, build));
        if !is_current {
            let (index, temporary_state) =
                current.take().map(|current| (current.index, current.temporary_state)).unzip();
            let state = match temporary_state.flatten() {
                Some(state) => state,
                None => State::open(&self.folder, &|_| {})?,
            };
            let mut index = match index {
                Some(index) => index,
                None => LocalIndex::open(&state, self.private)?,
            };
            index.update(corpus, &|_, _| {})?;
            let temporary_state = Some(state).filter(State::is_temporary);
            *current = Some(CurrentIndex { index, build: build.clone(), temporary_state });
        }
        let Some(CurrentIndex { index, .. }) = current.as_ref() else { unreachable!("set above") };
        index.find(text, corpus, limit)
    }
}

/// Returns the status and the JSON for a query string.
pub(super) fn answer(search: &LocalSearch, build: &Arc<Build>, query: &str) -> (u16, String) {
    let value = |name: &str| {
        let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        let found = pairs.into_iter().find(|(key, _)| *key == name)?.1;
        Some(percent_decode(&found.replace('+', " ")))
    };
    let text = value("q").unwrap_or_default();
    let limit = value("limit").and_then(|limit| limit.parse().ok()).unwrap_or(DEFAULT_LIMIT);
    let (status, body) = match search.find(build, &text, limit.min(MAX_LIMIT)) {
        Ok(found) => (200, serde_json::to_string(&found)),
        Err(error) => {
            (503, serde_json::to_string(&serde_json::json!({"error": error.to_string()})))
        }
    };
    (status, body.expect("plain values are JSON"))
}
