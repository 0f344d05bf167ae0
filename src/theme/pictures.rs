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
            let drawn = added.and_then(|()| pictures.draw_samples());
            match drawn {
                Ok(()) => break,
                Err(note) => notes.push(note.hint("the built-in one is used instead")),
            }
        }
        Noted { value: pictures, notes }
    }

    fn draw_samples(&self) -> Result<(), Box<Diagnostic>> {
        [true, false]
            .into_iter()
            .try_for_each(|is_full| self.draw(&sample(is_full)).map(drop))
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

/// A picture with something in every place, or with as little as there may be.
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
