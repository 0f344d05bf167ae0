//! Redacts secrets in reports, which may quote the text that they are about.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use super::Gate;
use super::fragments::Fragments;
use super::inspect::Found;
use super::spellings::spelled_matches;
use crate::diag::Diagnostic;
use crate::formats::Input;
use crate::hash::Hash;
use crate::secrets::{RuleKind, RuleSet};

/// The minimum length in bytes of a word that is compared with known secrets.
const MIN_KNOWN_BYTES: usize = 4;
/// All rules that find secrets.
static SECRETS: LazyLock<RuleSet> =
    LazyLock::new(|| RuleSet::of(|rule| rule.kind == RuleKind::Secret));

impl Gate {
    /// Masks all secrets in the text of a report.
    pub fn masked<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let ranges = self.secret_ranges(text);
        masked_at(text, &ranges)
    }

    /// Returns the text before and after the secret at a column of a line, with that secret removed and all
    /// others masked.
    ///
    /// Words whose hashes are in `known` count as secrets, even if nothing in the line identifies them.
    pub fn around(
        &self,
        line: &str,
        column: u32,
        known: &HashSet<Hash>,
    ) -> Option<(String, String)> {
        let at = line.char_indices().nth(column.checked_sub(1)? as usize)?.0;
        let mut ranges = self.secret_ranges(line);
        ranges.extend(self.known_ranges(line, known));
        ranges.sort_by_key(|range| (range.start, range.end));
        let here = ranges.iter().position(|range| range.contains(&at))?;
        let Range { start, end } = *ranges.get(here)?;
        let (before, after) = (line.get(..start)?, line.get(end..)?);
        let later = ranges.iter().skip(here + 1).filter(|range| range.end > end);
        let later: Vec<_> =
            later.map(|range| range.start.max(end) - end..range.end - end).collect();
        let before = masked_at(before, ranges.get(..here)?);
        Some((before.into_owned(), masked_at(after, &later).into_owned()))
    }

    /// Returns the ranges of words whose hashes are known.
    fn known_ranges(&self, line: &str, known: &HashSet<Hash>) -> Vec<Range<usize>> {
        let mut ranges = Vec::new();
        for is_end in [
            |c: char| c.is_whitespace(),
            |c: char| c.is_whitespace() || "\"'`()[]{}<>,;".contains(c),
            |c: char| c.is_whitespace() || "\"'`()[]{}<>,;:=@/&?|\\".contains(c),
        ] {
            let mut start = 0;
            for part in line.split(is_end) {
                let range = start..start + part.len();
                start = range.end;
                start += line
                    .get(start..)
                    .map_or(0, |rest| rest.chars().next().map_or(0, char::len_utf8));
                // A full stop at the end of a sentence is not part of the secret.
                let bare = part.trim_end_matches(['.', '!', '?', ':']);
                let is_known = |word: &str| {
                    word.len() >= MIN_KNOWN_BYTES && known.contains(&self.baseline.hash_of(word))
                };
                if is_known(part) || is_known(bare) {
                    ranges.push(range);
                }
            }
        }
        ranges
    }

    /// Masks all secrets in diagnostics.
    pub fn scrub(&self, notes: &mut [Diagnostic]) {
        for note in notes {
            note.each_text(&mut |text| {
                if let Cow::Owned(masked) = self.masked(text) {
                    *text = masked;
                }
            });
        }
    }

    /// Returns a scrubber for the diagnostics of a part of a source that was read from `inputs`. It masks
    /// secrets that are quoted in full, cut off, or quoted as one line of several. If there are no `notes`,
    /// the inputs are not searched.
    pub fn scrubber(
        &self,
        found: &[&mut Found],
        notes: &[Diagnostic],
        inputs: &[Input],
    ) -> Scrubber {
        let mut known = Fragments::default();
        let mut add = |secret: &str| known.add(secret, is_varied);
        for one in found {
            add(&one.secret);
        }
        for input in inputs.iter().filter(|_| !notes.is_empty()) {
            let text = String::from_utf8_lossy(&input.bytes);
            for range in self.secret_ranges(&text) {
                add(text.get(range).unwrap_or_default());
            }
        }
        Scrubber(known)
    }

    /// Returns the ranges of secrets of all tiers in a text, whatever the policy is.
    fn secret_ranges(&self, text: &str) -> Vec<Range<usize>> {
        let found = spelled_matches(text, &SECRETS).into_iter();
        let mut ranges: Vec<Range<usize>> = found.map(|found| found.range).collect();
        ranges.extend(self.env.find(text).into_iter().map(|hit| hit.range));
        ranges.extend(self.own.find(text).into_iter().map(|(range, ..)| range));
        ranges.sort_by_key(|range| (range.start, range.end));
        ranges
    }
}

/// Masks the secrets of a part of a source in its diagnostics.
pub struct Scrubber(Fragments);

impl Scrubber {
    /// Masks the secrets in diagnostics.
    pub fn scrub(&self, notes: &mut [Diagnostic], gate: &Gate) {
        for note in notes {
            note.each_text(&mut |text| {
                let mut ranges = gate.secret_ranges(text);
                ranges.extend(self.0.find(text).into_iter().map(|part| part.range));
                ranges.sort_by_key(|range| (range.start, range.end));
                if let Cow::Owned(masked) = masked_at(text, &ranges) {
                    *text = masked;
                }
            });
        }
    }
}

/// Returns whether a part of a secret is more than one repeated character, which also occurs in ordinary text.
fn is_varied(part: &[u8]) -> bool {
    part.iter().any(|byte| Some(byte) != part.first())
}

/// Returns the text with each range masked except for a few characters. The ranges must be sorted.
fn masked_at<'t>(text: &'t str, ranges: &[Range<usize>]) -> Cow<'t, str> {
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match merged.last_mut().filter(|last| range.start <= last.end) {
            Some(last) => last.end = last.end.max(range.end),
            None => merged.push(range.clone()),
        }
    }
    if merged.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    let mut done = 0;
    for range in merged {
        out.push_str(text.get(done..range.start).unwrap_or_default());
        out.push('…');
        done = range.end;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    Cow::Owned(out)
}
