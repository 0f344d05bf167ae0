//! A text made from another one, with a mapping of positions.

use std::ops::Range;

/// A text made from another one.
#[derive(Default)]
pub(super) struct Layer {
    pub(super) text: String,
    /// The pieces that differ in length, in order.
    pieces: Vec<Piece>,
}

/// A piece that replaces a range of the text below.
struct Piece {
    here: Range<usize>,
    below: Range<usize>,
    /// Whether words end at this removed range.
    is_break: bool,
}

impl Layer {
    pub(super) fn with_capacity(bytes: usize) -> Self {
        Self { text: String::with_capacity(bytes), pieces: Vec::new() }
    }

    /// Appends the replacement for a range of the text below.
    pub(super) fn put(&mut self, shown: &str, below: Range<usize>) {
        let start = self.text.len();
        self.text.push_str(shown);
        let is_one = shown.chars().nth(1).is_none();
        if shown.len() != below.len() || !is_one {
            let here = start..self.text.len();
            self.pieces.push(Piece { here, below, is_break: false });
        }
    }

    /// Removes a range of the text below. `is_break` says whether words end there.
    pub(super) fn omit(&mut self, below: Range<usize>, is_break: bool) {
        let here = self.text.len()..self.text.len();
        self.pieces.push(Piece { here, below, is_break });
    }

    /// Returns the position of a range in the text below.
    pub(super) fn written(&self, range: Range<usize>) -> Range<usize> {
        let start = self.before(|piece| piece.here.start <= range.start);
        let start = start.map_or(range.start, |piece| match range.start < piece.here.end {
            true => piece.below.start,
            false => piece.below.end + (range.start - piece.here.end),
        });
        let end = self.before(|piece| piece.here.start < range.end);
        let end = end.map_or(range.end, |piece| match range.end <= piece.here.end {
            true => piece.below.end,
            false => piece.below.end + (range.end - piece.here.end),
        });
        start..end.max(start)
    }

    /// Returns whether something was removed at a place where words end.
    pub(super) fn is_broken(&self, at: usize) -> bool {
        let first = self.pieces.partition_point(|piece| piece.here.start < at);
        let here = self.pieces.iter().skip(first);
        here.take_while(|piece| piece.here.start == at).any(|piece| piece.is_break)
    }

    /// Returns the last of the leading pieces for which `holds` is true.
    fn before(&self, holds: impl Fn(&Piece) -> bool) -> Option<&Piece> {
        let after = self.pieces.partition_point(holds);
        after.checked_sub(1).and_then(|last| self.pieces.get(last))
    }
}
