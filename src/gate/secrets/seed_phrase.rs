//! Seed phrases of wallets: 12 to 24 words of a list, the last of which holds a check sum (BIP 39).

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use bip39::{Language, Mnemonic};

use super::matches::Match;
use super::rule::Rule;
use super::tier::Tier;

/// The id of its rule.
pub(super) const RULE: &str = "seed-phrase";

pub(super) const ROWS: &[Rule] =
    &[Rule::swept(RULE, "seed phrase", Tier::Certain, "BIP 39", |random| {
        let entropy: Vec<u8> = (0..16).map(|_| random.next().to_le_bytes()[0]).collect();
        let phrase = Mnemonic::from_entropy(&entropy).map(|phrase| phrase.to_string());
        let phrase = phrase.unwrap_or_default();
        (format!("1234 {phrase} 1234"), phrase)
    })];

/// The fewest words of a phrase.
const SHORTEST: usize = 12;

/// How far apart the places are at which a word is looked up: less than the shortest phrase of
/// twelve words of three letters and the blanks between them.
const STEP: usize = 40;

/// The most words in a row that are looked at. A longer row is the list of words itself, or prose.
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

/// The longest part of a row of words whose check sum holds. Where more than one of that length
/// does, which of them is the phrase cannot be said, and it is the whole row.
fn phrase(text: &str, words: &[Range<usize>]) -> Option<Range<usize>> {
    for length in [24, 21, 18, 15, 12] {
        // Of the parts of a row one in sixteen is valid by chance; so the row may be little longer.
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

/// Whether words are a phrase: the check sum holds, and they are neither few nor in order.
fn is_valid(text: &str, words: &[Range<usize>]) -> bool {
    let words: Vec<&str> = words.iter().filter_map(|word| text.get(word.clone())).collect();
    let different: BTreeSet<&str> = words.iter().copied().collect();
    different.len() * 3 >= words.len() * 2
        && !words.is_sorted()
        && Mnemonic::parse_in_normalized(Language::English, &words.join(" ")).is_ok()
}

/// Whether as many words as the shortest phrase has may stand in a row around a word: what is soon
/// found out of words in sentences.
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

/// Whether a word is in the list.
fn is_listed(text: &str, word: &Range<usize>) -> bool {
    listed(text, word).is_some_and(|word| Language::English.find_word(word).is_some())
}

/// Returns a word that may be in the list. Most are not, which a filter of bits says at once.
fn listed<'t>(text: &'t str, word: &Range<usize>) -> Option<&'t str> {
    let word = text.get(word.clone()).filter(|word| (3..=8).contains(&word.len()))?;
    let (cell, bit) = place_in(word);
    let is_set = |cell: &&u64| **cell >> bit & 1 == 1;
    FILTER.get(cell).filter(is_set).map(|_| word)
}

/// A bit for each word of the list, at a place that follows from its letters.
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

/// The cell and the bit of a word of eight letters at most.
fn place_in(word: &str) -> (usize, u64) {
    let letters = word.bytes().fold(0_u64, |sum, byte| sum << 8 | u64::from(byte));
    let mixed = letters.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (usize::try_from(mixed >> 54).unwrap_or_default(), mixed >> 48 & 63)
}

/// The word of small letters in which a place is, or that begins a few bytes behind it.
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

/// What may stand between two words: blanks, commas, line ends, the numbers of a list.
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

/// How many bytes stand between two words, if they are few and the number among them is small.
fn gap<'b>(bytes: impl Iterator<Item = &'b u8> + Clone) -> Option<usize> {
    let gap = bytes.take(9).take_while(|byte| parts(**byte));
    let digits = gap.clone().filter(|byte| byte.is_ascii_digit()).count();
    let gap = gap.count();
    ((1..=8).contains(&gap) && digits <= 2).then_some(gap)
}
