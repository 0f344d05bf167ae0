//! All access to the file system.
//!
//! # How a build decides what to write
//!
//! 1. `scan` lists the content folder; the pipeline plans the outputs from it. An output has a
//!    path and a key, the hash of everything its bytes depend on.
//! 2. `own_files` reads the list of files that earlier builds wrote, from the output folder itself. Only these
//!    may be replaced or removed.
//! 3. `manifest` remembers, in the site's cache, the key, length and hash of each file that was written, and the
//!    folders that had nothing but such files.
//! 4. `output_scan` compares both with the output folder. An output is up to date if its key is the one in the
//!    manifest and a file of the same length is there. A folder that did not change since the last build is not
//!    read again.
//! 5. [`publish`](self::publish()) makes the other outputs, writes each to a staging folder, moves them into place,
//!    removes the files that the site no longer has, and writes both lists. A build that is killed leaves whole
//!    files and a list that is at most too long, so that the next build finishes the work.
//!
//! `destination` says where the output folder is, `state` where the cache is; `folder` holds folders open, so
//! that no link planted in them leads elsewhere; `output_state` reads an output folder for checks and uploads.
#![expect(clippy::disallowed_methods, reason = "all access to the file system is here")]

mod blob_folder;
mod changes;
mod checked;
mod own_files;
#[cfg_attr(not(feature = "git"), path = "no_commits.rs")]
mod commits;
mod destination;
mod folder;
#[cfg(feature = "git")]
mod git;
#[cfg_attr(not(feature = "git"), path = "no_history.rs")]
mod history;
mod inbox;
mod last_build;
mod lock;
mod manifest;
mod names;
mod publish;
mod scan;
mod sealed;
mod single;
mod output_state;
mod state;
mod output_scan;
mod sync;

use std::fmt;
use std::io;
use std::path::{Component, Path, PathBuf};

use self::folder::Folder;
use crate::path::OutPath;

pub use self::changes::Changes;
pub use self::checked::{keep_checked, recall_checked};
pub use self::destination::Destination;
pub use self::inbox::Inbox;
pub use self::last_build::LastBuild;
pub use self::output_state::{ExtraFiles, OutputFile, OutputState};
pub use self::publish::{
    CachePolicy, Foreign, Progress, Published, Scope, check, clean, has_list, publish,
};
pub use self::scan::{Disk, OUTPUT, fingerprint, is_there, numbered};
pub use self::single::single;
pub use self::state::{DEPLOY_FOLDER, SEARCH_FOLDERS, State, has_state, memo_of};
pub use self::sync::{FileLists, LIST_NAME, TransferPlan, Transferred, sync};
pub use convo_archives::is_archive;

/// An error of the machine, which no change to the user's files would fix.
#[derive(Debug)]
pub struct Error {
    action: &'static str,
    path: PathBuf,
    cause: io::Error,
    hint: Option<&'static str>,
}

impl Error {
    /// Creates an error from the failed action, its path and the cause.
    pub fn new(action: &'static str, path: &Path, cause: io::Error) -> Self {
        let hint = match cause.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Some(
                "free some disk space and build again; every file of the site is complete, \
                 either old or new",
            ),
            io::ErrorKind::PermissionDenied => {
                Some("check that you have permission to write there")
            }
            _ => None,
        };
        Self { action, path: path.to_owned(), cause, hint }
    }

    /// Adds a hint, unless the cause already has one.
    pub(super) fn hint_or(self, hint: &'static str) -> Self {
        Self { hint: self.hint.or(Some(hint)), ..self }
    }

    /// Returns whether the place is not writable.
    pub(super) fn is_read_only(&self) -> bool {
        use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
        matches!(self.cause.kind(), PermissionDenied | ReadOnlyFilesystem)
    }

    /// Returns whether something no longer exists.
    pub(super) fn is_missing(&self) -> bool {
        self.cause.kind() == io::ErrorKind::NotFound
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "failed to {} `{}`: {}", self.action, self.path.display(), self.cause)
    }
}

impl Error {
    /// Returns the hint.
    pub fn hint(&self) -> Option<&'static str> {
        self.hint
    }
}

