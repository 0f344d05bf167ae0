//! `/api/search?q=QUERY&limit=N`: the queries of the site's own search, with drafts where these
//! are shown. The answer is what `convo-site search --json` prints.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::disk::{Error, State};
use crate::local_search::{Corpus, LocalIndex, SearchResults};
use crate::pipeline::Build;
use crate::text::percent_decode;

/// The turns of an answer to a request that names no limit.
const DEFAULT_LIMIT: usize = 20;
/// The most turns of an answer.
const MAX_LIMIT: usize = 1000;

/// The search of the preview. Its index is opened at the first request.
pub(super) struct LocalSearch {
    folder: PathBuf,
    private: bool,
    current: Mutex<Option<CurrentIndex>>,
}

/// The index, with the build whose conversations it holds.
struct CurrentIndex {
    index: LocalIndex,
    build: Arc<Build>,
    /// The folder of the index, if it is a temporary one, which must be held.
    temporary_state: Option<State>,
}

impl LocalSearch {
    pub(super) fn new(folder: &Path, private: bool) -> Self {
        Self { folder: folder.to_owned(), private, current: Mutex::default() }
    }

    fn find(&self, build: &Arc<Build>, text: &str, limit: usize) -> Result<SearchResults, Error> {
        // One at a time: the first one brings the index up to date for all.
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

/// Answers a query string, with a status and JSON.
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
