//! `/api/search?q=QUERY&limit=N`: the queries of the site's own search, with drafts where these
//! are shown. The answer is what `convo-site search --json` prints.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::Shown;
use super::reply::Reply;
use crate::disk::{Error, State};
use crate::find::{Finder, Found, Library};
use crate::pipeline::Build;
use crate::sources::Private;
use crate::text::percent_decode;

/// Turns in an answer that asks for no number.
const LIMIT: usize = 20;
/// Turns in any answer.
const MOST: usize = 1000;

/// What finds turns, once somebody asked for one.
pub(super) struct Searching {
    folder: PathBuf,
    private: Private,
    known: Mutex<Option<Known>>,
}

/// The index, and the build that it is of.
struct Known {
    finder: Finder,
    of: Arc<Build>,
    /// Where it is, if that is there no longer than somebody holds it.
    held: Option<State>,
}

impl Searching {
    pub(super) fn new(folder: &Path, private: Private) -> Self {
        Self { folder: folder.to_owned(), private, known: Mutex::default() }
    }

    fn find(&self, build: &Arc<Build>, text: &str, limit: usize) -> Result<Found, Error> {
        // One at a time: the first one brings the index up to date for all.
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let library = Library::of(build);
        let is_current =
            known.as_ref().is_some_and(|known| Arc::ptr_eq(&known.of, build));
        if !is_current {
            let (finder, held) =
                known.take().map(|known| (known.finder, known.held)).unzip();
            let state = match held.flatten() {
                Some(state) => state,
                None => State::open(&self.folder, &|_| {})?,
            };
            let mut finder = match finder {
                Some(finder) => finder,
                None => Finder::open(&state, self.private)?,
            };
            finder.update(library, &|_, _| {})?;
            let held = Some(state).filter(State::is_temporary);
            *known = Some(Known { finder, of: build.clone(), held });
        }
        let Some(Known { finder, .. }) = known.as_ref() else {
            unreachable!("set above")
        };
        finder.find(text, library, limit)
    }
}

/// The answer to a query string.
pub(super) fn to(shown: &Shown, build: &Arc<Build>, query: &str) -> Reply {
    let value = |name: &str| {
        let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        let found = pairs.into_iter().find(|(key, _)| *key == name)?.1;
        Some(percent_decode(&found.replace('+', " ")))
    };
    let text = value("q").unwrap_or_default();
    let limit = value("limit").and_then(|limit| limit.parse().ok()).unwrap_or(LIMIT);
    let (status, body) = match shown.finder.find(build, &text, limit.min(MOST)) {
        Ok(found) => (200, serde_json::to_string(&found)),
        Err(error) => {
            (503, serde_json::to_string(&serde_json::json!({"error": error.to_string()})))
        }
    };
    Reply::Page(status, "application/json", body.expect("plain values are JSON").into())
}
