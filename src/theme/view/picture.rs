//! The view of a drawn picture.

use std::collections::BTreeMap;

use serde::Serialize;

/// A conversation as the picture that stands for it elsewhere: `og.svg`, 1200 × 630.
#[derive(Serialize)]
pub struct PictureView {
    /// `rtl` or `ltr`: the direction of the conversation's main language.
    pub direction: &'static str,
    /// The name of the site.
    pub site: String,
    /// The title, as lines that fit.
    pub lines: Vec<String>,
    /// The size of the title's font. Pixels.
    pub size: f32,
    /// Those who speak, as many as fit.
    pub speakers: Vec<PictureSpeakerView>,
    /// How many more there are, in words; may be empty.
    pub more: String,
    /// The day; may be empty.
    pub date: String,
    /// The colours that the site chose, by their names.
    pub colors: BTreeMap<String, String>,
}

/// A speaker in a picture.
#[derive(Serialize)]
pub struct PictureSpeakerView {
    /// The name.
    pub name: String,
    /// Empty for people, else `AI`, `System` or `Tool`.
    pub badge: String,
    /// The colour that the speaker has on the page.
    pub color: String,
}
