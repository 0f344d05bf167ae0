//! The conversations to search.

use crate::config::BaseUrl;
use crate::pipeline::Build;
use crate::search::index::Document;
use crate::sources::TextStore;

/// The conversations of a build, for searching.
#[derive(Clone, Copy)]
pub struct Corpus<'a> {
    pub(super) documents: &'a [std::sync::Arc<Document>],
    pub(super) texts: &'a TextStore,
    pub(super) base: &'a BaseUrl,
}

impl<'a> Corpus<'a> {
    /// Returns the conversations of a build.
    pub fn of(build: &'a Build) -> Self {
        Self { documents: &build.documents, texts: &build.texts, base: &build.config.base_url }
    }
}
