//! Templates and assets: the site's own before the theme's before the built-in ones.
//!
//! What a theme is, is told in `layers.rs`. A site's `templates/` wins over all themes.

mod css;
mod layers;
mod look;
#[cfg_attr(not(feature = "pictures"), path = "no_pictures.rs")]
mod pictures;
pub mod view;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use include_dir::{Dir, include_dir};
use tera::{Context, ErrorKind, Kwargs, State, Tera};

use crate::config::Config;
use crate::diag::{Diagnostic, Lines, Location, Noted, Severity};
use crate::files::Files;
use crate::hash::Hash;
use crate::locale::{self, Locale};
use crate::markup;

pub use self::layers::{Available, Manifest, available};
use self::layers::{ThemeFile, folder, layers};
pub use self::pictures::Pictures;

static TEMPLATES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/templates");

/// Scripts that every theme has, unless it has its own of that name. Each is one file, which `build.rs`
/// links from JavaScript modules.
const SCRIPTS: [(&str, &str); 5] = [
    ("first_paint.js", include_str!(concat!(env!("OUT_DIR"), "/first_paint.js"))),
    ("reading.js", include_str!(concat!(env!("OUT_DIR"), "/reading.js"))),
    ("search.js", include_str!(concat!(env!("OUT_DIR"), "/search.js"))),
    ("search_dialog.js", include_str!(concat!(env!("OUT_DIR"), "/search_dialog.js"))),
    ("mark.js", include_str!(concat!(env!("OUT_DIR"), "/mark.js"))),
];

/// Stylesheets that only some kinds of pages have, or the dialog of the search.
const STYLES_OF_KINDS: [&str; 7] = [
    "conversation.css",
    "lists.css",
    "profile.css",
    "search.css",
    "search_dialog.css",
    "statistics.css",
    "work.css",
];

/// A loaded theme: everything that decides how pages look.
pub struct Theme {
    tera: Tera,
    /// The templates, by their names.
    templates: BTreeMap<String, Template>,
    /// Asset files by the name they have in the theme, such as `style.css`.
    pub assets: BTreeMap<String, Asset>,
    /// The names of all stylesheets, in the order in which a page has them: those of a theme stand
    /// after those of the theme that it extends.
    styles: Vec<String>,
    /// The template and the fonts of pictures, where these are drawn.
    pub pictures: Option<Pictures>,
    /// The hash of all templates and assets.
    pub hash: Hash,
}

