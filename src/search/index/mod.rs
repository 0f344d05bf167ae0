//! The index of a published site, in segments of small files that never change.
//!
//! A *segment* is a run of conversations, the oldest first. All files of a segment stand in a
//! folder that is named by a hash of what they are made from, so a host may tell browsers to
//! keep them for ever. Only [`ROOT`], which names the segments, changes its bytes under the same
//! name.
//!
//! | file | holds |
//! |---|---|
//! | `p<n>.bin` | terms in order, each with the turns it stands in and its weight in each |
//! | `q<n>.bin` | terms in order, each with its positions in those turns, for phrases |
//! | `d<n>.bin` | what results show of [`BLOCK`] conversations: address, title, day, parts |
//! | `f0.bin` | days, speakers and other facets of every conversation |
//! | `w<n>.bin` | words of `n` letters, or all words, for whoever mistyped one |
//!
//! Each file is four bytes of checksum (FNV-1a of the rest) and a raw DEFLATE stream, because
//! static hosts compress no file of a type that they do not know.

mod batch;
mod facets;
mod files;
mod gather;
mod run;
mod runs;
mod threads;
mod words;

use std::hash::{Hash as StdHash, Hasher};
use std::sync::{Arc, OnceLock};

use serde::Serialize;

pub use self::batch::Batch;
pub use self::files::Which;
use self::files::{Files, Summary};
pub use self::runs::{Runs, Shelf};
use super::digest::{self, Digest, values};
use super::words::Stemmer;
use crate::diag::Diagnostic;
use crate::hash::Hash;
use crate::model::Conversation;
use crate::sources::{Bodies, Entry};
use crate::time::Time;

/// The one file whose name stays when the index changes.
pub const ROOT: &str = "search/index.json";
/// Changes whenever the same conversations may give other files.
const VERSION: u32 = 1;
/// Conversations in a file of what results show.
pub const BLOCK: usize = 64;

/// A conversation that can be found.
#[derive(Clone, Debug)]
pub struct Document {
    /// What is known of it.
    pub entry: Arc<Entry>,
    /// Its folder in the output.
    pub path: String,
    /// How its words are cut: as in the first language that it declares, else in the site's.
    pub stemmer: Stemmer,
}

impl Document {
    /// When it was, such as `2025-10-23`.
    pub fn day(&self) -> Option<String> {
        self.entry.time.as_ref().map(Time::day)
    }

    /// Whether readers of the site find it; its author does always. What is private stays out
    /// even where it was asked to be on the site.
    pub fn is_public(&self) -> bool {
        self.entry.is_found && !self.entry.private
    }

    /// Everything that the index holds of it comes from this.
    pub fn key(&self) -> Hash {
        let Entry { parts, title, languages, kind, tags, .. } = &*self.entry;
        let parts: Vec<_> =
            parts.iter().map(|body| (body.part.hash, body.index)).collect();
        let speakers = self.entry.speakers.iter();
        let speakers: Vec<_> = speakers.map(|who| (&who.name, &who.model)).collect();
        let about = (&self.path, title, self.day(), self.stemmer.name(), languages);
        Hash::of(&(parts, about, kind, tags, speakers))
    }

    /// The terms of filters that find all of it.
    pub fn filters(&self) -> Vec<String> {
        let Entry { languages, kind, tags, .. } = &*self.entry;
        let languages = languages.iter().flat_map(|tag| values("lang", tag));
        let kind = kind.iter().flat_map(|kind| values("type", kind));
        let tags = tags.iter().flat_map(|tag| values("tag", tag));
        let mut all: Vec<String> = languages.chain(kind).chain(tags).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Everything that a run holds of it comes from this.
    fn terms_key(&self) -> Hash {
        let parts = self.entry.parts.iter().map(|body| {
            let turns = (body.from, body.to);
            (body.part.hash, body.index, turns, body.source.format, body.source.rule)
        });
        let parts: Vec<_> = parts.collect();
        let names: Vec<&str> =
            self.entry.speakers.iter().map(|who| who.name.as_str()).collect();
        let title = &self.entry.title;
        Hash::of(&(parts, title, self.stemmer.name(), names, self.filters()))
    }

    /// The terms of a part.
    fn digest(&self, part: usize, read: &Conversation) -> Digest {
        let title = (part == 0).then_some(&*self.entry.title);
        Digest::new(title, read, self.stemmer)
    }
}

/// A run of conversations with its files, which are made when the first of them is asked for.
pub struct Segment {
    key: Hash,
    batches: Vec<Arc<Batch>>,
    documents: usize,
    counts: Counts,
    bodies: Arc<Bodies>,
    files: OnceLock<Result<Files, Box<Diagnostic>>>,
}

impl StdHash for Segment {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

/// How many files of each kind a segment has: known before any is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Counts {
    postings: usize,
    positions: usize,
    documents: usize,
    /// Whether words have a file for each of their lengths, or one for all.
    by_length: bool,
}

/// Bytes of sources for each file of postings. It is the size of a request against the number
/// of files: measured, about 17 KB of file.
const POSTINGS: u64 = 110 << 10;
/// The same for positions, which only phrases need.
const POSITIONS: u64 = 600 << 10;
/// Fewer turns are no reason for another file.
const TURNS: u64 = 60;

/// Segments with fewer turns have their words in one file, and a word that stands in one turn
/// only may be what was meant.
const FEW: u64 = 5_000;

impl Counts {
    fn of(documents: &[Arc<Document>]) -> Self {
        let pieces = documents.iter().flat_map(|document| &document.entry.parts);
        let pieces = pieces.filter(|body| body.from == 0);
        let pieces = pieces.flat_map(|body| &body.part.pieces);
        let bytes: u64 = pieces.map(|piece| piece.len).sum();
        let turns: u64 = documents.iter().map(|document| document.entry.turns).sum();
        let files = |per: u64| (bytes / per).min(turns / TURNS).max(1) as usize;
        Self {
            postings: files(POSTINGS),
            positions: files(POSITIONS),
            documents: documents.len().div_ceil(BLOCK),
            by_length: turns >= FEW,
        }
    }
}

impl Segment {
    fn new(
        documents: &[Arc<Document>],
        bodies: &Arc<Bodies>,
        runs: &Arc<Runs>,
    ) -> Arc<Self> {
        let keys: Vec<Hash> = documents.iter().map(|document| document.key()).collect();
        let batches =
            run::divide(documents).into_iter().map(|part| Batch::new(part, runs));
        Arc::new(Self {
            key: Hash::of(&(VERSION, digest::VERSION, keys)),
            batches: batches.collect(),
            documents: documents.len(),
            counts: Counts::of(documents),
            bodies: bodies.clone(),
            files: OnceLock::new(),
        })
    }

