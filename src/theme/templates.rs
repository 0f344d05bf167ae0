//! Templates: those of the site, then those of the theme, then the built-in ones.
//!
//! A template replaces the one of the same name in the layer below. It can also extend that one and
//! fill a block: `built-in/base.html` is always the built-in template, and `theme/base.html` is the
//! one that the site would use without its own.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use tera::{Context, Kwargs, State, Tera};

use super::built_in::{Template, built_in};
use super::copies;
use super::layers::{Layer, ThemeFile, folder};
use super::template_error::{self, Known};
use crate::diag::{Diagnostic, Severity, WithNotes};
use crate::files::Files;
use crate::locale;
use crate::markup;
use crate::text::closest;

/// The folder of a site's own templates.
pub(super) const FOLDER: &str = "templates";

/// The prefix that names a built-in template, even if it is replaced.
const BUILT_IN_PREFIX: &str = "built-in/";
/// The prefix that names a template of the theme, even if the site replaces it.
const THEME_PREFIX: &str = "theme/";

/// The maximum number of rounds for adding templates that depend on each other one by one.
const MAX_ROUNDS: usize = 8;

/// All templates of a site, ready to be rendered.
pub(super) struct Templates {
    tera: Tera,
    known: BTreeMap<String, Template>,
}

impl Templates {
    /// Loads the templates of a site with these layers of themes.
    ///
    /// A template that cannot be read is an error among the notes, and the one below it is used
    /// instead.
    pub(super) fn load(files: &dyn Files, layers: &[Layer]) -> WithNotes<Self> {
        let mut notes = Vec::new();
        let of_themes = layers.iter().map(|layer| layer.files(files, FOLDER, &mut notes));
        let of_themes: Vec<_> = of_themes.collect();
        let own = folder(files, FOLDER, &mut notes);
        let mut templates = Self::built_in();
        let names: BTreeSet<String> = templates.known.keys().cloned().collect();
        let has_others = !own.is_empty() || of_themes.iter().any(|all| !all.is_empty());
        if has_others {
            templates.keep_as(BUILT_IN_PREFIX);
        }
        let mut added = Vec::new();
        for layer in of_themes {
            added.extend(templates.add(layer, &mut notes));
        }
        if !own.is_empty() {
            templates.keep_as(THEME_PREFIX);
            added.extend(templates.add(own, &mut notes));
        }
        for name in &added {
            notes.extend(templates.unused(name, &names));
            let own = templates.known.get(name);
            notes.extend(own.and_then(|one| copies::outdated(&one.path, &one.text)));
        }
        WithNotes { value: templates, notes }
    }

    fn built_in() -> Self {
        let mut tera = Tera::new();
        // Values are escaped as text in every template, whatever its name.
        tera.autoescape_on([""]);
        tera.set_escape_fn(escape);
        tera.register_filter("fill", fill);
        let all: Vec<(&str, &str)> = built_in().collect();
        // All at once, as they refer to each other. A test renders every one of them.
        tera.add_raw_templates(all.iter().copied()).expect("the built-in templates are valid");
        let known = all.into_iter().map(|(name, text)| {
            let path = format!("{FOLDER}/{name}");
            let text = text.to_owned();
            (name.to_owned(), Template { path, text, is_built_in: true })
        });
        Self { tera, known: known.collect() }
    }

    /// Keeps all templates in their current form under names with this prefix.
    fn keep_as(&mut self, prefix: &str) {
        let is_plain = |name: &str| !is_reserved(name);
        let all = self.known.iter().filter(|(name, _)| is_plain(name));
        let kept: Vec<(String, Template)> =
            all.map(|(name, one)| (format!("{prefix}{name}"), one.clone())).collect();
        let texts = kept.iter().map(|(name, one)| (name.as_str(), one.text.as_str()));
        // They were valid before.
        let _ = self.tera.add_raw_templates(texts);
        self.known.extend(kept);
    }

