//! Where the files of terms begin.
//!
//! An edit should change the files that contain its words, and no others. So each file has a fixed
//! number, and its first term hardly depends on the size of anything: it is one of a sample of all
//! terms, chosen by hash among those near the right place.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::{AddAssign, Range, Sub};

use super::super::varint::{Decoder, put_front_coded, put_number, put_slice};
use super::file_version::checksum;
use crate::hash::Hashing;

/// One term in this many is in the sample, and each with longer lists.
const SAMPLED: u32 = 16;
/// The number of terms of a run below which all are in the sample.
const FEW_TERMS: usize = 8192;
/// The size of long lists in a run, in bytes.
const LONG: u64 = 32;

/// The sampled terms of a run, in order, encoded because a large archive has many runs: each term by front
/// coding, and the part of the run before it.
#[derive(Default)]
pub(super) struct Sample {
    /// Whether all terms are in the sample.
    is_whole: bool,
    terms: Vec<u8>,
    last: SampledTerm,
    /// The number of terms from the last sampled one on, and their hash with their lists.
    since: (u64, Hashing),
    /// The part from the last sampled term on.
    rest: Part,
}

/// Consecutive terms of a run: a sampled one and those up to the next one.
#[derive(Clone, Copy, Default)]
struct Part {
    terms: u64,
    fingerprint: Fingerprint,
}

/// The hash of terms with their lists.
pub(super) type Fingerprint = [u8; 16];

/// A sampled term, with the sizes of all terms before it.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SampledTerm {
    term: String,
    before: Sizes,
}

/// Sizes of lists in bytes, as in [`super::inverter::PostingList`].
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Sizes {
    pub(super) postings: u64,
    pub(super) positions: u64,
}

impl AddAssign for Sizes {
    fn add_assign(&mut self, other: Self) {
        self.postings += other.postings;
        self.positions += other.positions;
    }
}

impl Sub for Sizes {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            postings: self.postings - other.postings,
            positions: self.positions - other.positions,
        }
    }
}

/// Returns the order in which terms are preferred as boundaries, the lowest first.
fn rank(term: &str) -> u32 {
    checksum(term.as_bytes()).wrapping_mul(0x9E37_79B9)
}

impl Sample {
    /// Creates an empty sample of a run with this number of terms.
    pub(super) fn new(terms: usize) -> Self {
        Self { is_whole: terms < FEW_TERMS, ..Self::default() }
    }

    /// Adds a term with its encoded list, of these sizes. `before` are the sizes of all earlier terms.
    pub(super) fn add(&mut self, term: &str, list: &[u8], own: Sizes, before: Sizes) {
        let is_long = own.postings.max(own.positions) >= LONG;
        // Every part begins with a sampled term.
        let is_first = self.terms.is_empty();
        if self.is_whole || is_first || is_long || rank(term) < u32::MAX / SAMPLED {
            put_front_coded(term, &self.last.term, &mut self.terms);
            let since = before - self.last.before;
            put_number(since.postings, &mut self.terms);
            put_number(since.positions, &mut self.terms);
            self.end_part().encode(&mut self.terms);
            self.last = SampledTerm { term: term.to_owned(), before };
        }
        let (terms, hashing) = &mut self.since;
        *terms += 1;
        hashing.update(&(term.len() as u64).to_le_bytes());
        hashing.update(term.as_bytes());
        hashing.update(list);
    }

    /// Ends the sample, after all terms.
    pub(super) fn finish(&mut self) {
        self.rest = self.end_part();
    }

    fn end_part(&mut self) -> Part {
        let (terms, hashing) = std::mem::take(&mut self.since);
        Part { terms, fingerprint: hashing.finish().bytes() }
    }

    /// Appends it to the bytes of a run.
    pub(super) fn encode(&self, to: &mut Vec<u8>) {
        put_slice(&self.terms, to);
        self.rest.encode(to);
    }

    /// Decodes one from the bytes of a run.
    pub(super) fn decode(from: &mut Decoder<'_>) -> Self {
        Self { terms: from.slice().to_vec(), rest: Part::decode(from), ..Self::default() }
    }

    /// Returns each sampled term with the part before it.
    fn terms(&self) -> impl Iterator<Item = (SampledTerm, Part)> {
        let (mut terms, mut last) = (Decoder(&self.terms), SampledTerm::default());
        std::iter::from_fn(move || {
            (!terms.is_empty()).then(|| {
                terms.front_coded(&mut last.term);
                last.before += Sizes { postings: terms.number(), positions: terms.number() };
                (last.clone(), Part::decode(&mut terms))
            })
        })
    }

