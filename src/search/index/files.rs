//! The files of a segment as bytes.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;
use serde_json::json;

use super::super::varint::{put_front_coded, put_number};
use super::batch::Batch;
use super::boundaries::{Sample, Sizes, boundaries, merge};
use super::document::Document;
use super::file_counts::{DOCUMENTS_PER_FILE, FileCounts};
use super::file_kind::FileKind;
use super::file_version::{FileVersion, VERSION_DIGITS};
use super::inverter::{PostingList, TurnLayout};
use super::run::RunMerger;
use super::run_cache::RunCache;
use super::spelling::SpellingWords;
use super::threads::run_jobs;
use crate::diag::{Diagnostic, Severity};
use crate::hash::Hash;
use crate::sources::TextStore;

/// The files of a segment, with their summary.
pub(super) struct SegmentFiles {
    files: BTreeMap<FileKind, (FileVersion, FileBytes)>,
    /// The store of large files.
    shelf: Option<Shelf>,
    pub(super) summary: Summary,
}

/// The summary of a segment in the root file.
#[derive(Serialize)]
pub(super) struct Summary {
    /// Number of turns.
    turns: u64,
    /// Where each file of postings begins: all its terms are at or after this text.
    postings: Vec<String>,
    /// The same for each file of positions.
    positions: Vec<String>,
    /// The versions of all files, by the letter of their kind, concatenated in order.
    versions: BTreeMap<char, String>,
    /// Very common terms, with the number of their turns.
    common: Vec<(String, u32)>,
    /// Whether words have one file for each length.
    by_length: bool,
    /// The sizes of the files of facets, in bytes.
    facets: [usize; 2],
}

/// The bytes of a file of a segment.
enum FileBytes {
    InMemory(Vec<u8>),
    /// The size of a file on the shelf.
    OnShelf(usize),
}

impl FileBytes {
    fn len(&self) -> usize {
        match self {
            Self::InMemory(bytes) => bytes.len(),
            Self::OnShelf(len) => *len,
        }
    }
}

/// A shelf: the store for the large files of a segment until they are written, because those of a
/// large archive take more memory than anything else.
#[derive(Clone)]
pub(super) struct Shelf {
    /// The key of the segment.
    pub(super) segment: Hash,
    pub(super) runs: Arc<RunCache>,
}

/// The minimum size of a file on the shelf, in bytes.
const MIN_SHELVED_BYTES: usize = 256 << 10;

impl Shelf {
    fn key(&self, kind: FileKind) -> Hash {
        Hash::of(&(self.segment, kind.name()))
    }

    fn put(&self, kind: FileKind, bytes: Vec<u8>) -> FileBytes {
        let is_there =
            bytes.len() >= MIN_SHELVED_BYTES && self.runs.put_file(self.key(kind), &bytes);
        match is_there {
            true => FileBytes::OnShelf(bytes.len()),
            false => FileBytes::InMemory(bytes),
        }
    }
}

impl SegmentFiles {
    /// Returns the bytes of a file. Returns `None` if the shelf has lost them.
    pub(super) fn get(&self, kind: FileKind) -> Option<Vec<u8>> {
        match self.files.get(&kind) {
            Some((_, FileBytes::InMemory(bytes))) => Some(bytes.clone()),
            Some((version, FileBytes::OnShelf(len))) => {
                let shelf = self.shelf.as_ref()?;
                let bytes = shelf.runs.file(shelf.key(kind), *len)?;
                (FileVersion::of(&bytes) == *version).then_some(bytes)
            }
            None => Some(empty(kind)),
        }
    }
}

/// The minimum number of turns of a common term. Terms in fewer turns are cheap.
const COMMON_MIN_TURNS: u32 = 20_000;
/// A common term occurs in more than one turn of this many.
const COMMON_SHARE: u64 = 8;

