//! A run: the terms of some hundred conversations that follow each other, with where they stand,
//! sorted and packed.
//!
//! A segment's files are put together from runs term by term, so that neither all terms of all
//! conversations nor all texts need be in memory at once. A run depends on nothing but its own
//! conversations: when one of these changes, the others are as they were.

use std::ops::RangeInclusive;
use std::sync::Arc;

use lz4_flex::block::{compress_prepend_size, decompress_size_prepended};

use super::super::bytes::{Taker, put, put_after};
use super::Document;
use super::gather::{Gathered, List, Shape};
use super::runs::Shelf;

/// The fewest and the most conversations of a run, but for the last one.
const LEN: RangeInclusive<usize> = 512..=2048;
/// The byte at which a run may end: one conversation in 256 has it first in its hash.
const BREAK: u8 = 255;

/// Divides conversations into runs. It depends on the conversations themselves where one ends,
/// so that a new one among them changes the run that it gets into and not all that follow.
pub(super) fn divide(documents: &[Arc<Document>]) -> Vec<Vec<Arc<Document>>> {
    let mut runs: Vec<Vec<_>> = Vec::new();
    let mut is_full = true;
    for document in documents {
        match runs.last_mut().filter(|_| !is_full) {
            Some(run) => run.push(document.clone()),
            None => runs.push(vec![document.clone()]),
        }
        let len = runs.last().map_or(0, Vec::len);
        let may_end = document.entry.id.first() == BREAK;
        is_full = len >= *LEN.end() || (len >= *LEN.start() && may_end);
    }
    runs
}

/// Bytes of a block before it is packed: what the packing looks back over.
const BLOCK: usize = 64 << 10;

/// Some conversations' terms, packed.
pub(super) struct Run {
    pub(super) head: Head,
    blocks: Blocks,
}

/// What is known of a run without unpacking it.
#[derive(Default)]
pub(super) struct Head {
    pub(super) shapes: Vec<Shape>,
    /// Number of turns.
    pub(super) turns: u64,
    /// Number of positions in them.
    pub(super) words: u64,
    /// What the lists take in files of postings, as [`List::postings_size`] has it.
    pub(super) postings: u64,
    /// What the positions take.
    pub(super) positions: u64,
    /// The sizes of its blocks. Bytes.
    sizes: Vec<usize>,
}

enum Blocks {
    Here(Vec<Vec<u8>>),
    /// On a shelf, from this byte on under this name.
    There(Arc<dyn Shelf>, String, u64),
}

impl Run {
    /// Packs what was gathered.
    pub(super) fn new(gathered: Gathered) -> Self {
        let Gathered { lists, shapes, turns, words } = gathered;
        let start = |term: &str| {
            let mut start = [0; 8];
            start.iter_mut().zip(term.bytes()).for_each(|(to, byte)| *to = byte);
            u64::from_be_bytes(start)
        };
        let lists = lists.iter().map(|(term, list)| (start(term), &**term, list));
        let mut lists: Vec<_> = lists.collect();
        // Most terms differ in their first bytes, which are compared quickest as a number.
        lists.sort_unstable_by_key(|(start, term, _)| (*start, *term));
        let mut head = Head { shapes, turns, words, ..Head::default() };
        let mut blocks = Vec::new();
        let (mut block, mut before) = (Vec::with_capacity(BLOCK + 4096), "");
        for (_, term, list) in lists {
            head.postings += list.postings_size(term) as u64;
            head.positions += list.positions_size(term) as u64;
            put_after(term, before, &mut block);
            list.put(&mut block);
            before = term;
            if block.len() >= BLOCK {
                blocks.push(compress_prepend_size(&block));
                block.clear();
                before = "";
            }
        }
        if !block.is_empty() {
            blocks.push(compress_prepend_size(&block));
        }
        head.sizes = blocks.iter().map(Vec::len).collect();
        Self { head, blocks: Blocks::Here(blocks) }
    }

    /// Puts it on a shelf, if that takes it: its head and its blocks.
    pub(super) fn put(self, shelf: &Arc<dyn Shelf>, name: String) -> Self {
        let Blocks::Here(blocks) = &self.blocks else { return self };
        let mut all = Vec::new();
        self.head.put(&mut all);
        let from = all.len() as u64;
        blocks.iter().for_each(|block| all.extend(block));
        match shelf.put(&name, &all) {
            true => Self { blocks: Blocks::There(shelf.clone(), name, from), ..self },
            false => self,
        }
    }