    /// Calls `add` with the number of a file and a fingerprint for each file in which terms of a part may be.
    /// Files begin at `starts`.
    pub(super) fn each_part(&self, starts: &[String], add: &mut dyn FnMut(usize, Fingerprint)) {
        // The file of the sampled term with which the part begins.
        let mut first = 0;
        let mut add_part = |part: Part, first: usize, end: usize| match part.terms {
            0 => {}
            1 => add(first, part.fingerprint),
            _ => (first..end).for_each(|file| add(file, part.fingerprint)),
        };
        for (sampled, part) in self.terms() {
            let later = starts.iter().skip(first + 1);
            let skipped = later.clone().take_while(|start| **start < sampled.term).count();
            add_part(part, first, first + skipped + 1);
            first += later.take_while(|start| **start <= sampled.term).count();
        }
        add_part(self.rest, first, starts.len());
    }
}

impl Part {
    fn encode(self, to: &mut Vec<u8>) {
        put_number(self.terms, to);
        to.extend(self.fingerprint);
    }

    fn decode(from: &mut Decoder<'_>) -> Self {
        Self { terms: from.number(), fingerprint: from.array() }
    }
}

/// Returns where each of `count` files begins, for sampled terms and lists with this total size. Files
/// that begin at the same term are empty except for the last of them.
pub(super) fn boundaries(
    terms: &[SampledTerm],
    total: u64,
    count: usize,
    size: fn(&Sizes) -> u64,
) -> Vec<String> {
    let sizes: Vec<u64> = terms.iter().map(|sampled| size(&sampled.before)).collect();
    let mut starts = vec![None; count];
    divide(terms, &sizes, 0..terms.len(), 0..total, &mut starts);
    let shortest = |start: Option<usize>| {
        let Some(at) = start else { return String::new() };
        let before = at.checked_sub(1).map_or("", |before| &terms[before].term);
        separator(before, &terms[at].term).to_owned()
    };
    starts.into_iter().map(shortest).collect()
}

/// Merges the samples of all runs.
pub(super) fn merge(samples: &[&Sample]) -> Vec<SampledTerm> {
    let mut rests: Vec<_> = samples.iter().map(|sample| sample.terms()).collect();
    let firsts = rests.iter_mut().enumerate();
    let firsts = firsts.filter_map(|(run, rest)| Some((rest.next()?.0, run)));
    let mut next: BinaryHeap<_> = firsts.map(Reverse).collect();
    let (mut of_runs, mut sum) = (vec![Sizes::default(); samples.len()], Sizes::default());
    let mut terms: Vec<SampledTerm> = Vec::new();
    while let Some(Reverse((sampled, run))) = next.pop() {
        sum += sampled.before - of_runs[run];
        of_runs[run] = sampled.before;
        match terms.last_mut().filter(|last| last.term == sampled.term) {
            Some(last) => last.before = sum,
            None => terms.push(SampledTerm { before: sum, ..sampled }),
        }
        next.extend(rests[run].next().map(|(sampled, _)| Reverse((sampled, run))));
    }
    terms
}

/// Finds the first terms of all files but the first, which begins before the terms in `range`. `before` has
/// the size of all lists before each term, and `sizes` is the range of these sizes to divide.
///
/// It divides the files into halves. Near the middle, it takes the term with the lowest rank. A change
/// moves the middle a little, and hardly ever changes which term near it that is.
fn divide(
    terms: &[SampledTerm],
    before: &[u64],
    range: Range<usize>,
    sizes: Range<u64>,
    starts: &mut [Option<usize>],
) {
    let count = starts.len() as u64;
    if count < 2 {
        return;
    }
    if range.is_empty() {
        // The last file contains everything.
        let first = starts[0];
        starts.fill(first);
        return;
    }
    let half = count / 2;
    let len = sizes.end.saturating_sub(sizes.start);
    let middle = sizes.start + len / count * half;
    let reach = (len / 400).max(len / count / 8);
    let first_after =
        |size: u64| range.start + before[range.clone()].partition_point(|before| *before < size);
    let near = first_after(middle.saturating_sub(reach))..first_after(middle + reach + 1);
    let chosen = near.min_by_key(|at| rank(&terms[*at].term));
    // A long list may span the middle.
    let nearest = |at: usize| {
        let both = [at.saturating_sub(1).max(range.start), at.min(range.end - 1)];
        both.into_iter().min_by_key(|at| before[*at].abs_diff(middle)).unwrap_or(range.start)
    };
    let at = chosen.unwrap_or_else(|| nearest(first_after(middle)));
    let (left, right) = starts.split_at_mut(half as usize);
    right[0] = Some(at);
    divide(terms, before, range.start..at, sizes.start..before[at], left);
    divide(terms, before, at + 1..range.end, before[at]..sizes.end, right);
}

