//! Reads the parts of a source one by one.

use std::io::{self, BufRead, Read as _};

use super::elements::Elements;
use super::named_files::NamedFiles;
use super::part_builder::{LoadedPart, PART_BYTES, PartBuilder};
use super::pieces::Pieces;
use super::unread::{MAX_READ_BYTES, end_early, too_large};
use crate::diag::{Diagnostic, Lines, Location, Span};
use crate::files::{Files, Reader};
use crate::formats::{self, Cut, DETECT_BYTES, Format, Parts};
use crate::path::RelPath;
use crate::sources::find::source::Source;

/// How a source is read.
enum Reading {
    /// The whole source.
    Whole,
    /// Some lines per part.
    Lines(fn(&str, &str) -> Cut),
    /// One record per part.
    Records(Elements),
    /// The pieces of one conversation per part.
    Pieces(Pieces),
}

/// Reads the parts of a source one by one.
pub(crate) struct PartReader<'a> {
    files: &'a dyn Files,
    source: &'a Source,
    reading: Reading,
    /// The index of the current or next file.
    file: usize,
    reader: Option<Reader>,
    /// The offset of the next line in the file. Bytes.
    offset: u64,
    line: u32,
    /// A line that was already read and belongs to the next part.
    next_line: Option<Vec<u8>>,
    /// The files that lines may refer to.
    named: Option<NamedFiles>,
    /// Diagnostics about parts that could not be read.
    notes: Vec<Diagnostic>,
    done: bool,
}

impl<'a> PartReader<'a> {
    /// Detects the format, if it depends on the content of the file, and checks the size of the
    /// files. `len` returns the length of a file.
    pub(crate) fn new(
        files: &'a dyn Files,
        len: &dyn Fn(&RelPath) -> u64,
        source: &'a mut Source,
    ) -> Result<Self, Box<Diagnostic>> {
        let has_lines = formats::has_lines(source.file().name());
        let all_bytes = source.files.iter().map(len).sum::<u64>();
        let is_any_long = all_bytes > PART_BYTES as u64;
        let is_long = source.files.len() == 1 && is_any_long;
        let mut notes = Vec::new();
        let mut head = Vec::new();
        if is_long || has_lines && source.format.is_none() {
            let reader = files.open(source.file(), 0)?;
            // If the file is unreadable, reading it later reports that.
            let _ = reader.take(DETECT_BYTES as u64).read_to_end(&mut head);
        }
        let start = if head.starts_with(UTF8_MARK) { UTF8_MARK.len() } else { 0 };
        if source.format.is_none() && !head.is_empty() {
            let text = String::from_utf8_lossy(&head[start..]);
            let name = source.file().name();
            let is_of_pieces = formats::is_in_bytes(name, &head);
            if has_lines || is_of_pieces || formats::opens_json(&text) {
                let (format, doubts) = formats::detect(name, &text);
                // Small files are detected again when they are read as a whole.
                let format =
                    format.filter(|format| has_lines || is_of_pieces || is_records(format));
                if let Some(format) = format {
                    source.format = Some(format.name);
                    let lines = Lines::new(&text);
                    let path = source.file().as_str();
                    notes.extend(doubts.into_iter().map(|note| note.locate(path, &lines)));
                }
            }
        }
        // The records of a long file are read without the text before them.
        if is_long && !has_lines {
            let above = head.get(start..).unwrap_or_default();
            source.private |= formats::is_list_withheld(&String::from_utf8_lossy(above));
        }
        let source: &'a Source = source;
        // UTF-16 JSON contains zero bytes.
        let is_utf8 = !head.contains(&0) && !head.starts_with(b"\xff\xfe");
        let parts = source.format().and_then(|format| Some(format.read.as_ref()?.parts));
        let parts = match parts {
            Some(Parts::Choose(choose)) => {
                let names = source.files.iter().map(RelPath::as_str);
                Some(choose(&names.collect::<Vec<_>>()))
            }
            parts => parts,
        };
        let mut named = None;
        let reading = match parts {
            Some(Parts::Lines(cut)) => Reading::Lines(cut),
            Some(Parts::Log { cut, names }) => {
                named = Some(NamedFiles::of(source, len, names));
                Reading::Lines(cut)
            }
            Some(Parts::Records) if is_long && is_utf8 => {
                let (start, max) = (start as u64, MAX_READ_BYTES as usize);
                let reader = files.open(source.file(), start)?;
                Reading::Records(Elements::new(reader, start, has_lines, max))
            }
            Some(Parts::Pieces(finder)) if is_any_long => Reading::Pieces(Pieces::new(finder)),
            _ => Reading::Whole,
        };
        let mut whole = 0;
        for path in &source.files {
            // Files that the lines refer to are read with them.
            if named.is_some() {
                whole = 0;
            }
            match reading {
                Reading::Records(_) | Reading::Pieces(_) => {}
                Reading::Lines(_) if formats::has_lines(path.name()) => {}
                _ => whole += len(path),
            }
            if whole > MAX_READ_BYTES {
                return Err(Box::new(too_large(path, "this file", "it")));
            }
        }
        Ok(Self {
            files,
            source,
            reading,
            file: 0,
            reader: None,
            offset: 0,
            line: 1,
            next_line: None,
            named,
            notes,
            done: false,
        })
    }

