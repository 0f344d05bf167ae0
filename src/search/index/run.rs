//! A run: the terms of up to [`RUN`] conversations that follow each other, with where they
//! stand, sorted and packed.
//!
//! A segment's files are put together from runs term by term, so that neither all terms of all
//! conversations nor all texts need be in memory at once. A run depends on nothing but its own
//! conversations: when one of these changes, the others are as they were.

use std::collections::VecDeque;
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
pub(super) struct Merge(Vec<Cursor>);

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
            let mut cursor = Cursor { blocks, first, ..Cursor::default() };
            cursor.step();
            cursors.push(cursor);
            first += documents;
        }
        Self(cursors)
    }
}

impl Iterator for Merge {
    type Item = (Box<str>, List);

    fn next(&mut self) -> Option<Self::Item> {
        let open = self.0.iter().filter(|cursor| cursor.is_open);
        let term: Box<str> = open.map(|cursor| &*cursor.term).min()?.into();
        let mut list = List::default();
        for cursor in &mut self.0 {
            if cursor.is_open && *cursor.term == *term {
                cursor.append_to(&mut list);
            }
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
    /// Where in the block the list of the term starts.
    at: usize,
    term: String,
    is_open: bool,
}

impl Cursor {
    /// Goes to the next term.
    fn step(&mut self) {
        if self.at >= self.block.len() {
            self.term.clear();
            self.block.clear();
            self.at = 0;
            let Some(packed) = self.blocks.pop_front() else {
                self.is_open = false;
                return;
            };
            // What is damaged was noticed when it was read; it cannot be here.
            let unpacked = DeflateDecoder::new(&packed[..]).read_to_end(&mut self.block);
            unpacked.expect("packed by this program");
        }
        let mut taker = Taker(&self.block[self.at..]);
        self.term.truncate(taker.number() as usize);
        self.term.push_str(taker.text());
        self.at = self.block.len() - taker.0.len();
        self.is_open = true;
    }

    /// Appends the list of the term to that of the runs before, and goes on.
    fn append_to(&mut self, list: &mut List) {
        let mut taker = Taker(&self.block[self.at..]);
        list.append(&mut taker, self.first);
        self.at = self.block.len() - taker.0.len();
        self.step();
    }
}
