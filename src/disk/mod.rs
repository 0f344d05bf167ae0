//! The only folder that touches the file system.
#![expect(clippy::disallowed_methods, reason = "this is where the file system is used")]

mod history;
mod look;
mod manifest;
mod publish;
mod state;
mod write;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

pub use self::look::{Disk, fingerprint, is_there, numbered};
pub use self::publish::{Progress, Published, Trust, check, clean, publish};
pub use self::state::{ROOMS, State, has_state, memo_of};

/// Trouble with the machine: nothing that a user's file could mend.
#[derive(Debug)]
pub struct Error {
    action: &'static str,
    path: PathBuf,
    cause: io::Error,
}

impl Error {
    /// What failed to be done to what, and why.
    pub fn new(action: &'static str, path: &Path, cause: io::Error) -> Self {
        Self { action, path: path.to_owned(), cause }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "failed to {} `{}`: {}", self.action, self.path.display(), self.cause)
    }
}

impl Error {
    /// What to do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self.cause.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Some(
                "the disk is full; every file of the site is as it was or as it should be, \
                 so make room and build again",
            ),
            io::ErrorKind::PermissionDenied => Some("check that you may write there"),
            _ => None,
        }
    }
}

impl std::error::Error for Error {}

/// Writes files that must not be there yet, below `folder`. If one of them is, nothing is
/// written.
pub fn write_new(folder: &Path, files: &[(&str, &str)]) -> Result<(), Error> {
    for (name, _) in files {
        let path = folder.join(name);
        if path.symlink_metadata().is_ok() {
            let cause =
                io::Error::new(io::ErrorKind::AlreadyExists, "it is there already");
            return Err(Error::new("create", &path, cause));
        }
    }
    for (name, text) in files {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)
                .map_err(|e| Error::new("create", parent, e))?;
        }
        let created =
            std::fs::OpenOptions::new().write(true).create_new(true).open(&path);
        created
            .and_then(|mut file| io::Write::write_all(&mut file, text.as_bytes()))
            .map_err(|cause| Error::new("write", &path, cause))?;
    }
    Ok(())
}

/// Where a path really is, links and `..` resolved as far as it exists.
pub fn resolve(path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for ancestor in whole.ancestors() {
        if let (Ok(real), Ok(rest)) =
            (ancestor.canonicalize(), whole.strip_prefix(ancestor))
        {
            return real.join(rest);
        }
    }
    whole
}

/// Whether a path named on the command line is a folder.
pub fn is_folder(path: &Path) -> bool {
    path.is_dir()
}

/// The bytes of a file named on the command line.
pub fn read(path: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(path).map_err(|cause| Error::new("read", path, cause))
}
