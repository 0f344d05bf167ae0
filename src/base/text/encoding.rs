//! Percent-encoding and Base64.

use base64::Engine;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Encodes a path as a URL: percent-encodes every byte except `/` and RFC 3986's unreserved
/// characters.
pub fn percent_encode(path: &str) -> String {
    const CODED: &AsciiSet =
        &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');
    utf8_percent_encode(path, CODED).to_string()
}

/// Reverses [`percent_encode`]. Invalid escapes stay, as does a text that would not be UTF-8.
pub fn percent_decode(url: &str) -> String {
    percent_decode_str(url).decode_utf8().map_or_else(|_| url.to_owned(), Into::into)
}

/// Decodes Base64 of either alphabet, with or without line ends and padding.
pub fn base64_decode(text: &str) -> Option<Vec<u8>> {
    let text: String = text
        .chars()
        .filter(|c| !c.is_ascii_whitespace() && *c != '=')
        .map(|c| match c {
            '-' => '+',
            '_' => '/',
            c => c,
        })
        .collect();
    base64::engine::general_purpose::STANDARD_NO_PAD.decode(text).ok()
}

/// Encodes bytes as URL-safe Base64 without padding.
pub fn base64_url_encode(bytes: &[u8]) -> String {
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes)
}

/// Encodes bytes as Base64.
pub fn base64_encode(bytes: &[u8]) -> String {
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

/// Returns a text as a TOML string. JSON strings are valid TOML, except for U+007F.
pub fn toml_string(text: &str) -> String {
    serde_json::Value::from(text.replace('\u{7f}', "")).to_string()
}

#[cfg(test)]
mod tests {
    use super::percent_decode;

    #[test]
    fn other_text_is_unchanged() {
        assert_eq!(percent_decode("a%20b%zz%e4"), "a%20b%zz%e4");
        assert_eq!(percent_decode("a%20b%zz"), "a b%zz");
    }
}