    /// Its conversations, run by run.
    pub fn batches(&self) -> &[Arc<Batch>] {
        &self.batches
    }

    /// Every file with its path in the output.
    pub fn paths(&self) -> impl Iterator<Item = (Which, String)> {
        let Counts { postings, positions, documents, by_length } = self.counts;
        let kinds = [
            (0..postings).map(Which::Postings as fn(usize) -> Which),
            (0..positions).map(Which::Positions as fn(usize) -> Which),
            (0..documents).map(Which::Documents as fn(usize) -> Which),
            (0..1).map(Which::Facets as fn(usize) -> Which),
        ];
        let words = if by_length { words::LETTERS } else { 0..=0 };
        let words = words.map(Which::Words as fn(usize) -> Which);
        let all = kinds.into_iter().flatten().chain(words);
        all.map(|which| (which, format!("{}{}", self.folder(), which.name())))
    }

    fn folder(&self) -> String {
        format!("search/{}/", self.key.short(10))
    }

    fn files(&self) -> Result<&Files, Box<Diagnostic>> {
        threads::assert_outside();
        let make = || files::make(&self.batches, self.counts, &self.bodies);
        self.files.get_or_init(make).as_ref().map_err(Clone::clone)
    }

    /// The bytes of a file.
    pub fn make(&self, which: Which) -> Result<Vec<u8>, Box<Diagnostic>> {
        Ok(self.files()?.get(which))
    }
}

/// Conversations of the newest segment, at most this part of all: so much of the index is
/// written anew for each new conversation.
const OPEN: usize = 32;
/// Fewer conversations are one segment.
const SMALL: usize = 512;

/// Divides conversations, the oldest first, into segments.
///
/// There are at most two, because every word of a query costs a request to each. The older
/// holds a multiple of a power of two and stays what it is until so many new ones are there.
pub fn segments(
    documents: &[Arc<Document>],
    bodies: &Arc<Bodies>,
    runs: &Arc<Runs>,
) -> Vec<Arc<Segment>> {
    let count = documents.len();
    let step =
        if count < SMALL { count.max(1) } else { 1 << (count / OPEN).max(1).ilog2() };
    let (older, newer) = documents.split_at(count - count % step);
    let parts = [older, newer].into_iter().filter(|part| !part.is_empty());
    let segments: Vec<_> = parts.map(|part| Segment::new(part, bodies, runs)).collect();
    let batches = segments.iter().flat_map(|segment| &segment.batches);
    runs.keep(&batches.map(|batch| batch.key()).collect());
    segments
}

/// [`ROOT`] as the script reads it.
#[derive(Serialize)]
struct Root<'a> {
    version: u32,
    /// The languages by which words are cut.
    languages: Vec<&'static str>,
    segments: Vec<Part<'a>>,
}

#[derive(Serialize)]
struct Part<'a> {
    folder: String,
    documents: usize,
    #[serde(flatten)]
    summary: &'a Summary,
}

/// The bytes of [`ROOT`].
pub fn root(segments: &[Arc<Segment>]) -> Result<Vec<u8>, Box<Diagnostic>> {
    let batches = segments.iter().flat_map(|segment| &segment.batches);
    let documents = batches.flat_map(|batch| &batch.documents);
    let mut languages: Vec<&str> =
        documents.map(|document| document.stemmer.name()).collect();
    languages.sort_unstable();
    languages.dedup();
    let mut parts = Vec::new();
    for segment in segments {
        parts.push(Part {
            folder: segment.folder(),
            documents: segment.documents,
            summary: &segment.files()?.summary,
        });
    }
    let root = Root { version: VERSION, languages, segments: parts };
    Ok(serde_json::to_vec(&root).expect("plain values are JSON"))
}
