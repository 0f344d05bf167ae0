//! Scans a text for its plain text and its URLs, for planning.

use super::tags::insert_tags;
use super::{formulas, math};
use convo_base::commonmark::{Event, LinkType, Tag, TagEnd as End, cap_quotes, lossless_events};
use convo_base::text::{end_cell, end_row};

/// The plain text of Markdown and the URLs in it.
#[derive(Default, Debug)]
pub struct Scan {
    /// The prose without markup and code blocks, each block on its own line.
    pub text: String,
    /// URLs of links and images, in order.
    pub references: Vec<Reference>,
}

/// A URL in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reference {
    /// The URL with entities decoded.
    pub address: String,
    /// Whether it is the URL of an image to show.
    pub is_image: bool,
    /// Byte offset of the link or image in the text.
    pub at: usize,
}

/// The length of the text, in bytes, from which excerpts are taken.
const SHOWN_BYTES: usize = 1_000;

/// Scans a text. With `math`, formulas at its start become a line of text, or `…` if that is not
/// possible; later ones stay as they are.
pub fn scan(text: &str, math: bool) -> Scan {
    scan_with_tags(text, math, &mut |_, _| {})
}

/// Returns the plain text of Markdown with the tags that readers take for text, such as the one in
/// "Use `<Suspense>` in React". The result is text: escape it in HTML.
pub fn text_with_tags(text: &str, math: bool) -> String {
    let mut tags = Vec::new();
    let scan = scan_with_tags(text, math, &mut |at, tag| tags.push((at, tag.to_owned())));
    insert_tags(scan.text, &tags)
}

/// Scans a text, and calls a function for each inline tag with its offset in the plain text.
fn scan_with_tags(text: &str, math: bool, on_tag: &mut dyn FnMut(usize, &str)) -> Scan {
    let mut scan = Scan::default();
    let mut in_code = false;
    let text = formulas::delimit(cap_quotes(text, r"\>"), math);
    for (event, range) in lossless_events(&text.text, math) {
        match text.meant(event, &range) {
            Event::Start(Tag::Link { link_type, dest_url, .. }) if link_type != LinkType::Email => {
                let address = dest_url.into_string();
                let at = range.start;
                scan.references.push(Reference { address, is_image: false, at });
            }
            Event::Start(Tag::Image { dest_url, .. }) => {
                let address = dest_url.into_string();
                scan.references.push(Reference { address, is_image: true, at: range.start });
            }
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::Text(_) if in_code => {}
            Event::Text(part) | Event::Code(part) => scan.text.push_str(&part),
            Event::InlineMath(part) => match part.contains('\\') {
                // Only the beginning is shown to readers unchanged.
                true if scan.text.len() < SHOWN_BYTES => {
                    scan.text.push_str(math::plain(&part).as_deref().unwrap_or("…"));
                }
                _ => scan.text.push_str(&part),
            },
            Event::DisplayMath(part) => match scan.text.len() < SHOWN_BYTES {
                true => scan.text.push('…'),
                false => scan.text.push_str(&part),
            },
            Event::InlineHtml(tag) => on_tag(scan.text.len(), &tag),
            Event::SoftBreak | Event::HardBreak => scan.text.push('\n'),
            Event::End(End::TableCell) => end_cell(&mut scan.text),
            Event::End(End::TableRow | End::TableHead) => end_row(&mut scan.text),
            Event::End(tag) => {
                in_code &= !matches!(tag, End::CodeBlock);
                let inline = matches!(
                    tag,
                    End::Emphasis | End::Strong | End::Strikethrough | End::Link | End::Image
                );
                if !inline {
                    scan.text.push('\n');
                }
            }
            _ => {}
        }
    }
    scan
}
