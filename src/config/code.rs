//! How code looks.

use serde::Deserialize;

/// How code looks, without a theme of one's own.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Code {
    /// Whether lines have numbers.
    #[serde(default)]
    pub line_numbers: bool,
    /// Whether long lines are wrapped rather than scrolled.
    #[serde(default)]
    pub wrap: bool,
    /// The name of the colours; those of the site's theme if empty.
    #[serde(default)]
    pub highlight_theme: String,
    /// The name of the colours for readers who want it dark; the same if empty.
    #[serde(default)]
    pub dark_highlight_theme: String,
}
