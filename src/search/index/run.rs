//! A run: the terms of up to [`RUN`] conversations that follow each other, with where they
//! stand, sorted and packed.
//!
//! A segment's files are put together from runs term by term, so that neither all terms of all
//! conversations nor all texts need be in memory at once. A run depends on nothing but its own
//! conversations: when one of these changes, the others are as they were.

use std::collections::{BTreeMap, VecDeque};
use std::io::{Read, Write};
use std::sync::Arc;

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::{Deserialize, Serialize};

use super::super::bytes::{Taker, put_after};
use super::gather::{Gathered, List, Shape};

/// Conversations of a run.
pub(super) const RUN: usize = 1024;

/// Bytes of a block before it is packed.
const BLOCK: usize = 256 << 10;

/// Some conversations' terms, packed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Run {
    blocks: VecDeque<Arc<[u8]>>,
    pub(super) shapes: Vec<Shape>,
    /// Number of turns.
    pub(super) turns: u64,
    /// Number of positions in them.
    pub(super) words: u64,
    /// What the lists take in files of postings, as [`List::postings_size`] has it.
    pub(super) postings: u64,
    /// What the positions take.
    pub(super) positions: u64,
}

impl Run {
    /// Packs what was gathered.
    pub(super) fn new(gathered: Gathered) -> Self {
        let Gathered { lists, shapes, turns, words } = gathered;
        let mut lists: Vec<(Box<str>, List)> = lists.into_iter().collect();
        lists.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let mut run = Self {
            blocks: VecDeque::new(),
            shapes,
            turns,
            words,
            postings: 0,
            positions: 0,
        };
        let (mut block, mut before) =
            (Vec::with_capacity(BLOCK + 4096), Box::<str>::default());
        for (term, list) in lists {
            run.postings += list.postings_size(&term) as u64;
            run.positions += list.positions_size(&term) as u64;
            put_after(&term, &before, &mut block);
            list.put(&mut block);
            before = term;
            if block.len() >= BLOCK {
                run.blocks.push_back(pack(&block));
                block.clear();
                before = Box::default();
            }
        }
        if !block.is_empty() {
            run.blocks.push_back(pack(&block));
        }
        run
    }

    /// Memory that it takes, roughly. Bytes.
    pub(super) fn size(&self) -> usize {
        let shapes = self.shapes.iter().map(|shape| shape.speakers.len() * 2 + 48);
        self.blocks.iter().map(|block| block.len()).sum::<usize>() + shapes.sum::<usize>()
    }
}

/// Quick, because it is unpacked again soon.
fn pack(bytes: &[u8]) -> Arc<[u8]> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    let packed = encoder.write_all(bytes).and_then(|()| encoder.finish());
    packed.expect("memory takes all bytes").into()
}

/// The lists of several runs, term by term. Blocks of runs that nobody else holds are freed as
/// they are read.
pub(super) struct Merge {
    cursors: Vec<Cursor>,
    /// The places of cursors by their next terms, the first run first.
    next: BTreeMap<(Box<str>, usize), List>,
}

impl Merge {
    /// Starts at the first term of all.
    pub(super) fn new(runs: Vec<Arc<Run>>) -> Self {
        let mut first = 0;
        let mut cursors = Vec::with_capacity(runs.len());
        for run in runs {
            let documents = run.shapes.len() as u32;
            let blocks = match Arc::try_unwrap(run) {
                Ok(run) => run.blocks,
                Err(shared) => shared.blocks.clone(),
            };
            cursors.push(Cursor { blocks, first, ..Cursor::default() });
            first += documents;
        }
        let mut merge = Self { cursors, next: BTreeMap::new() };
        for number in 0..merge.cursors.len() {
            merge.step(number);
        }
        merge
    }

    fn step(&mut self, number: usize) {
        if let Some((term, list)) = self.cursors[number].next() {
            self.next.insert((term, number), list);
        }
    }
}

impl Iterator for Merge {
    type Item = (Box<str>, List);

    fn next(&mut self) -> Option<Self::Item> {
        let ((term, number), mut list) = self.next.pop_first()?;
        self.step(number);
        while let Some(entry) = self.next.first_entry() {
            if entry.key().0 != term {
                break;
            }
            let ((_, number), later) = entry.remove_entry();
            list.append(later);
            self.step(number);
        }
        Some((term, list))
    }
}

/// A place in a run.
#[derive(Default)]
struct Cursor {
    blocks: VecDeque<Arc<[u8]>>,
    /// The number of the run's first document in the segment.
    first: u32,
    block: Vec<u8>,
    at: usize,
    before: Box<str>,
}

impl Cursor {
    fn next(&mut self) -> Option<(Box<str>, List)> {
        if self.at >= self.block.len() {
            let packed = self.blocks.pop_front()?;
            self.block.clear();
            // What is damaged was noticed when it was read; it cannot be here.
            let unpacked = DeflateDecoder::new(&packed[..]).read_to_end(&mut self.block);
            unpacked.expect("packed by this program");
            (self.at, self.before) = (0, Box::default());
        }
        let mut taker = Taker(&self.block[self.at..]);
        let shared = taker.number() as usize;
        let term: Box<str> = [&self.before[..shared], taker.text()].concat().into();
        let list = List::take(&mut taker, self.first);
        self.at = self.block.len() - taker.0.len();
        self.before = term.clone();
        Some((term, list))
    }
}
