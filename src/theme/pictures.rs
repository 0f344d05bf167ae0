//! The pictures that stand for conversations elsewhere: a template of their own, and fonts.

use std::collections::BTreeMap;

use tera::{Context, Tera};

use super::view::{PictureSpeakerView, PictureView};
use super::{TEMPLATES, escape, one_line};
use crate::diag::{Diagnostic, Noted, Severity};
use crate::drawing::{self, Fonts};
use crate::hash::Hash;

/// The name of the template.
pub(super) const TEMPLATE: &str = "og.svg";

/// How pictures are drawn.
pub struct Pictures {
    /// Holds one template: what a picture says is all that it can depend on.
    tera: Tera,
    /// What text is set in.
    pub fonts: Fonts,
    /// Changes whenever a picture would look otherwise.
    pub hash: Hash,
}

impl Pictures {
    /// Pictures by this template. One that draws nothing is an error among the notes, and the
    /// built-in one is used instead.
    pub(super) fn new(template: &str, fonts: Vec<Vec<u8>>) -> Noted<Self> {
        let mut notes = Vec::new();
        let mut pictures =
            Self { tera: tera(), fonts: Fonts::new(fonts), hash: Hash::of_bytes(b"") };
        let built_in = TEMPLATES.get_file(TEMPLATE).and_then(|file| file.contents_utf8());
        for template in [template, built_in.unwrap_or_default()] {
            pictures.hash = Hash::of(&(pictures.fonts.hash, template));
            let added = pictures.tera.add_raw_template(TEMPLATE, template);
            let added = added.map_err(|error| problem(&one_line(&error)));
            match added.and_then(|()| pictures.draw(&sample())) {
                Ok(_) => break,
                Err(note) => notes.push(note.hint("the built-in one is used instead")),
            }
        }
        Noted { value: pictures, notes }
    }

    /// A picture, as PNG.
    pub fn draw(&self, view: &PictureView) -> Result<Vec<u8>, Box<Diagnostic>> {
        let mut context = Context::new();
        context.insert("picture", view);
        let svg = self.tera.render(TEMPLATE, &context);
        let svg = svg.map_err(|error| problem(&one_line(&error)))?;
        drawing::draw(&svg, &self.fonts).map_err(|error| problem(&error))
    }
}

fn tera() -> Tera {
    let mut tera = Tera::new();
    tera.autoescape_on([".svg"]);
    tera.set_escape_fn(escape);
    tera
}

fn problem(what: &str) -> Box<Diagnostic> {
    let message = format!("template `{TEMPLATE}`: {what}");
    Box::new(Diagnostic::new(Severity::Error, "bad-template", message))
}

/// A picture with something in every place.
fn sample() -> PictureView {
    let speaker = PictureSpeakerView {
        name: "Ada".to_owned(),
        badge: "AI".to_owned(),
        color: "#000".to_owned(),
    };
    PictureView {
        direction: "ltr",
        site: "Site".to_owned(),
        lines: vec!["Title".to_owned()],
        size: 64.0,
        speakers: vec![speaker],
        more: "+1".to_owned(),
        date: "2026-01-02".to_owned(),
        colors: BTreeMap::new(),
    }
}
