//! Preview images of conversations: their template and fonts.

use std::collections::BTreeMap;

use tera::{Context, Tera};

use super::built_in::{Template, built_in};
use super::customization::{is_inside, place_of};
use super::layers::Layer;
use super::template_error::{self, Known};
use super::templates::{FOLDER, Templates, escape};
use super::view::{PictureSpeakerView, PictureView};
use crate::config::{Config, OgImages};
use crate::diag::{Diagnostic, Severity, WithNotes};
use crate::drawing::{self, Fonts};
use crate::files::Files;
use crate::hash::Hash;
use crate::path::RelPath;

/// The name of the template.
pub(super) const TEMPLATE: &str = "og.svg";

/// The template and the fonts of preview images.
pub struct Pictures {
    template: Template,
    /// Contains only this template, which can depend only on the view of the image.
    tera: Tera,
    /// The fonts for text.
    pub fonts: Fonts,
    /// The hash of everything that images depend on, except their views.
    pub hash: Hash,
}

impl Pictures {
    /// How the images are drawn, if the site wants any.
    pub(super) fn load(
        files: &dyn Files,
        config: &Config,
        layers: &[Layer],
        templates: &Templates,
    ) -> WithNotes<Option<Self>> {
        if !config.og_images.per_conversation {
            return WithNotes::plain(None);
        }
        let mut notes = Vec::new();
        let mut found: Vec<Vec<u8>> = Vec::new();
        for layer in layers {
            let fonts = layer.files(files, "fonts", &mut notes);
            found.extend(fonts.into_iter().map(|(_, bytes)| bytes));
        }
        found.extend(own_fonts(files, &config.og_images, &mut notes));
        let pictures = Self::new(templates.get(TEMPLATE), found).take(&mut notes);
        WithNotes { value: Some(pictures), notes }
    }

    /// A hash that changes when the fonts change.
    pub(super) fn fonts_hash(&self) -> Hash {
        self.fonts.hash
    }

    /// Prepares images with this template. If it fails, the error is among the notes and the
    /// built-in template is used instead.
    fn new(template: Option<&Template>, fonts: Vec<Vec<u8>>) -> WithNotes<Self> {
        let mut notes = Vec::new();
        let text = built_in().find(|(name, _)| *name == TEMPLATE);
        let built_in = Template {
            path: format!("{FOLDER}/{TEMPLATE}"),
            text: text.map_or("", |(_, text)| text).to_owned(),
            is_built_in: true,
        };
        let mut pictures = Self {
            template: built_in.clone(),
            tera: tera(),
            fonts: Fonts::new(fonts),
            hash: Hash::of_bytes(b""),
        };
        for template in template.into_iter().chain([&built_in]) {
            pictures.hash = Hash::of(&(pictures.fonts.hash, &template.text));
            pictures.template = template.clone();
            let added = pictures.tera.add_raw_template(TEMPLATE, &template.text);
            let added = added.map_err(|error| pictures.note(&error));
            let drawn = added.and_then(|()| pictures.draw_samples());
            match drawn {
                Ok(()) => break,
                Err(note) => notes.push(note.hint("falling back to the built-in template")),
            }
        }
        WithNotes { value: pictures, notes }
    }

    fn draw_samples(&self) -> Result<(), Box<Diagnostic>> {
        [true, false].into_iter().try_for_each(|is_full| self.draw(&sample(is_full)).map(drop))
    }

    /// Draws an image, as PNG.
    pub fn draw(&self, view: &PictureView) -> Result<Vec<u8>, Box<Diagnostic>> {
        let mut context = Context::new();
        context.insert("picture", view);
        let svg = self.tera.render(TEMPLATE, &context);
        let svg = svg.map_err(|error| self.note(&error))?;
        drawing::draw(&svg, &self.fonts).map_err(|error| {
            let note = Diagnostic::new(Severity::Error, "bad-template", error);
            Box::new(note.in_file(&self.template.path))
        })
    }

    fn note(&self, error: &tera::Error) -> Box<Diagnostic> {
        Box::new(template_error::first(error, TEMPLATE, self))
    }
}

impl Known for Pictures {
    fn get(&self, name: &str) -> Option<&Template> {
        (name == TEMPLATE).then_some(&self.template)
    }

    fn names(&self) -> Vec<&str> {
        vec![TEMPLATE]
    }
}

/// Reads the fonts of the site.
fn own_fonts(files: &dyn Files, pictures: &OgImages, notes: &mut Vec<Diagnostic>) -> Vec<Vec<u8>> {
    let mut fonts = Vec::new();
    for path in &pictures.fonts {
        let font = is_inside(path).then(|| files.read(&RelPath::new(path)).ok()).flatten();
        match font {
            Some(font) if !Fonts::new(vec![font.clone()]).is_empty() => fonts.push(font),
            _ => {
                let message = format!("cannot find a font at `{path}` in the site folder");
                let note = Diagnostic::new(Severity::Error, "bad-font", message);
                let at = Some(place_of(files, &["og_images", "fonts"], false));
                notes.push(Diagnostic { at, ..note.hint("use a TrueType or OpenType font") });
            }
        }
    }
    fonts
}

fn tera() -> Tera {
    let mut tera = Tera::new();
    tera.autoescape_on([".svg"]);
    tera.set_escape_fn(escape);
    tera
}

/// Returns a sample with every field filled in, or with as few as possible.
fn sample(is_full: bool) -> PictureView {
    let text = |text: &str| if is_full { text.to_owned() } else { String::new() };
    let speaker = |badge: &str| PictureSpeakerView {
        name: "Ada".to_owned(),
        badge: badge.to_owned(),
        color: "#000".to_owned(),
    };
    PictureView {
        direction: if is_full { "rtl" } else { "ltr" },
        site: text("Site"),
        lines: vec!["Title".to_owned(); if is_full { 6 } else { 1 }],
        size: 46.0,
        speakers: if is_full { vec![speaker(""), speaker("AI")] } else { Vec::new() },
        more: text("and 2 more"),
        date: text("2026-01-02"),
        colors: BTreeMap::new(),
    }
}
