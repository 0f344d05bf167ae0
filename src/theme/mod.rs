//! Templates and assets: the site's own before the theme's before the built-in ones.
//!
//! A theme is a folder `themes/<name>/` with `templates/` (any subset of the built-in ones)
//! and `assets/`. A site's `templates/` wins over both.

pub mod view;

use std::collections::BTreeMap;
use std::io::Write;

use include_dir::{Dir, include_dir};
use tera::{Context, Tera};

use crate::config::Config;
use crate::diag::{Diagnostic, Noted, Severity};
use crate::files::Files;
use crate::hash::Hash;
use crate::markup;
use crate::path::RelPath;

static TEMPLATES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/templates");
static THEMES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/themes");

/// Scripts that every theme has, unless it has its own of that name.
const SCRIPTS: [(&str, &str); 3] = [
    ("reading.js", include_str!("script/reading.js")),
    (
        "search.js",
        concat!(
            "\"use strict\";\n{\n",
            include_str!("../search/script/words.js"),
            include_str!("../search/script/query.js"),
            include_str!("../search/script/index.js"),
            include_str!("../search/script/page.js"),
            "}\n"
        ),
    ),
    ("mark.js", include_str!("../search/script/mark.js")),
];

/// Everything that decides how pages look.
pub struct Theme {
    tera: Tera,
    /// Asset files by the name they have in the theme, such as `style.css`.
    pub assets: BTreeMap<String, Asset>,
    /// Changes whenever a template or an asset does.
    pub hash: Hash,
}

/// A file that pages load.
pub struct Asset {
    /// Its path in the output, which holds a hash of its bytes, so that it can be cached
    /// for ever.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl Theme {
    /// Loads the theme that `config` names.
    ///
    /// A template that cannot be read is an error among the notes, and the one below it is
    /// used instead.
    pub fn load(files: &dyn Files, config: &Config) -> Noted<Self> {
        let mut notes = Vec::new();
        let mut theme = Self {
            tera: Tera::new(),
            assets: BTreeMap::new(),
            hash: Hash::of_bytes(b""),
        };
        let mut sources: BTreeMap<String, String> = BTreeMap::new();
        let built_in: Vec<(String, String)> = TEMPLATES
            .files()
            .chain(TEMPLATES.dirs().flat_map(|dir| dir.files()))
            .filter_map(|file| {
                let name = file.path().to_str()?.replace('\\', "/");
                Some((name, file.contents_utf8()?.to_owned()))
            })
            .collect();
        theme.tera.set_escape_fn(escape);
        // All at once, because they refer to each other. A test renders every one of them.
        theme
            .tera
            .add_raw_templates(built_in.clone())
            .expect("the built-in templates are valid");
        sources.extend(built_in);
        for (file, text) in theme_files(files, config, "templates", &mut notes) {
            theme.replace(&mut sources, &file, text, &mut notes);
        }
        for (file, text) in folder(files, "templates", &mut notes) {
            theme.replace(&mut sources, &file, text, &mut notes);
        }
        for (name, text) in SCRIPTS {
            theme.add_asset(name.to_owned(), text.into());
        }
        for (file, bytes) in theme_files(files, config, "assets", &mut notes) {
            theme.add_asset(file.name, bytes);
        }
        let assets: Vec<&str> =
            theme.assets.values().map(|asset| asset.path.as_str()).collect();
        theme.hash = Hash::of(&(sources, assets));
        Noted { value: theme, notes }
    }

    fn add_asset(&mut self, name: String, bytes: Vec<u8>) {
        let (stem, ending) = name.rsplit_once('.').unwrap_or((&name, "bin"));
        let path = format!("assets/{stem}.{}.{ending}", Hash::of_bytes(&bytes).short(10));
        self.assets.insert(name, Asset { path, bytes });
    }

