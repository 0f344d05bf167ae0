//! Decides which URLs a page may contain.
//!
//! Archived text is untrusted, so a URL is allowed only if every browser reads it as one of a few
//! harmless schemes.

/// A URL that is allowed in `href`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Address<'a> {
    /// `https:`, `http:` or `mailto:`.
    External(&'a str),
    /// A path relative to the file that contains it, or `#fragment`.
    Local(&'a str),
}

/// The schemes of such URLs.
const SCHEMES: [&str; 3] = ["https", "http", "mailto"];

/// Parses a URL from Markdown, with entities decoded; `None` rejects it.
///
/// Browsers drop tabs and line ends in a URL, and control characters and spaces around it, and read
/// `\` as `/`. A URL with any of these is rejected, not cleaned.
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
            let known = SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known));
            let slashes = !scheme.eq_ignore_ascii_case("mailto");
            let whole = !slashes || address[scheme.len() + 1..].starts_with("//");
            (known && whole).then_some(Address::External(address))
        }
        // `//host` is a URL on another host with the page's scheme.
        None => (!address.starts_with("//")).then_some(Address::Local(address)),
    }
}

/// Returns the scheme of a URL if no link may have it.
pub fn refused_scheme(address: &str) -> Option<&str> {
    let (scheme, _) = address.split_once(':')?;
    let is_valid = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    let is_one = !scheme.is_empty() && scheme.len() <= 30 && scheme.chars().all(is_valid);
    let is_allowed = SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known));
    (is_one && !is_allowed).then_some(scheme)
}

/// Returns the host and port of an `https` URL.
pub fn https_host(address: &str) -> Option<String> {
    let rest = address.get(..8).filter(|scheme| scheme.eq_ignore_ascii_case("https://"))?;
    let rest = &address[rest.len()..];
    let host = &rest[..rest.find(['/', '?', '#']).unwrap_or(rest.len())];
    // User information and escapes are not worth the risk.
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':');
    (!host.is_empty() && host.chars().all(plain)).then(|| host.to_ascii_lowercase())
}

/// Punctuation of scripts without spaces, which ends a URL anywhere.
const ENDS: &str = "。、！？，；：｡､「」『』（）【】《》〈〉〔〕〖〗〘〙〚〛［］｛｝｢｣〝〞〟…";
/// Punctuation that does not end a URL, but is not part of it at its end.
const LAST: &str = "؟،؛۔۝।॥॰၊။។៕፡።፣፤፥፦፧፨։՝՞՜᠂᠃᙮꓿᜵᜶·‥‧”’»›“‘«‹‼⁇⁈⁉‽.,:;!?'\"*_~)]}";

/// Returns the length of a URL in running text, without the punctuation of the sentence.
///
/// The caller has already removed Latin punctuation; a closing bracket stays if the URL opened it.
pub(super) fn bare_len(address: &str) -> usize {
    let cut = address.find(|c: char| c.is_whitespace() || ENDS.contains(c));
    let cut = cut.unwrap_or(address.len());
    let mut rest = &address[..cut];
    let mut is_foreign = cut < address.len();
    while let Some(last) = rest.chars().next_back().filter(|last| LAST.contains(*last)) {
        if last.is_ascii() && !is_foreign {
            break;
        }
        let open = match last {
            ')' => '(',
            ']' => '[',
            '}' => '{',
            _ => ' ',
        };
        let is_pair = rest.matches(open).count() >= rest.matches(last).count();
        if open != ' ' && is_pair {
            break;
        }
        is_foreign = true;
        rest = &rest[..rest.len() - last.len_utf8()];
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::{Address, bare_len, classify};

    #[test]
    fn marks_of_every_script_end_an_address() {
        for (text, expected) in [
            ("https://a.example/b؟", "https://a.example/b"),
            ("https://a.example/b?q=1؟", "https://a.example/b?q=1"),
            ("https://a.example/هل؟_نعم", "https://a.example/هل؟_نعم"),
            ("https://a.example。次は", "https://a.example"),
            ("https://a.example/茶！", "https://a.example/茶"),
            ("https://a.example/b）。", "https://a.example/b"),
            ("https://a.example/b.」", "https://a.example/b"),
            ("https://a.example/b_(c)।", "https://a.example/b_(c)"),
            ("https://a.example/b)。", "https://a.example/b"),
            ("https://a.example/b/", "https://a.example/b/"),
        ] {
            assert_eq!(&text[..bare_len(text)], expected);
        }
    }

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
            "javascript:alert(1)", "JaVaScRiPt:alert(1)", "vbscript:x", "data:text/html,x",
            "file:///etc/passwd", "blob:x", "//host/x", "\\\\host", "/\\host", "java\tscript:x",
            "java\nscript:x", "\u{1}javascript:x", " javascript:x", "https:host", "http:/host",
            "x-unknown:y", "C:x",
        ] {
            assert_eq!(classify(url), None, "{url:?}");
        }
    }
}
