//! The input and output of readers.

use super::neighbours::Neighbours;
use convo_base::diag::Note;
use convo_base::model::Conversation;

/// A decoded file of a source: UTF-8 with `\n` line ends. For mail, each character is a byte.
#[derive(Clone, Debug)]
pub struct File {
    /// The path relative to the folder of the source, or the file name of a single file.
    pub name: String,
    /// The decoded text.
    pub text: String,
    /// Whether the earlier text of the source is read separately.
    pub is_continued: bool,
}

/// The names of the files in a folder, and access to the content of small ones.
pub struct Listing<'a> {
    /// Paths with `/`, sorted.
    pub names: &'a [&'a str],
    /// Returns the text of a file.
    pub text: &'a (dyn Fn(&str) -> Option<String> + Sync),
    /// Returns about this many bytes from the beginning of a file.
    pub head: &'a (dyn Fn(&str, usize) -> Option<String> + Sync),
    /// Returns the length of a file in bytes.
    pub len: &'a (dyn Fn(&str) -> u64 + Sync),
}

impl<'a> Listing<'a> {
    /// Creates a listing of names only, whose files cannot be read.
    pub fn of_names(names: &'a [&'a str]) -> Self {
        Self { names, text: &|_| None, head: &|_, _| None, len: &|_| 0 }
    }
}

/// Files that together are one source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bundle {
    /// The path of the folder that contains them.
    pub folder: String,
    /// The paths of the files, in reading order.
    pub files: Vec<String>,
    /// Files that are read after these, and for other bundles too, such as the list of people in an export.
    pub shared: Vec<String>,
    /// Files that belong to the bundle but are not read: derived from others, or for programs only.
    pub aside: Vec<String>,
    /// The file that marks the whole bundle as private, if there is one.
    pub private: Option<String>,
    /// The people of neighbouring sources, if they may be mentioned here.
    pub neighbours: Option<Neighbours>,
}

impl Bundle {
    /// Creates a bundle of a single file that is recognised by its content, whatever its name.
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
    /// The notes on the source.
    pub notes: Vec<Note>,
}
