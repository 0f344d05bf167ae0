//! Letters of other alphabets that look like Latin ones: `Аdа` with two Cyrillic letters reads as `Ada`.

use std::ops::Range;

/// Letters that look alike: the other one, and the Latin one.
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

/// The fewest letters of a word of which none is Latin and each looks like a Latin one.
const MIN_FOREIGN: usize = 3;

/// Returns the Latin letter that looks like another one.
pub(super) fn latin(c: char) -> Option<char> {
    PAIRS.iter().find(|(other, _)| *other == c).map(|(_, latin)| *latin)
}

/// Returns where the words are that read as Latin ones: those in which Latin letters and others are mixed and,
/// if `with_foreign`, those that have no Latin letter.
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

/// Returns whether a letter is of a block that has such letters.
fn may_look_alike(c: char) -> bool {
    matches!(c, '\u{250}'..='\u{2af}' | '\u{370}'..='\u{52f}')
}
