//! Links and images of a turn, with the URLs that pages may contain.

use super::html::escape;
use super::links::{Address, classify, https_host};
use super::options::{Links, Options};

/// An image whose description is being read.
pub(super) struct Image {
    pub(super) address: String,
    pub(super) title: String,
    pub(super) alt: String,
}

/// The kind of a link.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    /// A link within the site, or one by the site's own author.
    Own,
    /// A link to another site in archived text.
    Strange,
}

impl Relation {
    /// Returns the kind of a link to another site.
    pub(super) fn outwards(options: &Options) -> Self {
        if options.is_own { Self::Own } else { Self::Strange }
    }
}

/// Appends the start tag of a link.
pub(super) fn anchor(out: &mut String, url: &str, title: &str, relation: Relation) {
    out.push_str("<a href=\"");
    escape_url(out, url);
    out.push('"');
    if !title.is_empty() {
        out.push_str(" title=\"");
        escape(out, title);
        out.push('"');
    }
    // Readers and search engines must not take archived links for links of the site itself.
    out.push_str(if relation == Relation::Strange {
        " rel=\"nofollow ugc noopener noreferrer\">"
    } else {
        ">"
    });
}

/// Appends the start tag of a link to a URL as written. If the URL is not allowed, returns it as
/// text instead.
pub(super) fn link(
    out: &mut String,
    address: &str,
    title: &str,
    options: &Options,
    links: &Links,
) -> Result<(), String> {
    match classify(address) {
        Some(Address::External(url)) => {
            anchor(out, url, title, Relation::outwards(options));
        }
        Some(Address::Local(path)) => match links.resolve(path) {
            Some(url) => anchor(out, url, title, Relation::Own),
            None => return Err(with_title(address, title)),
        },
        None => return Err(with_title(address, title)),
    }
    Ok(())
}

/// Appends an image, or a replacement if it is not allowed.
pub(super) fn image(
    out: &mut String,
    image: &Image,
    options: &Options,
    links: &Links,
    is_in_link: bool,
) {
    let allowed =
        |url: &str| https_host(url).is_some_and(|host| options.image_hosts.contains(&host));
    let source = match classify(&image.address) {
        Some(Address::Local(path)) => links.resolve(path),
        Some(Address::External(url)) if allowed(url) => Some(url),
        _ => None,
    };
    if let Some(source) = source {
        out.push_str("<img src=\"");
        escape_url(out, source);
        out.push_str("\" alt=\"");
        escape(out, &image.alt);
        out.push('"');
        if !image.title.is_empty() {
            out.push_str(" title=\"");
            escape(out, &image.title);
            out.push('"');
        }
        if let Some((width, height)) = links.dimensions(&image.address) {
            out.push_str(&format!(" width=\"{width}\" height=\"{height}\""));
        }
        return out.push_str(" loading=\"lazy\">");
    }
    let text = if image.alt.trim().is_empty() { &image.address } else { &image.alt };
    match classify(&image.address) {
        Some(Address::External(url)) if !is_in_link => {
            anchor(out, url, &image.title, Relation::outwards(options));
            escape(out, text);
            out.push_str("</a>");
        }
        _ => {
            escape(out, text);
            if *text != image.address {
                out.push_str(" <code class=\"address\">");
                escape(out, &with_title(&image.address, &image.title));
                out.push_str("</code>");
            }
        }
    }
}

fn with_title(address: &str, title: &str) -> String {
    if title.is_empty() { address.to_owned() } else { format!("{address} \"{title}\"") }
}

/// Appends a URL for an attribute: characters that RFC 3986 does not allow are percent-encoded,
/// existing escapes stay.
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
