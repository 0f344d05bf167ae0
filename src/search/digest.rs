//! The terms of one conversation, or of a part of a long one, with their places: what an index
//! is put together from.
//!
//! A digest depends on nothing but a text and its language, so it is good for as long as the
//! text is, whatever happens around it.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::bytes::{Taker, put, put_text};
use super::turns::{TurnText, plain, texts};
use super::words::{Stemmer, terms};
use crate::model::{Conversation, Turn};

/// Changes whenever the same text may give another digest.
pub const VERSION: u32 = 2;

/// Words of a turn that are found, the first ones; only data has more. It bounds the memory
/// that a digest takes while it is made.
const WORDS: u32 = 1_000_000;

/// The terms of a text by turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digest(Box<[u8]>);

/// A turn of a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DigestTurn<'a> {
    /// The number of its positions.
    pub len: u32,
    /// Who speaks; empty for an event.
    pub speaker: &'a str,
}

/// A term of a digest.
pub struct DigestTerm<'a> {
    /// The term. That of a filter has a `:` in it.
    pub term: &'a str,
    /// The words that it stands for, with a space between two.
    pub surfaces: &'a str,
    places: Taker<'a>,
}

impl Digest {
    /// The digest of a text. The first turn of a first part is the title with the preface, and
    /// has no speaker.
    pub fn new(title: Option<&str>, read: &Conversation, stemmer: Stemmer) -> Self {
        let mut gathered = Gathered::default();
        if let Some(title) = title {
            let text = format!("{title}\n{}", plain(&read.preface).0);
            gathered.turn(&text, stemmer, "", &[]);
        }
        let mut known: FxHashMap<&str, Vec<String>> = FxHashMap::default();
        for (turn, text) in texts(read) {
            let speaker = &*turn.speaker;
            let of_speaker = known.entry(speaker).or_insert_with(|| who(read, speaker));
            let filters = of_speaker.iter().map(String::as_str).chain(has(&text));
            let filters: Vec<&str> = filters.collect();
            gathered.turn(&text.text, stemmer, speaker, &filters);
        }
        gathered.finish()
    }

    /// Its turns.
    pub fn turns(&self) -> Vec<DigestTurn<'_>> {
        self.taker().0
    }

    fn taker(&self) -> (Vec<DigestTurn<'_>>, Taker<'_>) {
        let mut taker = Taker(&self.0);
        let count = taker.number();
        let turn = |_| DigestTurn { len: taker.number() as u32, speaker: taker.text() };
        ((0..count).map(turn).collect(), taker)
    }

    /// Its terms, in the order of the text.
    pub fn terms(&self) -> impl Iterator<Item = DigestTerm<'_>> {
        let mut taker = self.taker().1;
        std::iter::from_fn(move || {
            if taker.is_empty() {
                return None;
            }
            let (term, surfaces) = (taker.text(), taker.text());
            let surfaces = if surfaces.is_empty() { term } else { surfaces };
            Some(DigestTerm { term, surfaces, places: Taker(taker.slice()) })
        })
    }
}

impl DigestTerm<'_> {
    /// Calls `each` for every turn in which the term stands, with how often, and the positions
    /// if it has any.
    pub fn places(mut self, mut each: impl FnMut(u32, u32, &[u32])) {
        let (mut turn, mut positions) = (0, Vec::new());
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
            each(turn, count, &positions);
        }
    }
}

/// What becomes a digest.
#[derive(Default)]
struct Gathered {
    turns: Vec<u8>,
    count: u32,
    ids: FxHashMap<Rc<str>, u32>,
    /// The same by the words that the terms stand for.
    by_surface: FxHashMap<Rc<str>, u32>,
    /// The terms in the order of the text, with the words of each; none for the term itself.
    terms: Vec<(Rc<str>, String)>,
    /// Term, turn and position, in the order of the text.
    found: Vec<(u32, u32, u32)>,
}

/// Stands for no position: what is no word of its own has none.
const NOWHERE: u32 = u32::MAX;

