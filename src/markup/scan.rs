//! Scans a text for what planning needs: its plain words and the addresses in it.

use super::formulas;
use crate::commonmark::{
    Event, LinkType, Tag, TagEnd as End, cap_quotes, lossless_events,
};

/// The plain words of a Markdown text and the addresses in it.
#[derive(Default, Debug)]
pub struct Scan {
    /// The prose without markup and code blocks, each block on a line of its own.
    pub text: String,
    /// Addresses of links and images, in order.
    pub references: Vec<Reference>,
}

/// An address in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reference {
    /// As Markdown gives it, entities decoded.
    pub address: String,
    /// Whether an image is to be shown.
    pub is_image: bool,
    /// Byte offset of the link or image in the text.
    pub at: usize,
}

/// Scans a text. With `math`, formulas are words as their source spells them.
pub fn scan(text: &str, math: bool) -> Scan {
    let mut scan = Scan::default();
    let mut in_code = false;
    let text = formulas::delimit(cap_quotes(text, r"\>"), math);
    for (event, range) in lossless_events(&text.text, math) {
        match event {
            Event::Start(Tag::Link { link_type, dest_url, .. })
                if link_type != LinkType::Email =>
            {
                let address = dest_url.into_string();
                let at = range.start;
                scan.references.push(Reference { address, is_image: false, at });
            }
            Event::Start(Tag::Image { dest_url, .. }) => {
                let address = dest_url.into_string();
                scan.references.push(Reference {
                    address,
                    is_image: true,
                    at: range.start,
                });
            }
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::Text(_) if in_code => {}
            Event::Text(part)
            | Event::Code(part)
            | Event::InlineMath(part)
            | Event::DisplayMath(part) => scan.text.push_str(&part),
            Event::SoftBreak | Event::HardBreak => scan.text.push('\n'),
            Event::End(tag) => {
                in_code &= !matches!(tag, End::CodeBlock);
                let inline = matches!(
                    tag,
                    End::Emphasis
                        | End::Strong
                        | End::Strikethrough
                        | End::Link
                        | End::Image
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
