//! Words as search compares them.

use unicode_normalization::UnicodeNormalization;

use super::unicode::is_mark;

/// Folds a word for search: compatibility forms, case, accents and vowel points do not
/// count.
pub fn folded(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    let lower = word.nfkc().collect::<String>().to_lowercase();
    let bare: String = lower.nfd().filter(|c| !is_accent(*c)).collect();
    let mut folded = String::with_capacity(bare.len());
    for c in bare.nfc() {
        match c {
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'þ' => folded.push_str("th"),
            'ø' => folded.push('o'),
            'đ' | 'ð' => folded.push('d'),
            'ł' => folded.push('l'),
            'ı' => folded.push('i'),
            'ς' => folded.push('σ'),
            c if c.is_alphanumeric() || is_mark(c) => folded.push(c),
            _ => {}
        }
    }
    folded
}

/// Returns whether a mark is an accent, by which few languages tell words apart and which few
/// readers type.
fn is_accent(c: char) -> bool {
    matches!(u32::from(c),
        0x0300..=0x036F
        | 0x0591..=0x05BD | 0x05BF | 0x05C1..=0x05C2 | 0x05C4..=0x05C5 | 0x05C7 // Hebrew
        | 0x0610..=0x061A | 0x064B..=0x065F | 0x0670 // Arabic
        | 0x1AB0..=0x1AFF | 0x1DC0..=0x1DFF | 0x20D0..=0x20FF | 0xFE20..=0xFE2F)
}
