//! What a site changes about its theme: one more style sheet, and images.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::config::{self, Code, Color, Config, Name, ThemeOverrides};
use crate::diag::{Diagnostic, Location, Severity};
use crate::files::Files;
use crate::images::{self, Stripped};
use crate::markup::CodePalette;
use crate::path::RelPath;
use crate::text::{and_list, closest};

/// The name of the style sheet, which is loaded last.
const STYLE: &str = "site.css";
/// The file stem of the logo.
pub(super) const LOGO: &str = "logo";
/// The file stem of the site's own icon.
pub(super) const FAVICON: &str = "favicon";
/// The file stem of the podcast's cover.
pub(super) const COVER: &str = "podcast";
/// The file stem of the site's preview image.
pub(super) const IMAGE: &str = "image";

/// Returns the assets that a site adds to its theme, whose style sheets declare these `properties`.
pub(super) fn assets(
    files: &dyn Files,
    config: &Config,
    properties: &BTreeSet<String>,
    notes: &mut Vec<Diagnostic>,
) -> Vec<(String, Vec<u8>)> {
    let look = &config.look;
    notes.extend(unknown_names(files, config, properties));
    notes.extend(light_only(files, config));
    let mut assets = Vec::new();
    notes.extend(unknown_code_themes(files, config));
    let style = style(look, &config.code) + &code_style(&config.code);
    if !style.is_empty() {
        assets.push((STYLE.to_owned(), style.into_bytes()));
    }
    assets.extend(image(files, LOGO, &["look", LOGO], &look.logo, notes));
    assets.extend(image(files, IMAGE, &["look", IMAGE], &look.image, notes));
    let cover = &config.podcast.image;
    assets.extend(image(files, COVER, &["podcast", IMAGE], cover, notes));
    let favicon = &config.head.favicon;
    assets.extend(image(files, FAVICON, &["head", FAVICON], favicon, notes));
    for (place, person) in config.people.listed.iter().enumerate() {
        let keys = ["people", person.name.text.as_str(), "avatar"];
        assets.extend(image(files, &avatar(place), &keys, &person.avatar, notes));
    }
    assets
}

/// Returns the file stem of a person's picture, which does not reveal the name.
pub(super) fn avatar(place: usize) -> String {
    format!("avatar-{}", place + 1)
}

/// The colours that all themes have.
const COLORS: [&str; 14] = [
    "paper", "sheet", "ink", "soft", "line", "link", "mark", "code", "s0", "s1", "s2", "s3", "s4",
    "s5",
];
/// The colours that a page needs in both modes: text and backgrounds.
const OF_MODES: [&str; 5] = ["paper", "sheet", "code", "ink", "soft"];
/// The fonts that all themes have.
const FONTS: [&str; 3] = ["serif", "sans", "mono"];
/// Other words for names.
const MEANINGS: [(&str, &str); 7] = [
    ("background", "paper"),
    ("text", "ink"),
    ("muted", "soft"),
    ("border", "line"),
    ("accent", "link"),
    ("primary", "link"),
    ("highlight", "mark"),
];

/// Returns a hint on colours that dark mode needs too, but that are set for light mode only.
fn light_only(files: &dyn Files, config: &Config) -> Option<Diagnostic> {
    let ThemeOverrides { colors, dark_colors, .. } = &config.look;
    let names = OF_MODES.into_iter().filter(|name| {
        let is_set = |table: &BTreeMap<Name, Color>| table.keys().any(|key| key.0 == *name);
        is_set(colors) && !is_set(dark_colors)
    });
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    let first = names.first()?.trim_matches('`');
    let (are, them) = if names.len() == 1 { ("is", "it") } else { ("are", "them") };
    let message = format!(
        "{} {are} set in `colors` but not in `dark_colors`, so dark mode uses {them} too",
        and_list(&names)
    );
    let note = Diagnostic::new(Severity::Hint, "light-only-color", message);
    let at = Some(place_of(files, &["look", "colors", first], true));
    Some(Diagnostic { at, ..note.hint(format!("set {them} in `dark_colors` as well")) })
}

