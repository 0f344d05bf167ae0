//! The view of a text of the site's author.

use serde::Serialize;

use crate::markup::Html;

/// A text of the site's author.
#[derive(Serialize)]
pub struct PlainView {
    /// What it is about, where its author says so.
    pub summary: Option<String>,
    /// The text.
    pub body: Html,
}
