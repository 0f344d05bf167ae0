//! The conversations of a run on their way into it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use super::super::digest::{self, Digest};
use super::gather::Gathered;
use super::run::Run;
use super::runs::Runs;
use super::{Document, locked};
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
    /// The digests that are there, by the place of the document and the number of its part.
    Waiting(HashMap<(usize, usize), Digest>),
    Made(Arc<Run>),
}

impl Batch {
    pub(super) fn new(documents: Vec<Arc<Document>>, runs: &Arc<Runs>) -> Arc<Self> {
        let keys: Vec<Hash> = documents.iter().map(|one| one.terms_key()).collect();
        let key = Hash::of(&(super::VERSION, digest::VERSION, keys));
        let state = match runs.get(key) {
            Some(run) => State::Made(run),
            None => State::Waiting(HashMap::new()),
        };
        Arc::new(Self { key, documents, state: Mutex::new(state), runs: runs.clone() })
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
        let parts = &self.documents[document].parts;
        let Some(part) = parts.iter().position(|known| known == body) else { return };
        if matches!(*locked(&self.state), State::Made(_)) {
            return;
        }
        let digest = self.documents[document].digest(part, read);
        let mut state = locked(&self.state);
        let State::Waiting(waiting) = &mut *state else { return };
        waiting.insert((document, part), digest);
        let parts: usize = self.documents.iter().map(|one| one.parts.len()).sum();
        if waiting.len() == parts {
            let waiting = std::mem::take(waiting);
            let missing = |_: usize, _: usize| Err(());
            if let Ok(run) = self.make(waiting, missing) {
                *state = State::Made(run);
            }
        }
    }

    /// The run, which is let go: whoever asks again has it made again.
    pub(super) fn take(&self, bodies: &Bodies) -> Result<Arc<Run>, Box<Diagnostic>> {
        let mut state = locked(&self.state);
        let empty = State::Waiting(HashMap::new());
        match std::mem::replace(&mut *state, empty) {
            State::Made(run) => Ok(run),
            State::Waiting(waiting) => self.make(waiting, |document, part| {
                let document = &self.documents[document];
                Ok(document.digest(part, &bodies.get(&document.parts[part])?))
            }),
        }
    }

    fn make<E>(
        &self,
        mut waiting: HashMap<(usize, usize), Digest>,
        missing: impl Fn(usize, usize) -> Result<Digest, E>,
    ) -> Result<Arc<Run>, E> {
        let mut gathered = Gathered::default();
        for (place, document) in self.documents.iter().enumerate() {
            let mut digests = Vec::with_capacity(document.parts.len());
            for part in 0..document.parts.len() {
                digests.push(match waiting.remove(&(place, part)) {
                    Some(digest) => digest,
                    None => missing(place, part)?,
                });
            }
            gathered.add(place as u32, document, &digests);
        }
        let run = Arc::new(Run::new(gathered));
        self.runs.insert(self.key, &run);
        Ok(run)
    }
}
