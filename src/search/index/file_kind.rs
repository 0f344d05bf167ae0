//! The kinds of files of a segment.

/// A file of a segment: its kind and its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FileKind {
    /// Terms with their turns.
    Postings(usize),
    /// Terms with their positions.
    Positions(usize),
    /// Titles, days and URLs, which results show.
    Documents(usize),
    /// Facets: days, tags and so on, and speakers.
    Facets(usize),
    /// Words of this number of letters, for spelling correction.
    Words(usize),
}

impl FileKind {
    /// Returns its name.
    pub(super) fn name(self) -> String {
        let (letter, number) = self.letter_and_number();
        format!("{letter}{number}.bin")
    }

    /// Returns the letter of its kind, and its number.
    pub(super) fn letter_and_number(self) -> (char, usize) {
        match self {
            Self::Postings(number) => ('p', number),
            Self::Positions(number) => ('q', number),
            Self::Documents(number) => ('d', number),
            Self::Facets(number) => ('f', number),
            Self::Words(number) => ('w', number),
        }
    }
}
