//! What a site changes about its theme, without a theme of its own.

use std::collections::BTreeMap;

use serde::Deserialize;

/// Colours, fonts, width and logo.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Look {
    /// Colours by the names that the theme has for them.
    #[serde(default)]
    pub colors: BTreeMap<Name, Value>,
    /// Colours by their names, for readers who want it dark.
    #[serde(default)]
    pub dark_colors: BTreeMap<Name, Value>,
    /// Lists of fonts by the names that the theme has for them.
    #[serde(default)]
    pub fonts: BTreeMap<Name, Value>,
    /// How wide text runs, as a CSS length.
    #[serde(default)]
    pub width: Option<Value>,
    /// The path of an image in the site folder.
    #[serde(default)]
    pub logo: String,
    /// The path of the picture that stands for the site where links to it are shown.
    #[serde(default)]
    pub image: String,
}

/// The name of a custom property of CSS, without the `--`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct Name(pub String);

impl TryFrom<String> for Name {
    type Error = &'static str;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if name.is_empty() || !name.chars().all(fits) {
            return Err("expected a name such as `link`");
        }
        Ok(Self(name))
    }
}

/// The functions of CSS that a value may call: those of colours and lengths. Others can load what
/// stands on another host.
const FUNCTIONS: [&str; 19] = [
    "rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch", "color", "color-mix",
    "light-dark", "var", "env", "calc", "min", "max", "clamp", "",
];

/// A value that cannot end the declaration in which it stands, and loads nothing.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct Value(pub String);

impl TryFrom<String> for Value {
    type Error = &'static str;

    fn try_from(value: String) -> Result<Self, Self::Error> {
        let fits = |c: char| c.is_alphanumeric() || " #%()+,-./\"'".contains(c);
        let quotes = |mark: char| value.matches(mark).count().is_multiple_of(2);
        if value.is_empty() || !value.chars().all(fits) {
            return Err("expected a value of CSS such as `#1c5d74`");
        }
        let is_harmless = |before: &str| {
            let is_word = |c: char| c.is_alphanumeric() || c == '-';
            let name = &before[before.trim_end_matches(is_word).len()..];
            FUNCTIONS.contains(&name.to_ascii_lowercase().as_str())
        };
        let mut calls = value.match_indices('(').map(|(at, _)| &value[..at]);
        if value.contains("//") || !calls.all(is_harmless) {
            return Err("expected a value of CSS that loads nothing");
        }
        if !quotes('"') || !quotes('\'') || value.contains("/*") {
            return Err("expected a value of CSS whose quotation marks are closed");
        }
        Ok(Self(value))
    }
}
