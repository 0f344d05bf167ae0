//! The values of a file of environment variables, which are secrets wherever they stand.

use std::ops::Range;

use aho_corasick::{AhoCorasick, MatchKind};

use super::baseline::Baseline;
use crate::as_seen::{AsSeen, JoinedValues};
use crate::hash::Hash;
use crate::text::{base64_encode, base64_url_encode, to_nfc};

/// The values of `KEY=VALUE` lines. They are never written anywhere; the keys may be told.
#[derive(Clone, Default)]
pub struct EnvValues {
    /// Each value with its key, the longest first.
    values: Vec<(String, String)>,
    spellings: Option<Spellings>,
}

/// All ways to write the values.
#[derive(Clone)]
struct Spellings {
    automaton: AhoCorasick,
    /// For each spelling the place of its value, and whether it is the inside of a run of Base64.
    of: Vec<(usize, bool)>,
}

/// A place in a text where a value stands.
pub(super) struct EnvHit<'a> {
    pub(super) range: Range<usize>,
    pub(super) key: &'a str,
    pub(super) value: &'a str,
}

/// It must not be seen where something that holds it is printed.
impl std::fmt::Debug for EnvValues {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "EnvValues({})", self.values.len())
    }
}

/// The fewest characters of a value that is looked for.
const MIN_CHARS: usize = 8;
/// The most values.
const MAX_VALUES: usize = 1000;

/// Values that are no secrets, in small letters.
const PUBLIC: [&str; 10] = [
    "development", "production", "localhost", "127.0.0.1", "postgres", "postgresql", "disabled",
    "us-east-1", "us-west-2", "eu-west-1",
];

impl EnvValues {
    /// Reads the text of such a file. The error says in a few words, without a value, why the values
    /// cannot be looked for.
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

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns the hash of all of them under a key.
    pub(super) fn hash(&self, key: &[u8; 32]) -> Hash {
        let all: Vec<(Hash, &str)> = self
            .values
            .iter()
            .map(|(value, name)| (Hash::keyed(key, value.as_bytes()), name.as_str()))
            .collect();
        Hash::of(&all)
    }

    /// Returns whether the value of a hash is one of them.
    pub(super) fn have(&self, secret: Hash, baseline: &Baseline) -> bool {
        self.values.iter().any(|(value, _)| baseline.hash_of(value) == secret)
    }

    /// Finds all values in a text: as they are, below one level of the escapes of JSON, HTML and
    /// URLs, split by markup, lines or strings, and in Base64, of which the whole run is a place.
    pub(super) fn find<'a>(&'a self, text: &str) -> Vec<EnvHit<'a>> {
        let Some(spellings) = &self.spellings else { return Vec::new() };
        let mut found = spellings.find(text);
        let JoinedValues { markup, continued } = AsSeen::joined(text);
        for view in AsSeen::plain(text).iter().chain(&markup).chain(&continued) {
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

    /// Returns the places of all spellings in a text, each with the number of its value.
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

/// Returns what all Base64 texts have in which a value stands at one of three places, in both alphabets.
fn in_base64(value: &str) -> Vec<String> {
    let mut all = Vec::new();
    for before in 0..3 {
        let bytes = [&vec![0; before], value.as_bytes()].concat();
        // A character that takes bits from what stands around may be any.
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

/// Returns the value and the key of a line that has a value which can be looked for.
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
        // A comment starts behind a space.
        None => value.split(" #").next().unwrap_or_default().trim_end(),
    };
    let is_public = PUBLIC.contains(&value.to_lowercase().as_str())
        || value.contains("://localhost") && !value.contains('@');
    let is_long = value.chars().count() >= MIN_CHARS;
    (is_long && !is_public).then(|| (value.to_owned(), key.to_owned()))
}
