//! The files of a segment as bytes.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;
use serde_json::json;

use super::super::bytes::{put, put_after};
use super::batch::Batch;
use super::gather::{List, Shape};
use super::run::Merge;
use super::threads::together;
use super::words::Words;
use super::{BLOCK, Counts, Document};
use crate::diag::{Diagnostic, Severity};
use crate::sources::Bodies;

/// A file of a segment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Which {
    /// Terms with their turns.
    Postings(usize),
    /// Terms with their positions.
    Positions(usize),
    /// What results show.
    Documents(usize),
    /// Days, speakers and so on.
    Facets(usize),
    /// Words of that many letters.
    Words(usize),
}

impl Which {
    pub(super) fn name(self) -> String {
        let (kind, number) = match self {
            Self::Postings(number) => ('p', number),
            Self::Positions(number) => ('q', number),
            Self::Documents(number) => ('d', number),
            Self::Facets(number) => ('f', number),
            Self::Words(number) => ('w', number),
        };
        format!("{kind}{number}.bin")
    }
}

/// The files of a segment, and what the root says of them.
pub(super) struct Files {
    files: BTreeMap<Which, Vec<u8>>,
    pub(super) summary: Summary,
}

/// What the root says of a segment.
#[derive(Serialize)]
pub(super) struct Summary {
    /// Number of turns.
    turns: u64,
    /// The first term of each file of postings.
    postings: Vec<String>,
    /// The first term of each file of positions.
    positions: Vec<String>,
    /// Terms that stand in very many turns, with the number of these.
    common: Vec<(String, u32)>,
    /// Whether words have a file for each of their lengths.
    by_length: bool,
    /// The size of the file of facets. Bytes.
    facets: usize,
}

impl Files {
    /// The bytes of one; none for a file that the segment has no use for.
    pub(super) fn get(&self, which: Which) -> Vec<u8> {
        self.files.get(&which).cloned().unwrap_or_else(|| packed(&[]))
    }
}

/// Terms in fewer turns are never common: they cost nobody much.
const COMMON: u32 = 20_000;
/// A common term stands in more than one turn of this many.
const COMMON_SHARE: u64 = 8;

/// Makes all files of a segment.
pub(super) fn make(
    batches: &[Arc<Batch>],
    counts: Counts,
    bodies: &Bodies,
) -> Result<Files, Box<Diagnostic>> {
    // A conversation that cannot be read again fails all: an index that lacks one must not stand
    // under the name of one that has it.
    let runs: Result<Vec<_>, _> =
        batches.iter().map(|batch| batch.take(bodies)).collect();
    let runs = runs?;
    let heads = || runs.iter().map(|run| &run.head);
    let turns = heads().map(|head| head.turns).sum();
    let mean =
        heads().map(|head| head.words).sum::<u64>() as f64 / f64::max(turns as f64, 1.0);
    let mut postings =
        Divider::new(counts.postings, heads().map(|head| head.postings).sum());
    let mut positions =
        Divider::new(counts.positions, heads().map(|head| head.positions).sum());
    let shapes: Vec<&Shape> = heads().flat_map(|head| &head.shapes).collect();
    let mut merge = Merge::new(&runs);
    let (mut common, mut words) = (Vec::new(), Words::new(counts.by_length));
    let least = if counts.by_length { 2 } else { 1 };
    let work = |job: Job<'_>| job.files(mean);
    let files = together(work, |made| {
        made(Job::Others(batches, shapes));
        for (term, mut list) in &mut merge {
            if is_common(&list, turns) {
                if !term.contains(':') {
                    common.push((term.to_string(), list.turns));
                }
                flatten(&mut list, mean);
            }
            let (postings_size, positions_size) =
                (list.postings_size(&term), list.positions_size(&term));
            if u64::from(list.turns) * DENSE_SHARE > turns && list.turns >= COMMON {
                list.make_dense();
            }
            if !list.positions.is_empty() {
                if list.turns >= least {
                    words.add(&list);
                }
                let places = std::mem::take(&mut list.positions);
                if let Some(group) = positions.add((term.clone(), places), positions_size)
                {
                    made(Job::Positions(group));
                }
            }
            if let Some(group) = postings.add((term, list), postings_size) {
                made(Job::Postings(group));
            }
        }
        made(Job::Postings(postings.rest()));
        made(Job::Positions(positions.rest()));
        words.lines().for_each(|(letters, lines)| made(Job::Words(letters, lines)));
    });
    let files: BTreeMap<_, _> = files.into_iter().collect();
    if merge.is_broken() {
        let message =
            "what was remembered of the search index went away while it was used";
        let note = Diagnostic::new(Severity::Error, "changed", message);
        return Err(Box::new(note.hint("build again")));
    }
    let summary = Summary {
        turns,
        postings: postings.firsts,
        positions: positions.firsts,
        common,
        by_length: counts.by_length,
        facets: files.get(&Which::Facets(0)).map_or(0, Vec::len),
    };
    Ok(Files { files, summary })
}

