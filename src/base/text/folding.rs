//! Folds words for search.

use std::ops::RangeInclusive;

use unicode_normalization::UnicodeNormalization;

use super::unicode::is_mark;

/// Folds a word for search: ignores case, accents, vowel points and compatibility forms.
pub fn folded(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    let lower = word.nfkc().collect::<String>().to_lowercase();
    let bare: String = lower.nfd().filter(|c| !is_accent(*c)).collect();
    let mut folded = String::with_capacity(bare.len());
    for c in bare.nfc() {
        match SPELLINGS.iter().find(|(letter, _)| *letter == c) {
            Some((_, spelling)) => folded.push_str(spelling),
            None if c.is_alphanumeric() || is_mark(c) => folded.push(c),
            None => {}
        }
    }
    folded
}

/// Letters that search replaces by the usual way to type them.
pub const SPELLINGS: [(char, &str); 10] = [
    ('ß', "ss"),
    ('æ', "ae"),
    ('œ', "oe"),
    ('þ', "th"),
    ('ø', "o"),
    ('đ', "d"),
    ('ð', "d"),
    ('ł', "l"),
    ('ı', "i"),
    ('ς', "σ"),
];

/// Accents and vowel points: marks that distinguish words in few languages and that few readers
/// type. Sorted.
pub const ACCENTS: [RangeInclusive<char>; 13] = [
    '\u{0300}'..='\u{036F}',
    // Hebrew
    '\u{0591}'..='\u{05BD}',
    '\u{05BF}'..='\u{05BF}',
    '\u{05C1}'..='\u{05C2}',
    '\u{05C4}'..='\u{05C5}',
    '\u{05C7}'..='\u{05C7}',
    // Arabic
    '\u{0610}'..='\u{061A}',
    '\u{064B}'..='\u{065F}',
    '\u{0670}'..='\u{0670}',
    '\u{1AB0}'..='\u{1AFF}',
    '\u{1DC0}'..='\u{1DFF}',
    '\u{20D0}'..='\u{20FF}',
    '\u{FE20}'..='\u{FE2F}',
];

fn is_accent(c: char) -> bool {
    is_in(c, &ACCENTS)
}

/// Returns whether a character is in one of several sorted ranges.
pub fn is_in(c: char, ranges: &[RangeInclusive<char>]) -> bool {
    let next = ranges.partition_point(|range| *range.end() < c);
    ranges.get(next).is_some_and(|range| *range.start() <= c)
}
