//! Search on the author's machine: the queries of the site's own search, over a tantivy index
//! that is kept between runs and brought up to date by content.
//!
//! It shares with the site's index what a word is and what a query means, and nothing else, so
//! that each is a judge of the other.

mod index;
mod query;
mod result;

pub use self::index::LocalIndex;
pub use self::result::{Hit, SearchResults};
use crate::config::BaseUrl;
use crate::pipeline::Build;
use crate::search::index::Document;
use crate::sources::TextStore;

/// The corpus that is searched: the conversations of a build.
#[derive(Clone, Copy)]
pub struct Corpus<'a> {
    documents: &'a [std::sync::Arc<Document>],
    texts: &'a TextStore,
    base: &'a BaseUrl,
}

impl<'a> Corpus<'a> {
    /// Returns the corpus of a build.
    pub fn of(build: &'a Build) -> Self {
        Self {
            documents: &build.documents,
            texts: &build.texts,
            base: &build.config.base_url,
        }
    }
}