    /// Returns the source, with its format if it is known by then.
    pub(crate) fn source(&self) -> &'a Source {
        self.source
    }

    /// Returns whether the parts of the source are one conversation.
    pub(crate) fn is_one(&self) -> bool {
        matches!(self.reading, Reading::Lines(_))
    }

    /// Returns whether each part is read independently.
    pub(crate) fn has_records(&self) -> bool {
        matches!(self.reading, Reading::Records(_) | Reading::Pieces(_))
    }

    /// Takes the diagnostics about parts that could not be read so far.
    pub(crate) fn take_notes(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.notes)
    }

    /// Reads the next part.
    pub(crate) fn next(&mut self) -> Option<Result<LoadedPart, Box<Diagnostic>>> {
        match &mut self.reading {
            Reading::Records(_) => return self.next_record(),
            Reading::Pieces(pieces) => {
                return pieces.next(self.files, self.source, &mut self.notes);
            }
            Reading::Whole | Reading::Lines(_) => {}
        }
        if std::mem::replace(&mut self.done, true) {
            return None;
        }
        let mut builder = PartBuilder::default();
        let result = match self.reading {
            Reading::Lines(cut) => {
                self.read_lines(cut, &mut builder).and_then(|()| self.read_named(&mut builder))
            }
            _ => self.read_whole(&mut builder),
        };
        if let Err(note) = result {
            return Some(Err(note));
        }
        Some(Ok(builder.finish(self.source)))
    }

    /// Reads the next record as a part of its own, so its page can be read again without the rest
    /// of the file.
    fn next_record(&mut self) -> Option<Result<LoadedPart, Box<Diagnostic>>> {
        loop {
            let Reading::Records(elements) = &mut self.reading else { return None };
            let element = match elements.next()? {
                Ok(element) => element,
                Err(error) => {
                    let ended = end_early(&mut self.notes, self.source.file(), &error);
                    return ended.err().map(Err);
                }
            };
            let Some(bytes) = element.bytes else {
                let note = too_large(self.source.file(), "a record", "it");
                let span = Span { line: element.line, ..Span::default() };
                let file = self.source.file().to_string();
                self.notes
                    .push(Diagnostic { at: Some(Location { file, span: Some(span) }), ..note });
                continue;
            };
            let mut builder = PartBuilder::default();
            builder.start(0, element.from, element.line);
            builder.fill(bytes);
            return Some(Ok(builder.finish(self.source)));
        }
    }

    fn read_whole(&mut self, builder: &mut PartBuilder) -> Result<(), Box<Diagnostic>> {
        for (index, path) in self.source.files.iter().enumerate() {
            builder.start(index, 0, 1);
            let bytes = self.read_file(path)?;
            builder.fill(bytes);
        }
        Ok(())
    }

    /// Reads the files that lines of the part refer to, and the files that these refer to.
    fn read_named(&mut self, builder: &mut PartBuilder) -> Result<(), Box<Diagnostic>> {
        let next = |reader: &mut Self| reader.named.as_mut()?.next.pop();
        while let Some(file) = next(self) {
            let bytes = self.read_file(&self.source.files[file])?;
            for line in bytes.split(|byte| *byte == b'\n') {
                if let Some(named) = &mut self.named {
                    named.look_at(line);
                }
            }
            builder.start(file, 0, 1);
            builder.fill(bytes);
        }
        Ok(())
    }

    /// Reads a whole file of possibly unknown length.
    fn read_file(&mut self, path: &RelPath) -> Result<Vec<u8>, Box<Diagnostic>> {
        let mut bytes = Vec::new();
        let reader = self.files.open(path, 0)?;
        if let Err(error) = reader.take(MAX_READ_BYTES + 1).read_to_end(&mut bytes) {
            end_early(&mut self.notes, path, &error)?;
        }
        match bytes.len() as u64 > MAX_READ_BYTES {
            true => Err(Box::new(too_large(path, "this file", "it"))),
            false => Ok(bytes),
        }
    }

    fn read_lines(
        &mut self,
        cut: fn(&str, &str) -> Cut,
        builder: &mut PartBuilder,
    ) -> Result<(), Box<Diagnostic>> {
        while self.file < self.source.files.len() {
            let path = &self.source.files[self.file];
            if self.named.as_ref().is_some_and(|named| named.is_read[self.file]) {
                self.file += 1;
                continue;
            }
            if !formats::has_lines(path.name()) {
                builder.start(self.file, 0, 1);
                let bytes = self.read_file(path)?;
                builder.fill(bytes);
                self.file += 1;
                continue;
            }
            if self.reader.is_none() {
                self.reader = Some(self.files.open(path, 0)?);
                (self.offset, self.line) = (0, 1);
            }
            builder.start(self.file, self.offset, self.line);
            let Some(reader) = &mut self.reader else { return Ok(()) };
            loop {
                let line = match self.next_line.take() {
                    Some(line) => line,
                    None => {
                        let mut line = Vec::new();
                        let mut some = reader.by_ref().take(MAX_READ_BYTES + 1);
                        if let Err(error) = some.read_until(b'\n', &mut line) {
                            end_early(&mut self.notes, path, &error)?;
                            *reader = Box::new(io::empty());
                        }
                        if line.len() as u64 > MAX_READ_BYTES {
                            return Err(Box::new(too_large(
                                path, "one of its lines", "it and what follows",
                            )));
                        }
                        line
                    }
                };
                if line.is_empty() {
                    break;
                }
                if builder.is_full(&line, cut) {
                    self.next_line = Some(line);
                    self.done = false;
                    return Ok(());
                }
                builder.push(&line);
                if let Some(named) = &mut self.named {
                    builder.len += named.look_at(&line);
                }
                self.offset += line.len() as u64;
                self.line += 1;
            }
            self.reader = None;
            self.file += 1;
        }
        Ok(())
    }
}

fn is_records(format: &Format) -> bool {
    format.read.as_ref().is_some_and(|read| matches!(read.parts, Parts::Records))
}

/// The byte-order mark of UTF-8.
const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";
