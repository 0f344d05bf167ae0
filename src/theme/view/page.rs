//! The view of any page: the fields that all kinds of pages have.

use serde::Serialize;

use super::data::DataView;
use super::services::ServicesView;

/// A preview image, which other sites show for a page.
#[derive(Serialize, Clone)]
pub struct ImageView {
    /// Its absolute URL.
    pub url: String,
    /// Its alternative text.
    pub alt: String,
    /// Its width in pixels, if known.
    pub width: Option<u32>,
    /// Its height in pixels, if known.
    pub height: Option<u32>,
}

/// The fields of a view that differ from page to page.
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
    /// The page's own URL, absolute.
    pub canonical: Option<String>,
    /// The content of `<meta name="robots">`.
    pub robots: String,
    /// `article` or `website`.
    pub og_type: String,
    /// When it was published, RFC 3339.
    pub published: Option<String>,
    /// When it was last changed, RFC 3339, if that is another time.
    pub modified: Option<String>,
    /// Absolute URLs of the speakers, for an article.
    pub authors: Vec<String>,
    /// Its tags.
    pub tags: Vec<String>,
    /// The translations of the page, including this one.
    pub translations: Vec<TranslationView>,
    /// Links for `hreflang`: `x-default` and each language, if there are several.
    pub alternates: Vec<AlternateView>,
    /// The preview image.
    pub image: Option<ImageView>,
    /// JSON-LD, safe inside a `<script>`.
    pub structured_data: Option<String>,
    /// Whether it is the search page.
    pub is_search: bool,
    /// URLs of its style sheets, in order.
    pub styles: Vec<String>,
    /// On the search page, example queries that have results.
    pub examples: Vec<LinkView>,
    /// The URL of the turns of a conversation as JSON, if that file is published.
    pub turns: Option<String>,
    /// The URL of the page's own Atom feed.
    pub feed: Option<String>,
    /// The URL of the page's own JSON Feed.
    pub json_feed: Option<String>,
    /// The URL of the page as Markdown.
    pub markdown: Option<String>,
    /// Values for templates: `extra` in the front matter or metadata, unchanged.
    pub extra: DataView,
    /// The Content-Security-Policy: what browsers may load and run on it.
    pub policy: String,
    /// What it loads from other hosts.
    pub services: ServicesView,
    /// The pages above it.
    pub trail: Vec<LinkView>,
    /// The URL of the overview or section that it belongs to, to mark the current item of the menu.
    pub section: Option<String>,
}

/// A translation of the page.
#[derive(Serialize, Clone)]
pub struct TranslationView {
    /// The BCP 47 tag.
    pub language: String,
    /// The name of the language, in the language itself.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The URL.
    pub url: String,
    /// Whether it is this page.
    pub is_here: bool,
}

/// The URL of a translation of the page, for search engines.
#[derive(Serialize, Clone)]
pub struct AlternateView {
    /// The BCP 47 tag, or `x-default`.
    pub language: String,
    /// The absolute URL.
    pub url: String,
}

/// A link.
#[derive(Serialize, Clone)]
pub struct LinkView {
    /// Its text.
    pub title: String,
    /// Its URL.
    pub url: String,
}

/// A point in time.
#[derive(Serialize)]
pub struct TimeView {
    /// The value of `datetime`.
    pub machine: String,
    /// Such as `23 October 2025`; empty for a turn of the same day as the previous one.
    pub day: String,
    /// Such as `12:00, America/Chicago`; the zone is omitted if the previous time had the same.
    pub clock: Option<String>,
}