/// Makes all files of a segment.
pub(super) fn make(
    batches: &[Arc<Batch>],
    counts: FileCounts,
    texts: &TextStore,
    shelf: Option<Shelf>,
) -> Result<SegmentFiles, Box<Diagnostic>> {
    // A conversation that cannot be read again fails everything: an incomplete index must not look
    // like a complete one.
    let runs: Result<Vec<_>, _> = batches.iter().map(|batch| batch.take(texts)).collect();
    let runs = runs?;
    let headers = || runs.iter().map(|run| &run.header);
    let turns = headers().map(|header| header.turns).sum();
    let mean =
        headers().map(|header| header.words).sum::<u64>() as f64 / f64::max(turns as f64, 1.0);
    let mean = stable_mean(mean);
    let samples: Vec<&Sample> = headers().map(|header| &header.sample).collect();
    let sampled = merge(&samples);
    let splitter = |count, size: fn(&Sizes) -> u64| {
        let total = headers().map(|header| size(&header.sizes)).sum();
        boundaries(&sampled, total, count, size)
    };
    let mut postings = FileSplitter::new(splitter(counts.postings, |sizes| sizes.postings));
    let mut positions = FileSplitter::new(splitter(counts.positions, |sizes| sizes.positions));
    let layouts: Vec<&TurnLayout> = headers().flat_map(|header| &header.layouts).collect();
    let mut lists = RunMerger::new(&runs);
    let (mut common, mut words) = (Vec::new(), SpellingWords::new(counts.by_length));
    let least = if counts.by_length { 2 } else { 1 };
    let work = |job: Job<'_>| {
        let made = job.files(mean).into_iter().map(|(kind, bytes)| {
            let version = FileVersion::of(&bytes);
            let bytes = match &shelf {
                Some(shelf) => shelf.put(kind, bytes),
                None => FileBytes::InMemory(bytes),
            };
            (kind, (version, bytes))
        });
        made.collect()
    };
    let files = run_jobs(work, |submit| {
        submit(Job::Documents(batches, layouts));
        for (term, mut list) in &mut lists {
            if is_common(&list, turns) {
                if !term.contains(':') {
                    common.push((term.to_string(), list.turns));
                }
                flatten(&mut list, mean);
            }
            if u64::from(list.turns) * DENSE_SHARE > turns && list.turns >= COMMON_MIN_TURNS {
                list.make_dense();
            }
            if list.turns >= least && (!list.positions.is_empty() || is_name(&term)) {
                words.add(&list);
            }
            if !list.positions.is_empty() {
                let places = std::mem::take(&mut list.positions);
                if let Some(group) = positions.add((term.clone(), places)) {
                    submit(Job::Positions(group));
                }
            }
            if let Some(group) = postings.add((term, list)) {
                submit(Job::Postings(group));
            }
        }
        submit(Job::Postings(postings.rest()));
        submit(Job::Positions(positions.rest()));
        words.lines().for_each(|(letters, lines)| submit(Job::Words(letters, lines)));
    });
    let files: BTreeMap<_, _> = files.into_iter().collect();
    if lists.is_broken() {
        let message = "the cache of the search index was deleted during the build";
        let note = Diagnostic::new(Severity::Error, "changed", message);
        return Err(Box::new(note.hint("build again")));
    }
    let summary = Summary {
        turns,
        postings: postings.starts,
        positions: positions.starts,
        versions: versions(&files, counts),
        common,
        by_length: counts.by_length,
        facets: [0, 1]
            .map(|number| files.get(&FileKind::Facets(number)).map_or(0, |(_, bytes)| bytes.len())),
    };
    Ok(SegmentFiles { files, shelf, summary })
}

/// A job for the pool: making files.
enum Job<'a> {
    Postings(Group<PostingList>),
    Positions(Group<Vec<u8>>),
    /// The length of words, and lines of these words.
    Words(usize, String),
    /// Titles and facets of conversations.
    Documents(&'a [Arc<Batch>], Vec<&'a TurnLayout>),
}

/// The number of a file, and its terms.
type Group<T> = (usize, Vec<(Box<str>, T)>);

impl Job<'_> {
    fn files(self, mean: f64) -> Vec<(FileKind, Vec<u8>)> {
        match self {
            Self::Postings((number, group)) => {
                vec![(FileKind::Postings(number), postings_file(group, mean))]
            }
            Self::Positions((number, group)) => {
                vec![(FileKind::Positions(number), positions_file(group))]
            }
            Self::Words(letters, lines) => {
                let lines = super::spelling::sorted(&lines);
                vec![(FileKind::Words(letters), pack(&[lines.as_bytes()]))]
            }
            Self::Documents(batches, layouts) => document_files(batches, &layouts),
        }
    }
}

/// Makes the files of titles and of facets.
fn document_files(batches: &[Arc<Batch>], layouts: &[&TurnLayout]) -> Vec<(FileKind, Vec<u8>)> {
    let documents = batches.iter().flat_map(|batch| &batch.documents);
    let documents: Vec<&Document> = documents.map(|document| &**document).collect();
    let mut files = Vec::new();
    for (number, block) in documents.chunks(DOCUMENTS_PER_FILE).enumerate() {
        let rows: Vec<_> = block
            .iter()
            .zip(&layouts[number * DOCUMENTS_PER_FILE..])
            .map(|(document, layout)| {
                let (title, day) = (&document.entry.title, document.day());
                json!([document.path, title, day, layout.parts])
            })
            .collect();
        let rows = json!(rows).to_string();
        files.push((FileKind::Documents(number), pack(&[rows.as_bytes()])));
    }
    let facets = super::facets::files(&documents, layouts).into_iter().enumerate();
    files.extend(
        facets.map(|(number, facets)| (FileKind::Facets(number), pack(&[facets.as_bytes()]))),
    );
    files
}

