//! Renders Markdown of unknown origin as HTML that is safe and loses nothing.
//!
//! Text is escaped, raw HTML with it; addresses pass an allow-list ([`links`]); content sets no
//! `id`, `name`, `class` or `style` of its own choice. Nothing looks at the HTML afterwards: a
//! sanitiser over rendered Markdown deletes text.

mod addresses;
mod basic_html;
mod code;
mod currency;
mod formulas;
mod highlight;
mod html;
pub mod links;
mod markdown;
mod math;
mod scan;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::config::{Config, RawHtml};

pub use self::highlight::{Highlights, MAX_HIGHLIGHTS_BYTES, PackedRuns};
pub use self::html::Html;
pub(crate) use self::html::escape;
pub use self::markdown::render;
pub use self::scan::{Reference, Scan, scan};

/// The options for rendering Markdown.
#[derive(Clone, Debug)]
pub struct Options {
    /// The policy for raw HTML.
    pub html: RawHtml,
    /// Whether `$…$`, `\(…\)` and the like are mathematics.
    pub math: bool,
    /// Whether bare addresses become links.
    pub autolink: bool,
    /// Hosts whose images pages may load.
    pub image_hosts: Vec<String>,
    /// The level of the heading that the text stands below; its own headings follow it
    /// without a gap, however deep they are written. `None` leaves them as written.
    pub headings_below: Option<u8>,
    /// Whether a text was said by somebody, so that `2016.` is a year and no empty list.
    pub said: bool,
    /// The cache of highlighted code; it changes only the time that rendering takes.
    pub highlights: Arc<Highlights>,
}

impl Options {
    /// Returns the options that a site chose.
    pub fn of(config: &Config, highlights: Arc<Highlights>) -> Self {
        Self {
            html: config.html,
            math: config.math,
            autolink: config.autolink,
            image_hosts: config.image_hosts.iter().map(|host| host.0.clone()).collect(),
            headings_below: Some(2),
            said: true,
            highlights,
        }
    }
}

/// Renders text that is no Markdown as a code block, highlighted as `language` if that is
/// known.
pub fn render_code(language: &str, text: &str, options: &Options) -> Html {
    let mut out = String::with_capacity(text.len() * 5 / 4);
    code::print_bare(&mut out, language, text, &options.highlights);
    Html(out)
}

/// The links within the site. `markup` knows no URLs; the plan of the site does.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Links {
    /// Addresses as written, with what they lead to; others are shown as text.
    Known(BTreeMap<String, ResolvedLink>),
    /// Every address as it is written.
    AsWritten,
}

impl Links {
    fn resolve<'a>(&'a self, address: &'a str) -> Option<&'a str> {
        match self {
            Self::Known(known) => known.get(address).map(|found| found.url.as_str()),
            Self::AsWritten => Some(address),
        }
    }

    fn dimensions(&self, address: &str) -> Option<(u32, u32)> {
        match self {
            Self::Known(known) => known.get(address)?.dimensions,
            Self::AsWritten => None,
        }
    }
}

/// The target of an address within the site.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ResolvedLink {
    /// Its URL.
    pub url: String,
    /// Width and height of an image. Pixels.
    pub dimensions: Option<(u32, u32)>,
}
