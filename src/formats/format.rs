//! Defines a format: how it is detected, read and written.

use super::assets::Assets;
use super::parts::Parts;
use super::probe::Probe;
use super::source::{Bundle, File, Listing, Parsed};
use convo_base::diag::Note;
use convo_base::model::{Conversation, LogEnd};

/// A format in which conversations are stored.
pub struct Format {
    /// The kebab-case name, as used by `convert --to`.
    pub name: &'static str,
    /// The display name.
    pub title: &'static str,
    /// The label that tells readers where a conversation comes from.
    pub source_label: &'static str,
    /// Whether people write or talk to each other in this format. Parts of such a source that are not
    /// understood are counted and named, but neither their text nor a line of the source is shown.
    pub between_people: bool,
    /// Whether its prompts are as somebody typed or pasted them into a program, so that every line end counts.
    pub has_typed_prompts: bool,
    /// The description for users.
    pub about: About,
    /// The reader; `None` for write-only formats.
    pub read: Option<Read>,
    /// The writer; `None` for exports of other programs, which are only read.
    pub write: Option<Write>,
}

/// The description of a format for users, in full sentences.
pub struct About {
    /// What it is, and what its vendor calls it.
    pub what: &'static str,
    /// Where to find it: a menu path or a folder.
    pub find: &'static str,
    /// What is read from it.
    pub reads: &'static str,
    /// What is not read, or not shown.
    pub leaves_out: &'static str,
}

/// The reader of a format: [`Read::new`] and optional hooks.
pub struct Read {
    /// Returns how likely it is that a file is in this format.
    pub claims: fn(&Probe<'_>) -> Claim,
    /// Reads a source that was claimed. It cannot fail: a broken source yields what could be read, and
    /// notes.
    pub parse: fn(source: &[File]) -> Parsed,
    /// Groups files into sources by their names.
    pub gather: Option<fn(&Listing<'_>) -> Vec<Bundle>>,
    /// For formats that are stored in repositories: returns whether a file with this name has a history
    /// that belongs to it. The disk shows such histories as files below `.git/`.
    pub history: Option<fn(name: &str) -> bool>,
    /// How a long source is split into parts.
    pub parts: Parts,
    /// Detects the format from the first bytes of a file. Set for formats whose text has no single
    /// encoding: their files are read as bytes.
    pub is_in_bytes: Option<fn(name: &str, head: &[u8]) -> bool>,
    /// Names of the files that the program stores in project folders, hidden or not. A search of project
    /// folders looks for them.
    pub names_in_projects: &'static [&'static str],
    /// Finds the files of an export that conversations reference by id instead of by path.
    pub assets: Option<fn(&Listing<'_>) -> Vec<Assets>>,
    /// Returns whether the file at a path is the saved output of a tool, which is not a conversation even if
    /// it looks like one.
    pub is_tool_output: Option<fn(path: &str) -> bool>,
    /// Returns how many bytes of a part of a log come before a position in the log, or `None` if the
    /// position is after the part. The part starts `from` bytes into the log.
    #[expect(clippy::type_complexity, reason = "the argument names are self-explanatory")]
    pub bytes_before: Option<fn(part: &[u8], from: u64, end: &LogEnd) -> Option<usize>>,
}

impl Read {
    /// Creates the reader of a format in which each file is a source and is read as a whole.
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
            is_tool_output: None,
            bytes_before: None,
        }
    }

    /// Sets how files are grouped into sources.
    pub const fn gather(self, gather: fn(&Listing<'_>) -> Vec<Bundle>) -> Self {
        Read { gather: Some(gather), ..self }
    }

    /// Sets which files have a history.
    pub const fn history(self, history: fn(name: &str) -> bool) -> Self {
        Read { history: Some(history), ..self }
    }

    /// Sets how a long source is split into parts.
    pub const fn parts(self, parts: Parts) -> Self {
        Read { parts, ..self }
    }

    /// Sets how a file is detected from its bytes.
    pub const fn in_bytes(self, is_in_bytes: fn(name: &str, head: &[u8]) -> bool) -> Self {
        Read { is_in_bytes: Some(is_in_bytes), ..self }
    }

    /// Sets the names of files in project folders.
    pub const fn names_in_projects(self, names: &'static [&'static str]) -> Self {
        Read { names_in_projects: names, ..self }
    }

    /// Sets how the files of an export are found.
    pub const fn assets(self, assets: fn(&Listing<'_>) -> Vec<Assets>) -> Self {
        Read { assets: Some(assets), ..self }
    }

    /// Sets which files are saved outputs of tools.
    pub const fn tool_outputs(self, is_tool_output: fn(path: &str) -> bool) -> Self {
        Read { is_tool_output: Some(is_tool_output), ..self }
    }

    /// Sets how a log is truncated.
    pub const fn bytes_before(
        self,
        bytes_before: fn(&[u8], u64, &LogEnd) -> Option<usize>,
    ) -> Self {
        Read { bytes_before: Some(bytes_before), ..self }
    }
}

/// The writer of a format for a single conversation.
pub enum Write {
    /// Writes one file with this extension. `source` is the path of the file that the conversation was read
    /// from.
    File(&'static str, fn(&Conversation, source: &str) -> String),
    /// Writes a folder of files: their paths relative to the folder, and their contents.
    Folder(fn(&Conversation) -> Vec<(String, String)>),
}

/// The claim of a format to a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// The file is not in this format.
    No,
    /// The file is not in this format, but looks as if it was meant to be.
    Almost(Note),
    /// The file name matches.
    Name,
    /// The text has the right shape.
    Shape,
    /// The text identifies the format.
    Signature,
}

impl Claim {
    /// Returns the certainty of a claim; higher is more certain.
    pub(super) fn certainty(&self) -> u8 {
        match self {
            Self::No | Self::Almost(_) => 0,
            Self::Name => 1,
            Self::Shape => 2,
            Self::Signature => 3,
        }
    }
}
