//! Normal forms, combining marks and display widths.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

/// Normalizes text to NFC, which combines letters with their marks. Texts that look the same are
/// then equal.
pub fn to_nfc(text: &str) -> Cow<'_, str> {
    use unicode_normalization::{IsNormalized, is_nfc_quick};
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => Cow::Borrowed(text),
        _ => Cow::Owned(text.nfc().collect()),
    }
}

/// Returns the ASCII character of which another one is a form, such as a full-width letter.
pub fn ascii_form(c: char) -> Option<char> {
    // Unicode does not relate white letters in black circles and squares to others.
    for first in ['\u{1f150}', '\u{1f170}'] {
        if let Some(number) = u32::from(c).checked_sub(u32::from(first)).filter(|n| *n < 26) {
            return char::from_u32(u32::from('A') + number);
        }
    }
    c.nfkc().next().filter(char::is_ascii)
}

/// Normalizes text to NFD, which separates letters from their marks.
pub fn to_nfd(text: &str) -> String {
    text.nfd().collect()
}

/// Returns whether a character combines with the one before it. Such marks carry vowels in many
/// scripts and must not break a word.
pub fn is_mark(c: char) -> bool {
    !c.is_ascii() && unicode_normalization::char::is_combining_mark(c)
}

/// Returns whether a character only sets the direction of the text around it (Unicode's `Bidi_Control`) or is
/// a stray byte order mark.
pub fn is_direction_mark(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{feff}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Normalizes a file name for comparisons that ignore case and normal forms.
pub fn normalized_name(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    name.nfc().flat_map(char::to_lowercase).nfc().collect()
}

/// Returns the number of columns a text takes in a terminal: two for a Chinese character, none for
/// a combining mark.
pub fn display_width(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}
