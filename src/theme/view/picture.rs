//! The view of a preview image.

use std::collections::BTreeMap;

use serde::Serialize;

/// A conversation in its preview image: `og.svg`, 1200 × 630.
#[derive(Serialize)]
pub struct PictureView {
    /// `rtl` or `ltr`: the direction of the conversation's main language.
    pub direction: &'static str,
    /// The name of the site.
    pub site: String,
    /// The title, divided into lines that fit.
    pub lines: Vec<String>,
    /// The font size of the title, in pixels.
    pub size: f32,
    /// The speakers, as many as fit.
    pub speakers: Vec<PictureSpeakerView>,
    /// The number of other speakers, as text; may be empty.
    pub more: String,
    /// The day; may be empty.
    pub date: String,
    /// The colours that the site sets, by name.
    pub colors: BTreeMap<String, String>,
}

/// A speaker in a picture.
#[derive(Serialize)]
pub struct PictureSpeakerView {
    /// The name.
    pub name: String,
    /// Empty for people, else `AI`, `System` or `Tool`.
    pub badge: String,
    /// The speaker's colour on the page.
    pub color: String,
}
