//! An output folder as it is, for checks and uploads.

use std::io::{ErrorKind, Read as _};
use std::path::Path;

use super::Error;
use super::destination::Destination;
use super::folder::{Folder, Kind, is_staging};
use super::own_files::{LIST, OwnFiles};
use crate::hash::Hash;
use crate::outputs::Outputs;
use crate::path::OutPath;

/// An output folder and all files in it.
pub struct OutputState {
    folder: Folder,
    /// Sorted by path.
    files: Vec<OutputFile>,
    own: Option<OwnFiles>,
}

/// A file in an output folder.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct OutputFile {
    /// Its path below the folder.
    pub path: String,
    /// Its length in bytes; 0 for anything but a regular file.
    pub len: u64,
    /// Whether it is a regular file, not a link or a pipe.
    pub is_regular: bool,
}

/// The files of an output folder that are not outputs.
#[derive(Default, Debug)]
pub struct ExtraFiles<'a> {
    /// Files that earlier builds wrote.
    pub old: Vec<&'a OutputFile>,
    /// Files that convo-site did not write.
    pub foreign: Vec<&'a OutputFile>,
}

impl OutputState {
    /// Reads an output folder; `None` if it does not exist or is empty.
    pub fn of(destination: &Destination) -> Result<Option<Self>, Error> {
        let Some(folder) = destination.open()? else { return Ok(None) };
        let files = list(&folder)
            .map_err(|(path, cause)| Error::new("read", &folder.path().join(path), cause))?;
        let own = OwnFiles::read(&folder);
        Ok((!files.is_empty()).then_some(Self { folder, files, own }))
    }

    /// Returns its files, sorted by path, without the list of our own files.
    pub fn files(&self) -> &[OutputFile] {
        &self.files
    }

    /// Returns whether the folder has the list of our own files.
    pub fn is_listed(&self) -> bool {
        self.own.is_some()
    }

    /// Returns whether there is a regular file with exactly these bytes at a path.
    pub fn holds(&self, path: &OutPath, bytes: &[u8]) -> bool {
        let len = bytes.len() as u64;
        self.file(path.as_str()).is_some_and(|file| file.len == len)
            && self.folder.read_below(path).is_ok_and(|there| there == bytes)
    }

    /// Returns whether there is a file of this length and hash at a path.
    pub fn holds_hash(&self, path: &OutPath, len: u64, hash: Hash) -> bool {
        self.has(path) && self.folder.holds_hash_below(path, len, hash)
    }

    /// Returns whether there is anything at a path.
    pub fn has(&self, path: &OutPath) -> bool {
        self.file(path.as_str()).is_some()
    }

    fn file(&self, path: &str) -> Option<&OutputFile> {
        let at = self.files.binary_search_by(|file| file.path.as_str().cmp(path)).ok()?;
        self.files.get(at)
    }

    /// Returns the files that are not among these outputs.
    pub fn rest(&self, outputs: &Outputs) -> ExtraFiles<'_> {
        let rest = self.files.iter().filter(|file| outputs.get(&file.path).is_none());
        let own = self.own.as_ref();
        let is_old = |file: &&OutputFile| {
            let half_written = file.path.split_once('/');
            half_written.is_some_and(|(folder, _)| is_staging(folder.as_ref()))
                || own.is_some_and(|own| own.holds(&file.path))
        };
        let (old, foreign) = rest.partition(is_old);
        ExtraFiles { old, foreign }
    }

    /// Returns the path of the folder.
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Opens a file in it without following links.
    pub(super) fn open(&self, path: &OutPath) -> std::io::Result<std::fs::File> {
        let (prefix, name) = match path.as_str().rsplit_once('/') {
            Some((folder, name)) => (format!("{folder}/"), name),
            None => (String::new(), path.as_str()),
        };
        open(&self.folder, &prefix)?.file(name)
    }

    /// Returns the first bytes of a file, at most `most`.
    pub fn read(&self, file: &OutputFile, most: u64) -> Option<Vec<u8>> {
        let opened = self.folder.file_below(Path::new(&file.path)).ok()?;
        let mut bytes = Vec::new();
        opened.take(most).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }
}

/// Entries of an output folder that are not pages.
const NO_PAGES: [&str; 2] = [LIST, ".git"];

/// Lists all files below a folder, including links, which it does not follow. The error includes a path.
fn list(root: &Folder) -> Result<Vec<OutputFile>, (String, std::io::Error)> {
    let mut files = Vec::new();
    let mut waiting = vec![String::new()];
    while let Some(prefix) = waiting.pop() {
        let opened = open(root, &prefix).and_then(|folder| Ok((folder.entries()?, folder)));
        let (entries, folder) = match opened {
            Ok(opened) => opened,
            // It was removed meanwhile.
            Err(cause) if cause.kind() == ErrorKind::NotFound && !prefix.is_empty() => {
                continue;
            }
            Err(cause) => return Err((prefix, cause)),
        };
        for (name, kind) in entries {
            let name = name.to_string_lossy();
            if prefix.is_empty() && NO_PAGES.contains(&&*name) {
                continue;
            }
            let path = format!("{prefix}{name}");
            match kind {
                Kind::Folder => waiting.push(path + "/"),
                _ => files.push(OutputFile {
                    path,
                    len: folder.len(&name).unwrap_or_default(),
                    is_regular: matches!(kind, Kind::File),
                }),
            }
        }
    }
    files.sort_unstable();
    Ok(files)
}

/// Opens a folder below another one without following links.
fn open(root: &Folder, prefix: &str) -> std::io::Result<Folder> {
    let names = prefix.split_terminator('/');
    names.into_iter().try_fold(root.again()?, |folder, name| folder.child(name))
}