    /// Adds templates, which replace those of the same name, and returns the names of the valid
    /// ones.
    fn add(
        &mut self,
        layer: Vec<(ThemeFile, Vec<u8>)>,
        notes: &mut Vec<Diagnostic>,
    ) -> Vec<String> {
        let mut waiting: Vec<(String, Template)> = Vec::new();
        for (ThemeFile { name, path }, bytes) in layer {
            if is_reserved(&name) {
                let message = format!("a template cannot be named `{name}`");
                let note = Diagnostic::new(Severity::Warning, "unknown-template", message);
                let hint = format!(
                    "names that start with `{BUILT_IN_PREFIX}` or `{THEME_PREFIX}` are reserved"
                );
                notes.push(note.in_file(path).hint(hint));
                continue;
            }
            match String::from_utf8(bytes) {
                Ok(text) => {
                    waiting.push((name, Template { path, text, is_built_in: false }));
                }
                Err(error) => {
                    let at = error.utf8_error().valid_up_to();
                    let message = format!("invalid UTF-8 at byte {at}");
                    let note = Diagnostic::new(Severity::Error, "bad-template", message);
                    notes.push(note.in_file(path).hint(INSTEAD));
                }
            }
        }
        let texts = waiting.iter().map(|(name, one)| (name.as_str(), one.text.as_str()));
        if self.tera.add_raw_templates(texts).is_ok() {
            let names = waiting.iter().map(|(name, _)| name.clone()).collect();
            self.known.extend(waiting);
            return names;
        }
        // One of them is invalid. They may depend on each other in any order.
        let mut names = Vec::new();
        for _ in 0..MAX_ROUNDS {
            let before = waiting.len();
            waiting.retain(|(name, one)| {
                let added = self.tera.add_raw_template(name, &one.text).is_ok();
                if added {
                    self.known.insert(name.clone(), one.clone());
                    names.push(name.clone());
                }
                !added
            });
            if waiting.len() == before {
                break;
            }
        }
        for (name, one) in waiting {
            let Err(error) = self.tera.add_raw_template(&name, &one.text) else {
                self.known.insert(name, one);
                continue;
            };
            let below = self.known.insert(name.clone(), one);
            let wrong = template_error::notes(&error, &name, self);
            notes.extend(wrong.into_iter().map(|note| note.hint(INSTEAD)));
            match below {
                Some(below) => self.known.insert(name, below),
                None => self.known.remove(&name),
            };
        }
        names
    }

    /// Returns a warning about a template that replaces none of these `names` and that no other
    /// template uses.
    fn unused(&self, name: &str, names: &BTreeSet<String>) -> Option<Diagnostic> {
        let quoted = ['"', '\'', '`'].map(|mark| format!("{mark}{name}{mark}"));
        let mentions = |one: &Template| quoted.iter().any(|name| one.text.contains(name));
        let own = self.known.get(name)?;
        // Components are used by their own names, not by file name.
        let has_components = own.text.contains("endcomponent");
        if names.contains(name) || has_components || self.known.values().any(mentions) {
            return None;
        }
        let message = format!("no page uses a template `{name}`");
        let note = Diagnostic::new(Severity::Warning, "unknown-template", message);
        let note = note.in_file(&own.path);
        Some(match closest(name, names.iter().map(String::as_str)) {
            Some(near) => note.hint(format!("did you mean `{near}`?")),
            None => note.hint(
                "`convo-site theme eject` lists all templates; any other template must be \
                 included or extended by one of them",
            ),
        })
    }

    /// Makes a value available to every template.
    pub(super) fn share<T: serde::Serialize>(&mut self, name: &'static str, value: &T) {
        self.tera.global_context().insert(name, value);
    }

    /// Renders a template. The error describes what is wrong with it.
    pub(super) fn render(
        &self,
        name: &str,
        view: &impl serde::Serialize,
    ) -> Result<String, Box<Diagnostic>> {
        let context = Context::from_serialize(view);
        let page = context.and_then(|context| self.tera.render(name, &context));
        page.map_err(|error| Box::new(template_error::first(&error, name, self)))
    }

    /// Iterates over the texts of all templates, by their names.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.known.iter().map(|(name, one)| (name.as_str(), one.text.as_str()))
    }
}

impl Known for Templates {
    fn get(&self, name: &str) -> Option<&Template> {
        self.known.get(name)
    }

    fn names(&self) -> Vec<&str> {
        self.known.keys().map(String::as_str).collect()
    }
}

/// The hint about a template that cannot be used.
const INSTEAD: &str = "falling back to the template of the theme, or the built-in one";

fn is_reserved(name: &str) -> bool {
    name.starts_with(BUILT_IN_PREFIX) || name.starts_with(THEME_PREFIX)
}

/// The filter in `{{ text.list.page_of | fill(n=2, count=3) }}`, which fills in placeholders.
fn fill(text: &str, values: Kwargs, _: &State<'_>) -> String {
    let values: Vec<(&str, String)> = values
        .iter()
        .filter_map(|(name, value)| Some((name.as_str()?, value.to_string())))
        .collect();
    let values: Vec<(&str, &str)> =
        values.iter().map(|(name, value)| (*name, value.as_str())).collect();
    locale::fill(text, &values)
}

/// Escapes the output of templates as `markup` escapes text, and `'` as well, because a template
/// may quote attributes with it.
pub(super) fn escape(text: &str, to: &mut dyn Write) -> std::io::Result<()> {
    if markup::is_plain(text) && !text.contains('\'') {
        return to.write_all(text.as_bytes());
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for (index, part) in text.split('\'').enumerate() {
        if index > 0 {
            escaped.push_str("&#39;");
        }
        markup::escape(&mut escaped, part);
    }
    to.write_all(escaped.as_bytes())
}
