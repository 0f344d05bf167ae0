//! Byte offsets as lines and columns.

use std::ops::Range;

use super::Span;

/// A text with the offsets of its lines.
pub struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

/// Characters of a line shown around a span; a line may be megabytes long.
const SHOWN: usize = 120;

impl<'a> Lines<'a> {
    /// Finds the lines of `text`.
    pub fn new(text: &'a str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect();
        Self { text, starts }
    }

    /// The line, from 1, of a byte offset.
    pub fn line(&self, at: usize) -> u32 {
        self.starts.partition_point(|line| *line <= at) as u32
    }

    /// The position of a byte range; an end on a later line is cut at the end of the first.
    pub fn span(&self, range: Range<usize>) -> Span {
        let boundary = |mut at: usize| {
            at = at.min(self.text.len());
            while !self.text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let start = boundary(range.start);
        let index = self.starts.partition_point(|line| *line <= start) - 1;
        let line_start = self.starts[index];
        let line_end =
            self.starts.get(index + 1).map_or(self.text.len(), |next| next - 1);
        let end = boundary(range.end).clamp(start, line_end.max(start));
        let line = &self.text[line_start..line_end];
        let column = self.text[line_start..start].chars().count();
        let width = self.text[start..end].chars().count();
        let excerpt_column =
            if column + width.min(SHOWN / 2) > SHOWN { column - SHOWN / 4 } else { 0 };
        Span {
            line: index as u32 + 1,
            column: column as u32 + 1,
            end_column: (column + width.max(1)) as u32 + 1,
            excerpt: line.chars().skip(excerpt_column).take(SHOWN).collect(),
            excerpt_column: excerpt_column as u32 + 1,
        }
    }
}
