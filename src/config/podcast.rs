//! The `[podcast]` of `site.toml`.

use serde::Deserialize;

/// What the podcast is whose episodes are the conversations of each `[[source]]` that says so. What it
/// leaves empty is the site's own.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Podcast {
    /// Its name.
    pub title: String,
    /// What it is about.
    pub description: String,
    /// Who makes it.
    pub author: String,
    /// The path of its cover in the site folder: a square JPEG or PNG.
    pub image: String,
    /// Its category in the directory of Apple, such as `History`.
    pub category: String,
    /// Whether it is not for children.
    pub explicit: bool,
}
