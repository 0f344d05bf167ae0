//! The environment of recipes.

use std::sync::Arc;

use crate::config::Config;
use crate::hash::Hash;
use crate::markup;
use crate::search::index::Index;
use crate::sources::TextStore;
use crate::theme::Theme;

/// The environment of recipes: everything they may use besides their inputs.
pub struct Env {
    /// Templates and assets.
    pub theme: Theme,
    /// The options for rendering Markdown.
    pub markup: markup::Options,
    /// Texts. Their hashes are among the inputs.
    pub texts: Arc<TextStore>,
    /// The search index.
    pub index: Arc<Index>,
    /// The view that all pages share.
    pub site: crate::theme::view::SiteView,
    /// The configuration.
    pub config: Arc<Config>,
    pub(super) hash: Hash,
}
