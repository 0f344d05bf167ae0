//! Values of an environment file (`.env`), which are secrets in any text.

use std::ops::Range;

use aho_corasick::{AhoCorasick, MatchKind};

use super::baseline::Baseline;
use crate::hash::Hash;
use crate::rendered_text::{JoinedValues, RenderedText};
use crate::text::{base64_encode, base64_url_encode, to_nfc};

/// The values of `KEY=VALUE` lines. The values are never written anywhere; reports may name the keys.
#[derive(Clone, Default)]
pub struct EnvValues {
    /// Each value with its key, longest first.
    values: Vec<(String, String)>,
    spellings: Option<Spellings>,
}

/// An automaton for all spellings of the values.
#[derive(Clone)]
struct Spellings {
    automaton: AhoCorasick,
    /// For each spelling: the index of its value, and whether it is the inside of a run of Base64.
    of: Vec<(usize, bool)>,
}

/// An occurrence of a value in a text.
pub(super) struct EnvHit<'a> {
    pub(super) range: Range<usize>,
    pub(super) key: &'a str,
    pub(super) value: &'a str,
}

/// Hides the values, so that they are not printed as part of another type.
impl std::fmt::Debug for EnvValues {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "EnvValues({})", self.values.len())
    }
}

/// The minimum number of characters of a value to search for.
const MIN_CHARS: usize = 8;
/// The maximum number of values.
const MAX_VALUES: usize = 1000;

/// Values that are not secrets, in lower case.
const PUBLIC: [&str; 10] = [
    "development", "production", "localhost", "127.0.0.1", "postgres", "postgresql", "disabled",
    "us-east-1", "us-west-2", "eu-west-1",
];

impl EnvValues {
    /// Parses an environment file. The error says briefly why the values cannot be searched for, without
    /// naming one.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut values: Vec<(String, String)> = text.lines().filter_map(line).collect();
        values.sort_by(|(a, key_a), (b, key_b)| (b.len(), a, key_a).cmp(&(a.len(), b, key_b)));
        values.dedup_by(|(a, _), (b, _)| a == b);
        if values.len() > MAX_VALUES {
            return Err(format!("it has more than {MAX_VALUES} values"));
        }
        if values.is_empty() {
            return Ok(Self::default());
        }
        let spellings = Spellings::of(&values)?;
        Ok(Self { values, spellings: Some(spellings) })
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns the hash of all values under a key.
    pub(super) fn hash(&self, key: &[u8; 32]) -> Hash {
        let all: Vec<(Hash, &str)> = self
            .values
            .iter()
            .map(|(value, name)| (Hash::keyed(key, value.as_bytes()), name.as_str()))
            .collect();
        Hash::of(&all)
    }

    /// Returns whether a hash is that of one of the values.
    pub(super) fn have(&self, secret: Hash, baseline: &Baseline) -> bool {
        self.values.iter().any(|(value, _)| baseline.hash_of(value) == secret)
    }

    /// Finds all values in a text: as written; with one level of JSON, HTML or URL escapes; split by
    /// markup, lines or string boundaries; and in Base64. A match in Base64 covers the whole run.
    pub(super) fn find<'a>(&'a self, text: &str) -> Vec<EnvHit<'a>> {
        let Some(spellings) = &self.spellings else { return Vec::new() };
        let mut found = spellings.find(text);
        let JoinedValues { markup, continued } = RenderedText::joined(text);
        for view in RenderedText::plain(text).iter().chain(&markup).chain(&continued) {
            let more = spellings.find(view.text()).into_iter();
            let more = more.map(|(range, value)| (view.written_whole(text, range), value));
            found.extend(more);
        }
        found.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
        let mut end = 0;
        let mut hits = Vec::new();
        for (range, number) in found {
            let Some((value, key)) = self.values.get(number) else { continue };
            if range.end > end {
                end = range.end;
                hits.push(EnvHit { range, key, value });
            }
        }
        hits
    }
}