/// Returns a warning for each name that no style sheet declares.
fn unknown_names(
    files: &dyn Files,
    config: &Config,
    properties: &BTreeSet<String>,
) -> Vec<Diagnostic> {
    let ThemeOverrides { colors, dark_colors, fonts, .. } = &config.look;
    let tables = [("colors", colors.keys()), ("dark_colors", dark_colors.keys())]
        .into_iter()
        .flat_map(|(table, names)| names.map(move |name| (table, name.0.as_str())));
    let fonts = fonts.keys().map(|name| ("fonts", name.0.as_str()));
    let names = tables.chain(fonts);
    let missing = names.filter(|(_, name)| !properties.contains(*name));
    let note = |(table, name)| {
        let message = format!("the theme `{}` has no `--{name}`", config.theme);
        let note = Diagnostic::new(Severity::Warning, "unknown-name", message);
        let names = if table == "fonts" { &FONTS[..] } else { &COLORS };
        let known = || names.iter().copied().filter(|known| properties.contains(*known));
        let meant = MEANINGS.iter().find(|(word, _)| *word == name).map(|(_, meant)| *meant);
        let meant = meant.filter(|meant| known().any(|known| known == *meant));
        // A theme of the site can have other names.
        let all = properties.iter().map(String::as_str);
        let near = meant.or_else(|| closest(name, known())).or_else(|| closest(name, all));
        let note = match near {
            Some(near) => note.hint(format!("did you mean `{near}`?")),
            None => {
                let known = match known().next() {
                    Some(_) => known().collect::<Vec<_>>(),
                    None => properties.iter().map(String::as_str).collect(),
                };
                note.hint(format!("known names: {}", known.join(", ")))
            }
        };
        let at = place_of(files, &["look", table, name], true);
        Diagnostic { at: Some(at), ..note }
    };
    missing.map(note).collect()
}

/// Returns the location of a key or a value in `site.toml`.
pub(super) fn place_of(files: &dyn Files, keys: &[&str], at_key: bool) -> Location {
    let bytes = files.read(&RelPath::new("site.toml")).unwrap_or_default();
    config::place_of(&String::from_utf8_lossy(&bytes), keys, at_key)
}

pub(super) fn is_inside(path: &str) -> bool {
    !path.starts_with('/') && !path.split(['/', '\\']).any(|part| part == "..")
}

fn style(look: &ThemeOverrides, code: &Code) -> String {
    let colors = look.colors.iter().map(|(name, color)| (name.0.as_str(), &color.0));
    let fonts = look.fonts.iter().map(|(name, fonts)| (name.0.as_str(), &fonts.0));
    let width = look.width.iter().map(|width| ("measure", &width.0));
    let mut plain = code_colors(&code.highlight_theme);
    plain.extend(
        colors.chain(fonts).chain(width).map(|(name, value)| format!("  --{name}: {value};\n")),
    );
    let mut dark = code_colors(&code.dark_highlight_theme);
    dark.extend(
        look.dark_colors.iter().map(|(name, value)| format!("    --{}: {};\n", name.0, value.0)),
    );
    let mut style = String::new();
    if !plain.is_empty() {
        let _ = writeln!(style, ":root {{\n{plain}}}");
    }
    if !dark.is_empty() {
        // The reader's choice of scheme, or else the scheme of the system.
        let _ = writeln!(
            style,
            "@media screen and (prefers-color-scheme: dark) {{\n  :root:not([data-scheme=light]) {{\n{dark}  }}\n}}\n\
             @media screen {{\n  :root[data-scheme=dark] {{\n{dark}  }}\n}}"
        );
    }
    style
}

