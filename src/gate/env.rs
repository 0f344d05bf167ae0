//! The values of a file of environment variables, which are secrets wherever they stand.

use std::ops::Range;

use regex::Regex;

use crate::hash::Hash;

/// The values of `KEY=VALUE` lines. They are never written anywhere; the keys may be told.
#[derive(Clone, Default)]
pub struct EnvValues {
    /// Each value with its key, the longest first.
    values: Vec<(String, String)>,
    pattern: Option<Regex>,
}

/// It must not be seen where something that holds it is printed.
impl std::fmt::Debug for EnvValues {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "EnvValues({})", self.values.len())
    }
}

/// The id under which findings of them are told.
pub(super) const RULE: &str = "env-value";

/// The fewest characters of a value that is looked for.
const MIN_CHARS: usize = 8;
/// The most values.
const MAX_VALUES: usize = 1000;

/// Values that are no secrets, in small letters.
const PUBLIC: [&str; 10] = [
    "development",
    "production",
    "localhost",
    "127.0.0.1",
    "postgres",
    "postgresql",
    "disabled",
    "us-east-1",
    "us-west-2",
    "eu-west-1",
];

impl EnvValues {
    /// Reads the text of such a file. The error says in a few words, without a value, why the values
    /// cannot be looked for.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut values: Vec<(String, String)> = text.lines().filter_map(line).collect();
        values.sort_by(|(a, key_a), (b, key_b)| {
            (b.len(), a, key_a).cmp(&(a.len(), b, key_b))
        });
        values.dedup_by(|(a, _), (b, _)| a == b);
        if values.len() > MAX_VALUES {
            return Err(format!("it has more than {MAX_VALUES} values"));
        }
        if values.is_empty() {
            return Ok(Self::default());
        }
        let parts: Vec<String> =
            values.iter().map(|(value, _)| regex::escape(value)).collect();
        let pattern = Regex::new(&parts.join("|"));
        let pattern = pattern.map_err(|_| "its values are too long".to_owned())?;
        Ok(Self { values, pattern: Some(pattern) })
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

    /// Finds all values in a text, each with its key.
    pub(super) fn find<'a>(
        &'a self,
        text: &'a str,
    ) -> impl Iterator<Item = (Range<usize>, &'a str)> {
        let found = self.pattern.iter().flat_map(|pattern| pattern.find_iter(text));
        found.map(|found| {
            let known = self.values.iter().find(|(value, _)| value == found.as_str());
            (found.range(), known.map_or("", |(_, key)| key.as_str()))
        })
    }
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
