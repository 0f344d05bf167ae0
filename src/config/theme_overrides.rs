//! The `[look]` of `site.toml`: changes to a theme without a custom theme.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::color;

/// Colours, fonts, width and logo.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThemeOverrides {
    /// Colours by the names in the theme.
    #[serde(default)]
    pub colors: BTreeMap<Name, Color>,
    /// Colours in dark mode.
    #[serde(default)]
    pub dark_colors: BTreeMap<Name, Color>,
    /// Font lists by the names in the theme.
    #[serde(default)]
    pub fonts: BTreeMap<Name, Value>,
    /// The width of text, as a CSS length.
    #[serde(default)]
    pub width: Option<Value>,
    /// The path of the logo in the site folder.
    #[serde(default)]
    pub logo: String,
    /// The path of the image for link previews of the site.
    #[serde(default)]
    pub image: String,
}

/// The name of a CSS custom property, without `--`.
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

/// A CSS colour that loads nothing.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct Color(pub String);

impl TryFrom<String> for Color {
    type Error = String;

    fn try_from(value: String) -> Result<Self, Self::Error> {
        let Value(value) = Value::try_from(value)?;
        color::check(&value)?;
        Ok(Self(value))
    }
}

/// The CSS functions allowed in values: those for colours and lengths. Others could load files from other hosts.
const FUNCTIONS: [&str; 19] = [
    "rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch", "color", "color-mix",
    "light-dark", "var", "env", "calc", "min", "max", "clamp", "",
];

/// A CSS value that cannot end its declaration and loads nothing.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct Value(pub String);

impl TryFrom<String> for Value {
    type Error = &'static str;

    fn try_from(value: String) -> Result<Self, Self::Error> {
        let fits = |c: char| c.is_alphanumeric() || " #%()+,-./\"'".contains(c);
        let quotes = |mark: char| value.matches(mark).count().is_multiple_of(2);
        if value.is_empty() || !value.chars().all(fits) {
            return Err("expected a CSS value such as `#1c5d74`");
        }
        let is_harmless = |before: &str| {
            let is_word = |c: char| c.is_alphanumeric() || c == '-';
            let name = &before[before.trim_end_matches(is_word).len()..];
            FUNCTIONS.contains(&name.to_ascii_lowercase().as_str())
        };
        let mut calls = value.match_indices('(').map(|(at, _)| &value[..at]);
        if value.contains("//") || !calls.all(is_harmless) {
            return Err("expected a CSS value that loads nothing");
        }
        if !quotes('"') || !quotes('\'') || value.contains("/*") {
            return Err("expected a CSS value with closed quotation marks");
        }
        Ok(Self(value))
    }
}