/// Returns the colours of a code theme as declarations.
fn code_colors(theme: &str) -> String {
    let Some(palette) = CodePalette::of(theme) else { return String::new() };
    let ground = [("code-ground", palette.background), ("code-ink", palette.foreground)];
    let colors = palette.colors.into_iter().chain(ground);
    colors.map(|(name, value)| format!("  --{name}: {value};\n")).collect()
}

/// Returns the style rules of code.
fn code_style(code: &Code) -> String {
    let mut style = String::new();
    if !code.highlight_theme.is_empty() || !code.dark_highlight_theme.is_empty() {
        style.push_str(
            ".body pre, .body .tool.fold pre { background: var(--code-ground, var(--code)); \
             color: var(--code-ink, inherit); }\n",
        );
    }
    if code.wrap {
        style.push_str("pre { overflow-wrap: anywhere; white-space: pre-wrap; }\n");
    }
    if code.line_numbers {
        style.push_str(
            "pre { counter-reset: line; }\n\
             pre:not(.diff) code > span { counter-increment: line; display: inline-block; min-width: 100%; \
             padding-inline-start: 3.5em; text-indent: -3.5em; }\n\
             pre:not(.diff) code > span::before { color: var(--c); content: counter(line); \
             display: inline-block; padding-inline-end: 1em; text-align: end; \
             text-indent: 0; user-select: none; width: 3.5em; }\n",
        );
    }
    style
}

/// Returns a warning for each unknown code theme.
fn unknown_code_themes(files: &dyn Files, config: &Config) -> Vec<Diagnostic> {
    let themes = [
        ("highlight_theme", &config.code.highlight_theme),
        ("dark_highlight_theme", &config.code.dark_highlight_theme),
    ];
    let missing = themes.into_iter().filter(|(_, name)| {
        !name.is_empty() && !CodePalette::names().any(|known| known.eq_ignore_ascii_case(name))
    });
    let note = |(key, name): (&'static str, &String)| {
        let message = format!("unknown theme for code `{name}`");
        let note = Diagnostic::new(Severity::Warning, "unknown-name", message);
        let note = match closest(name, CodePalette::names()) {
            Some(near) => note.hint(format!("did you mean `{near}`?")),
            None => {
                let known: Vec<_> = CodePalette::names().collect();
                note.hint(format!("known themes: {}", known.join(", ")))
            }
        };
        Diagnostic { at: Some(place_of(files, &["code", key], false)), ..note }
    };
    missing.map(note).collect()
}

fn image(
    files: &dyn Files,
    stem: &str,
    keys: &[&str],
    path: &str,
    notes: &mut Vec<Diagnostic>,
) -> Option<(String, Vec<u8>)> {
    if path.is_empty() {
        return None;
    }
    let what = keys.last().copied().unwrap_or(stem);
    let extension = path.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let mut complain = |message: String| {
        let note = Diagnostic::new(Severity::Error, "bad-image", message);
        let at = Some(place_of(files, keys, false));
        notes.push(Diagnostic { at, ..note.hint(format!("the site is built without its {what}")) });
        None
    };
    let known = ["png", "jpg", "jpeg", "gif", "webp", "avif", "svg"];
    let is_icon = stem == FAVICON && extension == "ico";
    if !known.contains(&extension.as_str()) && !is_icon {
        return complain(format!("the {what} `{path}` is not an image that browsers can show"));
    }
    match files.read(&RelPath::new(path)) {
        Ok(bytes) if is_inside(path) => {
            let name = format!("{stem}.{extension}");
            match images::strip(&bytes) {
                Stripped::AsIs | Stripped::Kept => Some((name, bytes)),
                Stripped::Changed(stripped) => Some((name, stripped)),
                Stripped::Damaged(why) => {
                    complain(format!("the {what} `{path}` is damaged: {why}"))
                }
            }
        }
        _ => complain(format!("cannot find the {what} `{path}` in the site folder")),
    }
}