/// Returns a file that contains nothing, because a very long list fills the files around it.
fn empty(kind: FileKind) -> Vec<u8> {
    match kind {
        FileKind::Postings(_) => postings_file(Vec::new(), 1.0),
        FileKind::Positions(_) => positions_file(Vec::new()),
        FileKind::Documents(_) | FileKind::Facets(_) | FileKind::Words(_) => pack(&[]),
    }
}

/// Divides terms, in order, into files that begin at given terms.
struct FileSplitter<T> {
    /// The start of each file.
    starts: Vec<String>,
    /// The number of the current file.
    number: usize,
    group: Vec<(Box<str>, T)>,
}

impl<T> FileSplitter<T> {
    fn new(starts: Vec<String>) -> Self {
        Self { starts, number: 0, group: Vec::new() }
    }

    /// Adds a term. Returns the previous group if the term starts a new one.
    fn add(&mut self, item: (Box<str>, T)) -> Option<Group<T>> {
        let later = self.starts.iter().skip(self.number + 1);
        let skipped = later.take_while(|start| ***start <= *item.0).count();
        let full = (skipped > 0 && !self.group.is_empty()).then(|| self.rest());
        self.number += skipped;
        self.group.push(item);
        full
    }

    fn rest(&mut self) -> Group<T> {
        (self.number, std::mem::take(&mut self.group))
    }
}

/// Returns whether a term is a word of a speaker's name.
fn is_name(term: &str) -> bool {
    term.ends_with(':') && !term.contains(' ')
}

/// Encodes a file of postings: terms with their turns and weights. The file has the dictionary
/// after its length in bytes, then for all terms the gaps between conversations, the places of
/// turns, and a byte of weight for each turn. For each term, the dictionary has twice the number of
/// its turns, plus one if its places are dense, and the lengths of its gaps and places.
fn postings_file(group: Vec<(Box<str>, PostingList)>, mean: f64) -> Vec<u8> {
    let (mut dictionary, mut before) = (Vec::new(), "");
    let (mut gaps, mut places, mut weights) = (Vec::new(), Vec::new(), Vec::new());
    put_number(group.len() as u64, &mut dictionary);
    for (term, list) in &group {
        let documents = list.documents();
        put_front_coded(term, before, &mut dictionary);
        before = term;
        let turns = list.turns as usize * 2 + usize::from(list.is_dense);
        for number in [turns, documents.len(), list.places.len()] {
            put_number(number as u64, &mut dictionary);
        }
        gaps.extend_from_slice(&documents);
        places.extend_from_slice(&list.places);
        weights.extend(list.counts.iter().map(|(count, len)| weight(*count, *len, mean)));
    }
    let mut start = Vec::new();
    put_number(dictionary.len() as u64, &mut start);
    start.append(&mut dictionary);
    pack(&[&start, &gaps, &places, &weights])
}

/// Returns whether a term is so common that queries with other words ignore it as a stop word.
fn is_common(list: &PostingList, turns: u64) -> bool {
    list.turns >= COMMON_MIN_TURNS && u64::from(list.turns) * COMMON_SHARE > turns
}

/// A term that occurs in more than one turn of this many is stored with one bit for each turn,
/// which takes less space.
const DENSE_SHARE: u64 = 5;

/// The number of turns of a common term that keep their weights (its champion list).
const CHAMPIONS: usize = 1000;

/// The factor by which a title counts more than a turn.
pub const TITLE_WEIGHT: u32 = 2;

/// Gives all but the best turns of a common term the same weight: with other words the term is
/// ignored, and alone only the first results need an order.
fn flatten(list: &mut PostingList, mean: f64) {
    let weigh = |((count, len), is_title): (&(u8, u16), bool)| {
        // The bytes store third powers of weights.
        u32::from(weight(*count, *len, mean)) * if is_title { TITLE_WEIGHT.pow(3) } else { 1 }
    };
    let titles = list.titles();
    let weights = list.counts.iter().zip(titles).map(weigh);
    let weights: Vec<u32> = weights.collect();
    let mut sorted = weights.clone();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    let Some(least) = sorted.get(CHAMPIONS).copied() else { return };
    for (counts, _) in list.counts.iter_mut().zip(weights).filter(|(_, it)| *it <= least) {
        *counts = (u8::from(counts.0 > 0), u16::MAX);
    }
}

