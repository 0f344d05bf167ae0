//! The digests of some conversations, turned round: for each term, where it stands.

use std::collections::HashMap;

use rustc_hash::FxHashMap;

use super::super::bytes::{Taker, put, put_text};
use super::super::digest::{Digest, DigestTerm};
use super::Document;

/// Terms that one conversation may bring which none before it has; only data has more. It bounds
/// the memory that a run takes while it is made.
const TERMS: usize = 500_000;

/// All that a run holds.
#[derive(Default)]
pub(super) struct Gathered {
    /// By term.
    pub(super) lists: FxHashMap<Box<str>, List>,
    /// In the order of the documents.
    pub(super) shapes: Vec<Shape>,
    /// Number of turns.
    pub(super) turns: u64,
    /// Number of positions in them.
    pub(super) words: u64,
}

/// How a conversation is divided.
pub(super) struct Shape {
    /// The number of the first turn of each part.
    pub(super) parts: Vec<u32>,
    /// For each turn a character from `0` on for the place of its speaker among the
    /// conversation's; `/` for the title and for events.
    pub(super) speakers: String,
    /// Number of turns.
    pub(super) turns: u32,
}

impl Shape {
    /// Appends it to the bytes of a run.
    pub(super) fn put(&self, to: &mut Vec<u8>) {
        put(self.parts.len() as u64, to);
        self.parts.iter().for_each(|turn| put((*turn).into(), to));
        put_text(&self.speakers, to);
        put(self.turns.into(), to);
    }

    /// Takes one from there.
    pub(super) fn take(from: &mut Taker<'_>) -> Self {
        let parts = (0..from.number()).map(|_| from.number() as u32).collect();
        let speakers = from.text().to_owned();
        Self { parts, speakers, turns: from.number() as u32 }
    }

    fn add(&mut self, speaker: Option<usize>) {
        // Beyond all surrogates nobody counts speakers.
        let place = speaker.map_or(0, |place| place + 1).min(0xD000) as u32;
        self.speakers.push(char::from_u32(place + 47).unwrap_or('/'));
        self.turns += 1;
    }
}

/// Where a term stands, as bytes that are copied into files.
#[derive(Default)]
pub(super) struct List {
    /// The words that it stands for.
    pub(super) surfaces: Vec<Box<str>>,
    /// Number of turns.
    pub(super) turns: u32,
    /// Number of conversations.
    pub(super) documents: u32,
    first_document: u32,
    last_document: u32,
    /// For each conversation but the first: how many lie between it and the one before.
    gaps: Vec<u8>,
    /// For each turn: the distance to the one before in its conversation, times two, and one
    /// more if it is the last one there. Or, if [`List::is_dense`], for each conversation a
    /// number of bytes and these, with a bit for each turn, the low ones first.
    pub(super) places: Vec<u8>,
    /// See [`List::places`].
    pub(super) is_dense: bool,
    /// For each turn: how often the term stands in it, and how many words that has; both at most
    /// what their types hold.
    pub(super) counts: Vec<(u8, u16)>,
    /// For each turn: its positions as distances, times two, and one more for the last one.
    pub(super) positions: Vec<u8>,
}

impl List {
    /// For each conversation how many lie between it and the one before.
    pub(super) fn documents(&self) -> Vec<u8> {
        let mut all = Vec::with_capacity(self.gaps.len() + 3);
        put(self.first_document.into(), &mut all);
        all.extend_from_slice(&self.gaps);
        all
    }

    /// For each turn whether it is the title of its conversation, which stands before its turns.
    pub(super) fn titles(&self) -> Vec<bool> {
        let (mut places, mut turn) = (Taker(&self.places), 0);
        let mut all = Vec::with_capacity(self.counts.len());
        while !places.is_empty() {
            let number = places.number();
            turn += number >> 1;
            all.push(turn == 0);
            turn = if number & 1 == 1 { 0 } else { turn };
        }
        all
    }

    /// Writes the places with a bit for each turn.
    pub(super) fn make_dense(&mut self) {
        let mut dense = Vec::with_capacity(self.places.len() / 2);
        let mut places = Taker(&self.places);
        let (mut turn, mut bits) = (0, Vec::new());
        while !places.is_empty() {
            let number = places.number();
            turn += (number >> 1) as usize;
            bits.resize(turn / 8 + 1, 0_u8);
            bits[turn / 8] |= 1 << (turn % 8);
            if number & 1 == 1 {
                put(bits.len() as u64, &mut dense);
                dense.append(&mut bits);
                turn = 0;
            }
        }
        self.places = dense;
        self.is_dense = true;
    }

    /// What it takes in a file of postings, about. Bytes.
    pub(super) fn postings_size(&self, term: &str) -> usize {
        term.len() + self.places.len() + 2 * self.counts.len()
    }

    /// What its positions take in a file of theirs, about. Bytes.
    pub(super) fn positions_size(&self, term: &str) -> usize {
        term.len() + self.positions.len()
    }

    /// Appends it to the bytes of a run.
    pub(super) fn put(&self, to: &mut Vec<u8>) {
        put_text(&self.surfaces.join(" "), to);
        for number in
            [self.turns, self.documents, self.first_document, self.last_document]
        {
            put(number.into(), to);
        }
        for bytes in [&self.gaps, &self.places, &self.positions] {
            put(bytes.len() as u64, to);
            to.extend_from_slice(bytes);
        }
        to.extend(self.counts.iter().map(|(count, _)| count));
        self.counts.iter().for_each(|(_, len)| put((*len).into(), to));
    }

