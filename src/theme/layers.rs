//! Themes as layers of folders: a theme, the theme that it extends, and so on.
//!
//! A theme is a folder `themes/<name>/` of the site, or a built-in one, with `templates/` (which
//! replace built-in templates), `assets/`, and a `theme.toml`:
//!
//! ```toml
//! title = "Chat"
//! description = "Chat bubbles"
//! extends = "paper"
//! ```

use include_dir::{Dir, include_dir};
use serde::Deserialize;

use crate::config::Config;
use crate::diag::{Diagnostic, Location, Severity, WithNotes};
use crate::files::Files;
use crate::path::RelPath;

static THEMES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/themes");

/// The theme that always exists.
pub(super) const DEFAULT_THEME: &str = "paper";
/// The maximum length of a chain of themes that extend each other.
const MAX_LAYERS: usize = 8;

/// The manifest of a theme.
#[derive(Clone, Default, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Manifest {
    /// The title, for people.
    pub title: String,
    /// A description, in one sentence.
    pub description: String,
    /// The parent theme, which provides all files that this theme lacks.
    pub extends: Option<String>,
}

/// A layer: the files of one theme, and where they are.
pub(super) enum Layer {
    /// In the folder `themes/<name>/` of the site.
    Own(String),
    /// Built into the binary.
    BuiltIn(&'static Dir<'static>),
}

/// A file of a theme or of the site's `templates/`.
pub(super) struct ThemeFile {
    /// Its name, relative to `templates/` or `assets/`.
    pub(super) name: String,
    /// Its path, for messages.
    pub(super) path: String,
}

/// A theme that a site can choose.
pub struct Available {
    /// The value for `theme` in `site.toml`.
    pub name: String,
    /// Whether it is in the site folder.
    pub is_own: bool,
    /// Its manifest.
    pub manifest: Manifest,
}

/// Returns the available themes: the built-in ones, starting with the default, and the site's own,
/// which replace built-in ones of the same name.
pub fn available(files: &dyn Files) -> Vec<Available> {
    let built_in = built_in().into_iter().map(str::to_owned);
    let mut names: Vec<String> = built_in.collect();
    for file in files.list("themes").value {
        let folder = file.path.as_str().strip_prefix("themes/");
        let name = folder.and_then(|inside| inside.split_once('/')).map(|(name, _)| name);
        if let Some(name) = name.filter(|name| !names.iter().any(|known| known == name)) {
            names.push(name.to_owned());
        }
    }
    let theme = |name: String| {
        let layer = find(files, &name)?;
        let manifest = layer.manifest(files, &mut Vec::new());
        Some(Available { name, is_own: matches!(layer, Layer::Own(_)), manifest })
    };
    names.into_iter().filter_map(theme).collect()
}

/// Returns the names of the built-in themes, starting with the default.
fn built_in() -> Vec<&'static str> {
    let mut names: Vec<&str> =
        THEMES.dirs().filter_map(|dir| dir.path().file_name()?.to_str()).collect();
    names.sort_by_key(|name| (*name != DEFAULT_THEME, *name));
    names
}

/// Returns the layers of the chosen theme: the themes that it extends, the most basic one first,
/// and itself last. A theme of the site replaces a built-in one of the same name as a whole.
pub(super) fn layers(files: &dyn Files, config: &Config) -> WithNotes<Vec<Layer>> {
    let mut notes = Vec::new();
    let mut layers = Vec::new();
    let mut seen: Vec<String> = Vec::new();
    let mut wanted = Some((config.theme.clone(), config.places.of("theme")));
    while let Some((name, from)) = wanted.take() {
        if seen.contains(&name) || seen.len() == MAX_LAYERS {
            let message = format!("the theme `{name}` extends itself");
            let note = Diagnostic::new(Severity::Error, "bad-theme", message);
            let note = note.hint("remove one `extends`");
            notes.push(Diagnostic { at: Some(from), ..note });
            break;
        }
        let Some(layer) = find(files, &name) else {
            notes.push(unknown_theme_note(&name, from));
            layers.extend(
                find(files, DEFAULT_THEME).filter(|_| !seen.contains(&DEFAULT_THEME.into())),
            );
            break;
        };
        let manifest = layer.manifest(files, &mut notes);
        wanted = manifest
            .extends
            .map(|parent| (parent, whole_file(format!("themes/{name}/{MANIFEST}"))));
        seen.push(name);
        layers.push(layer);
    }
    layers.reverse();
    WithNotes { value: layers, notes }
}

