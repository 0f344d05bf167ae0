//! The index of a published site, in segments of small files.
//!
//! A *segment* is a sequence of conversations, the oldest first, with its files in a folder. An edit
//! changes the files that contain its words, and [`ROOT`], which lists the segments and the versions
//! of their files. Scripts request each file with its version (`p7.bin?v=1x9c`), so browsers can
//! cache it for ever, and notice if the site was published again.
//!
//! | file | contains |
//! |---|---|
//! | `p<n>.bin` | terms in order, each with its turns and its weight in each; `ada:` matches turns of speakers with that name |
//! | `q<n>.bin` | terms in order, each with its positions in those turns, for phrases |
//! | `d<n>.bin` | titles, days, URLs and parts of [`DOCUMENTS_PER_FILE`] conversations |
//! | `f0.bin` | days, tags and other facets of every conversation |
//! | `f1.bin` | speakers and models of every conversation, and the speaker of each turn |
//! | `w<n>.bin` | words of `n` letters, or all words, for spelling correction |
//!
//! Files are made from runs, the lists of terms of some hundred conversations. An edit makes one run again,
//! and the files that the cache does not have: runs tell by fingerprints which files are the same.
//!
//! Each file is a raw DEFLATE stream, because static hosts do not compress files of unknown types.
//! Its version is made from its checksum (FNV-1a), and scripts verify it.

mod batch;
mod boundaries;
mod document;
mod encoding;
mod facets;
mod file_counts;
mod file_kind;
mod file_version;
mod files;
mod grouping;
mod inverter;
mod job;
mod run;
mod run_cache;
mod spelling;
mod stored;
mod term_files;
mod threads;
mod weights;

use std::collections::HashMap;
use std::hash::{Hash as StdHash, Hasher};
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;
use serde::Serialize;

use self::batch::Batch;
pub use self::document::{Document, VERSION};
pub use self::file_counts::DOCUMENTS_PER_FILE;
use self::file_counts::FileCounts;
pub use self::file_kind::FileKind;
pub use self::file_version::VERSION_DIGITS;
use self::files::{SegmentFiles, Summary};
pub use self::run_cache::RunCache;
pub use self::spelling::WORD_LETTERS;
use self::stored::FileStore;
pub use self::weights::{MAX_WEIGHT, TITLE_WEIGHT};
use super::doc_terms;
use crate::diag::Diagnostic;
use crate::hash::Hash;
use crate::model::Conversation;
use crate::partition::Partition;
use crate::sources::{TextRef, TextStore};

/// The folder of the index in the output.
pub const FOLDER: &str = "search";
/// The path of the root file.
pub const ROOT: &str = "search/index.json";
/// A segment: consecutive conversations and their files, which are made when the first of them is
/// requested.
pub struct Segment {
    /// Its place among the segments, from 1.
    number: usize,
    key: Hash,
    batches: Vec<Arc<Batch>>,
    documents: usize,
    counts: FileCounts,
    texts: Arc<TextStore>,
    runs: Arc<RunCache>,
    files: OnceLock<Result<SegmentFiles, Box<Diagnostic>>>,
    /// A copy in memory, for later requests when the stored files are gone.
    kept: OnceLock<Result<SegmentFiles, Box<Diagnostic>>>,
}

impl StdHash for Segment {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

impl Segment {
    fn new(
        number: usize,
        documents: &[Arc<Document>],
        texts: &Arc<TextStore>,
        runs: &Arc<RunCache>,
    ) -> Arc<Self> {
        let keys = || documents.par_iter().map(|one| one.key()).collect();
        let (counts, keys): (_, Vec<Hash>) = rayon::join(|| FileCounts::of(documents), keys);
        let parts = run::divide(documents).into_par_iter();
        let batches = parts.map(|part| Batch::new(part, runs));
        Arc::new(Self {
            number,
            key: Hash::of(&(VERSION, doc_terms::VERSION, keys)),
            batches: batches.collect(),
            documents: documents.len(),
            counts,
            texts: texts.clone(),
            runs: runs.clone(),
            files: OnceLock::new(),
            kept: OnceLock::new(),
        })
    }

    /// Returns every file with its path in the output.
    pub fn paths(&self) -> impl Iterator<Item = (FileKind, String)> {
        self.counts.kinds().map(|kind| (kind, format!("{}{}", self.folder(), kind.name())))
    }

    fn folder(&self) -> String {
        format!("{FOLDER}/{}/", self.number)
    }

    fn files(&self) -> Result<&SegmentFiles, Box<Diagnostic>> {
        threads::assert_outside_pool();
        let make = || {
            let files = self.make_all(FileStore::new(Some(self.runs.clone())))?;
            files.store.put_list(self.key);
            Ok(files)
        };
        self.files.get_or_init(make).as_ref().map_err(Clone::clone)
    }

    fn make_all(&self, store: FileStore) -> Result<SegmentFiles, Box<Diagnostic>> {
        files::make(&self.batches, self.counts, &self.texts, store)
    }

