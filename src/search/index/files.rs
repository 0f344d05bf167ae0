//! The files of a segment as bytes.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Arc, Mutex};
use std::thread;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;
use serde_json::json;

use super::super::bytes::{put, put_after};
use super::gather::{Gathered, List, Shape, gather, words};
use super::{BLOCK, Counts, Digests, Document, LETTERS, locked};
use crate::diag::Diagnostic;
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
    documents: &[Arc<Document>],
    counts: Counts,
    bodies: &Bodies,
    digests: &Digests,
) -> Result<Files, Box<Diagnostic>> {
    let Gathered { lists, shapes, turns, words } = gather(documents, bodies, digests)?;
    let mean = words as f64 / turns.max(1) as f64;
    let mut lists: Vec<(Box<str>, List)> = lists.into_iter().collect();
    lists.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    let common: Vec<(String, u32)> = lists
        .iter()
        .filter(|(term, list)| is_common(list, turns) && !term.contains(':'))
        .map(|(term, list)| (term.to_string(), list.turns))
        .collect();
    for (_, list) in lists.iter_mut().filter(|(_, list)| is_common(list, turns)) {
        flatten(list, mean);
        if u64::from(list.turns) * DENSE_SHARE > turns {
            list.make_dense();
        }
    }
    let mut files = dictionary(&lists, counts.by_length);
    let mut positions: Vec<(Box<str>, Vec<u8>)> = Vec::with_capacity(lists.len());
    for (term, list) in &mut lists {
        if !list.positions.is_empty() {
            positions.push((term.clone(), std::mem::take(&mut list.positions)));
        }
    }
    let positions =
        divide(positions, counts.positions, |(term, places)| term.len() + places.len());
    let lists = divide(lists, counts.postings, |(term, list)| {
        term.len() + list.places.len() + 2 * list.counts.len()
    });
    let first =
        |group: Option<&Box<str>>| group.map_or_else(String::new, |t| t.to_string());
    let mut summary = Summary {
        turns,
        postings: lists.iter().map(|g| first(g.first().map(|(term, _)| term))).collect(),
        positions: positions
            .iter()
            .map(|g| first(g.first().map(|(term, _)| term)))
            .collect(),
        common,
        by_length: counts.by_length,
        facets: 0,
    };
    let others = thread::scope(|scope| {
        let others = scope.spawn(|| others(documents, &shapes));
        files.extend(all(lists, Which::Postings, |group| postings_file(group, mean)));
        files.extend(all(positions, Which::Positions, positions_file));
        others.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    summary.facets = others.get(&Which::Facets(0)).map_or(0, Vec::len);
    files.extend(others);
    Ok(Files { files, summary })
}

/// The files that hold no terms.
fn others(documents: &[Arc<Document>], shapes: &[Shape]) -> BTreeMap<Which, Vec<u8>> {
    let mut files = BTreeMap::new();
    for (number, block) in documents.chunks(BLOCK).enumerate() {
        let rows: Vec<_> = block
            .iter()
            .zip(&shapes[number * BLOCK..])
            .map(|(document, shape)| {
                json!([document.path, document.title, document.day, shape.parts])
            })
            .collect();
        files.insert(
            Which::Documents(number),
            packed(&[json!(rows).to_string().as_bytes()]),
        );
    }
    let facets = super::facets::file(documents, shapes);
    files.insert(Which::Facets(0), packed(&[facets.as_bytes()]));
    files
}

/// Groups of about the same size, in order. Never more than `count`; fewer only where there are
/// fewer items.
fn divide<T>(items: Vec<T>, count: usize, size: impl Fn(&T) -> usize) -> Vec<Vec<T>> {
    let mut left: usize = items.iter().map(&size).sum();
    let mut groups: Vec<Vec<T>> = vec![Vec::new()];
    let mut filled = 0;
    for item in items {
        let size = size(&item);
        let remaining = count.saturating_sub(groups.len());
        let share = (left + filled) / (remaining + 1);
        // Half of an item over the share is as good as half of one below.
        if remaining > 0 && filled > 0 && filled + size / 2 >= share {
            groups.push(Vec::new());
            filled = 0;
        }
        filled += size;
        left -= size;
        groups.last_mut().expect("never empty").push(item);
    }
    groups
}

/// Makes the files of all groups, several at a time.
fn all<T: Send>(
    groups: Vec<Vec<T>>,
    which: fn(usize) -> Which,
    file: impl Fn(Vec<T>) -> Vec<u8> + Sync,
) -> Vec<(Which, Vec<u8>)> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(8);
    let waiting = Mutex::new(groups.into_iter().enumerate());
    let work = || {
        let mut made = Vec::new();
        loop {
            let next = locked(&waiting).next();
            let Some((number, group)) = next else { return made };
            made.push((which(number), file(group)));
        }
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let joined = threads.into_iter().flat_map(|thread| match thread.join() {
            Ok(made) => made,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        joined.collect()
    })
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
        weights.extend(
            list.counts.iter().map(|[count, length]| weight(*count, *length, mean)),
        );
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

/// Makes all but the best turns of a common term alike: beside other words it is left out of a
/// query, and alone nobody asks for the rest in order.
fn flatten(list: &mut List, mean: f64) {
    let weigh = |[count, length]: &[u8; 2]| weight(*count, *length, mean);
    let mut weights: Vec<u8> = list.counts.iter().map(weigh).collect();
    weights.sort_unstable_by(|a, b| b.cmp(a));
    let Some(least) = weights.get(CHAMPIONS).copied() else { return };
    for counts in list.counts.iter_mut().filter(|counts| weigh(counts) <= least) {
        *counts = [u8::from(counts[0] > 0), u8::MAX];
    }
}

/// The weight that nothing exceeds.
const HEAVIEST: u8 = 200;

/// How sure BM25 is of a turn that has a term `count` times among `len` words, where turns have
/// `mean` words, with the parameters 1.2 and 0.75: 0 to [`HEAVIEST`] for 0 to 2.2, by the third
/// power: what decides about the first ten results is told apart finely and the rest coarsely.
/// Measured, it finds 98 of the 100 that exact weights find; equal steps take more room and find
/// 97.
fn weight(count: u8, length: u8, mean: f64) -> u8 {
    if count == 0 {
        return 0;
    }
    let (count, length) = (f64::from(count), words(length) / mean.max(1.0));
    let weight = count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length));
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

/// The words that a mistyped one may be mended to: a line for each, with a letter from `a` for
/// how often it stands, each next one twice as often.
fn dictionary(lists: &[(Box<str>, List)], by_length: bool) -> BTreeMap<Which, Vec<u8>> {
    let mut files: BTreeMap<usize, String> = BTreeMap::new();
    let least = if by_length { 2 } else { 1 };
    let lists = lists.iter().map(|(_, list)| list);
    let lists = lists.filter(|list| !list.positions.is_empty() && list.turns >= least);
    let mut words: Vec<(&str, &List)> = lists
        .flat_map(|list| list.surfaces.iter().map(move |surface| (&**surface, list)))
        .filter(|(word, _)| word.chars().all(char::is_alphabetic))
        .collect();
    words.sort_unstable_by_key(|(word, list)| (*word, list.turns));
    words.dedup_by_key(|(word, _)| *word);
    for (word, list) in words {
        let length = word.chars().count();
        if LETTERS.contains(&length) {
            let lines = files.entry(if by_length { length } else { 0 }).or_default();
            lines.push(char::from(b'a' + list.turns.ilog2() as u8));
            lines.push_str(word);
            lines.push('\n');
        }
    }
    let files = files
        .into_iter()
        .map(|(length, lines)| (Which::Words(length), packed(&[lines.as_bytes()])));
    files.collect()
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
    file
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
