//! Runs, as in merge sort: the posting lists of a few hundred consecutive conversations, sorted by
//! term and compressed.
//!
//! A segment's files are merged from runs term by term, so that never all terms or all texts are in
//! memory. A run depends only on its own conversations, so other changes leave it valid.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::ops::RangeInclusive;
use std::sync::Arc;

use lz4_flex::block::{compress_prepend_size, decompress_size_prepended};

use super::super::varint::{Decoder, put_front_coded, put_number, put_slice, put_text};
use super::boundaries::{Sample, Sizes};
use super::document::Document;
use super::inverter::{Inverter, PostingList, TurnLayout};
use crate::cache::BlobStore;
use crate::hash::Hash;

/// The minimum and the maximum number of conversations of a run, except for the last one. An edit makes one run
/// again.
const RUN_DOCUMENTS: RangeInclusive<usize> = 128..=512;
/// The bytes at which a run can end: one conversation in 64 has one as the first of its hash. So the
/// boundaries depend on content (content-defined chunking).
const BOUNDARY_BYTES: RangeInclusive<u8> = 252..=255;

/// Divides conversations into runs. The boundaries depend on the conversations themselves, so a new
/// conversation changes its own run, but not all later ones.
pub(super) fn divide(documents: &[Arc<Document>]) -> Vec<Vec<Arc<Document>>> {
    let mut runs: Vec<Vec<_>> = Vec::new();
    let mut is_full = true;
    for document in documents {
        match runs.last_mut().filter(|_| !is_full) {
            Some(run) => run.push(document.clone()),
            None => runs.push(vec![document.clone()]),
        }
        let len = runs.last().map_or(0, Vec::len);
        let may_end = BOUNDARY_BYTES.contains(&document.entry.id.first());
        is_full = len >= *RUN_DOCUMENTS.end() || (len >= *RUN_DOCUMENTS.start() && may_end);
    }
    runs
}

/// Bytes of a block before compression. Smaller blocks take more space, and larger ones more time to find a term.
const BLOCK_BYTES: usize = 24 << 10;

/// The posting lists of some conversations, sorted by term and compressed.
pub(super) struct Run {
    pub(super) header: RunHeader,
    blocks: Blocks,
}

/// The header of a run, which can be read without decompressing the run.
#[derive(Default)]
pub(super) struct RunHeader {
    pub(super) layouts: Vec<TurnLayout>,
    /// Number of turns.
    pub(super) turns: u64,
    /// Number of positions in these turns.
    pub(super) words: u64,
    /// The sizes of all lists.
    pub(super) sizes: Sizes,
    /// A sample of the terms.
    pub(super) sample: Sample,
    /// The sizes of the blocks, in bytes.
    block_sizes: Vec<usize>,
    /// The first term of each block.
    block_starts: Vec<String>,
}

enum Blocks {
    InMemory(Vec<Vec<u8>>),
    /// In a store, from this byte on under this key.
    Stored(Arc<dyn BlobStore>, Hash, u64),
}

impl Run {
    /// Compresses the lists of an inverter.
    pub(super) fn new(mut inverter: Inverter) -> Self {
        let layouts = std::mem::take(&mut inverter.layouts);
        let Inverter { turns, words, .. } = inverter;
        let sample = Sample::new(inverter.terms());
        let mut header = RunHeader { layouts, turns, words, sample, ..RunHeader::default() };
        let mut blocks = Vec::new();
        let mut block = Vec::with_capacity(BLOCK_BYTES + 4096);
        let (mut before, mut encoded) = (String::new(), Vec::new());
        inverter.lists(|term, list| {
            if block.is_empty() {
                header.block_starts.push(term.to_owned());
            }
            put_front_coded(term, &before, &mut block);
            encoded.clear();
            list.encode(&mut encoded);
            put_slice(&encoded, &mut block);
            let sizes = list.sizes(term);
            header.sample.add(term, &encoded, sizes, header.sizes);
            header.sizes += sizes;
            before.clear();
            if block.len() >= BLOCK_BYTES {
                blocks.push(compress_prepend_size(&block));
                block.clear();
            } else {
                before.push_str(term);
            }
        });
        if !block.is_empty() {
            blocks.push(compress_prepend_size(&block));
        }
        header.sample.finish();
        header.block_sizes = blocks.iter().map(Vec::len).collect();
        Self { header, blocks: Blocks::InMemory(blocks) }
    }

    /// Puts its header and its blocks into a store, if the store accepts them.
    pub(super) fn put(self, store: &Arc<dyn BlobStore>, key: Hash) -> Self {
        let Blocks::InMemory(blocks) = &self.blocks else { return self };
        let mut all = Vec::new();
        self.header.encode(&mut all);
        let from = all.len() as u64;
        blocks.iter().for_each(|block| all.extend(block));
        match store.put(key, &all) {
            true => Self { blocks: Blocks::Stored(store.clone(), key, from), ..self },
            false => self,
        }
    }

    /// Reads a run from a store.
    pub(super) fn get(store: &Arc<dyn BlobStore>, key: Hash) -> Option<Self> {
        let all = store.get(key)?;
        let mut decoder = Decoder(&all);
        let header = RunHeader::decode(&mut decoder);
        let from = (all.len() - decoder.0.len()) as u64;
        Some(Self { header, blocks: Blocks::Stored(store.clone(), key, from) })
    }

