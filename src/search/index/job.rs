//! The jobs that make files on the threads of the pool.

use std::sync::Arc;

use serde_json::json;

use super::batch::Batch;
use super::document::{Document, VERSION};
use super::encoding::{pack, positions_file, postings_file};
use super::facets;
use super::file_counts::DOCUMENTS_PER_FILE;
use super::file_kind::FileKind;
use super::grouping::Group;
use super::inverter::{PostingList, TurnLayout};
use super::spelling::sorted;
use super::stored::{FileStore, IndexFile};
use super::weights::{OfPostings, Weighing};
use crate::hash::Hash;

/// A job for the pool: making files.
pub(super) enum Job<'a> {
    /// The number of a file, its terms, and what it contributes to other files.
    Postings(usize, Vec<(Box<str>, PostingList)>, Arc<OfPostings>),
    /// A file of positions.
    Positions(Group<Vec<u8>>),
    /// The length of words, and lines of these words.
    Words(usize, String),
    /// Titles and facets of conversations.
    Documents(&'a [Arc<Batch>], Vec<&'a TurnLayout>),
}

impl Job<'_> {
    /// Makes the files, and puts them into the store.
    pub(super) fn files(
        self,
        weighing: &Weighing,
        posting_keys: &[Hash],
        position_keys: &[Hash],
        store: &FileStore,
    ) -> Vec<(FileKind, IndexFile)> {
        let plain = |kind: FileKind, text: &str| {
            let key = Hash::of(&(VERSION, text));
            (kind, store.get_or_make(key, || pack(&[text.as_bytes()])))
        };
        match self {
            Self::Postings(number, group, of) => {
                let bytes = postings_file(group, weighing.mean);
                let file = store.put(posting_keys[number], &*of, bytes);
                vec![(FileKind::Postings(number), file)]
            }
            Self::Positions((number, group)) => {
                let file = store.put(position_keys[number], &(), positions_file(group));
                vec![(FileKind::Positions(number), file)]
            }
            Self::Words(letters, lines) => {
                vec![plain(FileKind::Words(letters), &sorted(&lines))]
            }
            Self::Documents(batches, layouts) => {
                let files = document_files(batches, &layouts).into_iter();
                files.map(|(kind, text)| plain(kind, &text)).collect()
            }
        }
    }
}

/// Returns the texts of the files of titles and of facets.
fn document_files(batches: &[Arc<Batch>], layouts: &[&TurnLayout]) -> Vec<(FileKind, String)> {
    let documents = batches.iter().flat_map(|batch| &batch.documents);
    let documents: Vec<&Document> = documents.map(|document| &**document).collect();
    let mut files = Vec::new();
    for (number, block) in documents.chunks(DOCUMENTS_PER_FILE).enumerate() {
        let rows: Vec<_> = block
            .iter()
            .zip(&layouts[number * DOCUMENTS_PER_FILE..])
            .map(|(document, layout)| {
                let (title, day) = (&document.entry.title, document.day());
                json!([document.path, title, day, layout.parts])
            })
            .collect();
        files.push((FileKind::Documents(number), json!(rows).to_string()));
    }
    let facets = facets::files(&documents, layouts).into_iter().enumerate();
    files.extend(facets.map(|(number, facets)| (FileKind::Facets(number), facets)));
    files
}
