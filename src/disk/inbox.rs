//! Adds imported files to the content folder of a site.

use std::io;
use std::path::{Path, PathBuf};

use super::folder::{Folder, Kind, STAGING, Staging};
use super::{Disk, Error};
use crate::diag::{Diagnostic, WithNotes};
use crate::files::{FileInfo, Files};
use crate::path::{OutPath, RelPath};

/// A folder for imported files, which are written completely or not at all. Nothing outside of it
/// is written. It is created only when the first file is added.
pub struct Inbox {
    path: PathBuf,
    disk: Disk,
    staging: Option<(Folder, Staging)>,
}

impl Inbox {
    /// Opens the folder at a path, which may not exist.
    pub fn new(path: &Path) -> Self {
        // The imported files include no site.
        let disk = Disk::with_output(path, &path.join(STAGING));
        Self { path: path.to_owned(), disk, staging: None }
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the files in it.
    pub fn list(&self) -> WithNotes<Vec<FileInfo>> {
        self.disk.list("")
    }

    /// Reads a file in it.
    pub fn read(&self, file: &RelPath) -> Result<Vec<u8>, Box<Diagnostic>> {
        self.disk.read(file)
    }

    /// Returns whether a name is free.
    pub fn is_free(&self, name: &str) -> bool {
        self.path.join(name).symlink_metadata().is_err()
    }

    /// Returns whether there is a symbolic link with a name.
    pub fn is_link(&self, name: &str) -> bool {
        self.path.join(name).is_symlink()
    }

    /// Replaces a file in it.
    pub fn replace(&mut self, file: &RelPath, bytes: &[u8]) -> Result<(), Error> {
        let real = self.disk.real(file.as_str());
        let path = self.path.join(&real);
        let failed = |cause| Error::new("write", &path, cause);
        let Some(name) = real.file_name().and_then(|name| name.to_str()) else {
            return Err(failed(io::Error::other("its name is not valid UTF-8")));
        };
        let (root, staging) = staging(&mut self.staging, &self.path)?;
        let mut folder = root.again().map_err(failed)?;
        for part in real.parent().into_iter().flat_map(Path::components) {
            let Some(part) = part.as_os_str().to_str() else {
                return Err(failed(io::Error::other("its name is not valid UTF-8")));
            };
            folder = folder.child(part).map_err(failed)?;
        }
        staging.put(&folder, name, bytes)
    }

    /// Adds a file if its name is free; returns whether it was.
    pub fn add(&mut self, path: &OutPath, bytes: &[u8]) -> Result<bool, Error> {
        let (root, staging) = staging(&mut self.staging, &self.path)?;
        let (folder, name) = root.make_parent(path)?;
        let there: Option<Kind> = folder
            .kind(name)
            .map_err(|cause| Error::new("write", &folder.path().join(name), cause))?;
        if there.is_some() {
            return Ok(false);
        }
        staging.put(&folder, name, bytes)?;
        Ok(true)
    }
}

fn staging<'a>(
    staging: &'a mut Option<(Folder, Staging)>,
    path: &Path,
) -> Result<&'a (Folder, Staging), Error> {
    match staging {
        Some(known) => Ok(known),
        none => {
            let folder = Folder::make(path).map_err(|cause| Error::new("create", path, cause))?;
            let made = Staging::new(&folder)?;
            Ok(none.insert((folder, made)))
        }
    }
}