/// Returns the shortest prefix of `term` that sorts after `before`, which sorts before `term`.
fn separator<'a>(before: &str, term: &'a str) -> &'a str {
    let ends = term.char_indices().map(|(at, c)| at + c.len_utf8());
    let shortest = ends.map(|end| &term[..end]).find(|start| *start > before);
    shortest.unwrap_or(term)
}

#[cfg(test)]
mod tests {
    use super::{Sample, Sizes, boundaries, merge, separator};

    /// The boundaries of 64 files for terms of these sizes.
    fn starts(terms: &[(String, u64)]) -> Vec<String> {
        let (mut sample, mut before) = (Sample::default(), Sizes::default());
        for (term, size) in terms {
            sample.add(term, &[], Sizes { postings: *size, positions: 0 }, before);
            before.postings += size;
        }
        boundaries(&merge(&[&sample]), before.postings, 64, |sizes| sizes.postings)
    }

    fn terms() -> Vec<(String, u64)> {
        (0..40_000_u64).map(|number| (format!("{number:05}"), 5 + number * 7919 % 50)).collect()
    }

    #[test]
    fn a_few_longer_lists_move_few_boundaries() {
        let before = starts(&terms());
        let mut edited = terms();
        for number in (0..40_000).step_by(200) {
            edited[number].1 += 6;
        }
        edited.insert(9_000, ("08999a".to_owned(), 20));
        let after = starts(&edited);
        let moved = before.iter().zip(&after).filter(|(a, b)| a != b).count();
        assert!(moved < 6, "{moved}");
    }

    #[test]
    fn a_changed_list_changes_the_fingerprint_of_its_file_and_at_most_one_other() {
        let files = starts(&terms());
        // Runs of many terms, of few, and one that begins in a later file.
        for (first, step) in [(0, 1), (0, 100), (17_003, 1), (39_000, 7)] {
            let run: Vec<_> = terms().into_iter().skip(first).step_by(step).collect();
            let parts = |changed: &str| {
                let mut sample = Sample::new(run.len());
                for (term, size) in &run {
                    let list = [u8::from(term == changed)];
                    let sizes = Sizes { postings: *size, positions: 0 };
                    sample.add(term, &list, sizes, Sizes::default());
                }
                sample.finish();
                let mut all = vec![Vec::new(); files.len()];
                sample.each_part(&files, &mut |file, part| all[file].push(part));
                all
            };
            let before = parts("");
            for (term, _) in run.iter().take(3).chain(run.iter().step_by(run.len() / 5)) {
                let after = parts(term);
                let file = files.partition_point(|start| start <= term) - 1;
                let changed: Vec<usize> =
                    (0..files.len()).filter(|file| before[*file] != after[*file]).collect();
                assert!(changed.contains(&file) && changed.len() <= 2, "{term}: {changed:?}");
            }
        }
    }

    #[test]
    fn files_have_about_the_same_size() {
        let (starts, terms) = (starts(&terms()), terms());
        let total: u64 = terms.iter().map(|(_, size)| size).sum();
        assert!(starts.is_sorted() && starts[0].is_empty());
        for (number, start) in starts.iter().enumerate() {
            let end = starts.get(number + 1);
            let own =
                terms.iter().filter(|(term, _)| term >= start && end.is_none_or(|end| term < end));
            let size: u64 = own.map(|(_, size)| size).sum();
            assert!(size * 64 < total * 3 && size * 64 * 3 > total, "{number}: {size}");
        }
    }

    #[test]
    fn without_terms_all_files_but_the_last_are_empty() {
        assert!(starts(&[]).iter().all(String::is_empty));
    }

    #[test]
    fn starts_are_as_short_as_possible() {
        for (before, term, expected) in [
            ("heron", "moss", "m"),
            ("moss", "mosses", "mosse"),
            ("moss", "mossy", "mossy"),
            ("moss", "moss:", "moss:"),
            ("", "moss", "m"),
            ("ß", "日本", "日"),
        ] {
            assert_eq!(separator(before, term), expected, "{before} {term}");
        }
    }
}