impl std::error::Error for Error {}

/// Writes new files below `folder`. If one of them already exists, nothing is written.
pub fn write_new(folder: &Path, files: &[(&str, &str)]) -> Result<(), Error> {
    for (name, _) in files {
        let path = folder.join(name);
        if path.symlink_metadata().is_ok() {
            let cause = io::Error::new(io::ErrorKind::AlreadyExists, "it already exists");
            return Err(Error::new("create", &path, cause));
        }
    }
    for (name, text) in files {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(|e| Error::new("create", parent, e))?;
        }
        let created = std::fs::OpenOptions::new().write(true).create_new(true).open(&path);
        created
            .and_then(|mut file| io::Write::write_all(&mut file, text.as_bytes()))
            .map_err(|cause| Error::new("write", &path, cause))?;
    }
    Ok(())
}

/// Returns unpredictable random bytes.
pub fn random_key<const BYTES: usize>() -> Result<[u8; BYTES], Error> {
    let mut key = [0; BYTES];
    getrandom::fill(&mut key).map_err(|cause| {
        let cause = io::Error::other(cause.to_string());
        Error::new("read", Path::new("random numbers"), cause)
    })?;
    Ok(key)
}

/// Creates a file with a secret of 32 random hexadecimal digits.
pub fn make_key(folder: &Path, name: &str) -> Result<(), Error> {
    let secret = random_key::<16>()?;
    let digits: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
    write_new(folder, &[(name, &format!("{digits}\n"))])
}

/// Creates a folder, and its parents.
pub fn make_folder(path: &Path) -> Result<(), Error> {
    std::fs::create_dir_all(path).map_err(|cause| Error::new("create", path, cause))
}

/// Creates or replaces a file, which nobody ever sees incomplete.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    replace_by(path, |file| io::Write::write_all(file, bytes))
}

/// Creates or replaces a file with the output of `write`, which need not fit into memory.
pub fn replace_by<T>(
    path: &Path,
    write: impl FnOnce(&mut dyn io::Write) -> io::Result<T>,
) -> Result<T, Error> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let new = path.with_file_name(name);
    let written = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&new)
        .and_then(|file| {
            let mut file = io::BufWriter::new(file);
            let value = write(&mut file)?;
            io::Write::flush(&mut file)?;
            Ok(value)
        })
        .and_then(|value| std::fs::rename(&new, path).map(|()| value));
    written.map_err(|cause| {
        let _ = std::fs::remove_file(&new);
        Error::new("write", path, cause)
    })
}

/// Creates the folders of these files below `root`, without the files.
pub fn make_parents(root: &Path, files: &[OutPath]) -> Result<(), Error> {
    let folder = Folder::open(root).map_err(|cause| Error::new("open", root, cause))?;
    files.iter().try_for_each(|path| folder.make_parent(path).map(|_| ()))
}

/// Removes a file, if it exists.
pub fn remove(path: &Path) -> Result<(), Error> {
    match std::fs::remove_file(path) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => {
            Err(Error::new("remove", path, cause))
        }
        _ => Ok(()),
    }
}

/// Returns the real path, with links and `..` resolved as far as the path exists.
pub fn resolve(path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for ancestor in whole.ancestors() {
        if let (Ok(mut real), Ok(rest)) = (ancestor.canonicalize(), whole.strip_prefix(ancestor)) {
            let mut leaves = false;
            for part in rest.components() {
                if part == Component::ParentDir {
                    leaves |= real.pop();
                } else {
                    real.push(part);
                }
            }
            // After a missing folder, `..` may lead to something that exists.
            return if leaves { resolve(&real) } else { real };
        }
    }
    whole
}

/// Returns whether a path from the command line is a folder.
pub fn is_folder(path: &Path) -> bool {
    path.is_dir()
}

/// Reads a file named on the command line.
pub fn read(path: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(path).map_err(|cause| Error::new("read", path, cause))
}

/// Checks that a file named on the command line can be read.
pub fn check_readable(path: &Path) -> Result<(), Error> {
    std::fs::File::open(path).map(|_| ()).map_err(|cause| Error::new("read", path, cause))
}