    /// Decompresses a block by number. Returns `None` if the store has lost it.
    fn block(&self, number: usize) -> Option<Vec<u8>> {
        let part;
        let packed = match &self.blocks {
            Blocks::InMemory(blocks) => blocks.get(number)?,
            Blocks::Stored(store, key, from) => {
                let before: usize = self.header.block_sizes[..number].iter().sum();
                part =
                    store.get_range(*key, from + before as u64, self.header.block_sizes[number])?;
                &part
            }
        };
        decompress_size_prepended(packed).ok()
    }

    /// Returns whether its blocks are in a store.
    pub(super) fn is_stored(&self) -> bool {
        matches!(self.blocks, Blocks::Stored(..))
    }

    /// Returns the memory that its blocks use, in bytes.
    pub(super) fn size(&self) -> usize {
        match &self.blocks {
            Blocks::InMemory(blocks) => blocks.iter().map(Vec::len).sum(),
            Blocks::Stored(..) => 0,
        }
    }
}

impl RunHeader {
    fn encode(&self, to: &mut Vec<u8>) {
        for number in [self.turns, self.words, self.sizes.postings, self.sizes.positions] {
            put_number(number, to);
        }
        put_number(self.layouts.len() as u64, to);
        self.layouts.iter().for_each(|layout| layout.encode(to));
        self.sample.encode(to);
        put_number(self.block_sizes.len() as u64, to);
        for (size, start) in self.block_sizes.iter().zip(&self.block_starts) {
            put_number(*size as u64, to);
            put_text(start, to);
        }
    }

    fn decode(from: &mut Decoder<'_>) -> Self {
        let [turns, words, postings, positions] = [(); 4].map(|()| from.number());
        let layouts = (0..from.number()).map(|_| TurnLayout::decode(from)).collect();
        let sample = Sample::decode(from);
        let blocks = (0..from.number()).map(|_| (from.number() as usize, from.text().to_owned()));
        let (block_sizes, block_starts) = blocks.unzip();
        let sizes = Sizes { postings, positions };
        Self { layouts, turns, words, sizes, sample, block_sizes, block_starts }
    }
}

/// Merges the lists of several runs, term by term.
pub(super) struct RunMerger {
    cursors: Vec<Cursor>,
    /// The current term of each cursor that is not at its end, and the number of the cursor.
    next: BinaryHeap<Reverse<(String, usize)>>,
}

impl RunMerger {
    /// Starts at the first term that is not before `start`.
    pub(super) fn new(runs: &[Arc<Run>], start: &str) -> Self {
        let mut first = 0;
        let (mut cursors, mut next) = (Vec::with_capacity(runs.len()), BinaryHeap::new());
        for (number, run) in runs.iter().enumerate() {
            let mut cursor = Cursor::new(run.clone(), first, start);
            let mut term = String::new();
            let mut is_open = cursor.step(&mut term);
            while is_open && *term < *start {
                cursor.take();
                is_open = cursor.step(&mut term);
            }
            next.extend(is_open.then_some(Reverse((term, number))));
            cursors.push(cursor);
            first += run.header.layouts.len() as u32;
        }
        Self { cursors, next }
    }

    /// Returns the next term.
    pub(super) fn term(&self) -> Option<&str> {
        self.next.peek().map(|Reverse((term, _))| term.as_str())
    }

    /// Returns whether a block was missing, in which case the result is invalid.
    pub(super) fn is_broken(&self) -> bool {
        self.cursors.iter().any(|cursor| cursor.is_broken)
    }
}

impl Iterator for RunMerger {
    type Item = (Box<str>, PostingList);

    fn next(&mut self) -> Option<Self::Item> {
        let term: Box<str> = self.term()?.into();
        let mut list = PostingList::default();
        while let Some(mut top) = self.next.peek_mut().filter(|top| *top.0.0 == *term) {
            let cursor = &mut self.cursors[top.0.1];
            let first = cursor.first;
            list.append(&mut Decoder(cursor.take()), first);
            match cursor.step(&mut top.0.0) {
                true => drop(top),
                false => _ = PeekMut::pop(top),
            }
        }
        Some((term, list))
    }
}

/// A position in a run: the list of a term.
struct Cursor {
    run: Arc<Run>,
    /// The number of the run's first document in the segment.
    first: u32,
    /// The number of the next block.
    next: usize,
    block: Vec<u8>,
    /// The start of the list in the block.
    at: usize,
    is_broken: bool,
}

impl Cursor {
    /// Starts before the block that contains a term.
    fn new(run: Arc<Run>, first: u32, term: &str) -> Self {
        let starts = &run.header.block_starts;
        let next = starts.partition_point(|start| **start <= *term).saturating_sub(1);
        Self { run, first, next, block: Vec::new(), at: 0, is_broken: false }
    }

    /// Replaces a term by the one after it; returns whether there is one.
    fn step(&mut self, term: &mut String) -> bool {
        if self.at >= self.block.len() {
            let is_there = self.next < self.run.header.block_sizes.len();
            let block = is_there.then(|| self.run.block(self.next)).flatten();
            self.is_broken |= is_there && block.is_none();
            let Some(block) = block else { return false };
            self.block = block;
            (self.at, self.next) = (0, self.next + 1);
            term.clear();
        }
        let mut decoder = Decoder(&self.block[self.at..]);
        decoder.front_coded(term);
        self.at = self.block.len() - decoder.0.len();
        true
    }

    /// Returns the bytes of the list, and goes to its end.
    fn take(&mut self) -> &[u8] {
        let mut decoder = Decoder(&self.block[self.at..]);
        let list = decoder.slice();
        self.at = self.block.len() - decoder.0.len();
        list
    }
}