/// A template, with its path for people.
struct Template {
    path: String,
    text: String,
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
            templates: BTreeMap::new(),
            assets: BTreeMap::new(),
            styles: Vec::new(),
            pictures: None,
            hash: Hash::of_bytes(b""),
        };
        let built_in: Vec<(String, String)> = TEMPLATES
            .files()
            .chain(TEMPLATES.dirs().flat_map(|dir| dir.files()))
            .filter_map(|file| {
                let name = file.path().to_str()?.replace('\\', "/");
                Some((name, file.contents_utf8()?.to_owned()))
            })
            .collect();
        theme.tera.set_escape_fn(escape);
        theme.tera.register_filter("fill", fill);
        // All at once, because they refer to each other. A test renders every one of them.
        theme
            .tera
            .add_raw_templates(built_in.clone())
            .expect("the built-in templates are valid");
        theme.templates.extend(built_in.into_iter().map(|(name, text)| {
            let path = format!("templates/{name}");
            (name, Template { path, text })
        }));
        let layers = layers(files, config).take(&mut notes);
        for layer in &layers {
            for (file, text) in layer.files(files, "templates", &mut notes) {
                theme.replace(file, &text, &mut notes);
            }
        }
        for (file, text) in folder(files, "templates", &mut notes) {
            theme.replace(file, &text, &mut notes);
        }
        for (name, text) in SCRIPTS {
            theme.add_asset(name.to_owned(), text.into());
        }
        for layer in &layers {
            let mut assets = layer.files(files, "assets", &mut notes);
            assets.sort_by_key(|(file, _)| is_of_kind(&file.name));
            for (file, bytes) in assets {
                theme.add_asset(file.name, bytes);
            }
        }
        for (name, bytes) in look::assets(files, config, &theme.properties(), &mut notes)
        {
            theme.add_asset(name, bytes);
        }
        theme.pictures =
            Pictures::load(files, config, &layers, &theme.templates).take(&mut notes);
        // Pages depend on what can be drawn, and not on how.
        let sources: BTreeMap<&str, &str> = theme
            .templates
            .iter()
            .filter(|(name, _)| *name != pictures::TEMPLATE)
            .map(|(name, template)| (name.as_str(), template.text.as_str()))
            .collect();
        let fonts = theme.pictures.as_ref().map(Pictures::fonts_hash);
        let assets: Vec<&str> =
            theme.assets.values().map(|asset| asset.path.as_str()).collect();
        theme.hash = Hash::of(&(sources, assets, fonts));
        Noted { value: theme, notes }
    }

    /// Returns the site's own logo.
    pub fn logo(&self) -> Option<&Asset> {
        self.with_stem(look::LOGO)
    }

    /// Returns the site's own icon.
    pub fn favicon(&self) -> Option<&Asset> {
        self.with_stem(look::FAVICON)
    }

    /// Returns the preview picture of the site.
    pub fn image(&self) -> Option<&Asset> {
        self.with_stem(look::IMAGE)
    }

    /// Returns the picture of a person, by the place in the list of people.
    pub fn avatar(&self, place: usize) -> Option<&Asset> {
        self.with_stem(&look::avatar(place))
    }

    fn with_stem(&self, stem: &str) -> Option<&Asset> {
        let is_it = |name: &str| name.split('.').next() == Some(stem);
        self.assets.iter().find(|(name, _)| is_it(name)).map(|(_, asset)| asset)
    }

    /// Lets every template see what all pages share and what they say.
    pub fn share(&mut self, site: &view::SiteView, locale: &Locale) {
        let text: BTreeMap<&str, _> =
            locale.sections().map(|name| (name, locale.section(name))).collect();
        let shared = self.tera.global_context();
        shared.insert("site", site);
        shared.insert("text", &text);
    }

    /// Returns the stylesheets of a page, in their order: those that every page has, and those of
    /// these names.
    pub fn styles(&self, of_kind: &[&str]) -> impl Iterator<Item = &Asset> {
        let names = self.styles.iter().filter(|name| {
            !is_of_kind(name) || of_kind.iter().any(|wanted| wanted == name)
        });
        names.filter_map(|name| self.assets.get(name))
    }

    /// Adds an asset.
    fn add_asset(&mut self, name: String, bytes: Vec<u8>) {
        let bytes = match String::from_utf8(bytes) {
            Ok(text) if name.ends_with(".css") => {
                css::without_comments(&text).into_bytes()
            }
            Ok(text) => text.into_bytes(),
            Err(error) => error.into_bytes(),
        };
        if name.ends_with(".css") && !self.styles.contains(&name) {
            self.styles.push(name.clone());
        }
        let (stem, ending) = name.rsplit_once('.').unwrap_or((&name, "bin"));
        let path = format!("assets/{stem}.{}.{ending}", Hash::of_bytes(&bytes).short(10));
        self.assets.insert(name, Asset { path, bytes });
    }

    /// Returns the names of the custom properties that the stylesheets declare.
    fn properties(&self) -> BTreeSet<String> {
        let sheets = self.assets.iter().filter(|(name, _)| name.ends_with(".css"));
        let texts = sheets.map(|(_, sheet)| String::from_utf8_lossy(&sheet.bytes));
        texts.flat_map(|text| css::properties(&text)).collect()
    }

    fn replace(&mut self, file: ThemeFile, bytes: &[u8], notes: &mut Vec<Diagnostic>) {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let ThemeFile { name, path } = file;
        let added = self.tera.add_raw_template(&name, &text);
        let below = self.templates.insert(name.clone(), Template { path, text });
        let Err(error) = added else { return };
        let note = self.note(&name, &error);
        notes.push(note.hint("the template below it is used instead"));
        match below {
            Some(below) => {
                // It was valid a moment ago.
                let _ = self.tera.add_raw_template(&name, &below.text);
                self.templates.insert(name, below);
            }
            None => {
                self.templates.remove(&name);
            }
        }
    }

    /// Renders a page with its template. The error says what is wrong with the template.
    pub fn render(
        &self,
        template: &str,
        view: &view::View,
    ) -> Result<String, Box<Diagnostic>> {
        let context = Context::from_serialize(view);
        let page = context.and_then(|context| self.tera.render(template, &context));
        page.map_err(|error| Box::new(self.note(template, &error)))
    }

    /// Makes a note on an error in a template of this name, or in one that it includes.
    fn note(&self, name: &str, error: &tera::Error) -> Diagnostic {
        template_note(error, |inner| {
            let template =
                self.templates.get(inner).or_else(|| self.templates.get(name))?;
            Some((template.path.as_str(), template.text.as_str()))
        })
    }
}

/// Returns whether a stylesheet is only for some kinds of pages.
fn is_of_kind(name: &str) -> bool {
    STYLES_OF_KINDS.contains(&name)
}

/// Makes a note on an error in a template; `find` returns the path and the text of a template by
/// its name.
fn template_note<'a>(
    error: &tera::Error,
    find: impl FnOnce(&str) -> Option<(&'a str, &'a str)>,
) -> Diagnostic {
    let (message, report) = match error.kind() {
        ErrorKind::SyntaxError(report) | ErrorKind::RenderingError(report) => {
            (one_line(report.message(), error), Some(report))
        }
        _ => (one_line(&error.to_string(), error), None),
    };
    let note = Diagnostic::new(Severity::Error, "bad-template", message);
    let Some((path, text)) = find(report.map_or("", |report| report.filename())) else {
        return note;
    };
    let span = report.map(|report| Lines::new(text).span(report.span().range.clone()));
    Diagnostic { at: Some(Location { file: path.to_owned(), span }), ..note }
}

/// The filter of `{{ text.list.page_of | fill(n=2, count=3) }}`, which fills the braces of a text.
fn fill(text: &str, values: Kwargs, _: &State<'_>) -> String {
    let values: Vec<(&str, String)> = values
        .iter()
        .filter_map(|(name, value)| Some((name.as_str()?, value.to_string())))
        .collect();
    let values: Vec<(&str, &str)> =
        values.iter().map(|(name, value)| (*name, value.as_str())).collect();
    locale::fill(text, &values)
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

/// Returns a message with the causes of its error, on one line.
fn one_line(message: &str, error: &tera::Error) -> String {
    let mut text = message.to_owned();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
