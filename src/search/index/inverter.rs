//! Turns the terms of conversations into an inverted index: for each term, its occurrences.

use std::collections::HashMap;

use super::super::doc_terms::DocTerms;
use super::super::term_dictionary::TermDictionary;
use super::super::varint::{Decoder, put_number, put_slice, put_text};
use super::boundaries::Sizes;
use super::document::Document;

/// The maximum number of new terms in one conversation; only data has more. It bounds the memory
/// for making a run.
const MAX_NEW_TERMS: usize = 500_000;

/// Collects the terms of the conversations of a run, and makes their posting lists one by one.
#[derive(Default)]
pub(super) struct Inverter {
    terms: TermDictionary,
    texts: Vec<Text>,
    /// The number of words of each turn of all conversations, capped by the type.
    lens: Vec<u16>,
    /// In the order of the texts.
    occurrences: Vec<Occurrence>,
    /// In the order of the documents.
    pub(super) layouts: Vec<TurnLayout>,
    /// Number of turns.
    pub(super) turns: u64,
    /// Number of positions in these turns.
    pub(super) words: u64,
}

/// A part of a conversation.
struct Text {
    doc_terms: DocTerms,
    /// The number of its first turn in the conversation.
    first_turn: u32,
    /// The place of the conversation's first turn in [`Inverter::lens`].
    lens: usize,
}

/// A term in a text, or a filter of a whole conversation.
#[derive(Clone, Copy, Default)]
struct Occurrence {
    /// The number of the term.
    term: u32,
    /// The number of the conversation in the run.
    document: u32,
    /// The index of the text, or [`NO_TEXT`].
    text: u32,
    /// The place of the term's entry in the text.
    place: u32,
}

/// The text of an occurrence that is a filter of a whole conversation.
const NO_TEXT: u32 = u32::MAX;

/// The turns of a conversation: the start of each part, and the speaker of each turn.
pub(super) struct TurnLayout {
    /// The number of the first turn of each part.
    pub(super) parts: Vec<u32>,
    /// For each turn a character, counted from `0`, for the index of its speaker in the
    /// conversation; `/` for the title and for events.
    pub(super) speakers: String,
    /// Number of turns.
    pub(super) turns: u32,
}

impl TurnLayout {
    /// Appends it to the bytes of a run.
    pub(super) fn encode(&self, to: &mut Vec<u8>) {
        put_number(self.parts.len() as u64, to);
        self.parts.iter().for_each(|turn| put_number((*turn).into(), to));
        put_text(&self.speakers, to);
        put_number(self.turns.into(), to);
    }

    /// Decodes one from the bytes of a run.
    pub(super) fn decode(from: &mut Decoder<'_>) -> Self {
        let parts = (0..from.number()).map(|_| from.number() as u32).collect();
        let speakers = from.text().to_owned();
        Self { parts, speakers, turns: from.number() as u32 }
    }

    fn add(&mut self, speaker: Option<usize>) {
        // Surrogates are not valid characters; no conversation has more speakers than there are
        // below them.
        let place = speaker.map_or(0, |place| place + 1).min(0xD000) as u32;
        self.speakers.push(char::from_u32(place + 47).unwrap_or('/'));
        self.turns += 1;
    }
}

/// A posting list: the turns that contain a term, as bytes that are copied into files.
#[derive(Default)]
pub(super) struct PostingList {
    /// The words that the term represents.
    pub(super) surfaces: Vec<Box<str>>,
    /// Number of turns.
    pub(super) turns: u32,
    /// Number of conversations.
    pub(super) documents: u32,
    first_document: u32,
    last_document: u32,
    /// For each conversation but the first: the number of conversations between it and the previous
    /// one.
    gaps: Vec<u8>,
    /// For each turn: twice the distance to the previous turn in its conversation, plus one for the
    /// last turn there. If [`PostingList::is_dense`], for each conversation instead: a number of
    /// bytes, and these bytes, with one bit for each turn, the low bits first.
    pub(super) places: Vec<u8>,
    /// See [`PostingList::places`].
    pub(super) is_dense: bool,
    /// For each turn: how often it contains the term, and its number of words, both capped by their
    /// types.
    pub(super) counts: Vec<(u8, u16)>,
    /// For each turn: its positions as twice the distances, plus one for the last position.
    pub(super) positions: Vec<u8>,
}

impl PostingList {
    /// Encodes for each conversation the number of conversations between it and the previous one.
    pub(super) fn documents(&self) -> Vec<u8> {
        let mut all = Vec::with_capacity(self.gaps.len() + 3);
        put_number(self.first_document.into(), &mut all);
        all.extend_from_slice(&self.gaps);
        all
    }

