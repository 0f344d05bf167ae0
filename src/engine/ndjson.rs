//! Writes documents as lines of JSON, for import into an engine with other tools.

use std::io::{self, Write};
use std::sync::Arc;

use rayon::prelude::*;

use crate::diag::Diagnostic;
use crate::search::index::Document;
use crate::search::turn_documents::turn_documents;
use crate::sources::TextStore;

/// The number of conversations whose documents are in memory at a time.
const AT_A_TIME: usize = 64;

/// The counts of written documents, and the problems.
#[derive(Default, Debug)]
pub struct WrittenDocuments {
    /// The number of documents.
    pub documents: u64,
    /// The number of conversations.
    pub conversations: u64,
    /// Conversations that could not be read.
    pub notes: Vec<Diagnostic>,
}

/// Writes a line for each document of the public conversations, in their order.
pub fn write_documents(
    documents: &[Arc<Document>],
    texts: &TextStore,
    out: &mut dyn Write,
    progress: &dyn Fn(usize, usize),
) -> io::Result<WrittenDocuments> {
    let public: Vec<_> = documents.iter().filter(|document| document.is_public()).collect();
    let mut written = WrittenDocuments::default();
    for (number, some) in public.chunks(AT_A_TIME).enumerate() {
        let lines = |document: &&Arc<Document>| {
            let all = turn_documents(document, texts)?;
            let lines: Vec<String> = all
                .iter()
                .map(|one| serde_json::to_string(one).unwrap_or_default() + "\n")
                .collect();
            Ok((all.len() as u64, lines.concat()))
        };
        let made: Vec<Result<(u64, String), Box<Diagnostic>>> =
            some.par_iter().map(lines).collect();
        for one in made {
            match one {
                Ok((count, text)) => {
                    out.write_all(text.as_bytes())?;
                    written.documents += count;
                    written.conversations += 1;
                }
                Err(note) => written.notes.push(*note),
            }
        }
        progress((number * AT_A_TIME + some.len()).min(public.len()), public.len());
    }
    out.flush()?;
    Ok(written)
}
