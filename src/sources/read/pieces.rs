//! Reads conversations whose pieces are scattered over long files, such as the mails of a thread.
//!
//! A first pass over all lines finds the pieces. After that, the pieces of one conversation are in
//! memory at a time.

use std::io::{self, BufRead, Read as _};

use super::part_builder::{LoadedPart, PartBuilder};
use super::unread::end_early;
use crate::diag::{Diagnostic, Lines, Location, Severity, Span};
use crate::files::Files;
use crate::formats::{Beside, Finder, Found, Piece};
use crate::sources::find::source::Source;

/// The pieces of each conversation, and the finder of other files to read with them.
type PiecesAndBeside = (Vec<Vec<Piece>>, Box<dyn Beside>);

/// The maximum size of a conversation. Bytes. Reading takes several times as much memory.
const MAX_BYTES: u64 = 32 << 20;
/// The length of a line that is examined at a time. Bytes.
const LINE_BYTES: u64 = 64 << 10;

/// Reads the conversations of a source one by one.
pub(crate) struct Pieces {
    finder: fn() -> Box<dyn Finder>,
    /// The pieces of the conversations that remain to be read; `None` before the first pass.
    found: Option<std::vec::IntoIter<Vec<Piece>>>,
    /// The finder of other files to read with each conversation.
    beside: Option<Box<dyn Beside>>,
}

impl Pieces {
    pub(crate) fn new(finder: fn() -> Box<dyn Finder>) -> Self {
        Self { finder, found: None, beside: None }
    }

    /// Reads the next conversation.
    pub(crate) fn next(
        &mut self,
        files: &dyn Files,
        source: &Source,
        notes: &mut Vec<Diagnostic>,
    ) -> Option<Result<LoadedPart, Box<Diagnostic>>> {
        let found = match &mut self.found {
            Some(found) => found,
            None => match self.find(files, source, notes) {
                Ok((found, beside)) => {
                    self.beside = Some(beside);
                    self.found.insert(found.into_iter())
                }
                Err(note) => {
                    self.found = Some(Vec::new().into_iter());
                    return Some(Err(note));
                }
            },
        };
        Some(load(&found.next()?, self.beside.as_deref(), files, source, notes))
    }

    /// Finds the pieces in all lines.
    fn find(
        &self,
        files: &dyn Files,
        source: &Source,
        notes: &mut Vec<Diagnostic>,
    ) -> Result<PiecesAndBeside, Box<Diagnostic>> {
        let mut finder = (self.finder)();
        for path in &source.files {
            finder.file(&source.name_in_folder(path));
            let mut reader = files.open(path, 0)?;
            let mut line = Vec::new();
            let mut is_start = true;
            loop {
                line.clear();
                let mut some = reader.by_ref().take(LINE_BYTES);
                let read = some.read_until(b'\n', &mut line);
                finder.line(&line, is_start);
                match read {
                    Err(error) => {
                        end_early(notes, path, &error)?;
                        reader = Box::new(io::empty());
                    }
                    Ok(0) => break,
                    Ok(_) => {}
                }
                is_start = line.ends_with(b"\n");
            }
        }
        let Found { conversations, notes: found_notes, beside } = finder.finish();
        let lines = Lines::new("");
        let label = source.label();
        notes.extend(found_notes.into_iter().map(|note| note.locate(label, &lines)));
        Ok((conversations, beside))
    }
}

/// Reads the pieces of a conversation, without those that exceed the limit.
fn load(
    pieces: &[Piece],
    beside: Option<&dyn Beside>,
    files: &dyn Files,
    source: &Source,
    notes: &mut Vec<Diagnostic>,
) -> Result<LoadedPart, Box<Diagnostic>> {
    let mut builder = PartBuilder::default();
    let mut sum = 0;
    for piece in pieces {
        let path = &source.files[piece.file];
        if sum + piece.len > MAX_BYTES {
            let most = crate::text::bytes(MAX_BYTES);
            let message =
                format!("this makes a conversation longer than {most}, too large to read at once");
            let note = Diagnostic::new(Severity::Error, "too-large", message);
            let span = Span { line: piece.line, ..Span::default() };
            let at = Location { file: path.to_string(), span: Some(span) };
            let note = note.hint("this part is skipped; the rest of the conversation is kept");
            notes.push(Diagnostic { at: Some(at), ..note });
            continue;
        }
        sum += piece.len;
        let mut bytes = Vec::new();
        let reader = files.open(path, piece.from)?;
        if let Err(error) = reader.take(piece.len).read_to_end(&mut bytes) {
            end_early(notes, path, &error)?;
        }
        builder.start(piece.file, piece.from, piece.line);
        builder.fill(bytes);
    }
    let more = beside.map(|beside| beside.pieces(builder.bytes())).unwrap_or_default();
    for piece in more {
        let mut bytes = Vec::new();
        let reader = files.open(&source.files[piece.file], piece.from)?;
        if reader.take(piece.len).read_to_end(&mut bytes).is_ok() {
            builder.start(piece.file, piece.from, piece.line);
            builder.fill(bytes);
        }
    }
    Ok(builder.finish(source))
}
