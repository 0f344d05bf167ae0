//! The conversations of a run while their terms are collected.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use rayon::prelude::*;

use super::super::doc_terms::{self, DocTerms};
use super::document::{Document, VERSION};
use super::inverter::Inverter;
use super::run::Run;
use super::run_cache::RunCache;
use super::threads::locked;
use crate::diag::Diagnostic;
use crate::hash::Hash;
use crate::model::Conversation;
use crate::sources::{TextRef, TextStore};

/// Consecutive conversations, and the run that is made from them.
pub(super) struct Batch {
    key: Hash,
    pub(super) documents: Vec<Arc<Document>>,
    state: Mutex<State>,
    runs: Arc<RunCache>,
}

enum State {
    /// Whether the cache has the run is not known yet.
    Unchecked,
    /// Collected terms, by the index of the document and the number of its part.
    Collecting(HashMap<(usize, usize), DocTerms>),
    Ready(Arc<Run>),
}

impl Batch {
    pub(super) fn new(documents: Vec<Arc<Document>>, runs: &Arc<RunCache>) -> Arc<Self> {
        let keys: Vec<Hash> = documents.iter().map(|one| one.terms_key()).collect();
        let key = Hash::of(&(VERSION, doc_terms::VERSION, keys));
        let state = Mutex::new(State::Unchecked);
        Arc::new(Self { key, documents, state, runs: runs.clone() })
    }

    pub(super) fn key(&self) -> Hash {
        self.key
    }

    /// Returns the folders of the conversations.
    pub(super) fn paths(&self) -> impl Iterator<Item = &Arc<str>> {
        self.documents.iter().map(|document| &document.path)
    }

    /// Collects the terms of a text, unless that was done already: several outputs are made from
    /// one text. The last text completes the run.
    pub(super) fn collect(&self, document: usize, text_ref: &TextRef, read: &Conversation) {
        let parts = &self.documents[document].entry.parts;
        let Some(part) = parts.iter().position(|known| **known == *text_ref) else {
            return;
        };
        let is_wanted = |state: &State| match state {
            State::Collecting(collected) => !collected.contains_key(&(document, part)),
            _ => false,
        };
        if !is_wanted(&self.state()) {
            return;
        }
        let doc_terms = self.documents[document].terms_of_part(part, read);
        let mut state = self.state();
        let State::Collecting(collected) = &mut *state else { return };
        collected.insert((document, part), doc_terms);
        if collected.len() == self.parts().count() {
            let doc_terms = std::mem::take(collected);
            *state = State::Ready(self.make(doc_terms));
        }
    }

    /// Returns the run and forgets it. Texts whose terms are missing are read from `texts`.
    pub(super) fn take(&self, texts: &TextStore) -> Result<Arc<Run>, Box<Diagnostic>> {
        let state = std::mem::replace(&mut *self.state(), State::Unchecked);
        let mut doc_terms = match state {
            State::Ready(run) => return Ok(run),
            State::Collecting(doc_terms) => doc_terms,
            State::Unchecked => HashMap::new(),
        };
        let missing: Vec<_> = self.parts().filter(|at| !doc_terms.contains_key(at)).collect();
        let read = |&(document, part): &(usize, usize)| {
            let of = &self.documents[document];
            Ok((
                (document, part),
                of.terms_of_part(part, &*texts.get_cached(&of.entry.parts[part])?),
            ))
        };
        let read: Result<Vec<_>, Box<Diagnostic>> = missing.par_iter().map(read).collect();
        doc_terms.extend(read?);
        Ok(self.make(doc_terms))
    }

    /// Locks the state, after checking whether the cache has the run.
    fn state(&self) -> MutexGuard<'_, State> {
        let mut state = locked(&self.state);
        if matches!(*state, State::Unchecked) {
            *state = match self.runs.get(self.key) {
                Some(run) => State::Ready(run),
                None => State::Collecting(HashMap::new()),
            };
        }
        state
    }

    /// Returns the parts of the documents: the index of the document and the number of the part.
    fn parts(&self) -> impl Iterator<Item = (usize, usize)> {
        let documents = self.documents.iter().enumerate();
        documents.flat_map(|(place, document)| {
            (0..document.entry.parts.len()).map(move |part| (place, part))
        })
    }

    fn make(&self, mut doc_terms: HashMap<(usize, usize), DocTerms>) -> Arc<Run> {
        let mut inverter = Inverter::default();
        for (place, document) in self.documents.iter().enumerate() {
            let parts = 0..document.entry.parts.len();
            let parts = parts.filter_map(|part| doc_terms.remove(&(place, part)));
            inverter.add(place as u32, document, parts.collect());
        }
        self.runs.put(self.key, Run::new(inverter))
    }
}
