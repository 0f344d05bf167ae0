//! Decides which addresses a page may carry.
//!
//! Conversation text is untrusted, so an address is only let through when a browser is
//! certain to read it as one of a few harmless schemes.

/// An address that may stand in `href`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Address<'a> {
    /// `https:`, `http:` or `mailto:`.
    External(&'a str),
    /// A path relative to the file that holds it, or `#fragment`.
    Local(&'a str),
}

/// Reads an address as Markdown gives it, entities already decoded; `None` refuses it.
///
/// Browsers drop tabs and line ends anywhere in an address and control characters and spaces
/// around it, and read `\` as `/`; so an address that holds any of these is refused rather
/// than cleaned.
pub fn classify(address: &str) -> Option<Address<'_>> {
    if address.chars().any(|c| c.is_control() || c == '\\')
        || address.starts_with(char::is_whitespace)
        || address.ends_with(char::is_whitespace)
    {
        return None;
    }
    let end = address.find(['/', '?', '#']).unwrap_or(address.len());
    match address[..end].split_once(':') {
        Some((scheme, _)) => {
            let known = ["https", "http", "mailto"];
            let known = known.iter().any(|known| scheme.eq_ignore_ascii_case(known));
            let slashes = !scheme.eq_ignore_ascii_case("mailto");
            let whole = !slashes || address[scheme.len() + 1..].starts_with("//");
            (known && whole).then_some(Address::External(address))
        }
        // `//host` takes the page's scheme and somebody else's host.
        None => (!address.starts_with("//")).then_some(Address::Local(address)),
    }
}

/// Returns the host and port of an `https` address.
pub(super) fn https_host(address: &str) -> Option<String> {
    let rest =
        address.get(..8).filter(|scheme| scheme.eq_ignore_ascii_case("https://"))?;
    let rest = &address[rest.len()..];
    let host = &rest[..rest.find(['/', '?', '#']).unwrap_or(rest.len())];
    // Anything with user information or escapes is not worth the risk.
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':');
    (!host.is_empty() && host.chars().all(plain)).then(|| host.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::{Address, classify};

    #[test]
    fn harmless_schemes_pass() {
        for url in ["https://a.example/b?c#d", "HTTP://a.example", "mailto:a@b.example"] {
            assert_eq!(classify(url), Some(Address::External(url)));
        }
        for url in ["", "#a", "a/b.png", "/a", "./a:b", "?a:b", "a#b:c", "日本"] {
            assert_eq!(classify(url), Some(Address::Local(url)));
        }
    }

    #[test]
    fn everything_else_is_refused() {
        for url in [
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            "vbscript:x",
            "data:text/html,x",
            "file:///etc/passwd",
            "blob:x",
            "//host/x",
            "\\\\host",
            "/\\host",
            "java\tscript:x",
            "java\nscript:x",
            "\u{1}javascript:x",
            " javascript:x",
            "https:host",
            "http:/host",
            "x-unknown:y",
            "C:x",
        ] {
            assert_eq!(classify(url), None, "{url:?}");
        }
    }
}
