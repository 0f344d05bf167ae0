//! The `[code]` of `site.toml`.

use serde::Deserialize;

/// The style of code.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Code {
    /// Whether lines are numbered.
    #[serde(default)]
    pub line_numbers: bool,
    /// Whether long lines are wrapped rather than scrolled.
    #[serde(default)]
    pub wrap: bool,
    /// The name of the highlighting theme; empty for the one of the site's theme.
    #[serde(default)]
    pub highlight_theme: String,
    /// The name of the highlighting theme in dark mode; empty for the same one.
    #[serde(default)]
    pub dark_highlight_theme: String,
}
