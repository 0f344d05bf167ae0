//! The terms of a conversation, or of a part of a long one, with their positions: a small index of
//! one text (a term vector), from which the index of all texts is merged.
//!
//! It depends only on the text and its language, so it stays valid until the text changes.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use super::tokenizer::{Stemmer, Term, terms};
use super::turns::{plain_text, texts};
use super::varint::{Decoder, put_number, put_text};
use super::vocabulary::{Vocabulary, WordId};
use crate::model::Conversation;
use crate::query::filters::{content_filters, name_terms, speaker_filters};

/// The version of this format. Increase it whenever a text could give other bytes than before.
pub const VERSION: u32 = 4;

/// The maximum number of words of a turn that are indexed; only data has more. It bounds the memory
/// that is needed.
const MAX_WORDS_PER_TURN: u32 = 1_000_000;

/// The terms of one text and the turns that contain them, encoded as bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocTerms(Box<[u8]>);

/// A turn in [`DocTerms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnEntry<'a> {
    /// The number of its positions.
    pub len: u32,
    /// The speaker; empty for an event.
    pub speaker: &'a str,
}

/// The occurrences of a term in [`DocTerms`].
pub struct TermEntry<'a> {
    /// The words that the term represents, separated by spaces.
    pub surfaces: &'a str,
    places: Decoder<'a>,
}

impl DocTerms {
    /// Collects the terms of a text. The first turn of a first part is the title with the preface,
    /// which has no speaker.
    pub fn new(title: Option<&str>, read: &Conversation, stemmer: Stemmer) -> Self {
        BUILDER.with_borrow_mut(|builder| {
            builder.begin(stemmer);
            builder.add(title, read, stemmer);
            builder.finish()
        })
    }

    /// Returns the turns, in order.
    pub fn turns(&self) -> Vec<TurnEntry<'_>> {
        self.decoder().0
    }

    fn decoder(&self) -> (Vec<TurnEntry<'_>>, Decoder<'_>) {
        let mut decoder = Decoder(&self.0);
        let count = decoder.number();
        let turn = |_| TurnEntry { len: decoder.number() as u32, speaker: decoder.text() };
        ((0..count).map(turn).collect(), decoder)
    }

    /// Returns the terms, in order of first occurrence, each with the place of its entry.
    pub fn terms(&self) -> impl Iterator<Item = (u32, &str)> {
        let mut decoder = self.decoder().1;
        std::iter::from_fn(move || {
            if decoder.is_empty() {
                return None;
            }
            let place = (self.0.len() - decoder.0.len()) as u32;
            let term = decoder.text();
            decoder.slice();
            decoder.slice();
            Some((place, term))
        })
    }

    /// Returns the entry at a place.
    pub fn entry(&self, place: u32) -> TermEntry<'_> {
        let mut decoder = Decoder(&self.0[place as usize..]);
        let (term, surfaces) = (decoder.text(), decoder.text());
        let surfaces = if surfaces.is_empty() { term } else { surfaces };
        TermEntry { surfaces, places: Decoder(decoder.slice()) }
    }
}

impl TermEntry<'_> {
    /// Calls `each` for every turn that contains the term, with the number of occurrences, and the
    /// positions if there are any. `positions` is memory for them.
    pub fn places(mut self, positions: &mut Vec<u32>, mut each: impl FnMut(u32, u32, &[u32])) {
        let mut turn = 0;
        while !self.places.is_empty() {
            turn += self.places.number() as u32;
            let number = self.places.number();
            let count = match number & 1 {
                0 => number >> 1,
                _ => self.places.number(),
            } as u32;
            positions.clear();
            let mut last = 0;
            for _ in 0..number >> 1 {
                last += self.places.number() as u32;
                positions.push(last);
            }
            each(turn, count, positions);
        }
    }
}

/// The terms of a speaker's name, each with the word that it represents.
type Names = Vec<(String, String)>;