    /// Returns for each turn whether it is the title of its conversation, which precedes its turns.
    pub(super) fn titles(&self) -> Vec<bool> {
        let (mut places, mut turn) = (Decoder(&self.places), 0);
        let mut all = Vec::with_capacity(self.counts.len());
        while !places.is_empty() {
            let number = places.number();
            turn += number >> 1;
            all.push(turn == 0);
            turn = if number & 1 == 1 { 0 } else { turn };
        }
        all
    }

    /// Writes the places with one bit for each turn.
    pub(super) fn make_dense(&mut self) {
        let mut dense = Vec::with_capacity(self.places.len() / 2);
        let mut places = Decoder(&self.places);
        let (mut turn, mut bits) = (0, Vec::new());
        while !places.is_empty() {
            let number = places.number();
            turn += (number >> 1) as usize;
            bits.resize(turn / 8 + 1, 0_u8);
            bits[turn / 8] |= 1 << (turn % 8);
            if number & 1 == 1 {
                put_number(bits.len() as u64, &mut dense);
                dense.append(&mut bits);
                turn = 0;
            }
        }
        self.places = dense;
        self.is_dense = true;
    }

    /// Returns the approximate sizes in a file of postings and in a file of positions.
    pub(super) fn sizes(&self, term: &str) -> Sizes {
        let postings = term.len() + self.places.len() + 2 * self.counts.len();
        let positions = term.len() + self.positions.len();
        Sizes { postings: postings as u64, positions: positions as u64 }
    }

    /// Appends it to the bytes of a run.
    pub(super) fn encode(&self, to: &mut Vec<u8>) {
        put_text(&self.surfaces.join(" "), to);
        for number in [self.turns, self.documents, self.first_document, self.last_document] {
            put_number(number.into(), to);
        }
        for bytes in [&self.gaps, &self.places, &self.positions] {
            put_slice(bytes, to);
        }
        to.extend(self.counts.iter().map(|(count, _)| count));
        self.counts.iter().for_each(|(_, len)| put_number((*len).into(), to));
    }

