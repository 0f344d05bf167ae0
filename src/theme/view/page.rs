//! The view of a page of any kind, and what all kinds have in common.

use serde::Serialize;

use super::data::DataView;
use super::services::ServicesView;

/// A picture that stands for a page elsewhere.
#[derive(Serialize, Clone)]
pub struct ImageView {
    /// Its absolute address.
    pub url: String,
    /// What is on it.
    pub alt: String,
    /// Pixels, where known.
    pub width: Option<u32>,
    /// Pixels, where known.
    pub height: Option<u32>,
}

/// The part of a view that differs from page to page.
#[derive(Serialize)]
pub struct PageView {
    /// The heading.
    pub title: String,
    /// The content of `<title>`.
    pub full_title: String,
    /// One or two sentences; may be empty.
    pub description: String,
    /// BCP 47 tag of the page's main text.
    pub language: String,
    /// The page's own address, absolute.
    pub canonical: Option<String>,
    /// What search engines may do.
    pub robots: String,
    /// `article` or `website`.
    pub og_type: String,
    /// When it was published, RFC 3339.
    pub published: Option<String>,
    /// When it was last added to, RFC 3339, where that is another time.
    pub modified: Option<String>,
    /// Absolute addresses of those who speak, for an article.
    pub authors: Vec<String>,
    /// Words under which it is filed.
    pub tags: Vec<String>,
    /// Where the same stands in each language, this one included.
    pub translations: Vec<TranslationView>,
    /// Links for `hreflang`: `x-default` and each language, where there are several.
    pub alternates: Vec<AlternateView>,
    /// The picture that stands for it elsewhere.
    pub image: Option<ImageView>,
    /// JSON-LD, safe inside a `<script>`.
    pub structured_data: Option<String>,
    /// Whether it is where the archive is searched.
    pub is_search: bool,
    /// Addresses of its stylesheets, in their order.
    pub styles: Vec<String>,
    /// There, queries that find something.
    pub examples: Vec<LinkView>,
    /// The address of the turns of a conversation as JSON, where they are there.
    pub turns: Option<String>,
    /// The address of the page's own Atom feed.
    pub feed: Option<String>,
    /// The address of the page's own JSON Feed.
    pub json_feed: Option<String>,
    /// The address of the same as Markdown.
    pub markdown: Option<String>,
    /// What its author says to templates: the values of `extra` in its front matter or metadata, as
    /// they are written.
    pub extra: DataView,
    /// The Content-Security-Policy: what browsers load and run on it.
    pub policy: String,
    /// What it loads from other hosts.
    pub services: ServicesView,
    /// The pages above it.
    pub trail: Vec<LinkView>,
    /// The address of the overview or section that it belongs to, for marking the menu.
    pub section: Option<String>,
}

/// A translation of the page.
#[derive(Serialize, Clone)]
pub struct TranslationView {
    /// The BCP 47 tag.
    pub language: String,
    /// What the language calls itself.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The address.
    pub url: String,
    /// Whether it is the page itself.
    pub is_here: bool,
}

/// The address of a page in a language, for search engines.
#[derive(Serialize, Clone)]
pub struct AlternateView {
    /// The BCP 47 tag, or `x-default`.
    pub language: String,
    /// The absolute address.
    pub url: String,
}

/// A link.
#[derive(Serialize, Clone)]
pub struct LinkView {
    /// Its text.
    pub title: String,
    /// Its address.
    pub url: String,
}

/// A moment.
#[derive(Serialize)]
pub struct TimeView {
    /// For `datetime`.
    pub machine: String,
    /// Such as `23 October 2025`; empty for a turn of the day of the one before.
    pub day: String,
    /// Such as `12:00, America/Chicago`; the zone stands there where it is not that of before.
    pub clock: Option<String>,
}
