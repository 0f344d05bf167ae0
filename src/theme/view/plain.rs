//! The view of a text of the site's author.

use serde::Serialize;

use crate::markup::Html;

/// A text of the site's author.
#[derive(Serialize)]
pub struct PlainView {
    /// What it is about, where its author says so.
    pub summary: Option<String>,
    /// That it is a draft, to be published later or expired, where it was asked for all the same.
    pub mark: Option<String>,
    /// The text.
    pub body: Html,
}
