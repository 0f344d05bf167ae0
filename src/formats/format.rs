//! What a format is: how it is told from others, read and written.

use super::assets::Assets;
use super::parts::Parts;
use super::probe::Probe;
use super::source::{Bundle, File, Listing, Parsed};
use convo_base::diag::Note;
use convo_base::model::{Conversation, LogEnd};

/// A format in which conversations are stored.
pub struct Format {
    /// Kebab-case; what `convert --to` takes.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// The label by which readers are told where a conversation comes from.
    pub source_label: &'static str,
    /// Whether people write or talk to each other in it. What is not understood of such a source is counted
    /// and named, and neither its text nor a line of the source is shown.
    pub between_people: bool,
    /// What people should know of it before they use it.
    pub about: About,
    /// How it is read; `None` for a format that is only written.
    pub read: Option<Read>,
    /// How it is written; `None` for the exports of other programs, which are only read.
    pub write: Option<Write>,
}

/// What people should know of a format. Sentences, with full stops.
pub struct About {
    /// What it is, and what its vendor calls it.
    pub what: &'static str,
    /// Where to find it: the way through menus, or a folder.
    pub find: &'static str,
    /// What is read of it.
    pub reads: &'static str,
    /// What is not read, or not shown.
    pub leaves_out: &'static str,
}

/// The reader of a format: [`Read::new`] and what else it needs.
pub struct Read {
    /// How sure it is that a file is its own.
    pub claims: fn(&Probe<'_>) -> Claim,
    /// Reads a source that was claimed. It cannot fail: a broken one gives what could be read,
    /// and notes.
    pub parse: fn(source: &[File]) -> Parsed,
    /// Finds files that are one source together, by their names.
    pub gather: Option<fn(&Listing<'_>) -> Vec<Bundle>>,
    /// For a format whose files stand in repositories, whether a file of this name has a
    /// history that belongs to it. The disk shows such histories as files below `.git/`.
    pub history: Option<fn(name: &str) -> bool>,
    /// How a long source is read in parts.
    pub parts: Parts,
    /// Whether a file is in the format, by its first bytes. Set for a format whose text has no single
    /// encoding: its files are read as bytes.
    pub is_in_bytes: Option<fn(name: &str, head: &[u8]) -> bool>,
    /// The names of the files that its program keeps wherever its users work, hidden or not. A search
    /// through a folder of projects looks for them.
    pub names_in_projects: &'static [&'static str],
    /// Finds the files of an export that conversations name by ids instead of paths.
    pub assets: Option<fn(&Listing<'_>) -> Vec<Assets>>,
    /// Returns the number of bytes of a part of a log before a place in the log; `None` if the place is
    /// after the part. The part starts after `from` bytes of the log.
    #[expect(clippy::type_complexity, reason = "the argument names are self-explanatory")]
    pub bytes_before: Option<fn(part: &[u8], from: u64, end: &LogEnd) -> Option<usize>>,
}

impl Read {
    /// Creates the reader of a format whose sources are single files, read at once.
    pub const fn new(claims: fn(&Probe<'_>) -> Claim, parse: fn(&[File]) -> Parsed) -> Self {
        Read {
            claims,
            parse,
            gather: None,
            history: None,
            parts: Parts::Whole,
            is_in_bytes: None,
            names_in_projects: &[],
            assets: None,
            bytes_before: None,
        }
    }

    /// Sets how files that are one source are found.
    pub const fn gather(self, gather: fn(&Listing<'_>) -> Vec<Bundle>) -> Self {
        Read { gather: Some(gather), ..self }
    }

    /// Sets which files have a history.
    pub const fn history(self, history: fn(name: &str) -> bool) -> Self {
        Read { history: Some(history), ..self }
    }

    /// Sets how a long source is read in parts.
    pub const fn parts(self, parts: Parts) -> Self {
        Read { parts, ..self }
    }

    /// Sets how a file is recognised by its bytes.
    pub const fn in_bytes(self, is_in_bytes: fn(name: &str, head: &[u8]) -> bool) -> Self {
        Read { is_in_bytes: Some(is_in_bytes), ..self }
    }

    /// Sets the names of files in folders of projects.
    pub const fn names_in_projects(self, names: &'static [&'static str]) -> Self {
        Read { names_in_projects: names, ..self }
    }

    /// Sets how the files of an export are found.
    pub const fn assets(self, assets: fn(&Listing<'_>) -> Vec<Assets>) -> Self {
        Read { assets: Some(assets), ..self }
    }

    /// Sets how a log is cut off.
    pub const fn bytes_before(
        self,
        bytes_before: fn(&[u8], u64, &LogEnd) -> Option<usize>,
    ) -> Self {
        Read { bytes_before: Some(bytes_before), ..self }
    }
}

/// The writer of a format, for one conversation.
pub enum Write {
    /// As one file with this ending. `source` is the path of what it was read from.
    File(&'static str, fn(&Conversation, source: &str) -> String),
    /// As files in a folder of its own, by their paths below it.
    Folder(fn(&Conversation) -> Vec<(String, String)>),
}

/// The claim of a format to a file; a surer claim is greater.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// It is not.
    No,
    /// It is not, although it looks as if it was meant to be.
    Almost(Note),
    /// Its name says so.
    Name,
    /// Its text has the shape.
    Shape,
    /// Its text says so.
    Signature,
}

impl Claim {
    /// Returns a number that is greater for a surer claim.
    pub(super) fn certainty(&self) -> u8 {
        match self {
            Self::No | Self::Almost(_) => 0,
            Self::Name => 1,
            Self::Shape => 2,
            Self::Signature => 3,
        }
    }
}
