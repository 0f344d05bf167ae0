//! Defines how long sources are split into parts.

use convo_base::diag::Note;

/// How a long source is read without holding it in memory as a whole.
#[derive(Clone, Copy)]
pub enum Parts {
    /// As a whole.
    Whole,
    /// As a single conversation with one JSON value per line, which may be split between lines.
    Lines(fn(before: &str, after: &str) -> Cut),
    /// Like `Lines`, but a line may refer to other files of the source that are needed to understand it.
    /// Those files are read in the part of that line.
    Log {
        /// Rates a cut between two lines.
        cut: fn(before: &str, after: &str) -> Cut,
        /// Returns the names, without extensions, of the files or folders that a line needs.
        names: fn(line: &str) -> Vec<String>,
    },
    /// As the names of the source's files decide.
    Choose(fn(names: &[&str]) -> Parts),
    /// As many conversations, each of them a JSON value: a line, or an element of an array at the top of
    /// the file or under a key. In a long file, every element is read separately, as a
    /// [`File`](super::source::File) with `is_continued` set. A short file, or a source of several files,
    /// is read as a whole, and the reader finds the elements.
    Records,
    /// As many conversations whose pieces may be anywhere in the file, such as the mails of a thread. In a
    /// long file, a scan of all lines finds the pieces. Then the pieces of one conversation are read
    /// together, each as a [`File`](super::source::File).
    Pieces(fn() -> Box<dyn Finder>),
}

/// Finds the pieces of conversations in the lines of files.
pub trait Finder {
    /// Starts the next file.
    fn file(&mut self, name: &str);
    /// Scans a line, including its end. A very long line arrives in several calls; `is_start` is set for
    /// the first one.
    fn line(&mut self, line: &[u8], is_start: bool);
    /// Returns the result.
    fn finish(self: Box<Self>) -> Found;
}

/// The result of a [`Finder`].
pub struct Found {
    /// The pieces of each conversation.
    pub conversations: Vec<Vec<Piece>>,
    /// Notes on everything else.
    pub notes: Vec<Note>,
    /// Finds other pieces to read with a conversation.
    pub beside: Box<dyn Beside>,
}

/// Finds pieces that are read with a conversation but are not part of it.
pub trait Beside: Send {
    /// Returns the pieces to read with a conversation, which is given by its own pieces.
    fn pieces(&self, conversation: &[Vec<u8>]) -> Vec<Piece>;
}

/// A piece of a file, found by a [`Finder`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The index of the file in the source.
    pub file: usize,
    /// The first byte.
    pub from: u64,
    /// The number of bytes.
    pub len: u64,
    /// The line, from 1, at which the piece starts.
    pub line: u32,
}

/// How good it is to cut between two lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// Something new starts after the cut.
    Good,
    /// The lines before and after the cut are less closely related than other neighbouring lines.
    Passable,
    /// The cut separates lines that depend on each other, such as a call and its result.
    Bad,
}
