//! How long sources are read in parts.

use convo_base::diag::Note;

/// How a long source is read, so that it need not be in memory as a whole.
#[derive(Clone, Copy)]
pub enum Parts {
    /// All of it at once.
    Whole,
    /// It is one conversation, a JSON value in each line, which may be cut between two of them.
    Lines(fn(before: &str, after: &str) -> Cut),
    /// The same, where a line may name other files of the source that are understood with it only: those
    /// are read in its part.
    Log {
        /// The quality of the place between two lines.
        cut: fn(before: &str, after: &str) -> Cut,
        /// The names of files or folders, without endings, that a line needs.
        names: fn(line: &str) -> Vec<String>,
    },
    /// The names of a source's files decide.
    Choose(fn(names: &[&str]) -> Parts),
    /// It holds many conversations, each a JSON value: a line of a file of lines, or an element of
    /// the array that the file is or holds under a key. Of a long file every element is read by
    /// itself, as a [`File`](super::source::File) that holds nothing else and whose `is_continued` is set.
    /// A short one, and a source of several files, is read at once: the reader finds its elements.
    Records,
    /// It holds many conversations whose pieces stand anywhere in it, such as the mails of a thread.
    /// Where it is long, a look at all of its lines finds them, and then the pieces of one
    /// conversation are read at once, each as a [`File`](super::source::File).
    Pieces(fn() -> Box<dyn Finder>),
}

/// Finds the pieces of conversations in the lines of files, which it is shown one after the other.
pub trait Finder {
    /// Begins with the next file.
    fn file(&mut self, name: &str);
    /// Looks at a line with its end. Of one that is very long this is a part, and `is_start` tells
    /// whether it is the first one.
    fn line(&mut self, line: &[u8], is_start: bool);
    /// Returns what was found.
    fn finish(self: Box<Self>) -> Found;
}

/// What a [`Finder`] found.
pub struct Found {
    /// The pieces of each conversation.
    pub conversations: Vec<Vec<Piece>>,
    /// What there is to say of the others.
    pub notes: Vec<Note>,
    /// Finds what else is read with a conversation.
    pub beside: Box<dyn Beside>,
}

/// Finds pieces that are read with a conversation without being a part of it.
pub trait Beside: Send {
    /// Returns them for the pieces of a conversation.
    fn pieces(&self, conversation: &[Vec<u8>]) -> Vec<Piece>;
}

/// A piece of a file that was found by a [`Finder`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The place of the file, in the order of the source.
    pub file: usize,
    /// The first byte.
    pub from: u64,
    /// The number of bytes.
    pub len: u64,
    /// The line, from 1, at which it starts.
    pub line: u32,
}

/// The quality of a place between two lines for a cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// Something new begins there.
    Good,
    /// What stands before and behind it belongs together less than lines elsewhere.
    Passable,
    /// It parts what is understood together only, such as a call and its result.
    Bad,
}
