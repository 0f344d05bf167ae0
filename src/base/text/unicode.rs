//! Letters of every script: normal forms, marks and widths.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

/// Normalizes text to NFC: each letter and its marks are one character where there is one, so that
/// texts that look the same are the same.
pub fn to_nfc(text: &str) -> Cow<'_, str> {
    use unicode_normalization::{IsNormalized, is_nfc_quick};
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => Cow::Borrowed(text),
        _ => Cow::Owned(text.nfc().collect()),
    }
}

/// Takes letters and their marks apart, the opposite of [`to_nfc`].
pub fn to_nfd(text: &str) -> String {
    text.nfd().collect()
}

/// Returns whether a character combines with the one before it. Such marks carry vowels in many
/// scripts and must not break a word.
pub fn is_mark(c: char) -> bool {
    !c.is_ascii() && unicode_normalization::char::is_combining_mark(c)
}

/// Normalizes the name of a file for comparisons where case and the forms of letters may differ.
pub fn normalized_name(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    name.nfc().flat_map(char::to_lowercase).nfc().collect()
}

/// Returns the columns that a text takes in a terminal: two for a Chinese letter, none for a mark.
pub fn display_width(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}