    /// One from a shelf.
    pub(super) fn get(shelf: &Arc<dyn Shelf>, name: &str) -> Option<Self> {
        let all = shelf.get(name)?;
        let mut taker = Taker(&all);
        let head = Head::take(&mut taker);
        let from = (all.len() - taker.0.len()) as u64;
        Some(Self { head, blocks: Blocks::There(shelf.clone(), name.to_owned(), from) })
    }

    /// The block of this number, unpacked. `None` if somebody took it away.
    fn block(&self, number: usize) -> Option<Vec<u8>> {
        let part;
        let packed = match &self.blocks {
            Blocks::Here(blocks) => blocks.get(number)?,
            Blocks::There(shelf, name, from) => {
                let before: usize = self.head.sizes[..number].iter().sum();
                part = shelf.part(name, from + before as u64, self.head.sizes[number])?;
                &part
            }
        };
        decompress_size_prepended(packed).ok()
    }

    /// Memory that its blocks take. Bytes.
    pub(super) fn size(&self) -> usize {
        match &self.blocks {
            Blocks::Here(blocks) => blocks.iter().map(Vec::len).sum(),
            Blocks::There(..) => 0,
        }
    }
}

impl Head {
    fn put(&self, to: &mut Vec<u8>) {
        for number in [self.turns, self.words, self.postings, self.positions] {
            put(number, to);
        }
        put(self.shapes.len() as u64, to);
        self.shapes.iter().for_each(|shape| shape.put(to));
        put(self.sizes.len() as u64, to);
        self.sizes.iter().for_each(|size| put(*size as u64, to));
    }

    fn take(from: &mut Taker<'_>) -> Self {
        let [turns, words, postings, positions] = [(); 4].map(|()| from.number());
        let shapes = (0..from.number()).map(|_| Shape::take(from)).collect();
        let sizes = (0..from.number()).map(|_| from.number() as usize).collect();
        Self { shapes, turns, words, postings, positions, sizes }
    }
}

/// The lists of several runs, term by term.
pub(super) struct Merge(Vec<Cursor>);

impl Merge {
    /// Starts at the first term of all.
    pub(super) fn new(runs: &[Arc<Run>]) -> Self {
        let mut first = 0;
        let mut cursors = Vec::with_capacity(runs.len());
        for run in runs {
            let mut cursor = Cursor::new(run.clone(), first);
            cursor.step();
            cursors.push(cursor);
            first += run.head.shapes.len() as u32;
        }
        Self(cursors)
    }

    /// Whether a block was missing, after which nothing that came is right.
    pub(super) fn is_broken(&self) -> bool {
        self.0.iter().any(|cursor| cursor.is_broken)
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
struct Cursor {
    run: Arc<Run>,
    /// The number of the run's first document in the segment.
    first: u32,
    /// The number of the next block.
    next: usize,
    block: Vec<u8>,
    /// Where in the block the list of the term starts.
    at: usize,
    term: String,
    is_open: bool,
    is_broken: bool,
}

impl Cursor {
    fn new(run: Arc<Run>, first: u32) -> Self {
        let (block, term) = (Vec::new(), String::new());
        let (is_open, is_broken) = (true, false);
        Self { run, first, next: 0, block, at: 0, term, is_open, is_broken }
    }

    /// Goes to the next term.
    fn step(&mut self) {
        if self.at >= self.block.len() {
            let is_there = self.next < self.run.head.sizes.len();
            let block = is_there.then(|| self.run.block(self.next)).flatten();
            self.is_broken = is_there && block.is_none();
            self.is_open = block.is_some();
            self.block = block.unwrap_or_default();
            (self.at, self.next) = (0, self.next + 1);
            self.term.clear();
            if !self.is_open {
                return;
            }
        }
        let mut taker = Taker(&self.block[self.at..]);
        self.term.truncate(taker.number() as usize);
        self.term.push_str(taker.text());
        self.at = self.block.len() - taker.0.len();
    }

    /// Appends the list of the term to that of the runs before, and goes on.
    fn append_to(&mut self, list: &mut List) {
        let mut taker = Taker(&self.block[self.at..]);
        list.append(&mut taker, self.first);
        self.at = self.block.len() - taker.0.len();
        self.step();
    }
}
