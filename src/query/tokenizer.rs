//! The tokenizer: divides text into terms. `search/script/tokenizer.js` does the same, with tables
//! that are generated from the ones here; tests compare both on `tests/data/search/words.json` and
//! on random texts.
//!
//! * A *chunk* is letters, digits and marks, with `_`, `.` or an apostrophe between two of
//!   them, and `++` or `#` at its end: `snake_case`, `foo.bar`, `C++`.
//! * An apostrophe joins (`don't` is `dont`), except after an elided article (`l'avion` is
//!   `avion`).
//! * A chunk with `_`, `.`, `++` or `#` is a term as a whole, and so is each of its parts.
//! * A part is folded ([`text::folded`]); scripts without spaces between words give overlapping
//!   pairs of characters (bigrams) and the last character alone; everything else is stemmed by the
//!   [`Stemmer`] of the language.

use std::ops::{Range, RangeInclusive};

pub use super::stem::Stemmer;
use crate::text;

/// The maximum length of a term, in characters; longer terms are cut.
pub const MAX_TERM_CHARS: usize = 64;

/// A chunk of text.
#[derive(Debug, Default)]
struct Chunk {
    /// The folded chunk, if it is a term in addition to its parts.
    whole: Option<String>,
    /// Folded words, and runs of characters of scripts without spaces.
    parts: Vec<Part>,
}

/// A part of a chunk.
#[derive(Debug, PartialEq, Eq)]
enum Part {
    /// A word, folded but not stemmed.
    Word(String),
    /// Characters of a script that is indexed as bigrams: overlapping pairs.
    Bigrams(Vec<char>),
}

/// A term in a text.
pub struct Term<'a> {
    /// The word as written, folded.
    pub surface: &'a str,
    /// Stems the word for the index.
    stemmer: Stemmer,
    /// Its position in the text, from 0. A whole chunk has no position of its own.
    pub position: Option<u32>,
}

impl Term<'_> {
    /// Returns the stem of the word, which is the term in the index.
    pub fn stem(&self) -> String {
        let mut term = self.surface.to_owned();
        self.stemmer.stem(&mut term);
        term
    }
}

/// Calls `each` for every term of a text, and returns the number of positions.
pub fn terms(text: &str, stemmer: Stemmer, mut each: impl FnMut(Term<'_>)) -> u32 {
    let mut position = 0;
    let exactly = Stemmer::Identity;
    chunks(text, |_, chunk| {
        let chunk = match chunk {
            Token::Word(word) => {
                each(Term { surface: word, stemmer, position: Some(position) });
                position += 1;
                return;
            }
            Token::Chunk(chunk) => chunk,
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
                Part::Bigrams(run) => {
                    for (index, first) in run.iter().enumerate() {
                        let pair = [Some(first), run.get(index + 1)];
                        let pair: String = pair.into_iter().flatten().collect();
                        let position_of = Some(position);
                        each(Term { surface: &pair, stemmer: exactly, position: position_of });
                        position += 1;
                    }
                }
            }
        }
    });
    position
}

/// A token that is not yet divided into terms.
enum Token<'a> {
    /// A folded word of ASCII letters and digits, joined only by apostrophes, which is most of all
    /// text.
    Word(&'a str),
    /// Any other chunk.
    Chunk(&'a Chunk),
}

/// Calls `each` for every token of a text, with its range in bytes.
fn chunks(text: &str, mut each: impl FnMut(Range<usize>, Token<'_>)) {
    let (mut word, mut chunk) = (String::new(), Chunk::default());
    let mut next = 0;
    while let Some(start) = word_start(text, next) {
        let rest = &text[start..];
        if let Some(len) = plain_word(rest, &mut word) {
            next = start + len;
            each(start..next, Token::Word(&word));
            continue;
        }
        let (pieces, end, tail) = split_chunk(rest);
        chunk.whole = None;
        chunk.parts.clear();
        analyze(rest, &pieces, &rest[end..end + tail], &mut chunk);
        next = start + end + tail;
        if !chunk.parts.is_empty() {
            each(start..next, Token::Chunk(&chunk));
        }
    }
}

/// Returns the start of the first word at or after `from`, in bytes.
fn word_start(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let byte = *text.as_bytes().get(at)?;
        if byte.is_ascii() {
            if byte.is_ascii_alphanumeric() {
                return Some(at);
            }
            at += 1;
        } else {
            let c = text[at..].chars().next()?;
            if is_word(c) {
                return Some(at);
            }
            at += c.len_utf8();
        }
    }
}

/// Reads the [`Token::Word`] at the start of a text into `word`, if there is one, with the same
/// result as [`analyze`]. Returns its length in the text, in bytes.
fn plain_word(text: &str, word: &mut String) -> Option<usize> {
    word.clear();
    let is_part = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_alphanumeric);
    let mut start = 0;
    loop {
        let end = start
            + text.as_bytes()[start..]
                .iter()
                .take_while(|byte| byte.is_ascii_alphanumeric())
                .count();
        let piece = &text[start..end];
        let next = end + apostrophe_len(&text[end..]);
        let continues = next > end && is_part(next);
        let is_skipped = continues && word.is_empty() && is_elided(piece);
        if !is_skipped {
            word.push_str(piece);
        }
        if word.len() > MAX_TERM_CHARS {
            return None;
        }
        if !continues {
            word.make_ascii_lowercase();
            return ends_plainly(&text[end..]).then_some(end);
        }
        start = next;
    }
}

