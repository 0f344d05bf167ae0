//! Renders untrusted Markdown as safe HTML without losing any content.
//!
//! Text and raw HTML are escaped; URLs pass an allow list ([`links`]); content cannot set `id`,
//! `name`, `class` or `style`. The HTML is not sanitised afterwards: a sanitiser over rendered
//! Markdown deletes text.

mod urls;
mod basic_html;
mod code;
mod currency;
mod formulas;
mod heading_ids;
mod highlight;
mod html;
mod lines;
pub mod links;
mod markdown;
mod math;
mod options;
mod prompt;
mod scan;
mod tags;
mod videos;

use std::ops::Range;

pub use self::heading_ids::heading_ids;
pub use self::highlight::{CodePalette, Highlights, MAX_HIGHLIGHTS_BYTES, PackedRuns};
pub use self::html::Html;
pub use self::html::{escape, is_plain};
pub use self::markdown::render;
pub use self::options::{Links, Options, RawHtml, ResolvedLink};
pub use self::prompt::{Folded, folded, with_fences};
pub use self::scan::{Reference, Scan, scan, text_with_tags};
pub use self::videos::{PLAYERS, Videos};

/// Renders text that is not Markdown as a code block, highlighted as `language` if that is known.
pub fn render_code(language: &str, text: &str, options: &Options) -> Html {
    let mut out = String::with_capacity(text.len() * 5 / 4);
    code::print_bare(&mut out, language, text, options);
    Html(out)
}

/// Renders the output of a program, whose coloured parts have these classes of code.
pub fn render_output(text: &str, parts: &[(Range<usize>, &str)]) -> Html {
    let mut out = String::with_capacity(text.len() * 5 / 4);
    code::print_output(&mut out, text, parts);
    Html(out)
}

/// Renders a part of a file with the numbers of its lines, the first of which is `first`.
pub fn render_numbered(language: &str, text: &str, first: u64, options: &Options) -> Html {
    let mut out = String::with_capacity(text.len() * 3 / 2);
    lines::print_numbered(&mut out, language, text, first, options);
    Html(out)
}

/// Renders a diff of a file, whose lines start with ` `, `+`, `-` or `@@`.
pub fn render_diff(language: &str, diff: &str, options: &Options) -> Html {
    let mut out = String::with_capacity(diff.len() * 2);
    lines::print_diff(&mut out, language, diff, options);
    Html(out)
}
