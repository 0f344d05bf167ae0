//! Assembles the parts of a source, and reads them again.

use std::io::Read as _;

use crate::diag::Diagnostic;
use crate::files::Files;
use crate::formats::{self, Cut, Input};
use crate::hash::Hash;
use crate::model::LogEnd;
use crate::sources::find::source::{Part, Piece, Source};

/// The maximum number of lines in a part; a page with more loads slowly.
const PART_LINES: usize = 1000;
/// The maximum size of a part. Bytes.
pub(super) const PART_BYTES: usize = 512 << 10;
/// How many times longer a part may get to end at a good place; the same factor again applies if
/// there is no possible place at all.
const OVERLONG_FACTOR: usize = 4;

/// A part with its bytes.
pub(crate) type LoadedPart = (Part, Vec<Input>);

/// Assembles a part.
#[derive(Default)]
pub(crate) struct PartBuilder {
    pieces: Vec<Piece>,
    bytes: Vec<Vec<u8>>,
    lines: usize,
    pub(crate) len: usize,
}

impl PartBuilder {
    pub(crate) fn start(&mut self, file: usize, from: u64, first_line: u32) {
        self.pieces.push(Piece { file, from, len: 0, first_line });
        self.bytes.push(Vec::new());
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        if let (Some(piece), Some(last)) = (self.pieces.last_mut(), self.bytes.last_mut()) {
            piece.len += bytes.len() as u64;
            last.extend_from_slice(bytes);
        }
        self.lines += 1;
        self.len += bytes.len();
    }

    /// Fills the current piece with a whole file.
    pub(super) fn fill(&mut self, bytes: Vec<u8>) {
        if let (Some(piece), Some(last)) = (self.pieces.last_mut(), self.bytes.last_mut()) {
            piece.len = bytes.len() as u64;
            self.lines += 1;
            self.len += bytes.len();
            *last = bytes;
        }
    }

    /// Returns the bytes of each piece.
    pub(crate) fn bytes(&self) -> &[Vec<u8>] {
        &self.bytes
    }

    /// Returns whether `line` should start the next part.
    pub(crate) fn is_full(&self, line: &[u8], cut: fn(&str, &str) -> Cut) -> bool {
        let full = |times: usize| {
            self.lines >= times * PART_LINES
                || self.lines > 0 && self.len + line.len() > times * PART_BYTES
        };
        full(1) && {
            let before = self.bytes.last().map_or(&[][..], |bytes| bytes.trim_ascii_end());
            let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            let before = String::from_utf8_lossy(&before[start..]);
            full(match cut(&before, &String::from_utf8_lossy(line)) {
                Cut::Good => 1,
                Cut::Passable => OVERLONG_FACTOR,
                Cut::Bad => OVERLONG_FACTOR * OVERLONG_FACTOR,
            })
        }
    }

    pub(crate) fn finish(self, source: &Source) -> LoadedPart {
        let filled = |(piece, _): &(Piece, Vec<u8>)| piece.len > 0;
        let all: Vec<(Piece, Vec<u8>)> = self.pieces.into_iter().zip(self.bytes).collect();
        // An empty file is read only if it is all there is.
        let some = all.iter().any(filled);
        let kept = all.into_iter().filter(|pair| !some || filled(pair));
        let (pieces, bytes): (Vec<Piece>, Vec<Vec<u8>>) = kept.unzip();
        let hash = hash_of(&bytes);
        let inputs = inputs(source, &pieces, bytes);
        (Part { pieces, hash, redacted: None, edited: None }, inputs)
    }
}

/// Joins a part of a log with the part after it, if both together are not too large.
pub(crate) fn join(before: &LoadedPart, after: &LoadedPart) -> Option<LoadedPart> {
    let ([start], [end]) = (&*before.0.pieces, &*after.0.pieces) else { return None };
    let ([head], [tail]) = (&*before.1, &*after.1) else { return None };
    let is_next = start.file == end.file && start.from + start.len == end.from;
    let len = start.len + end.len;
    if !is_next || len > (OVERLONG_FACTOR * PART_BYTES) as u64 {
        return None;
    }
    let bytes = [&head.bytes[..], &tail.bytes[..]].concat();
    let hash = hash_of(std::slice::from_ref(&bytes));
    let part =
        Part { pieces: vec![Piece { len, ..start.clone() }], hash, redacted: None, edited: None };
    Some((part, vec![Input { bytes, ..head.clone() }]))
}

fn hash_of(bytes: &[Vec<u8>]) -> Hash {
    let hashes: Vec<Hash> = bytes.iter().map(|bytes| Hash::of_bytes(bytes)).collect();
    Hash::of(&hashes)
}

fn inputs(source: &Source, pieces: &[Piece], bytes: Vec<Vec<u8>>) -> Vec<Input> {
    let is_continued = pieces.first().is_some_and(|first| first.file > 0 || first.from > 0);
    let input = |(piece, bytes): (&Piece, Vec<u8>)| {
        let file = &source.files[piece.file];
        let name = source.name_in_folder(file);
        let first_line = piece.first_line;
        Input { path: file.to_string(), name, bytes, first_line, is_continued }
    };
    pieces.iter().zip(bytes).map(input).collect()
}

/// Reads a whole source.
pub(crate) fn read_whole(
    files: &dyn Files,
    source: &Source,
) -> Result<LoadedPart, Box<Diagnostic>> {
    let mut builder = PartBuilder::default();
    for (index, path) in source.files.iter().enumerate() {
        builder.start(index, 0, 1);
        builder.fill(files.read(path)?);
    }
    Ok(builder.finish(source))
}

/// Reads a part again; `None` if its bytes have changed.
pub(crate) fn read_again(
    files: &dyn Files,
    source: &Source,
    part: &Part,
) -> Result<Option<Vec<Input>>, Box<Diagnostic>> {
    let mut all = Vec::with_capacity(part.pieces.len());
    for piece in &part.pieces {
        let path = &source.files[piece.file];
        let reader = files.open(path, piece.from)?;
        let mut bytes = Vec::with_capacity(piece.len as usize);
        if reader.take(piece.len).read_to_end(&mut bytes).is_err() {
            return Ok(None);
        }
        all.push(bytes);
    }
    Ok((hash_of(&all) == part.hash).then(|| inputs(source, &part.pieces, all)))
}

/// Cuts off everything after a place of a log, if the place is in this part. Returns whether it is.
pub(crate) fn cut_off(
    files: &dyn Files,
    source: &Source,
    part: &mut Part,
    end: &LogEnd,
) -> Result<bool, Box<Diagnostic>> {
    let [piece] = part.pieces.as_mut_slice() else {
        part.pieces.clear();
        return Ok(true);
    };
    let reader = files.open(&source.files[piece.file], piece.from)?;
    let mut bytes = Vec::with_capacity(piece.len as usize);
    // Unreadable bytes are not shown.
    let _ = reader.take(piece.len).read_to_end(&mut bytes);
    let format = source.format.and_then(formats::named);
    let before = format.and_then(|format| format.read.as_ref()?.bytes_before);
    // Without a way to find places, nothing of the log is shown.
    let len = before.map_or(Some(0), |before| before(&bytes, piece.from, end));
    let Some(len) = len else { return Ok(false) };
    bytes.truncate(len);
    piece.len = len as u64;
    part.hash = hash_of(&[bytes]);
    Ok(true)
}