impl Gathered {
    fn turn(&mut self, text: &str, stemmer: Stemmer, speaker: &str, filters: &[&str]) {
        let turn = self.count;
        let mut rest = WORDS;
        let len = terms(text, stemmer, |found| {
            if rest == 0 {
                return;
            }
            rest -= 1;
            let known = self.by_surface.get(found.surface).copied();
            let id = known.unwrap_or_else(|| {
                let id = self.id(&found.cut(), found.surface);
                self.by_surface.insert(found.surface.into(), id);
                id
            });
            self.found.push((id, turn, found.position.unwrap_or(NOWHERE)));
        });
        for filter in filters {
            // It stands for no word of the text.
            let known = self.ids.get(*filter).copied();
            let id = known.unwrap_or_else(|| self.id(filter, filter));
            self.found.push((id, turn, NOWHERE));
        }
        put(len.into(), &mut self.turns);
        put_text(speaker, &mut self.turns);
        self.count += 1;
    }

    fn id(&mut self, term: &str, surface: &str) -> u32 {
        if let Some(id) = self.ids.get(term) {
            let known = &mut self.terms[*id as usize].1;
            if known.is_empty() {
                known.push_str(term);
            }
            known.push(' ');
            known.push_str(surface);
            return *id;
        }
        let id = self.terms.len() as u32;
        let surface = if surface == term { "" } else { surface };
        let term: Rc<str> = term.into();
        self.ids.insert(term.clone(), id);
        self.terms.push((term, surface.to_owned()));
        id
    }

    fn finish(mut self) -> Digest {
        let mut starts = vec![0; self.terms.len() + 1];
        for (id, ..) in &self.found {
            starts[*id as usize + 1] += 1;
        }
        for id in 0..self.terms.len() {
            starts[id + 1] += starts[id];
        }
        // By term, and for each as they stand in the text.
        let mut found = vec![(0, 0); self.found.len()];
        let mut next = starts.clone();
        for (id, turn, position) in self.found {
            let place = &mut next[id as usize];
            found[*place] = (turn, position);
            *place += 1;
        }
        let mut out = Vec::with_capacity(found.len() * 4);
        put(self.count.into(), &mut out);
        out.append(&mut self.turns);
        let mut list = Vec::new();
        for (id, (term, surfaces)) in self.terms.iter().enumerate() {
            put_text(term, &mut out);
            put_text(surfaces, &mut out);
            list.clear();
            let mut before = 0;
            let range = starts[id]..starts[id + 1];
            for places in found[range].chunk_by(|a, b| a.0 == b.0) {
                let turn = places[0].0;
                put(u64::from(turn - before), &mut list);
                before = turn;
                let positions = places.iter().map(|place| place.1);
                let positions = positions.filter(|position| *position != NOWHERE);
                // Most often each place has a position.
                let count = positions.clone().count();
                put((count as u64) << 1 | u64::from(count < places.len()), &mut list);
                if count < places.len() {
                    put(places.len() as u64, &mut list);
                }
                let mut last = 0;
                for position in positions {
                    put(u64::from(position - last), &mut list);
                    last = position;
                }
            }
            put(list.len() as u64, &mut out);
            out.extend_from_slice(&list);
        }
        Digest(out.into())
    }
}

/// The terms of filters that find a turn.
pub fn filters(read: &Conversation, turn: &Turn, text: &TurnText) -> Vec<String> {
    let mut filters = who(read, &turn.speaker);
    filters.extend(has(text).map(str::to_owned));
    filters
}

/// Those that ask who speaks.
fn who(read: &Conversation, speaker: &str) -> Vec<String> {
    let who = read.participant(speaker);
    let model = who.and_then(|who| who.model.as_deref());
    let model = model.into_iter().flat_map(|model| values("model", model));
    values("speaker", speaker).into_iter().chain(model).collect()
}

/// Those that ask what is there.
fn has<'a>(text: &TurnText) -> impl Iterator<Item = &'a str> + use<'a> {
    let code = text.has_code.then_some("has:code");
    code.into_iter().chain(text.has_tool.then_some("has:tool"))
}

/// The terms under which a filter finds a value: its words.
pub fn values(field: &str, value: &str) -> Vec<String> {
    let mut all = Vec::new();
    terms(value, Stemmer::Nothing, |found| {
        all.push(format!("{field}:{}", found.surface));
    });
    all
}
