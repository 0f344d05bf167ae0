//! Text as terms. `search.js` does the same; the vectors in `tests/data/search/words.json` hold
//! both to it.
//!
//! * A *chunk* is letters, digits and marks, with `_`, `.` or an apostrophe between two of
//!   them, and `++` or `#` at its end: `snake_case`, `foo.bar`, `C++`.
//! * An apostrophe joins (`don't` is `dont`), after an elided article it parts (`l'avion` is
//!   `avion`).
//! * A chunk with `_`, `.`, `++` or `#` is a term as a whole, and each of its parts is one.
//! * A part is folded ([`text::folded`]); scripts without spaces between words give
//!   overlapping pairs of characters and the last character alone; everything else is cut by
//!   the [`Stemmer`] of the language.

use std::ops::Range;

pub use super::stem::Stemmer;
use crate::text;

/// Characters of a term; what is longer is cut.
const LONGEST: usize = 64;

/// A chunk of text as it stands.
#[derive(Debug, Default)]
struct Chunk {
    /// The whole, folded, if it is a term beside its parts.
    whole: Option<String>,
    /// Folded words, and runs of characters of scripts without spaces.
    parts: Vec<Part>,
}

/// A part of a chunk.
#[derive(Debug, PartialEq, Eq)]
enum Part {
    /// A word, folded and not yet stemmed.
    Word(String),
    /// Characters that are searched for in pairs.
    Run(Vec<char>),
}

/// A term of a text.
pub struct Term<'a> {
    /// How it stood there, folded.
    pub surface: &'a str,
    /// How it is cut to what is found.
    stemmer: Stemmer,
    /// Its place in the text, from 0. A whole has none beside its parts.
    pub position: Option<u32>,
}

impl Term<'_> {
    /// What is found. It is the same wherever the same stood.
    pub fn cut(&self) -> String {
        let mut term = self.surface.to_owned();
        self.stemmer.cut(&mut term);
        term
    }
}

