//! The files of a segment as bytes.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;
use serde::Serialize;

use super::batch::Batch;
use super::boundaries::{Sample, Sizes, boundaries, merge};
use super::encoding::{pack, positions_file, postings_file};
use super::file_counts::FileCounts;
use super::file_kind::FileKind;
use super::file_version::{FileVersion, VERSION_DIGITS};
use super::job::Job;
use super::run::RunHeader;
use super::spelling::SpellingWords;
use super::stored::{FileStore, IndexFile};
use super::term_files::{TermFiles, first_documents, merge_lists};
use super::threads::run_jobs;
use super::weights::{Weighing, stable_mean};
use crate::diag::{Diagnostic, Severity};
use crate::sources::TextStore;

/// The files of a segment, with their summary.
pub(super) struct SegmentFiles {
    files: BTreeMap<FileKind, IndexFile>,
    pub(super) store: FileStore,
    pub(super) summary: Summary,
}

/// The summary of a segment in the root file.
#[derive(Serialize)]
pub(super) struct Summary {
    /// Number of turns.
    turns: u64,
    /// Where each file of postings begins: all its terms are at or after this text.
    postings: Vec<String>,
    /// The same for each file of positions.
    positions: Vec<String>,
    /// The versions of all files, by the letter of their kind, concatenated in order.
    versions: BTreeMap<char, String>,
    /// Very common terms, with the number of their turns.
    common: Vec<(String, u32)>,
    /// Whether words have one file for each length.
    by_length: bool,
    /// The sizes of the files of facets, in bytes.
    facets: [usize; 2],
}

impl SegmentFiles {
    /// Returns the bytes of a file. Returns `None` if the store has lost them.
    pub(super) fn get(&self, kind: FileKind) -> Option<Vec<u8>> {
        match self.files.get(&kind) {
            Some(file) => self.store.bytes(file),
            None => Some(empty(kind)),
        }
    }
}

/// Makes the files of a segment that the store does not have.
pub(super) fn make(
    batches: &[Arc<Batch>],
    counts: FileCounts,
    texts: &TextStore,
    store: FileStore,
) -> Result<SegmentFiles, Box<Diagnostic>> {
    // A conversation that cannot be read again fails everything: an incomplete index must not look
    // like a complete one.
    let runs: Result<Vec<_>, _> = batches.par_iter().map(|batch| batch.take(texts)).collect();
    let runs = runs?;
    let headers = || runs.iter().map(|run| &run.header);
    let sum = |of: fn(&RunHeader) -> u64| headers().map(of).sum::<u64>();
    let turns = sum(|header| header.turns);
    let mean = stable_mean(sum(|header| header.words) as f64 / f64::max(turns as f64, 1.0));
    let weighing = Weighing { turns, mean, by_length: counts.by_length };
    let samples: Vec<&Sample> = headers().map(|header| &header.sample).collect();
    let sampled = merge(&samples);
    let starts = |count, total, size: fn(&Sizes) -> u64| boundaries(&sampled, total, count, size);
    let total = sum(|header| header.sizes.postings);
    let starts_of_postings = starts(counts.postings, total, |sizes| sizes.postings);
    let total = sum(|header| header.sizes.positions);
    let starts_of_positions = starts(counts.positions, total, |sizes| sizes.positions);
    let firsts = first_documents(&runs);
    let inputs = (mean.to_bits(), counts.by_length);
    let postings = TermFiles::find(
        &runs,
        starts_of_postings,
        &inputs,
        |run| firsts[run],
        &store,
        |of| weighing.is_same_for(of),
    );
    let positions =
        TermFiles::find(&runs, starts_of_positions, &"positions", |_| 0, &store, |(): &()| true);
    let layouts = headers().flat_map(|header| &header.layouts).collect();
    let mut is_complete = true;
    let mut of_postings = Vec::new();
    let work = |job: Job<'_>| job.files(&weighing, &postings.keys, &positions.keys, &store);
    let mut files: BTreeMap<_, _> = run_jobs(work, |submit| {
        submit(Job::Documents(batches, layouts));
        (of_postings, is_complete) = merge_lists(&runs, &postings, &positions, &weighing, submit);
        let mut words = SpellingWords::new(counts.by_length);
        of_postings.iter().for_each(|of| words.append(&of.words));
        words.lines().for_each(|(letters, lines)| submit(Job::Words(letters, lines)));
    })
    .into_iter()
    .collect();
    if !is_complete {
        let message = "the cache of the search index was deleted during the build";
        let note = Diagnostic::new(Severity::Error, "changed", message);
        return Err(Box::new(note.hint("build again")));
    }
    let (starts_of_postings, known) = postings.known(FileKind::Postings);
    files.extend(known);
    let (starts_of_positions, known) = positions.known(FileKind::Positions);
    files.extend(known);
    let summary = Summary {
        turns,
        postings: starts_of_postings,
        positions: starts_of_positions,
        versions: versions(&files, counts),
        common: of_postings.iter().flat_map(|of| of.common.iter().cloned()).collect(),
        by_length: counts.by_length,
        facets: [0, 1]
            .map(|number| files.get(&FileKind::Facets(number)).map_or(0, |file| file.len)),
    };
    Ok(SegmentFiles { files, store, summary })
}

/// Returns a file that contains nothing, because a very long list fills the files around it.
fn empty(kind: FileKind) -> Vec<u8> {
    match kind {
        FileKind::Postings(_) => postings_file(Vec::new(), 1.0),
        FileKind::Positions(_) => positions_file(Vec::new()),
        FileKind::Documents(_) | FileKind::Facets(_) | FileKind::Words(_) => pack(&[]),
    }
}

/// Returns the versions of all files, for [`Summary::versions`].
fn versions(files: &BTreeMap<FileKind, IndexFile>, counts: FileCounts) -> BTreeMap<char, String> {
    let mut versions: BTreeMap<char, String> = BTreeMap::new();
    for kind in counts.kinds() {
        let (letter, number) = kind.letter_and_number();
        let of_kind = versions.entry(letter).or_default();
        // Words start with those of three letters.
        let missing = (number * VERSION_DIGITS).saturating_sub(of_kind.len());
        of_kind.extend(std::iter::repeat_n('0', missing));
        match files.get(&kind) {
            Some(file) => of_kind.push_str(file.version.text()),
            None => of_kind.push_str(FileVersion::of(&empty(kind)).text()),
        }
    }
    versions
}
