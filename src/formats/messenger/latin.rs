//! Repair of texts in which each UTF-8 byte was written as a separate character.

use std::borrow::Cow;

/// Returns a text as it was typed, by reading its characters as UTF-8 bytes. Texts that do not fit
/// stay unchanged.
pub(super) fn undone(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let bytes: Result<Vec<u8>, _> = text.chars().map(|c| u8::try_from(u32::from(c))).collect();
    match bytes.ok().and_then(|bytes| String::from_utf8(bytes).ok()) {
        Some(text) => Cow::Owned(text),
        None => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::undone;

    #[test]
    fn misencoded_letters_are_repaired() {
        for (text, typed) in [
            ("plain", "plain"),
            ("Gr\u{c3}\u{bc}\u{c3}\u{9f}e \u{f0}\u{9f}\u{98}\u{80}", "Grüße 😀"),
            ("Grüße", "Grüße"),
            ("Gr\u{c3}\u{bc} 😀", "Gr\u{c3}\u{bc} 😀"),
        ] {
            assert_eq!(undone(text), typed);
        }
    }
}