/// Files to be made.
enum Job<'a> {
    Postings(Group<List>),
    Positions(Group<Vec<u8>>),
    /// Letters of words, and lines of these.
    Words(usize, String),
    /// What holds no words.
    Others(&'a [Arc<Batch>], Vec<&'a Shape>),
}

/// The number of a file and its terms.
type Group<T> = (usize, Vec<(Box<str>, T)>);

impl Job<'_> {
    fn files(self, mean: f64) -> Vec<(Which, Vec<u8>)> {
        match self {
            Self::Postings((number, group)) => {
                vec![(Which::Postings(number), postings_file(group, mean))]
            }
            Self::Positions((number, group)) => {
                vec![(Which::Positions(number), positions_file(group))]
            }
            Self::Words(letters, lines) => {
                let lines = super::words::sorted(&lines);
                vec![(Which::Words(letters), packed(&[lines.as_bytes()]))]
            }
            Self::Others(batches, shapes) => others(batches, &shapes),
        }
    }
}

/// The files that hold no words.
fn others(batches: &[Arc<Batch>], shapes: &[&Shape]) -> Vec<(Which, Vec<u8>)> {
    let documents = batches.iter().flat_map(|batch| &batch.documents);
    let documents: Vec<&Document> = documents.map(|document| &**document).collect();
    let mut files = Vec::new();
    for (number, block) in documents.chunks(BLOCK).enumerate() {
        let rows: Vec<_> = block
            .iter()
            .zip(&shapes[number * BLOCK..])
            .map(|(document, shape)| {
                let (title, day) = (&document.entry.title, document.day());
                json!([document.path, title, day, shape.parts])
            })
            .collect();
        let rows = json!(rows).to_string();
        files.push((Which::Documents(number), packed(&[rows.as_bytes()])));
    }
    let facets = super::facets::file(&documents, shapes);
    files.push((Which::Facets(0), packed(&[facets.as_bytes()])));
    files
}

/// Divides terms into files of about the same size, in order.
struct Divider<T> {
    /// How many files there may be; fewer only where there are fewer terms.
    count: usize,
    /// What is to come. Bytes.
    left: u64,
    /// What is in the group. Bytes.
    filled: u64,
    number: usize,
    group: Vec<(Box<str>, T)>,
    /// The first term of each file.
    firsts: Vec<String>,
}

impl<T> Divider<T> {
    fn new(count: usize, left: u64) -> Self {
        Self { count, left, filled: 0, number: 0, group: Vec::new(), firsts: Vec::new() }
    }

    /// Adds a term. The group before it, if it starts a new one.
    fn add(&mut self, item: (Box<str>, T), size: usize) -> Option<Group<T>> {
        let size = size as u64;
        let remaining = self.count.saturating_sub(self.number + 1) as u64;
        let share = (self.left + self.filled) / (remaining + 1);
        // Half of an item over the share is as good as half of one below.
        let is_full = remaining > 0 && self.filled > 0 && self.filled + size / 2 >= share;
        let full = is_full.then(|| self.rest());
        if full.is_some() {
            self.number += 1;
            self.filled = 0;
        }
        if self.group.is_empty() {
            self.firsts.push(item.0.to_string());
        }
        self.filled += size;
        self.left = self.left.saturating_sub(size);
        self.group.push(item);
        full
    }

    fn rest(&mut self) -> Group<T> {
        (self.number, std::mem::take(&mut self.group))
    }
}

/// Terms with their turns and weights: the dictionary after its length in bytes, then for all
/// terms the gaps between conversations, the places of turns, and a byte of weight for each. In
/// the dictionary stand for each term the number of its turns, times two, and one more if its
/// places are dense; and the lengths of its gaps and of its places.
fn postings_file(group: Vec<(Box<str>, List)>, mean: f64) -> Vec<u8> {
    let (mut dictionary, mut before) = (Vec::new(), "");
    let (mut gaps, mut places, mut weights) = (Vec::new(), Vec::new(), Vec::new());
    put(group.len() as u64, &mut dictionary);
    for (term, list) in &group {
        let documents = list.documents();
        put_after(term, before, &mut dictionary);
        before = term;
        let turns = list.turns as usize * 2 + usize::from(list.is_dense);
        for number in [turns, documents.len(), list.places.len()] {
            put(number as u64, &mut dictionary);
        }
        gaps.extend_from_slice(&documents);
        places.extend_from_slice(&list.places);
        weights.extend(list.counts.iter().map(|(count, len)| weight(*count, *len, mean)));
    }
    let mut start = Vec::new();
    put(dictionary.len() as u64, &mut start);
    start.append(&mut dictionary);
    packed(&[&start, &gaps, &places, &weights])
}