    /// Returns the bytes of a file.
    pub fn make(&self, kind: FileKind) -> Result<Vec<u8>, Box<Diagnostic>> {
        if let Some(bytes) = self.files()?.get(kind) {
            return Ok(bytes);
        }
        let kept = self.kept.get_or_init(|| self.make_all(FileStore::new(None)));
        kept.as_ref().map_err(Clone::clone).map(|kept| kept.get(kind).unwrap_or_default())
    }
}

/// The maximum share of conversations in the newest segment: this much of the index is rewritten
/// for each new conversation.
const NEWEST_SEGMENT_SHARE: usize = 32;
/// The minimum number of conversations for a second segment.
const MIN_DOCUMENTS_TO_DIVIDE: usize = 512;

/// The planned segments of the index. Their files are made on demand.
pub struct Index {
    /// The segments, the older one first.
    pub segments: Vec<Arc<Segment>>,
    /// The batch of each conversation and its number there, by the conversation's folder.
    places: HashMap<Arc<str>, (Arc<Batch>, usize)>,
}

impl Index {
    /// Plans the index of the documents that readers can find, the oldest first.
    ///
    /// There are at most two segments, because every word of a query costs a request to each. The
    /// older one contains a multiple of a power of two conversations, and stays the same until
    /// there are that many new ones.
    pub fn plan(documents: &[Arc<Document>], texts: &Arc<TextStore>, runs: &Arc<RunCache>) -> Self {
        let public = documents.iter().filter(|document| document.is_public());
        let documents: Vec<Arc<Document>> = public.cloned().collect();
        let count = documents.len();
        let step = if count < MIN_DOCUMENTS_TO_DIVIDE {
            count.max(1)
        } else {
            1 << (count / NEWEST_SEGMENT_SHARE).max(1).ilog2()
        };
        let (older, newer) = documents.split_at(count - count % step);
        let parts = [older, newer].into_iter().filter(|part| !part.is_empty());
        let segments = (1..).zip(parts);
        let segments: Vec<_> =
            segments.map(|(number, part)| Segment::new(number, part, texts, runs)).collect();
        let batches = || segments.iter().flat_map(|segment| &segment.batches);
        batches().for_each(|batch| runs.mark(batch.key()));
        segments.iter().for_each(|segment| stored::mark(segment.key, runs));
        let place = |batch: &Arc<Batch>| {
            let paths = batch.paths().cloned().enumerate();
            let of_batch = |(place, path)| (path, (batch.clone(), place));
            paths.map(of_batch).collect::<Vec<_>>()
        };
        let places = batches().flat_map(place).collect();
        Self { segments, places }
    }

    /// Stops collecting terms, for builds that make only few pages: their runs would never be
    /// complete, and take memory. The texts are read again when files are made.
    pub fn collect_nothing(&mut self) {
        self.places = HashMap::new();
    }

    /// Makes the runs of a partition that the cache does not have, and reads their texts for that.
    /// Returns the number of runs in the partition, and in total. Errors are reported when the
    /// files are made.
    pub fn make_runs(&self, partition: Partition) -> (usize, usize) {
        let segments = self.segments.iter();
        let all = segments.flat_map(|one| one.batches.iter().map(move |batch| (one, batch)));
        let (mut made, mut count) = (0, 0);
        for (segment, batch) in all {
            count += 1;
            if partition.holds(batch.key()) {
                made += 1;
                let _ = batch.take(&segment.texts);
            }
        }
        (made, count)
    }

    /// Collects the terms of a text of the conversation in `folder`, while the caller has it in
    /// memory. The files of the index are the same without this: missing terms are collected when
    /// they are made.
    pub fn collect(&self, folder: &str, text_ref: &TextRef, read: &Conversation) {
        if let Some((batch, place)) = self.places.get(folder) {
            batch.collect(*place, text_ref, read);
        }
    }
}

/// The root file in the form that the script reads.
#[derive(Serialize)]
struct Root<'a> {
    version: u32,
    /// The languages whose stemmers are used.
    languages: Vec<&'static str>,
    segments: Vec<RootSegment<'a>>,
}

#[derive(Serialize)]
struct RootSegment<'a> {
    folder: String,
    documents: usize,
    #[serde(flatten)]
    summary: &'a Summary,
}

/// Encodes the root file.
pub fn root(segments: &[Arc<Segment>]) -> Result<Vec<u8>, Box<Diagnostic>> {
    let batches = segments.iter().flat_map(|segment| &segment.batches);
    let documents = batches.flat_map(|batch| &batch.documents);
    let mut languages: Vec<&str> = documents.map(|document| document.stemmer.name()).collect();
    languages.sort_unstable();
    languages.dedup();
    let mut parts = Vec::new();
    for segment in segments {
        parts.push(RootSegment {
            folder: segment.folder(),
            documents: segment.documents,
            summary: &segment.files()?.summary,
        });
    }
    let root = Root { version: VERSION, languages, segments: parts };
    Ok(serde_json::to_vec(&root).expect("plain values can be serialized"))
}