fn unknown_theme_note(name: &str, from: Location) -> Diagnostic {
    let message = format!("unknown theme `{name}`; falling back to `{DEFAULT_THEME}`");
    let note = Diagnostic::new(Severity::Error, "unknown-theme", message);
    let note = note.hint(format!(
        "built-in themes: {}; put your own theme into `themes/{name}/`",
        built_in().join(", ")
    ));
    Diagnostic { at: Some(from), ..note }
}

fn whole_file(file: String) -> Location {
    Location { file, span: None }
}

/// The file name of a theme's manifest.
const MANIFEST: &str = "theme.toml";

fn find(files: &dyn Files, name: &str) -> Option<Layer> {
    // The name must be a single folder name.
    if name.is_empty() || name.contains(['/', '\\']) || name.starts_with('.') {
        return None;
    }
    let own = format!("themes/{name}");
    if !files.list(&own).value.is_empty() {
        return Some(Layer::Own(own));
    }
    THEMES.get_dir(name).map(Layer::BuiltIn)
}

impl Layer {
    fn manifest(&self, files: &dyn Files, notes: &mut Vec<Diagnostic>) -> Manifest {
        let (path, text) = match self {
            Self::BuiltIn(dir) => {
                let path = dir.path().join(MANIFEST);
                let text = dir.get_file(&path).and_then(|file| file.contents_utf8());
                (path.display().to_string(), text.map(str::to_owned))
            }
            Self::Own(folder) => {
                let path = format!("{folder}/{MANIFEST}");
                let listed = files.list(folder).value;
                let is_there = listed.iter().any(|file| file.path.as_str() == path);
                let bytes = is_there.then(|| files.read(&RelPath::new(&path)).ok());
                let text = bytes.flatten();
                (path, text.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
            }
        };
        let Some(text) = text else { return Manifest::default() };
        crate::config::parse(&path, &text).unwrap_or_else(|note| {
            notes.push(*note);
            Manifest::default()
        })
    }

    /// Reads the files in its `templates` or `assets`.
    pub(super) fn files(
        &self,
        files: &dyn Files,
        part: &str,
        notes: &mut Vec<Diagnostic>,
    ) -> Vec<(ThemeFile, Vec<u8>)> {
        match self {
            Self::Own(own) => folder(files, &format!("{own}/{part}"), notes),
            Self::BuiltIn(theme) => {
                let path = theme.path().join(part);
                let Some(dir) = theme.get_dir(&path) else { return Vec::new() };
                let all = dir.files().chain(dir.dirs().flat_map(|dir| dir.files()));
                let found = all.filter_map(|file| {
                    let name = file.path().strip_prefix(&path).ok()?.to_str()?;
                    let name = name.replace('\\', "/");
                    let path = format!("themes/{}", file.path().display());
                    Some((ThemeFile { name, path }, file.contents().to_vec()))
                });
                found.collect()
            }
        }
    }
}

/// Reads the files in a folder of the site.
pub(super) fn folder(
    files: &dyn Files,
    folder: &str,
    notes: &mut Vec<Diagnostic>,
) -> Vec<(ThemeFile, Vec<u8>)> {
    let listed = files.list(folder).take(notes);
    let mut found = Vec::new();
    for file in listed {
        let path: &RelPath = &file.path;
        let Some(name) = path.as_str().strip_prefix(&format!("{folder}/")) else {
            continue;
        };
        match files.read(path) {
            Ok(bytes) => {
                let file = ThemeFile { name: name.to_owned(), path: path.to_string() };
                found.push((file, bytes));
            }
            Err(note) => notes.push(*note),
        }
    }
    found
}
