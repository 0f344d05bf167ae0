//! The `[search]` of `site.toml`.

use serde::Deserialize;

/// The search of a site.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Search {
    /// The search engine.
    #[serde(default)]
    pub engine: SearchEngine,
}

/// How readers search the site.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SearchEngine {
    /// In the browser, which loads parts of an index that is published with the site.
    #[default]
    Static,
    /// Not at all.
    None,
}

impl Search {
    /// Returns whether the site has a search page.
    pub fn has_page(&self) -> bool {
        self.engine != SearchEngine::None
    }

    /// Returns whether an index is published with the site.
    pub fn has_index(&self) -> bool {
        self.engine == SearchEngine::Static
    }
}
