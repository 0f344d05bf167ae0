//! Sources, and the parts of them that are read at a time.

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
    /// The name of its format; `None` while it must still be detected from the text.
    pub format: Option<InternedStr>,
    /// The folder that the file names of its format are relative to, which may be the root; `None`
    /// for a file that is recognised by its name alone.
    pub folder: Option<String>,
    /// The files in the order in which they are read.
    pub files: Vec<RelPath>,
    /// The archives and packed files in the content folder that contain them. Patterns for these apply to it too.
    pub containers: Vec<RelPath>,
    /// The `[[source]]` of the configuration that applies.
    pub rule: Option<usize>,
    /// Whether the configuration withholds it. One withheld file is enough.
    pub private: bool,
    /// The file next to it that marks all of it as private.
    pub private_by: Option<RelPath>,
    /// What the configuration publishes of the content that is private by default.
    pub opened: Opened,
    /// Its schedule in the configuration.
    pub schedule: Schedule,
    /// The people of the sources next to it, who may be mentioned in it. If they change, the source
    /// is read again.
    pub neighbours: Option<Neighbours>,
}

/// The channels with messages between people that a configuration publishes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Opened {
    /// None.
    #[default]
    Nothing,
    /// The channels, except direct messages and private channels.
    Channels,
    /// All of them.
    All,
}

impl Opened {
    /// Returns the channels that a rule publishes.
    pub(crate) fn by(rule: Option<&SourceRule>) -> Self {
        match rule.filter(|rule| rule.opens()) {
            Some(rule) if rule.direct_messages => Self::All,
            Some(_) => Self::Channels,
            None => Self::Nothing,
        }
    }

    /// Returns whether a channel is published.
    pub(crate) fn includes(self, channel: &Channel) -> bool {
        match self {
            Self::Nothing => false,
            Self::Channels => !channel.is_direct,
            Self::All => true,
        }
    }
}

impl Source {
    pub(crate) fn format(&self) -> Option<&'static Format> {
        self.format.and_then(formats::named)
    }

    /// Returns whether it is the introduction of a folder.
    pub(crate) fn is_section(&self) -> bool {
        self.format == Some(section::FILE)
    }

    /// Returns the file that represents it in reports.
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

    /// Returns the path of its folder without a slash at the end; empty for the root, and if there
    /// is no folder.
    pub fn folder_name(&self) -> &str {
        self.folder.as_deref().unwrap_or_default().trim_end_matches('/')
    }

    /// Returns the fallback label for readers: the name of its folder if there is one, otherwise of
    /// one of its files.
    pub(crate) fn name_for_readers<'a>(&'a self, file: &'a RelPath) -> &'a str {
        match self.folder_name().rsplit('/').next() {
            Some(folder) if !folder.is_empty() && !formats::has_history(file.name()) => folder,
            _ => formats::stem(file.name()),
        }
    }

    pub(crate) fn name_in_folder(&self, file: &RelPath) -> String {
        let name = file.as_str();
        let name = match &self.folder {
            Some(folder) => name.strip_prefix(folder.as_str()).unwrap_or(name),
            None => file.name(),
        };
        name.to_owned()
    }
}

/// A part of a source that is read at a time: usually all of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Part {
    /// The pieces of files that it consists of.
    pub pieces: Vec<Piece>,
    /// The hash of its bytes.
    pub hash: Hash,
    /// The changes of the gate; `None` if there are none, so it need not be inspected again.
    pub redacted: Option<Redaction>,
    /// The author's edits of its conversations; `None` without any.
    pub edited: Option<AppliedEdits>,
}

/// The edits that apply to the conversations of a part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct AppliedEdits {
    /// The hash of all of them.
    pub hash: Hash,
    /// Whether one of them hides words, turns or names.
    pub hide: bool,
}

impl Part {
    /// Returns its length in bytes.
    pub fn size(&self) -> usize {
        self.pieces.iter().map(|piece| piece.len as usize).sum()
    }
}

/// A range of bytes of a file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Piece {
    /// The index of the file in the source.
    pub file: usize,
    /// The offset of the first byte.
    pub from: u64,
    /// The length in bytes.
    pub len: u64,
    /// The line of the file where it starts, from 1.
    pub first_line: u32,
}
