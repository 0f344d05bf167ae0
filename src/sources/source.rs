//! A source, and the parts of it that are read at once.

use serde::{Deserialize, Serialize};

use crate::config::SourceRule;
use crate::formats::{self, Format, Neighbours, section};
use crate::gate::Redaction;
use crate::hash::Hash;
use crate::model::{Channel, Schedule};
use crate::path::RelPath;
use crate::text::InternedStr;

/// A source: files that are read together.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Source {
    /// The name of its format; `None` while only its text can tell.
    pub format: Option<InternedStr>,
    /// The folder below which its format knows the names of its files, which may be the topmost one;
    /// `None` for a file that is known by its name alone.
    pub folder: Option<String>,
    /// The files in the order in which they are read.
    pub files: Vec<RelPath>,
    /// The `[[source]]` of the configuration that is about it.
    pub rule: Option<usize>,
    /// Whether the configuration holds it back. One of its files is enough.
    pub private: bool,
    /// The file beside it that says of all of it that it is private.
    pub private_by: Option<RelPath>,
    /// What the configuration publishes of what is private unless it says so.
    pub opened: Opened,
    /// When the configuration lets it be published.
    pub schedule: Schedule,
    /// The people of the sources beside it, where they may be named in it. What it gave is read again when
    /// they are others.
    pub neighbours: Option<Neighbours>,
}

/// What a configuration publishes of the channels of a source, in which people wrote to each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Opened {
    /// Nothing.
    #[default]
    Nothing,
    /// The channels, but no direct messages or private channels among them.
    Channels,
    /// All of it.
    All,
}

impl Opened {
    /// What a rule opens.
    pub(super) fn by(rule: Option<&SourceRule>) -> Self {
        match rule.filter(|rule| rule.opens()) {
            Some(rule) if rule.direct_messages => Self::All,
            Some(_) => Self::Channels,
            None => Self::Nothing,
        }
    }

    /// Returns whether a channel is published.
    pub(super) fn includes(self, channel: &Channel) -> bool {
        match self {
            Self::Nothing => false,
            Self::Channels => !channel.is_direct,
            Self::All => true,
        }
    }
}

impl Source {
    pub(super) fn format(&self) -> Option<&'static Format> {
        self.format.and_then(formats::named)
    }

    /// Returns whether it is the introduction of a folder.
    pub(super) fn is_section(&self) -> bool {
        self.format == Some(section::FILE)
    }

    /// Returns the file by which people know it.
    pub fn file(&self) -> &RelPath {
        &self.files[0]
    }

    /// Returns the name of its folder, or of its file if there is only one.
    pub fn label(&self) -> &str {
        match self.folder_name() {
            folder if !folder.is_empty() && self.files.len() > 1 => folder,
            _ => self.file().as_str(),
        }
    }

    /// Returns the path of its folder without a slash at its end: empty where it is the topmost one, or
    /// there is none.
    pub fn folder_name(&self) -> &str {
        self.folder.as_deref().unwrap_or_default().trim_end_matches('/')
    }

    /// Returns what readers see of it where nothing better is known: the name of its folder if it has
    /// one, and else that of a file of it.
    pub(super) fn name_for_readers<'a>(&'a self, file: &'a RelPath) -> &'a str {
        match self.folder_name().rsplit('/').next() {
            Some(folder) if !folder.is_empty() && !formats::has_history(file.name()) => folder,
            _ => formats::stem(file.name()),
        }
    }

    pub(super) fn name_in_folder(&self, file: &RelPath) -> String {
        let name = file.as_str();
        let name = match &self.folder {
            Some(folder) => name.strip_prefix(folder.as_str()).unwrap_or(name),
            None => file.name(),
        };
        name.to_owned()
    }
}

/// A part of a source that is read at once: most often all of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Part {
    /// The pieces of files that it consists of.
    pub pieces: Vec<Piece>,
    /// The hash of its bytes.
    pub hash: Hash,
    /// What the gate changed in it; `None` where that was nothing, so that it need not look at it
    /// again.
    pub redacted: Option<Redaction>,
}

impl Part {
    /// Returns the number of its bytes.
    pub fn size(&self) -> usize {
        self.pieces.iter().map(|piece| piece.len as usize).sum()
    }
}

/// A piece of a file: a range of its bytes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Piece {
    /// The file's place in the source.
    pub file: usize,
    /// The first byte.
    pub from: u64,
    /// The number of bytes.
    pub len: u64,
    /// The line of the file, from 1, at which it starts.
    pub first_line: u32,
}
