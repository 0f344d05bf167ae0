//! Seed phrases of wallets: 12 to 24 words of a list, with a checksum in the last one (BIP 39).

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use bip39::{Language, Mnemonic};

use super::matches::Match;
use super::rule::Rule;
use super::tier::Tier;

/// The id of the rule.
pub(super) const RULE: &str = "seed-phrase";

pub(super) const ROWS: &[Rule] =
    &[Rule::swept(RULE, "seed phrase", Tier::Certain, "BIP 39", |random| {
        let entropy: Vec<u8> = (0..16).map(|_| random.next().to_le_bytes()[0]).collect();
        let phrase = Mnemonic::from_entropy(&entropy).map(|phrase| phrase.to_string());
        let phrase = phrase.unwrap_or_default();
        (format!("1234 {phrase} 1234"), phrase)
    })];

/// The minimum number of words of a phrase.
const SHORTEST: usize = 12;

/// The distance between the positions at which words are looked up. It is less than the length of the
/// shortest phrase: twelve words of three letters, with spaces between them.
const STEP: usize = 40;

/// The maximum number of consecutive words to check. A longer row is prose, or the word list itself.
const MOST: usize = 60;

/// Adds the seed phrases of a text.
pub(super) fn search(text: &str, rule: &'static Rule, found: &mut Vec<Match>) {
    let bytes = text.as_bytes();
    let mut probe = 0;
    while probe < bytes.len() {
        let word = word_at(bytes, probe).filter(|word| may_be_in_phrase(text, word));
        let Some(word) = word.filter(|word| is_listed(text, word)) else {
            probe += STEP;
            continue;
        };
        let mut words = vec![word.clone()];
        while words.len() < MOST
            && let Some(before) = words.first().and_then(|first| word_before(bytes, first.start))
            && is_listed(text, &before)
        {
            words.insert(0, before);
        }
        while words.len() < 2 * MOST
            && let Some(after) = words.last().and_then(|last| word_after(bytes, last.end))
            && is_listed(text, &after)
        {
            words.push(after);
        }
        if words.len() < MOST
            && let Some(range) = phrase(text, &words)
        {
            found.push(Match { range, rule, tier: rule.tier });
        }
        probe = words.last().map_or(probe, |last| last.end).max(probe) + STEP;
    }
}

/// Returns the longest part of a row of words with a valid checksum. If several parts of that length are
/// valid, it is unknown which of them is the phrase, so returns the whole row.
fn phrase(text: &str, words: &[Range<usize>]) -> Option<Range<usize>> {
    for length in [24, 21, 18, 15, 12] {
        // One part in sixteen is valid by chance, so the row may be only slightly longer.
        if words.len() > length + 3 && length < 24 {
            break;
        }
        let mut valid = words.windows(length).filter(|part| is_valid(text, part));
        let Some(part) = valid.next() else { continue };
        let part = if valid.next().is_some() { words } else { part };
        return Some(part.first()?.start..part.last()?.end);
    }
    None
}

/// Returns whether words are a phrase: the checksum is valid, and they are varied and not sorted.
fn is_valid(text: &str, words: &[Range<usize>]) -> bool {
    let words: Vec<&str> = words.iter().filter_map(|word| text.get(word.clone())).collect();
    let different: BTreeSet<&str> = words.iter().copied().collect();
    different.len() * 3 >= words.len() * 2
        && !words.is_sorted()
        && Mnemonic::parse_in_normalized(Language::English, &words.join(" ")).is_ok()
}

/// Returns whether enough words for the shortest phrase surround a word. This quickly excludes most words
/// in sentences.
fn may_be_in_phrase(text: &str, word: &Range<usize>) -> bool {
    let bytes = text.as_bytes();
    let may_be = |word: &Range<usize>| listed(text, word).is_some();
    if !may_be(word) {
        return false;
    }
    let mut left = SHORTEST - 1;
    let mut at = word.end;
    while left > 0
        && let Some(after) = word_after(bytes, at).filter(may_be)
    {
        (at, left) = (after.end, left - 1);
    }
    let mut at = word.start;
    while left > 0
        && let Some(before) = word_before(bytes, at).filter(may_be)
    {
        (at, left) = (before.start, left - 1);
    }
    left == 0
}

/// Returns whether a word is in the list.
fn is_listed(text: &str, word: &Range<usize>) -> bool {
    listed(text, word).is_some_and(|word| Language::English.find_word(word).is_some())
}

/// Returns a word that may be in the list. A bit filter quickly excludes most others.
fn listed<'t>(text: &'t str, word: &Range<usize>) -> Option<&'t str> {
    let word = text.get(word.clone()).filter(|word| (3..=8).contains(&word.len()))?;
    let (cell, bit) = place_in(word);
    let is_set = |cell: &&u64| **cell >> bit & 1 == 1;
    FILTER.get(cell).filter(is_set).map(|_| word)
}

/// A bit filter with one bit for each word of the list, at a position computed from its letters.
static FILTER: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let mut filter = vec![0; 1024];
    for word in Language::English.word_list() {
        let (cell, bit) = place_in(word);
        if let Some(cell) = filter.get_mut(cell) {
            *cell |= 1 << bit;
        }
    }
    filter
});

/// Returns the cell and the bit of a word of at most eight letters.
fn place_in(word: &str) -> (usize, u64) {
    let letters = word.bytes().fold(0_u64, |sum, byte| sum << 8 | u64::from(byte));
    let mixed = letters.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (usize::try_from(mixed >> 54).unwrap_or_default(), mixed >> 48 & 63)
}

/// Returns the lower-case word at a position, or one that starts a few bytes after it.
fn word_at(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let rest = bytes.get(at..)?;
    let at = at + rest.iter().take(8).position(u8::is_ascii_lowercase)?;
    let before = bytes.get(..at)?.iter().rev().take(9);
    let start = at - before.take_while(|byte| byte.is_ascii_lowercase()).count();
    word_from(bytes, start)
}

fn word_from(bytes: &[u8], start: usize) -> Option<Range<usize>> {
    let rest = bytes.get(start..)?.iter().take(9);
    let length = rest.take_while(|byte| byte.is_ascii_lowercase()).count();
    Some(start..start + length)
}

/// Returns whether a byte may occur between two words: spaces, commas, line ends, and numbers of a list.
fn parts(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t' | b',' | b'.' | b')' | b'"' | b'\'' | b'|' | b'-')
        || byte.is_ascii_digit()
}

fn word_after(bytes: &[u8], end: usize) -> Option<Range<usize>> {
    let gap = gap(bytes.get(end..)?.iter())?;
    word_from(bytes, end + gap)
}

fn word_before(bytes: &[u8], start: usize) -> Option<Range<usize>> {
    let end = start - gap(bytes.get(..start)?.iter().rev())?;
    let before = bytes.get(..end)?.iter().rev().take(9);
    let length = before.take_while(|byte| byte.is_ascii_lowercase()).count();
    Some(end - length..end)
}

/// Returns the number of bytes between two words, if there are few and any number among them is small.
fn gap<'b>(bytes: impl Iterator<Item = &'b u8> + Clone) -> Option<usize> {
    let gap = bytes.take(9).take_while(|byte| parts(**byte));
    let digits = gap.clone().filter(|byte| byte.is_ascii_digit()).count();
    let gap = gap.count();
    ((1..=8).contains(&gap) && digits <= 2).then_some(gap)
}
