//! The files of terms: postings and positions. Only those are made that the store does not have.

use std::collections::BTreeMap;
use std::hash::Hash as StdHash;
use std::sync::Arc;

use rayon::prelude::*;
use serde::de::DeserializeOwned;

use super::document::VERSION;
use super::file_kind::FileKind;
use super::grouping::{Grouping, Span, spans};
use super::inverter::PostingList;
use super::job::Job;
use super::run::{Run, RunMerger};
use super::stored::{FileStore, IndexFile};
use super::weights::{OfPostings, Weighing};
use crate::hash::Hash;

/// The number of files whose lists may all be in memory at once.
const FEW_FILES: usize = 100;

/// The files of postings, or those of positions.
pub(super) struct TermFiles<T> {
    /// Where each file begins: all its terms are at or after this text.
    starts: Vec<String>,
    /// For each file, the hash of all that it depends on.
    pub(super) keys: Vec<Hash>,
    /// The files that the store has, with what they contribute to others.
    known: Vec<Option<(Arc<T>, IndexFile)>>,
}

impl<T: DeserializeOwned + Send + Sync> TermFiles<T> {
    /// Finds files in the store. They depend on the lists of their terms, on the `place` of each run, and on
    /// `inputs`.
    pub(super) fn find(
        runs: &[Arc<Run>],
        starts: Vec<String>,
        inputs: &impl StdHash,
        place: impl Fn(usize) -> usize,
        store: &FileStore,
        is_valid: impl Fn(&T) -> bool + Sync,
    ) -> Self {
        let mut parts = vec![Vec::new(); starts.len()];
        for (number, run) in runs.iter().enumerate() {
            let add = &mut |file: usize, part| parts[file].push((place(number), part));
            run.header.sample.each_part(&starts, add);
        }
        let ends = starts.iter().skip(1).map(Some).chain([None]);
        let files = starts.iter().zip(ends).zip(&parts);
        let key = |((start, end), parts)| Hash::of(&(VERSION, inputs, start, end, parts));
        let keys: Vec<Hash> = files.map(key).collect();
        let find = |key: &Hash| {
            let (of, file) = store.get(*key)?;
            is_valid(&of).then(|| (Arc::new(of), file))
        };
        let known = keys.par_iter().map(find).collect();
        Self { starts, keys, known }
    }

    fn grouping<L>(&self) -> Grouping<'_, L> {
        Grouping::new(&self.starts, self.known.iter().map(Option::is_none).collect())
    }

    /// Returns where each wanted file begins, and where the next file begins; `None` after the last one.
    fn wanted(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        let ends = self.starts.iter().skip(1).map(|start| Some(start.as_str())).chain([None]);
        let files = self.starts.iter().map(String::as_str).zip(ends).zip(&self.known);
        files.filter(|(_, known)| known.is_none()).map(|(file, _)| file)
    }

    /// Returns where all files begin, and the known ones, as files of a kind.
    pub(super) fn known(
        self,
        kind: fn(usize) -> FileKind,
    ) -> (Vec<String>, impl Iterator<Item = (FileKind, IndexFile)>) {
        let known = self.known.into_iter().enumerate();
        let known = known.filter_map(move |(number, known)| Some((kind(number), known?.1)));
        (self.starts, known)
    }

    /// Returns what the known files contribute to others, by the number of the file.
    fn values(&self) -> BTreeMap<usize, Arc<T>> {
        let known = self.known.iter().enumerate();
        known.filter_map(|(number, known)| Some((number, known.as_ref()?.0.clone()))).collect()
    }
}

/// Merges the lists of terms whose files are not known, and submits those files. Returns what each file of
/// postings contributes to other files, and whether all lists could be read.
pub(super) fn merge_lists<'j>(
    runs: &[Arc<Run>],
    postings: &TermFiles<OfPostings>,
    positions: &TermFiles<()>,
    weighing: &Weighing,
    submit: &dyn Fn(Job<'j>),
) -> (Vec<Arc<OfPostings>>, bool) {
    let mut of_postings = postings.values();
    let mut submit_and_note = |job: Job<'j>| {
        if let Job::Postings(number, _, of) = &job {
            of_postings.insert(*number, of.clone());
        }
        submit(job);
    };
    let merge = |span: &Span, submit: &mut dyn FnMut(Job<'j>)| {
        merge_span(span, runs, (postings.grouping(), positions.grouping()), weighing, submit)
    };
    let spans = spans(postings.wanted().chain(positions.wanted()));
    let is_complete = if postings.wanted().chain(positions.wanted()).count() > FEW_FILES {
        spans.iter().all(|span| merge(span, &mut submit_and_note))
    } else {
        let merged = spans.par_iter().map(|span| {
            let mut jobs = Vec::new();
            (merge(span, &mut |job| jobs.push(job)), jobs)
        });
        let merged: Vec<_> = merged.collect();
        let is_complete = merged.iter().all(|(is_complete, _)| *is_complete);
        merged.into_iter().flat_map(|(_, jobs)| jobs).for_each(submit_and_note);
        is_complete
    };
    (of_postings.into_values().collect(), is_complete)
}

/// Merges the lists of the terms of a span, and submits the files that are wanted. Returns whether all lists could
/// be read.
fn merge_span<'j>(
    (start, end): &Span,
    runs: &[Arc<Run>],
    (mut postings, mut positions): (Grouping<'_, PostingList>, Grouping<'_, Vec<u8>>),
    weighing: &Weighing,
    submit: &mut dyn FnMut(Job<'j>),
) -> bool {
    let mut of = OfPostings::new(weighing);
    let mut lists = RunMerger::new(runs, start);
    while lists.term().is_some_and(|term| end.as_deref().is_none_or(|end| term < end))
        && let Some((term, mut list)) = lists.next()
    {
        if let Some((number, group)) = postings.go_to(&term) {
            let of = std::mem::replace(&mut of, OfPostings::new(weighing));
            submit(Job::Postings(number, group, Arc::new(of)));
        }
        positions.go_to(&term).into_iter().for_each(|group| submit(Job::Positions(group)));
        let places = std::mem::take(&mut list.positions);
        let has_positions = !places.is_empty();
        if has_positions && positions.is_wanted() {
            positions.push(term.clone(), places);
        }
        if postings.is_wanted() {
            of.add(&term, &mut list, has_positions, weighing);
            postings.push(term, list);
        }
    }
    if let Some((number, group)) = postings.rest() {
        submit(Job::Postings(number, group, Arc::new(of)));
    }
    positions.rest().into_iter().for_each(|group| submit(Job::Positions(group)));
    !lists.is_broken()
}

/// Returns the number of the first document of each run.
pub(super) fn first_documents(runs: &[Arc<Run>]) -> Vec<usize> {
    let counts = runs.iter().map(|run| run.header.layouts.len());
    counts.scan(0, |first, count| Some(std::mem::replace(first, *first + count))).collect()
}
