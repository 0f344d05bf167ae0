//! Decodes HTML character references in plain text.

use std::borrow::Cow;

use super::decode;
use convo_base::commonmark::character_reference;

/// The length in bytes of the longest named reference, `CounterClockwiseContourIntegral;`, without `&`.
const MAX_BYTES: usize = 32;

/// Replaces character references with their characters. Text that only looks like a reference is kept.
pub(crate) fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('&') {
        out.push_str(before);
        let end = behind.bytes().take(MAX_BYTES).position(|byte| byte == b';');
        let found = end.and_then(|end| Some((meant(behind.get(..end)?)?, end + 1)));
        match found {
            Some((meant, end)) => {
                out.push_str(&meant);
                rest = behind.get(end..).unwrap_or_default();
            }
            None => {
                out.push('&');
                rest = behind;
            }
        }
    }
    out.push_str(rest);
    out.into()
}

/// Returns the replacement for a name, or for `#` and a number, between `&` and `;`.
fn meant(name: &str) -> Option<Cow<'static, str>> {
    if let Some(number) = name.strip_prefix('#') {
        return numbered(number).map(|c| c.to_string().into());
    }
    // Common references are matched first. Spaces of all widths become a plain space.
    let often = match name {
        "lt" => "<",
        "gt" => ">",
        "quot" => "\"",
        "apos" => "'",
        "nbsp" | "ensp" | "emsp" | "thinsp" => " ",
        "amp" => "&",
        "hellip" => "…",
        "mdash" => "—",
        "ndash" => "–",
        "lsquo" => "‘",
        "rsquo" => "’",
        "ldquo" => "“",
        "rdquo" => "”",
        _ if name.bytes().all(|byte| byte.is_ascii_alphanumeric()) => {
            return character_reference(&format!("&{name};")).map(Cow::Owned);
        }
        _ => return None,
    };
    Some(often.into())
}

/// Returns the character with a number, as browsers decode it.
fn numbered(number: &str) -> Option<char> {
    let code = match number.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16).ok()?,
        None => number.parse().ok()?,
    };
    let c = match u8::try_from(code) {
        // Browsers decode this range as Windows-1252: `&#150;` is a dash.
        Ok(byte @ 0x80..=0x9f) => {
            decode::in_encoding(Some("windows-1252"), &[byte]).chars().next()?
        }
        _ => char::from_u32(code)?,
    };
    // Control characters are invisible, so no author typed them, and some have side effects.
    (!c.is_control() || "\n\t".contains(c)).then_some(c)
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn references_are_decoded_once() {
        assert_eq!(decoded("a &amp;lt; &#39;b&#x2019;&nbsp;|"), "a &lt; 'b’ |");
        assert_eq!(
            decoded("R&D & &unknown; &#0; &#xD800; &#x81; &; &u+1;"),
            "R&D & &unknown; &#0; &#xD800; &#x81; &; &u+1;"
        );
        assert_eq!(decoded("&&amp;&"), "&&&");
    }

    #[test]
    fn all_names_of_html_are_known() {
        for (text, expected) in [
            ("Gr&uuml;&szlig;e &ndash; &euro;&nbsp;5 caf&eacute;", "Grüße – € 5 café"),
            ("&bull;&middot;&times;&deg;&copy;&laquo;&raquo;", "•·×°©«»"),
            ("&alpha;&rarr;&#8364;&#X20AC;", "α→€€"),
            ("&Ccaron;&zcaron;&inodot;&AMP;", "Čžı&"),
            ("&CounterClockwiseContourIntegral;", "\u{2233}"),
            // A reference that stands for two characters.
            ("&NotEqualTilde;", "\u{2242}\u{338}"),
            ("&lrm;&shy;", "\u{200e}\u{ad}"),
            ("&#150;&#x80;", "–€"),
        ] {
            assert_eq!(decoded(text), expected, "{text}");
        }
    }
}
