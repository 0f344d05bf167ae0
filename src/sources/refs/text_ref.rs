//! References to the texts of conversations, and places in their files.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::diag::{Diagnostic, Location, Span};
use crate::model::{self, Conversation, Turn};
use crate::path::RelPath;
use crate::sources::find::source::{Part, Source};
use crate::sources::find::stored_paths;
use crate::sources::read::pages::Paged;

/// A reference to the text of a conversation, or to the part of it on one page.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct TextRef {
    /// The files.
    #[serde(with = "stored_paths::source")]
    pub source: Arc<Source>,
    /// The part of the files that is read at a time.
    pub part: Part,
    /// The index among the conversations of that part.
    pub index: usize,
    /// The first turn of the main path, as an index into the turns of the part.
    pub from: usize,
    /// The end of the range of turns, exclusive.
    pub to: usize,
    /// The number of the page, from 0.
    pub part_number: usize,
    /// The number of turns on the previous pages.
    pub turns_before: u64,
    /// Other versions of the conversation, such as in earlier exports, newest first. Their
    /// additional turns are shown too. Only set by planning.
    #[serde(skip)]
    pub versions: Vec<Version>,
}

/// Another version of a conversation.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Version {
    /// The files.
    pub source: Arc<Source>,
    /// The part of the files that is read at a time.
    pub part: Part,
    /// The index among the conversations of that part.
    pub index: usize,
}

impl TextRef {
    /// Returns the page of a conversation that this refers to.
    pub(crate) fn page_of(&self, whole: &Paged) -> Arc<Conversation> {
        whole.page(self.from..self.to)
    }

    /// Returns the file and the line of one of its turns.
    pub fn place(&self, turn: &Turn) -> (String, u32) {
        let place = NotePlace::of(self, turn);
        (place.file(), place.at.line)
    }

    /// Returns the number of bytes that must be read for it.
    pub fn size(&self) -> usize {
        self.part.size()
    }

    /// Returns the file that represents it in reports.
    pub fn file(&self) -> &RelPath {
        let first = self.part.pieces.first().map_or(0, |piece| piece.file);
        &self.source.files[first]
    }
}

/// A place in a source, for diagnostics.
pub(crate) struct NotePlace<'a> {
    pub(crate) text_ref: &'a TextRef,
    pub(crate) at: model::Place,
}

impl<'a> NotePlace<'a> {
    pub(crate) fn of(text_ref: &'a TextRef, turn: &Turn) -> Self {
        Self { text_ref, at: turn.place }
    }

    pub(crate) fn file(&self) -> String {
        let piece = self.text_ref.part.pieces.get(self.at.file);
        let path = piece
            .map_or_else(|| self.text_ref.file(), |piece| &self.text_ref.source.files[piece.file]);
        path.to_string()
    }

    /// Places a diagnostic on the line where the turn starts.
    pub(crate) fn on_line(&self, mut note: Diagnostic) -> Diagnostic {
        let span = Span { line: self.at.line, ..Span::default() };
        note.at = Some(Location { file: self.file(), span: Some(span) });
        note
    }

    /// Places a diagnostic at a span of the turn's text.
    pub(super) fn on_span(&self, mut note: Diagnostic, mut span: Span) -> Diagnostic {
        if self.at.quoted {
            return self.on_line(note);
        }
        span.line += self.at.line - 1;
        note.at = Some(Location { file: self.file(), span: Some(span) });
        note
    }
}
