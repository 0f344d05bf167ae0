//! The index of a published site, in segments of small files that never change.
//!
//! A *segment* is a sequence of conversations, the oldest first. All files of a segment stand in a
//! folder that is named by a hash of what they are made from, so a host may tell browsers to
//! keep them for ever. Only [`ROOT`], which names the segments, changes its bytes under the same
//! name.
//!
//! | file | holds |
//! |---|---|
//! | `p<n>.bin` | terms in order, each with the turns it stands in and its weight in each |
//! | `q<n>.bin` | terms in order, each with its positions in those turns, for phrases |
//! | `d<n>.bin` | titles, days, addresses and parts of [`DOCUMENTS_PER_FILE`] conversations |
//! | `f0.bin` | days, speakers and other facets of every conversation |
//! | `w<n>.bin` | words of `n` letters, or all words, for whoever mistyped one |
//!
//! Each file is four bytes of checksum (FNV-1a of the rest) and a raw DEFLATE stream, because
//! static hosts compress no file of a type that they do not know.

mod batch;
mod facets;
mod files;
mod inverter;
mod run;
mod run_cache;
mod spelling;
mod threads;

use std::collections::{HashMap, HashSet};
use std::hash::{Hash as StdHash, Hasher};
use std::sync::{Arc, OnceLock};

use serde::Serialize;

use self::batch::Batch;
pub use self::files::{FileKind, MAX_WEIGHT, TITLE_WEIGHT};
use self::files::{SegmentFiles, Summary};
pub use self::run_cache::RunCache;
pub use self::spelling::WORD_LETTERS;
use super::doc_terms::{self, DocTerms};
use super::tokenizer::Stemmer;
use crate::diag::Diagnostic;
use crate::hash::Hash;
use crate::model::Conversation;
use crate::query::filters::conversation_filters;
use crate::sources::{Entry, Piece, TextRef, TextStore};
use crate::time::Time;

/// The path of the root file, the only one whose name stays when the index changes.
pub const ROOT: &str = "search/index.json";
/// The version of the format. It changes whenever conversations may give other files than before.
pub const VERSION: u32 = 1;
/// Conversations in a file of titles.
pub const DOCUMENTS_PER_FILE: usize = 64;

/// A document of the index: a conversation that search can find.
#[derive(Clone, Debug)]
pub struct Document {
    /// What is known of it.
    pub entry: Arc<Entry>,
    /// Its folder in the output.
    pub path: String,
    /// The stemmer of its words: that of the first language that it declares, else of the site's.
    pub stemmer: Stemmer,
}

impl Document {
    /// Returns its day, such as `2025-10-23`.
    pub fn day(&self) -> Option<String> {
        self.entry.time.as_ref().map(Time::day)
    }

    /// Returns whether readers of the site find it; its author does always. What is private stays
    /// out even where it was asked to be on the site.
    pub fn is_public(&self) -> bool {
        self.entry.is_searchable && !self.entry.private
    }

    /// Hashes everything that the index holds of it.
    pub fn key(&self) -> Hash {
        let Entry { parts, title, languages, kind, tags, .. } = &*self.entry;
        let parts: Vec<_> = parts
            .iter()
            .map(|text_ref| (text_ref.part.hash, text_ref.index, &text_ref.versions))
            .collect();
        let speakers = self.entry.speakers.iter();
        let speakers: Vec<_> = speakers.map(|who| (&who.name, &who.model)).collect();
        let about = (&self.path, title, self.day(), self.stemmer.name(), languages);
        Hash::of(&(parts, about, kind, tags, speakers))
    }

    /// Returns the terms of filters that find all of it.
    pub fn filters(&self) -> Vec<String> {
        let Entry { languages, kind, tags, .. } = &*self.entry;
        conversation_filters(languages, kind.as_deref(), tags)
    }

