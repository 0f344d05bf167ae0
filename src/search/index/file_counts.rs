//! The number of files in a segment.

use std::collections::HashSet;
use std::sync::Arc;

use super::document::Document;
use super::file_kind::FileKind;
use super::spelling::WORD_LETTERS;
use crate::sources::Piece;

/// Conversations in a file of titles. Each shown result needs one file: by measurement, 64
/// conversations cost a first search 2 KB more.
pub const DOCUMENTS_PER_FILE: usize = 40;

/// The number of files of each kind in a segment, which is known before any is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FileCounts {
    pub(super) postings: usize,
    pub(super) positions: usize,
    pub(super) documents: usize,
    /// Whether words have one file for each length, or one for all lengths.
    pub(super) by_length: bool,
}

/// The factor of [`source_bytes_per_postings_file`].
const POSTINGS_FILE_FACTOR: u64 = 160;
/// Bytes of sources for each file of positions, which only phrases need.
const SOURCE_BYTES_PER_POSITIONS_FILE: u64 = 600 << 10;
/// The minimum number of turns for another file.
const MIN_TURNS_PER_FILE: u64 = 25;

/// Segments with fewer turns have their words in one file, and words that occur in only one turn
/// are candidates for correction.
const SMALL_SEGMENT_TURNS: u64 = 5_000;

impl FileCounts {
    /// Returns the numbers for a segment with these conversations.
    pub(super) fn of(documents: &[Arc<Document>]) -> Self {
        let pieces = documents.iter().flat_map(|document| &document.entry.parts);
        let pieces = pieces.filter(|text_ref| text_ref.from == 0);
        // Several conversations can be in the same piece.
        let mut seen = HashSet::new();
        let pieces = pieces.flat_map(|text_ref| {
            let file = |piece: &Piece| text_ref.source.files[piece.file].as_str();
            text_ref.part.pieces.iter().map(move |piece| (file(piece), piece))
        });
        let new = pieces.filter(|(file, piece)| seen.insert((*file, piece.from)));
        let bytes: u64 = new.map(|(_, piece)| piece.len).sum();
        let turns: u64 = documents.iter().map(|document| document.entry.turns).sum();
        let files = |per: u64| (bytes / per).min(turns / MIN_TURNS_PER_FILE).max(1) as usize;
        Self {
            postings: files(source_bytes_per_postings_file(bytes)),
            positions: files(SOURCE_BYTES_PER_POSITIONS_FILE),
            documents: documents.len().div_ceil(DOCUMENTS_PER_FILE),
            by_length: turns >= SMALL_SEGMENT_TURNS,
        }
    }

    /// Returns every file; those of a kind are in the order of their numbers.
    pub(super) fn kinds(self) -> impl Iterator<Item = FileKind> {
        let Self { postings, positions, documents, by_length } = self;
        let kinds = [
            (0..postings).map(FileKind::Postings as fn(usize) -> FileKind),
            (0..positions).map(FileKind::Positions as fn(usize) -> FileKind),
            (0..documents).map(FileKind::Documents as fn(usize) -> FileKind),
            (0..2).map(FileKind::Facets as fn(usize) -> FileKind),
        ];
        let words = if by_length { WORD_LETTERS } else { 0..=0 };
        let words = words.map(FileKind::Words as fn(usize) -> FileKind);
        kinds.into_iter().flatten().chain(words)
    }
}

/// Returns the number of bytes of sources for each file of postings, with `bytes` of sources in
/// total.
///
/// Every word of a query costs a file, and every file costs some bytes of the root file. So files
/// grow with the cube root of the archive: by measurement, files have about 2, 6 and 10 KB for 16,
/// 1,000 and 10,000 conversations.
fn source_bytes_per_postings_file(bytes: u64) -> u64 {
    let is_below = |root: &u64| root.checked_pow(3).is_some_and(|cube| cube <= bytes);
    let cube_root = (1..).take_while(is_below).last().unwrap_or(1);
    cube_root * POSTINGS_FILE_FACTOR
}
