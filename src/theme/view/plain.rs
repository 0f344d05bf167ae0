//! The view of a plain page.

use serde::Serialize;

use crate::markup::Html;

/// A plain page, or the text of the home page.
#[derive(Serialize)]
pub struct PlainView {
    /// The summary that its author wrote.
    pub summary: Option<String>,
    /// For a draft, scheduled or expired page that is included in a preview: what it is.
    pub mark: Option<String>,
    /// The text.
    pub body: Html,
}