    /// Hashes everything that a run holds of it.
    fn terms_key(&self) -> Hash {
        let parts = self.entry.parts.iter().map(|text_ref| {
            let turns = (text_ref.from, text_ref.to);
            (
                text_ref.part.hash,
                text_ref.index,
                turns,
                text_ref.source.format,
                text_ref.source.rule,
                &text_ref.versions,
            )
        });
        let parts: Vec<_> = parts.collect();
        let names: Vec<&str> =
            self.entry.speakers.iter().map(|who| who.name.as_str()).collect();
        let title = &self.entry.title;
        Hash::of(&(parts, title, self.stemmer.name(), names, self.filters()))
    }

    /// Collects the terms of a part.
    fn terms_of_part(&self, part: usize, read: &Conversation) -> DocTerms {
        let title = (part == 0).then_some(&*self.entry.title);
        DocTerms::new(title, read, self.stemmer)
    }
}

/// A segment: consecutive conversations and their files, which are made when the first of them is
/// asked for.
pub struct Segment {
    key: Hash,
    batches: Vec<Arc<Batch>>,
    documents: usize,
    counts: FileCounts,
    texts: Arc<TextStore>,
    files: OnceLock<Result<SegmentFiles, Box<Diagnostic>>>,
}

impl StdHash for Segment {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

/// The number of files of each kind in a segment, known before any is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct FileCounts {
    postings: usize,
    positions: usize,
    documents: usize,
    /// Whether words have a file for each of their lengths, or one for all.
    by_length: bool,
}

/// Bytes of sources for each file of postings. It is the size of a request against the number
/// of files: measured, about 17 KB of file.
const SOURCE_BYTES_PER_POSTINGS_FILE: u64 = 110 << 10;
/// Bytes of sources for each file of positions, which only phrases need.
const SOURCE_BYTES_PER_POSITIONS_FILE: u64 = 600 << 10;
/// The fewest turns for which another file is made.
const MIN_TURNS_PER_FILE: u64 = 60;

/// Segments with fewer turns have their words in one file, and a word that stands in one turn
/// only may be what was meant.
const SMALL_SEGMENT_TURNS: u64 = 5_000;

impl FileCounts {
    fn of(documents: &[Arc<Document>]) -> Self {
        let pieces = documents.iter().flat_map(|document| &document.entry.parts);
        let pieces = pieces.filter(|text_ref| text_ref.from == 0);
        // Several conversations may stand in the same piece.
        let mut seen = HashSet::new();
        let pieces = pieces.flat_map(|text_ref| {
            let file = |piece: &Piece| text_ref.source.files[piece.file].as_str();
            text_ref.part.pieces.iter().map(move |piece| (file(piece), piece))
        });
        let new = pieces.filter(|(file, piece)| seen.insert((*file, piece.from)));
        let bytes: u64 = new.map(|(_, piece)| piece.len).sum();
        let turns: u64 = documents.iter().map(|document| document.entry.turns).sum();
        let files =
            |per: u64| (bytes / per).min(turns / MIN_TURNS_PER_FILE).max(1) as usize;
        Self {
            postings: files(SOURCE_BYTES_PER_POSTINGS_FILE),
            positions: files(SOURCE_BYTES_PER_POSITIONS_FILE),
            documents: documents.len().div_ceil(DOCUMENTS_PER_FILE),
            by_length: turns >= SMALL_SEGMENT_TURNS,
        }
    }
}

impl Segment {
    fn new(
        documents: &[Arc<Document>],
        texts: &Arc<TextStore>,
        runs: &Arc<RunCache>,
    ) -> Arc<Self> {
        let keys: Vec<Hash> = documents.iter().map(|document| document.key()).collect();
        let batches =
            run::divide(documents).into_iter().map(|part| Batch::new(part, runs));
        Arc::new(Self {
            key: Hash::of(&(VERSION, doc_terms::VERSION, keys)),
            batches: batches.collect(),
            documents: documents.len(),
            counts: FileCounts::of(documents),
            texts: texts.clone(),
            files: OnceLock::new(),
        })
    }