/// Collects occurrences of terms, and encodes them as [`DocTerms`]. Reuses its memory for the next
/// text.
#[derive(Default)]
struct DocTermsBuilder {
    vocabulary: Vocabulary,
    /// The state of each word of the vocabulary, valid if it belongs to this text.
    uses: Vec<WordUse>,
    /// The number of the current text, from 1.
    number: u32,
    turns: Vec<u8>,
    count: u32,
    /// The terms in order of occurrence.
    terms: Vec<TextTerm>,
    /// Term, turn and position, in order of occurrence.
    occurrences: Vec<(u32, u32, u32)>,
}

/// A word in a text.
#[derive(Clone, Copy, Default)]
struct WordUse {
    /// The last text in which the word represents a term, and the number of that term there.
    surface_in: u32,
    term_of_surface: u32,
    /// The next word that represents the same term.
    next: Option<WordId>,
    /// The last text in which the word is a term, and the number of that term there.
    term_in: u32,
    term: u32,
}

/// A term in a text.
struct TextTerm {
    word: WordId,
    surfaces: Surfaces,
}

/// The words that a term represents.
enum Surfaces {
    /// A linked list of words: the first and the last.
    Chain(WordId, WordId),
    /// The word of a name, or a filter itself.
    One(WordId),
}

/// The number of occurrences for which memory is kept between texts.
const KEPT_OCCURRENCES: usize = 1 << 17;
/// A missing position. Filters, names and whole chunks have none.
const NO_POSITION: u32 = u32::MAX;

thread_local! {
    static BUILDER: RefCell<DocTermsBuilder> = RefCell::default();
}

impl DocTermsBuilder {
    fn begin(&mut self, stemmer: Stemmer) {
        let is_new = self.vocabulary.begin(stemmer);
        match self.number.checked_add(1).filter(|_| !is_new) {
            Some(number) => self.number = number,
            None => {
                self.uses.clear();
                self.number = 1;
            }
        }
        self.turns.clear();
        self.count = 0;
        self.terms.clear();
        self.occurrences.clear();
        self.occurrences.shrink_to(KEPT_OCCURRENCES);
    }

    fn add(&mut self, title: Option<&str>, read: &Conversation, stemmer: Stemmer) {
        if let Some(title) = title {
            let text = format!("{title}\n{}", plain_text(&read.preface).0);
            self.add_turn(&text, stemmer, "", &[], &[]);
        }
        let mut known: FxHashMap<&str, (Vec<String>, Names)> = FxHashMap::default();
        for (turn, text) in texts(read) {
            let speaker = &*turn.speaker;
            let (of_speaker, names) = known
                .entry(speaker)
                .or_insert_with(|| (speaker_filters(read, speaker), name_terms(speaker, stemmer)));
            let filters = of_speaker.iter().map(String::as_str).chain(content_filters(&text));
            let filters: Vec<&str> = filters.collect();
            self.add_turn(&text.text, stemmer, speaker, &filters, names);
        }
    }

    fn add_turn(
        &mut self,
        text: &str,
        stemmer: Stemmer,
        speaker: &str,
        filters: &[&str],
        names: &[(String, String)],
    ) {
        let turn = self.count;
        let mut rest = MAX_WORDS_PER_TURN;
        let len = terms(text, stemmer, |term| {
            if rest == 0 {
                return;
            }
            rest -= 1;
            let surface = self.vocabulary.id(term.surface);
            let known = *self.word(surface);
            let id = match known.surface_in == self.number {
                true => known.term_of_surface,
                false => self.add_surface(surface, &term),
            };
            self.occurrences.push((id, turn, term.position.unwrap_or(NO_POSITION)));
        });
        // A filter represents no word.
        let filters = filters.iter().map(|filter| (*filter, *filter));
        let names = names.iter().map(|(term, word)| (term.as_str(), word.as_str()));
        for (term, word) in filters.chain(names) {
            let (term, word) = (self.vocabulary.id(term), self.vocabulary.id(word));
            let id = self.known_term(term);
            let id = id.unwrap_or_else(|| self.add_term(term, Surfaces::One(word)));
            self.occurrences.push((id, turn, NO_POSITION));
        }
        put_number(len.into(), &mut self.turns);
        put_text(speaker, &mut self.turns);
        self.count += 1;
    }