/// Calls `each` for every term of a text. The number of positions.
pub fn terms(text: &str, stemmer: Stemmer, mut each: impl FnMut(Term<'_>)) -> u32 {
    let mut position = 0;
    let mut plain = String::new();
    let exactly = Stemmer::Nothing;
    chunks(text, |_, chunk| {
        let chunk = match chunk {
            Found::Plain(text) => {
                plain.clear();
                plain.push_str(text);
                plain.make_ascii_lowercase();
                each(Term { surface: &plain, stemmer, position: Some(position) });
                position += 1;
                return;
            }
            Found::Chunk(chunk) => chunk,
        };
        if let Some(whole) = &chunk.whole {
            each(Term { surface: whole, stemmer: exactly, position: None });
        }
        for part in &chunk.parts {
            match part {
                Part::Word(text) => {
                    each(Term { surface: text, stemmer, position: Some(position) });
                    position += 1;
                }
                Part::Run(run) => {
                    for (index, first) in run.iter().enumerate() {
                        let pair = [Some(first), run.get(index + 1)];
                        let pair: String = pair.into_iter().flatten().collect();
                        let position_of = Some(position);
                        each(Term {
                            surface: &pair,
                            stemmer: exactly,
                            position: position_of,
                        });
                        position += 1;
                    }
                }
            }
        }
    });
    position
}

/// What stands in a text.
enum Found<'a> {
    /// A short word of ASCII letters and digits that nothing is joined to: most of all text.
    Plain(&'a str),
    /// Anything else.
    Chunk(&'a Chunk),
}

/// Calls `each` for every chunk of a text, with where it stands.
fn chunks(text: &str, mut each: impl FnMut(Range<usize>, Found<'_>)) {
    let mut chunk = Chunk::default();
    let mut rest = text;
    while let Some(start) = rest.find(is_word) {
        rest = &rest[start..];
        let at = text.len() - rest.len();
        if let Some(len) = plain(rest) {
            each(at..at + len, Found::Plain(&rest[..len]));
            rest = &rest[len..];
            continue;
        }
        let (pieces, end, tail) = cut(rest);
        chunk.whole = None;
        chunk.parts.clear();
        read(rest, &pieces, &rest[end..end + tail], &mut chunk);
        rest = &rest[end + tail..];
        if !chunk.parts.is_empty() {
            each(at..at + end + tail, Found::Chunk(&chunk));
        }
    }
}

/// The length of the plain word that a text starts with.
fn plain(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let len = bytes.iter().position(|byte| !byte.is_ascii_alphanumeric());
    let len = len.unwrap_or(bytes.len());
    let ends = |after: &u8| after.is_ascii() && !b"_.'+#".contains(after);
    let is_plain = (1..=LONGEST).contains(&len) && bytes.get(len).is_none_or(ends);
    is_plain.then_some(len)
}

/// The pieces of the chunk that a text starts with, where they end, and the length of `++` or
/// `#` after them. The byte between two pieces is what joins them.
fn cut(text: &str) -> (Vec<Range<usize>>, usize, usize) {
    let mut pieces = Vec::with_capacity(1);
    let mut start = 0;
    loop {
        let len = text[start..].find(|c| !is_word(c)).unwrap_or(text.len() - start);
        let end = start + len;
        pieces.push(start..end);
        let after = &text[end..];
        let joint = joint(after);
        if joint > 0 && after[joint..].starts_with(is_word) {
            start = end + joint;
            continue;
        }
        let tail = match after.as_bytes() {
            [b'+', b'+', ..] => 2,
            [b'#', ..] => 1,
            _ => 0,
        };
        return (pieces, end, tail);
    }
}

/// The length of what may join two pieces.
fn joint(text: &str) -> usize {
    match text.chars().next() {
        Some('_') => text.len() - text.trim_start_matches('_').len(),
        Some('.' | '\'') => 1,
        Some('’') => '’'.len_utf8(),
        _ => 0,
    }
}

fn read(text: &str, pieces: &[Range<usize>], tail: &str, chunk: &mut Chunk) {
    let mut whole = String::new();
    let mut is_whole = !tail.is_empty();
    let mut word = String::new();
    for (index, piece) in pieces.iter().enumerate() {
        let folded = text::folded(&text[piece.clone()]);
        let next = pieces.get(index + 1);
        let joint = next.map_or("", |next| &text[piece.end..next.start]);
        let is_apostrophe = matches!(joint, "'" | "’");
        if is_apostrophe && word.is_empty() && is_elided(&folded) {
            continue;
        }
        word.push_str(&folded);
        whole.push_str(&folded);
        if is_apostrophe {
            continue;
        }
        whole.push_str(joint);
        is_whole |= !joint.is_empty();
        parts(&word, &mut chunk.parts);
        word.clear();
    }
    if is_whole {
        whole.push_str(tail);
        chunk.whole = Some(shortened(whole));
    }
}

/// The letters before the apostrophe of `l'avion`, `qu'il`.
fn is_elided(piece: &str) -> bool {
    piece == "qu" || piece.len() == 1 && "cdjlmnst".contains(piece)
}

/// Cuts a folded word where scripts change.
fn parts(word: &str, parts: &mut Vec<Part>) {
    if word.is_ascii() {
        if !word.is_empty() {
            parts.push(Part::Word(shortened(word.to_owned())));
        }
        return;
    }
    let mut rest = word;
    while let Some(first) = rest.chars().next() {
        let paired = is_paired(first);
        let end = rest.find(|c| is_paired(c) != paired).unwrap_or(rest.len());
        parts.push(match paired {
            true => Part::Run(rest[..end].chars().collect()),
            false => Part::Word(shortened(rest[..end].to_owned())),
        });
        rest = &rest[end..];
    }
}

fn shortened(mut word: String) -> String {
    if let Some((at, _)) = word.char_indices().nth(LONGEST) {
        word.truncate(at);
    }
    word
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || !c.is_ascii() && (c.is_alphanumeric() || text::is_mark(c))
}

/// Whether a character is of a script that is written without spaces between words, or, like
/// Hangul, with spaces that do not part all of them.
fn is_paired(c: char) -> bool {
    matches!(u32::from(c),
        0x0E00..=0x0EFF   // Thai, Lao
        | 0x1000..=0x109F // Myanmar
        | 0x1100..=0x11FF // Hangul Jamo
        | 0x1780..=0x17FF // Khmer
        | 0x2E80..=0x2FDF // radicals
        | 0x3005..=0x3007
        | 0x3021..=0x3035
        | 0x3041..=0x30FF // Hiragana, Katakana
        | 0x3105..=0x318E // Bopomofo, Hangul letters
        | 0x31A0..=0x31BF
        | 0x31F0..=0x31FF
        | 0x3400..=0x4DBF
        | 0x4E00..=0x9FFF
        | 0xAC00..=0xD7FF // Hangul
        | 0xF900..=0xFAFF
        | 0x20000..=0x323AF)
}

/// What a reader typed as terms that stand one after the other, in every form that one of
/// `stemmers` gives them. A single chunk that is a term as a whole is that term.
pub fn sought(text: &str, stemmers: &[Stemmer]) -> Vec<Sought> {
    let mut all = Vec::new();
    let (mut count, mut last_whole) = (0, None);
    chunks(text, |_, chunk| {
        count += 1;
        let chunk = match chunk {
            Found::Plain(word) => {
                all.push(Sought::word(word.to_ascii_lowercase(), stemmers));
                return;
            }
            Found::Chunk(chunk) => chunk,
        };
        last_whole.clone_from(&chunk.whole);
        for part in &chunk.parts {
            match part {
                Part::Word(word) => all.push(Sought::word(word.clone(), stemmers)),
                Part::Run(run) if run.len() == 1 => {
                    let form = run[0].to_string();
                    all.push(Sought { is_open: true, ..Sought::exactly(form) });
                }
                Part::Run(run) => {
                    let pairs = run.windows(2).map(|pair| pair.iter().collect());
                    all.extend(pairs.map(Sought::exactly));
                }
            }
        }
    });
    match last_whole {
        Some(whole) if count == 1 => vec![Sought::exactly(whole)],
        _ => all,
    }
}

/// Where terms that are wanted stand in a text: the chunks that hold them, or the pairs.
pub fn marks(
    text: &str,
    stemmers: &[Stemmer],
    is_wanted: impl Fn(&str) -> bool,
) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = Vec::new();
    let mut mark = |range: Range<usize>| match all.last_mut() {
        Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
        _ => all.push(range),
    };
    let word_is_wanted = |word: &str| {
        stemmers.iter().any(|stemmer| {
            let mut word = word.to_owned();
            stemmer.cut(&mut word);
            is_wanted(&word)
        })
    };
    chunks(text, |range, found| {
        let chunk = match found {
            Found::Plain(word) => {
                if word_is_wanted(&word.to_ascii_lowercase()) {
                    mark(range);
                }
                return;
            }
            Found::Chunk(chunk) => chunk,
        };
        if let [Part::Run(run)] = &chunk.parts[..]
            && text[range.clone()].chars().count() == run.len()
        {
            let mut ends = text[range.clone()].char_indices().map(|(at, c)| {
                let start = range.start + at;
                start..start + c.len_utf8()
            });
            let places: Vec<Range<usize>> = ends.by_ref().collect();
            for (index, first) in run.iter().enumerate() {
                let pair = [Some(first), run.get(index + 1)];
                let pair: String = pair.into_iter().flatten().collect();
                if is_wanted(&pair) {
                    let last = places.get(index + 1).unwrap_or(&places[index]);
                    mark(places[index].start..last.end);
                }
            }
            return;
        }
        let is_part_wanted = |part: &Part| match part {
            Part::Word(word) => word_is_wanted(word),
            Part::Run(run) => {
                run.windows(2).any(|pair| is_wanted(&pair.iter().collect::<String>()))
            }
        };
        if chunk.whole.as_deref().is_some_and(&is_wanted)
            || chunk.parts.iter().any(is_part_wanted)
        {
            mark(range);
        }
    });
    all
}

/// A term that is sought, in all its forms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sought {
    /// As it was typed, folded.
    pub surface: String,
    /// The terms that it may be.
    pub forms: Vec<String>,
    /// Whether longer terms that start with it are meant as well.
    pub is_open: bool,
}

impl Sought {
    fn word(surface: String, stemmers: &[Stemmer]) -> Self {
        let mut forms: Vec<String> = Vec::new();
        for stemmer in stemmers {
            let mut form = surface.clone();
            stemmer.cut(&mut form);
            if !forms.contains(&form) {
                forms.push(form);
            }
        }
        Self { surface, forms, is_open: false }
    }

    fn exactly(term: String) -> Self {
        Self { surface: term.clone(), forms: vec![term], is_open: false }
    }
}
