//! Letters of other alphabets that look like Latin ones: `Аdа` with two Cyrillic letters looks like
//! `Ada`.

use std::ops::Range;

/// Letters of other alphabets, with the Latin ones they look like.
const PAIRS: [(char, char); 71] = [
    ('А', 'A'),
    ('В', 'B'),
    ('Е', 'E'),
    ('Ё', 'E'),
    ('К', 'K'),
    ('М', 'M'),
    ('Н', 'H'),
    ('О', 'O'),
    ('Р', 'P'),
    ('С', 'C'),
    ('Т', 'T'),
    ('У', 'Y'),
    ('Х', 'X'),
    ('Ѕ', 'S'),
    ('І', 'I'),
    ('Ї', 'I'),
    ('Ј', 'J'),
    ('Ү', 'Y'),
    ('Һ', 'H'),
    ('Ӏ', 'I'),
    ('Ԁ', 'D'),
    ('Ԛ', 'Q'),
    ('Ԝ', 'W'),
    ('а', 'a'),
    ('е', 'e'),
    ('ё', 'e'),
    ('к', 'k'),
    ('м', 'm'),
    ('н', 'h'),
    ('о', 'o'),
    ('п', 'n'),
    ('р', 'p'),
    ('с', 'c'),
    ('т', 't'),
    ('у', 'y'),
    ('х', 'x'),
    ('ѕ', 's'),
    ('і', 'i'),
    ('ї', 'i'),
    ('ј', 'j'),
    ('һ', 'h'),
    ('ӏ', 'l'),
    ('ԁ', 'd'),
    ('ԛ', 'q'),
    ('ԝ', 'w'),
    ('ь', 'b'),
    ('Ь', 'b'),
    ('Α', 'A'),
    ('Β', 'B'),
    ('Ε', 'E'),
    ('Ζ', 'Z'),
    ('Η', 'H'),
    ('Ι', 'I'),
    ('Κ', 'K'),
    ('Μ', 'M'),
    ('Ν', 'N'),
    ('Ο', 'O'),
    ('Ρ', 'P'),
    ('Τ', 'T'),
    ('Υ', 'Y'),
    ('Χ', 'X'),
    ('α', 'a'),
    ('ι', 'i'),
    ('κ', 'k'),
    ('ν', 'v'),
    ('ο', 'o'),
    ('ρ', 'p'),
    ('υ', 'u'),
    ('χ', 'x'),
    ('ɑ', 'a'),
    ('ɡ', 'g'),
];

/// The minimum number of letters of a word that is read as Latin, although none of its letters is.
const MIN_FOREIGN: usize = 3;

/// Returns the Latin letter that a letter looks like.
pub(super) fn latin(c: char) -> Option<char> {
    PAIRS.iter().find(|(other, _)| *other == c).map(|(_, latin)| *latin)
}

/// Returns the ranges of words to be read as Latin: words that mix Latin letters with look-alikes
/// and, if `with_foreign`, words that consist only of look-alikes.
pub(super) fn words(text: &str, with_foreign: bool) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    if !text.contains(may_look_alike) {
        return found;
    }
    let mut start = 0;
    for word in text.split_inclusive(|c: char| !c.is_alphanumeric()) {
        let letters = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        let (mut plain, mut others, mut is_latin) = (0, 0, true);
        for c in letters.chars() {
            match c {
                c if c.is_ascii_alphabetic() => plain += 1,
                c if c.is_ascii_digit() => {}
                c if may_look_alike(c) && latin(c).is_some() => others += 1,
                _ => is_latin = false,
            }
        }
        let is_mixed = plain > 0 && others > 0;
        let is_foreign = with_foreign && plain == 0 && others >= MIN_FOREIGN;
        if is_latin && (is_mixed || is_foreign) {
            found.push(start..start + letters.len());
        }
        start += word.len();
    }
    found
}

/// Returns whether a letter is in a block that contains look-alikes.
fn may_look_alike(c: char) -> bool {
    matches!(c, '\u{250}'..='\u{2af}' | '\u{370}'..='\u{52f}')
}
