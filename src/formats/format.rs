//! What a format is: how it is told from others, read and written.

use super::parts::Parts;
use super::probe::Probe;
use super::source::{Bundle, File, Listing, Parsed};
use crate::diag::Note;
use crate::model::Conversation;

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

/// The reader of a format.
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