    /// Appends a list from the bytes of a later run, whose first document has the number `first`.
    pub(super) fn append(&mut self, from: &mut Decoder<'_>, first: u32) {
        for surface in from.text().split(' ').filter(|surface| !surface.is_empty()) {
            self.add_surface(surface);
        }
        let mut number = || from.number() as u32;
        let [turns, documents] = [number(), number()];
        let [first_document, last_document] = [number() + first, number() + first];
        if self.documents == 0 {
            self.first_document = first_document;
        } else {
            put_number(u64::from(first_document - self.last_document - 1), &mut self.gaps);
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

    fn add_document(&mut self, document: u32) {
        if self.documents == 0 {
            self.first_document = document;
        } else {
            put_number(u64::from(document - self.last_document - 1), &mut self.gaps);
        }
        self.last_document = document;
        self.documents += 1;
    }

    /// Removes everything, and keeps the memory.
    fn clear(&mut self) {
        let Self { surfaces, gaps, places, counts, positions, .. } = std::mem::take(self);
        *self = Self { surfaces, gaps, places, counts, positions, ..Self::default() };
        self.surfaces.clear();
        self.gaps.clear();
        self.places.clear();
        self.counts.clear();
        self.positions.clear();
    }

    fn add_surface(&mut self, surface: &str) {
        if !self.surfaces.iter().any(|known| **known == *surface) {
            self.surfaces.push(surface.into());
        }
    }
}

impl Inverter {
    /// Adds a document, which has this number in the run, with the terms of its parts.
    pub(super) fn add(&mut self, number: u32, document: &Document, parts: Vec<DocTerms>) {
        let mut layout = TurnLayout { parts: Vec::new(), speakers: String::new(), turns: 0 };
        let lens = self.lens.len();
        let speakers = document.entry.speakers.iter().enumerate();
        let speakers: HashMap<&str, usize> =
            speakers.map(|(place, who)| (who.name.as_str(), place)).collect();
        let most = self.terms.len() + MAX_NEW_TERMS;
        for doc_terms in parts {
            let first_turn = layout.turns;
            layout.parts.push(first_turn);
            for turn in doc_terms.turns() {
                layout.add(speakers.get(turn.speaker).copied());
                self.lens.push(turn.len.min(u16::MAX.into()) as u16);
                self.words += u64::from(turn.len);
            }
            let text = self.texts.len() as u32;
            for (place, term) in doc_terms.terms() {
                if self.terms.len() < most || self.terms.get(term).is_some() {
                    let term = self.terms.id(term);
                    self.occurrences.push(Occurrence { term, document: number, text, place });
                }
            }
            self.texts.push(Text { doc_terms, first_turn, lens });
        }
        self.turns += u64::from(layout.turns);
        // Filters of a whole conversation are stored for its title only.
        for term in document.filters() {
            let term = self.terms.id(&term);
            self.occurrences.push(Occurrence { term, document: number, text: NO_TEXT, place: 0 });
        }
        self.layouts.push(layout);
    }

    /// Returns the number of terms.
    pub(super) fn terms(&self) -> usize {
        self.terms.len()
    }

    /// Calls `each` for every term, sorted, with its list.
    pub(super) fn lists(&self, mut each: impl FnMut(&str, &PostingList)) {
        let start = |term: &str| {
            let mut start = [0; 8];
            start.iter_mut().zip(term.bytes()).for_each(|(to, byte)| *to = byte);
            u64::from_be_bytes(start)
        };
        let terms = (0..self.terms.len() as u32).map(|id| (id, self.terms.text(id)));
        let mut terms: Vec<_> = terms.map(|(id, term)| (start(term), term, id)).collect();
        // Most terms differ in their first bytes, which are compared fastest as a number.
        terms.sort_unstable_by_key(|(start, term, _)| (*start, *term));
        let (by_term, starts) = self.by_term();
        let (mut list, mut positions) = (PostingList::default(), Vec::new());
        for (_, term, id) in terms {
            let range = starts[id as usize]..starts[id as usize + 1];
            list.clear();
            self.fill(term, &by_term[range], &mut list, &mut positions);
            each(term, &list);
        }
    }

    /// Returns the occurrences by the numbers of their terms, and where those of each term start.
    fn by_term(&self) -> (Vec<Occurrence>, Vec<usize>) {
        let mut starts = vec![0; self.terms.len() + 1];
        for Occurrence { term, .. } in &self.occurrences {
            starts[*term as usize + 1] += 1;
        }
        for id in 0..self.terms.len() {
            starts[id + 1] += starts[id];
        }
        let mut next = starts.clone();
        let mut by_term = vec![Occurrence::default(); self.occurrences.len()];
        for occurrence in &self.occurrences {
            let place = &mut next[occurrence.term as usize];
            by_term[*place] = *occurrence;
            *place += 1;
        }
        (by_term, starts)
    }

    /// Fills an empty list with the occurrences of a term. `positions` is memory for them.
    fn fill(
        &self,
        term: &str,
        occurrences: &[Occurrence],
        list: &mut PostingList,
        positions: &mut Vec<u32>,
    ) {
        // Filters and names say nothing about the topic of a turn.
        let counts_weight = u32::from(!term.contains(':'));
        for of_document in occurrences.chunk_by(|a, b| a.document == b.document) {
            list.add_document(of_document[0].document);
            let mut turns = PostingWriter { list, before: 0, pending: None };
            for occurrence in of_document {
                let Some(text) = self.texts.get(occurrence.text as usize) else {
                    turns.add(0, 0, 0, &[]);
                    continue;
                };
                let found = text.doc_terms.entry(occurrence.place);
                let surfaces = found.surfaces.split(' ');
                surfaces.for_each(|surface| turns.list.add_surface(surface));
                found.places(positions, |turn, count, positions| {
                    let turn = text.first_turn + turn;
                    let len = self.lens[text.lens + turn as usize];
                    turns.add(turn, count * counts_weight, len, positions);
                });
            }
            turns.finish();
        }
    }
}

/// Writes the turns of one conversation into a list. It delays each turn until the next one shows
/// that it is not the last.
struct PostingWriter<'a> {
    list: &'a mut PostingList,
    before: u32,
    pending: Option<u32>,
}

impl PostingWriter<'_> {
    fn add(&mut self, turn: u32, count: u32, len: u16, positions: &[u32]) {
        self.put(false);
        self.pending = Some(turn);
        self.list.turns += 1;
        self.list.counts.push((count.min(255) as u8, len));
        let mut last = 0;
        for (index, position) in positions.iter().enumerate() {
            let is_last = u64::from(index + 1 == positions.len());
            put_number(u64::from(position - last) << 1 | is_last, &mut self.list.positions);
            last = *position;
        }
    }

    fn put(&mut self, is_last: bool) {
        if let Some(turn) = self.pending.take() {
            let distance = u64::from(turn - self.before);
            put_number(distance << 1 | u64::from(is_last), &mut self.list.places);
            self.before = turn;
        }
    }

    fn finish(mut self) {
        self.put(true);
    }
}
