//! Themes: templates and assets, of the site itself, of its theme, and built in.
//!
//! `layers.rs` describes themes. A site's `templates/` take precedence over all themes.

mod built_in;
mod copies;
mod css;
mod css_urls;
mod layers;
mod customization;
mod site_files;
#[cfg_attr(not(feature = "pictures"), path = "no_pictures.rs")]
mod pictures;
mod services;
mod template_error;
mod templates;
pub mod view;

use std::collections::{BTreeMap, BTreeSet};

use crate::config::Config;
use crate::diag::{Diagnostic, WithNotes};
use crate::files::Files;
use crate::gate::Gate;
use crate::hash::Hash;
use crate::locale::Locale;
use crate::sources::{Hidden, TextStore};

pub use self::copies::{copy_of, template_names};
pub use self::css_urls::StyleUrl;
use self::layers::layers;
pub use self::layers::{Available, Manifest, available};
pub use self::pictures::Pictures;
pub use self::site_files::OWN_FILES;
use self::templates::Templates;

/// Parts of the search scripts, which load them when a query needs them.
const PARTS: [(&str, &str); 6] = [
    ("search_chosen.js", include_str!(concat!(env!("OUT_DIR"), "/search_chosen.js"))),
    ("search_conditions.js", include_str!(concat!(env!("OUT_DIR"), "/search_conditions.js"))),
    ("search_consecutive.js", include_str!(concat!(env!("OUT_DIR"), "/search_consecutive.js"))),
    ("search_facet_lists.js", include_str!(concat!(env!("OUT_DIR"), "/search_facet_lists.js"))),
    ("search_offers.js", include_str!(concat!(env!("OUT_DIR"), "/search_offers.js"))),
    ("search_spelling.js", include_str!(concat!(env!("OUT_DIR"), "/search_spelling.js"))),
];

/// Scripts of every theme, unless the theme has its own of the same name. `build.rs` bundles each
/// from JavaScript modules.
const SCRIPTS: [(&str, &str); 11] = [
    ("first_paint.js", include_str!(concat!(env!("OUT_DIR"), "/first_paint.js"))),
    ("reading.js", include_str!(concat!(env!("OUT_DIR"), "/reading.js"))),
    ("texts.js", include_str!(concat!(env!("OUT_DIR"), "/texts.js"))),
    ("search.js", include_str!(concat!(env!("OUT_DIR"), "/search.js"))),
    ("search_dialog.js", include_str!(concat!(env!("OUT_DIR"), "/search_dialog.js"))),
    ("search_opener.js", include_str!(concat!(env!("OUT_DIR"), "/search_opener.js"))),
    ("list.js", include_str!(concat!(env!("OUT_DIR"), "/list.js"))),
    ("mark.js", include_str!(concat!(env!("OUT_DIR"), "/mark.js"))),
    ("recording.js", include_str!(concat!(env!("OUT_DIR"), "/recording.js"))),
    (PLAYER, include_str!(concat!(env!("OUT_DIR"), "/player.js"))),
    (COMMENTS, include_str!(concat!(env!("OUT_DIR"), "/comments.js"))),
];

/// Variants for sites that publish no Markdown with their pages.
const OF_PAGES: [(&str, &str); 2] = [
    ("search.js", include_str!(concat!(env!("OUT_DIR"), "/pages_search.js"))),
    ("search_dialog.js", include_str!(concat!(env!("OUT_DIR"), "/pages_dialog.js"))),
];

/// The script that turns links to videos into players, for sites that use it.
const PLAYER: &str = "player.js";
/// The script of comments, for sites that use them.
const COMMENTS: &str = "comments.js";

/// Scripts and style sheets of the search, for sites that have one.
const OF_SEARCH: [&str; 6] = [
    "search.js", "search_dialog.js", "search_opener.js", "mark.js", "search.css",
    "search_dialog.css",
];

/// Style sheets that only some kinds of pages, or the search dialog, use.
const STYLES_OF_KINDS: [&str; 12] = [
    "channel.css", "conversation.css", "home.css", "lists.css", "profile.css", "recording.css",
    "search.css", "search_dialog.css", "services.css", "statistics.css", "tool_calls.css",
    "work.css",
];

