//! How readers search the site.

use serde::Deserialize;

/// The search of a site.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Search {
    /// What finds turns.
    #[serde(default)]
    pub engine: SearchEngine,
}

/// What finds turns for readers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SearchEngine {
    /// The reader's browser, which loads parts of an index that is published with the site.
    #[default]
    Static,
    /// Nothing: the site has no search.
    None,
}

impl Search {
    /// Returns whether the site has a page on which readers search.
    pub fn has_page(&self) -> bool {
        self.engine != SearchEngine::None
    }

    /// Returns whether an index is published with the site.
    pub fn has_index(&self) -> bool {
        self.engine == SearchEngine::Static
    }
}
