//! The files that a build may read: the site folder as a value, so that no stage accesses the disk.

use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead, Cursor};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::diag::{Diagnostic, Severity, WithNotes};
use crate::path::RelPath;

/// A file that exists.
#[derive(Clone, Debug)]
pub struct FileInfo {
    /// Its path.
    pub path: RelPath,
    /// Its length in bytes.
    pub len: u64,
    /// Files of the same path with equal stamps have equal bytes; `None` if only the bytes can
    /// tell.
    pub stamp: Option<Stamp>,
    /// How it is stored.
    pub storage: Storage,
}

/// How a file is stored.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Storage {
    /// A plain file in its folder.
    #[default]
    Plain,
    /// An archive or a packed file, whose contents are listed as well.
    Container,
    /// A file inside that archive or packed file.
    Inside(RelPath),
}

/// A stamp from the file system, which changes when the bytes change.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Stamp {
    /// The length in bytes.
    pub len: u64,
    /// When the bytes changed. Nanoseconds since 1970.
    pub modified: u64,
    /// When anything about the file changed, if the system records it. Nanoseconds since 1970.
    pub changed: i64,
    /// The inode number or its equivalent, if there is one.
    pub number: u64,
}

/// The files of a site folder.
pub trait Files: Send + Sync {
    /// Lists all regular files below `folder`, sorted by path, with a note on each entry that could
    /// not be listed. A missing folder is empty.
    fn list(&self, folder: &str) -> WithNotes<Vec<FileInfo>>;

    /// Lists the files together with the contents of archives and packed files: `export.zip` is
    /// also a folder, and `log.jsonl.gz` is also a file `log.jsonl`. Only files that were listed in
    /// this way can be read.
    fn list_unpacked(&self, folder: &str) -> WithNotes<Vec<FileInfo>> {
        self.list(folder)
    }

    /// Returns the names of all entries in `folder` itself, including hidden ones. Names of folders
    /// end with `/`.
    fn names(&self, folder: &str) -> Vec<String>;

    /// Checks that this folder exists and can be listed; the error gives the reason.
    fn require(&self, folder: &str) -> Result<(), Box<Diagnostic>>;

    /// Returns whether a file of that path exists, readable or not.
    fn has(&self, path: &RelPath) -> bool {
        self.open(path, 0).is_ok()
    }

    /// Returns when files were last changed according to the history of the site's repository, as
    /// far as that is known. Seconds since 1970.
    fn last_changes(&self, _: &[RelPath]) -> WithNotes<HashMap<RelPath, i64>> {
        WithNotes::plain(HashMap::new())
    }

    /// Reads a file; the error is a diagnostic on that file.
    fn read(&self, path: &RelPath) -> Result<Vec<u8>, Box<Diagnostic>>;

    /// Opens a file for reading from a byte offset.
    fn open(&self, path: &RelPath, from: u64) -> Result<Reader, Box<Diagnostic>>;
}

/// A file that is being read.
pub type Reader = Box<dyn BufRead + Send>;

/// Files shared by all recipes that read.
pub type SharedFiles = Arc<dyn Files>;

/// Files that exist only in memory.
#[derive(Clone, Default, Debug)]
pub struct Memory(BTreeMap<RelPath, Vec<u8>>);

impl Memory {
    /// Adds a file, or replaces the one with that path.
    pub fn insert(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.0.insert(RelPath::new(path), bytes.into());
    }

    fn get(&self, path: &RelPath) -> Result<&Vec<u8>, Box<Diagnostic>> {
        self.0.get(path).ok_or_else(|| {
            let note = Diagnostic::new(Severity::Error, "unreadable", "there is no such file");
            Box::new(note.in_file(path.as_str()))
        })
    }
}

impl Files for Memory {
    fn list(&self, folder: &str) -> WithNotes<Vec<FileInfo>> {
        let inside = |path: &&RelPath| {
            let rest = path.as_str().strip_prefix(folder.trim_end_matches('/'));
            folder.is_empty() || rest.is_some_and(|rest| rest.starts_with('/'))
        };
        let info = |path: &RelPath| FileInfo {
            path: path.clone(),
            len: self.0[path].len() as u64,
            stamp: None,
            storage: Storage::Plain,
        };
        WithNotes::plain(self.0.keys().filter(inside).map(info).collect())
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let prefix = match folder {
            "" => String::new(),
            folder => format!("{}/", folder.trim_end_matches('/')),
        };
        let inside = self.0.keys().filter_map(|path| path.as_str().strip_prefix(&prefix));
        let name = |path: &str| match path.split_once('/') {
            Some((folder, _)) => format!("{folder}/"),
            None => path.to_owned(),
        };
        let mut names: Vec<String> = inside.map(name).collect();
        names.dedup();
        names
    }

    /// There are no folders, so none can be missing.
    fn require(&self, _: &str) -> Result<(), Box<Diagnostic>> {
        Ok(())
    }

    fn read(&self, path: &RelPath) -> Result<Vec<u8>, Box<Diagnostic>> {
        self.get(path).cloned()
    }

    fn open(&self, path: &RelPath, from: u64) -> Result<Reader, Box<Diagnostic>> {
        let bytes = self.get(path)?;
        let from = usize::try_from(from).unwrap_or(usize::MAX).min(bytes.len());
        Ok(Box::new(Cursor::new(bytes[from..].to_vec())))
    }
}