/// A loaded theme: everything that the appearance of pages depends on.
pub struct Theme {
    templates: Templates,
    /// Asset files by the name they have in the theme, such as `style.css`.
    pub assets: BTreeMap<String, Asset>,
    /// The names of all style sheets, in the order in which pages load them: those of a theme after
    /// those of its parent.
    styles: Vec<String>,
    /// The template and the fonts of preview images, if they are drawn.
    pub pictures: Option<Pictures>,
    /// The hash of all templates and assets.
    pub hash: Hash,
    /// The paths and the texts of the site's own style sheet and script, unchanged.
    own: Vec<(&'static str, String)>,
    /// Errors about those files that contain the name of a person with a pseudonym.
    pub(crate) named: Vec<Diagnostic>,
}

/// A file that pages load.
pub struct Asset {
    /// Its path in the output, which contains a hash of its bytes, so that it can be cached for
    /// ever.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl Theme {
    /// Loads the theme that `config` names.
    ///
    /// A template that cannot be read is an error among the notes, and the one below it is used
    /// instead.
    pub fn load(files: &dyn Files, config: &Config) -> WithNotes<Self> {
        let mut notes = Vec::new();
        let layers = layers(files, config).take(&mut notes);
        let mut theme = Self {
            templates: Templates::load(files, &layers).take(&mut notes),
            assets: BTreeMap::new(),
            styles: Vec::new(),
            pictures: None,
            hash: Hash::of_bytes(b""),
            own: Vec::new(),
            named: Vec::new(),
        };
        let services = &config.services;
        let has_search = config.search.has_page();
        let is_part = |name: &str| PARTS.iter().any(|row| row.0 == name);
        let is_of_search = |name: &str| OF_SEARCH.contains(&name) || is_part(name);
        let is_needed = |name: &str| match name {
            PLAYER => services.have_players(),
            COMMENTS => services.giscus.is_some() || services.utterances.is_some(),
            name if is_of_search(name) => has_search,
            _ => true,
        };
        for layer in &layers {
            let mut assets = layer.files(files, "assets", &mut notes);
            // Style sheets can load the others.
            assets.sort_by_key(|(file, _)| (file.name.ends_with(".css"), is_of_kind(&file.name)));
            assets.retain(|(file, _)| has_search || !is_of_search(&file.name));
            for (file, bytes) in assets {
                theme.add_asset(file.name, bytes);
            }
        }
        let built_in = PARTS.into_iter().chain(SCRIPTS).filter(|row| is_needed(row.0));
        for (name, text) in built_in {
            if theme.assets.contains_key(name) {
                continue;
            }
            let instead = OF_PAGES.iter().find(|row| row.0 == name && !config.markdown);
            let (_, text) = instead.copied().unwrap_or((name, text));
            theme.add_asset(name.to_owned(), theme.with_parts(text).into_bytes());
        }
        for (name, bytes) in customization::assets(files, config, &theme.properties(), &mut notes) {
            theme.add_asset(name, bytes);
        }
        if let Some(script) = services::script(config) {
            theme.add_asset(services::SCRIPT.to_owned(), script.into_bytes());
        }
        for (path, name, text) in site_files::assets(files, &mut notes) {
            theme.own.push((path, text.clone()));
            theme.add_asset(name.to_owned(), text.into_bytes());
        }
        theme.pictures = Pictures::load(files, config, &layers, &theme.templates).take(&mut notes);
        // Pages depend on whether images can be drawn, not on their design.
        let texts = theme.templates.texts();
        let sources: BTreeMap<&str, &str> =
            texts.filter(|(name, _)| *name != pictures::TEMPLATE).collect();
        let fonts = theme.pictures.as_ref().map(Pictures::fonts_hash);
        let assets: Vec<&str> = theme.assets.values().map(|asset| asset.path.as_str()).collect();
        theme.hash = Hash::of(&(sources, assets, fonts));
        WithNotes { value: theme, notes }
    }

    /// Returns the site's own logo.
    pub fn logo(&self) -> Option<&Asset> {
        self.with_stem(customization::LOGO)
    }

    /// Returns the site's own icon.
    pub fn favicon(&self) -> Option<&Asset> {
        self.with_stem(customization::FAVICON)
    }

    /// Returns the preview image of the site.
    pub fn image(&self) -> Option<&Asset> {
        self.with_stem(customization::IMAGE)
    }

    /// Returns the cover of the podcast.
    pub fn cover(&self) -> Option<&Asset> {
        self.with_stem(customization::COVER)
    }

    /// Returns the picture of a person, by the index in the list of people.
    pub fn avatar(&self, place: usize) -> Option<&Asset> {
        self.with_stem(&customization::avatar(place))
    }

    /// Returns the site's own style sheet.
    pub fn own_style(&self) -> Option<&Asset> {
        self.assets.get(site_files::STYLE)
    }

    /// Returns the path and the unchanged text of the site's own style sheet, and the URLs that it
    /// loads.
    pub fn own_addresses(&self) -> Option<(&'static str, &str, Vec<StyleUrl>)> {
        let is_style = |path: &str| path.ends_with(".css");
        let (path, text) = self.own.iter().find(|(path, _)| is_style(path))?;
        Some((path, text, css_urls::addresses(text)))
    }

    /// Returns the site's own script.
    pub fn own_script(&self) -> Option<&Asset> {
        self.assets.get(site_files::SCRIPT)
    }

    /// Returns the script that starts external services.
    pub fn service_script(&self) -> Option<&Asset> {
        self.assets.get(services::SCRIPT)
    }