    /// Appends what stands in the bytes of a later run whose first document has the number
    /// `first`.
    pub(super) fn append(&mut self, from: &mut Taker<'_>, first: u32) {
        for surface in from.text().split(' ').filter(|surface| !surface.is_empty()) {
            self.stands_for(surface);
        }
        let mut number = || from.number() as u32;
        let [turns, documents] = [number(), number()];
        let [first_document, last_document] = [number() + first, number() + first];
        if self.documents == 0 {
            self.first_document = first_document;
        } else {
            put(u64::from(first_document - self.last_document - 1), &mut self.gaps);
        }
        self.last_document = last_document;
        self.documents += documents;
        self.turns += turns;
        self.gaps.extend_from_slice(from.slice());
        self.places.extend_from_slice(from.slice());
        self.positions.extend_from_slice(from.slice());
        let (counts, rest) = from.0.split_at(turns as usize);
        from.0 = rest;
        self.counts.extend(counts.iter().map(|count| (*count, from.number() as u16)));
    }

    fn open(&mut self, document: u32) {
        if self.documents == 0 {
            self.first_document = document;
        } else {
            put(u64::from(document - self.last_document - 1), &mut self.gaps);
        }
        self.last_document = document;
        self.documents += 1;
    }

    fn stands_for(&mut self, surface: &str) {
        if !self.surfaces.iter().any(|known| **known == *surface) {
            self.surfaces.push(surface.into());
        }
    }
}

impl Gathered {
    /// Adds a document, whose place in the run is `place`.
    pub(super) fn add(&mut self, place: u32, document: &Document, parts: &[Digest]) {
        let mut shape = Shape { parts: Vec::new(), speakers: String::new(), turns: 0 };
        let mut lens: Vec<u16> = Vec::new();
        let speakers = document.entry.speakers.iter().enumerate();
        let speakers: HashMap<&str, usize> =
            speakers.map(|(place, who)| (who.name.as_str(), place)).collect();
        for part in parts {
            shape.parts.push(shape.turns);
            for turn in part.turns() {
                shape.add(speakers.get(turn.speaker).copied());
                lens.push(turn.len.min(u16::MAX.into()) as u16);
                self.words += u64::from(turn.len);
            }
        }
        self.turns += lens.len() as u64;
        let most = self.lists.len() + TERMS;
        if let [part] = parts {
            for found in part.terms() {
                self.enter(place, &shape, &lens, most, [(0, found)]);
            }
        } else {
            for found in by_term(parts) {
                self.enter(place, &shape, &lens, most, found);
            }
        }
        // What holds for a whole conversation stands in its title alone.
        for term in document.filters() {
            let list = self.lists.entry(term.into()).or_default();
            list.open(place);
            let mut turns = Turns { list, before: 0, waiting: None };
            turns.add(0, 0, 0, &[]);
            turns.finish();
        }
        self.shapes.push(shape);
    }

    /// Enters a term of a document, where it stands in each of the document's parts, unless there
    /// are `most` others already.
    fn enter<'a>(
        &mut self,
        place: u32,
        shape: &Shape,
        lens: &[u16],
        most: usize,
        found: impl IntoIterator<Item = (usize, DigestTerm<'a>)>,
    ) {
        let mut found = found.into_iter().peekable();
        let Some((_, DigestTerm { term, .. })) = found.peek() else { return };
        let term = *term;
        let is_full = self.lists.len() >= most;
        let list = match self.lists.get_mut(term) {
            Some(list) => list,
            None if is_full => return,
            None => self.lists.entry(term.into()).or_default(),
        };
        list.open(place);
        let mut turns = Turns { list, before: 0, waiting: None };
        for (part, found) in found {
            let first = shape.parts[part];
            let surfaces = found.surfaces.split(' ');
            surfaces.for_each(|surface| turns.list.stands_for(surface));
            // Filters tell nothing about how much a turn is about them.
            let weighs = u32::from(!term.contains(':'));
            found.places(|turn, count, positions| {
                let turn = first + turn;
                turns.add(turn, count * weighs, lens[turn as usize], positions);
            });
        }
        turns.finish();
    }
}

/// The terms of all parts, those of the same term together, each with the number of its part.
fn by_term(parts: &[Digest]) -> Vec<Vec<(usize, DigestTerm<'_>)>> {
    let mut places: FxHashMap<&str, usize> = FxHashMap::default();
    let mut all: Vec<Vec<_>> = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        for found in part.terms() {
            let place = *places.entry(found.term).or_insert_with(|| {
                all.push(Vec::new());
                all.len() - 1
            });
            all[place].push((number, found));
        }
    }
    all
}

/// The turns of one conversation in a list. Only the next one tells that one is not the last.
struct Turns<'a> {
    list: &'a mut List,
    before: u32,
    waiting: Option<u32>,
}

impl Turns<'_> {
    fn add(&mut self, turn: u32, count: u32, len: u16, positions: &[u32]) {
        self.put(false);
        self.waiting = Some(turn);
        self.list.turns += 1;
        self.list.counts.push((count.min(255) as u8, len));
        let mut last = 0;
        for (index, position) in positions.iter().enumerate() {
            let is_last = u64::from(index + 1 == positions.len());
            put(u64::from(position - last) << 1 | is_last, &mut self.list.positions);
            last = *position;
        }
    }

    fn put(&mut self, is_last: bool) {
        if let Some(turn) = self.waiting.take() {
            let distance = u64::from(turn - self.before);
            put(distance << 1 | u64::from(is_last), &mut self.list.places);
            self.before = turn;
        }
    }

    fn finish(mut self) {
        self.put(true);
    }
}
