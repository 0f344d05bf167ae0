//! The `[podcast]` of `site.toml`.

use serde::Deserialize;

/// The podcast whose episodes are the conversations of each `[[source]]` with `podcast = true`. Empty values fall back
/// to those of the site.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Podcast {
    /// Its name.
    pub title: String,
    /// Its description.
    pub description: String,
    /// Its author.
    pub author: String,
    /// The path of its cover in the site folder: a square JPEG or PNG.
    pub image: String,
    /// Its category in Apple Podcasts, such as `History`.
    pub category: String,
    /// Whether it is marked as explicit.
    pub explicit: bool,
}