    /// Adds a word that is new in the text to its term, and returns the number of the term.
    fn add_surface(&mut self, surface: WordId, term: &Term<'_>) -> u32 {
        let stem = self.vocabulary.stem(surface, term);
        let id = match self.known_term(stem) {
            None => self.add_term(stem, Surfaces::Chain(surface, surface)),
            Some(id) => {
                if let Surfaces::Chain(_, last) = &mut self.terms[id as usize].surfaces {
                    let before = std::mem::replace(last, surface);
                    self.uses[before as usize].next = Some(surface);
                }
                id
            }
        };
        let (number, word) = (self.number, self.word(surface));
        (word.surface_in, word.term_of_surface, word.next) = (number, id, None);
        id
    }

    fn known_term(&mut self, word: WordId) -> Option<u32> {
        let number = self.number;
        Some(self.word(word)).filter(|word| word.term_in == number).map(|word| word.term)
    }

    fn add_term(&mut self, word: WordId, surfaces: Surfaces) -> u32 {
        let id = self.terms.len() as u32;
        self.terms.push(TextTerm { word, surfaces });
        let (number, word) = (self.number, self.word(word));
        (word.term_in, word.term) = (number, id);
        id
    }

    fn word(&mut self, id: WordId) -> &mut WordUse {
        if id as usize >= self.uses.len() {
            self.uses.resize(self.vocabulary.len(), WordUse::default());
        }
        &mut self.uses[id as usize]
    }

    /// Appends the words that a term represents, separated by spaces; nothing if that is the term
    /// itself.
    fn put_surfaces(&self, term: &TextTerm, to: &mut Vec<u8>) {
        let (first, next) = match term.surfaces {
            Surfaces::One(word) => (word, None),
            Surfaces::Chain(first, _) => (first, self.uses[first as usize].next),
        };
        if next.is_none() && first == term.word {
            put_text("", to);
            return;
        }
        let mut text = self.vocabulary.text(first).to_owned();
        let chain = std::iter::successors(next, |word| self.uses[*word as usize].next);
        for word in chain {
            text.push(' ');
            text.push_str(self.vocabulary.text(word));
        }
        put_text(&text, to);
    }

    fn finish(&mut self) -> DocTerms {
        let mut starts = vec![0; self.terms.len() + 1];
        for (id, ..) in &self.occurrences {
            starts[*id as usize + 1] += 1;
        }
        for id in 0..self.terms.len() {
            starts[id + 1] += starts[id];
        }
        // By term, and for each term in text order.
        let mut occurrences = vec![(0, 0); self.occurrences.len()];
        let mut next = starts.clone();
        for (id, turn, position) in &self.occurrences {
            let place = &mut next[*id as usize];
            occurrences[*place] = (*turn, *position);
            *place += 1;
        }
        let mut out = Vec::with_capacity(occurrences.len() * 4);
        put_number(self.count.into(), &mut out);
        out.append(&mut self.turns);
        let mut list = Vec::new();
        for (id, term) in self.terms.iter().enumerate() {
            put_text(self.vocabulary.text(term.word), &mut out);
            self.put_surfaces(term, &mut out);
            list.clear();
            let mut before = 0;
            let range = starts[id]..starts[id + 1];
            for places in occurrences[range].chunk_by(|a, b| a.0 == b.0) {
                let turn = places[0].0;
                put_number(u64::from(turn - before), &mut list);
                before = turn;
                let positions = places.iter().map(|place| place.1);
                let positions = positions.filter(|position| *position != NO_POSITION);
                // Most occurrences have a position.
                let count = positions.clone().count();
                put_number((count as u64) << 1 | u64::from(count < places.len()), &mut list);
                if count < places.len() {
                    put_number(places.len() as u64, &mut list);
                }
                let mut last = 0;
                for position in positions {
                    put_number(u64::from(position - last), &mut list);
                    last = position;
                }
            }
            put_number(list.len() as u64, &mut out);
            out.extend_from_slice(&list);
        }
        DocTerms(out.into())
    }
}
