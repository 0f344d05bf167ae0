//! What readers are given, and what they give.

use super::neighbours::Neighbours;
use convo_base::diag::Note;
use convo_base::model::Conversation;

/// A file of a source, decoded: UTF-8 with `\n` line ends. In mail each letter is a byte.
#[derive(Clone, Debug)]
pub struct File {
    /// Its path below the folder of the source; its bare name when it stands alone.
    pub name: String,
    /// The decoded text.
    pub text: String,
    /// Whether what stands before it in its source is read by itself.
    pub is_continued: bool,
}

/// The names of the files of a folder, and a way to look into small ones.
pub struct Listing<'a> {
    /// Paths with `/`, sorted.
    pub names: &'a [&'a str],
    /// The text of one of them.
    pub text: &'a (dyn Fn(&str) -> Option<String> + Sync),
    /// The beginning of one of them: about so many bytes.
    pub head: &'a (dyn Fn(&str, usize) -> Option<String> + Sync),
    /// The length of one of them. Bytes.
    pub len: &'a (dyn Fn(&str) -> u64 + Sync),
}

impl<'a> Listing<'a> {
    /// One of names alone, whose files cannot be read.
    pub fn of_names(names: &'a [&'a str]) -> Self {
        Self { names, text: &|_| None, head: &|_, _| None, len: &|_| 0 }
    }
}

/// A bundle: files that are one source together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bundle {
    /// The path of the folder that they stand in.
    pub folder: String,
    /// Their paths, in the order in which they are read.
    pub files: Vec<String>,
    /// Files that are read behind these, and with other bundles as well: who is who in an export.
    pub shared: Vec<String>,
    /// Files that belong to it and are not read: derived from others, or for programs only.
    pub aside: Vec<String>,
    /// The one of these that says that all of it is private.
    pub private: Option<String>,
    /// The people of the sources beside it, where they may be named in it.
    pub neighbours: Option<Neighbours>,
}

impl Bundle {
    /// One of a single file, which is known by what is in it, whatever its name is.
    pub(super) fn of_one(file: &str) -> Self {
        Self {
            folder: String::new(),
            files: vec![file.to_owned()],
            shared: Vec::new(),
            aside: Vec::new(),
            private: None,
            neighbours: None,
        }
    }
}

/// The result of parsing a source.
#[derive(Default, Debug)]
pub struct Parsed {
    /// The conversations, in the order of the source.
    pub conversations: Vec<Conversation>,
    /// Notes on it.
    pub notes: Vec<Note>,
}
