//! Character references of HTML in plain text.

use std::borrow::Cow;

/// The longest one, without `&`. Bytes.
const MAX_BYTES: usize = 10;

/// Replaces character references by what they stand for; what is none stays.
pub(super) fn decoded(text: &str) -> Cow<'_, str> {
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
            Some((c, end)) => {
                out.push(c);
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

/// Returns the character that a name between `&` and `;` stands for.
fn meant(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16).ok()?,
            None => number.parse().ok()?,
        };
        // What nobody can read is nothing that somebody wrote, and some of it has effects.
        return char::from_u32(code).filter(|c| !c.is_control() || "\n\t".contains(*c));
    }
    Some(match name {
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" | "ensp" | "emsp" | "thinsp" => ' ',
        "amp" => '&',
        "hellip" => '…',
        "mdash" => '—',
        "ndash" => '–',
        "lsquo" => '‘',
        "rsquo" => '’',
        "ldquo" => '“',
        "rdquo" => '”',
        "laquo" => '«',
        "raquo" => '»',
        "bull" => '•',
        "middot" => '·',
        "times" => '×',
        "deg" => '°',
        "copy" => '©',
        "lrm" => '\u{200e}',
        "rlm" => '\u{200f}',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn references_are_decoded_once() {
        assert_eq!(decoded("a &amp;lt; &#39;b&#x2019;&nbsp;|"), "a &lt; 'b’ |");
        assert_eq!(
            decoded("R&D & &unknown; &#0; &#xD800;"),
            "R&D & &unknown; &#0; &#xD800;"
        );
        assert_eq!(decoded("&&amp;&"), "&&&");
    }
}