/// Returns whether a chunk of ASCII letters and digits ends before this text.
fn ends_plainly(after: &str) -> bool {
    let is_ascii_gap = |byte: &u8| byte.is_ascii() && !byte.is_ascii_alphanumeric();
    match after.as_bytes() {
        [b'.' | b'\'', rest @ ..] => rest.first().is_none_or(is_ascii_gap),
        [b'_' | b'#', ..] | [b'+', b'+', ..] => false,
        [byte, ..] if byte.is_ascii() => true,
        _ => match after.chars().next() {
            Some('’') => {
                let rest = &after.as_bytes()['’'.len_utf8()..];
                rest.first().is_none_or(is_ascii_gap)
            }
            c => !c.is_some_and(is_word),
        },
    }
}

/// Returns the length of the apostrophe at the start of a text, in bytes.
fn apostrophe_len(text: &str) -> usize {
    match text.as_bytes() {
        [b'\'', ..] => 1,
        _ if text.starts_with('’') => '’'.len_utf8(),
        _ => 0,
    }
}

/// Returns the pieces of the chunk at the start of a text, their end, and the length of `++` or `#`
/// after them. The bytes between two pieces join them.
fn split_chunk(text: &str) -> (Vec<Range<usize>>, usize, usize) {
    let mut pieces = Vec::with_capacity(1);
    let mut start = 0;
    loop {
        let len = text[start..].find(|c| !is_word(c)).unwrap_or(text.len() - start);
        let end = start + len;
        pieces.push(start..end);
        let after = &text[end..];
        let joiner = joiner_len(after);
        if joiner > 0 && after[joiner..].starts_with(is_word) {
            start = end + joiner;
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

/// Returns the length of the characters that can join two pieces, in bytes.
fn joiner_len(text: &str) -> usize {
    match text.chars().next() {
        Some('_') => text.len() - text.trim_start_matches('_').len(),
        Some('.') => 1,
        _ => apostrophe_len(text),
    }
}

fn analyze(text: &str, pieces: &[Range<usize>], tail: &str, chunk: &mut Chunk) {
    let mut whole = String::new();
    let mut is_whole = !tail.is_empty();
    let mut word = String::new();
    for (index, piece) in pieces.iter().enumerate() {
        let folded = text::folded(&text[piece.clone()]);
        let next = pieces.get(index + 1);
        let joiner = next.map_or("", |next| &text[piece.end..next.start]);
        let is_apostrophe = matches!(joiner, "'" | "’");
        if is_apostrophe && word.is_empty() && is_elided(&folded) {
            continue;
        }
        word.push_str(&folded);
        whole.push_str(&folded);
        if is_apostrophe {
            continue;
        }
        whole.push_str(joiner);
        is_whole |= !joiner.is_empty();
        push_parts(&word, &mut chunk.parts);
        word.clear();
    }
    if is_whole {
        whole.push_str(tail);
        chunk.whole = Some(shortened(whole));
    }
}

/// Articles and pronouns that lose their vowel before an apostrophe, as in `l'avion` and `qu'il`.
pub const ELIDED: [&str; 9] = ["c", "d", "j", "l", "m", "n", "s", "t", "qu"];

fn is_elided(piece: &str) -> bool {
    ELIDED.iter().any(|elided| elided.eq_ignore_ascii_case(piece))
}

/// Divides a folded word where the script changes.
fn push_parts(word: &str, parts: &mut Vec<Part>) {
    if word.is_ascii() {
        if !word.is_empty() {
            parts.push(Part::Word(shortened(word.to_owned())));
        }
        return;
    }
    let mut rest = word;
    while let Some(first) = rest.chars().next() {
        let is_bigram = is_bigram_script(first);
        let end = rest.find(|c| is_bigram_script(c) != is_bigram).unwrap_or(rest.len());
        parts.push(match is_bigram {
            true => Part::Bigrams(rest[..end].chars().collect()),
            false => Part::Word(shortened(rest[..end].to_owned())),
        });
        rest = &rest[end..];
    }
}

fn shortened(mut word: String) -> String {
    if let Some((at, _)) = word.char_indices().nth(MAX_TERM_CHARS) {
        word.truncate(at);
    }
    word
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || !c.is_ascii() && (c.is_alphanumeric() || text::is_mark(c))
}

/// Characters of scripts that are indexed as bigrams, because they have no spaces between words or,
/// like Hangul, only between some of them. Sorted.
pub const BIGRAM_SCRIPTS: [RangeInclusive<char>; 16] = [
    '\u{0E00}'..='\u{0EFF}', // Thai, Lao
    '\u{1000}'..='\u{109F}', // Myanmar
    '\u{1100}'..='\u{11FF}', // Hangul Jamo
    '\u{1780}'..='\u{17FF}', // Khmer
    '\u{2E80}'..='\u{2FDF}', // radicals
    '\u{3005}'..='\u{3007}',
    '\u{3021}'..='\u{3035}',
    '\u{3041}'..='\u{30FF}', // Hiragana, Katakana
    '\u{3105}'..='\u{318E}', // Bopomofo, Hangul letters
    '\u{31A0}'..='\u{31BF}',
    '\u{31F0}'..='\u{31FF}',
    '\u{3400}'..='\u{4DBF}',
    '\u{4E00}'..='\u{9FFF}',
    '\u{AC00}'..='\u{D7FF}', // Hangul
    '\u{F900}'..='\u{FAFF}',
    '\u{20000}'..='\u{323AF}',
];

/// Returns whether a character belongs to one of the [`BIGRAM_SCRIPTS`].
pub(crate) fn is_bigram_script(c: char) -> bool {
    text::is_in(c, &BIGRAM_SCRIPTS)
}

/// Divides words of a query into consecutive terms, in the forms of all `stemmers`. A single chunk
/// that is indexed as a whole becomes that term.
pub fn query_terms(text: &str, stemmers: &[Stemmer]) -> Vec<QueryTerm> {
    let mut all: Vec<QueryTerm> = Vec::new();
    let (mut count, mut last_whole) = (0, None);
    // In texts, the last character of a run of bigrams is a term of its own, and the next part
    // follows it.
    let mut end = None;
    chunks(text, |_, chunk| {
        count += 1;
        let chunk = match chunk {
            Token::Word(word) => {
                all.extend(end.take());
                all.push(QueryTerm::word(word.to_owned(), stemmers));
                return;
            }
            Token::Chunk(chunk) => chunk,
        };
        last_whole.clone_from(&chunk.whole);
        for part in &chunk.parts {
            all.extend(end.take());
            match part {
                Part::Word(word) => all.push(QueryTerm::word(word.clone(), stemmers)),
                Part::Bigrams(run) if run.len() == 1 => {
                    let form = run[0].to_string();
                    all.push(QueryTerm { is_prefix: true, ..QueryTerm::exactly(form) });
                }
                Part::Bigrams(run) => {
                    let pairs = run.windows(2).map(|pair| pair.iter().collect());
                    all.extend(pairs.map(QueryTerm::exactly));
                    end = run.last().map(|last| QueryTerm::exactly(last.to_string()));
                }
            }
        }
    });
    match last_whole {
        Some(whole) if count == 1 => vec![QueryTerm::exactly(whole)],
        _ => all,
    }
}

/// Returns the ranges of wanted terms in a text, for highlighting: chunks, or pairs of characters.
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
            stemmer.stem(&mut word);
            is_wanted(&word)
        })
    };
    chunks(text, |range, found| {
        let chunk = match found {
            Token::Word(word) => {
                if word_is_wanted(word) {
                    mark(range);
                }
                return;
            }
            Token::Chunk(chunk) => chunk,
        };
        if let [Part::Bigrams(run)] = &chunk.parts[..]
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
            Part::Bigrams(run) => {
                run.windows(2).any(|pair| is_wanted(&pair.iter().collect::<String>()))
            }
        };
        if chunk.whole.as_deref().is_some_and(&is_wanted) || chunk.parts.iter().any(is_part_wanted)
        {
            mark(range);
        }
    });
    all
}

/// A term of a query, in all its forms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueryTerm {
    /// The word as typed, folded.
    pub surface: String,
    /// The terms of the index that match it.
    pub forms: Vec<String>,
    /// Whether longer terms that start with it match too.
    pub is_prefix: bool,
}

impl QueryTerm {
    fn word(surface: String, stemmers: &[Stemmer]) -> Self {
        let mut forms: Vec<String> = Vec::new();
        for stemmer in stemmers {
            let mut form = surface.clone();
            stemmer.stem(&mut form);
            if !forms.contains(&form) {
                forms.push(form);
            }
        }
        Self { surface, forms, is_prefix: false }
    }

    fn exactly(term: String) -> Self {
        Self { surface: term.clone(), forms: vec![term], is_prefix: false }
    }
}