/// Whether a term stands in so many turns that a query of several words leaves it out.
fn is_common(list: &List, turns: u64) -> bool {
    list.turns >= COMMON && u64::from(list.turns) * COMMON_SHARE > turns
}

/// Where a term stands in more than one turn of this many, a bit for each turn takes less room.
const DENSE_SHARE: u64 = 5;

/// Turns of a common term that keep their weights.
const CHAMPIONS: usize = 1000;

/// How much more a title counts than a turn; the script has the same.
const TITLE: u32 = 2;

/// Makes all but the best turns of a common term alike: beside other words it is left out of a
/// query, and alone nobody asks for the rest in order.
fn flatten(list: &mut List, mean: f64) {
    let weigh = |((count, len), is_title): (&(u8, u16), bool)| {
        // Weights are third powers.
        u32::from(weight(*count, *len, mean)) * if is_title { TITLE.pow(3) } else { 1 }
    };
    let titles = list.titles();
    let weights = list.counts.iter().zip(titles).map(weigh);
    let weights: Vec<u32> = weights.collect();
    let mut sorted = weights.clone();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    let Some(least) = sorted.get(CHAMPIONS).copied() else { return };
    for (counts, _) in list.counts.iter_mut().zip(weights).filter(|(_, it)| *it <= least)
    {
        *counts = (u8::from(counts.0 > 0), u16::MAX);
    }
}

/// The weight that nothing exceeds.
const HEAVIEST: u8 = 200;

/// How sure BM25 is of a turn that has a term `count` times among `len` words, where turns have
/// `mean` words, with the parameters 1.2 and 0.75: 0 to [`HEAVIEST`] for 0 to 2.2, by the third
/// power: what decides about the first ten results is told apart finely and the rest coarsely.
/// Measured, it finds 98 of the 100 that exact weights find; equal steps take more room and find
/// 97.
fn weight(count: u8, len: u16, mean: f64) -> u8 {
    if count == 0 {
        return 0;
    }
    let (count, len) = (f64::from(count), f64::from(len) / mean.max(1.0));
    let weight = count * 2.2 / (count + 1.2 * (0.25 + 0.75 * len));
    let steps = (weight / 2.2).powi(3) * f64::from(HEAVIEST);
    (steps.round() as u8).clamp(1, HEAVIEST)
}

/// Terms with their positions: the dictionary after its length in bytes, then the positions of
/// all terms.
fn positions_file(group: Vec<(Box<str>, Vec<u8>)>) -> Vec<u8> {
    let (mut dictionary, mut before, mut all) = (Vec::new(), "", Vec::new());
    put(group.len() as u64, &mut dictionary);
    for (term, positions) in &group {
        put_after(term, before, &mut dictionary);
        before = term;
        put(positions.len() as u64, &mut dictionary);
        all.extend_from_slice(positions);
    }
    let mut start = Vec::new();
    put(dictionary.len() as u64, &mut start);
    start.append(&mut dictionary);
    packed(&[&start, &all])
}

/// Bytes as they stand in a file. Each part is packed for itself, because its bytes are as
/// frequent as they are in no other; it saves a twentieth.
fn packed(parts: &[&[u8]]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(vec![0; 4], Compression::new(LEVEL));
    for part in parts {
        let written = encoder.write_all(part).and_then(|()| encoder.flush());
        written.expect("memory takes all bytes");
    }
    let mut file = encoder.finish().expect("memory takes all bytes");
    let sum = checksum(&file[4..]);
    file[..4].copy_from_slice(&sum.to_le_bytes());
    // All files of a segment are in memory together, so none takes more than it needs, which
    // shrinking does not ensure.
    file.as_slice().to_vec()
}

/// What packing costs against what it saves, measured: higher levels save two bytes in a
/// hundred and take three times as long.
const LEVEL: u32 = 4;

/// FNV-1a, which a script computes as easily.
fn checksum(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .fold(0x811C_9DC5, |sum, byte| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::super::super::bytes::put;
    use super::{CHAMPIONS, List, flatten};

    #[test]
    fn a_common_word_keeps_the_weights_of_titles() {
        let mut list = List::default();
        for _ in 0..CHAMPIONS * 6 / 10 {
            // A title, and a shorter turn.
            put(0, &mut list.places);
            put(1 << 1 | 1, &mut list.places);
            list.counts.extend([(1, 8), (1, 4)]);
        }
        flatten(&mut list, 40.0);
        let lens = list.counts.iter().map(|(_, len)| *len);
        assert!(lens.clone().step_by(2).all(|len| len == 8));
        assert!(lens.skip(1).step_by(2).all(|len| len == u16::MAX));
    }
}
