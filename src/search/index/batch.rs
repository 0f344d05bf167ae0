//! The conversations of a run on their way into it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use rayon::prelude::*;

use super::super::digest::{self, Digest};
use super::Document;
use super::gather::Gathered;
use super::run::Run;
use super::runs::Runs;
use super::threads::locked;
use crate::diag::Diagnostic;
use crate::hash::Hash;
use crate::model::Conversation;
use crate::sources::{Bodies, Body};

/// Conversations that follow each other, and the run that they give.
pub struct Batch {
    key: Hash,
    pub(super) documents: Vec<Arc<Document>>,
    state: Mutex<State>,
    runs: Arc<Runs>,
}

enum State {
    /// Whether it was made earlier, nobody asked yet.
    Unknown,
    /// The digests that are there, by the place of the document and the number of its part.
    Waiting(HashMap<(usize, usize), Digest>),
    Made(Arc<Run>),
}

impl Batch {
    pub(super) fn new(documents: Vec<Arc<Document>>, runs: &Arc<Runs>) -> Arc<Self> {
        let keys: Vec<Hash> = documents.iter().map(|one| one.terms_key()).collect();
        let key = Hash::of(&(super::VERSION, digest::VERSION, keys));
        let state = Mutex::new(State::Unknown);
        Arc::new(Self { key, documents, state, runs: runs.clone() })
    }

    pub(super) fn key(&self) -> Hash {
        self.key
    }

    /// The folders of its conversations.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.documents.iter().map(|document| document.path.as_str())
    }

    /// Takes the terms of a text that somebody has read, so that it need not be read again. The
    /// last one makes the run.
    pub fn offer(&self, document: usize, body: &Body, read: &Conversation) {
        let parts = &self.documents[document].entry.parts;
        let Some(part) = parts.iter().position(|known| known == body) else { return };
        if matches!(*self.state(), State::Made(_)) {
            return;
        }
        let digest = self.documents[document].digest(part, read);
        let mut state = self.state();
        let State::Waiting(waiting) = &mut *state else { return };
        waiting.insert((document, part), digest);
        if waiting.len() == self.parts().count() {
            let digests = std::mem::take(waiting);
            *state = State::Made(self.make(digests));
        }
    }

    /// The run, which is let go. What nobody offered is read from `bodies`.
    pub(super) fn take(&self, bodies: &Bodies) -> Result<Arc<Run>, Box<Diagnostic>> {
        let state = std::mem::replace(&mut *self.state(), State::Unknown);
        let mut digests = match state {
            State::Made(run) => return Ok(run),
            State::Waiting(digests) => digests,
            State::Unknown => HashMap::new(),
        };
        let missing: Vec<_> =
            self.parts().filter(|at| !digests.contains_key(at)).collect();
        let read = |&(document, part): &(usize, usize)| {
            let of = &self.documents[document];
            Ok(((document, part), of.digest(part, &*bodies.near(&of.entry.parts[part])?)))
        };
        let read: Result<Vec<_>, Box<Diagnostic>> =
            missing.par_iter().map(read).collect();
        digests.extend(read?);
        Ok(self.make(digests))
    }

    /// The state, in which by now it is known whether the run was made earlier.
    fn state(&self) -> MutexGuard<'_, State> {
        let mut state = locked(&self.state);
        if matches!(*state, State::Unknown) {
            *state = match self.runs.get(self.key) {
                Some(run) => State::Made(run),
                None => State::Waiting(HashMap::new()),
            };
        }
        state
    }

    /// The parts of its documents: the place of the document and the number of the part.
    fn parts(&self) -> impl Iterator<Item = (usize, usize)> {
        let documents = self.documents.iter().enumerate();
        documents.flat_map(|(place, document)| {
            (0..document.entry.parts.len()).map(move |part| (place, part))
        })
    }

    fn make(&self, mut digests: HashMap<(usize, usize), Digest>) -> Arc<Run> {
        let mut gathered = Gathered::default();
        for (place, document) in self.documents.iter().enumerate() {
            let parts = 0..document.entry.parts.len();
            let parts = parts.filter_map(|part| digests.remove(&(place, part)));
            gathered.add(place as u32, document, &parts.collect::<Vec<_>>());
        }
        self.runs.insert(self.key, Run::new(gathered))
    }
}