    /// Returns an error for each of the site's own files that contains a secret or a word of
    /// `[[redact]]`.
    pub fn secrets(&self, gate: &Gate) -> Vec<Diagnostic> {
        let found = self.own.iter().filter_map(|(path, text)| {
            let secret = gate.first_secret(path, text);
            let secret = secret.map(|(name, at)| (Hidden::Secret(name), at));
            let word = || Some((Hidden::OwnWord, gate.first_own_word(path, text)?));
            secret.or_else(word).map(|(what, at)| site_files::refused(&what, at))
        });
        found.collect()
    }

    /// Removes the site's own files that contain something that must not be published. Names become
    /// errors in [`Theme::named`], the rest are returned by [`Theme::secrets`].
    pub(crate) fn withhold(&mut self, texts: &TextStore) {
        for (path, text) in &self.own {
            let Some((what, at)) = texts.hidden_in(path, text) else { continue };
            let names = site_files::FILES.iter().filter(|(known, _)| known == path);
            for (_, name) in names {
                self.assets.remove(*name);
            }
            self.hash = Hash::of(&(self.hash, *path));
            if what == Hidden::Name {
                self.named.push(site_files::refused(&what, at));
            }
        }
    }

    fn with_stem(&self, stem: &str) -> Option<&Asset> {
        let is_it = |name: &str| name.split('.').next() == Some(stem);
        self.assets.iter().find(|(name, _)| is_it(name)).map(|(_, asset)| asset)
    }

    /// Makes the shared values and the page texts available to every template.
    pub fn share(&mut self, site: &view::SiteView, locale: &Locale) {
        let text: BTreeMap<&str, _> =
            locale.sections().map(|name| (name, locale.section(name))).collect();
        self.templates.share("site", site);
        self.templates.share("text", &text);
    }

    /// Returns the style sheets of a page, in order: those of every page, and those with these
    /// names.
    pub fn styles(&self, of_kind: &[&str]) -> impl Iterator<Item = &Asset> {
        let names = self
            .styles
            .iter()
            .filter(|name| !is_of_kind(name) || of_kind.iter().any(|wanted| wanted == name));
        names.filter_map(|name| self.assets.get(name))
    }

    /// Adds an asset.
    fn add_asset(&mut self, name: String, bytes: Vec<u8>) {
        let bytes = match String::from_utf8(bytes) {
            Ok(text) if name.ends_with(".css") => self.with_paths(&css::minify(&text)).into_bytes(),
            Ok(text) => text.into_bytes(),
            Err(error) => error.into_bytes(),
        };
        let is_style = name.ends_with(".css") && name != site_files::STYLE;
        if is_style && !self.styles.contains(&name) {
            self.styles.push(name.clone());
        }
        let (stem, extension) = name.rsplit_once('.').unwrap_or((&name, "bin"));
        let path = format!("assets/{stem}.{}.{extension}", Hash::of_bytes(&bytes).short(10));
        self.assets.insert(name, Asset { path, bytes });
    }

    /// Returns a style sheet with the file names of the output in place of the names of assets.
    fn with_paths(&self, css: &str) -> String {
        let mut out = String::with_capacity(css.len());
        let mut done = 0;
        for StyleUrl { address, at, .. } in css_urls::addresses(css) {
            let asset = self.assets.get(&address);
            let Some((_, name)) = asset.and_then(|asset| asset.path.rsplit_once('/')) else {
                continue;
            };
            out.push_str(&css[done..at.start]);
            out.push_str(name);
            done = at.end;
        }
        out.push_str(&css[done..]);
        out
    }

    /// Returns a script with the file names of the output in place of the names of parts.
    fn with_parts(&self, script: &str) -> String {
        let parts = PARTS.iter().filter_map(|(name, _)| Some((name, self.assets.get(*name)?)));
        parts.fold(script.to_owned(), |script, (name, part)| {
            let file = part.path.trim_start_matches("assets/");
            script.replace(&format!("\"{name}\""), &format!("\"{file}\""))
        })
    }

    /// Returns the names of the custom properties that the style sheets declare.
    fn properties(&self) -> BTreeSet<String> {
        let sheets = self.assets.iter().filter(|(name, _)| name.ends_with(".css"));
        let texts = sheets.map(|(_, sheet)| String::from_utf8_lossy(&sheet.bytes));
        texts.flat_map(|text| css::properties(&text)).collect()
    }

    /// Renders a page with its template. The error describes what is wrong with the template.
    pub fn render(&self, template: &str, view: &view::View) -> Result<String, Box<Diagnostic>> {
        self.templates.render(template, view)
    }
}

/// Returns whether a style sheet is only for some kinds of pages.
fn is_of_kind(name: &str) -> bool {
    STYLES_OF_KINDS.contains(&name)
}
