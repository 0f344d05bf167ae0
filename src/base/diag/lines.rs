//! Converts byte offsets to lines and columns.

use std::cell::OnceCell;
use std::ops::Range;

use super::Span;

/// A text whose byte offsets are converted to lines and columns.
pub struct Lines<'a> {
    text: &'a str,
    /// One checkpoint for every [`CHECKPOINT_BYTES`] bytes; computed by the first query.
    checkpoints: OnceCell<Vec<Checkpoint>>,
}

/// The bytes between two checkpoints. Positions are counted from the checkpoint before them, so
/// that the cost does not depend on the length of the text or its lines.
const CHECKPOINT_BYTES: usize = 2048;

/// A byte offset with the number of lines and characters before it, and the start of its line with
/// the number of characters before that.
#[derive(Clone, Copy, Default)]
struct Checkpoint {
    at: usize,
    lines: u32,
    chars: u32,
    line_start: usize,
    line_chars: u32,
}

impl Checkpoint {
    /// Advances to the offset `at`, which must not be before this one.
    fn to(mut self, at: usize, text: &str) -> Self {
        let between = &text[self.at..at];
        if let Some(newline) = between.rfind('\n') {
            self.lines += between.bytes().filter(|byte| *byte == b'\n').count() as u32;
            self.line_start = self.at + newline + 1;
            self.line_chars = self.chars + between[..=newline].chars().count() as u32;
        }
        self.chars += between.chars().count() as u32;
        self.at = at;
        self
    }
}

/// The number of characters shown around a span; a line may be megabytes long.
const EXCERPT_CHARS: usize = 120;

impl<'a> Lines<'a> {
    /// Creates the index lazily: the text is only read by the first query.
    pub fn new(text: &'a str) -> Self {
        Self { text, checkpoints: OnceCell::new() }
    }

    fn checkpoints(&self) -> &[Checkpoint] {
        self.checkpoints.get_or_init(|| {
            let mut checkpoints = vec![Checkpoint::default()];
            let mut checkpoint = Checkpoint::default();
            while self.text.len() - checkpoint.at > CHECKPOINT_BYTES {
                checkpoint = checkpoint
                    .to(self.text.floor_char_boundary(checkpoint.at + CHECKPOINT_BYTES), self.text);
                checkpoints.push(checkpoint);
            }
            checkpoints
        })
    }

    /// Returns the line, from 1, of a byte offset.
    pub fn line(&self, at: usize) -> u32 {
        self.checkpoint(at).lines + 1
    }

    fn checkpoint(&self, at: usize) -> Checkpoint {
        let at = self.text.floor_char_boundary(at);
        let after = self.checkpoints().partition_point(|checkpoint| checkpoint.at <= at);
        self.checkpoints()[after - 1].to(at, self.text)
    }

    /// Returns the position of a byte range; a range over several lines is cut at the end of the
    /// first.
    pub fn span(&self, range: Range<usize>) -> Span {
        let from = self.checkpoint(range.start);
        let to = self.text.floor_char_boundary(range.end).max(from.at);
        let quoted = &self.text[from.at..to];
        let to = quoted.find('\n').map_or(to, |newline| from.at + newline);
        let column = (from.chars - from.line_chars) as usize;
        let width = (self.checkpoint(to).chars - from.chars) as usize;
        let excerpt_column = if column + width.min(EXCERPT_CHARS / 2) > EXCERPT_CHARS {
            column - EXCERPT_CHARS / 4
        } else {
            0
        };
        // The excerpt starts at the start of the line, or shortly before the span.
        let back = column - excerpt_column;
        let before = self.text[from.line_start..from.at].char_indices().rev();
        let start = match back {
            0 => from.at,
            back => before.take(back).last().map_or(from.at, |(at, _)| from.line_start + at),
        };
        let line = self.text[start..].chars().take_while(|c| *c != '\n');
        Span {
            line: from.lines + 1,
            column: column as u32 + 1,
            end_column: (column + width.max(1)) as u32 + 1,
            excerpt: line.take(EXCERPT_CHARS).collect(),
            excerpt_column: excerpt_column as u32 + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{CHECKPOINT_BYTES, Lines};

    #[test]
    fn a_place_far_into_a_long_line_is_found() {
        let text = format!("a\n{}xyz\nb", "é".repeat(CHECKPOINT_BYTES));
        let at = text.find('x').unwrap();
        let span = Lines::new(&text).span(at..at + 3);
        assert_eq!((span.line, span.column), (2, CHECKPOINT_BYTES as u32 + 1));
        assert_eq!(span.end_column, span.column + 3);
        assert!(span.excerpt.starts_with('é') && span.excerpt.ends_with("éxyz"));
        let last = Lines::new(&text).span(text.len() - 1..text.len());
        assert_eq!((last.line, last.column, last.excerpt.as_str()), (3, 1, "b"));
    }

    proptest! {
        #[test]
        fn lines_and_columns_are_those_of_a_slow_count(
            text in "[aé\n🎈]{0,6000}",
            at in 0..12_000_usize,
        ) {
            let at = text.floor_char_boundary(at.min(text.len()));
            let before = &text[..at];
            let start = before.rfind('\n').map_or(0, |newline| newline + 1);
            let span = Lines::new(&text).span(at..at + 5);
            prop_assert_eq!(span.line as usize, before.matches('\n').count() + 1);
            prop_assert_eq!(span.column as usize, text[start..at].chars().count() + 1);
            prop_assert_eq!(Lines::new(&text).line(at), span.line);
            let shown = text[start..].split('\n').next().unwrap_or_default();
            let skipped = span.excerpt_column as usize - 1;
            let expected: String = shown.chars().skip(skipped).take(120).collect();
            prop_assert_eq!(span.excerpt, expected);
        }
    }
}
