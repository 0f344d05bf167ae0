//! Links and images of a turn, as far as their addresses are let into the page.

use super::html::escape;
use super::links::{Address, classify, https_host};
use super::markdown::{Close, Renderer};
use crate::commonmark::CowStr;

/// An image whose description is being read.
pub(super) struct Image {
    pub(super) address: String,
    pub(super) title: String,
    pub(super) alt: String,
}

impl Renderer<'_> {
    pub(super) fn anchor(&mut self, url: &str, title: &str, external: bool) {
        self.out.push_str("<a href=\"");
        escape_url(&mut self.out, url);
        self.out.push('"');
        if !title.is_empty() {
            self.out.push_str(" title=\"");
            escape(&mut self.out, title);
            self.out.push('"');
        }
        // Readers and search engines must not take a stranger's link for the site's own.
        self.out.push_str(if external {
            " rel=\"nofollow ugc noopener noreferrer\">"
        } else {
            ">"
        });
    }

    pub(super) fn link(&mut self, address: &CowStr<'_>, title: &str) -> Close {
        match classify(address) {
            Some(Address::External(url)) => {
                self.anchor(url, title, true);
                self.links_open += 1;
                Close::Link
            }
            Some(Address::Local(path)) if self.links.resolve(path).is_some() => {
                let url = self.links.resolve(path).unwrap_or_default().to_owned();
                self.anchor(&url, title, false);
                self.links_open += 1;
                Close::Link
            }
            _ => Close::Refused(with_title(address, title)),
        }
    }

    pub(super) fn image(&mut self, image: &Image) {
        if !self.images.is_empty() {
            // An image in the description of an image is a part of that description.
            let outer = self.images.last_mut();
            return outer.into_iter().for_each(|outer| outer.alt.push_str(&image.alt));
        }
        let allowed = |url: &str| {
            https_host(url).is_some_and(|host| self.options.image_hosts.contains(&host))
        };
        let source = match classify(&image.address) {
            Some(Address::Local(path)) => self.links.resolve(path).map(str::to_owned),
            Some(Address::External(url)) if allowed(url) => Some(url.to_owned()),
            _ => None,
        };
        if let Some(source) = source {
            self.out.push_str("<img src=\"");
            escape_url(&mut self.out, &source);
            self.out.push_str("\" alt=\"");
            escape(&mut self.out, &image.alt);
            self.out.push('"');
            if !image.title.is_empty() {
                self.out.push_str(" title=\"");
                escape(&mut self.out, &image.title);
                self.out.push('"');
            }
            if let Some((width, height)) = self.links.dimensions(&image.address) {
                self.out.push_str(&format!(" width=\"{width}\" height=\"{height}\""));
            }
            return self.out.push_str(" loading=\"lazy\">");
        }
        let text = if image.alt.trim().is_empty() { &image.address } else { &image.alt };
        match classify(&image.address) {
            Some(Address::External(url)) if self.links_open == 0 => {
                self.anchor(url, &image.title, true);
                escape(&mut self.out, text);
                self.out.push_str("</a>");
            }
            _ => {
                escape(&mut self.out, text);
                if *text != image.address {
                    self.out.push_str(" <code class=\"address\">");
                    escape(&mut self.out, &with_title(&image.address, &image.title));
                    self.out.push_str("</code>");
                }
            }
        }
    }
}

fn with_title(address: &str, title: &str) -> String {
    if title.is_empty() { address.to_owned() } else { format!("{address} \"{title}\"") }
}

/// Appends a URL for an attribute: what RFC 3986 does not allow is percent-encoded, escapes
/// that are there stay.
fn escape_url(out: &mut String, url: &str) {
    for byte in url.bytes() {
        match byte {
            b'&' => out.push_str("&amp;"),
            b'\'' => out.push_str("&#x27;"),
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' => out.push(char::from(byte)),
            byte if b"-_.+!*(),%#@?=;:/$~".contains(&byte) => out.push(char::from(byte)),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
}