    fn replace(
        &mut self,
        sources: &mut BTreeMap<String, String>,
        file: &ThemeFile,
        bytes: Vec<u8>,
        notes: &mut Vec<Diagnostic>,
    ) {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        match self.tera.add_raw_template(&file.name, &text) {
            Ok(()) => {
                sources.insert(file.name.clone(), text);
            }
            Err(error) => {
                let note =
                    Diagnostic::new(Severity::Error, "bad-template", one_line(&error));
                let note = note.in_file(&file.path);
                notes.push(note.hint("the template below it is used instead"));
                if let Some(below) = sources.get(&file.name) {
                    // It was valid a moment ago.
                    let _ = self.tera.add_raw_template(&file.name, below);
                }
            }
        }
    }

    /// A page from its template. The error says what is wrong with the template.
    pub fn render(
        &self,
        template: &str,
        view: &view::View,
    ) -> Result<String, Box<Diagnostic>> {
        let context = Context::from_serialize(view);
        context.and_then(|context| self.tera.render(template, &context)).map_err(
            |error| {
                let message = format!("template `{template}`: {}", one_line(&error));
                Box::new(Diagnostic::new(Severity::Error, "bad-template", message))
            },
        )
    }
}

/// Escapes what templates print as `markup` escapes what was said, and `'` as well, because
/// a template may quote attributes with it.
fn escape(text: &str, to: &mut dyn Write) -> std::io::Result<()> {
    let mut escaped = String::with_capacity(text.len() + 16);
    for (index, part) in text.split('\'').enumerate() {
        if index > 0 {
            escaped.push_str("&#39;");
        }
        markup::escape(&mut escaped, part);
    }
    to.write_all(escaped.as_bytes())
}

fn one_line(error: &tera::Error) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A file of a theme or of the site's `templates/`.
struct ThemeFile {
    /// Its name below `templates/` or `assets/`.
    name: String,
    /// Where it is, for people.
    path: String,
}

/// The files of the theme's `templates` or `assets`: the site's own theme of that name wins
/// over a built-in one as a whole.
fn theme_files(
    files: &dyn Files,
    config: &Config,
    part: &str,
    notes: &mut Vec<Diagnostic>,
) -> Vec<(ThemeFile, Vec<u8>)> {
    let name = &config.theme;
    let own = format!("themes/{name}");
    if name.is_empty() || name.contains(['/', '\\']) || name.starts_with('.') {
        // It must be the name of one folder.
    } else if !files.list(&own).value.is_empty() {
        return folder(files, &format!("{own}/{part}"), notes);
    } else if let Some(dir) = THEMES.get_dir(name) {
        return built_in(dir, name, part);
    }
    if part == "templates" {
        let known: Vec<&str> =
            THEMES.dirs().filter_map(|dir| dir.path().file_name()?.to_str()).collect();
        let message = format!("no theme `{name}`; `{DEFAULT}` is used");
        let note = Diagnostic::new(Severity::Error, "unknown-theme", message);
        notes.push(note.in_file("site.toml").hint(format!(
            "built-in themes: {}; a theme of your own is a folder `themes/{name}/`",
            known.join(", ")
        )));
    }
    THEMES.get_dir(DEFAULT).map_or_else(Vec::new, |dir| built_in(dir, DEFAULT, part))
}

/// The theme that there always is.
const DEFAULT: &str = "paper";

fn built_in(dir: &Dir<'_>, theme: &str, part: &str) -> Vec<(ThemeFile, Vec<u8>)> {
    let Some(dir) = dir.get_dir(format!("{theme}/{part}")) else { return Vec::new() };
    dir.files()
        .chain(dir.dirs().flat_map(|dir| dir.files()))
        .filter_map(|file| {
            let path = file.path().to_str()?.replace('\\', "/");
            let name = path.strip_prefix(&format!("{theme}/{part}/"))?.to_owned();
            Some((
                ThemeFile { name, path: format!("themes/{path}") },
                file.contents().to_vec(),
            ))
        })
        .collect()
}

fn folder(
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
