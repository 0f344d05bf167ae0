//! The colours of well-known themes for code.

use std::str::FromStr;

use syntect::highlighting::{Color, Highlighter, Theme};
use syntect::parsing::{Scope, ScopeStack};
use two_face::theme::{EmbeddedLazyThemeSet, extra};

/// The colours of a theme for code, as CSS has them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodePalette {
    /// What code stands on.
    pub background: String,
    /// What is not coloured.
    pub foreground: String,
    /// Colours by the names that stylesheets have for them.
    pub colors: Vec<(&'static str, String)>,
}

/// A scope for each name of a colour.
const SCOPES: [(&str, &str); 8] = [
    ("c", "comment.line"),
    ("str", "string.quoted.double"),
    ("k", "keyword.control"),
    ("f", "entity.name.function"),
    ("t", "entity.name.type"),
    ("n", "constant.numeric"),
    ("ins", "markup.inserted"),
    ("del", "markup.deleted"),
];

impl CodePalette {
    /// Returns the colours of a theme; `None` if there is none of this name.
    pub fn of(theme: &str) -> Option<Self> {
        let name = EmbeddedLazyThemeSet::theme_names()
            .iter()
            .find(|known| known.as_name().eq_ignore_ascii_case(theme))?;
        Some(Self::new(extra().get(*name)))
    }

    /// Returns the names of all themes.
    pub fn names() -> impl Iterator<Item = &'static str> {
        EmbeddedLazyThemeSet::theme_names().iter().map(|name| name.as_name())
    }

    fn new(theme: &Theme) -> Self {
        let highlighter = Highlighter::new(theme);
        let colors = SCOPES.map(|(name, scope)| {
            let stack =
                ScopeStack::from_str(&format!("source {scope}")).unwrap_or_default();
            let scopes: &[Scope] = stack.as_slice();
            (name, css(highlighter.style_for_stack(scopes).foreground))
        });
        let settings = &theme.settings;
        Self {
            background: css(settings.background.unwrap_or(Color::WHITE)),
            foreground: css(settings.foreground.unwrap_or(Color::BLACK)),
            colors: colors.into(),
        }
    }
}

fn css(Color { r, g, b, .. }: Color) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}