/// The highest weight of a term in a turn.
pub const MAX_WEIGHT: u8 = 200;

/// Returns the BM25 weight of a turn that contains a term `count` times among `len` words, where
/// turns have `mean` words on average, with the parameters 1.2 and 0.75. The weights 0 to 2.2
/// become 0 to [`MAX_WEIGHT`] by the third power, which is precise for the first ten results and
/// coarse for the rest. By measurement, it finds 98 of 100 results of exact weights; linear steps
/// take more space and find 97.
fn weight(count: u8, len: u16, mean: f64) -> u8 {
    if count == 0 {
        return 0;
    }
    let (count, len) = (f64::from(count), f64::from(len) / mean.max(1.0));
    let weight = count * 2.2 / (count + 1.2 * (0.25 + 0.75 * len));
    let steps = (weight / 2.2).powi(3) * f64::from(MAX_WEIGHT);
    (steps.round() as u8).clamp(1, MAX_WEIGHT)
}

/// Rounds the mean number of words of turns to a step of 5 %, so that an edit hardly ever changes the weights of
/// other turns.
fn stable_mean(mean: f64) -> f64 {
    let mut step = 1.0;
    while step * 1.05 <= mean {
        step *= 1.05;
    }
    step
}

/// Encodes a file of positions: the dictionary after its length in bytes, then the positions of all
/// terms.
fn positions_file(group: Vec<(Box<str>, Vec<u8>)>) -> Vec<u8> {
    let (mut dictionary, mut before, mut all) = (Vec::new(), "", Vec::new());
    put_number(group.len() as u64, &mut dictionary);
    for (term, positions) in &group {
        put_front_coded(term, before, &mut dictionary);
        before = term;
        put_number(positions.len() as u64, &mut dictionary);
        all.extend_from_slice(positions);
    }
    let mut start = Vec::new();
    put_number(dictionary.len() as u64, &mut start);
    start.append(&mut dictionary);
    pack(&[&start, &all])
}

/// Compresses the bytes of a file. Each part is compressed separately, because its byte frequencies
/// differ; this saves 5 %.
fn pack(parts: &[&[u8]]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(COMPRESSION_LEVEL));
    for part in parts {
        let written = encoder.write_all(part).and_then(|()| encoder.flush());
        written.expect("writing to memory cannot fail");
    }
    let file = encoder.finish().expect("writing to memory cannot fail");
    // Many files are in memory at once, so none may keep spare capacity, which shrinking does not
    // guarantee.
    file.as_slice().to_vec()
}

/// The level of DEFLATE. By measurement, higher levels save 2 % and take three times as long.
const COMPRESSION_LEVEL: u32 = 4;

/// Returns the versions of all files, for [`Summary::versions`].
fn versions(
    files: &BTreeMap<FileKind, (FileVersion, FileBytes)>,
    counts: FileCounts,
) -> BTreeMap<char, String> {
    let mut versions: BTreeMap<char, String> = BTreeMap::new();
    for kind in counts.kinds() {
        let (letter, number) = kind.letter_and_number();
        let of_kind = versions.entry(letter).or_default();
        // Words start with those of three letters.
        let missing = (number * VERSION_DIGITS).saturating_sub(of_kind.len());
        of_kind.extend(std::iter::repeat_n('0', missing));
        match files.get(&kind) {
            Some((version, _)) => of_kind.push_str(version.text()),
            None => of_kind.push_str(FileVersion::of(&empty(kind)).text()),
        }
    }
    versions
}

#[cfg(test)]
mod tests {
    use super::super::super::varint::put_number;
    use super::{CHAMPIONS, PostingList, flatten};

    #[test]
    fn a_common_word_keeps_the_weights_of_titles() {
        let mut list = PostingList::default();
        for _ in 0..CHAMPIONS * 6 / 10 {
            // A title, and a shorter turn.
            put_number(0, &mut list.places);
            put_number(1 << 1 | 1, &mut list.places);
            list.counts.extend([(1, 8), (1, 4)]);
        }
        flatten(&mut list, 40.0);
        let lens = list.counts.iter().map(|(_, len)| *len);
        assert!(lens.clone().step_by(2).all(|len| len == 8));
        assert!(lens.skip(1).step_by(2).all(|len| len == u16::MAX));
    }
}
