//! Options for rendering, and the targets of links.

use std::collections::BTreeMap;
use std::sync::Arc;

use convo_base::text::QuotationMarks;
use serde::Deserialize;

use super::highlight::Highlights;
use super::videos::Videos;

/// The policy for raw HTML in conversations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RawHtml {
    /// HTML is shown as text.
    Escape,
    /// A few harmless elements are kept.
    Basic,
}

/// The options for rendering Markdown.
#[derive(Clone, Debug)]
pub struct Options {
    /// The policy for raw HTML.
    pub html: RawHtml,
    /// Whether `$…$`, `\(…\)` and the like are mathematics.
    pub math: bool,
    /// Whether bare URLs become links.
    pub autolink: bool,
    /// Hosts whose images pages may load.
    pub image_hosts: Vec<String>,
    /// Services whose videos become players.
    pub videos: Videos,
    /// The level of the heading above the text. The text's own headings follow it without a gap,
    /// whatever their levels. `None` leaves them as written.
    pub headings_below: Option<u8>,
    /// Whether the text is archived, so that `2016.` is a year and not an empty list.
    pub is_archived: bool,
    /// Whether line ends in paragraphs are shown, as in what people type into programs.
    pub keeps_lines: bool,
    /// The quotation marks that replace straight ones in prose.
    pub quotation_marks: Option<QuotationMarks>,
    /// The titles of alerts: note, tip, important, warning, caution.
    pub alert_titles: [String; 5],
    /// Whether lines of code have numbers.
    pub line_numbers: bool,
    /// Whether the site's own author wrote the text, so that headings get anchors and search
    /// engines may follow its links.
    pub is_own: bool,
    /// The cache of highlighted code, which only affects the speed.
    pub highlights: Arc<Highlights>,
}

impl Options {
    /// Returns the options for a prompt as it was typed.
    pub fn for_typed_text(&self) -> Self {
        Self { keeps_lines: true, ..self.clone() }
    }

    /// Returns the options for a text that is not in a turn, such as an event. Headings follow the title of
    /// the page without a gap.
    pub fn beside_turns(&self) -> Self {
        Self { headings_below: self.headings_below.map(|_| 1), ..self.clone() }
    }

    /// Returns the options for a text of the site's own author below a title.
    pub fn for_own_text(&self) -> Self {
        Self { headings_below: Some(1), is_archived: false, is_own: true, ..self.clone() }
    }
}

/// Links within the site. `markup` knows no URLs of pages; the plan of the site does.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Links {
    /// URLs as written, with their targets; others are shown as text.
    Known(BTreeMap<String, ResolvedLink>),
    /// Every URL is its own target.
    AsWritten,
}

impl Links {
    pub(super) fn resolve<'a>(&'a self, address: &'a str) -> Option<&'a str> {
        match self {
            Self::Known(known) => known.get(address).map(|found| found.url.as_str()),
            Self::AsWritten => Some(address),
        }
    }

    pub(super) fn dimensions(&self, address: &str) -> Option<(u32, u32)> {
        match self {
            Self::Known(known) => known.get(address)?.dimensions,
            Self::AsWritten => None,
        }
    }
}

/// The target of a link within the site.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ResolvedLink {
    /// Its URL.
    pub url: String,
    /// Width and height of an image, in pixels.
    pub dimensions: Option<(u32, u32)>,
}