    /// Returns every file with its path in the output.
    pub fn paths(&self) -> impl Iterator<Item = (FileKind, String)> {
        let FileCounts { postings, positions, documents, by_length } = self.counts;
        let kinds = [
            (0..postings).map(FileKind::Postings as fn(usize) -> FileKind),
            (0..positions).map(FileKind::Positions as fn(usize) -> FileKind),
            (0..documents).map(FileKind::Documents as fn(usize) -> FileKind),
            (0..1).map(FileKind::Facets as fn(usize) -> FileKind),
        ];
        let words = if by_length { spelling::WORD_LETTERS } else { 0..=0 };
        let words = words.map(FileKind::Words as fn(usize) -> FileKind);
        let all = kinds.into_iter().flatten().chain(words);
        all.map(|kind| (kind, format!("{}{}", self.folder(), kind.name())))
    }

    fn folder(&self) -> String {
        format!("search/{}/", self.key.short(10))
    }

    fn files(&self) -> Result<&SegmentFiles, Box<Diagnostic>> {
        threads::assert_outside_pool();
        let make = || files::make(&self.batches, self.counts, &self.texts);
        self.files.get_or_init(make).as_ref().map_err(Clone::clone)
    }

    /// Returns the bytes of a file.
    pub fn make(&self, kind: FileKind) -> Result<Vec<u8>, Box<Diagnostic>> {
        Ok(self.files()?.get(kind))
    }
}

/// Conversations of the newest segment, at most this part of all: so much of the index is
/// written anew for each new conversation.
const NEWEST_SEGMENT_SHARE: usize = 32;
/// The fewest conversations that are divided into two segments.
const MIN_DOCUMENTS_TO_DIVIDE: usize = 512;

/// The index as a plan: which segments it has. Its files are made when somebody asks for them.
pub struct Index {
    /// The segments, the older one first.
    pub segments: Vec<Arc<Segment>>,
    /// The batch of each conversation and its place there, by the conversation's folder.
    places: HashMap<String, (Arc<Batch>, usize)>,
}

impl Index {
    /// Plans the index of the documents that readers may find, the oldest first.
    ///
    /// There are at most two segments, because every word of a query costs a request to each. The
    /// older holds a multiple of a power of two and stays what it is until so many new ones are
    /// there.
    pub fn plan(
        documents: &[Arc<Document>],
        texts: &Arc<TextStore>,
        runs: &Arc<RunCache>,
    ) -> Self {
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
        let segments: Vec<_> =
            parts.map(|part| Segment::new(part, texts, runs)).collect();
        let batches = || segments.iter().flat_map(|segment| &segment.batches);
        batches().for_each(|batch| runs.mark(batch.key()));
        let place = |batch: &Arc<Batch>| {
            let paths = batch.paths().map(str::to_owned).enumerate();
            let of_batch = |(place, path)| (path, (batch.clone(), place));
            paths.map(of_batch).collect::<Vec<_>>()
        };
        let places = batches().flat_map(place).collect();
        Self { segments, places }
    }

    /// Collects the terms of a text of the conversation in `folder`, because whoever calls has it at
    /// hand. The files of the index are the same without this: what was not collected when they are
    /// made is read again.
    pub fn collect(&self, folder: &str, text_ref: &TextRef, read: &Conversation) {
        if let Some((batch, place)) = self.places.get(folder) {
            batch.collect(*place, text_ref, read);
        }
    }
}

/// The root file as the script reads it.
#[derive(Serialize)]
struct Root<'a> {
    version: u32,
    /// The languages by which words are stemmed.
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
    let mut languages: Vec<&str> =
        documents.map(|document| document.stemmer.name()).collect();
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
    Ok(serde_json::to_vec(&root).expect("plain values are JSON"))
}