impl Spellings {
    fn of(values: &[(String, String)]) -> Result<Self, String> {
        let (mut texts, mut of) = (Vec::new(), Vec::new());
        for (number, (value, _)) in values.iter().enumerate() {
            let json = serde_json::Value::from(value.as_str()).to_string();
            let json = json.trim_matches('"').to_owned();
            let composed = to_nfc(value).into_owned();
            for text in [value.clone(), value.replace(' ', "+"), composed, json] {
                texts.push(text);
                of.push((number, false));
            }
            for text in in_base64(value) {
                texts.push(text);
                of.push((number, true));
            }
        }
        let mut builder = AhoCorasick::builder();
        builder.match_kind(MatchKind::LeftmostLongest);
        let automaton = builder.build(&texts);
        let automaton = automaton.map_err(|_| "its values are too long".to_owned())?;
        Ok(Self { automaton, of })
    }

    /// Returns the ranges of all spellings in a text, each with the index of its value.
    fn find(&self, text: &str) -> Vec<(Range<usize>, usize)> {
        let mut found: Vec<(Range<usize>, usize)> = Vec::new();
        let mut done = 0;
        for hit in self.automaton.find_iter(text) {
            let Some((value, is_inside)) = self.of.get(hit.pattern().as_usize()) else {
                continue;
            };
            let mut range = hit.range();
            if *is_inside {
                if range.start < done {
                    continue;
                }
                range = run_around(text.as_bytes(), range);
                done = range.end;
            }
            found.push((range, *value));
        }
        found
    }
}

/// Returns what the Base64 encodings of all texts that contain the value have in common. There is one for
/// each of the three alignments, in both alphabets.
fn in_base64(value: &str) -> Vec<String> {
    let mut all = Vec::new();
    for before in 0..3 {
        let bytes = [&vec![0; before], value.as_bytes()].concat();
        // Characters at the edges also encode bits of the surrounding text, so they can be anything.
        let inside = (before * 8).div_ceil(6)..bytes.len() * 8 / 6;
        for text in [base64_encode(&bytes), base64_url_encode(&bytes)] {
            all.extend(text.get(inside.clone()).map(str::to_owned));
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// Returns the whole run of Base64 around a part of it.
fn run_around(bytes: &[u8], part: Range<usize>) -> Range<usize> {
    let is_inside = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+/-_".contains(byte);
    let before = bytes.get(..part.start).unwrap_or_default();
    let after = bytes.get(part.end..).unwrap_or_default();
    let before = before.iter().rev().take_while(is_inside).count();
    let inside = after.iter().take_while(is_inside).count();
    let padding = after.iter().skip(inside).take(2).take_while(|byte| **byte == b'=');
    part.start - before..part.end + inside + padding.count()
}

/// Returns the value and key of a line, if the value can be searched for.
fn line(line: &str) -> Option<(String, String)> {
    let line = line.trim().trim_start_matches('\u{feff}');
    let line = line.strip_prefix("export ").unwrap_or(line).trim_start();
    let (key, value) = line.split_once('=')?;
    let key = key.trim();
    let is_key = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    if key.is_empty() || !key.chars().all(is_key) {
        return None;
    }
    let value = value.trim();
    let quote = value.chars().next().filter(|c| "\"'`".contains(*c));
    let value = match quote {
        Some(quote) => {
            let inside = &value[1..];
            inside.rfind(quote).map_or(inside, |end| &inside[..end])
        }
        // A comment starts after a space.
        None => value.split(" #").next().unwrap_or_default().trim_end(),
    };
    let is_public = PUBLIC.contains(&value.to_lowercase().as_str())
        || value.contains("://localhost") && !value.contains('@');
    let is_long = value.chars().count() >= MIN_CHARS;
    (is_long && !is_public).then(|| (value.to_owned(), key.to_owned()))
}
