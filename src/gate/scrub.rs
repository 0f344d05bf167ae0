//! Redacts secrets in reports, which may quote the text that they are about.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use super::Gate;
use super::inspect::Found;
use super::secrets::{RuleKind, RuleSet};
use super::spellings::spelled_matches;
use crate::diag::Diagnostic;
use crate::formats::Input;
use crate::hash::Hash;

/// The length of the parts by which a secret is recognised if only some of it is quoted.
const PART_BYTES: usize = 8;
/// The minimum length in bytes of a word that is compared with known secrets.
const MIN_KNOWN_BYTES: usize = 4;
/// All rules that find secrets.
static SECRETS: LazyLock<RuleSet> =
    LazyLock::new(|| RuleSet::of(|rule| rule.kind == RuleKind::Secret));
/// The maximum total size of the secrets that are split into parts.
const MAX_SECRET_BYTES: usize = 1 << 20;

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
        let mut known: Vec<String> = found.iter().map(|one| one.secret.clone()).collect();
        for input in inputs.iter().filter(|_| !notes.is_empty()) {
            let text = String::from_utf8_lossy(&input.bytes);
            let ranges = self.secret_ranges(&text).into_iter();
            known.extend(ranges.filter_map(|range| Some(text.get(range)?.to_owned())));
        }
        Scrubber(Parts::of(&known))
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
pub struct Scrubber(Parts);

impl Scrubber {
    /// Masks the secrets in diagnostics.
    pub fn scrub(&self, notes: &mut [Diagnostic], gate: &Gate) {
        for note in notes {
            note.each_text(&mut |text| {
                let mut ranges = gate.secret_ranges(text);
                self.0.find(text, &mut ranges);
                ranges.sort_by_key(|range| (range.start, range.end));
                if let Cow::Owned(masked) = masked_at(text, &ranges) {
                    *text = masked;
                }
            });
        }
    }
}

/// Parts of secrets of a fixed length, in lower case, to recognise secrets that are cut off.
struct Parts(HashSet<[u8; PART_BYTES]>);

impl Parts {
    fn of(secrets: &[String]) -> Self {
        let mut parts = HashSet::new();
        let mut left = MAX_SECRET_BYTES;
        for secret in secrets {
            let secret = &secret.as_bytes()[..secret.len().min(left)];
            left -= secret.len();
            let windows = secret.windows(PART_BYTES);
            // Parts with spaces, or of one repeated character, also occur in ordinary text.
            let reports =
                |part: &&[u8]| !part.contains(&b' ') && part.iter().any(|byte| *byte != part[0]);
            parts.extend(
                windows
                    .filter(reports)
                    .map(<[u8]>::to_ascii_lowercase)
                    .filter_map(|part| <[u8; PART_BYTES]>::try_from(part).ok()),
            );
        }
        Self(parts)
    }

    /// Adds the ranges of parts of secrets in a text.
    fn find(&self, text: &str, ranges: &mut Vec<Range<usize>>) {
        if self.0.is_empty() {
            return;
        }
        let lower = text.to_ascii_lowercase();
        for (at, part) in lower.as_bytes().windows(PART_BYTES).enumerate() {
            if self.0.contains(part) {
                let start = text.floor_char_boundary(at);
                ranges.push(start..text.ceil_char_boundary(at + PART_BYTES));
            }
        }
    }
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
