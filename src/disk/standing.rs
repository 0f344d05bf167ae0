//! An output folder as it stands, beside the files that a build would write there now.

use std::io::{ErrorKind, Read as _};
use std::path::Path;

use super::Error;
use super::claims::{Claims, LIST};
use super::destination::Destination;
use super::folder::{Folder, Kind, is_staging};
use crate::hash::Hash;
use crate::outputs::Outputs;
use crate::path::OutPath;

/// An output folder with all that is in it.
pub struct Standing {
    folder: Folder,
    /// In order.
    files: Vec<StandingFile>,
    claims: Option<Claims>,
}

/// A file in an output folder.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct StandingFile {
    /// Its path below the folder.
    pub path: String,
    /// Its length; nothing for what is no regular file. Bytes.
    pub len: u64,
    /// Whether it is a file, and no link or pipe.
    pub is_regular: bool,
}

/// The files of an output folder that a build would not write there.
#[derive(Default, Debug)]
pub struct Rest<'a> {
    /// Those that earlier builds wrote.
    pub old: Vec<&'a StandingFile>,
    /// All others.
    pub foreign: Vec<&'a StandingFile>,
}

impl Standing {
    /// Looks at an output folder; `None` if it is not there, or nothing is in it.
    pub fn of(destination: &Destination) -> Result<Option<Self>, Error> {
        let Some(folder) = destination.open()? else { return Ok(None) };
        let files = list(&folder)
            .map_err(|(path, cause)| Error::new("read", &folder.path().join(path), cause))?;
        let claims = Claims::read(&folder);
        Ok((!files.is_empty()).then_some(Self { folder, files, claims }))
    }

    /// Returns its files, in order, but for the list of those that builds wrote.
    pub fn files(&self) -> &[StandingFile] {
        &self.files
    }

    /// Returns whether the folder still has its list of the files that builds wrote.
    pub fn is_listed(&self) -> bool {
        self.claims.is_some()
    }

    /// Returns whether a regular file of these very bytes is at a path.
    pub fn holds(&self, path: &OutPath, bytes: &[u8]) -> bool {
        let len = bytes.len() as u64;
        self.file(path.as_str()).is_some_and(|file| file.len == len)
            && self.folder.read_below(path).is_ok_and(|there| there == bytes)
    }

    /// Returns whether a file of this length and hash is at a path.
    pub fn holds_hash(&self, path: &OutPath, len: u64, hash: Hash) -> bool {
        self.has(path) && self.folder.holds_hash_below(path, len, hash)
    }

    /// Returns whether something is at a path.
    pub fn has(&self, path: &OutPath) -> bool {
        self.file(path.as_str()).is_some()
    }

    fn file(&self, path: &str) -> Option<&StandingFile> {
        let at = self.files.binary_search_by(|file| file.path.as_str().cmp(path)).ok()?;
        self.files.get(at)
    }

    /// Returns the files that are none of these outputs.
    pub fn rest(&self, outputs: &Outputs) -> Rest<'_> {
        let rest = self.files.iter().filter(|file| outputs.get(&file.path).is_none());
        let claims = self.claims.as_ref();
        let is_old = |file: &&StandingFile| {
            let half_written = file.path.split_once('/');
            half_written.is_some_and(|(folder, _)| is_staging(folder.as_ref()))
                || claims.is_some_and(|claims| claims.holds(&file.path))
        };
        let (old, foreign) = rest.partition(is_old);
        Rest { old, foreign }
    }

    /// Where the folder is.
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Opens a file of it, behind no link.
    pub(super) fn open(&self, path: &OutPath) -> std::io::Result<std::fs::File> {
        let (prefix, name) = match path.as_str().rsplit_once('/') {
            Some((folder, name)) => (format!("{folder}/"), name),
            None => (String::new(), path.as_str()),
        };
        open(&self.folder, &prefix)?.file(name)
    }

    /// Returns the beginning of a file, at most `most` bytes.
    pub fn read(&self, file: &StandingFile, most: u64) -> Option<Vec<u8>> {
        let opened = self.folder.file_below(Path::new(&file.path)).ok()?;
        let mut bytes = Vec::new();
        opened.take(most).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }
}

/// What is in an output folder and goes nowhere, or is public as it is.
const NO_PAGES: [&str; 2] = [LIST, ".git"];

/// Lists all files below a folder, links included and not followed. The error has a path.
fn list(root: &Folder) -> Result<Vec<StandingFile>, (String, std::io::Error)> {
    let mut files = Vec::new();
    let mut waiting = vec![String::new()];
    while let Some(prefix) = waiting.pop() {
        let opened = open(root, &prefix).and_then(|folder| Ok((folder.entries()?, folder)));
        let (entries, folder) = match opened {
            Ok(opened) => opened,
            // Somebody removed it meanwhile.
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
                _ => files.push(StandingFile {
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

/// Opens a folder below another one, behind no link.
fn open(root: &Folder, prefix: &str) -> std::io::Result<Folder> {
    let names = prefix.split_terminator('/');
    names.into_iter().try_fold(root.again()?, |folder, name| folder.child(name))
}
