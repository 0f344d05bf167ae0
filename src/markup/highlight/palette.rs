//! Colours of well-known code themes.

use std::str::FromStr;

use syntect::highlighting::{Color, Highlighter, Theme};
use syntect::parsing::{Scope, ScopeStack};
use two_face::theme::{EmbeddedLazyThemeSet, extra};

/// The colours of a code theme, as CSS values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodePalette {
    /// The background.
    pub background: String,
    /// The text without a colour of its own.
    pub foreground: String,
    /// Colours by their names in style sheets.
    pub colors: Vec<(&'static str, String)>,
}

/// A scope for each colour name.
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
    /// Returns the colours of a theme; `None` if there is no theme of this name.
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
        let settings = &theme.settings;
        let ground = settings.background.unwrap_or(Color::WHITE);
        let ink = settings.foreground.unwrap_or(Color::BLACK);
        let colors = SCOPES.map(|(name, scope)| {
            let stack = ScopeStack::from_str(&format!("source {scope}")).unwrap_or_default();
            let scopes: &[Scope] = stack.as_slice();
            (name, css(readable(highlighter.style_for_stack(scopes).foreground, ground)))
        });
        Self {
            background: css(ground),
            foreground: css(readable(ink, ground)),
            colors: colors.into(),
        }
    }
}

/// The minimum contrast of text to its background, from WCAG 2.2 AA, plus a little for rounding.
const LEAST_CONTRAST: f64 = 4.55;

/// Returns a readable colour on a background: the given one, or one moved towards black or white as
/// little as necessary.
fn readable(color: Color, ground: Color) -> Color {
    let is_light = contrast(ground, Color::BLACK) > contrast(ground, Color::WHITE);
    let end = if is_light { Color::BLACK } else { Color::WHITE };
    let nearer = |part: u16| {
        let mix = |from: u8, to: u8| {
            let sum = u16::from(from) * (STEPS - part) + u16::from(to) * part;
            u8::try_from(sum / STEPS).unwrap_or(to)
        };
        let (r, g, b) = (mix(color.r, end.r), mix(color.g, end.g), mix(color.b, end.b));
        Color { r, g, b, a: color.a }
    };
    let mut all = (0..=STEPS).map(nearer);
    all.find(|color| contrast(*color, ground) >= LEAST_CONTRAST).unwrap_or(end)
}

/// The number of steps between a colour and black or white.
const STEPS: u16 = 50;

fn contrast(a: Color, b: Color) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Returns the relative luminance of a colour, as WCAG defines it.
fn luminance(Color { r, g, b, .. }: Color) -> f64 {
    let linear = |channel: u8| match f64::from(channel) / 255.0 {
        c if c <= 0.040_45 => c / 12.92,
        c => ((c + 0.055) / 1.055).powf(2.4),
    };
    0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

fn css(Color { r, g, b, .. }: Color) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

#[cfg(test)]
mod tests {
    use syntect::highlighting::Color;

    use super::{CodePalette, contrast};

    fn parse(css: &str) -> Color {
        let part = |at| u8::from_str_radix(&css[at..at + 2], 16).unwrap();
        Color { r: part(1), g: part(3), b: part(5), a: 255 }
    }

    #[test]
    fn every_colour_of_every_theme_can_be_read() {
        for name in CodePalette::names() {
            let palette = CodePalette::of(name).unwrap();
            let ground = parse(&palette.background);
            for (_, color) in palette.colors.iter().chain([&("ink", palette.foreground)]) {
                let found = contrast(parse(color), ground);
                assert!(found >= 4.5, "{name} {color} on {}: {found}", palette.background);
            }
        }
    }
}
